package reader_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

func FuzzResolve(f *testing.F) {
	fixtures.RequireGit(f)
	dir := fixtures.Build(f, history)
	r := mustOpen(f, dir)
	for _, rev := range []string{"HEAD~1^2", "v1.0^{tree}:d", ":/c[12]", "@{-1}@{u}", "main@{2 days ago}", ":1:f", "HEAD^{/x}", "abcd", "x-gabcd", "@@{0}", "a..b", "HEAD^{!-x}"} {
		f.Add(rev)
	}
	f.Fuzz(func(t *testing.T, rev string) {
		id, err := r.Resolve(context.Background(), sandbox.Rev(rev))
		if err == nil && id.IsZero() && !strings.Contains(rev, id.String()) { // a whole id is taken as it is, as by git
			t.Fatalf("%q is nothing", rev)
		}
		if err != nil && err.Error() == "" {
			t.Fatalf("%q: an error without words", rev)
		}
		_ = errors.Is(err, fs.ErrNotExist)
	})
}
