package odb

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/mapped"
	"github.com/ingit-dev/ingit/sandbox"
)

// store is one objects directory.
type store struct {
	dir  *sandbox.Dir
	opts *Options

	packDir *sandbox.Dir   // nil while there is none
	oldDirs []*sandbox.Dir // replaced ones, of which packs may still be open

	looseMu sync.Mutex
	loose   [256][]plumbing.Hash // listings by first byte, for abbreviations
	listed  [256]bool
}

// packSet is what the packs of all stores are at one moment.
type packSet struct {
	stores []*store
	midxs  []*midx
	packs  []*pack // the own store's first, in each store the newest first
	// refused says which store was named and not opened, and why.
	refused error
	stamps  []stamp
}

// stamp tells whether a pack directory changed since it was listed.
type stamp struct {
	mtime, ctime sandbox.Time
	when         time.Time
	exists       bool
}

// scan lists the packs of a store. Packs that are already known stay the same
// value, with what was opened and cached of them.
func (s *store) scan(set *packSet, known map[packKey]*pack) error {
	set.stamps = append(set.stamps, s.stamp())
	if err := s.openPackDir(); err != nil || s.packDir == nil {
		return err
	}
	entries, err := s.packDir.ReadDir()
	if err != nil {
		return err
	}
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[e.Name] = true
	}
	var packs []*pack
	for _, e := range entries {
		name, isIndex := strings.CutSuffix(e.Name, ".idx")
		if !isIndex || !names[name+".pack"] {
			continue
		}
		if p := s.pack(name, known); p != nil {
			packs = append(packs, p)
		}
	}
	slices.Reverse(packs) // git puts each before those that it knows, and sorts then
	slices.SortStableFunc(packs, func(x, y *pack) int { return cmp.Compare(y.stat.MTime.Sec, x.stat.MTime.Sec) })
	if names["multi-pack-index"] {
		if m := s.openMidx(packs); m != nil {
			set.midxs = append(set.midxs, m)
		}
	}
	set.packs = append(set.packs, packs...)
	return nil
}

// openPackDir opens objects/pack, or keeps the handle when it is still the
// same directory.
func (s *store) openPackDir() error {
	dir, err := s.dir.OpenDirFollow("pack")
	if errors.Is(err, fs.ErrNotExist) {
		dir, err = nil, nil
	}
	if err != nil {
		return err
	}
	if dir != nil && s.packDir != nil && sameDir(dir, s.packDir) {
		return dir.Close()
	}
	if s.packDir != nil {
		s.oldDirs = append(s.oldDirs, s.packDir)
	}
	s.packDir = dir
	return nil
}

func sameDir(x, y *sandbox.Dir) bool {
	sx, errX := x.Stat()
	sy, errY := y.Stat()
	return errX == nil && errY == nil && sx.Ino == sy.Ino && sx.Dev == sy.Dev
}

// close closes every handle but that of the store itself.
func (s *store) close() {
	if s.packDir != nil {
		s.packDir.Close()
	}
	for _, dir := range s.oldDirs {
		dir.Close()
	}
	s.packDir, s.oldDirs = nil, nil
}

// packKey tells packs apart across listings.
type packKey struct {
	store *store
	name  string
}

// pack returns the pack called name: the known one when its file is still the
// same, nil when the file is gone.
func (s *store) pack(name string, known map[packKey]*pack) *pack {
	st, err := s.packDir.Lstat(name + ".pack")
	if err != nil {
		return nil
	}
	if old := known[packKey{s, name}]; old != nil && old.usable() &&
		old.stat.Size == st.Size && old.stat.MTime == st.MTime && old.stat.Ino == st.Ino {
		old.covered.Store(nil)
		return old
	}
	return &pack{store: s, dir: s.packDir, name: name, stat: st, noMap: s.opts.NoMap}
}

// openMidx reads the multi-pack-index and ties it to the packs that it covers.
func (s *store) openMidx(packs []*pack) *midx {
	src, err := mapped.Open(s.packDir, "multi-pack-index", s.opts.NoMap)
	if err != nil {
		return nil
	}
	defer src.Close()
	var m *midx
	if err := sandbox.GuardFault(func() (err error) { m, err = parseMidx(src); return err }); err != nil {
		return nil
	}
	byName := make(map[string]*pack, len(packs))
	for _, p := range packs {
		byName[p.name] = p
	}
	m.packs = make([]*pack, len(m.names))
	for i, name := range m.names {
		if p := byName[name]; p != nil {
			m.packs[i] = p
			p.covered.Store(m)
		}
	}
	return m
}

func (s *store) stamp() stamp {
	st, err := s.dir.Lstat("pack")
	return stamp{st.MTime, st.CTime, time.Now(), err == nil}
}

// settled is how old a change must be before an equal time stamp proves that
// there was no other one since.
const settled = 2 * time.Second

// changed reports whether the pack directory may have changed since old was
// taken.
func (s *store) changed(old stamp) bool {
	now := s.stamp()
	if now.exists != old.exists || now.mtime != old.mtime || now.ctime != old.ctime {
		return true
	}
	return now.exists && old.when.Sub(time.Unix(old.mtime.Sec, int64(old.mtime.Nsec))) < settled
}

// looseIDs lists the loose objects whose ids begin with the byte b, from
// memory when it has been asked before.
func (s *store) looseIDs(b byte) ([]plumbing.Hash, error) {
	s.looseMu.Lock()
	defer s.looseMu.Unlock()
	if s.listed[b] {
		return s.loose[b], nil
	}
	ids, err := s.listLoose(b)
	if err != nil {
		return nil, err
	}
	s.loose[b], s.listed[b] = ids, true
	return ids, nil
}

// listLoose lists the loose objects whose ids begin with the byte b, in order.
func (s *store) listLoose(b byte) ([]plumbing.Hash, error) {
	ids, err := s.readLooseDir(b)
	slices.SortFunc(ids, compareIDs)
	return ids, err
}

// readLooseDir is listLoose in the order of the directory.
func (s *store) readLooseDir(b byte) ([]plumbing.Hash, error) {
	name := hexByte(b)
	dir, err := s.dir.OpenDir(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, sandbox.ErrNotDir) || errors.Is(err, sandbox.ErrSymlink) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // git removes a directory that it has emptied
	}
	if err != nil {
		return nil, err
	}
	var ids []plumbing.Hash
	for _, e := range entries {
		if id, ok := parseID(name + e.Name); ok && !e.Type.IsDir() {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// forgetLoose drops the listings.
func (s *store) forgetLoose() {
	s.looseMu.Lock()
	defer s.looseMu.Unlock()
	clear(s.listed[:])
	clear(s.loose[:])
}
