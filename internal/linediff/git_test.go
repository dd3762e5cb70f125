package linediff_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/linediff"
)

// pair is two versions of a text.
type pair struct{ old, new []byte }

// requireGit fails in CI and skips elsewhere when git is absent.
func requireGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("git is needed")
		}
		t.Skip("git is not installed")
	}
}

// gitDiffs returns the hunks that git prints for each pair, without function
// lines.
func gitDiffs(t *testing.T, pairs []pair, args ...string) []string {
	t.Helper()
	dir := t.TempDir()
	for i, p := range pairs {
		for side, text := range map[string][]byte{"a": p.old, "b": p.new} {
			name := filepath.Join(dir, side, fmt.Sprintf("%05d", i))
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
			require.NoError(t, os.WriteFile(name, text, 0o666))
		}
	}
	args = append([]string{"-c", "core.attributesFile=/dev/null", "diff", "--no-index", "--no-renames", "--text"}, args...)
	cmd := exec.Command("git", append(args, "a", "b")...)
	cmd.Dir = dir
	cmd.Env = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME=/nonexistent", "PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		require.Equal(t, 1, exit.ExitCode(), string(exit.Stderr))
	} else {
		require.NoError(t, err)
	}
	return splitOutput(string(out), len(pairs))
}

// splitOutput cuts git's output into the hunks of each pair.
func splitOutput(out string, n int) []string {
	hunks := make([]string, n)
	for _, file := range strings.Split("\n"+out, "\ndiff --git a/a/")[1:] {
		var i int
		fmt.Sscanf(file, "%d", &i)
		at := strings.Index(file, "\n@@ ")
		if at < 0 {
			continue
		}
		var b strings.Builder
		for _, line := range strings.Split(strings.TrimSuffix(file[at+1:], "\n"), "\n") {
			if strings.HasPrefix(line, "@@") {
				line = line[:strings.Index(line[2:], "@@")+4]
			}
			b.WriteString(line + "\n")
		}
		hunks[i] = b.String()
	}
	return hunks
}

// ourDiff prints the hunks as git does.
func ourDiff(d *linediff.Differ, p pair, opts linediff.Options, hunks linediff.HunkOptions) string {
	changes := d.Diff(p.old, p.new, opts)
	var b bytes.Buffer
	all := linediff.NewHunks(changes, &d.Old, &d.New, hunks)
	for {
		h, ok := all.Next()
		if !ok {
			return b.String()
		}
		b.WriteString("@@ -" + span(h.OldStart, h.OldEnd) + " +" + span(h.NewStart, h.NewEnd) + " @@\n")
		at, line := h.NewStart, -1
		for _, c := range h.Changes {
			for ; at < c.NewStart && line < c.OldStart; at++ {
				write(&b, ' ', d.New.Line(at))
				if line >= 0 {
					line++
				}
			}
			for i := range c.OldCount {
				write(&b, '-', d.Old.Line(c.OldStart+i))
			}
			for i := range c.NewCount {
				write(&b, '+', d.New.Line(c.NewStart+i))
			}
			line, at = c.OldStart+c.OldCount, c.NewStart+c.NewCount
		}
		for ; at < h.NewEnd; at++ {
			write(&b, ' ', d.New.Line(at))
		}
	}
}

func span(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	default:
		return fmt.Sprintf("%d,%d", start+1, end-start)
	}
}

func write(b *bytes.Buffer, sign byte, line []byte) {
	b.WriteByte(sign)
	b.Write(line)
	if line[len(line)-1] != '\n' {
		b.WriteString("\n\\ No newline at end of file\n")
	}
}

// shape makes the lines of random texts.
type shape struct {
	name string
	line func(r *rand.Rand) string
	most int // lines
}

var shapes = []shape{
	{"source", sourceLine, 120},
	{"few lines", func(r *rand.Rand) string { return string(rune('a'+r.IntN(4))) + "\n" }, 150},
	{"long", func(r *rand.Rand) string { return fmt.Sprintf("%d\n", r.IntN(40+r.IntN(1500))) }, 3000},
	{"costly", func(r *rand.Rand) string { return fmt.Sprintf("%d\n", r.IntN(300)*r.IntN(8)) }, 6000},
	{"binary", func(r *rand.Rand) string {
		return string([]byte{byte(r.IntN(3)), byte(r.IntN(256)), "\n\r\x00\n"[r.IntN(4)]})
	}, 200},
}

// sourceLine looks like a line of a program: blanks and braces repeat.
func sourceLine(r *rand.Rand) string {
	indent := strings.Repeat("\t", r.IntN(4))
	switch r.IntN(8) {
	case 0, 1:
		return "\n"
	case 2:
		return indent + "}\n"
	case 3:
		return indent + "{\n"
	case 4:
		return strings.Repeat(" ", r.IntN(9)) + "\t \n"
	default:
		return indent + fmt.Sprintf("call%d(x);", r.IntN(12)) + []string{"\n", "\n", "\n", " \n", "\r\n"}[r.IntN(5)]
	}
}

// randomPair makes a text and an edited one.
func randomPair(r *rand.Rand, s shape) pair {
	lines := make([]string, r.IntN(s.most)+r.IntN(3))
	for i := range lines {
		lines[i] = s.line(r)
	}
	old := strings.Join(lines, "")
	rate := []int{2, 5, 20, 100}[r.IntN(4)]
	var b strings.Builder
	for i := 0; i < len(lines); i++ {
		if r.IntN(rate) != 0 {
			b.WriteString(lines[i])
			continue
		}
		switch r.IntN(5) {
		case 0: // deleted
		case 1:
			b.WriteString(s.line(r) + lines[i])
		case 2:
			b.WriteString(s.line(r))
		case 3: // a copied block
			from := r.IntN(len(lines))
			b.WriteString(strings.Join(lines[from:min(len(lines), from+r.IntN(12))], ""))
		case 4: // a deleted block
			i += r.IntN(9)
		}
	}
	edited := b.String()
	if r.IntN(6) == 0 {
		old = strings.TrimSuffix(old, "\n")
	}
	if r.IntN(6) == 0 {
		edited = strings.TrimSuffix(edited, "\n")
	}
	return pair{[]byte(old), []byte(edited)}
}

var algorithms = map[string]linediff.Algorithm{
	"myers": linediff.Myers, "minimal": linediff.Minimal,
	"patience": linediff.Patience, "histogram": linediff.Histogram,
}

// compare holds ours against git's on pairs under the given options.
func compare(t *testing.T, pairs []pair, opts linediff.Options, hunks linediff.HunkOptions, args ...string) {
	t.Helper()
	opts.ZeroContext = hunks.Context == 0 && hunks.Function == nil
	args = append(args, fmt.Sprintf("-U%d", hunks.Context), fmt.Sprintf("--inter-hunk-context=%d", hunks.InterHunk))
	want := gitDiffs(t, pairs, args...)
	var d linediff.Differ
	for i, p := range pairs {
		if got := ourDiff(&d, p, opts, hunks); got != want[i] {
			dir, _ := os.MkdirTemp("", "linediff")
			os.WriteFile(filepath.Join(dir, "old"), p.old, 0o666)
			os.WriteFile(filepath.Join(dir, "new"), p.new, 0o666)
			os.WriteFile(filepath.Join(dir, "got"), []byte(got), 0o666)
			os.WriteFile(filepath.Join(dir, "want"), []byte(want[i]), 0o666)
			t.Fatalf("pair %d differs with %v, kept in %s", i, args, dir)
		}
	}
}

// rounds is the number of pairs for each combination: in CI enough for more than
// 20,000 in all. LINEDIFF_ROUNDS sets another.
func rounds() int {
	n := 15
	if os.Getenv("CI") == "true" {
		n = 130
	}
	fmt.Sscan(os.Getenv("LINEDIFF_ROUNDS"), &n)
	return n
}

func TestGit(t *testing.T) {
	requireGit(t)
	seed := fixtures.Seed(t)
	for _, s := range shapes {
		for name, algorithm := range algorithms {
			t.Run(s.name+" "+name, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 1))
				for _, context := range []int{0, 1, 3, 10} {
					pairs := make([]pair, rounds())
					for i := range pairs {
						pairs[i] = randomPair(r, s)
					}
					compare(t, pairs, linediff.Options{Algorithm: algorithm}, linediff.HunkOptions{Context: context}, "--diff-algorithm="+name)
				}
			})
		}
	}
}

func TestGitOptions(t *testing.T) {
	requireGit(t)
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 2))
	space := map[string]linediff.Whitespace{
		"-w": linediff.IgnoreAll, "-b": linediff.IgnoreChange,
		"--ignore-space-at-eol": linediff.IgnoreEOL, "--ignore-cr-at-eol": linediff.IgnoreCRAtEOL,
	}
	for _, s := range shapes {
		for name, algorithm := range algorithms {
			for option, whitespace := range space {
				pairs := make([]pair, rounds()/5)
				for i := range pairs {
					pairs[i] = randomPair(r, s)
				}
				opts := linediff.Options{Algorithm: algorithm, Whitespace: whitespace}
				context := []int{0, 1, 3, 10}[r.IntN(4)]
				compare(t, pairs, opts, linediff.HunkOptions{Context: context, InterHunk: r.IntN(4)}, "--diff-algorithm="+name, option)
				compare(t, pairs, opts, linediff.HunkOptions{Context: context, IgnoreBlankLines: true, Whitespace: whitespace}, "--diff-algorithm="+name, option, "--ignore-blank-lines")
			}
			pairs := make([]pair, rounds())
			for i := range pairs {
				pairs[i] = randomPair(r, s)
			}
			opts := linediff.Options{Algorithm: algorithm}
			args := []string{"--diff-algorithm=" + name}
			if r.IntN(2) == 0 {
				opts.NoIndentHeuristic = true
				args = append(args, "--no-indent-heuristic")
			}
			hunks := linediff.HunkOptions{Context: r.IntN(5), InterHunk: r.IntN(5), IgnoreBlankLines: true}
			compare(t, pairs, opts, hunks, append(args, "--ignore-blank-lines")...)
			hunks.Function = func(line []byte) bool { c := line[0]; return c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z' }
			compare(t, pairs, opts, hunks, append(args, "--ignore-blank-lines", "--function-context")...)
			hunks.IgnoreBlankLines = false
			compare(t, pairs, opts, hunks, append(args, "--function-context")...)
		}
	}
}
