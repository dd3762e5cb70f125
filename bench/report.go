package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// result is what the rounds of one job came to.
type result struct {
	job     job
	samples map[string][]sample
	peaks   map[string]int // KiB
	heap    int            // of ingit, MiB
	failure string
}

// cpu returns the median processor time of a contestant.
func (r result) cpu(name string) time.Duration {
	var all []time.Duration
	for _, s := range r.samples[name] {
		all = append(all, s.cpu)
	}
	return median(all)
}

func (r result) wall(name string) time.Duration {
	var all []time.Duration
	for _, s := range r.samples[name] {
		all = append(all, s.wall)
	}
	return median(all)
}

// ratios returns the medians of the ratios to git in the same round, of
// processor time and of wall time.
func (r result) ratios(name string) (cpu, wall float64) {
	var cpus, walls []float64
	for i, s := range r.samples[name] {
		g := r.samples["git"][i]
		cpus = append(cpus, float64(s.cpu)/float64(g.cpu))
		walls = append(walls, float64(s.wall)/float64(g.wall))
	}
	return median(cpus), median(walls)
}

// report writes the machine, the versions and the tables.
func report(out io.Writer, results []result, rounds int, repo string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "## %s\n\n", time.Now().UTC().Format("2006-01-02 15:04 UTC"))
	fmt.Fprintf(&b, "- %s, %d processors, %s/%s; load %s\n", processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, load())
	fmt.Fprintf(&b, "- git %s; %s; go-git %s; libgit2's example program; ingit %s\n", version(), runtime.Version(), goGitVersion(), revision())
	if repo != "" {
		fmt.Fprintf(&b, "- repository %s: %s\n", repo, size(repo))
	}
	fmt.Fprintf(&b, "- %d rounds, contestants in turn, medians; answers equal to git's bytes in this run\n\n", rounds)
	b.WriteString("| job | git ms CPU [wall] | ingit ms CPU [wall] | ratio CPU | ratio wall | target | warm ms CPU [wall] | ratio CPU | ratio wall | target | go-git ratio CPU | libgit2 ratio CPU | peak MiB git / ingit / go-git / libgit2 | heap MiB |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range results {
		row(&b, r)
	}
	b.WriteString("\n")
	_, err := b.WriteTo(out)
	return err
}

func row(b *bytes.Buffer, r result) {
	if r.failure != "" {
		fmt.Fprintf(b, "| %s | failed: %s |\n", r.job.name, strings.ReplaceAll(r.failure, "\n", " "))
		return
	}
	cpu, wall := r.ratios("ingit")
	warm, warmWall := r.ratios("warm")
	fmt.Fprintf(b, "| %s | %s [%s] | %s [%s] | %s | %s | %s | %s [%s] | %s | %s | %s | %s | %s | %s / %s / %s / %s | %s |\n", r.job.name,
		milliseconds(r.cpu("git")), milliseconds(r.wall("git")), milliseconds(r.cpu("ingit")), milliseconds(r.wall("ingit")),
		judged(cpu, r.job.cold), judged(wall, r.job.wall), target(r.job.cold),
		milliseconds(r.cpu("warm")), milliseconds(r.wall("warm")), judged(warm, r.job.warm), judged(warmWall, r.job.wall), target(r.job.warm), r.other("go-git"), r.other("libgit2"),
		mib(r.peaks["git"]), r.peak(), mib(r.peaks["go-git"]), mib(r.peaks["libgit2"]), r.heapText())
}

// other is somebody else's ratio of processor time, "over" what had been used
// when the run was stopped.
func (r result) other(name string) string {
	if len(r.samples[name]) == 0 {
		return "–"
	}
	ratio, _ := r.ratios(name)
	if r.wall(name) >= longest {
		return fmt.Sprintf("over %.1f", ratio)
	}
	return fmt.Sprintf("%.2f", ratio)
}

// Bounds of ingit's memory, from the issue on history.
const (
	peakOfGit = 1.5 // largest resident set, of git's
	mostHeap  = 64  // MiB, for everything but blame
)

// peak is ingit's peak memory, bold where it misses its target.
func (r result) peak() string {
	text := mib(r.peaks["ingit"])
	if float64(r.peaks["ingit"]) > peakOfGit*float64(r.peaks["git"]) {
		return "**" + text + "**"
	}
	return text
}

// heapText is the largest heap, bold where it misses its target.
func (r result) heapText() string {
	switch {
	case r.heap == 0:
		return "under 16"
	case r.heap > mostHeap && !strings.HasPrefix(r.job.name, "blame"):
		return fmt.Sprintf("**%d**", r.heap)
	}
	return fmt.Sprint(r.heap)
}

// target shows a target, if there is one.
func target(ratio float64) string {
	if ratio == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", ratio)
}

// judged shows a ratio, bold where it misses its target.
func judged(ratio, target float64) string {
	if target > 0 && ratio > target {
		return fmt.Sprintf("**%.2f**", ratio)
	}
	return fmt.Sprintf("%.2f", ratio)
}

func mib(kib int) string {
	if kib == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f", float64(kib)/1024)
}

func processor() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	for line := range strings.Lines(string(data)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}

func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(data), " ")
	return first
}

func version() string {
	out, err := answer([]string{"git", "version"}, nil, ".")
	if err != nil {
		return "unknown"
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")
}

func goGitVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == "github.com/go-git/go-git/v5" {
			return m.Version
		}
	}
	return "unknown"
}

// revision names the commit of the tree that this program belongs to.
func revision() string {
	out, err := answer([]string{"git", "describe", "--always", "--dirty"}, nil, ".")
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

func size(repo string) string {
	count, err := answer([]string{"git", "rev-list", "--count", "HEAD"}, nil, repo)
	if err != nil {
		return "unknown"
	}
	objects, err := answer([]string{"git", "count-objects", "-v"}, nil, repo)
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(count)) + " commits; " + strings.ReplaceAll(strings.TrimSpace(string(objects)), "\n", ", ")
}

// answerIn runs a command of the Go tool in the current environment.
func answerIn(argv []string) ([]byte, error) {
	return exec.Command(argv[0], argv[1:]...).CombinedOutput()
}
