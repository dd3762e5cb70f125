package writer

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// What is written below the git directory gets git's permissions, and what is written to the work tree the usual ones.
func TestSharedRepositoryLikeGit(t *testing.T) {
	for _, value := range []string{"umask", "group", "true", "all", "2", "0640", "0660", "0666", "0600"} {
		t.Run(value, func(t *testing.T) {
			t.Parallel()
			tw := newTwins(t, workTree+"git config core.sharedRepository "+value+"; git branch side; echo more >>f; git stash -q; echo n >n; chmod +x f")
			for _, args := range [][]string{{"add", "."}, {"commit", "-m", "m"}, {"branch", "new/b", "side"}, {"checkout", "side"}, {"stash", "pop"}, {"stash", "push"}} {
				fixtures.Git(t, tw.git, args...)
			}
			ctx := context.Background()
			for _, plan := range []func(w *Writer) (*Plan, error){
				func(w *Writer) (*Plan, error) { return w.PlanAdd(ctx, []string{"."}) },
				func(w *Writer) (*Plan, error) { return w.PlanCommit(ctx, CommitOptions{Message: "m"}) },
				func(w *Writer) (*Plan, error) { return w.PlanCreateBranch(ctx, "new/b", "side") },
				func(w *Writer) (*Plan, error) { return w.PlanCheckout(ctx, "side") },
				func(w *Writer) (*Plan, error) { return w.PlanStashPop(ctx) },
				func(w *Writer) (*Plan, error) { return w.PlanStashPush(ctx) },
			} {
				p, err := plan(open(t, tw.ours, "", sandbox.Policy{}))
				require.NoError(t, apply(p, err))
			}
			require.Empty(t, differences(modes(t, tw.git), modes(t, tw.ours)))
			tw.same(t)
		})
	}
}

// modes lists the permissions of all that is in the git directory.
func modes(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	root := filepath.Join(dir, ".git")
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		fmt.Fprintf(&out, "%s %v\n", strings.TrimPrefix(path, root), info.Mode())
		return err
	}))
	return out.String()
}
