package gitconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/ingit-dev/ingit/internal/wildmatch"
)

// maxDepth is how deep git lets files include each other.
const maxDepth = 10

// Source is one file to read, with a way to open it and whatever it includes.
// A source whose file does not exist is skipped.
type Source struct {
	Path   string // absolute, slash separated
	Origin string // its name in messages; "" means Path
	Scope  Scope
	// Open returns the bytes of a file by absolute path. what is "" for the
	// source itself and the including key ("include.path") for the rest.
	Open func(what, path string) ([]byte, error)
}

// Loader reads sources with their includes (git-config(1), "Includes" and
// "Conditional includes").
type Loader struct {
	Home   string        // what "~/" means; "" leaves it without a meaning
	GitDir string        // absolute and free of links; "" makes gitdir conditions false
	Given  string        // GitDir as it was reached, links included; "" means GitDir
	Branch func() string // the branch that HEAD names, without refs/heads/; "" when detached
}

// Load reads the sources in their order. It stops at the first error.
func (l *Loader) Load(sources ...Source) (*Config, error) {
	in := including{Loader: l, sources: sources}
	if err := in.all(); err != nil {
		return nil, err
	}
	return New(in.entries), nil
}

// including is one pass over the sources.
type including struct {
	*Loader
	sources []Source
	entries []Entry
	depth   int
	urls    []string // every remote's URL, once a condition asked for them
	haveURL bool
	// urlPass marks the pass that collects URLs: conditions on them hold, and
	// a conditionally included file may not set any.
	urlPass, conditional bool
}

func (in *including) all() error {
	for _, s := range in.sources {
		if s.Origin == "" {
			s.Origin = s.Path
		}
		if err := in.file(s, ""); err != nil {
			return err
		}
	}
	return nil
}

func (in *including) file(s Source, what string) error {
	data, err := s.Open(what, s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	entries, bad := Parse(data, s.Origin)
	for _, e := range entries {
		e.Scope = s.Scope
		if err := in.entry(s, e); err != nil {
			return err
		}
	}
	return bad
}

func (in *including) entry(s Source, e Entry) error {
	if in.conditional && isRemoteURL(e) {
		return &ValueError{text: "remote URLs cannot be configured in file directly or indirectly included by includeIf.hasconfig:remote.*.url"}
	}
	in.entries = append(in.entries, e)
	switch {
	case e.Name == "include.path":
		return in.include(s, e, "include.path")
	case e.Section == "includeif" && e.Key == "path" && e.Name != "includeif.path":
		holds, err := in.holds(s, e.Subsection)
		if err != nil || !holds {
			return err
		}
		outer := in.conditional
		in.conditional = outer || in.urlPass
		err = in.include(s, e, "includeIf."+e.Subsection+".path")
		in.conditional = outer
		return err
	}
	return nil
}

func isRemoteURL(e Entry) bool {
	return e.Section == "remote" && e.Key == "url" && e.Name != "remote.url"
}

func (in *including) include(from Source, e Entry, what string) error {
	if !e.HasValue {
		return e.atLine("missing value for '%s'", e.Name)
	}
	target, ok := ExpandHome(e.Value, in.Home)
	if !ok {
		return e.atLine("could not expand include path '%s'", e.Value)
	}
	s := from
	s.Path, s.Origin = target, target
	if !isAbsolute(target) {
		s.Path = path.Join(path.Dir(from.Path), target)
		s.Origin = from.Origin[:strings.LastIndexByte(from.Origin, '/')+1] + target
	}
	if in.depth++; in.depth > maxDepth {
		return fmt.Errorf("exceeded maximum include depth (%d) while including\n\t%s\nfrom\n\t%s\nThis might be due to circular includes.", maxDepth, s.Origin, from.Origin)
	}
	err := in.file(s, what)
	in.depth--
	return err
}

// holds decides an includeIf condition. An unknown kind never holds.
func (in *including) holds(s Source, condition string) (bool, error) {
	kind, pattern, _ := strings.Cut(condition, ":")
	switch kind {
	case "gitdir":
		return in.matchGitDir(s, pattern, 0), nil
	case "gitdir/i":
		return in.matchGitDir(s, pattern, wildmatch.CaseFold), nil
	case "onbranch":
		if in.Branch == nil {
			return false, nil
		}
		branch := in.Branch()
		return branch != "" && wildmatch.Match(wholeDir(pattern), branch, wildmatch.PathName), nil
	case "hasconfig":
		glob, ok := strings.CutPrefix(pattern, "remote.*.url:")
		if !ok {
			return false, nil
		}
		return in.matchURL(glob)
	}
	return false, nil
}

// matchGitDir compares the repository's directory, first without links, then
// as it was reached.
func (in *including) matchGitDir(s Source, pattern string, fold wildmatch.Flags) bool {
	if in.GitDir == "" {
		return false
	}
	if expanded, ok := ExpandHome(pattern, in.Home); ok {
		pattern = expanded
	}
	literal := 0
	switch {
	case strings.HasPrefix(pattern, "./"):
		dir := strings.TrimSuffix(path.Dir(s.Path), "/")
		pattern, literal = dir+pattern[1:], len(dir)+1
	case !isAbsolute(pattern):
		pattern = "**/" + pattern
	}
	pattern = wholeDir(pattern)
	for _, dir := range []string{in.GitDir, in.Given} {
		if len(dir) < literal || !samePrefix(pattern[:literal], dir[:literal], fold != 0) {
			continue
		}
		if wildmatch.Match(pattern[literal:], dir[literal:], wildmatch.PathName|fold) {
			return true
		}
	}
	return false
}

func samePrefix(x, y string, fold bool) bool {
	return x == y || fold && strings.EqualFold(x, y)
}

func (in *including) matchURL(glob string) (bool, error) {
	if in.urlPass {
		return true, nil
	}
	if !in.haveURL {
		pass := including{Loader: in.Loader, sources: in.sources, urlPass: true}
		if err := pass.all(); err != nil {
			return false, err
		}
		for _, e := range pass.entries {
			if isRemoteURL(e) {
				in.urls = append(in.urls, e.Value)
			}
		}
		in.haveURL = true
	}
	for _, url := range in.urls {
		if wildmatch.Match(glob, url, wildmatch.PathName) {
			return true, nil
		}
	}
	return false, nil
}

// wholeDir makes a pattern that ends in a slash match everything below.
func wholeDir(pattern string) string {
	if strings.HasSuffix(pattern, "/") {
		return pattern + "**"
	}
	return pattern
}

// ExpandHome replaces a leading "~/" (or a lone "~") by home, as git does for
// values that are paths. It fails for "~user", which needs the host's user
// database, and when home is not known.
func ExpandHome(value, home string) (string, bool) {
	if !strings.HasPrefix(value, "~") {
		return value, true
	}
	if home == "" || len(value) > 1 && value[1] != '/' {
		return "", false
	}
	return home + value[1:], true
}

func isAbsolute(name string) bool {
	if strings.HasPrefix(name, "/") {
		return true
	}
	return len(name) > 2 && isAlpha(name[0]) && name[1] == ':' && (name[2] == '/' || name[2] == '\\')
}
