package blame

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/internal/quote"
	"github.com/ingit-dev/ingit/reader"
)

// Porcelain prints a result in the format of git blame --porcelain
// (git-blame(1), "THE PORCELAIN FORMAT").
func Porcelain(ctx context.Context, w io.Writer, r *reader.Repository, result *Result) error {
	d, err := newDescriber(ctx, r, result)
	if err != nil {
		return err
	}
	quotePath, err := r.Config().Bool("core.quotePath", true)
	if err != nil {
		return err
	}
	p := porcelain{describer: d, quotePath: quotePath, shown: map[plumbing.Hash]bool{}, paths: pathsPerCommit(result)}
	p.lines.Split(result.Content)
	for _, g := range result.Groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.group(g); err != nil {
			return err
		}
		if err := p.flush(w, 64<<10); err != nil {
			return err
		}
	}
	return p.flush(w, 0)
}

type porcelain struct {
	*describer
	lines     linediff.Lines
	quotePath bool
	shown     map[plumbing.Hash]bool
	paths     map[plumbing.Hash]int
	text      []byte
}

// pathsPerCommit counts the origins of each commit.
func pathsPerCommit(result *Result) map[plumbing.Hash]int {
	counted := map[*Origin]bool{}
	paths := map[plumbing.Hash]int{}
	for _, g := range result.Groups {
		if !counted[g.Origin] {
			counted[g.Origin] = true
			paths[g.Origin.Commit]++
		}
	}
	return paths
}

func (p *porcelain) flush(w io.Writer, least int) error {
	if len(p.text) < least || len(p.text) == 0 {
		return nil
	}
	_, err := w.Write(p.text)
	p.text = p.text[:0]
	return err
}

func (p *porcelain) group(g Group) error {
	id := g.Origin.Commit.String()
	p.text = fmt.Appendf(p.text, "%s %d %d %d\n", id, g.Source, g.Final, g.Count)
	first := !p.shown[g.Origin.Commit]
	if first {
		p.shown[g.Origin.Commit] = true
		if err := p.commit(g.Origin); err != nil {
			return err
		}
	}
	if first || p.paths[g.Origin.Commit] > 1 {
		p.names(g.Origin)
	}
	for i := range g.Count {
		if i > 0 {
			p.text = fmt.Appendf(p.text, "%s %d %d\n", id, g.Source+i, g.Final+i)
		}
		p.text = append(p.text, '\t')
		p.text = appendLine(p.text, p.lines.Line(g.Final-1+i))
	}
	return nil
}

// appendLine adds a line, which gets a newline if it has none.
func appendLine(dst, line []byte) []byte {
	dst = append(dst, line...)
	if !bytes.HasSuffix(line, []byte("\n")) {
		dst = append(dst, '\n')
	}
	return dst
}

func (p *porcelain) commit(o *Origin) error {
	d, err := p.describe(o.Commit)
	if err != nil {
		return err
	}
	p.person("author", d.author)
	p.person("committer", d.committer)
	p.text = fmt.Appendf(p.text, "summary %s\n", d.summary)
	if o.Boundary {
		p.text = append(p.text, "boundary\n"...)
	}
	return nil
}

func (p *porcelain) person(role string, who person) {
	p.text = fmt.Appendf(p.text, "%s %s\n%s-mail %s\n%s-time %d\n%s-tz %s\n",
		role, who.name, role, who.mail, role, who.when, role, who.zone)
}

func (p *porcelain) names(o *Origin) {
	if o.Previous != nil {
		p.text = fmt.Appendf(p.text, "previous %s ", o.Previous.Commit)
		p.text = append(quote.Append(p.text, o.Previous.Path, p.quotePath), '\n')
	}
	p.text = append(p.text, "filename "...)
	p.text = append(quote.Append(p.text, o.Path, p.quotePath), '\n')
}
