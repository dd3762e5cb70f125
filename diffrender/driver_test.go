package diffrender_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

var languages = strings.Fields("ada bash bibtex cpp csharp css default dts elixir fortran fountain golang html java kotlin markdown matlab objc pascal perl php python ruby rust scheme tex")

// sampleLines returns lines of many languages, each language's for all.
// DIFFRENDER_SAMPLES names a directory with more.
func sampleLines(t *testing.T) []string {
	files, err := filepath.Glob("testdata/functions/*")
	require.NoError(t, err)
	if dir := os.Getenv("DIFFRENDER_SAMPLES"); dir != "" {
		more, err := filepath.Glob(dir + "/*")
		require.NoError(t, err)
		files = append(files, more...)
	}
	var lines []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		lines = append(lines, strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")...)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// TestFunctionLines has a change after every sample line, in a file of each
// language, so that git's hunk headers say which lines begin a function there.
func TestFunctionLines(t *testing.T) {
	dir := fixtures.Init(t)
	lines := sampleLines(t)
	var rules strings.Builder
	files := map[string]string{}
	for _, language := range languages {
		fmt.Fprintf(&rules, "*.%s diff=%s\n", language, language)
		var b strings.Builder
		for _, line := range lines {
			b.WriteString(line + "\n\n\t\t;=\n\n")
		}
		files["f."+language] = b.String()
	}
	files[".gitattributes"] = rules.String()
	fixtures.WriteAll(t, dir, files)
	fixtures.Git(t, dir, "add", ".")
	for name, text := range files {
		fixtures.Write(t, dir, name, strings.ReplaceAll(text, "\n\t\t;=\n", "\n\t\t;;=\n"))
	}
	fixtures.Write(t, dir, ".gitattributes", files[".gitattributes"])

	r := open(t, dir)
	opts, err := diffrender.OptionsFromConfig(r, diffrender.IndexToWorkTree)
	require.NoError(t, err)
	opts.Unified = -1
	var got bytes.Buffer
	require.NoError(t, diffrender.Write(t.Context(), &got, r, diffrender.Request{
		Old: reader.IndexSide, New: reader.WorkTreeSide, Formats: diffrender.Formats{Patch: true}, Options: opts,
	}))
	want := strings.Split(string(fixtures.Git(t, dir, "diff", "-U0")), "\n")
	file, reported := "", ""
	for i, line := range strings.Split(got.String(), "\n") {
		if strings.HasPrefix(line, "diff ") {
			file, reported = line[strings.LastIndex(line, " "):], ""
		}
		_, ours, _ := strings.Cut(line, " @@")
		_, gits, _ := strings.Cut(want[i], " @@")
		if key := ours + "\n" + gits; line != want[i] && key != reported {
			reported = key
			var at int
			fmt.Sscanf(line, "@@ -%d", &at)
			t.Errorf("%s, after %q: git%s, ours%s", file, lines[(at-1)/4], gits, ours)
		}
	}
}
