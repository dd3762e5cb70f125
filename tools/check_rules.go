package tools

import (
	"context"
	"fmt"
	"io"

	"github.com/ingit-dev/ingit/internal/quote"
)

// checkIgnore tells which pattern ignores a path.
func checkIgnore() *operation {
	var files []string
	var nonMatching, noIndex bool
	return &operation{
		doc:     "Tell which line of which ignore file decides on each path: SOURCE:LINE:PATTERN, a tab, the path. Same bytes as git check-ignore -v [-n] [--no-index] -- FILES; nothing matching is an empty answer.",
		bounded: true,
		params: []*Param{
			texts(&files, "files", "The paths, relative to cwd.").required(),
			flag(&nonMatching, "non_matching", "Show paths that no pattern matches, too, with an empty source."),
			flag(&noIndex, "no_index", "Look at tracked paths like at others."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			quotePath, err := c.repo.Config().Bool("core.quotePath", true)
			if err != nil {
				return err
			}
			checks, err := c.repo.CheckIgnore(ctx, files, noIndex)
			if err != nil {
				return err
			}
			buf := buffer{to: w}
			for _, check := range checks {
				switch p := check.Pattern; {
				case p != nil:
					buf.text = quote.Append(buf.text, p.Source, quotePath)
					buf.text = fmt.Appendf(buf.text, ":%d:%s\t", p.Line, p.Text())
				case nonMatching:
					buf.text = append(buf.text, "::\t"...)
				default:
					continue
				}
				buf.text = append(quote.Append(buf.text, check.Path, quotePath), '\n')
			}
			return buf.flush()
		},
	}
}

// checkAttr tells the attributes of paths.
func checkAttr() *operation {
	var files, attrs []string
	return &operation{
		doc:     "Tell the gitattributes of paths, a line each: PATH: ATTRIBUTE: VALUE. Same bytes as git check-attr ATTRS -- FILES, or git check-attr -a -- FILES.",
		bounded: true,
		params: []*Param{
			texts(&files, "files", "The paths, relative to cwd.").required(),
			texts(&attrs, "attrs", "Only these attributes, whether specified or not. Default: all that are specified."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			quotePath, err := c.repo.Config().Bool("core.quotePath", true)
			if err != nil {
				return err
			}
			checks, err := c.repo.CheckAttr(ctx, attrs, files)
			if err != nil {
				return err
			}
			buf := buffer{to: w}
			for _, check := range checks {
				buf.text = quote.Append(buf.text, check.Path, quotePath)
				buf.text = fmt.Appendf(buf.text, ": %s: %s\n", check.Name, check.Value)
			}
			return buf.flush()
		},
	}
}
