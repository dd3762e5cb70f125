package refs

import (
	"io/fs"
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

// Shortener finds the shortest name that still means a ref. It looks at the
// directories once, so it answers for the moment of its first use.
type Shortener struct {
	store  *Store
	strict bool // a name that any other rule would find is ambiguous
	loose  map[string]map[string]bool
}

// NewShortener returns a Shortener; strict is core.warnAmbiguousRefs, which is
// true unless configured.
func (s *Store) NewShortener(strict bool) *Shortener {
	return &Shortener{store: s, strict: strict, loose: map[string]map[string]bool{}}
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
		if s.exists(Expand(other, short)) {
			return true
		}
	}
	return false
}

func (s *Shortener) exists(name string) bool {
	packed, err := s.store.packedRefs()
	if err != nil {
		return false
	}
	_, known := packed.find(name)
	if !known && !s.mayBeLoose(name) {
		return false
	}
	_, err = s.store.Resolve(name)
	return err == nil
}

// mayBeLoose asks the directory listings whether there is a file of that name.
func (s *Shortener) mayBeLoose(name string) bool {
	rest, ok := strings.CutPrefix(name, "refs/")
	if !ok {
		first, _, _ := strings.Cut(name, "/")
		return s.names("")[first]
	}
	first, _, deep := strings.Cut(rest, "/")
	if !deep {
		return s.names("refs/")[name]
	}
	return s.names("refs/" + first + "/")[name]
}

// names lists the git directory (""), the files of refs/, or everything below
// a directory of refs/.
func (s *Shortener) names(dir string) map[string]bool {
	if found, ok := s.loose[dir]; ok {
		return found
	}
	found := map[string]bool{}
	s.loose[dir] = found
	for _, top := range []*sandbox.Dir{s.store.commonDir, s.store.gitDir} {
		if dir == "" {
			collect(top, "", found, false)
			continue
		}
		sub, err := top.OpenDirFollow(strings.TrimSuffix(dir, "/"))
		if err != nil {
			continue
		}
		collect(sub, dir, found, dir != "refs/")
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
