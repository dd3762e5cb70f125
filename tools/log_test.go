package tools

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

const logFixture = `
git init -q -b main repo
cd repo
mkdir d
seq 1 20 > a; seq 30 50 > d/b
commit 'first: Begin'
git branch side
echo more >> a; commit 'second (fix)'
git mv a moved; commit 'third: move'
git checkout -q side
GIT_AUTHOR_NAME='Other Person' GIT_AUTHOR_EMAIL=other@example.com
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL
echo side >> d/b; commit 'on the side: needle'
echo needle > d/c; commit 'a needle in the text'
git checkout -q main
git merge -q --no-edit side; tick
echo x > d/new; commit 'after the merge

Body with Fix in it'
git commit -q --allow-empty -m empty; tick
git tag -a -m tag v1 HEAD~1
git tag -a -m tree ofatree HEAD^{tree}
git checkout -q --orphan other; git rm -q -rf .; echo z > z; commit 'another root'
git checkout -q main
`

// TestLogParameters compares each parameter of log with git's option.
func TestLogParameters(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, logFixture), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	type p = map[string]any
	for _, test := range []struct {
		dir    string
		params p
		args   []string
	}{
		{"", p{}, nil},
		{"", p{"limit": 2}, []string{"-2"}},
		{"", p{"rev": "side"}, []string{"side"}},
		{"", p{"rev": "v1"}, []string{"v1"}},
		{"", p{"rev": "side..main"}, []string{"side..main"}},
		{"", p{"rev": "main.."}, []string{"main.."}},
		{"", p{"rev": "..side"}, []string{"..side"}},
		{"", p{"rev": "nothing"}, []string{"nothing", "--"}},
		{"", p{"path": "a"}, []string{"--", "a"}},
		{"", p{"path": "d"}, []string{"--", "d"}},
		{"", p{"path": "moved"}, []string{"--", "moved"}},
		{"", p{"path": "moved", "follow": true}, []string{"--follow", "--", "moved"}},
		{"d", p{"path": "b", "follow": true}, []string{"--follow", "--", "b"}},
		{"d", p{"path": "b"}, []string{"--", "b"}},
		{"d", p{"path": "../moved"}, []string{"--", "../moved"}},
		{"d", p{}, nil},
		{"", p{"files": ":/d/b", "follow": true}, []string{"--follow", "--", ":/d/b"}},
		{"d", p{"files": ":(top,literal)moved", "follow": true}, []string{"--follow", "--", ":(top,literal)moved"}},
		{"", p{"files": "m*d", "follow": true}, []string{"--follow", "--", "m*d"}},
		{"", p{"files": "d/*", "follow": true, "stat": true}, []string{"--follow", "--stat", "--", "d/*"}},
		{"", p{"files": []string{"a", "d"}, "follow": true}, []string{"--follow", "--", "a", "d"}},
		{"", p{"files": ":!d", "follow": true}, []string{"--follow", "--", ":!d"}},
		{"", p{"files": "d/", "follow": true}, []string{"--follow", "--", "d/"}},
		{"", p{"files": "d", "follow": true, "patch": true}, []string{"--follow", "-p", "--", "d"}},
		{"", p{"files": []string{"a", "d/new"}}, []string{"--", "a", "d/new"}},
		{"", p{"files": ":(exclude)d"}, []string{"--", ":(exclude)d"}},
		{"", p{"author": "Other"}, []string{"--author=Other"}},
		{"", p{"author": "other", "ignore_case": true}, []string{"--author=other", "-i"}},
		{"", p{"committer": "Mitter"}, []string{"--committer=Mitter"}},
		{"", p{"grep": "fix"}, []string{"--grep=fix"}},
		{"", p{"grep": "fix", "ignore_case": true}, []string{"--grep=fix", "-i"}},
		{"", p{"grep": "fix", "invert_grep": true}, []string{"--grep=fix", "--invert-grep"}},
		{"", p{"grep": []string{"e", "needle"}, "all_match": true}, []string{"--grep=e", "--grep=needle", "--all-match"}},
		{"", p{"grep": "(fix)", "extended": true}, []string{"--grep=(fix)", "-E"}},
		{"", p{"grep": "(fix)", "fixed": true}, []string{"--grep=(fix)", "-F"}},
		{"", p{"grep": "n*edle"}, []string{"--grep=n*edle"}},
		{"", p{"grep": "[", "extended": true}, []string{"--grep=[", "-E"}},
		{"", p{"since": "2023-11-16 01:49:00 +0000"}, []string{"--since=2023-11-16 01:49:00 +0000"}},
		{"", p{"until": "2023-11-16 01:49:00 +0000"}, []string{"--until=2023-11-16 01:49:00 +0000"}},
		{"", p{"since": "2 weeks ago"}, []string{"--since=2 weeks ago"}},
		{"", p{"pickaxe": "needle"}, []string{"-Sneedle"}},
		{"", p{"pickaxe_regex": "ne+dle"}, []string{"-Gne+dle"}},
		{"", p{"first_parent": true}, []string{"--first-parent"}},
		{"", p{"merges": "only"}, []string{"--merges"}},
		{"", p{"merges": "none"}, []string{"--no-merges"}},
		{"", p{"skip": 3}, []string{"--skip=3"}},
		{"", p{"all": true}, []string{"--all"}},
		{"", p{"order": "topo"}, []string{"--topo-order"}},
		{"", p{"order": "date"}, []string{"--date-order"}},
		{"", p{"order": "author-date"}, []string{"--author-date-order"}},
		{"", p{"stat": true}, []string{"--stat"}},
		{"", p{"patch": true}, []string{"-p"}},
		{"", p{"patch": true, "stat": true}, []string{"-p", "--stat"}},
		{"", p{"name_status": true}, []string{"--name-status"}},
		{"", p{"patch": true, "path": "d"}, []string{"-p", "--", "d"}},
		{"", p{"patch": true, "first_parent": true}, []string{"-p", "--first-parent"}},
		{"", p{"stat": true, "first_parent": true, "path": "d"}, []string{"--stat", "--first-parent", "--", "d"}},
	} {
		at := filepath.Join(top, test.dir)
		args := append([]string{"log", "-10", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso"}, test.args...)
		same(t, tool, at, "log", test.params, args...)
	}
	got := answerIn(t, tool, top, "log", p{"rev": "--all"})
	assert.Equal(t, "fatal: bad revision '--all'", got.Error)
}

// TestLogFollowsBySetting compares logs of one path and of more with git's
// under log.follow.
func TestLogFollowsBySetting(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, logFixture+"git config log.follow true\n"), "repo")
	tool := newTool(t, top, sandbox.Policy{})
	for _, files := range [][]string{{"moved"}, {":/moved"}, {"d"}, {"m*"}, {"d/*"}, {"moved", "d"}, {":!d"}, nil} {
		args := append([]string{"log", "-10", "--stat", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso", "--"}, files...)
		same(t, tool, top, "log", map[string]any{"files": files, "stat": true}, args...)
	}
}
