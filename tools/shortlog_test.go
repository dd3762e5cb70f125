package tools

import (
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

func TestShortlog(t *testing.T) {
	top := fixtures.Build(t, `
git init -q -b main .
by() { export GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_COMMITTER_NAME="$3" GIT_COMMITTER_EMAIL="$3@x"; shift 3; tick; echo "$*$(git rev-list --all --count)" > f; git add .; git commit -q --allow-empty-message -m "$*"; }
by 'Zed' z@x C one; by Ann ann@x C 'two
wrapped subject

body'; by Ann other@x D '[PATCH 1/2] three'; by 'ann' ann@x D '[PATCH]'; by Old old@x C four; by Éva e@x C five; by Zed z@x C ''
git branch side HEAD~3; git checkout -q side; tick; echo s > g; git add g; git commit -q -m side; git checkout -q main; tick; git merge -q --no-ff -m merged side
git -c i18n.commitEncoding=ISO-8859-1 commit -q --allow-empty -m "$(printf 'caf\351')"
git cat-file commit HEAD | sed 's/^author .*/author broken/' | git hash-object -t commit -w --literally --stdin > id; git branch odd $(cat id); rm id
printf 'New Name <new@x> <old@x>\nAnn <ann@x> <other@x>\n' > .mailmap; git add .; by Ann ann@x C mailmap
`)
	tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
	type p = map[string]any
	for _, test := range []struct {
		params p
		args   []string
	}{
		{p{}, []string{"HEAD"}},
		{p{"summary": true}, []string{"-s", "HEAD"}},
		{p{"summary": true, "numbered": true, "email": true}, []string{"-sne", "HEAD"}},
		{p{"numbered": true}, []string{"-n", "HEAD"}},
		{p{"committer": true, "email": true}, []string{"-c", "-e", "HEAD"}},
		{p{"summary": true, "merges": "none", "rev": "side..main"}, []string{"-s", "--no-merges", "side..main"}},
		{p{"rev": []string{"main", "^side"}, "files": "f"}, []string{"main", "^side", "--", "f"}},
		{p{"summary": true, "all": true}, []string{"-s", "--all"}},
		{p{"rev": "odd", "email": true}, []string{"-e", "odd"}},
		{p{"rev": "nothing"}, []string{"nothing", "--"}},
	} {
		same(t, tool, top, "shortlog", test.params, append([]string{"shortlog"}, test.args...)...)
	}
}
