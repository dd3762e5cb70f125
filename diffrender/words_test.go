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

// TestWordDiff edits words of all languages' samples, in a file of each.
func TestWordDiff(t *testing.T) {
	dir := fixtures.Init(t)
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 1))
	lines := sampleLines(t)
	files := map[string]string{}
	var rules strings.Builder
	for _, language := range languages {
		fmt.Fprintf(&rules, "*.%s diff=%s\n", language, language)
		for i := range 4 {
			files[fmt.Sprintf("f%d.%s", i, language)] = pick(r, lines)
		}
	}
	files[".gitattributes"] = rules.String()
	fixtures.WriteAll(t, dir, files)
	fixtures.Git(t, dir, "add", ".")
	for name, text := range files {
		if name != ".gitattributes" {
			fixtures.Write(t, dir, name, editWords(r, text))
		}
	}
	repo := open(t, dir)
	for mode, format := range map[string]diffrender.WordDiff{"plain": diffrender.PlainWords, "porcelain": diffrender.PorcelainWords} {
		opts, err := diffrender.OptionsFromConfig(repo, diffrender.IndexToWorkTree)
		require.NoError(t, err)
		opts.WordDiff = format
		var got bytes.Buffer
		require.NoError(t, diffrender.Write(t.Context(), &got, repo, diffrender.Request{
			Old: reader.IndexSide, New: reader.WorkTreeSide, Formats: diffrender.Formats{Patch: true}, Options: opts,
		}))
		want := strings.Split(string(fixtures.Git(t, dir, "diff", "--word-diff="+mode)), "\ndiff ")
		for i, file := range strings.Split(got.String(), "\ndiff ") {
			name, _, _ := strings.Cut(want[i], "\n")
			for k, line := range strings.Split(file, "\n") {
				if wanted := strings.Split(want[i], "\n"); k >= len(wanted) || wanted[k] != line {
					t.Errorf("%s, %s:\n git  %s\n ours %s", mode, name, wanted[min(k, len(wanted)-1)], line)
					break
				}
			}
		}
	}
}

func pick(r *rand.Rand, lines []string) string {
	var b strings.Builder
	for range 40 {
		b.WriteString(lines[r.IntN(len(lines))] + "\n")
	}
	return b.String()
}

// editWords changes characters and lines here and there.
func editWords(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 25 {
		i := r.IntN(len(lines))
		line := strings.TrimSuffix(lines[i], "\n")
		at := r.IntN(len(line) + 1)
		insert := []string{" ", "x", "1", "(", ".", "-", "==", "é", "0x1f", "\n", "->", "'", `\`, "_", "!", "::", "{}", "a b c", "%"}[r.IntN(19)]
		cut := min(len(line), at+r.IntN(3))
		lines[i] = line[:at] + insert + line[cut:] + "\n"
		if r.IntN(10) == 0 {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "")
}
