package tools

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

const showFixture = `
git init -q -b main repo
cd repo
printf 'one\ntwo\n' > a; mkdir d; printf 'x\n' > d/b; printf '\000' > bin
commit first
seq 1 30 > a; git mv d/b d/c; printf y > new
commit 'Subject	with tab

  body	with	tabs
é	after a letter of two bytes
漢	after a wide one
'
printf 'more\n' >> a
git add -A
printf '\n\n  \nleading blank lines, trailing space   \n\n\nmiddle\n\n\n' | git commit -q --cleanup=verbatim -F -
git commit -q --allow-empty --allow-empty-message -m ''
git commit -q --allow-empty -m 'nothing changed'
git -c i18n.commitEncoding=ISO-8859-1 commit -q --allow-empty -F - <<X
gr$(printf '\374')n in latin 1
X
GIT_AUTHOR_NAME='Old Name' GIT_AUTHOR_EMAIL=old@example.com git commit -q --allow-empty -m 'by an old name'
printf 'New Name <new@example.com> <old@example.com>\n' > .mailmap
commit 'a mailmap'
git notes add -m 'a note
of two lines' HEAD~1
git notes --ref=other add -m 'another note' HEAD~1
git notes add -m '' --allow-empty HEAD~2 || :
git tag light
git tag -a -m 'an annotated tag

with a body' v1
git tag -a -m 'of a tag' v2 v1
git tag -a -m 'of a tree' v3 HEAD^{tree}
git tag -a -m 'of a blob' v4 HEAD:a
git tag -a -m '' v5
printf 'tree %s\nauthor broken\ncommitter C <c@example.com> 1 +0000\n\nbroken author\n' $(git rev-parse HEAD^{tree}) > ../raw
git branch broken $(git hash-object -t commit --literally -w ../raw)
printf 'tree %s\nauthor A <a@example.com> 99999999999999999999 +0100\ncommitter C <c@example.com> 1 +0000\n' $(git rev-parse HEAD^{tree}) > ../raw
git branch nomessage $(git hash-object -t commit --literally -w ../raw)
`

// showArguments turns git's arguments into the request's parameters.
func showArguments(args []string) map[string]any {
	params := map[string]any{}
	var files []string
	for i, arg := range args {
		switch {
		case i == 0:
			params["rev"] = arg
		case arg == "--":
		case arg == "--stat":
			params["stat"] = true
		case arg == "--name-status":
			params["name_status"] = true
		case strings.HasPrefix(arg, "--unified="):
			params["unified"] = int(arg[len("--unified=")] - '0')
		default:
			files = append(files, arg)
		}
	}
	if files != nil {
		params["files"] = files
	}
	return params
}

const rangesFixture = `
git init -q -b main repo
cd repo
mkdir d; seq 1 9 > a; echo x > d/x; commit base
git checkout -q -b side; sed -i s/^3$/three/ a; commit 'on side'; echo y > d/y; commit 'more on side'
git checkout -q main; sed -i s/^7$/seven/ a; commit 'on main'; echo x2 > d/x; commit 'x on main'
git merge -q --no-commit side; sed -i s/^5$/five/ a; commit 'a merge'
git tag -a -m 'a tag' t
git tag -a -m 'a tag of a tag' tt t
git update-ref refs/remotes/origin/main HEAD~1
git update-ref refs/other/x HEAD~1; git update-ref refs/stash HEAD~1
git branch zz HEAD~1
git replace HEAD~2 HEAD~3 2>&1 || :
`

// TestShowRanges compares ranges, several revisions, and merges of which only
// some paths are asked for.
func TestShowRanges(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, rangesFixture), "repo")
	for _, config := range [][]string{nil, {"log.decorate", "short"}, {"log.excludeDecoration", "refs/heads/"}, {"log.initialDecorationSet", "all"}, {"log.decorate", "full"}} {
		if config != nil {
			fixtures.Git(t, top, append([]string{"config"}, config...)...)
		}
		tool := newTool(t, top, sandbox.Policy{})
		for _, test := range []struct{ revs, files []string }{
			{revs: []string{"main~1..side"}}, {revs: []string{"side..main"}}, {revs: []string{"main...side"}}, {revs: []string{"main^!"}}, {revs: []string{"main^-"}}, {revs: []string{"^side", "main"}}, {revs: []string{"..side"}},
			{revs: []string{"main", "side"}}, {revs: []string{"main~1", "t", "HEAD:a", "HEAD:d", "side~1"}}, {revs: []string{"tt"}}, {revs: []string{"main~2..main"}, files: []string{"d"}}, {revs: []string{"side", "side~2..side~1"}},
			{revs: []string{"main"}, files: []string{"d/y"}}, {revs: []string{"main"}, files: []string{"d/x"}}, {revs: []string{"main"}, files: []string{"d"}}, {revs: []string{"main"}, files: []string{"a"}}, {revs: []string{"main"}, files: []string{"none"}}, {revs: []string{"main", "side"}, files: []string{"d"}},
		} {
			for _, format := range []string{"", "stat", "name_status"} {
				args := []string{"show"}
				params := map[string]any{"rev": test.revs}
				if format != "" {
					args = append(args, "--"+strings.ReplaceAll(format, "_", "-"))
					params[format] = true
				}
				if test.files != nil {
					params["files"] = test.files
				}
				args = append(append(append(args, test.revs...), "--"), test.files...)
				want := fixtures.Git(t, top, args...)
				got := answerIn(t, tool, top, "show", params)
				assert.Equal(t, string(want), string(got.Output), "%v %v: %s", config, args, got.Error)
			}
		}
	}
}

func TestShow(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, showFixture), "repo")
	for _, config := range [][]string{
		nil, {"core.notesRef", "refs/notes/other"}, {"notes.displayRef", "refs/notes/*"}, {"log.mailmap", "false"}, {"log.date", "iso"},
		{"i18n.logOutputEncoding", "ISO-8859-1"}, {"core.abbrev", "12"}, {"diff.context", "1"}, {"log.decorate", "short"}, {"log.decorate", "full"}, {"log.decorate", "true"}, {"log.decorate", "auto"},
		{"log.decorate", "no"}, {"log.abbrevCommit", "true"}, {"log.showRoot", "false"},
	} {
		if config != nil {
			fixtures.Git(t, top, append([]string{"config"}, config...)...)
		}
		tool := newTool(t, top, sandbox.Policy{})
		for _, args := range [][]string{
			{"HEAD"}, {"HEAD~1"}, {"HEAD~2"}, {"HEAD~3"}, {"HEAD~4"}, {"HEAD~5"}, {"HEAD~6"}, {"HEAD~7"}, {"light"}, {"v1"}, {"v2"}, {"v3"}, {"v4"}, {"v5"},
			{"broken"}, {"nomessage"}, {"HEAD:a"}, {"HEAD:d"}, {"HEAD^{tree}"}, {"HEAD:bin"}, {"nothing"}, {"HEAD:nothing"},
			{"HEAD~6", "--stat"}, {"HEAD~6", "--name-status"}, {"HEAD~6", "--unified=0"}, {"HEAD~6", "--unified=1"}, {"HEAD~6", "--", "d"}, {"HEAD~6", "--", "nothing"}, {"HEAD~3", "--stat"},
		} {
			if settled := len(args) == 1 && strings.HasPrefix(args[0], "HEAD~") || args[0] == "v1"; config != nil && !settled {
				continue
			}
			want := fixtures.Ask(t, top, append([]string{"show"}, args...)...)
			got := answerIn(t, tool, top, "show", showArguments(args))
			assert.Equal(t, want.Code == 0, got.Success, "%v %v: %s", config, args, got.Error)
			if want.Code == 0 {
				assert.Equal(t, string(want.Out), string(got.Output), "%v %v", config, args)
			}
		}
		if config != nil {
			fixtures.Git(t, top, "config", "--unset", config[0])
		}
	}
}
