package diffrender_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/reader"
)

// TestApply has git apply patches of random pairs to the old texts. Function context is left out: git itself does not apply
// some of its own patches made with it, whose bytes ours have.
func TestApply(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, algorithm := range []linediff.Algorithm{linediff.Myers, linediff.Minimal, linediff.Patience, linediff.Histogram} {
		dir := t.TempDir()
		want := map[string]string{}
		var patch bytes.Buffer
		for i := range 150 {
			name := fmt.Sprintf("dir/f %d", i)
			d := randomDiff(r, name)
			if d.Old.Present() {
				fixtures.Write(t, dir, name, string(d.OldData))
			}
			if d.New.Present() {
				want[name] = string(d.NewData)
			}
			opts := diffrender.Options{Unified: 1 + r.IntN(4), Algorithm: algorithm, SuppressBlankEmpty: r.IntN(2) == 0}
			require.NoError(t, diffrender.Unified(&patch, d, opts))
		}
		fixtures.Write(t, dir, "patch", patch.String())
		fixtures.Git(t, dir, "apply", "--whitespace=nowarn", "patch")
		for name, text := range want {
			got, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
			require.Equal(t, text, string(got), name)
		}
	}
}

// randomDiff makes a change of a text, or its creation or deletion.
func randomDiff(r *rand.Rand, name string) diffrender.FileDiff {
	old := reader.Entry{Path: name, Mode: 0o100644, ID: diffrender.Hash{1}, IDKnown: true}
	new := reader.Entry{Path: name, Mode: 0o100644, ID: diffrender.Hash{2}, IDKnown: true}
	d := diffrender.FileDiff{Change: reader.Change{Kind: reader.Modified, Old: old, New: new}}
	var lines []string
	for range r.IntN(60) {
		lines = append(lines, []string{"\n", "}\n", "{\n", "func a() {\n", "\tx\n", " y \r\n", "z", "a\rb\n", "\\ No newline\n", "--- a\n", "@@ -1 +1 @@\n"}[r.IntN(11)])
	}
	text := strings.Join(lines, "")
	d.OldData = []byte(text)
	for range 1 + r.IntN(8) {
		at := r.IntN(len(text) + 1)
		text = text[:at] + []string{"", "\n", "new\n", "}\n"}[r.IntN(4)] + text[min(len(text), at+r.IntN(9)):]
	}
	d.NewData = []byte(text)
	switch r.IntN(8) {
	case 0:
		d.Kind, d.Old.Mode, d.Old.ID, d.OldData = reader.Added, 0, diffrender.Hash{}, nil
	case 1:
		d.Kind, d.New.Mode, d.New.ID, d.NewData = reader.Deleted, 0, diffrender.Hash{}, nil
	}
	return d
}
