package sandbox

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// FaultError says that a mapped file could not be read: it was truncated beneath its mapping, or the
// disk failed.
type FaultError struct{ Addr uintptr }

// Error says what happened to the file.
func (e *FaultError) Error() string {
	return fmt.Sprintf("mapped file was truncated or could not be read (fault at %#x)", e.Addr)
}

// GuardFault calls read, which reads a mapping (File.Map), and returns its error. A memory fault in
// it becomes a *FaultError, where it would end the process otherwise; other panics pass. It holds
// for the calling goroutine only, and costs some ten nanoseconds: guard an operation, not a byte.
func GuardFault(read func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if fault := recover(); fault != nil {
			err = faultError(fault)
		}
	}()
	return read()
}

// faultError turns the runtime's panic for a fault at an address into an error. A nil pointer's
// panic has no address.
func faultError(fault any) error {
	if e, ok := fault.(interface {
		runtime.Error
		Addr() uintptr
	}); ok {
		return &FaultError{Addr: e.Addr()}
	}
	panic(fault)
}
