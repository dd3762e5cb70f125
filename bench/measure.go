package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// sample is what one run cost.
type sample struct {
	cpu, wall time.Duration
	cut       bool // it was ended after the longest time
}

// contestant answers jobs as whole processes.
type contestant struct {
	name string
	// command returns the command line and the standard input, ok false where
	// the contestant has no such operation.
	command func(j job, dir string) (argv []string, input []byte, ok bool)
}

// environment is what every process runs in: nothing of the user's.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC", "HOME=/nonexistent", "XDG_CONFIG_HOME=/nonexistent",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=cat"}
}

// longest is how long any run may take.
const longest = 120 * time.Second

// process prepares a run of the command. Its input comes from a file, so that
// no goroutine of ours feeds a pipe while it is timed; done closes that file.
func process(argv []string, input []byte, dir string) (cmd *exec.Cmd, done func(), err error) {
	in, err := os.CreateTemp("", "bench-input")
	if err != nil {
		return nil, nil, err
	}
	if err := os.Remove(in.Name()); err != nil {
		return nil, nil, err
	}
	if _, err := in.WriteAt(input, 0); err != nil {
		return nil, nil, err
	}
	limit, cancel := context.WithTimeout(context.Background(), longest)
	cmd = exec.CommandContext(limit, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, environment(), in
	return cmd, func() { cancel(); _ = in.Close() }, nil
}

// answer runs the command and returns its standard output.
func answer(argv []string, input []byte, dir string) ([]byte, error) {
	cmd, done, err := process(argv, input, dir)
	if err != nil {
		return nil, err
	}
	defer done()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && !differs(argv, err) {
		return nil, fmt.Errorf("%s: %w: %s", argv[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// timed runs the command with its output to the null device and returns the
// cost; that of a run that took too long up to where it was stopped.
func timed(argv []string, input []byte, dir string) (sample, error) {
	cmd, done, err := process(argv, input, dir)
	if err != nil {
		return sample{}, err
	}
	defer done()
	begin := time.Now()
	err = cmd.Run()
	wall := time.Since(begin)
	if err != nil && wall >= longest {
		return sample{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wall, true}, nil
	}
	if err != nil && !differs(argv, err) && wall < longest {
		return sample{}, fmt.Errorf("%s: %w", argv[0], err)
	}
	return sample{cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wall: wall}, nil
}

// heap runs the command, a Go program, and returns the most that its heap held
// when the collector came, in MiB; 0 when it never came, because there was less
// than 16 MiB. See the package runtime on gctrace.
func heap(argv []string, input []byte, dir string) (int, error) {
	cmd, done, err := process(argv, input, dir)
	if err != nil {
		return 0, err
	}
	defer done()
	var trace bytes.Buffer
	cmd.Stderr, cmd.Env = &trace, append(cmd.Env, "GODEBUG=gctrace=1")
	if err := cmd.Run(); err != nil && !differs(argv, err) {
		return 0, fmt.Errorf("%s: %w", argv[0], err)
	}
	most := 0
	for _, sizes := range heapSizes.FindAllSubmatch(trace.Bytes(), -1) {
		n, err := strconv.Atoi(string(sizes[1]))
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	return most, nil
}

// heapSizes finds what a collection of the heap began and ended with.
var heapSizes = regexp.MustCompile(`, \d+->(\d+)->\d+ MB, `)

// differs says that git diff --no-index ended with status 1: it found
// differences.
func differs(argv []string, err error) bool {
	var exit *exec.ExitError
	return slices.Contains(argv, "--no-index") && errors.As(err, &exit) && exit.ExitCode() == 1
}

// selfCPU is the processor time that this process has used.
func selfCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median[T ~int64 | ~float64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	if n := len(sorted); n%2 == 0 {
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return sorted[len(sorted)/2]
}
