package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ingit-dev/ingit/bench/history"
)

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	if len(args) == 0 {
		return errors.New("say generate, run or writes")
	}
	switch args[0] {
	case "generate":
		return generateCommand(args[1:])
	case "growth":
		return growthCommand(args[1:])
	case "run":
		return runCommand(args[1:])
	case "writes":
		return writesCommand(args[1:])
	case "go-git": // run starts this program again as go-git's process
		if len(args) != 3 {
			return errors.New("go-git OPERATION DIR")
		}
		return runGoGit(args[1], args[2])
	case "lines": // and as the line diff's
		if len(args) != 3 {
			return errors.New("lines OLD NEW")
		}
		return runLines(args[1], args[2])
	}
	return fmt.Errorf("unknown command %q: say generate, run or writes", args[0])
}

func generateCommand(args []string) error {
	var p history.Params
	flags := flag.NewFlagSet("generate", flag.ContinueOnError)
	flags.IntVar(&p.Commits, "commits", 20_000, "how many commits")
	flags.Uint64Var(&p.Seed, "seed", 1, "the seed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("generate needs the folder to make")
	}
	return generate(flags.Arg(0), p)
}

// run is the configuration of the command run.
type run struct {
	repo, ingit, root, jobs, out string
	lg2                          string // libgit2's example program; "": none
	rounds                       int
	goGit                        bool
}

func runCommand(args []string) error {
	var r run
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.StringVar(&r.repo, "repo", "", "the repository to measure on: a clone of git/git, or a generated one; the jobs with 100k files need none")
	flags.StringVar(&r.ingit, "ingit", "", "the ingit binary; built from this tree when absent")
	flags.StringVar(&r.root, "root", filepath.Join(os.TempDir(), "ingit-bench"), "where the prepared states are kept")
	flags.StringVar(&r.jobs, "jobs", "", "parts of the names of jobs, comma separated; all when absent")
	flags.StringVar(&r.out, "out", "", "append the tables to this file; standard output when absent")
	flags.IntVar(&r.rounds, "rounds", 11, "rounds per job")
	flags.BoolVar(&r.goGit, "go-git", true, "measure go-git too, three rounds of it")
	flags.StringVar(&r.lg2, "lg2", "", "the program that libgit2's examples build; libgit2 is not measured when absent")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for _, j := range allJobs() {
		if r.repo == "" && r.wants(j) && !strings.HasPrefix(j.state, "tree") {
			return fmt.Errorf("the job %q needs -repo", j.name)
		}
	}
	return r.run()
}

func (r run) run() error {
	repo := r.repo
	if repo != "" {
		var err error
		if repo, err = filepath.Abs(repo); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(r.root, 0o777); err != nil {
		return err
	}
	if r.ingit == "" {
		var err error
		if r.ingit, err = build(r.root); err != nil {
			return err
		}
	}
	var results []result
	for _, j := range allJobs() {
		if !r.wants(j) {
			continue
		}
		if lacks := missing(repo, j.needs); lacks != "" {
			fmt.Fprintf(os.Stderr, "bench: %s: left out, the repository has no %s\n", j.name, lacks)
			continue
		}
		dir, err := prepare(repo, r.root, j.state)
		if err != nil {
			return err
		}
		res, err := r.measure(j, dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			res.failure = err.Error()
		}
		results = append(results, res)
	}
	return r.report(results, repo)
}

func (r run) wants(j job) bool {
	if r.jobs == "" {
		return true
	}
	for part := range strings.SplitSeq(r.jobs, ",") {
		if strings.Contains(j.name, part) {
			return true
		}
	}
	return false
}

func (r run) report(results []result, repo string) error {
	var out io.Writer = os.Stdout
	if r.out != "" {
		f, err := os.OpenFile(r.out, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
		if err != nil {
			return err
		}
		defer f.Close()
		out = f
	}
	return report(out, results, r.rounds, repo)
}

// build builds ingit from the tree that this program belongs to, and installs
// it by copying, as every way to a user's machine does: the file as the linker
// leaves it lies in the page cache in single pages, which costs each process
// that runs it a quarter of a millisecond.
func build(root string) (string, error) {
	linked, installed := filepath.Join(root, "ingit.linked"), filepath.Join(root, "ingit")
	out, err := answerIn([]string{"go", "build", "-trimpath", "-o", linked, "github.com/ingit-dev/ingit/cmd/ingit"})
	if err != nil {
		return "", fmt.Errorf("build: %w: %s", err, out)
	}
	binary, err := os.ReadFile(linked)
	if err != nil {
		return "", err
	}
	return installed, os.WriteFile(installed, binary, 0o777)
}

// milliseconds as tables show them.
func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 10 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}
