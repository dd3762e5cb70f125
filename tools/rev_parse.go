package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/reader"
)

// revParse shows which object a revision names.
func revParse() *operation {
	var rev string
	return &operation{
		doc: "Show the full id of the object that a revision names, or of the ends of a range, those to leave out after a ^. Same bytes as git rev-parse REV.",
		params: []*Param{
			text(&rev, "rev", "The revision or range, in the syntax of gitrevisions(7).").required(),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			p := revPrinter{call: c, ctx: ctx}
			if err := p.print(rev); err != nil {
				return err
			}
			_, err := w.Write(p.text)
			return err
		},
	}
}

// revPrinter writes the ids that one argument of git rev-parse stands for.
type revPrinter struct {
	*call
	ctx  context.Context
	text []byte
}

func (p *revPrinter) add(id plumbing.Hash, exclude bool) {
	if exclude {
		p.text = append(p.text, '^')
	}
	p.text = fmt.Appendln(p.text, id)
}

func (p *revPrinter) print(rev string) error {
	for _, short := range []func(string) (bool, error){p.dots, p.parents} {
		if done, err := short(rev); done || err != nil {
			return err
		}
	}
	name, exclude := strings.CutPrefix(rev, "^")
	id, err := p.resolve(p.ctx, "rev", name)
	if unknown := new(*reader.UnknownRevisionError); errors.As(err, unknown) {
		return &reader.UnknownRevisionError{Rev: rev}
	}
	if err == nil {
		p.add(id, exclude)
	}
	return err
}

// dots prints OLD..NEW and OLD...NEW, the latter with the merge bases. It
// reports false where the sides name nothing.
func (p *revPrinter) dots(rev string) (bool, error) {
	old, new, symmetric, isRange := splitRange(rev)
	if !isRange {
		return false, nil
	}
	var ids [2]plumbing.Hash
	for i, side := range []string{old, new} {
		var err error
		if ids[i], err = p.resolve(p.ctx, "rev", side); err != nil {
			return false, unlessUnknown(err)
		}
	}
	if !symmetric {
		p.add(ids[1], false)
		p.add(ids[0], true)
		return true, nil
	}
	commits, err := p.commitIDs(p.ctx, []string{ids[0].String(), ids[1].String()})
	if err != nil {
		return false, nil
	}
	p.add(ids[1], false)
	p.add(ids[0], false)
	bases, err := p.repo.MergeBases(p.ctx, commits[0], commits[1])
	for _, base := range bases {
		p.add(base, true)
	}
	return true, err
}

// parents prints REV^!, REV^@, REV^- and REV^-N. It reports false where there is
// no such commit or parent.
func (p *revPrinter) parents(rev string) (bool, error) {
	name, mark, number, ok := cutParents(rev)
	if !ok {
		return false, nil
	}
	id, err := p.resolve(p.ctx, "rev", name)
	if err != nil {
		return false, unlessUnknown(err)
	}
	commits, err := p.commitIDs(p.ctx, []string{id.String()})
	if err != nil {
		return false, nil
	}
	parents, err := p.repo.Parents(commits[0])
	if err != nil || number > len(parents) {
		return false, err
	}
	if mark != '@' {
		p.add(id, false)
	}
	for i, parent := range parents {
		if number == 0 || number == i+1 {
			p.add(parent, mark != '@')
		}
	}
	return true, nil
}

// cutParents cuts a revision before the first of the marks "^!", "^@" and "^-",
// in this order, as git rev-parse looks for them, unlike git's walks; a number is what follows the last, 1 by default, and 0 of the
// others.
func cutParents(rev string) (name string, mark byte, number int, ok bool) {
	for _, mark := range []byte("!@-") {
		name, rest, found := strings.Cut(rev, "^"+string(mark))
		switch {
		case !found || name == "":
			continue
		case mark != '-':
			return name, mark, 0, rest == ""
		case rest == "":
			return name, mark, 1, true
		}
		number, err := strconv.Atoi(rest)
		return name, mark, number, err == nil && number > 0
	}
	return "", 0, 0, false
}

// unlessUnknown passes over the error that a revision names nothing.
func unlessUnknown(err error) error {
	if unknown := new(*reader.UnknownRevisionError); errors.As(err, unknown) {
		return nil
	}
	return err
}
