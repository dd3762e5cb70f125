package ignore

// literals finds the patterns of a long list without wildcards by what they are equal to. The numbers are positions in the list, rising.
type literals struct {
	names map[string][]int32 // for the last component of a path; nil in a short list
	paths map[string][]int32 // for the whole path below the list's directory
	wild  []int32            // the others
}

// worthMaps is the number of patterns from which on maps are faster than trying each.
const worthMaps = 16

func (l *literals) build(patterns []Pattern) {
	if len(patterns) < worthMaps {
		return
	}
	l.names, l.paths = map[string][]int32{}, map[string][]int32{}
	for i := range patterns {
		switch text, name, ok := patterns[i].path.Literal(); {
		case !ok:
			l.wild = append(l.wild, int32(i))
		case name:
			l.names[text] = append(l.names[text], int32(i))
		default:
			l.paths[text] = append(l.paths[text], int32(i))
		}
	}
}

// lookUp is last by means of the maps, for exact case.
func (l *List) lookUp(path string, name int, isDir bool) *Pattern {
	best := max(l.lastOf(l.literals.names[path[name:]], isDir), l.lastOf(l.literals.paths[path[l.base:]], isDir))
	for i := len(l.literals.wild) - 1; i >= 0; i-- {
		at := int(l.literals.wild[i])
		if at < best {
			break
		}
		if p := &l.patterns[at]; p.path.Match(l.base, path, name, isDir, false) {
			return p
		}
	}
	if best < 0 {
		return nil
	}
	return &l.patterns[best]
}

// lastOf returns the last of the positions whose pattern takes what the path is, -1 for none.
func (l *List) lastOf(positions []int32, isDir bool) int {
	for i := len(positions) - 1; i >= 0; i-- {
		if at := positions[i]; isDir || !l.patterns[at].path.DirOnly {
			return int(at)
		}
	}
	return -1
}
