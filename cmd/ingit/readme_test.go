package main

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// blocks returns the README's code blocks of a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	var out []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(data), -1) {
		out = append(out, m[1])
	}
	require.NotEmpty(t, out)
	return out
}

// TestReadmeGoIsTested holds the README's Go to the examples, which run.
func TestReadmeGoIsTested(t *testing.T) {
	var examples strings.Builder
	for _, name := range []string{"tools", "reader", "blame"} {
		data, err := os.ReadFile(filepath.Join("..", "..", name, "example_test.go"))
		require.NoError(t, err)
		examples.Write(data)
	}
	for _, block := range blocks(t, "go") {
		assert.Contains(t, examples.String(), block)
	}
}

// TestReadmeCommandsAreTested holds the README's commands to the script that
// plays them.
func TestReadmeCommandsAreTested(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "script", "readme.txtar"))
	require.NoError(t, err)
	for _, block := range blocks(t, "sh") {
		for lines := bufio.NewScanner(strings.NewReader(block)); lines.Scan(); {
			line := lines.Text()
			if strings.HasPrefix(line, "GOOS=") {
				continue // TestWASI builds the module
			}
			assert.Contains(t, string(data), "\n# $ "+line+"\n", "readme.txtar plays the README")
		}
	}
}
