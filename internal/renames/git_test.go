package renames_test

import (
	"crypto/sha1"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/renames"
)

// tree is a set of files by path.
type tree map[string]string

// detectGit lists what git finds, in the form "R075 old new".
func detectGit(t *testing.T, old, new tree, args ...string) []string {
	t.Helper()
	dir := t.TempDir()
	for side, files := range map[string]tree{"a": old, "b": new} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, side), 0o777))
		for name, text := range files {
			path := filepath.Join(dir, side, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		}
	}
	cmd := exec.Command("git", append(append([]string{"diff", "--no-index", "--name-status", "-z"}, args...), "a", "b")...)
	cmd.Dir = dir
	cmd.Env = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME=/nonexistent", "PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		require.Equal(t, 1, exit.ExitCode(), string(exit.Stderr))
	}
	var found []string
	for fields := strings.Split(string(out), "\x00"); len(fields) > 1; {
		if kind := fields[0]; kind[0] == 'R' || kind[0] == 'C' {
			found = append(found, kind+" "+fields[1][2:]+" "+fields[2][2:])
			fields = fields[3:]
		} else {
			fields = fields[2:]
		}
	}
	return found
}

// detectOurs is detectGit with our code.
func detectOurs(t *testing.T, old, new tree, opts renames.Options) []string {
	t.Helper()
	entry := func(files tree, name string) renames.Entry {
		text, ok := files[name]
		if !ok {
			return renames.Entry{Path: name}
		}
		return renames.Entry{Path: name, Mode: 0o100644, ID: sha1.Sum([]byte("blob " + strconv.Itoa(len(text)) + "\x00" + text))}
	}
	var names []string
	for name := range old {
		names = append(names, name)
	}
	for name := range new {
		if _, ok := old[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var candidates []renames.Candidate
	text := map[renames.Entry]string{}
	for _, name := range names {
		c := renames.Candidate{Old: entry(old, name), New: entry(new, name)}
		if c.Old != c.New {
			candidates = append(candidates, c)
		}
		text[c.Old], text[c.New] = old[name], new[name]
	}
	contents := renames.Contents{
		Size: func(e renames.Entry) (int64, error) { return int64(len(text[e])), nil },
		Read: func(e renames.Entry) ([]byte, error) { return []byte(text[e]), nil },
	}
	pairs, err := renames.Detect(t.Context(), candidates, opts, contents)
	require.NoError(t, err)
	var found []string
	for _, p := range pairs {
		kind := 'R'
		if p.Copy {
			kind = 'C'
		}
		found = append(found, fmt.Sprintf("%c%03d %s %s", kind, p.Score*100/renames.MaxScore, candidates[p.Source].Old.Path, candidates[p.Dest].New.Path))
	}
	return found
}

// randomTrees makes a tree and one with files moved, copied and edited.
func randomTrees(r *rand.Rand) (old, new tree) {
	old, new = tree{}, tree{}
	most := 1 + r.IntN(40)
	for range r.IntN(most) + 1 {
		name := randomName(r)
		old[name] = randomText(r)
		if r.IntN(3) == 0 {
			new[name] = edit(r, old[name])
		}
	}
	names := make([]string, 0, len(old))
	for name := range old {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for range r.IntN(3) {
			to := randomName(r)
			if r.IntN(3) == 0 {
				to = randomDir(r) + name[strings.LastIndexByte(name, '/')+1:]
			}
			if r.IntN(2) == 0 {
				new[to] = old[name]
			} else {
				new[to] = edit(r, old[name])
			}
		}
	}
	return old, new
}

func randomDir(r *rand.Rand) string { return []string{"", "d/", "e/", "d/f/"}[r.IntN(4)] }

func randomName(r *rand.Rand) string { return randomDir(r) + fmt.Sprintf("n%d", r.IntN(60)) }

func randomText(r *rand.Rand) string {
	end := []string{"\n", "\n", "\r\n", "\x00\n", "\x00\r\n"}[r.IntN(5)]
	var b strings.Builder
	for range r.IntN(20) {
		fmt.Fprintf(&b, "%s%d%s", strings.Repeat("long ", r.IntN(20)*r.IntN(2)), r.IntN(50), end)
	}
	if r.IntN(4) == 0 {
		b.WriteString("tail")
	}
	return b.String()
}

func edit(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range r.IntN(6) {
		i := r.IntN(len(lines))
		lines[i] = []string{"", "new\n", lines[i] + lines[i], "other\r\n"}[r.IntN(4)]
	}
	return strings.Join(lines, "")
}

func TestGit(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range 100 {
		old, new := randomTrees(r)
		opts, args := renames.Options{}, []string{"-M"}
		if r.IntN(3) == 0 {
			opts.Copies, args = true, append(args, "-C")
		}
		if r.IntN(4) == 0 {
			opts.Limit = 1 + r.IntN(8)
			args = append(args, "-l"+strconv.Itoa(opts.Limit))
		}
		if r.IntN(4) == 0 {
			percent := 1 + r.IntN(99)
			opts.MinScore = renames.MaxScore * percent / 100
			args = append(args, fmt.Sprintf("%s%d%%", args[len(args)-1][:2], percent))
			if opts.Limit > 0 {
				args[len(args)-1] = fmt.Sprintf("-M%d%%", percent)
				if opts.Copies {
					args = append(args, fmt.Sprintf("-C%d%%", percent))
				}
			}
		}
		require.Equal(t, detectGit(t, old, new, args...), detectOurs(t, old, new, opts), "pair %d, %v", i, args)
	}
}

func TestManyIdentical(t *testing.T) {
	fixtures.RequireGit(t)
	old, new := tree{}, tree{}
	for i := range 120 {
		old[fmt.Sprintf("a/n%03d", i)] = "same\n"
		new[fmt.Sprintf("b/n%03d", 119-i+i%2)] = "same\n"
	}
	for _, args := range [][]string{{"-M"}, {"-C"}} {
		opts := renames.Options{Copies: args[0] == "-C"}
		require.Equal(t, detectGit(t, old, new, args...), detectOurs(t, old, new, opts))
	}
}
