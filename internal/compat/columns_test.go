package compat

import (
	"fmt"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
)

// TestColumns compares lists laid out in columns, of branches and of untracked
// files.
func TestColumns(t *testing.T) {
	dir := fixtures.Build(t, `
git init -q -b main
commit one
for i in 1 22 333 4444 55555 666666 a-rather-long-name x y z $(seq 100 140); do git branch b$i; echo >u$i; done
mkdir -p a/b; echo >a/b/c; echo >"wide 漢字"; echo >sp\ ace
git branch 漢字; echo '*.o' >.gitignore; echo >x.o; echo >y.o
`)
	long := request{"operation": "status", "format": "long", "ignored": true}
	for i, text := range []string{
		"ui = always", "ui = column", "ui = row", "ui = plain", "ui = dense", "ui = always dense", "ui = row,dense", "ui = auto", "ui = never column",
		"ui = always\n\tbranch = never", "ui = never\n\tstatus = row dense", "status = column\n\tui = nodense", "branch = plain always",
		"ui = column\n[status]\n\tdisplayCommentPrefix\n[core]\n\tquotePath = false",
	} {
		fixtures.Write(t, dir, ".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[column]\n\t"+text+"\n")
		open(t, dir).check(t, stateName(fmt.Sprintf("%d: %s", i, text)), request{"operation": "branch"}, request{"operation": "status"}, long,
			request{"operation": "status", "format": "short"})
	}
}
