package writer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// TestReplacesOnlyWhatWasSeen writes to a file in the instant before it is replaced, where the host's exchange of names lets
// that be noticed.
func TestReplacesOnlyWhatWasSeen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs an exchange of names")
	}
	dir := fixtures.Build(t, workTree+"git checkout -q -b side; echo side >f; git commit -qam side; git checkout -q main")
	path := filepath.Join(dir, "f")
	c := crashing{plan: func(ctx context.Context, w *Writer) (*Plan, error) { return w.PlanCheckout(ctx, "side") }}
	edit := func(call sandbox.Call) error {
		if call.Op == sandbox.OpRename && call.New == path {
			if text, err := os.ReadFile(path); err == nil && !strings.Contains(string(text), "edited") {
				return os.WriteFile(path, []byte("edited meanwhile\n"), 0o666)
			}
		}
		return nil
	}
	var changed *ChangedError
	require.ErrorAs(t, c.run(dir, edit), &changed)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "edited meanwhile\n", string(text))
}

// TestWithoutLinks checks out on a host that cannot name a file afterwards.
func TestWithoutLinks(t *testing.T) {
	for _, c := range crashes {
		origin, want := c.prepare(t)
		err := c.run(origin, func(call sandbox.Call) error {
			if call.Op == sandbox.OpLink {
				return errors.ErrUnsupported
			}
			return nil
		})
		if !errors.Is(err, ErrStashConflict) {
			require.NoError(t, err, c.name)
		}
		require.Empty(t, differences(want.outcome, outcome(t, origin)), c.name)
	}
}
