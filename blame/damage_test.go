package blame_test

import (
	"context"
	"io/fs"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/blame"
	"github.com/ingit-dev/ingit/sandbox"
)

// remove takes an object away.
const remove = `lose() { id=$(git rev-parse "$1"); rm -f .git/objects/${id%${id#??}}/${id#??}; }
`

func TestMissingParent(t *testing.T) {
	t.Parallel()
	dir := script(t, remove+`seq 9 >f; ci one; echo x >>f; ci two; echo y >>f; ci three; git checkout -q -b s HEAD~1; sed -i 2d f; ci s; git checkout -q main; merge s; lose HEAD~2`)
	both(t, dir, question{rev: "HEAD", path: "f"})
}

func TestShallow(t *testing.T) {
	t.Parallel()
	dir := script(t, `seq 9 >f; ci one; echo x >>f; ci two; echo y >>f; ci three; git clone -q --depth 2 file://$PWD clone; cp -r .git/clock clone/.git/; rm -rf .git f; mv clone/.git clone/f .`)
	everywhere(t, dir, "HEAD")
	both(t, dir, question{rev: "HEAD", path: "f"})
}

func TestMissingContent(t *testing.T) {
	t.Parallel()
	dir := script(t, remove+`seq 9 >f; ci one; echo x >>f; ci two; lose HEAD~1:f`)
	r := open(t, dir)
	id, err := r.Resolve(context.Background(), sandbox.Rev("HEAD"))
	require.NoError(t, err)
	_, err = blame.File(context.Background(), r, id, "f", blame.Options{})
	require.ErrorIs(t, err, fs.ErrNotExist)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = blame.File(ctx, r, id, "f", blame.Options{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = blame.File(context.Background(), r, plumbing.NewHash("1111111111111111111111111111111111111111"), "f", blame.Options{})
	require.ErrorIs(t, err, fs.ErrNotExist)
}
