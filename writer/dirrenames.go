package writer

import (
	"maps"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/reader"
)

// directoryRenames says what a merge does about a file that one side put into a directory that the other side renamed
// (merge.directoryRenames in git-config(1)).
type directoryRenames int

const (
	keepDirectories    directoryRenames = iota // it stays
	suggestDirectories                         // it moves along, and is in conflict
	moveDirectories                            // it moves along
)

// relevance says why it matters where a directory went.
type relevance int

const (
	irrelevant  relevance = iota
	forAncestor           // a directory above it has to be followed
	forItself             // the other side added a file to it
)

// dirRenames finds the directories that one side renamed while the other side added files to them. A directory counts as
// renamed to where most of its files went, when the side has it no more.
type dirRenames struct {
	m       *treeMerge
	changes [3][]reader.Change
	added   [3]map[string]bool      // directories that a side added files to
	removed [3]map[string]relevance // directories of the base that a side has no more
	states  map[string]dirState
	renamed [3]map[string]string // directories, to what a side made of them
}

// dirState is what is known of a directory of the base or of a side.
type dirState struct {
	keeper   int  // the only side that has it, or the directory above it, still; 0: none
	followed bool // the keeper added a file to it or above it, so that it matters where all its files went
}

func newDirRenames(m *treeMerge, changes [3][]reader.Change) *dirRenames {
	d := &dirRenames{m: m, changes: changes, states: map[string]dirState{}}
	for _, side := range []int{oursSide, theirsSide} {
		d.added[side], d.removed[side], d.renamed[side] = map[string]bool{}, map[string]relevance{}, map[string]string{}
		for _, c := range changes[side] {
			if !c.Old.Present() && !m.paths[c.New.Path].sides[oursSide+theirsSide-side].Present() {
				d.added[side][dirOf(c.New.Path)] = true
			}
		}
	}
	for _, side := range []int{oursSide, theirsSide} {
		d.noteRemoved(side)
	}
	return d
}

// dirOf returns the directory of a path, "" for one at the top.
func dirOf(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// noteRemoved finds the directories that a side has no more.
func (d *dirRenames) noteRemoved(side int) {
	for _, c := range d.changes[side] {
		if c.New.Present() {
			continue
		}
		for dir := dirOf(c.Old.Path); dir != "" && !d.has(side, dir); dir = dirOf(dir) {
			if _, known := d.removed[side][dir]; known {
				break
			}
			d.removed[side][dir] = irrelevant
			if d.state(dirOf(dir)).followed {
				d.removed[side][dir] = forAncestor
			}
		}
	}
	other := oursSide + theirsSide - side
	for dir := range d.added[other] {
		if d.state(dir).followed {
			d.removed[side][dir] = forItself
		}
	}
}

// has reports whether a side, or the base, has a directory.
func (d *dirRenames) has(side int, dir string) bool {
	if side == oursSide {
		return d.m.now.HasDir(dir)
	}
	tree := d.m.base
	if side == theirsSide {
		tree = d.m.theirs
	}
	e, ok, err := d.m.w.repo.EntryAt(tree, dir)
	return err == nil && ok && e.IsTree()
}

// state tells of a directory what decides whether it is followed.
func (d *dirRenames) state(dir string) dirState {
	if dir == "" {
		return dirState{}
	}
	if s, ok := d.states[dir]; ok {
		return s
	}
	s := d.state(dirOf(dir))
	if !s.followed {
		if ours, theirs := d.has(oursSide, dir), d.has(theirsSide, dir); ours != theirs && d.has(baseSide, dir) {
			s.keeper = theirsSide
			if ours {
				s.keeper = oursSide
			}
		}
		s.followed = s.keeper != 0 && d.added[s.keeper][dir]
	}
	d.states[dir] = s
	return s
}

// concerned reports whether it matters where a file went because its directory is followed.
func (d *dirRenames) concerned(path string) bool { return d.state(dirOf(path)).followed }

// follow moves what one side added to directories that the other side renamed; found are the renames of each side's files.
func (d *dirRenames) follow(found [3]map[string]string, how directoryRenames) {
	for _, side := range []int{oursSide, theirsSide} {
		d.decide(side, d.count(side, found[side]))
	}
	for dir := range d.renamed[oursSide] {
		if _, both := d.renamed[theirsSide][dir]; both {
			delete(d.renamed[oursSide], dir)
			delete(d.renamed[theirsSide], dir)
		}
	}
	var moves [3]map[string][]string
	for _, side := range []int{oursSide, theirsSide} {
		moves[side] = d.moves(side)
	}
	for _, side := range []int{oursSide, theirsSide} {
		d.move(side, found[side], moves, how)
	}
}

// count counts for each directory how many of its files went to which other one.
func (d *dirRenames) count(side int, found map[string]string) map[string]map[string]int {
	counts := map[string]map[string]int{}
	for old, new := range found {
		from, to := dirOf(old), dirOf(new)
		for first := true; ; first = false {
			why, removed := d.removed[side][from]
			if !removed {
				break
			}
			if (first || why == forItself) && why != irrelevant {
				if counts[from] == nil {
					counts[from] = map[string]int{}
				}
				counts[from][to]++
			}
			if why == irrelevant || from == "" || to == "" || lastName(from) != lastName(to) {
				break
			}
			from, to = dirOf(from), dirOf(to)
		}
	}
	return counts
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// decide chooses for each directory the one that most of its files went to; a tie is told of and leaves it alone.
func (d *dirRenames) decide(side int, counts map[string]map[string]int) {
	for _, dir := range slices.Sorted(maps.Keys(counts)) {
		best, most, tie := "", 0, false
		for to, n := range counts[dir] {
			switch {
			case n > most:
				best, most, tie = to, n, false
			case n == most:
				tie = true
			}
		}
		if !tie {
			d.renamed[side][dir] = best
			continue
		}
		d.remark(dir, true, "CONFLICT (directory rename split): Unclear where to rename %s to; it was renamed to multiple other "+
			"directories, with no destination getting a majority of the files.", dir)
	}
}

// remark says something that no path of the merge stands for.
func (d *dirRenames) remark(path string, conflict bool, format string, args ...any) {
	r := &mergePath{path: path, remark: true, conflict: conflict}
	r.say(format, args...)
	d.m.remarks = append(d.m.remarks, r)
}

// target returns where a path would go if the side's renames of directories held for it, and which directory that follows.
func (d *dirRenames) target(side int, path string) (dir, target string, ok bool) {
	for dir = dirOf(path); dir != ""; dir = dirOf(dir) {
		if to, renamed := d.renamed[side][dir]; renamed {
			return dir, strings.TrimPrefix(to+path[len(dir):], "/"), true
		}
	}
	return "", "", false
}

// moves maps the places that a side's added files would go to, to the files.
func (d *dirRenames) moves(side int) map[string][]string {
	moves := map[string][]string{}
	for _, c := range d.changes[side] {
		if c.Old.Present() {
			continue
		}
		if _, target, ok := d.target(oursSide+theirsSide-side, c.New.Path); ok {
			moves[target] = append(moves[target], c.New.Path)
		}
	}
	return moves
}

// move moves the files that a side added, or renamed, into directories that the other side renamed.
func (d *dirRenames) move(side int, found map[string]string, moves [3]map[string][]string, how directoryRenames) {
	other := oursSide + theirsSide - side
	from := map[string]string{} // the side's renames, by the new name
	for old, new := range found {
		from[new] = old
	}
	said := map[string]bool{}
	for _, c := range d.changes[side] {
		path := c.New.Path
		dir, target, ok := d.target(other, path)
		if c.Old.Present() || !ok || moves[other][path] != nil {
			continue
		}
		to := d.renamed[other][dir]
		if _, again := d.renamed[side][to]; again {
			d.remark(dir, false, "WARNING: Avoiding applying %s -> %s rename to %s, because %s itself was renamed.", dir, to, path, to)
			continue
		}
		if said[target] || d.blocked(side, target, moves[side][target]) {
			said[target] = true
			continue
		}
		d.m.relocate(path, target, from[path], side, how)
		if old, ok := from[path]; ok {
			found[old] = target
		}
	}
}

// blocked tells of what keeps files from being moved to a target.
func (d *dirRenames) blocked(side int, target string, files []string) bool {
	list := strings.Join(files, ", ")
	switch {
	case d.inTheWay(side, target):
		d.remark(target, true, "CONFLICT (implicit dir rename): Existing file/dir at %s in the way of implicit directory rename(s) "+
			"putting the following path(s) there: %s.", target, list)
	case len(files) > 1:
		d.remark(target, true, "CONFLICT (implicit dir rename): Cannot map more than one path to %s; implicit directory renames tried "+
			"to put these paths there: %s", target, list)
	default:
		return false
	}
	return true
}

// inTheWay reports whether a side has something of its own at a path, or both have the same.
func (d *dirRenames) inTheWay(side int, path string) bool {
	if p := d.m.paths[path]; p != nil {
		return p.sides[side].Present() || d.has(side, path)
	}
	_, file := d.m.now.Find(path, 0)
	return file || d.has(side, path)
}

// relocate moves what a side has at a path; old is the path that the side renamed it from, if it did.
func (m *treeMerge) relocate(path, target, old string, side int, how directoryRenames) {
	p, other := m.paths[path], oursSide+theirsSide-side
	to := m.paths[target]
	if to == nil {
		to = &mergePath{path: target, names: [3]string{path, path, path}}
		m.paths[target] = to
	}
	to.sides[side], to.names[side] = p.sides[side], p.names[side]
	p.sides[side] = reader.Entry{}
	what := path + " added in " + m.labels[side]
	if old != "" {
		what = old + " renamed to " + path + " in " + m.labels[side] + ","
	}
	if how == moveDirectories {
		to.say("Path updated: %s inside a directory that was renamed in %s; moving it to %s.", what, m.labels[other], target)
		return
	}
	to.placed = true
	to.say("CONFLICT (file location): %s inside a directory that was renamed in %s, suggesting it should perhaps be moved to %s.",
		what, m.labels[other], target)
}
