package main

import (
	"runtime"
	"runtime/debug"
)

// startHeap lets the heap grow to 16 MiB before it is collected for the first
// time: most commands end before that, and a collection costs a short one more
// than all else. From then on it grows as usual.
func startHeap() {
	usual := debug.SetGCPercent(400)
	if usual != 100 {
		debug.SetGCPercent(usual) // the user's own choice
		return
	}
	runtime.SetFinalizer(&struct{ _ [32]byte }{}, func(any) { debug.SetGCPercent(usual) })
}

// startStack has the stack grown once, while there is nothing on it to move. A
// stack starts small and is copied at each doubling, frame by frame, which
// costs a short command a tenth of its time.
//
//go:noinline
func startStack() {
	var room [24 << 10]byte
	use(&room)
}

//go:noinline
func use(*[24 << 10]byte) {}
