package refs

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/sandbox"
)

// Rules are the places where git looks for a short name, in that order
// (gitrevisions(7), "<refname>"); a short name stands for the "*".
var Rules = [...]string{"*", "refs/*", "refs/tags/*", "refs/heads/*", "refs/remotes/*", "refs/remotes/*/HEAD"}

// Expand puts a short name into one of Rules.
func Expand(rule, short string) string {
	before, after, _ := strings.Cut(rule, "*")
	return before + short + after
}

// Shortener finds the shortest name that still means a ref. It looks at
// packed-refs and at the directories once, so it answers for the moment of its
// first use.
type Shortener struct {
	store  *Store
	strict bool // a name that any other rule would find is ambiguous
	packed *packed
	groups map[string][]Ref // the packed refs below a rule's fixed part
	loose  map[string]map[string]bool
}

// Shorten is Shortener.Shorten for one name alone: it asks for each ref that
// the short name could mean too.
func (s *Store) Shorten(name string, strict bool) string {
	return (&Shortener{store: s, strict: strict}).Shorten(name)
}

// NewShortener returns a Shortener; strict is core.warnAmbiguousRefs, which is
// true unless configured.
func (s *Store) NewShortener(strict bool) *Shortener {
	known, err := s.packedRefs()
	if err != nil {
		known = &packed{}
	}
	return &Shortener{store: s, strict: strict, packed: known, groups: map[string][]Ref{}, loose: map[string]map[string]bool{}}
}

// Shorten returns the shortest unambiguous form of a full name
// (git-for-each-ref(1), "refname:short").
func (s *Shortener) Shorten(name string) string {
	for i := len(Rules) - 1; i > 0; i-- {
		short, ok := match(Rules[i], name)
		if ok && !s.ambiguous(short, i) {
			return short
		}
	}
	return name
}

func match(rule, name string) (string, bool) {
	before, after, _ := strings.Cut(rule, "*")
	short, ok := strings.CutPrefix(name, before)
	if !ok {
		return "", false
	}
	short, ok = strings.CutSuffix(short, after)
	return short, ok && short != ""
}

func (s *Shortener) ambiguous(short string, rule int) bool {
	for i, other := range Rules {
		if i == rule || i > rule && !s.strict {
			continue
		}
		if s.mayExist(other, short) {
			if _, err := s.store.Resolve(Expand(other, short)); err == nil {
				return true
			}
		}
	}
	return false
}

// mayExist asks packed-refs and the directory listings whether there is a ref
// of a short name by a rule.
func (s *Shortener) mayExist(rule, short string) bool {
	if s.groups == nil {
		return true // nothing was listed
	}
	before, after, _ := strings.Cut(rule, "*")
	if before == "" {
		first, _, _ := strings.Cut(short, "/")
		return s.names("")[first]
	}
	refs := s.below(before)
	if after != "" {
		return (len(refs) > 0 || len(s.names(before)) > 0) && s.known(before, refs, short+after)
	}
	return s.known(before, refs, short)
}

func (s *Shortener) known(before string, refs []Ref, rest string) bool {
	_, found := slices.BinarySearchFunc(refs, rest, func(r Ref, rest string) int {
		return strings.Compare(r.Name[len(before):], rest)
	})
	if found {
		return true
	}
	if before != "refs/" {
		return s.names(before)[rest]
	}
	first, deeper, deep := strings.Cut(rest, "/")
	if !deep || !s.names("refs/")[first] {
		return !deep && s.names("refs/")[rest]
	}
	return s.names("refs/" + first + "/")[deeper]
}

// below returns the packed refs whose names start with prefix.
func (s *Shortener) below(prefix string) []Ref {
	refs, ok := s.groups[prefix]
	if !ok {
		refs, _ = s.packed.under(prefix)
		s.groups[prefix] = refs
	}
	return refs
}

// names lists the git directory (""), the entries of refs/, or everything
// below a directory of refs/, each relative to it.
func (s *Shortener) names(dir string) map[string]bool {
	if found, ok := s.loose[dir]; ok {
		return found
	}
	found := map[string]bool{}
	s.loose[dir] = found
	for i, top := range []*sandbox.Dir{s.store.commonDir, s.store.gitDir} {
		if i > 0 && top == s.store.commonDir {
			break
		}
		if dir == "" {
			collect(top, "", found, false)
			continue
		}
		sub, err := top.OpenDirFollow(strings.TrimSuffix(dir, "/"))
		if err != nil {
			continue
		}
		collect(sub, "", found, dir != "refs/")
		sub.Close()
	}
	return found
}

func collect(dir *sandbox.Dir, prefix string, names map[string]bool, deep bool) {
	entries, err := dir.ReadDir()
	if err != nil {
		return
	}
	for _, e := range entries {
		names[prefix+e.Name] = true
		if !deep || !e.Type.IsDir() && e.Type&fs.ModeSymlink == 0 {
			continue
		}
		if sub, err := dir.OpenDirFollow(e.Name); err == nil {
			collect(sub, prefix+e.Name+"/", names, true)
			sub.Close()
		}
	}
}
