package tools

import (
	"context"
	"io"
	"iter"

	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
)

// The bounds of a log's limit, from the reference.
const (
	defaultLimit = 10
	maxLimit     = 1000
)

// log lists commits, a line each.
func log() *operation {
	var limit int64
	return &operation{
		doc: "List commits from HEAD back, newest first, a line each: hash|author|email|date|subject. Same bytes as git log -N --pretty=format:%H|%an|%ae|%ad|%s --date=iso.",
		params: []*Param{
			number(&limit, "limit", "How many commits at most, 1 to 1000.", defaultLimit, 1, maxLimit),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			return writeLog(w, c.repo, c.repo.Log(ctx, reader.LogOptions{Limit: int(limit)}))
		},
	}
}

// writeLog prints the commits with a newline between two of them, as git's
// format: does.
func writeLog(w io.Writer, repo *reader.Repository, commits iter.Seq2[*reader.Commit, error]) error {
	line := pretty.Line{Dates: pretty.Dates{Format: pretty.DateISO}, Encoding: outputEncoding(repo)}
	buf := buffer{to: w}
	separator := ""
	for commit, err := range commits {
		if err != nil {
			buf.flush() // what came before stands, as in git; the error counts
			return err
		}
		buf.text = append(buf.text, separator...)
		separator = "\n"
		if buf.text, err = line.Append(buf.text, commit.ID, commit.Data); err != nil {
			return err
		}
		if err := buf.flushFull(); err != nil {
			return err
		}
	}
	return buf.flush()
}

// outputEncoding returns the encoding in which git log prints: see
// i18n.logOutputEncoding in git-config(1). Empty is UTF-8.
func outputEncoding(repo *reader.Repository) string {
	config := repo.Config()
	for _, key := range []string{"i18n.logOutputEncoding", "i18n.commitEncoding"} {
		if name, ok := config.Get(key); ok {
			return name
		}
	}
	return ""
}
