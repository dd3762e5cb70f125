package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/refs"
	"github.com/ingit-dev/ingit/internal/wildmatch"
)

// tags lists tags.
func tags() *operation {
	var patterns []string
	return &operation{
		doc: "List the tags, a name a line. Same bytes as git tag --list [PATTERN].",
		params: []*Param{
			texts(&patterns, "pattern", "Only tags whose name matches this shell pattern, or one of these."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			const prefix = "refs/tags/"
			found, err := c.listRefs(prefix, func(name string) bool { return matchesAny(patterns, name[len(prefix):]) })
			if err != nil {
				return err
			}
			if err := c.repo.SortRefs(ctx, "tag.sort", found); err != nil {
				return err
			}
			buf := buffer{to: w}
			for _, ref := range found {
				buf.text = append(append(buf.text, ref.Name[len(prefix):]...), '\n')
				if err := buf.flushFull(); err != nil {
					return err
				}
			}
			return buf.flush()
		},
	}
}

// forEachRef lists refs with their objects.
func forEachRef() *operation {
	var patterns []string
	return &operation{
		doc: "List refs, a line each: id, type, a tab, full name. Same bytes as git for-each-ref [PATTERN...].",
		params: []*Param{
			texts(&patterns, "pattern", "Only refs below this full name (refs/heads), or that match this shell pattern, or one of these."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			found, err := c.listRefs("refs/", func(name string) bool { return refMatches(patterns, name) })
			if err != nil {
				return err
			}
			objects := c.repo.Objects().NewReader()
			defer objects.Close()
			buf := buffer{to: w}
			for _, ref := range found {
				if err := ctx.Err(); err != nil {
					return err
				}
				kind, _, err := objects.Header(ref.ID)
				if errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("missing object %s for %s", ref.ID, ref.Name)
				}
				if err != nil {
					return err
				}
				buf.text = fmt.Appendf(buf.text, "%s %s\t%s\n", ref.ID, kind, ref.Name)
				if err := buf.flushFull(); err != nil {
					return err
				}
			}
			return buf.flush()
		},
	}
}

// listRefs returns the refs below prefix that are not broken, by name.
func (c *call) listRefs(prefix string, wanted func(name string) bool) ([]refs.Ref, error) {
	found, err := c.repo.Refs().List(prefix)
	return slices.DeleteFunc(found, func(ref refs.Ref) bool { return ref.Broken || !wanted(ref.Name) }), err
}

// matchesAny says whether name matches one of the shell patterns, in which a
// star takes slashes too. No pattern takes every name.
func matchesAny(patterns []string, name string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool { return wildmatch.Match(p, name, 0) })
}

// refMatches is git-for-each-ref(1)'s rule: a pattern is a ref's full name, a
// beginning of it up to a slash, or a shell pattern of whole names.
func refMatches(patterns []string, name string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		rest, below := strings.CutPrefix(name, p)
		return below && (rest == "" || rest[0] == '/' || strings.HasSuffix(p, "/")) || wildmatch.Match(p, name, wildmatch.PathName)
	})
}

// reflog shows where a ref has been.
func reflog() *operation {
	var ref string
	var limit int64
	return &operation{
		doc: "Show where a ref has been, newest first, a line each: id, REF@{N}: what moved it. Same bytes as git reflog show REF.",
		params: []*Param{
			revision(&ref, "ref", "The ref, a branch or HEAD.", "HEAD"),
			number(&limit, "limit", "How many entries at most, 1 to 1000.", maxLimit, 1, maxLimit),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			full, err := c.fullName(ctx, ref)
			if err != nil {
				return err
			}
			log, err := c.repo.Refs().Reflog(full)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			buf := buffer{to: w}
			for n := range log {
				entry := log[len(log)-1-n]
				if int64(n) == limit || entry.New.IsZero() {
					break
				}
				buf.text = fmt.Appendf(buf.text, "%s %s@{%d}: %s\n", c.repo.Abbrev(entry.New, 0), ref, n, entry.Message)
				if err := buf.flushFull(); err != nil {
					return err
				}
			}
			return buf.flush()
		},
	}
}

// fullName returns the full name of a ref as git finds it by a short one.
func (c *call) fullName(ctx context.Context, name string) (string, error) {
	for _, prefix := range []string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"} {
		if _, err := c.repo.Refs().Read(prefix + name); err == nil {
			return prefix + name, nil
		}
	}
	_, err := c.resolve(ctx, "ref", name)
	if err == nil {
		err = fmt.Errorf("'%s' is not a ref", name)
	}
	return "", err
}

// remotes lists the remote repositories that are configured.
func remotes() *operation {
	var verbose bool
	return &operation{
		doc: "List the remotes, a name a line. Same bytes as git remote [-v].",
		params: []*Param{
			flag(&verbose, "verbose", "Show their URLs, too, to fetch from and to push to."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			var text []byte
			for _, remote := range c.repo.Remotes() {
				if !verbose {
					text = append(append(text, remote.Name...), '\n')
					continue
				}
				if remote.Fetch == "" {
					text = fmt.Appendf(text, "%s\t\n", remote.Name)
					continue
				}
				text = fmt.Appendf(text, "%s\t%s (fetch)\n", remote.Name, remote.Fetch)
				for _, url := range remote.Push {
					text = fmt.Appendf(text, "%s\t%s (push)\n", remote.Name, url)
				}
			}
			_, err := w.Write(text)
			return err
		},
	}
}
