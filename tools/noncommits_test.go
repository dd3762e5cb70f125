package tools

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// TestTreesAndBlobsAsRevisions asks every operation that reads revisions for
// trees, blobs and tags of them, alone and in ranges.
func TestTreesAndBlobsAsRevisions(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, logFixture+`
git tag blob HEAD:d/b
git tag -a -m blob ofablob blob
git tag -a -m twice twice ofatree
`), "repo")
	tool := newTool(t, top, sandbox.Policy{Validation: sandbox.Literal})
	type p = map[string]any
	same(t, tool, top, "log", p{"rev": ".."}, "log", "..", "--")
	same(t, tool, top, "rev_list", p{"rev": ".."}, "rev-list", "..", "--")
	same(t, tool, top, "show", p{"rev": ".."}, "show", "..", "--")
	for _, rev := range []string{
		"blob", "ofablob", "ofatree", "twice", "HEAD^{tree}", "HEAD:d", "HEAD:d/b", ":d/b", "^ofatree", "^blob",
		"blob..", "..ofatree", "ofatree..HEAD", "HEAD~2..blob", "blob..twice", "blob...HEAD", "HEAD...twice",
		"blob^!", "ofatree^@", "twice^-", "blob^0", "twice^{commit}", "ofatree^{tree}", "ofablob^{}",
		"HEAD^@", "HEAD^!", "HEAD^-", "HEAD^-2", "side^-1", "HEAD^-0", "^HEAD^@", "^HEAD^!", "HEAD^!^!", "HEAD^@^@", "HEAD^-x", "HEAD^{/a^-b}",
	} {
		same(t, tool, top, "log", p{"rev": rev}, "log", "-10", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso", rev, "--")
		same(t, tool, top, "log", p{"rev": rev, "path": "d"}, "log", "-10", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso", rev, "--", "d")
		same(t, tool, top, "log", p{"rev": rev, "line_range": []string{"1,3:d/b"}}, "log", "-10", "-L1,3:d/b", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso", rev, "--")
		same(t, tool, top, "rev_list", p{"rev": []string{rev}}, "rev-list", rev, "--")
		same(t, tool, top, "rev_list", p{"rev": []string{rev, "side"}, "count": true}, "rev-list", "--count", rev, "side", "--")
		same(t, tool, top, "shortlog", p{"rev": []string{rev}}, "shortlog", rev, "--")
		same(t, tool, top, "show", p{"rev": []string{rev}}, "show", rev, "--")
		same(t, tool, top, "show", p{"rev": []string{rev, "main"}}, "show", rev, "main", "--")
		same(t, tool, top, "blame", p{"rev": rev, "path": "d/b"}, "blame", "--porcelain", rev, "--", "d/b")
		same(t, tool, top, "blame", p{"rev": rev, "path": "d/b", "reverse": true}, "blame", "--reverse", "--porcelain", rev, "--", "d/b")
		same(t, tool, top, "merge_base", p{"revs": []string{rev, "HEAD"}}, "merge-base", rev, "HEAD")
		same(t, tool, top, "describe", p{"rev": rev}, "describe", rev)
		if !strings.HasPrefix(rev, "^") {
			same(t, tool, top, "diff", p{"from": rev}, "diff", rev, "--")
		}
		same(t, tool, top, "ls_tree", p{"rev": rev}, "ls-tree", rev)
		same(t, tool, top, "cat_file", p{"rev": rev}, "cat-file", "-p", rev)
		same(t, tool, top, "grep", p{"rev": rev, "pattern": "needle"}, "grep", "-n", "needle", rev)
		same(t, tool, top, "last_commits", p{"rev": rev, "path": "nowhere"}, "rev-parse", rev+"^{commit}^{tree}:nowhere")
	}
}
