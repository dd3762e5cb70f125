package main

import (
	"bytes"
	"fmt"
	"os"
	"time"
)

// contestants returns git, ingit, go-git and libgit2, in the order in which they
// run.
func (r run) contestants() []contestant {
	self, err := os.Executable()
	return []contestant{
		{"git", func(j job, _ string) ([]string, []byte, bool) { return append([]string{"git"}, j.git...), nil, true }},
		{"ingit", func(j job, dir string) ([]string, []byte, bool) {
			if j.name == linesJob {
				return []string{self, "lines", "old", "new"}, nil, true
			}
			return []string{r.ingit, "call", "--workspace", dir}, j.json(dir), true
		}},
		{"go-git", func(j job, dir string) ([]string, []byte, bool) {
			return []string{self, "go-git", j.goGit, dir}, nil, r.goGit && err == nil && j.goGit != ""
		}},
		{"libgit2", func(j job, dir string) ([]string, []byte, bool) {
			return append([]string{r.lg2}, j.lg2...), nil, r.lg2 != "" && j.lg2 != nil
		}},
	}
}

// measure compares the answers, then runs the rounds.
func (r run) measure(j job, dir string) (result, error) {
	res := result{job: j, samples: map[string][]sample{}, peaks: map[string]int{}}
	want, err := r.compare(j, dir)
	if err != nil {
		return res, fmt.Errorf("%s: %w", j.name, err)
	}
	prepared := func() (func() error, func(), error) { return warm(j, dir, want) }
	if j.name == linesJob {
		prepared = func() (func() error, func(), error) { return warmLines(dir) }
	}
	call, done, err := prepared()
	if err != nil {
		return res, err
	}
	defer done()
	for range 2 { // they open the repository and fill what is kept
		if err := call(); err != nil {
			return res, err
		}
	}
	for round := range r.rounds {
		if err := r.round(&res, dir, round); err != nil {
			return res, fmt.Errorf("%s: %w", j.name, err)
		}
		s, err := costOf(call)
		if err != nil {
			return res, err
		}
		res.samples["warm"] = append(res.samples["warm"], s)
	}
	return res, nil
}

// compare returns git's answer when ingit gives the same and there is something
// in it: a job that finds nothing measures nothing.
func (r run) compare(j job, dir string) (want []byte, err error) {
	for _, c := range r.contestants()[:2] {
		argv, input, ok := c.command(j, dir)
		if !ok {
			continue
		}
		got, err := answer(argv, input, dir)
		switch {
		case err != nil:
			return nil, err
		case len(got) == 0:
			return nil, fmt.Errorf("the answer of %s is empty", c.name)
		case c.name == "git":
			want = got
		case !bytes.Equal(want, got):
			return nil, fmt.Errorf("the answer of %s differs from git's", c.name)
		}
	}
	return want, nil
}

// missing returns the first of some revisions that the repository lacks, ""
// when it has all.
func missing(repo string, revs []string) string {
	for _, rev := range revs {
		if _, err := answer([]string{"git", "rev-parse", "-q", "--verify", rev}, nil, repo); err != nil {
			return rev
		}
	}
	return ""
}

// round runs every contestant once; the first round also measures memory. Those
// who answer for comparison only sit out from the fourth on.
func (r run) round(res *result, dir string, round int) error {
	for i, c := range r.contestants() {
		argv, input, ok := c.command(res.job, dir)
		if !ok || i >= 2 && !again(res.samples[c.name], round) {
			continue
		}
		s, err := timed(argv, input, dir)
		if err != nil {
			return err
		}
		res.samples[c.name] = append(res.samples[c.name], s)
		if round > 0 || s.cut {
			continue
		}
		if kib, err := peak(argv, input, dir); err == nil {
			res.peaks[c.name] = kib
		}
		if c.name == "ingit" {
			if res.heap, err = heap(argv, input, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// again says whether who has those samples takes part in the round: in three of
// them, in one when that takes long.
func again(taken []sample, round int) bool {
	return round == 0 || round <= 2 && len(taken) == round && taken[0].wall < 10*time.Second
}
