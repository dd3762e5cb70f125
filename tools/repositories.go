package tools

import (
	"context"
	"errors"
	"sync"

	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// keepOpen is how many repositories stay open between calls.
const keepOpen = 16

// repositories keeps the repositories that calls have opened, by the folder
// that they were opened from. Those least recently used are closed.
type repositories struct {
	opts reader.Options

	mu    sync.Mutex
	byDir map[string]*held
	turn  int64 // rises with each call, to tell which use was last
}

// held is an open repository with the calls that use it.
type held struct {
	owner *repositories
	repo  *reader.Repository
	users int
	last  int64 // the turn of its last use
	gone  bool  // out of the map: its last user closes it
}

func newRepositories(opts reader.Options) *repositories {
	return &repositories{opts: opts, byDir: make(map[string]*held)}
}

// open returns the repository that dir lies in, kept from an earlier call and
// brought up to date, or opened now. The caller must release it.
func (rs *repositories) open(ctx context.Context, dir *sandbox.Dir) (*held, error) {
	if h := rs.kept(dir.Path()); h != nil {
		if h.repo.Revalidate() == nil {
			return h, nil
		}
		rs.forget(dir.Path(), h)
		h.release()
	}
	repo, err := reader.Open(ctx, dir, rs.opts)
	if err != nil {
		return nil, err
	}
	return rs.keep(dir.Path(), repo), nil
}

func (rs *repositories) kept(path string) *held {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	h := rs.byDir[path]
	if h != nil {
		rs.use(h)
	}
	return h
}

func (rs *repositories) use(h *held) {
	rs.turn++
	h.users++
	h.last = rs.turn
}

// keep stores a repository that was just opened. When another call has opened
// the same one meanwhile, the newer takes its place.
func (rs *repositories) keep(path string, repo *reader.Repository) *held {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if old := rs.byDir[path]; old != nil {
		rs.drop(path, old)
	}
	h := &held{owner: rs, repo: repo}
	rs.byDir[path] = h
	rs.use(h)
	for len(rs.byDir) > keepOpen {
		rs.dropOldest()
	}
	return h
}

func (rs *repositories) dropOldest() {
	var path string
	var oldest *held
	for p, h := range rs.byDir {
		if oldest == nil || h.last < oldest.last {
			path, oldest = p, h
		}
	}
	rs.drop(path, oldest)
}

// drop takes h out of the map and closes it, now or after its last use.
func (rs *repositories) drop(path string, h *held) error {
	delete(rs.byDir, path)
	h.gone = true
	if h.users > 0 {
		return nil
	}
	return h.repo.Close()
}

func (rs *repositories) forget(path string, h *held) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.byDir[path] == h {
		rs.drop(path, h)
	}
}

// release ends one use.
func (h *held) release() {
	h.owner.mu.Lock()
	defer h.owner.mu.Unlock()
	if h.users--; h.users == 0 && h.gone {
		h.repo.Close()
	}
}

func (rs *repositories) close() error {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var errs []error
	for path, h := range rs.byDir {
		errs = append(errs, rs.drop(path, h))
	}
	return errors.Join(errs...)
}
