package compat

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// untrackedRequests are what states with an untracked cache are asked.
var untrackedRequests = []request{
	{"operation": "status"},
	{"operation": "status", "untracked": "all"},
	{"operation": "status", "untracked": "no"},
	{"operation": "status", "ignored": true},
	{"operation": "status", "files": "."},
}

// cached is a work tree whose index has an untracked cache written by git.
type cached struct {
	dir string
	rng *rand.Rand
	t   *testing.T
	log []string
	// trusting says that core.trustctime is off, so that a directory whose
	// time is set back looks unchanged.
	trusting bool
}

func (c *cached) String() string { return strings.Join(c.log, "; ") }

func (c *cached) git(args ...string) {
	c.log = append(c.log, "git "+strings.Join(args, " "))
	fixtures.Command{Dir: c.dir}.Run(c.t, args...)
}

// refresh lets git write the cache anew, over directories old enough to be
// believed.
func (c *cached) refresh() {
	c.log = append(c.log, "age all")
	c.age(c.dir)
	c.git("status")
	c.git("status")
}

// age sets the time of all directories below path back, to the same second
// each time.
func (c *cached) age(path string) {
	old := time.Unix(fixtures.Clock, 0)
	_ = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			return filepath.SkipDir
		}
		if d.IsDir() {
			_ = os.Chtimes(path, old, old)
		}
		return nil
	})
}

var cachedFolders = []string{"", "a/", "a/b/", "a/b/c/", "n/", "n/m/", "n/m/o/", "s/", "t/"}

// path is a random path of a small tree.
func (c *cached) path() string {
	return cachedFolders[c.rng.IntN(len(cachedFolders))] + []string{"x", "y", "z.o", "w.tmp", "k", "d"}[c.rng.IntN(6)]
}

func (c *cached) write(path, text string) {
	c.log = append(c.log, fmt.Sprintf("write %s %q", path, text))
	full := filepath.Join(c.dir, path)
	_ = os.MkdirAll(filepath.Dir(full), 0o777)
	_ = os.WriteFile(full, []byte(text), 0o666)
}

func (c *cached) rules() string {
	return []string{"", "*.o\n", "*.tmp\n", "x\n", "*.o\n!z.o\n", "n/\n", "/a/b\n", "d/\n", "# nothing\n", "*\n!k\n", "m\n*.tmp"}[c.rng.IntN(11)]
}

// step changes something.
func (c *cached) step() {
	folder := cachedFolders[c.rng.IntN(len(cachedFolders))]
	switch n := c.rng.IntN(30); n {
	case 0, 1, 2, 3:
		c.write(c.path(), "text\n")
	case 4, 5, 6:
		path := c.path()
		c.log = append(c.log, "remove "+path)
		_ = os.RemoveAll(filepath.Join(c.dir, path))
	case 7:
		if folder != "" {
			c.log = append(c.log, "remove "+folder)
			_ = os.RemoveAll(filepath.Join(c.dir, folder))
		}
	case 8, 9:
		c.write(folder+".gitignore", c.rules())
	case 10:
		c.log = append(c.log, "remove "+folder+".gitignore")
		_ = os.Remove(filepath.Join(c.dir, folder, ".gitignore"))
	case 11:
		c.write(".git/info/exclude", c.rules())
	case 12:
		c.write(".git/user", c.rules())
	case 13:
		c.git("config", "core.excludesFile", ".git/"+[]string{"user", "none"}[c.rng.IntN(2)])
	case 14, 15:
		c.git("add", c.path())
	case 16:
		c.git("add", "-A", "--", folder+".gitignore")
	case 17:
		c.git("rm", "-rq", "--cached", c.path())
	case 18:
		c.git("add", "-A")
		c.git("commit", "-qm", "all")
	case 19:
		if path := folder + "d"; c.rng.IntN(2) == 0 {
			c.git("init", "-q", path)
			c.git("-C", path, "commit", "-q", "--allow-empty", "-m", "nested")
		} else {
			c.log = append(c.log, "remove "+path+"/.git")
			_ = os.RemoveAll(filepath.Join(c.dir, path, ".git"))
		}
	case 20:
		c.git("config", "status.showUntrackedFiles", []string{"all", "normal", "no"}[c.rng.IntN(3)])
	case 21:
		c.git("config", "core.untrackedCache", []string{"true", "false", "keep", "keep", "keep", "other"}[c.rng.IntN(6)])
	case 22:
		c.git("update-index", "--"+[]string{"", "", "", "no-"}[c.rng.IntN(4)]+"untracked-cache")
		c.refresh()
	case 23, 24, 25:
		c.refresh()
	case 26:
		c.log = append(c.log, "age "+folder)
		c.age(filepath.Join(c.dir, folder))
	case 27:
		c.git([][]string{{"stash", "-q"}, {"reset", "-q"}, {"checkout", "-q", "."}, {"clean", "-qfd"}}[c.rng.IntN(4)]...)
	case 28:
		c.write(".gitattributes", []string{"", "* text=auto\n", ".gitignore eol=crlf\n", "* ident\n"}[c.rng.IntN(4)])
	case 29:
		c.git("update-index", []string{"--skip-worktree", "--no-skip-worktree", "--assume-unchanged"}[c.rng.IntN(3)], folder+".gitignore")
	}
}

// newCached makes a work tree with files of all sorts and a cache of them.
func newCached(t *testing.T, seed uint64) *cached {
	c := &cached{dir: fixtures.Init(t), rng: rand.New(rand.NewPCG(seed, 7)), t: t}
	for range 8 {
		c.write(c.path(), "text\n")
	}
	c.write("a/b/k", "text\n")
	c.write(".gitignore", c.rules())
	c.git("add", "a", ".gitignore")
	c.git("commit", "-qm", "first")
	if c.trusting = seed%2 == 0; c.trusting {
		c.git("config", "core.trustctime", "false")
	}
	if seed%3 == 0 {
		c.git("config", "status.showUntrackedFiles", "all")
	}
	c.git("update-index", "--untracked-cache")
	c.refresh()
	return c
}

// TestUntrackedCache compares random states of a work tree whose index has an
// untracked cache: git believes it wherever the directories look unchanged, and
// so must we, even where it is wrong. INGIT_UNTRACKED is how many trees
// (default 6), of 20 states each.
func TestUntrackedCache(t *testing.T) {
	fixtures.RequireGit(t)
	first := fixtures.Seed(t)
	trees, err := strconv.ParseUint(settingOr("INGIT_UNTRACKED", "6"), 10, 32)
	require.NoError(t, err)
	for i := range trees {
		seed := first + i
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			c := newCached(t, seed)
			s := open(t, c.dir)
			for range 20 {
				for range 1 + c.rng.IntN(3) {
					c.step()
				}
				if !s.check(t, c, untrackedRequests...) {
					return
				}
			}
		})
	}
}

// status is the tool's answer.
func (s *session) status(t *testing.T) string {
	t.Helper()
	r := s.tool.Call(context.Background(), request{"operation": "status"}.json(s.dir))
	require.Empty(t, r.Error)
	return string(r.Output)
}

// TestUntrackedCacheBelieved shows that the cache is used at all: what cannot
// be seen without a look at the directories is not seen, as by git.
func TestUntrackedCacheBelieved(t *testing.T) {
	fixtures.RequireGit(t)
	c := newCached(t, 2)
	c.write("n/new", "hidden\n")
	c.write("a/new", "hidden\n")
	c.age(c.dir)
	s := open(t, c.dir)
	s.check(t, c, untrackedRequests...)
	require.NotContains(t, s.status(t), "a/new")
	c.git("config", "core.untrackedCache", "false")
	s.check(t, c, untrackedRequests...)
	require.Contains(t, s.status(t), "a/new")
}

// TestUntrackedCacheElsewhere compares a work tree that was moved: the cache
// is for the old place.
func TestUntrackedCacheElsewhere(t *testing.T) {
	fixtures.RequireGit(t)
	c := newCached(t, 4)
	c.write("a/new", "hidden\n")
	c.age(c.dir)
	moved := filepath.Join(filepath.Dir(c.dir), filepath.Base(c.dir)+"-moved")
	require.NoError(t, os.Rename(c.dir, moved))
	t.Cleanup(func() { _ = os.RemoveAll(moved) })
	s := open(t, moved)
	s.check(t, c, untrackedRequests...)
	require.Contains(t, s.status(t), "a/new")
}
