package diffrender_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// TestMerges holds combined diffs of random merges, made by commit-tree so
// that nothing has to agree, against git show.
func TestMerges(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 1))
	dir := fixtures.Init(t)
	repo := open(t, dir)
	for i := range 30 {
		base := mergeFiles(r)
		var parents []reader.Side
		args := []string{"-m", "merge"}
		for range 2 + r.IntN(3) {
			tree := writeTree(t, dir, changeFiles(r, base))
			args = append(args, "-p", commitTree(t, dir, tree, "-m", "parent"))
			parents = append(parents, reader.Tree(hash(t, tree)))
		}
		tree := writeTree(t, dir, changeFiles(r, base))
		merge := commitTree(t, dir, tree, args...)
		require.NoError(t, repo.Objects().Refresh()) // ids are abbreviated among all that there are now
		for format, wanted := range map[string][]string{"-p": {"-U3"}, "--stat": {"--stat"}, "--name-status": {"--name-status"}, "--name-only": {"--name-only"}, "-U0": {"-U0"}, "-w": {"-w"}} {
			opts := diffrender.Options{Abbrev: func(id diffrender.Hash) string { return repo.Abbrev(id, 0) }}
			if format == "-U0" {
				opts.Unified = -1
			}
			if format == "-w" {
				opts.Whitespace = 1
			}
			f := formats[format]
			if f == (diffrender.Formats{}) {
				f.Patch = true
			}
			var got bytes.Buffer
			require.NoError(t, diffrender.WriteMerge(t.Context(), &got, repo, diffrender.MergeRequest{
				Parents: parents, Result: reader.Tree(hash(t, tree)), Formats: f,
				Options: opts, Changes: reader.ChangeOptions{Renames: true},
			}))
			want := fixtures.Git(t, dir, append(append([]string{"show", "--format="}, wanted...), merge)...)
			require.Equal(t, string(want), got.String(), "merge %d, %s", i, format)
		}
	}
}

var mergeNames = []string{"f0", "f1", "d/f2", "d/e/f3", "e/f4"}

func mergeFiles(r *rand.Rand) map[string]string {
	files := map[string]string{}
	for _, name := range mergeNames {
		var b strings.Builder
		for range r.IntN(30) {
			fmt.Fprintf(&b, "%sline %d\n", []string{"", "\t", "  "}[r.IntN(3)], r.IntN(20))
		}
		files[name] = b.String()
	}
	return files
}

func changeFiles(r *rand.Rand, base map[string]string) map[string]string {
	files := map[string]string{}
	for _, name := range mergeNames {
		if r.IntN(4) == 0 {
			files[name] = base[name]
			continue
		}
		lines := strings.SplitAfter(base[name], "\n")
		for range r.IntN(5) {
			i := r.IntN(len(lines))
			lines[i] = []string{"", "new\n", lines[i] + "more\n", " " + lines[i], "no end"}[r.IntN(5)]
		}
		switch text := strings.Join(lines, ""); r.IntN(14) {
		case 0: // deleted
		case 1:
			files["renamed-"+name] = text
		case 3:
			files[name+"/below"] = text
		case 4:
			files["d/"+strings.ReplaceAll(name, "/", "-")] = text
		case 2:
			files[name] = text + "\x00"
		default:
			files[name] = text
		}
	}
	return files
}

func writeTree(t *testing.T, dir string, files map[string]string) string {
	fixtures.Git(t, dir, "read-tree", "--empty")
	fixtures.Git(t, dir, "clean", "-fdxq")
	fixtures.WriteAll(t, dir, files)
	fixtures.Git(t, dir, "add", "-A")
	return strings.TrimSpace(string(fixtures.Git(t, dir, "write-tree")))
}

func commitTree(t *testing.T, dir, tree string, args ...string) string {
	return strings.TrimSpace(string(fixtures.Git(t, dir, append([]string{"commit-tree", tree}, args...)...)))
}

func hash(t *testing.T, text string) (id diffrender.Hash) {
	var raw []byte
	_, err := fmt.Sscanf(text, "%x", &raw)
	require.NoError(t, err)
	copy(id[:], raw)
	return id
}
