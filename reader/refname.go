package reader

import (
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/approxidate"
	"github.com/ingit-dev/ingit/internal/refs"
)

// basic resolves a full id, a ref by any of its names, and a ref's past:
// "REF@{N}", "REF@{DATE}", "@{N}".
func (s *resolver) basic(name string, as want) (plumbing.Hash, error) {
	if plumbing.IsHash(name) {
		return plumbing.NewHash(name), nil
	}
	base, past, prior, ok := splitPast(name)
	if !ok || base != "" && ambiguousPath(base) {
		return plumbing.ZeroHash, errNoMatch
	}
	if prior {
		if branch, _, ok := s.priorPrefix(base); ok && plumbing.IsHash(branch) {
			return plumbing.NewHash(branch), nil
		}
	}
	if past != "" {
		return s.past(base, past)
	}
	found, err := s.dwim(base)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if len(found) == 0 {
		return plumbing.ZeroHash, errNoMatch
	}
	return found[0].ID, nil
}

// splitPast cuts "@{…}" off when it means the reflog. prior says that the
// name is "@{-N}".
func splitPast(name string) (base, past string, prior, ok bool) {
	if !strings.HasSuffix(name, "}") {
		return name, "", false, true
	}
	for at := len(name) - 4; at >= 0; at-- {
		if name[at] != '@' || name[at+1] != '{' {
			continue
		}
		if name[at+2] == '-' {
			if at != 0 {
				return "", "", false, false
			}
			prior = true
			continue
		}
		if markLength(name[at:], upstreamMarks) == 0 && markLength(name[at:], pushMarks) == 0 {
			return name[:at], name[at+2 : len(name)-1], prior, true
		}
		break
	}
	return name, "", prior, true
}

var upstreamMarks, pushMarks = []string{"@{upstream}", "@{u}"}, []string{"@{push}"}

// markLength returns the length of a mark that text starts with, in any case;
// 0 without one.
func markLength(text string, marks []string) int {
	for _, mark := range marks {
		if len(text) >= len(mark) && strings.EqualFold(text[:len(mark)], mark) {
			return len(mark)
		}
	}
	return 0
}

// ambiguousPath refuses what git takes for no ref path: empty components and
// components of dots.
func ambiguousPath(name string) bool {
	slash := true
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case '/':
			if slash {
				return true
			}
			slash = true
		case '.':
			// A dot alone keeps the state: "/./" and "/../" stay ambiguous.
		default:
			slash = false
		}
	}
	return slash
}

// past resolves a ref's former value from its reflog.
func (s *resolver) past(base, past string) (plumbing.Hash, error) {
	ref, ok, err := s.pastRef(base)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if !ok {
		return plumbing.ZeroHash, errNoMatch
	}
	shown := base
	if shown == "" {
		if shown = "HEAD"; strings.HasPrefix(ref.Name, "refs/heads/") {
			shown = ref.Name[len("refs/heads/"):]
		}
	}
	n, err := strconv.Atoi(past)
	if strings.Trim(past, "0123456789") == "" && err == nil && n < 100000000 {
		return s.nth(ref, shown, n)
	}
	when := int64(n)
	if err != nil || strings.Trim(past, "0123456789") != "" {
		if when, ok = approxidate.Parse(past, s.repo.options.now(), s.repo.options.zone()); !ok {
			return plumbing.ZeroHash, errNoMatch
		}
	}
	return s.at(ref, shown, when)
}

// pastRef finds the ref whose log is meant: the current branch for "", else
// the first name that has a log.
func (s *resolver) pastRef(base string) (refs.Ref, bool, error) {
	if base == "" {
		ref, err := s.repo.refs.Resolve("HEAD")
		return ref, err == nil, nil
	}
	name, err := s.substitute(base)
	if err != nil {
		return refs.Ref{}, false, err
	}
	for _, rule := range refs.Rules {
		full := refs.Expand(rule, name)
		ref, err := s.repo.refs.Resolve(full)
		if err != nil {
			continue
		}
		if _, err := s.repo.refs.Reflog(full); err == nil {
			ref.Name = full
			return ref, true, nil
		}
		if _, err := s.repo.refs.Reflog(ref.Name); err == nil {
			return ref, true, nil
		}
	}
	return refs.Ref{}, false, nil
}

// nth is "REF@{N}": what the ref was N changes ago.
func (s *resolver) nth(ref refs.Ref, shown string, n int) (plumbing.Hash, error) {
	log, err := s.repo.refs.Reflog(ref.Name)
	if err != nil || len(log) == 0 {
		if n == 0 {
			return ref.ID, nil
		}
		return plumbing.ZeroHash, s.emptyLog(ref)
	}
	switch {
	case n < len(log):
		return log[len(log)-1-n].New, nil
	case n == len(log) && !log[0].Old.IsZero():
		return log[0].Old, nil
	}
	return plumbing.ZeroHash, s.tooFewEntries(shown, log)
}

func (s *resolver) tooFewEntries(shown string, log []refs.LogEntry) error {
	return s.fail("log for '%s' only has %d entries", shown, len(log))
}

func (s *resolver) emptyLog(ref refs.Ref) error { return s.fail("log for %s is empty", ref.Name) }

// at is "REF@{DATE}": what the ref was then. Before the log begins it is the
// oldest value known. The date 0, which is "never", is taken for a number.
func (s *resolver) at(ref refs.Ref, shown string, when int64) (plumbing.Hash, error) {
	log, err := s.repo.refs.Reflog(ref.Name)
	switch {
	case err != nil || len(log) == 0:
		return plumbing.ZeroHash, s.emptyLog(ref)
	case when == 0:
		return plumbing.ZeroHash, s.tooFewEntries(shown, log)
	}
	for i := len(log) - 1; i >= 0; i-- {
		if log[i].When <= when {
			return log[i].New, nil
		}
	}
	if log[0].Old.IsZero() {
		return log[0].New, nil
	}
	return log[0].Old, nil
}

// dwim finds the refs that a short name may mean, best first.
func (s *resolver) dwim(name string) ([]refs.Ref, error) {
	name, err := s.substitute(name)
	if err != nil {
		return nil, err
	}
	return s.repo.dwim(name), nil
}

// dwim looks a name up by refs.Rules.
func (r *Repository) dwim(name string) []refs.Ref {
	var found []refs.Ref
	for _, rule := range refs.Rules {
		full := refs.Expand(rule, name)
		if !refs.ValidName(full) {
			continue
		}
		if ref, err := r.refs.Resolve(full); err == nil {
			found = append(found, ref)
		}
	}
	return found
}

// substitute replaces a name that stands for a branch as a whole: "@", "@{-N}",
// "NAME@{u}" and "NAME@{push}", and what is put together of these.
func (s *resolver) substitute(name string) (string, error) {
	branch, n, err := s.interpret(name)
	if n == len(name) && err == nil {
		return branch, nil
	}
	return name, err
}

// interpret reads what stands for a branch at the start of a name, and returns
// how much of the name that is. A mark of a branch that has no such thing is an
// error, whatever follows.
func (s *resolver) interpret(name string) (branch string, n int, err error) {
	if branch, rest, ok := s.priorPrefix(name); ok {
		return s.goOn(branch, rest, len(name)-len(rest))
	}
	if name == "@" || strings.HasPrefix(name, "@@{") {
		return s.goOn("HEAD", name[1:], 1)
	}
	for at := 0; at < len(name) && name[at] != ':'; at++ {
		for _, mark := range []struct {
			forms []string
			find  func(string) (string, error)
		}{{upstreamMarks, s.upstreamOf}, {pushMarks, s.pushOf}} {
			if n := markLength(name[at:], mark.forms); n > 0 {
				full, err := mark.find(name[:at])
				if err != nil {
					return "", 0, err
				}
				return s.repo.refs.NewShortener(false).Shorten(full), at + n, nil
			}
		}
	}
	return name, 0, nil
}

// goOn interprets a branch that n bytes stood for together with what follows
// them.
func (s *resolver) goOn(branch, rest string, n int) (string, int, error) {
	if rest == "" {
		return branch, n, nil
	}
	whole, m, err := s.interpret(branch + rest)
	if m < len(branch) || err != nil {
		return branch, n, err
	}
	return whole, n + m - len(branch), nil
}

// priorPrefix resolves "@{-N}" at the start of a name to the branch that was
// left N checkouts ago.
func (s *resolver) priorPrefix(name string) (branch, rest string, ok bool) {
	text, ok := strings.CutPrefix(name, "@{-")
	if !ok {
		return "", "", false
	}
	digits, rest, ok := strings.Cut(text, "}")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n <= 0 || digits[0] == '+' {
		return "", "", false
	}
	log, err := s.repo.refs.Reflog("HEAD")
	if err != nil {
		return "", "", false
	}
	for i := len(log) - 1; i >= 0; i-- {
		if from, _, ok := checkoutMessage(log[i].Message); ok {
			if n--; n == 0 {
				return from, rest, true
			}
		}
	}
	return "", "", false
}
