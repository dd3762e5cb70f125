package tools

import (
	"path/filepath"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

const blameFixture = `
git init -q -b main repo
cd repo
seq -f 'a line of some length, number %g' 1 30 >f
seq -f 'another file with its line %g' 1 20 >other
commit first
(sed -n 16,30p f; sed -n 1,15p f) >n; mv n f; commit 'moved within'
sed -n 3,9p other >>f; sed -i 3,9d other; commit 'moved from other'
cp other copy; echo end >>copy; commit 'copied'
sed -n 12,18p other >>f; commit 'copied from an unchanged file'
sed -i 5d f; commit 'a line goes'
printf 'int one(void)\n{\n\treturn 1;\n}\n\nint two(void)\n{\n\treturn 2;\n}\n' >c.c; commit 'functions'
sed -i 's/return 2/return 3/' c.c; commit 'two is three'
`

// TestBlameParameters compares each parameter of blame with git's option.
func TestBlameParameters(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, blameFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
	type p = map[string]any
	for _, test := range []struct {
		params p
		args   []string
	}{
		{p{}, []string{"--", "f"}},
		{p{"moves": true}, []string{"-M", "--", "f"}},
		{p{"copies": 1}, []string{"-C", "--", "f"}},
		{p{"copies": 2}, []string{"-C", "-C", "--", "f"}},
		{p{"copies": 3}, []string{"-C", "-C", "-C", "--", "f"}},
		{p{"copies": 3, "rev": "HEAD~2", "lines": "30,45"}, []string{"-C", "-C", "-C", "-L30,45", "HEAD~2", "--", "f"}},
		{p{"path": "copy", "copies": 2}, []string{"-C", "-C", "--", "copy"}},
		{p{"path": "copy", "copies": 1}, []string{"-C", "--", "copy"}},
		{p{"reverse": true, "rev": "HEAD~4..HEAD"}, []string{"--reverse", "HEAD~4..HEAD", "--", "f"}},
		{p{"reverse": true, "rev": "HEAD~4"}, []string{"--reverse", "HEAD~4", "--", "f"}},
		{p{"reverse": true, "rev": "HEAD~4.."}, []string{"--reverse", "HEAD~4..", "--", "f"}},
		{p{"reverse": true, "rev": "HEAD~7..HEAD~3", "copies": 1}, []string{"-C", "--reverse", "HEAD~7..HEAD~3", "--", "f"}},
		{p{"reverse": true, "rev": "HEAD"}, []string{"--reverse", "HEAD", "--", "f"}},
		{p{"reverse": true}, []string{"--reverse", "--", "f"}},
		{p{"reverse": true, "rev": "HEAD~7", "path": "c.c"}, []string{"--reverse", "HEAD~7", "--", "c.c"}},
		{p{"path": "c.c", "lines": ":two"}, []string{"-L:two", "--", "c.c"}},
		{p{"path": "c.c", "lines": "/one/,/^}/"}, []string{"-L/one/,/^}/", "--", "c.c"}},
	} {
		if test.params["path"] == nil {
			test.params["path"] = "f"
		}
		test.params["porcelain"] = false
		same(t, tool, top, "blame", test.params, append([]string{"blame"}, test.args...)...)
		test.params["porcelain"] = true
		same(t, tool, top, "blame", test.params, append([]string{"blame", "--porcelain"}, test.args...)...)
	}
}
