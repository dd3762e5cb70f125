package reader_test

import (
	"bytes"
	"context"
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/statustext"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

var (
	statusStates = flag.Int("status.states", 75, "how many random states to compare")
	statusSeed   = flag.Uint64("status.seed", 1, "the first seed of random states")
)

// openAt opens the repository that contains dir, with top as the workspace.
func openAt(t testing.TB, top, dir string) *reader.Repository {
	t.Helper()
	ws, err := sandbox.Open(top, sandbox.Policy{})
	require.NoError(t, err)
	folder, err := ws.Resolve(filepath.Join(top, dir))
	require.NoError(t, err)
	repo, err := reader.Open(context.Background(), folder, reader.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = repo.Close() })
	return repo
}

// porcelain is the status of the repository as text, or its error's.
func porcelain(t testing.TB, repo *reader.Repository, opts reader.StatusOptions) string {
	t.Helper()
	status, err := repo.Status(context.Background(), opts)
	if err != nil {
		return "error: " + err.Error()
	}
	text, err := statustext.OptionsFor(repo)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, statustext.Porcelain2(&out, status, text))
	return out.String()
}

// sameStatus compares the status in dir below top with git's, with the
// arguments that say the same as opts.
func sameStatus(t testing.TB, top, dir string, opts reader.StatusOptions, args ...string) bool {
	t.Helper()
	got := porcelain(t, openAt(t, top, dir), opts)
	args = append([]string{"status", "--porcelain=2", "--branch"}, args...)
	want := string(fixtures.Ask(t, filepath.Join(top, dir), args...).Out)
	return assert.Equal(t, strings.Split(want, "\n"), strings.Split(got, "\n"), "git %s in %q", strings.Join(args, " "), dir)
}

// knobs lets a part of the seeds mix in what only some repositories have.
func knobs(seed uint64) fixtures.Knobs {
	return fixtures.Knobs{Attributes: seed%3 == 0, Sparse: seed%4 == 1, Submodules: seed%4 == 2}
}

// TestStatusRandomStates compares random states; the seed of a failing one is
// its name.
func TestStatusRandomStates(t *testing.T) {
	fixtures.RequireGit(t)
	const steps = 25
	for i := range uint64((*statusStates + steps - 1) / steps) {
		seed := *statusSeed + i
		r := fixtures.NewRandom(t, seed, knobs(seed))
		for step := range steps {
			r.Step()
			if !sameStatus(t, r.Dir, "", reader.StatusOptions{}) || !sameDirt(t, r.Dir) {
				t.Fatalf("seed %d, step %d, in %s", seed, step, r.Dir)
			}
		}
	}
}

// sameDirt compares Dirty with whether Status finds something.
func sameDirt(t testing.TB, dir string) bool {
	t.Helper()
	repo := openAt(t, dir, "")
	for _, mode := range []reader.UntrackedMode{reader.UntrackedNo, reader.UntrackedNormal} {
		status, err := repo.Status(context.Background(), reader.StatusOptions{Untracked: mode})
		require.NoError(t, err)
		dirty, err := repo.Dirty(context.Background(), reader.StatusOptions{Untracked: mode})
		require.NoError(t, err)
		if !assert.Equal(t, len(status.Entries)+len(status.Untracked) > 0, dirty, "untracked %s", mode) {
			return false
		}
	}
	return true
}

// TestFilterDrivers: a program that a path would have to pass through is never
// run; stat data answers where it can.
func TestFilterDrivers(t *testing.T) {
	fixtures.RequireGit(t)
	top := fixtures.Build(t, `
git init -q; printf '*.txt filter=soft\n' > .gitattributes; echo a > a.txt; echo b > b.txt; echo c > c.txt; git add .; git commit -qm base
touch -d '2020-01-01' a.txt b.txt c.txt .gitattributes; git add .; sleep 1.1; git update-index --refresh -q; echo longer > b.txt
git config filter.soft.clean 'touch ran; cat'`)
	want := "1 .M N... 100644 100644 100644 61780798228d17af2d34fce4cfbdf35556832472 61780798228d17af2d34fce4cfbdf35556832472 b.txt\n"
	assert.Contains(t, porcelain(t, openAt(t, top, ""), reader.StatusOptions{}), want)
	fixtures.Build(t, "touch -d '2021-01-01' "+filepath.Join(top, "c.txt"))
	_, err := openAt(t, top, "").Status(context.Background(), reader.StatusOptions{})
	var filter *reader.FilterError
	require.ErrorAs(t, err, &filter)
	assert.Equal(t, reader.FilterError{Driver: "soft", Path: "c.txt"}, *filter)
	assert.NoFileExists(t, filepath.Join(top, "ran"))
}
