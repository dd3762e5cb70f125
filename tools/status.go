package tools

import (
	"context"
	"io"

	"github.com/ingit-dev/ingit/internal/statustext"
	"github.com/ingit-dev/ingit/reader"
)

// status shows the state of the work tree.
func status() *operation {
	var files []string
	var untracked, format string
	var ignored bool
	return &operation{
		doc: "Show the state of the work tree: branch, upstream, and changed, unmerged and untracked paths. Same bytes as git status --porcelain=2 --branch.",
		params: []*Param{
			word(&untracked, "untracked", "Which untracked files to show: none, folders as a whole, or each file. Default: what status.showUntrackedFiles says.", "no", "normal", "all"),
			flag(&ignored, "ignored", "Show ignored files, too."),
			texts(&files, "files", "Only these paths: one git pathspec or several, relative to cwd. Default: everything."),
			choice(&format, "format", "porcelain2 for programs; short or long as git prints them for people.", "porcelain2", "short", "long"),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			opts := reader.StatusOptions{Untracked: reader.UntrackedMode(untracked), QuickBranch: format != "porcelain2", Operation: format == "long"}
			if ignored {
				opts.Ignored = reader.IgnoredTraditional
			}
			var err error
			if opts.Paths, err = c.repo.Paths(files); err != nil {
				return err
			}
			text, err := statustext.OptionsFor(c.repo)
			if err != nil {
				return err
			}
			text.Ignored = ignored
			s, err := c.repo.Status(ctx, opts)
			if err != nil {
				return err
			}
			switch format {
			case "short":
				if text.Branch, err = c.repo.Config().Bool("status.branch", false); err != nil {
					return err
				}
				return statustext.Short(w, s, text)
			case "long":
				if text.Submodules, err = statustext.Submodules(ctx, c.repo); err != nil {
					return err
				}
				return statustext.Long(w, s, text)
			}
			return statustext.Porcelain2(w, s, text)
		},
	}
}
