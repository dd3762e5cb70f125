package main

import (
	"context"
	"fmt"
	"time"

	"github.com/ingit-dev/ingit/sandbox"
	"github.com/ingit-dev/ingit/tools"
)

// warm opens the repository at dir for calls within this process, which done
// ends.
func warm(j job, dir string, want []byte) (call func() error, done func(), err error) {
	ws, err := sandbox.Open(dir, sandbox.Policy{})
	if err != nil {
		return nil, nil, err
	}
	tool, err := tools.New(ws, tools.Options{})
	if err != nil {
		return nil, nil, err
	}
	request := j.json(dir)
	return func() error {
		result := tool.Call(context.Background(), request)
		if !result.Success {
			return fmt.Errorf("%s: %s", j.name, result.Error)
		}
		if string(result.Output) != string(want) {
			return fmt.Errorf("%s: the warm answer differs from git's", j.name)
		}
		return nil
	}, func() { _ = tool.Close() }, nil
}

// costOf returns what a call costs when the one before was answered just now:
// a first call, which is not counted, brings back what the other contestants
// have pushed out of the processor's caches.
func costOf(call func() error) (sample, error) {
	if err := call(); err != nil {
		return sample{}, err
	}
	cpu0, begin := selfCPU(), time.Now()
	err := call()
	return sample{cpu: selfCPU() - cpu0, wall: time.Since(begin)}, err
}
