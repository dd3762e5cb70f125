package tools

import (
	"context"
	"fmt"
	"io"

	"github.com/ingit-dev/ingit/internal/quote"
	"github.com/ingit-dev/ingit/reader"
)

// lsFiles lists files of the index and of the work tree.
func lsFiles() *operation {
	var files []string
	var stage, others, ignored, unmerged bool
	return &operation{
		doc:     "List files: those of the index, or with others those of the work tree that the index does not know. Same bytes as git ls-files [--stage] [--unmerged] [--others --exclude-standard] [--ignored --exclude-standard] -- FILES.",
		bounded: true,
		params: []*Param{
			texts(&files, "files", "Only these paths: one git pathspec or several, relative to cwd. Default: cwd."),
			flag(&stage, "stage", "Show mode, id and stage of each entry of the index."),
			flag(&others, "others", "Show untracked files. What the ignore files match is left out, unless ignored is set."),
			flag(&ignored, "ignored", "Show only what the ignore files match; with others or stage."),
			flag(&unmerged, "unmerged", "Show only paths in conflict, with their stages."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			spec, err := c.repo.PathsHere(files)
			if err != nil {
				return err
			}
			quotePath, err := c.repo.Config().Bool("core.quotePath", true)
			if err != nil {
				return err
			}
			// Git takes -s for neither -o nor -c here.
			cached := stage || !others && !unmerged && !ignored
			buf := buffer{to: w}
			for f, err := range c.repo.ListFiles(ctx, reader.ListFilesOptions{Paths: spec, Cached: cached, Unmerged: unmerged, Others: others, Ignored: ignored}) {
				if err != nil {
					return err
				}
				if f.Entry != nil && (stage || unmerged) {
					buf.text = fmt.Appendf(buf.text, "%06o %s %d\t", f.Entry.Mode, f.Entry.ID, f.Entry.Stage)
				}
				buf.text = quote.Append(buf.text, relativeTo(c.repo.Prefix(), f.Path), quotePath)
				buf.text = append(buf.text, '\n')
				if err := buf.flushFull(); err != nil {
					return err
				}
			}
			return buf.flush()
		},
	}
}
