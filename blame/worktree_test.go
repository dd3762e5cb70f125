package blame_test

import (
	"strings"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
)

// revs are all commits.
func revs(t testing.TB, dir string) []string {
	return strings.Fields(string(fixtures.Git(t, dir, "rev-list", "--all")))
}

// workTrees are scripts that leave something to look at in the work tree.
var workTrees = []struct{ name, script string }{
	{"edits", `seq 20 >f; ci one; sed -i 3d f; echo x >>f`},
	{"staged", `seq 20 >f; ci one; sed -i 3d f; git add f; echo x >>f; seq 3 >new; git add new`},
	{"nothing", `seq 20 >f; ci one; touch f`},
	{"emptied", `seq 20 >f; ci one; : >f`},
	{"no newline", `seq 3 >f; ci one; printf 'x' >>f`},
	{"renamed", `seq 20 >f; seq 9 >g; ci one; git mv f h; sed -i 3d h; mv g k; git add k; git rm -q --cached g`},
	{"intent to add", `seq 20 >f; ci one; seq 5 >n; git add -N n`},
	{"removed from the index", `seq 20 >f; ci one; git rm -q --cached f; sed -i 2d f`},
	{"conflict", `seq 20 >f; ci one; git checkout -q -b s; sed -i '3s/.*/s/;18s/.*/S/' f; seq 7 >only; ci s; git checkout -q main; sed -i '3s/.*/m/;9s/.*/M/' f; ci m; merge s || true`},
	{"conflict resolved", `seq 20 >f; ci one; git checkout -q -b s; sed -i '3s/.*/s/;18s/.*/S/' f; ci s; git checkout -q main; sed -i '3s/.*/m/' f; ci m; merge s || true; sed -i '/^[<=>]/d' f; git add f`},
	{"conflict with a rename", `seq 20 >f; ci one; git checkout -q -b s; git mv f g; sed -i '18s/.*/S/' g; ci s; git checkout -q main; sed -i '3s/.*/m/' f; ci m; tick; git merge -q --no-commit s || true`},
	{"autocrlf", `seq 9 >f; ci one; git config core.autocrlf true; seq 9 | sed 's/$/\r/;3s/3/three/' >f`},
	{"autocrlf, carriage returns in the index", `seq 9 | sed 's/$/\r/' >f; ci one; git config core.autocrlf true; sed -i '4s/4/four/' f`},
	{"attributes", `echo '* text eol=crlf' >.gitattributes; printf '$Id$\n1\n2\n' >f; echo 'f ident' >>.gitattributes; ci one; rm f; git checkout f; sed -i '2s/1/one/' f`},
	{"encoding", `echo 'f working-tree-encoding=UTF-16' >.gitattributes; seq 5 | iconv -t UTF-16 >f; ci one; seq 6 | iconv -t UTF-16 >f`},
	{"link", `ln -s a l; seq 3 >f; ci one; rm l f; ln -s b l; ln -s l f`},
	{"subdirectory", `mkdir -p a/b; seq 20 >a/b/f; ci one; sed -i 3d a/b/f; git mv a/b/f a/g`},
	{"executable", `seq 20 >f; ci one; chmod +x f; echo x >>f`},
	{"detached", `seq 20 >f; ci one; echo x >>f; ci two; git checkout -q HEAD~1; echo y >>f`},
}

func TestWorkTrees(t *testing.T) {
	t.Parallel()
	for _, w := range workTrees {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			dir := script(t, w.script)
			for _, path := range []string{"f", "g", "h", "k", "l", "n", "new", "only", "a/g", ".gitattributes"} {
				both(t, dir, question{path: path})
			}
			both(t, dir, question{path: "f", lines: []string{"2,5"}})
			both(t, dir, question{path: "f", space: true})
			both(t, dir, question{rev: "^HEAD", path: "f"})
		})
	}
}

// settings are what a repository may say about the default format.
var settings = [][]string{
	{"blame.date", "short"}, {"blame.date", "raw"}, {"blame.date", "unix"}, {"blame.date", "rfc"}, {"blame.date", "default"}, {"blame.date", "local"},
	{"blame.date", "iso-strict"}, {"blame.date", "short-local"}, {"blame.date", "nonsense"},
	{"blame.showRoot", "true"}, {"blame.showEmail", "true"}, {"blame.blankBoundary", "true"}, {"blame.blankBoundary", "nonsense"},
	{"core.abbrev", "12"}, {"core.abbrev", "40"}, {"core.abbrev", "4"}, {"core.quotePath", "false"},
	{"diff.indentHeuristic", "false"}, {"diff.algorithm", "patience"}, {"i18n.logOutputEncoding", "ISO-8859-1"}, {"diff.renames", "false"},
}

func TestSettings(t *testing.T) {
	t.Parallel()
	dir := script(t, `seq 20 >ä; git config user.name Zoë; ci one; git mv ä ö; GIT_AUTHOR_NAME=Renée; export GIT_AUTHOR_NAME; sed -i 3d ö; ci 'zweï'; sed -i 9d ö; ci drei; echo x >>ö`)
	for _, s := range settings {
		fixtures.Git(t, dir, "config", s[0], s[1])
		both(t, dir, question{rev: "HEAD", path: "ö"})
		both(t, dir, question{path: "ö"})
		fixtures.Git(t, dir, "config", "--unset", s[0])
	}
}
