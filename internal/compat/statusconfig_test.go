package compat

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
)

// statusRequests ask in all formats, from the top and from below.
var statusRequests = []request{
	{"operation": "status"},
	{"operation": "status", "cwd": "dir"},
	{"operation": "status", "format": "short"},
	{"operation": "status", "format": "short", "cwd": "dir"},
	{"operation": "status", "format": "long"},
	{"operation": "status", "format": "long", "cwd": "dir"},
	{"operation": "status", "format": "long", "ignored": true},
	{"operation": "status", "format": "long", "files": "dir"},
	{"operation": "status", "format": "short", "untracked": "all"},
	{"operation": "status", "format": "long", "untracked": "no"},
}

// busyScript makes a work tree with something of each kind that a setting of
// git status is about.
const busyScript = `
git config user.name A; git config user.email a@b.c
mkdir -p dir/deep other; seq 30 > dir/one; seq 30 40 > dir/two; echo x > 'sp ace'; echo y > Ünï; seq 50 > dir/deep/three; echo '*.o' > .gitignore
git add .; git commit -qm first
git branch up; git commit -q --allow-empty -m second; git checkout -q up; git commit -q --allow-empty -m theirs; git checkout -q main; git branch -q -u up
echo stashed >> dir/one; git stash -q; echo again >> dir/one; git stash -q
git mv dir/one dir/renamed; cp dir/deep/three dir/copy; echo more >> dir/deep/three; git add dir; echo more >> dir/two; echo more >> 'sp ace'; rm Ünï
echo u > untracked; echo u > dir/untracked; echo o > dir/x.o; mkdir dir/new; echo n > dir/new/n; for i in a b c d e; do echo $i > other/$i; done
`

// submoduleScript makes submodules in all states, staged and not.
const submoduleScript = `
git config user.name A; git config user.email a@b.c; git config protocol.file.allow always; mkdir dir
git init -q lib; cd lib; for i in 1 2 3 4; do git commit -q --allow-empty -m "lib commit $i
 with more

body"; git tag v$i; done; git checkout -q v2; git commit -q --allow-empty -m 'aside'; git tag aside; cd ..
mv lib .git/lib
for m in forward backward aside added gone removed ignored filed staged both dirty lost uninit unborn dir/deep; do git -c protocol.file.allow=always submodule --quiet add ./.git/lib $m; git -C $m checkout -q v2; done
echo file > blob; git add -A; git reset -q -- added; git commit -qm modules
git -C forward checkout -q v4; git -C backward checkout -q v1; git -C aside checkout -q aside; git -C dir/deep checkout -q v3
git add added; rm -rf gone; git rm -q --cached removed; git config -f .gitmodules submodule.ignored.ignore all; git -C ignored checkout -q v3
git submodule --quiet deinit -f filed; rmdir filed; echo f > filed; git -C staged checkout -q v3; git add staged; git -C both checkout -q v3; git add both; git -C both checkout -q v4
echo d > dirty/d; git -C lost commit -q --allow-empty -m here; git add lost; git -C lost checkout -q v1; git -C lost reflog expire --expire=all --all; git -C lost gc -q --prune=now
git submodule --quiet deinit -f uninit; git -C unborn checkout -q --orphan nothing
rm blob; git init -q blob; git -C blob commit -q --allow-empty -m nested
`

// TestStatusSettings compares git status in its formats under each setting that
// it reads, with values that it takes and others. Each value is met by two of
// the requests, by all with INGIT_SETTINGS=all.
func TestStatusSettings(t *testing.T) {
	fixtures.RequireGit(t)
	truths := []string{"true", "false", "", "0", "2", "nonsense"}
	settings := map[string][]string{
		"status.short": truths, "status.branch": truths, "status.showStash": truths, "status.aheadBehind": truths,
		"status.relativePaths": truths, "status.displayCommentPrefix": truths, "advice.statusHints": truths, "core.quotePath": truths,
		"status.renames": append(truths, "copies", "copy"), "diff.renames": append(truths, "copies"),
		"status.renameLimit": {"0", "1", "-1", "100", "x"}, "diff.renameLimit": {"0", "1", "x"},
		"status.showUntrackedFiles": {"no", "normal", "all", "", "true", "nonsense"},
		"status.color":              {"never", "auto", "nonsense"}, "color.status": {"nonsense"}, "color.ui": {"nonsense"},
		"color.status.header": {"red", "nonsense"}, "status.color.added": {"bold blue", "x y z"},
		"column.ui": {"always", "never", "row,dense", "nonsense"}, "column.status": {"always", "column", "row nodense"},
		"core.commentChar": {"auto", ";", "ab", ""}, "advice.statusUoption": truths, "core.untrackedCache": truths,
		"status.submoduleSummary": append(truths, "-1", "1"), "diff.ignoreSubmodules": {"all", "dirty", "none", "nonsense"},
		"i18n.logOutputEncoding": {"ISO-8859-1"}, "core.abbrev": {"12", "no"}, "diff.submodule": {"log"}, "core.preferSymlinkRefs": {"x"},
	}
	for name, script := range map[string]string{"busy": busyScript, "submodules": submoduleScript} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := fixtures.Build(t, "git init -q -b main"+script)
			s := open(t, dir)
			s.check(t, stateName("no setting"), statusRequests...)
			turn := 0
			for _, key := range slices.Sorted(maps.Keys(settings)) {
				for _, value := range settings[key] {
					fixtures.Git(t, dir, "config", key, value)
					asked := statusRequests
					if settingOr("INGIT_SETTINGS", "") != "all" {
						asked = []request{asked[turn%len(asked)], asked[(turn+4)%len(asked)]}
						turn++
					}
					s.check(t, stateName(fmt.Sprintf("%s=%s", key, value)), asked...)
					if value == "true" && key == "status.submoduleSummary" {
						fixtures.Git(t, dir, "config", "status.displayCommentPrefix", "true")
						s.check(t, stateName(fmt.Sprintf("%s=%s, with comment signs", key, value)), statusRequests[4])
						fixtures.Git(t, dir, "config", "--unset", "status.displayCommentPrefix")
					}
				}
				fixtures.Git(t, dir, "config", "--unset", key)
			}
		})
	}
}
