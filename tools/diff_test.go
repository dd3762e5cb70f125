package tools

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

const diffFixture = `
git init -q -b main repo
cd repo
mkdir d
printf 'int f(void)\n{\n' > a.c; seq 1 30 >> a.c; printf '}\n' >> a.c
printf 'one  two\nthree\n\nfour \n' > spaces; cp a.c d/b.c; printf 'x\000' > bin; echo m > mode
commit one
sed -i 's/^15$/fifteen/' a.c; cp a.c copied.c; git mv d/b.c d/moved.c; chmod +x mode; echo new > new
commit two
git tag -a -m tag v1
printf 'one two\nthree\n\nfour\n' > spaces; sed -i 's/^3$/three/' a.c; printf 'y\000' > bin
git add bin; git rm -q new
echo staged > d/added; git add d/added; echo more >> d/added
`

// TestDiffParameters compares each parameter of diff with git's option.
func TestDiffParameters(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, diffFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	type p = map[string]any
	for _, test := range []struct {
		dir    string
		params p
		args   []string
	}{
		{"", p{}, []string{"--unified=3"}},
		{"", p{"cached": true}, []string{"--unified=3", "--cached"}},
		{"d", p{}, []string{"--unified=3"}},
		{"d", p{"cached": true}, []string{"--unified=3", "--cached"}},
		{"d", p{"files": ":/a.c"}, []string{":/a.c"}},
		{"d", p{"files": []string{"../a.c", "added"}}, []string{"../a.c", "added"}},
		{"", p{"files": "*.c"}, []string{"*.c"}},
		{"", p{"files": "nothing"}, []string{"nothing"}},
		{"", p{"from": "HEAD"}, []string{"HEAD"}},
		{"", p{"from": "HEAD~1"}, []string{"HEAD~1"}},
		{"", p{"from": "HEAD~1", "cached": true}, []string{"--cached", "HEAD~1"}},
		{"", p{"from": "HEAD~1", "to": "v1"}, []string{"HEAD~1", "v1"}},
		{"", p{"from": "HEAD~1..HEAD"}, []string{"HEAD~1..HEAD"}},
		{"", p{"from": "HEAD~1.."}, []string{"HEAD~1.."}},
		{"", p{"from": "HEAD:d", "to": "HEAD~1:d"}, []string{"HEAD:d", "HEAD~1:d"}},
		{"", p{"from": "nothing"}, []string{"nothing"}},
		{"", p{"unified": 0}, []string{"--unified=0"}},
		{"", p{"unified": 10}, []string{"--unified=10"}},
		{"", p{"function_context": true}, []string{"-W"}},
		{"", p{"stat": true, "from": "HEAD~1"}, []string{"--stat", "HEAD~1"}},
		{"", p{"numstat": true, "from": "HEAD~1"}, []string{"--numstat", "HEAD~1"}},
		{"", p{"shortstat": true, "from": "HEAD~1"}, []string{"--shortstat", "HEAD~1"}},
		{"", p{"summary": true, "from": "HEAD~1"}, []string{"--summary", "HEAD~1"}},
		{"", p{"stat": true, "summary": true, "from": "HEAD~1"}, []string{"--stat", "--summary", "HEAD~1"}},
		{"", p{"name_status": true, "from": "HEAD~1"}, []string{"--name-status", "HEAD~1"}},
		{"", p{"name_only": true, "from": "HEAD~1"}, []string{"--name-only", "HEAD~1"}},
		{"", p{"name_only": true, "name_status": true}, []string{"--name-only", "--name-status"}},
		{"", p{"ignore_whitespace": "all"}, []string{"-w"}},
		{"", p{"ignore_whitespace": "change"}, []string{"-b"}},
		{"", p{"ignore_whitespace": "eol"}, []string{"--ignore-space-at-eol"}},
		{"", p{"find_copies": true, "from": "HEAD~1"}, []string{"-C", "HEAD~1"}},
		{"", p{"algorithm": "histogram"}, []string{"--histogram"}},
		{"", p{"algorithm": "patience"}, []string{"--patience"}},
		{"", p{"algorithm": "minimal"}, []string{"--minimal"}},
	} {
		at := filepath.Join(top, test.dir)
		args := append([]string{"diff"}, test.args...)
		if _, given := test.params["files"]; given {
			args = append(args[:1:1], append([]string{"--"}, test.args...)...)
		} else {
			args = append(args, "--", ".")
		}
		want := fixtures.Ask(t, at, args...)
		got := answerIn(t, tool, at, "diff", test.params)
		assert.Equal(t, want.Code == 0, got.Success, "%v: %s", test.params, got.Error)
		if want.Code == 0 {
			assert.Equal(t, string(want.Out), string(got.Output), "%v", test.params)
		}
	}
	for _, params := range []p{{"to": "HEAD"}, {"from": "HEAD", "to": "HEAD~1", "cached": true}, {"from": "--output=x"}, {"from": "HEAD", "to": "-f"}, {"files": ""}, {"algorithm": "x"}} {
		assert.False(t, answerIn(t, tool, top, "diff", params).Success, "%v", params)
	}
}
