package renames

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxSame is the number of equally suited identical sources after which the
// search for the best is given up.
const maxSame = 100

const regular = 0o100000

func (f *file) isRegular() bool { return f.Mode&0o170000 == regular }

// baseName returns the last component of a path.
func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// exact pairs destinations with sources of the same content.
func (d *detector) exact() {
	byID := make(map[plumbing.Hash][]*file, len(d.sources))
	for _, s := range d.sources {
		byID[s.ID] = append(byID[s.ID], s)
	}
	for _, dest := range d.dests {
		if source := d.identical(dest, byID[dest.ID]); source != nil {
			pair(source, dest, MaxScore)
		}
	}
}

// identical chooses among sources with dest's content: rather one that isn't
// used yet, rather one with the same base name.
func (d *detector) identical(dest *file, sources []*file) *file {
	var best *file
	most, seen := -1, 0
	for _, s := range sources {
		if (!s.isRegular() || !dest.isRegular()) && s.Mode != dest.Mode {
			continue
		}
		if s.used > 0 && !d.opts.Copies {
			continue
		}
		points := 0
		if s.used == 0 {
			points++
		}
		if s.base == dest.base {
			points++
		}
		if points > most {
			best, most = s, points
		}
		if seen++; most == 2 || seen == maxSame {
			break
		}
	}
	return best
}

// forget drops sources and destinations that have their pair.
func (d *detector) forget() {
	if !d.opts.Copies {
		d.sources = filter(d.sources, func(s *file) bool { return s.used == 0 })
	}
	d.dests = filter(d.dests, func(dest *file) bool { return dest.from == nil })
}

func filter(files []*file, keep func(*file) bool) []*file {
	var kept []*file
	for _, f := range files {
		if keep(f) {
			kept = append(kept, f)
		}
	}
	return kept
}
