package reader

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/pretty"
)

// AmbiguousError is an abbreviated id that several objects begin with. It is
// fs.ErrNotExist.
type AmbiguousError struct {
	Prefix     string
	Rev        string
	Candidates []string // as git lists them: "1234567 commit 2024-01-31 - subject"
}

// Error is what git prints: the sentence, the candidates as a hint, and what
// becomes of the rev, without the first "error: ".
func (e *AmbiguousError) Error() string {
	text := fmt.Sprintf("short object ID %s is ambiguous", e.Prefix)
	if len(e.Candidates) > 0 {
		text += "\nhint: The candidates are:"
		for _, c := range e.Candidates {
			text += "\nhint:   " + c
		}
	}
	return text + "\nfatal: " + (&UnknownRevisionError{Rev: e.Rev}).Error()
}

// GitLevel is the word that git prints before the sentence.
func (e *AmbiguousError) GitLevel() string { return "error" }

// Is makes the error fs.ErrNotExist.
func (e *AmbiguousError) Is(target error) bool { return target == fs.ErrNotExist }

// short resolves an abbreviated id. Among several objects the one counts that
// is of the wanted kind, if only one is.
func (s *resolver) short(prefix string, as want, quiet bool) (plumbing.Hash, error) {
	if len(prefix) < minAbbrev || len(prefix) > fullAbbrev || !isHex(prefix) {
		return plumbing.ZeroHash, errNoMatch
	}
	prefix = strings.ToLower(prefix)
	found, err := s.repo.objects.Expand(prefix)
	switch {
	case err != nil:
		return plumbing.ZeroHash, err
	case len(found) == 0:
		return plumbing.ZeroHash, errNoMatch
	case len(found) == 1:
		return found[0], nil
	}
	if as == wantAny {
		as = s.repo.disambiguateHint()
	}
	var fit []plumbing.Hash
	for _, id := range found {
		if as != wantAny && s.repo.is(id, as) {
			fit = append(fit, id)
		}
	}
	if len(fit) == 1 {
		return fit[0], nil
	}
	if quiet {
		return plumbing.ZeroHash, errNoMatch
	}
	if len(fit) == 0 {
		fit = found
	}
	return plumbing.ZeroHash, &AmbiguousError{Prefix: prefix, Rev: s.rev, Candidates: s.repo.candidates(fit)}
}

// disambiguateHint is core.disambiguate (git-config(1)).
func (r *Repository) disambiguateHint() want {
	switch value, _ := r.Config().Get("core.disambiguate"); value {
	case "commit":
		return wantCommit
	case "committish":
		return wantCommittish
	case "treeish":
		return wantTreeish
	}
	return wantAny
}

func (r *Repository) is(id plumbing.Hash, as want) bool {
	kind, _, err := r.objects.Header(id)
	if err != nil {
		return false
	}
	switch {
	case kind == plumbing.CommitObject:
		return true
	case as == wantCommit:
		return false
	case kind == plumbing.TreeObject:
		return as == wantTreeish
	}
	target := plumbing.CommitObject
	if as == wantTreeish {
		target = plumbing.TreeObject
	}
	_, err = r.peelTo(id, target)
	return err == nil
}

// candidates describes objects as git lists them: tags, commits, trees, blobs.
func (r *Repository) candidates(ids []plumbing.Hash) []string {
	type candidate struct {
		id    plumbing.Hash
		order int
	}
	rank := map[plumbing.ObjectType]int{plumbing.TagObject: 0, plumbing.CommitObject: 1, plumbing.TreeObject: 2, plumbing.BlobObject: 3}
	list := make([]candidate, len(ids))
	for i, id := range ids {
		kind, _, _ := r.objects.Header(id)
		list[i] = candidate{id, rank[kind]}
	}
	slices.SortStableFunc(list, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.order, y.order), bytes.Compare(x.id[:], y.id[:]))
	})
	var lines []string
	for _, c := range list {
		lines = append(lines, r.candidate(c.id))
	}
	return lines
}

func (r *Repository) candidate(id plumbing.Hash) string {
	line := []byte(r.Abbrev(id, 0))
	kind, data, err := r.objects.Read(id)
	if err != nil {
		return string(line) + " [bad object]"
	}
	line = append(append(line, ' '), kind.String()...)
	var who, title []byte
	switch kind {
	case plumbing.CommitObject:
		commit, _ := object.ParseCommit(id, data)
		who, title = commit.Author, pretty.AppendSubject(nil, commit.Message, " ")
	case plumbing.TagObject:
		tag, _ := object.ParseTag(id, data)
		who, title = tag.Tagger, tag.Name
	default:
		return string(line)
	}
	ident, _ := object.SplitIdent(who)
	when, zone := pretty.Moment(ident)
	line = append(line, ' ')
	line, _ = pretty.Dates{Format: pretty.DateShort}.Append(line, when, zone)
	return string(append(append(line, " - "...), title...))
}
