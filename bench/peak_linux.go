package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// ptraceEventExit is PTRACE_EVENT_EXIT: the process is about to go, and its
// memory can still be asked about. See ptrace(2).
const (
	ptraceEventExit  = 6
	ptraceOTraceExit = 0x40
	ptraceTrapExit   = int(syscall.SIGTRAP) | ptraceEventExit<<8
)

// peak runs the command and returns its largest resident set, in KiB. The
// kernel's ru_maxrss can't be used: it starts from the size of the process that
// started this one.
func peak(argv []string, input []byte, dir string) (int, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd, done, err := process(argv, input, dir)
	if err != nil {
		return 0, err
	}
	defer done()
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	return followToExit(cmd.Process.Pid)
}

// followToExit lets a traced process run, and reads its peak when it ends.
func followToExit(pid int) (int, error) {
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		return 0, err
	}
	if err := syscall.PtraceSetOptions(pid, ptraceOTraceExit); err != nil {
		return 0, err
	}
	kib := 0
	for signal := 0; ; {
		if err := syscall.PtraceCont(pid, signal); err != nil {
			return kib, err
		}
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
			return kib, err
		}
		switch {
		case status.Exited() || status.Signaled():
			return kib, nil
		case status.Stopped() && int(status)>>8 == ptraceTrapExit:
			kib = peakOf(pid)
			signal = 0
		default:
			signal = int(status.StopSignal())
		}
	}
}

// peakOf reads the largest resident set of a live process.
func peakOf(pid int) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(data) {
		if fields := bytes.Fields(line); len(fields) > 1 && string(fields[0]) == "VmHWM:" {
			n, _ := strconv.Atoi(string(fields[1]))
			return n
		}
	}
	return 0
}
