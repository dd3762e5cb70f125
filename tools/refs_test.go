package tools

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

const refsFixture = `
git init -q -b main repo
cd repo
echo a > a; commit one
git tag v1.9; git tag -a -m x v1.10; git tag a/b
echo b > b; commit two
git tag v1.0-rc1 HEAD~1; git tag -a -m y newest; git tag ofatree HEAD^{tree}
git branch topic/one HEAD~1; git branch topic/two; git branch topical
git update-ref refs/remotes/origin/main HEAD~1
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
git pack-refs --all; git tag loose
git symbolic-ref refs/heads/dangling refs/heads/nothing
mkdir -p .git/refs/heads; printf 'nonsense\n' > .git/refs/heads/broken
git checkout -q topic/one; git checkout -q main; git commit -q --amend -m 'two again'
git remote add origin https://user:secret@example.com/repo.git
git remote add backup short:repo
git remote set-url --add origin https://example.com/second.git
git remote set-url --push backup git@example.com:repo.git
git config url.https://long.example.com/.insteadOf short:
git config url.ssh://push.example.com/.pushInsteadOf https://example.com/
git config remote.empty.fetch '+refs/heads/*:refs/remotes/empty/*'
`

func TestRefsOperations(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, refsFixture), "repo")
	type p = map[string]any
	for _, sort := range []string{"", "-version:refname", "creatordate", "-taggerdate"} {
		if sort != "" {
			fixtures.Git(t, top, "config", "tag.sort", sort)
		}
		tool := newTool(t, top, sandbox.Policy{})
		for _, test := range []struct {
			operation string
			params    p
			args      []string
		}{
			{"tags", p{}, []string{"tag", "--list"}},
			{"tags", p{"pattern": "v1*"}, []string{"tag", "--list", "v1*"}},
			{"tags", p{"pattern": []string{"a*", "loose"}}, []string{"tag", "--list", "a*", "loose"}},
			{"for_each_ref", p{}, []string{"for-each-ref"}},
			{"for_each_ref", p{"pattern": "refs/heads"}, []string{"for-each-ref", "refs/heads"}},
			{"for_each_ref", p{"pattern": "refs/heads/"}, []string{"for-each-ref", "refs/heads/"}},
			{"for_each_ref", p{"pattern": "refs/heads/topic"}, []string{"for-each-ref", "refs/heads/topic"}},
			{"for_each_ref", p{"pattern": "refs/heads/t*"}, []string{"for-each-ref", "refs/heads/t*"}},
			{"for_each_ref", p{"pattern": []string{"refs/tags/v1.9", "refs/*/topical"}}, []string{"for-each-ref", "refs/tags/v1.9", "refs/*/topical"}},
			{"reflog", p{}, []string{"reflog"}},
			{"reflog", p{"limit": 2}, []string{"reflog", "-2"}},
			{"reflog", p{"ref": "main"}, []string{"reflog", "main"}},
			{"reflog", p{"ref": "topic/two"}, []string{"reflog", "topic/two"}},
			{"reflog", p{"ref": "v1.9"}, []string{"reflog", "v1.9"}},
			{"reflog", p{"ref": "nothing"}, []string{"reflog", "nothing"}},
			{"remotes", p{}, []string{"remote"}},
			{"remotes", p{"verbose": true}, []string{"remote", "-v"}},
		} {
			want := fixtures.Ask(t, top, test.args...)
			got := answerIn(t, tool, top, test.operation, test.params)
			assert.Equal(t, want.Code == 0, got.Success, "%v: %s", test, got.Error)
			if want.Code == 0 {
				assert.Equal(t, string(want.Out), string(got.Output), "%v %v", sort, test.args)
			}
		}
	}
}
