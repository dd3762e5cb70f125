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
