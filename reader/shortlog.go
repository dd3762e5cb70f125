package reader

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/mailmap"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/pretty"
)

// ShortlogOptions are those of git-shortlog(1).
type ShortlogOptions struct {
	Email     bool // people are named as "Name <mail>"
	Committer bool // group by committers instead of authors
	Numbered  bool // most commits first, instead of by name
	Summary   bool // no subjects
}

// ShortlogGroup are the commits of one person.
type ShortlogGroup struct {
	Who      string
	Count    int
	Subjects []string // of the commits, the last one that the walk met first; without Summary
}

// Shortlog groups the commits that Log yields by people, whose names the
// mailmap decides.
func (r *Repository) Shortlog(ctx context.Context, commits LogOptions, opts ShortlogOptions) ([]ShortlogGroup, error) {
	names, err := r.Mailmap(ctx)
	if err != nil {
		return nil, err
	}
	key := []byte("author ")
	if opts.Committer {
		key = []byte("committer ")
	}
	encoding := r.OutputEncoding()
	groups := map[string]*ShortlogGroup{}
	for commit, err := range r.Log(ctx, commits) {
		if err != nil {
			return nil, err
		}
		headers, message, _ := bytes.Cut(pretty.Recode(commit.Data, encoding), []byte("\n\n"))
		who := shortlogName(headers, key, names, opts.Email)
		g := groups[who]
		if g == nil {
			g = &ShortlogGroup{Who: who}
			groups[who] = g
		}
		if g.Count++; !opts.Summary {
			g.Subjects = append(g.Subjects, shortlogSubject(message))
		}
	}
	return sortedGroups(groups, opts.Numbered), nil
}

func sortedGroups(groups map[string]*ShortlogGroup, numbered bool) []ShortlogGroup {
	list := make([]ShortlogGroup, 0, len(groups))
	for _, g := range groups {
		slices.Reverse(g.Subjects)
		list = append(list, *g)
	}
	slices.SortFunc(list, func(x, y ShortlogGroup) int {
		if numbered && x.Count != y.Count {
			return y.Count - x.Count
		}
		return cmp.Compare(x.Who, y.Who)
	})
	return list
}

// shortlogName is the person of a commit's header, by the mailmap. For a header
// that can't be read git shows its format's own letters.
func shortlogName(headers, key []byte, names *mailmap.Map, email bool) string {
	name, mail := []byte("%"+string(key[:1])+"N"), []byte("%"+string(key[:1])+"E")
	for line := range bytes.SplitSeq(headers, []byte("\n")) {
		if who, found := bytes.CutPrefix(line, key); found {
			if ident, ok := object.SplitIdent(who); ok {
				name, mail = names.Lookup(ident.Name, ident.Email)
			}
			break
		}
	}
	if email {
		return string(name) + " <" + string(mail) + ">"
	}
	return string(name)
}

// shortlogSubject is a message's subject without the mark of a patch that was
// sent by mail.
func shortlogSubject(message []byte) string {
	if end := bytes.IndexByte(message, 0); end >= 0 {
		message = message[:end]
	}
	subject := string(pretty.AppendSubject(nil, message, " "))
	if subject == "" {
		return "<none>"
	}
	subject = strings.TrimLeft(subject, " \t\n\r")
	if strings.HasPrefix(subject, "[PATCH") {
		if _, rest, ok := strings.Cut(subject, "]"); ok {
			subject = rest
		}
	}
	return strings.TrimLeft(subject, " \t\r")
}
