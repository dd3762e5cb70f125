package compat

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// TestScripts compares the states that the scripts in testdata build. A script
// may hold a section ".requests" with a JSON request per line, asked after the
// common ones; a request's cwd is relative to the script's folder, and a
// request without operation stands for the common ones.
//
// To write a script: leave its section ".refs" out, run
// go test ./internal/compat -run Scripts/NAME -compat.update, and look at what
// was added.
func TestScripts(t *testing.T) {
	fixtures.RequireGit(t)
	paths, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			script := string(data)
			if *update {
				script = updateRefs(t, path, script)
			}
			dir := fixtures.Build(t, script)
			open(t, dir).check(t, stateName(path), scriptRequests(t, script)...)
		})
	}
}

// scriptRequests returns what a script's state is asked.
func scriptRequests(t *testing.T, script string) []request {
	t.Helper()
	lines, _ := fixtures.Section(script, fixtures.RequestsSection)
	requests := append([]request{}, everyState...)
	for line := range strings.Lines(lines) {
		var q request
		require.NoError(t, json.Unmarshal([]byte(line), &q), line)
		if q.text("operation") != "" {
			requests = append(requests, q)
			continue
		}
		for _, common := range everyState {
			both := maps.Clone(common)
			maps.Copy(both, q)
			requests = append(requests, both)
		}
	}
	return requests
}

// updateRefs plays the script and writes the refs that come out at its end.
func updateRefs(t *testing.T, path, script string) string {
	t.Helper()
	marker := "-- " + fixtures.RefsSection + " --\n"
	body, _, _ := strings.Cut(script, marker)
	if refs := fixtures.Refs(t, fixtures.Build(t, body)); refs != "" {
		body += marker + refs + "\n"
	}
	require.NoError(t, os.WriteFile(path, []byte(body), 0o666))
	return body
}
