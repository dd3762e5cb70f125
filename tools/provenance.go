package tools

import (
	"context"
	"fmt"
	"io"

	"github.com/ingit-dev/ingit/internal/quote"
	"github.com/ingit-dev/ingit/reader"
)

// provenance says where the files come from.
func provenance() *operation {
	return &operation{
		doc: "Tell where the files of the work tree come from, a line each, name and value: head, branch (or detached), upstream, tag (each one at HEAD), nearest (as git describe --tags), remote (its URL without credentials), dirty, shallow, linked. What there isn't has no line.",
		run: func(ctx context.Context, c *call, w io.Writer) error {
			p, err := c.repo.Provenance(ctx)
			if err != nil {
				return err
			}
			_, err = w.Write(provenanceText(&p))
			return err
		},
	}
}

func provenanceText(p *reader.Provenance) (text []byte) {
	line := func(name, value string) {
		if value != "" {
			text = fmt.Appendf(text, "%s %s\n", name, value)
		}
	}
	if !p.Head.IsZero() {
		line("head", p.Head.String())
	}
	if line("branch", p.Branch); p.Branch == "" {
		text = append(text, "detached\n"...)
	}
	line("upstream", p.Upstream)
	for _, tag := range p.Tags {
		line("tag", tag)
	}
	line("nearest", p.Nearest)
	line("remote", p.Remote)
	return fmt.Appendf(text, "dirty %t\nshallow %t\nlinked %t\n", p.Dirty, p.Shallow, p.Linked)
}

// isDirty tells whether anything differs from HEAD.
func isDirty() *operation {
	var untracked bool
	return &operation{
		doc: "Tell whether tracked files differ from HEAD, staged or not: true or false. It stops at the first difference.",
		params: []*Param{
			flag(&untracked, "untracked", "Untracked files count, too."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			opts := reader.StatusOptions{Untracked: reader.UntrackedNo}
			if untracked {
				opts.Untracked = reader.UntrackedNormal
			}
			if _, err := c.repo.WorkTree(); err != nil {
				return err
			}
			dirty, err := c.repo.Dirty(ctx, opts)
			if err == nil {
				_, err = fmt.Fprintln(w, dirty)
			}
			return err
		},
	}
}

// lastCommits tells which commit changed each path of a folder last.
func lastCommits() *operation {
	var rev, folder string
	var recursive bool
	return &operation{
		doc:     "Tell for each entry of a folder of a revision which commit changed it last, in one walk: commit, tab, path. The commit is that of git log -1 --format=%H REV -- PATH.",
		bounded: true,
		params: []*Param{
			revision(&rev, "rev", "The commit or tag.", "HEAD"),
			text(&folder, "path", "The folder, relative to cwd. Default: cwd."),
			flag(&recursive, "recursive", "Go into folders."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			id, err := c.resolveCommit(ctx, rev)
			if err != nil {
				return err
			}
			within, err := c.pathInTree(folder)
			if err != nil {
				return err
			}
			if within != "" && within[len(within)-1] != '/' {
				within += "/"
			}
			found, err := c.repo.LastCommits(ctx, id, reader.ListTreeOptions{Path: within, Recursive: recursive})
			if err != nil {
				return err
			}
			return c.writeLastCommits(w, found)
		},
	}
}

func (c *call) writeLastCommits(w io.Writer, found []reader.LastCommit) error {
	quotePath, err := c.repo.Config().Bool("core.quotePath", true)
	if err != nil {
		return err
	}
	buf := buffer{to: w}
	for _, f := range found {
		buf.text = fmt.Appendf(buf.text, "%s\t", f.Commit)
		buf.text = append(quote.Append(buf.text, relativeTo(c.repo.Prefix(), f.Entry.Path), quotePath), '\n')
		if err := buf.flushFull(); err != nil {
			return err
		}
	}
	return buf.flush()
}
