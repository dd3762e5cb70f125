package diffrender_test

import (
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// BenchmarkRevisions compares two revisions of the repository that
// DIFFRENDER_REPO names, as in "/src/git v2.30.0 v2.55.0".
func BenchmarkRevisions(b *testing.B) {
	dir := os.Getenv("DIFFRENDER_REPO")
	if dir == "" {
		b.Skip("DIFFRENDER_REPO names no repository")
	}
	ws, err := sandbox.Open(dir, sandbox.Policy{Allowed: []string{os.Getenv("DIFFRENDER_ALLOW")}})
	require.NoError(b, err)
	at, err := ws.Resolve("")
	require.NoError(b, err)
	r, err := reader.Open(b.Context(), at, reader.Options{})
	require.NoError(b, err)
	defer r.Close()
	side := func(rev string) reader.Side {
		id, err := r.Resolve(b.Context(), sandbox.Rev(rev+"^{tree}"))
		require.NoError(b, err)
		return reader.Tree(id)
	}
	old, new := side(os.Getenv("DIFFRENDER_OLD")), side(os.Getenv("DIFFRENDER_NEW"))
	opts, err := diffrender.OptionsFromConfig(r, diffrender.Trees)
	require.NoError(b, err)
	for name, f := range map[string]diffrender.Formats{"patch": {Patch: true}, "stat": {Stat: true}, "names": {NameStatus: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, diffrender.Write(b.Context(), io.Discard, r, diffrender.Request{
					Old: old, New: new, Changes: reader.ChangeOptions{Renames: true}, Formats: f, Options: opts,
				}))
			}
		})
	}
}
