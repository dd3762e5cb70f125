package tools

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
)

// prettyFormat returns the format that format.pretty asks for. A name that git
// doesn't know is its error, and so for log, which shows another format.
func (c *call) prettyFormat() (pretty.Format, error) {
	value, ok := c.repo.Config().Get("format.pretty")
	if !ok {
		return pretty.DefaultFormat, nil
	}
	var aliases []pretty.Alias
	for _, e := range c.repo.Config().Entries() {
		if e.Section == "pretty" && e.Subsection != "" {
			aliases = append(aliases, pretty.Alias{Name: e.Subsection + "." + e.Key, Value: e.Value})
		} else if e.Section == "pretty" {
			aliases = append(aliases, pretty.Alias{Name: e.Key, Value: e.Value})
		}
	}
	return pretty.ParseFormat(value, aliases)
}

// dates returns how log.date asks to show dates. A bad value is git's error.
func (c *call) dates() (d pretty.Dates, set bool, err error) {
	value, set := c.repo.Config().Get("log.date")
	if set {
		d, err = pretty.ParseDates(value)
	}
	options := c.repo.Options()
	d.Now, d.Zone = options.Now, options.Zone
	return d, set, err
}

// printer returns the format of commits with the repository's settings.
func (c *call) printer(ctx context.Context) (p pretty.Printer, err error) {
	p = pretty.Printer{Encoding: c.repo.OutputEncoding(), Abbrev: func(id plumbing.Hash) string { return c.repo.Abbrev(id, 0) }}
	p.Format, err = c.prettyFormat()
	if unbuilt := (*pretty.UnbuiltError)(nil); errors.As(err, &unbuilt) {
		return p, &UnavailableError{fmt.Sprintf("show in the format of format.pretty (%s)", unbuilt.What)}
	}
	if err != nil {
		return p, err
	}
	var dated bool
	if p.Dates, dated, err = c.dates(); err != nil {
		return p, err
	}
	if !dated && p.Format.ShortDates() {
		p.Dates.Format = pretty.DateShort
	}
	decorations, err := c.repo.Decorations()
	if err != nil {
		return p, err
	}
	if decorations != nil {
		p.Decorate = func(id plumbing.Hash) string { return decorations[id] }
	}
	p.Refs = c.decorate(decorations)
	if p.ShortID, err = c.repo.Config().Bool("log.abbrevcommit", false); err != nil {
		return p, err
	}
	use, err := c.repo.Config().Bool("log.mailmap", true)
	if err == nil && use {
		p.Names, err = c.repo.Mailmap(ctx)
	}
	return p, err
}

// decorate returns what %d shows: the decorations that are known, or those of
// all refs, which are read when they are first needed.
func (c *call) decorate(known reader.Decorations) func(id plumbing.Hash) (string, error) {
	load := sync.OnceValues(func() (reader.Decorations, error) {
		if known != nil {
			return known, nil
		}
		return c.repo.AllDecorations()
	})
	return func(id plumbing.Hash) (string, error) {
		decorations, err := load()
		return decorations[id], err
	}
}
