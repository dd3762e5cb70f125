package main

import (
	"context"
	"fmt"
	"time"

	"github.com/ingit-dev/ingit/sandbox"
	"github.com/ingit-dev/ingit/tools"
)

// warmCalls is how often a warm job is asked; the first two calls, which open
// the repository and fill caches, are not counted.
const warmCalls = 12

// warm returns the median cost of a call with the repository open.
func warm(j job, dir string, want []byte) (sample, error) {
	ws, err := sandbox.Open(dir, sandbox.Policy{})
	if err != nil {
		return sample{}, err
	}
	tool, err := tools.New(ws, tools.Options{})
	if err != nil {
		return sample{}, err
	}
	defer tool.Close()
	return repeated(func() error {
		result := tool.Call(context.Background(), j.json(dir))
		if !result.Success {
			return fmt.Errorf("%s: %s", j.name, result.Error)
		}
		if string(result.Output) != string(want) {
			return fmt.Errorf("%s: the warm answer differs from git's", j.name)
		}
		return nil
	})
}

// repeated returns the median cost of a call.
func repeated(call func() error) (sample, error) {
	var cpu, wall []time.Duration
	for i := range warmCalls {
		cpu0, begin := selfCPU(), time.Now()
		err := call()
		took, used := time.Since(begin), selfCPU()-cpu0
		if err != nil {
			return sample{}, err
		}
		if i >= 2 {
			cpu, wall = append(cpu, used), append(wall, took)
		}
	}
	return sample{cpu: median(cpu), wall: median(wall)}, nil
}
