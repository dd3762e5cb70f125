package reader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/sandbox"
)

// UnknownRevisionError is a rev that names nothing. It is fs.ErrNotExist.
type UnknownRevisionError struct{ Rev string }

// Error is git's sentence, without "fatal: ".
func (e *UnknownRevisionError) Error() string {
	return fmt.Sprintf("ambiguous argument '%s': unknown revision or path not in the working tree.\n"+
		"Use '--' to separate paths from revisions, like this:\n"+
		"'git <command> [<revision>...] -- [<file>...]'", e.Rev)
}

// Is makes the error fs.ErrNotExist.
func (e *UnknownRevisionError) Is(target error) bool { return target == fs.ErrNotExist }

// RevisionError is a rev whose form is right and whose content is not there,
// or is not clear. It is fs.ErrNotExist.
type RevisionError struct {
	Rev   string
	text  string
	level string
}

// Error is git's sentence, without "fatal: ".
func (e *RevisionError) Error() string { return e.text }

// Is makes the error fs.ErrNotExist.
func (e *RevisionError) Is(target error) bool { return target == fs.ErrNotExist }

// GitLevel is the word that git prints before the sentence.
func (e *RevisionError) GitLevel() string {
	if e.level == "" {
		return "fatal"
	}
	return e.level
}

// errNoMatch says inside this package that a rev names nothing.
var errNoMatch = errors.New("no such revision")

// want is what kind of object an abbreviated id should mean where several
// begin alike.
type want int

const (
	wantAny want = iota
	wantCommit
	wantCommittish
	wantTreeish
)

// Resolve returns the id of the object that a rev names, in the syntax of
// gitrevisions(7); tags are not peeled. Ranges are ResolveRange's. The error
// is an *UnknownRevisionError, a *RevisionError or an *AmbiguousError.
func (r *Repository) Resolve(ctx context.Context, rev sandbox.Rev) (plumbing.Hash, error) {
	return r.resolveAs(ctx, string(rev), wantAny)
}

// ResolveCommit is Resolve for a rev that must lead to a commit; annotated
// tags are peeled.
func (r *Repository) ResolveCommit(ctx context.Context, rev sandbox.Rev) (plumbing.Hash, error) {
	id, err := r.resolveAs(ctx, string(rev), wantCommittish)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	commit, err := r.peelTo(id, plumbing.CommitObject)
	return commit, BadObject(err, id, string(rev))
}

func (r *Repository) resolveAs(ctx context.Context, rev string, as want) (plumbing.Hash, error) {
	entry, err := r.resolveEntry(ctx, rev, as)
	return entry.ID, err
}

// ResolveEntry is Resolve, and tells the path and the mode of "REV:path",
// ":path" and ":N:path". Other revs have neither.
func (r *Repository) ResolveEntry(ctx context.Context, rev sandbox.Rev) (Entry, error) {
	return r.resolveEntry(ctx, string(rev), wantAny)
}

func (r *Repository) resolveEntry(ctx context.Context, rev string, as want) (Entry, error) {
	s := resolver{repo: r, ctx: ctx, rev: rev}
	id, err := s.whole(rev, as)
	if errors.Is(err, errNoMatch) {
		return Entry{}, &UnknownRevisionError{Rev: rev}
	}
	return Entry{Path: s.path, Mode: s.mode, ID: id, IDKnown: err == nil}, err
}

// resolver resolves one rev.
type resolver struct {
	repo *Repository
	ctx  context.Context
	rev  string

	path string // of "REV:path", once it is found, with the mode there
	mode uint32
}

// fail is a sentence of git's that ends the resolution.
func (s *resolver) fail(format string, args ...any) error {
	return &RevisionError{Rev: s.rev, text: fmt.Sprintf(format, args...)}
}

// whole resolves a rev with its path part: "REV:path", ":path", ":N:path",
// ":/text".
func (s *resolver) whole(rev string, as want) (plumbing.Hash, error) {
	if strings.HasPrefix(rev, ":") {
		if text, ok := strings.CutPrefix(rev, ":/"); ok && text != "" {
			return s.anyMessage(text)
		}
		return s.inIndex(rev)
	}
	colon := pathColon(rev)
	if colon < 0 {
		return s.object(rev, as)
	}
	if id, err := s.object(rev, as); err == nil || !errors.Is(err, errNoMatch) {
		return id, err
	}
	tree, err := s.object(rev[:colon], wantTreeish)
	if errors.Is(err, errNoMatch) {
		return plumbing.ZeroHash, s.fail("invalid object name '%s'.", rev[:colon])
	}
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return s.inTree(tree, rev[:colon], rev[colon+1:])
}

// pathColon finds the colon before a path: the first one outside of braces.
func pathColon(rev string) int {
	depth := 0
	for i := 0; i < len(rev); i++ {
		switch c := rev[i]; {
		case c == '{':
			depth++
		case depth > 0 && c == '}':
			depth--
		case depth == 0 && c == ':':
			return i
		}
	}
	return -1
}

// object resolves a rev without a path: suffixes first, then names.
func (s *resolver) object(name string, as want) (plumbing.Hash, error) {
	end := len(name)
	for end > 0 && isDigit(name[end-1]) {
		end--
	}
	if end > 0 && (name[end-1] == '^' || name[end-1] == '~') {
		n, ok := suffixNumber(name[end:])
		if !ok {
			return plumbing.ZeroHash, errNoMatch
		}
		if name[end-1] == '^' {
			return s.parent(name[:end-1], n)
		}
		return s.ancestor(name[:end-1], n)
	}
	if id, err := s.peeled(name); !errors.Is(err, errNoMatch) {
		return id, err
	}
	if id, err := s.basic(name, as); !errors.Is(err, errNoMatch) {
		return id, err
	}
	if i := strings.LastIndex(name, "-g"); i > 0 && isHex(name[i+2:]) {
		if id, err := s.short(name[i+2:], wantCommit, true); err == nil {
			return id, nil
		}
	}
	return s.short(name, as, false)
}

// suffixNumber reads the number after "^" or "~"; none is 1.
func suffixNumber(digits string) (int, bool) {
	if digits == "" {
		return 1, true
	}
	n := 0
	for _, c := range digits {
		if n = n*10 + int(c-'0'); n > math.MaxInt32 {
			return 0, false
		}
	}
	return n, true
}

func (s *resolver) commit(name string) (plumbing.Hash, error) {
	id, err := s.object(name, wantCommittish)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	commit, err := s.repo.peelTo(id, plumbing.CommitObject)
	if err != nil {
		return plumbing.ZeroHash, errNoMatch
	}
	return commit, nil
}

// parent resolves "NAME^N": the Nth parent, or with 0 the commit itself.
func (s *resolver) parent(name string, n int) (plumbing.Hash, error) {
	id, err := s.commit(name)
	if err != nil || n == 0 {
		return id, err
	}
	parents, err := s.repo.Parents(id)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if n > len(parents) {
		return plumbing.ZeroHash, errNoMatch
	}
	return parents[n-1], nil
}

// ancestor resolves "NAME~N": N first parents up.
func (s *resolver) ancestor(name string, n int) (plumbing.Hash, error) {
	id, err := s.commit(name)
	for ; err == nil && n > 0; n-- {
		if err = s.ctx.Err(); err != nil {
			break
		}
		var parents []plumbing.Hash
		if parents, err = s.repo.Parents(id); err == nil {
			if len(parents) == 0 {
				return plumbing.ZeroHash, errNoMatch
			}
			id = parents[0]
		}
	}
	return id, err
}

// peeled resolves "NAME^{TYPE}", "NAME^{}" and "NAME^{/text}".
func (s *resolver) peeled(name string) (plumbing.Hash, error) {
	if len(name) < 4 || name[len(name)-1] != '}' {
		return plumbing.ZeroHash, errNoMatch
	}
	open := strings.LastIndex(name, "^{")
	if open <= 0 {
		return plumbing.ZeroHash, errNoMatch
	}
	kind, as, ok := peelKind(name[open+2:])
	if !ok {
		return plumbing.ZeroHash, errNoMatch
	}
	id, err := s.object(name[:open], as)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	id, err = s.repo.peelTo(id, kind)
	if err != nil {
		return plumbing.ZeroHash, errNoMatch
	}
	if text := name[open+2:]; strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "/}") {
		return s.message(text[1:len(text)-1], []plumbing.Hash{id})
	}
	return id, nil
}

// peelKind reads what stands between the braces, with the closing one.
func peelKind(text string) (plumbing.ObjectType, want, bool) {
	switch {
	case strings.HasPrefix(text, "commit}"), strings.HasPrefix(text, "/"):
		return plumbing.CommitObject, wantCommittish, true
	case strings.HasPrefix(text, "tag}"):
		return plumbing.TagObject, wantAny, true
	case strings.HasPrefix(text, "tree}"):
		return plumbing.TreeObject, wantTreeish, true
	case strings.HasPrefix(text, "blob}"):
		return plumbing.BlobObject, wantAny, true
	case strings.HasPrefix(text, "object}"):
		return plumbing.AnyObject, wantAny, true
	case strings.HasPrefix(text, "}"):
		return plumbing.InvalidObject, wantAny, true
	}
	return 0, 0, false
}

// peelTo follows tags, and from a commit to its tree, until an object has the
// kind that is asked for: AnyObject takes the first, InvalidObject stands for
// whatever is no tag.
func (r *Repository) peelTo(id plumbing.Hash, kind plumbing.ObjectType) (plumbing.Hash, error) {
	reader := r.objects.NewReader()
	defer reader.Close()
	for {
		have, data, err := reader.Prefix(id, headSize)
		if err != nil {
			return plumbing.ZeroHash, commitError(id, err)
		}
		switch {
		case have == kind, kind == plumbing.AnyObject, kind == plumbing.InvalidObject && have != plumbing.TagObject:
			return id, nil
		case have == plumbing.TagObject:
			tag, err := object.ParseTag(id, data)
			if err != nil {
				return plumbing.ZeroHash, err
			}
			id = tag.Target
		case have == plumbing.CommitObject && kind == plumbing.TreeObject:
			tree, _, err := object.CommitTree(id, data)
			return tree, err
		default:
			return plumbing.ZeroHash, &TypeError{ID: id, Have: have, Want: kind}
		}
	}
}

// TypeError is an object of another type than the one asked for.
type TypeError struct {
	ID         plumbing.Hash
	Have, Want plumbing.ObjectType
}

// Error is git's sentence.
func (e *TypeError) Error() string {
	return fmt.Sprintf("object %s is a %s, not a %s", e.ID, e.Have, e.Want)
}

// GitLevel is the word that git prints before the sentence.
func (e *TypeError) GitLevel() string { return "error" }

// Parents returns a commit's parents, with grafts and shallow boundaries
// applied.
func (r *Repository) Parents(id plumbing.Hash) ([]plumbing.Hash, error) {
	o, err := r.loadOverrides()
	if err != nil {
		return nil, err
	}
	if parents, ok := o.parents[id]; ok {
		return parents, nil
	}
	kind, data, err := r.objects.Read(id)
	if err != nil {
		return nil, commitError(id, err)
	}
	if kind != plumbing.CommitObject {
		return nil, &TypeError{ID: id, Have: kind, Want: plumbing.CommitObject}
	}
	parents, _, err := object.CommitParents(id, data, nil)
	return parents, err
}

func isHex(s string) bool {
	for i := 0; i < len(s); i++ {
		if notHex(rune(s[i])) {
			return false
		}
	}
	return s != ""
}
