package compat

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// TestPathsOfHistory compares, on the repository of -compat.history, the logs of
// 300 files and 30 folders, those of lines and functions in 30 each, those that
// follow 100 files, and the blame of 300, all chosen by the seed.
func TestPathsOfHistory(t *testing.T) {
	if *history == "" {
		t.Skip("-compat.history names no repository")
	}
	workspace := *within
	if workspace == "" {
		workspace = *history
	}
	h := newHistorian(t, workspace, *history, "")
	seed := fixtures.Seed(t)
	files, folders := h.paths(t)
	sources := slices.DeleteFunc(slices.Clone(files), func(path string) bool { return h.function(t, path) == "" })
	chosen := func(from []string, n int) []string {
		from = slices.Clone(from)
		r := rand.New(rand.NewPCG(seed, 0))
		r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		return from[:min(n, len(from))]
	}
	for _, test := range []struct {
		name  string
		paths []string
		ask   func(path string) ([]string, request)
	}{
		{"log of a folder", chosen(folders, 30), h.pathLog},
		{"log of a file", chosen(files, 300), h.pathLog},
		{"log that follows a file", chosen(files, 100), func(path string) ([]string, request) {
			args, params := h.pathLog(path)
			params["follow"] = true
			return slices.Insert(args, 1, "--follow"), params
		}},
		{"blame", chosen(files, 300), func(path string) ([]string, request) {
			return []string{"blame", "--porcelain", "HEAD", "--", path}, request{"operation": "blame", "path": path, "rev": "HEAD"}
		}},
		{"log of lines", chosen(files, 30), func(path string) ([]string, request) {
			return h.linesLog("1,20:" + path)
		}},
		{"log of a function", chosen(sources, 30), func(path string) ([]string, request) {
			return h.linesLog(":" + h.function(t, path) + ":" + path)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			differing := 0
			for _, path := range test.paths {
				args, params := test.ask(path)
				want := fixtures.Command{Dir: h.dir, Env: h.env}.Run(t, args...)
				got := h.tool.Call(context.Background(), params.json(h.dir))
				require.Equal(t, want.Code == 0, got.Success, "%v: %s", params, got.Error)
				if !bytes.Equal(want.Out, got.Output) {
					differing++
					t.Errorf("git %q: %s", args, differ(want.Out, got.Output))
				}
			}
			t.Logf("seed %d: %d compared, %d differ", seed, len(test.paths), differing)
		})
	}
}

// pathLog asks for the log of a path.
func (h *historian) pathLog(path string) ([]string, request) {
	return []string{"log", "-1000", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso", "--", path},
		request{"operation": "log", "limit": 1000, "path": path}
}

// linesLog asks for the log of a range of lines.
func (h *historian) linesLog(lines string) ([]string, request) {
	args, params := h.pathLog("")
	params["line_range"] = lines
	delete(params, "path")
	return append(args[:len(args)-2], "-L"+lines), params
}

// function returns the name of some function in a file of C, "" where there is
// none.
func (h *historian) function(t testing.TB, file string) string {
	if path.Ext(file) != ".c" {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(h.dir, file))
	require.NoError(t, err)
	all := definitions.FindAllSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return string(all[len(all)/2][1])
}

// definitions are the heads of functions, a line each.
var definitions = regexp.MustCompile(`(?m)^[a-z][a-z_ *]*\b([a-z_]{4,})\([^;]*$`)

// paths lists the text files of HEAD, and the folders.
func (h *historian) paths(t testing.TB) (files, folders []string) {
	t.Helper()
	known := map[string]bool{}
	for entry := range strings.SplitSeq(string(fixtures.Git(t, h.dir, "ls-tree", "-rz", "--full-tree", "HEAD")), "\x00") {
		about, name, ok := strings.Cut(entry, "\t")
		if !ok || !strings.HasPrefix(about, "100") {
			continue
		}
		files = append(files, name)
		for dir := path.Dir(name); dir != "." && !known[dir]; dir = path.Dir(dir) {
			known[dir] = true
			folders = append(folders, dir)
		}
	}
	return files, folders
}
