package linediff

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// mergeText is a random text of few different lines, so that merges meet.
func mergeText(r *rand.Rand, ends string) string {
	var out strings.Builder
	for range r.IntN(30) {
		out.WriteString([]string{"a", "b", "c", "", "{", "}", "  d", "e e", "f()"}[r.IntN(9)] + ends)
	}
	return out.String()
}

// edited changes some lines of a text, and sometimes its end.
func edited(r *rand.Rand, text, ends string) string {
	lines := strings.SplitAfter(text, "\n")
	for range r.IntN(4) {
		i := r.IntN(len(lines))
		switch r.IntN(3) {
		case 0:
			lines[i] = fmt.Sprintf("new%d%s", r.IntN(3), ends)
		case 1:
			lines[i] += fmt.Sprintf("more%d%s", r.IntN(3), ends)
		case 2:
			lines[i] = ""
		}
	}
	text = strings.Join(lines, "")
	if r.IntN(6) == 0 {
		text = strings.TrimSuffix(text, ends)
	}
	return text
}

func TestMerge3LikeGitMergeFile(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for i := range 300 {
		ends := []string{"\n", "\n", "\r\n"}[r.IntN(3)]
		base := mergeText(r, ends)
		ours, theirs := edited(r, base, ends), edited(r, base, []string{ends, "\n"}[r.IntN(2)])
		write("base", base)
		write("ours", ours)
		write("theirs", theirs)
		opts := MergeOptions{Ours: "O", Theirs: "T", Base: "B", JoinAcrossPunctuation: true}
		args := []string{"merge-file", "-p", "-L", "O", "-L", "B", "-L", "T"}
		switch r.IntN(6) {
		case 0:
			opts.Style, args = MergeDiff3, append(args, "--diff3")
		case 1:
			opts.Style, args = MergeZDiff3, append(args, "--zdiff3")
		case 2:
			opts.Favor, args = FavorUnion, append(args, "--union")
		case 3:
			opts.MarkerSize, args = 9, append(args, "--marker-size=9")
		}
		answer := fixtures.Ask(t, dir, append(args, "ours", "base", "theirs")...)
		merged, conflicts := Merge3([]byte(base), []byte(ours), []byte(theirs), opts)
		where := fmt.Sprintf("seed %d, round %d, %v: base %q, ours %q, theirs %q", seed, i, args, base, ours, theirs)
		require.Equal(t, string(answer.Out), string(merged), where)
		require.Equal(t, answer.Code, conflicts, where)
	}
}

func FuzzMerge3(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n", "a\nd\n")
	f.Add("", "x", "y\r\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		for _, style := range []MergeStyle{MergePlain, MergeDiff3, MergeZDiff3} {
			merged, conflicts := Merge3([]byte(base), []byte(ours), []byte(theirs), MergeOptions{Style: style, Algorithm: Histogram})
			if theirs == base && (conflicts != 0 || string(merged) != ours) {
				t.Fatalf("theirs changed nothing, yet %q became %q", ours, merged)
			}
			if ours == base && (conflicts != 0 || string(merged) != theirs) {
				t.Fatalf("ours changed nothing, yet %q became %q", theirs, merged)
			}
		}
	})
}
