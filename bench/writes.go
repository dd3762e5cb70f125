package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// writeJob is one writing operation, from a state that is made anew before each run.
type writeJob struct {
	name       string
	state      string
	before     func(dir string) error // not timed
	git, ingit []string
	needs      []string // revisions that the repository must have
}

// writeTarget is the most that ingit may need of git's time, after the issue "Writing without git".
const writeTarget = 1.2

var writeJobs = []writeJob{
	{name: "add of 4,000 new files", state: "write", before: newFiles, git: []string{"add", "new"}, ingit: []string{"add", "--paths", "new"}},
	{name: "commit, 100,000 files, one changed", state: "write-tree", before: changeOne,
		git: []string{"commit", "-q", "-m", "one"}, ingit: []string{"commit", "--message", "one"}},
	{name: "checkout v2.39.0 to v2.20.0", state: "write", before: at("v2.39.0"), needs: []string{"v2.20.0", "v2.39.0"},
		git: []string{"checkout", "-q", "v2.20.0"}, ingit: []string{"checkout", "--branch", "v2.20.0"}},
	{name: "checkout v2.20.0 to v2.39.0", state: "write", before: at("v2.20.0"), needs: []string{"v2.20.0", "v2.39.0"},
		git: []string{"checkout", "-q", "v2.39.0"}, ingit: []string{"checkout", "--branch", "v2.39.0"}},
	{name: "stash push, 50 files", state: "write", before: changed, git: []string{"stash", "push"}, ingit: []string{"stash"}},
	{name: "stash pop, 50 files", state: "write", before: stashed, git: []string{"stash", "pop"}, ingit: []string{"stash", "--action", "pop"}},
}

// inOrder runs git in the folder with one line of arguments after the other.
func inOrder(dir string, commands ...string) error {
	for _, c := range commands {
		if err := git(dir, strings.Fields(c)...); err != nil {
			return err
		}
	}
	return nil
}

// withoutLoose removes the loose objects that an earlier run stored; all others are packed.
func withoutLoose(dir string) error {
	folders, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "[0-9a-f][0-9a-f]"))
	for _, f := range folders {
		err = errors.Join(err, os.RemoveAll(f))
	}
	return err
}

func clear(dir string) error {
	if err := inOrder(dir, "stash clear", "reset -q --hard", "checkout -q --detach start"); err != nil {
		return err
	}
	return withoutLoose(dir)
}

func newFiles(dir string) error {
	if err := clear(dir); err != nil {
		return err
	}
	for i := range 4000 {
		path := filepath.Join(dir, "new", fmt.Sprint(i/50), fmt.Sprint(i))
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		text := strings.Repeat(fmt.Sprintf("line of file %d\n", i), 40)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			return err
		}
	}
	return freshIndex(dir)
}

func changeOne(dir string) error {
	if err := inOrder(dir, "reset -q --hard start"); err != nil {
		return err
	}
	out, err := answer([]string{"git", "ls-files"}, nil, dir)
	if err != nil {
		return err
	}
	names := strings.Split(string(out), "\n")
	if err := os.WriteFile(filepath.Join(dir, names[len(names)/2]), []byte("changed\n"), 0o666); err != nil {
		return err
	}
	return errors.Join(inOrder(dir, "add -u"), freshIndex(dir))
}

func at(rev string) func(dir string) error {
	return func(dir string) error {
		return errors.Join(clear(dir), os.RemoveAll(filepath.Join(dir, "new")), inOrder(dir, "checkout -q "+rev), freshIndex(dir))
	}
}

func changed(dir string) error {
	return errors.Join(clear(dir), os.RemoveAll(filepath.Join(dir, "new")), freshIndex(dir), change(dir))
}

func stashed(dir string) error {
	return errors.Join(changed(dir), inOrder(dir, "stash push -q"), freshIndex(dir))
}

// writesCommand measures the writing operations, git and ingit in turn, and prints a table.
func writesCommand(args []string) error {
	var r run
	flags := flag.NewFlagSet("writes", flag.ContinueOnError)
	flags.StringVar(&r.repo, "repo", "", "a clone of git/git")
	flags.StringVar(&r.ingit, "ingit", "", "the ingit binary; built from this tree when absent")
	flags.StringVar(&r.root, "root", filepath.Join(os.TempDir(), "ingit-bench"), "where the prepared states are kept")
	flags.StringVar(&r.jobs, "jobs", "", "parts of the names of jobs, comma separated; all when absent")
	flags.IntVar(&r.rounds, "rounds", 7, "rounds per job")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if r.ingit == "" {
		var err error
		if r.ingit, err = build(r.root); err != nil {
			return err
		}
	}
	fmt.Println("| job | git ms CPU [wall] | ingit ms CPU [wall] | ratio CPU | ratio wall | target |\n|---|---|---|---|---|---|")
	for _, j := range writeJobs {
		if !r.wants(job{name: j.name}) || missing(r.repo, j.needs) != "" {
			continue
		}
		if err := r.measureWrite(j); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
	}
	return nil
}

// measureWrite runs both in turn. What they leave behind is compared in each round.
func (r run) measureWrite(j writeJob) error {
	dir, err := prepare(r.repo, r.root, j.state)
	if err != nil {
		return err
	}
	var costs [2][]sample
	var cpu, wall []float64
	for range r.rounds {
		var left [2][]byte
		for i, argv := range [][]string{append([]string{"git"}, j.git...), append([]string{r.ingit}, j.ingit...)} {
			if err := j.before(dir); err != nil {
				return err
			}
			s, err := timed(argv, nil, dir)
			if err != nil {
				return err
			}
			costs[i] = append(costs[i], s)
			if left[i], err = leftBehind(dir); err != nil {
				return err
			}
		}
		if !bytes.Equal(left[0], left[1]) {
			return errors.New("ingit leaves something else behind than git")
		}
		g, o := costs[0][len(costs[0])-1], costs[1][len(costs[1])-1]
		cpu, wall = append(cpu, float64(o.cpu)/float64(g.cpu)), append(wall, float64(o.wall)/float64(g.wall))
	}
	text := func(samples []sample) string {
		var c, w []int64
		for _, s := range samples {
			c, w = append(c, int64(s.cpu)), append(w, int64(s.wall))
		}
		return fmt.Sprintf("%d [%d]", median(c)/1e6, median(w)/1e6)
	}
	fmt.Printf("| %s | %s | %s | %.2f | %.2f | %.1f |\n", j.name, text(costs[0]), text(costs[1]), median(cpu), median(wall), writeTarget)
	return nil
}

// leftBehind is HEAD's tree, the index and the status.
func leftBehind(dir string) ([]byte, error) {
	var all []byte
	for _, args := range [][]string{{"rev-parse", "HEAD^{tree}"}, {"ls-files", "-s"}, {"status", "--porcelain"}, {"rev-parse", "-q", "--verify", "refs/stash^{tree}"}} {
		out, err := answer(append([]string{"git"}, args...), nil, dir)
		if err != nil && args[0] != "rev-parse" {
			return nil, err
		}
		all = append(all, out...)
	}
	return all, nil
}

// writable clones a repository to be written to; the tag start is where each run begins.
func writable(repo, dir string) error {
	return errors.Join(git(".", "clone", "-q", "--local", repo, dir), tagged(dir))
}

func tagged(dir string) error {
	return errors.Join(inOrder(dir, "config advice.detachedHead false", "config gc.auto 0", "config user.name bench",
		"config user.email bench@example.com", "tag start", "checkout -q --detach start"), freshIndex(dir))
}
