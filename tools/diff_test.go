package tools

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

const diffFixture = `
git init -q -b main repo
cd repo
echo 'a.c x' > .git/info/attributes
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
		{"", p{"from": "v1..HEAD~1"}, []string{"v1..HEAD~1"}},
		{"", p{"from": "..HEAD~1"}, []string{"..HEAD~1"}},
		{"", p{"from": "HEAD~1...HEAD"}, []string{"HEAD~1...HEAD"}},
		{"", p{"from": "...HEAD~1"}, []string{"...HEAD~1"}},
		{"", p{"from": "HEAD...HEAD:d"}, []string{"HEAD...HEAD:d"}},
		{"", p{"from": "HEAD:d..HEAD~1:d"}, []string{"HEAD:d..HEAD~1:d"}},
		{"", p{"from": "HEAD^!"}, []string{"HEAD^!"}},
		{"", p{"from": "HEAD^-"}, []string{"HEAD^-"}},
		{"", p{"from": "HEAD~1^!"}, []string{"HEAD~1^!"}},
		{"", p{"from": "HEAD~1", "merge_base": true}, []string{"--merge-base", "HEAD~1"}},
		{"", p{"from": "HEAD~1", "merge_base": true, "cached": true}, []string{"--merge-base", "--cached", "HEAD~1"}},
		{"", p{"from": "HEAD", "to": "HEAD~1", "merge_base": true}, []string{"HEAD...HEAD~1"}},
		{"", p{"from": "HEAD~1..HEAD", "merge_base": true}, []string{"--merge-base", "HEAD~1..HEAD"}},
		{"", p{"from": "HEAD:d", "merge_base": true}, []string{"--merge-base", "HEAD:d"}},
		{"", p{"from": "HEAD:a.c", "files": "a.c"}, []string{"HEAD:a.c", "--", "a.c"}},
		{"", p{"from": "HEAD:a.c", "files": "spaces"}, []string{"HEAD:a.c", "--", "spaces"}},
		{"d", p{"from": "HEAD:./moved.c", "files": "moved.c"}, []string{"HEAD:./moved.c", "--", "moved.c"}},
		{"d", p{"from": "HEAD:a.c", "files": ":/a.c"}, []string{"HEAD:a.c", "--", ":/a.c"}},
		{"", p{"from": ":a.c", "files": "a.c", "stat": true}, []string{"--stat", ":a.c", "--", "a.c"}},
		{"", p{"from": ":mode", "files": "mode"}, []string{":mode", "--", "mode"}},
		{"", p{"from": ":mode", "files": "missing"}, []string{":mode", "--", "missing"}},
		{"", p{"from": ":mode", "files": "d"}, []string{":mode", "--", "d"}},
		{"", p{"word_diff": "plain"}, []string{"--word-diff"}},
		{"", p{"word_diff": "porcelain"}, []string{"--word-diff=porcelain"}},
		{"", p{"word_diff": "plain", "stat": true}, []string{"--word-diff", "--stat"}},
		{"", p{"ignore_blank_lines": true}, []string{"--ignore-blank-lines"}},
		{"", p{"ignore_blank_lines": true, "stat": true}, []string{"--ignore-blank-lines", "--stat"}},
		{"", p{"files": []string{":!a.c"}}, []string{"--", ":!a.c"}},
		{"", p{"files": []string{":(glob)**/*.c", ":(icase)SPACES"}}, []string{"--", ":(glob)**/*.c", ":(icase)SPACES"}},
		{"", p{"files": ":(literal)a.c"}, []string{"--", ":(literal)a.c"}},
		{"", p{"files": ":(attr:x)*"}, []string{"--", ":(attr:x)*"}},
		{"d", p{"files": ":(top,glob)*.c"}, []string{"--", ":(top,glob)*.c"}},
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
		if _, given := test.params["files"]; given && !slices.Contains(args, "--") {
			args = append(args[:1:1], append([]string{"--"}, test.args...)...)
		} else if !given {
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

// TestDiffOfFiles compares files of revisions, which git does only without
// paths.
func TestDiffOfFiles(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, diffFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	for _, sides := range [][2]string{
		{"HEAD~1:a.c", "HEAD:a.c"}, {"HEAD~1:d/b.c", "HEAD:a.c"}, {"HEAD:a.c", "HEAD:a.c"}, {"HEAD~1:mode", "HEAD:mode"}, {"HEAD:bin", ":bin"},
		{string(fixtures.Git(t, top, "rev-parse", "HEAD:a.c")[:40]), "HEAD:spaces"},
	} {
		for _, format := range []string{"--unified=3", "--stat", "--numstat", "--name-status", "--summary", "--name-only"} {
			want := fixtures.Git(t, top, "diff", format, sides[0], sides[1])
			params := map[string]any{"from": sides[0], "to": sides[1]}
			if name := strings.ReplaceAll(format[2:], "-", "_"); name != "unified=3" {
				params[name] = true
			}
			got := answerIn(t, tool, top, "diff", params)
			assert.Equal(t, string(want), string(got.Output), "%v %s %s", sides, format, got.Error)
			if format == "--unified=3" {
				got = answerIn(t, tool, top, "diff", map[string]any{"from": sides[0] + ".." + sides[1]})
				assert.Equal(t, string(want), string(got.Output), "%v %s", sides, got.Error)
			}
		}
	}
	for _, params := range []map[string]any{
		{"from": "HEAD:a.c"}, {"from": "HEAD:a.c", "to": "HEAD"}, {"from": "HEAD:a.c", "cached": true}, {"from": "HEAD:a.c", "files": []string{"a.c", "mode"}}, {"merge_base": true},
	} {
		assert.False(t, answerIn(t, tool, top, "diff", params).Success, "%v", params)
	}
}

const partedFixture = `
git init -q -b main repo
cd repo
seq 1 20 > a; echo base > b
commit base
git checkout -q -b side
sed -i 's/^5$/five/' a; echo side > c
commit side
git checkout -q main
sed -i 's/^15$/fifteen/' a; echo b > b
commit main
git checkout -q -b criss; git merge -q --no-edit side
git checkout -q side; git merge -q --no-edit main
echo more >> c; commit more
git checkout -q criss; sed -i 's/^15$/15/;s/^5$/v/' a; printf 'd\n' > d; git add d; git commit -q -a --amend --no-edit
echo e > e; commit e
git checkout -q --orphan other; commit other
git checkout -q criss
`

// TestDiffOfHistory compares ranges where lines of history meet more than once
// or never.
func TestDiffOfHistory(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, partedFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	for _, rev := range []string{"main...side", "criss...main", "main...criss", "criss...side", "side...criss", "criss...other", "main..side", "criss~1^!", "criss~1^-", "criss~1^-2", "criss~1^@", "criss^!", "other^!", "main^{tree}..side"} {
		for _, format := range []string{"--unified=3", "--stat", "--name-status"} {
			want := fixtures.Ask(t, top, "diff", format, rev, "--", ".")
			params := map[string]any{"from": rev}
			if name := strings.ReplaceAll(format[2:], "-", "_"); name != "unified=3" {
				params[name] = true
			}
			got := answerIn(t, tool, top, "diff", params)
			assert.Equal(t, want.Code == 0, got.Success, "%s: %s %s", rev, got.Error, want.Err)
			assert.Equal(t, string(want.Out), string(got.Output), "%v %s", rev, got.Error)
			if want.Code != 0 {
				assert.Contains(t, string(want.Err), got.Error)
			}
		}
	}
	for _, rev := range []string{"side", "other", "main"} {
		want := fixtures.Ask(t, top, "diff", "--merge-base", rev)
		got := answerIn(t, tool, top, "diff", map[string]any{"from": rev, "merge_base": true})
		assert.Equal(t, string(want.Out), string(got.Output), rev)
		if want.Code != 0 {
			assert.Contains(t, string(want.Err), got.Error)
		}
	}
}

const relativeFixture = `
git init -q -b main repo
cd repo
mkdir -p sub/deep other
seq 1 20 > sub/a; seq 1 20 > sub/deep/b; seq 1 20 > other/c; echo top > top; ln -s a sub/link; printf 'x\000' > sub/bin
printf '*.x diff=cpp\nlink* diff=bin\nsub/li* -diff\n' > .gitattributes
git config diff.bin.binary true
commit one
git checkout -q -b side; sed -i 's/^3$/three/' sub/a other/c; commit side
git checkout -q main; sed -i 's/^3$/3 3/' sub/a other/c; git mv other/c sub/moved; ln -sf deep sub/link; commit two
git merge -q side || :
printf 'more\n' >> sub/deep/b; rm top
`

// TestRelative compares diffs below a folder while diff.relative is set, with a
// conflict in it, and symbolic links that attributes don't count for.
func TestRelative(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, relativeFixture), "repo")
	for _, relative := range []string{"false", "true"} {
		fixtures.Git(t, top, "config", "diff.relative", relative)
		tool := newTool(t, top, sandbox.Policy{})
		for _, dir := range []string{"", "sub", "sub/deep", "other"} {
			at := filepath.Join(top, dir)
			if dir == "other" && fixtures.Ask(t, top, "ls-files", "other").Out == nil {
				continue
			}
			for _, format := range []string{"", "stat", "name_status", "summary"} {
				option := "--unified=3"
				if format != "" {
					option = "--" + strings.ReplaceAll(format, "_", "-")
				}
				for _, test := range []struct {
					params map[string]any
					args   []string
				}{
					{map[string]any{}, nil}, {map[string]any{"cached": true}, []string{"--cached"}}, {map[string]any{"from": "HEAD~1"}, []string{"HEAD~1"}}, {map[string]any{"from": "HEAD~1", "to": "HEAD"}, []string{"HEAD~1", "HEAD"}},
					{map[string]any{"from": "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "to": "HEAD"}, []string{"4b825dc642cb6eb9a060e54bf8d69288fbee4904", "HEAD"}},
				} {
					if format != "" {
						test.params[format] = true
					}
					want := fixtures.Git(t, at, append(append([]string{"diff", option}, test.args...), "--", ".")...)
					got := answerIn(t, tool, at, "diff", test.params)
					assert.Equal(t, string(want), string(got.Output), "relative=%s in %q: %v %s", relative, dir, test.params, got.Error)
				}
			}
			want := fixtures.Git(t, at, "show", "HEAD")
			assert.Equal(t, string(want), string(answerIn(t, tool, at, "show", map[string]any{}).Output), "relative=%s in %q: show", relative, dir)
		}
	}
}

const conflictFixture = `
git init -q -b main repo
cd repo
for f in dir link gone exec both; do seq 1 9 > $f; done; commit base
git checkout -q -b side; for f in dir link gone exec both; do sed -i s/^5$/side/ $f; done; commit side
git checkout -q main; for f in dir link gone exec both; do sed -i s/^5$/main/ $f; done; commit main
git merge -q side || :
rm dir; mkdir dir; echo x > dir/y; rm link; ln -s foo link; rm gone; chmod +x exec
`

// TestConflictsReplaced compares conflicts in files that are something else by
// now: a folder, a link, nothing, a program.
func TestConflictsReplaced(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, conflictFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	for _, format := range []string{"", "stat", "numstat", "name_status", "summary"} {
		for _, side := range []map[string]any{{}, {"cached": true}, {"from": "HEAD"}, {"from": "side"}} {
			args := []string{"diff"}
			if format != "" {
				args = append(args, "--"+strings.ReplaceAll(format, "_", "-"))
				side[format] = true
			}
			if side["cached"] == true {
				args = append(args, "--cached")
			}
			if from, ok := side["from"].(string); ok {
				args = append(args, from)
			}
			want := fixtures.Ask(t, top, append(args, "--", ".")...)
			got := answerIn(t, tool, top, "diff", side)
			assert.Equal(t, string(want.Out), string(got.Output), "%v: %s", args, got.Error)
		}
	}
}
