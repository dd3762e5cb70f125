package reader

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/sandbox"
)

// overrides are the files that change what commits' parents are.
type overrides struct {
	parents                 map[plumbing.Hash][]plumbing.Hash
	shallow                 map[plumbing.Hash]bool
	shallowStat, graftsStat sandbox.Stat
}

// loadReplacements hands refs/replace to the object database, unless
// core.useReplaceRefs is false (git-replace(1)).
func (r *Repository) loadReplacements() error {
	use, err := r.Config().Bool("core.usereplacerefs", true)
	if err != nil {
		return err
	}
	var replacements map[plumbing.Hash]plumbing.Hash
	if use {
		const prefix = "refs/replace/"
		found, err := r.refs.List(prefix)
		if err != nil {
			return err
		}
		for _, ref := range found {
			name := ref.Name[len(prefix):]
			if plumbing.IsHash(name) && !ref.Broken {
				if replacements == nil {
					replacements = map[plumbing.Hash]plumbing.Hash{}
				}
				replacements[plumbing.NewHash(name)] = ref.ID
			}
		}
	}
	r.objects.SetReplacements(replacements)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replacing = len(replacements) > 0
	return nil
}

// Shallow reports whether history was cut by a shallow clone.
func (r *Repository) Shallow() (bool, error) {
	o, err := r.loadOverrides()
	return err == nil && len(o.shallow) > 0, err
}

// loadOverrides reads shallow and info/grafts as they are now.
func (r *Repository) loadOverrides() (*overrides, error) {
	common := r.layout.commonDir
	shallowStat, _ := common.Lstat("shallow")
	graftsStat, _ := common.Lstat("info/grafts")
	r.mu.Lock()
	defer r.mu.Unlock()
	if o := r.overrides; o != nil && o.shallowStat == shallowStat && o.graftsStat == graftsStat {
		return o, nil
	}
	o := &overrides{shallowStat: shallowStat, graftsStat: graftsStat, parents: map[plumbing.Hash][]plumbing.Hash{}}
	if err := o.readGrafts(common); err != nil {
		return nil, err
	}
	if err := o.readShallow(common); err != nil {
		return nil, err
	}
	r.overrides = o
	return o, nil
}

func (o *overrides) readGrafts(common *sandbox.Dir) error {
	return eachLine(common, "info/grafts", func(line []byte) error {
		if len(line) == 0 || line[0] == '#' {
			return nil
		}
		var ids []plumbing.Hash
		for _, field := range bytes.Split(line, []byte(" ")) {
			if !plumbing.IsHash(string(field)) {
				return nil // git says "bad graft data" and goes on
			}
			ids = append(ids, plumbing.NewHash(string(field)))
		}
		if _, ok := o.parents[ids[0]]; !ok {
			o.parents[ids[0]] = ids[1:]
		}
		return nil
	})
}

func (o *overrides) readShallow(common *sandbox.Dir) error {
	return eachLine(common, "shallow", func(line []byte) error {
		if !plumbing.IsHash(string(line)) {
			return &FormatError{"bad shallow line: " + string(line)}
		}
		if o.shallow == nil {
			o.shallow = map[plumbing.Hash]bool{}
		}
		id := plumbing.NewHash(string(line))
		o.shallow[id] = true
		o.parents[id] = nil
		return nil
	})
}

// eachLine calls f with every line of an optional file, without its newline.
func eachLine(dir *sandbox.Dir, name string, f func([]byte) error) error {
	data, err := readFile(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if err := f(bytes.TrimRight(line, "\r\n \t")); err != nil {
			return err
		}
	}
	return nil
}
