package reader_test

import (
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// statusScripts are situations that random states do not reach; each is a
// shell script in an empty folder.
var statusScripts = map[string]string{
	"type changes": `
git init -q; echo a > a; ln -s a l; mkdir d; echo x > d/x; echo f > f; echo g > g; git add .; git commit -qm base
rm a; ln -s f a; rm l; echo plain > l; rm -r d; echo file > d; rm f; mkdir f; echo in > f/in; rm g; mkdir g`,
	"repository in place of a file": `
git init -q; echo a > a; echo b > b; git add .; git commit -qm base
rm a; git init -q a; (cd a; echo x > x; git add .; git commit -qm sub); rm b; git init -q b; echo u > b/u`,
	"link in place of a folder": `
git init -q; mkdir -p d/e; echo x > d/e/x; echo y > d/y; git add .; git commit -qm base
mv d real; ln -s real d`,
	"index times to the nanosecond": `
git init -q; echo a > a; echo b > b; git add .; git commit -qm base
sleep 1.1; git status >/dev/null; touch -d "$(stat -c %y a | sed 's/\.[0-9]*/.123456789/')" a`,
	"touched but same": `
git init -q; echo a > a; echo b > b; git add .; git commit -qm base; touch -d '2020-01-01' a; echo c > b; touch -d '2020-01-01' b`,
	"same length edit at once": `
git init -q; echo a > a; git add .; git commit -qm base; echo b > a`,
	"smudged size": `
git init -q; echo a > a; git add a; git commit -qm base; git update-index --cacheinfo 100644,$(git rev-parse HEAD:a),a
: > empty; git add empty; git update-index --cacheinfo 100644,$(git rev-parse :empty),empty`,
	"check stat minimal": `
git init -q; echo a > a; echo b > b; git add .; git commit -qm base; sleep 1.1; git status >/dev/null; git config core.checkStat minimal
cp -p a c; mv c a`,
	"no trust in ctime": `
git init -q; echo a > a; git add .; git commit -qm base; sleep 1.1; git status >/dev/null; git config core.trustctime false; chmod 600 a`,
	"file mode off": `
git init -q; echo a > a; echo b > b; chmod +x b; git add .; git commit -qm base; git config core.fileMode false
chmod +x a; chmod -x b; echo more >> b; echo n > n; chmod +x n; git add n`,
	"intent to add": `
git init -q; echo a > a; echo gone > gone; git add .; git commit -qm base
echo new > new; git add -N new; echo x > x; git add -N x; rm x; mv gone moved; git add -N moved; git rm -q --cached a; git add -N a`,
	"intent to add before the first commit": `
git init -q; echo a > a; git add -N a; echo b > b; git add b`,
	"flags": `
git init -q; for f in a b c d e; do echo $f > $f; done; git add .; git commit -qm base
git update-index --assume-unchanged a b; git update-index --skip-worktree c d
echo 1 > a; rm b; echo 2 > c; rm d; git rm -q --cached e`,
	"fifo and socket": `
git init -q; mkdir d; echo a > a; echo x > d/x; git add .; git commit -qm base
rm a; mkfifo a; mkfifo p; mkfifo d/p; mkdir only; mkfifo only/p`,
	"unmerged and renamed": `
git init -q -b main; seq 50 > old; echo c > c; git add .; git commit -qm base; git checkout -qb side
git mv old side-name; echo s > c; git commit -qam side; git checkout -q main; git mv old main-name; echo m > c; git commit -qam main
git merge side || true; seq 60 > main-name`,
	"deleted by them, edited": `
git init -q -b main; echo a > a; echo b > b; git add .; git commit -qm base; git checkout -qb side; git rm -q a; echo s > b; git commit -qam side
git checkout -q main; echo m > a; echo m > b; git commit -qam main; git merge side || true; rm b; rm a`,
	"file and folder conflict": `
git init -q -b main; echo a > a; git add .; git commit -qm base; git checkout -qb side; git rm -q a; mkdir a; echo x > a/x; git add .; git commit -qm side
git checkout -q main; echo m > a; git commit -qam main; git merge side || true`,
	"renames on both sides": `
git init -q; seq 100 > one; seq 200 300 > two; git add .; git commit -qm base; git mv one uno; seq 102 > uno; git mv two sub; echo more >> sub`,
	"rename chain": `
git init -q; seq 100 > a; seq 200 300 > b; git add .; git commit -qm base; git mv a t; git mv b a; git mv t b`,
	"copies": `
git init -q; git config status.renames copies; seq 100 > a; git add .; git commit -qm base; cp a b; echo x >> a; git add .`,
	"renames by the first diff.renames": `
git init -q; git config diff.renames false; git config --add diff.renames true; seq 100 > a; git add .; git commit -qm base; git mv a b`,
	"no renames": `
git init -q; git config status.renames false; git config diff.renames true; seq 100 > a; git add .; git commit -qm base; git mv a b`,
	"rename limit": `
git init -q; git config diff.renameLimit 1; for i in 1 2 3; do seq $i 40 > $i; done; git add .; git commit -qm base
for i in 1 2 3; do git mv $i n$i; echo x >> n$i; done; git add .`,
	"rename limit nothing": `
git init -q; git config status.renameLimit 0; for i in 1 2 3; do seq $i 40 > $i; done; git add .; git commit -qm base
for i in 1 2 3; do git mv $i n$i; echo x >> n$i; done; git add .`,
	"empty folders": `
git init -q; echo a > a; git add .; git commit -qm base; mkdir -p e/f/g h; mkdir -p i/j; echo x > i/j/x; mkdir i/k`,
	"ignored": `
git init -q; printf 'build/\n*.o\n!keep.o\n/top\n' > .gitignore; mkdir -p build/x src tracked; echo t > tracked/t; echo t > tracked/t.o
git add -f .; git commit -qm base; echo o > build/x/y; echo o > src/a.o; echo k > src/keep.o; mkdir only; echo o > only/b.o
echo t > top; mkdir deep; echo t > deep/top; echo u > tracked/u.o; mkdir -p mixed/in; echo o > mixed/in/c.o; echo p > mixed/p; mkdir build/empty`,
	"ignored folder with tracked files": `
git init -q; mkdir -p conf/deep; echo a > conf/a; echo b > conf/deep/b; git add .; git commit -qm base; echo conf/ > .gitignore; git add .; git commit -qm ignore
echo n > conf/n; echo m > conf/deep/m; echo e >> conf/a; mkdir conf/new; echo q > conf/new/q`,
	"ignore file that is a link": `
git init -q; echo '*.x' > patterns; ln -s patterns .gitignore; echo a > a.x; echo b > b`,
	"ignore file in the index only": `
git init -q; mkdir d; echo '*.x' > d/.gitignore; echo t > d/t; git add .; git commit -qm base; git update-index --skip-worktree d/.gitignore; rm d/.gitignore; echo x > d/a.x`,
	"nested repositories": `
git init -q -b main; echo a > a; mkdir -p plain/deep; echo t > plain/t; git add .; git commit -qm base; git branch other
git worktree add -q wt other; git init -q nested; (cd nested; echo n > n; git add .; git commit -qm n); git init -q hollow; echo h > hollow/h; git init -q bare-empty
git init -q plain/deep/repo; (cd plain/deep/repo; git commit -q --allow-empty -m e); mkdir -p broken/.git; echo x > broken/x; mkdir pointer; echo 'gitdir: ../nowhere' > pointer/.git; echo p > pointer/p
mkdir notgit; echo junk > notgit/.git; echo n > notgit/n; git init -q --bare naked.git; mkdir outer; git init -q outer/inner; echo i > outer/inner/i`,
	"gitlink without repository": `
git init -q; git commit -q --allow-empty -m base; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),gone
mkdir sub; echo x > sub/x; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),file; echo f > file`,
	"embedded repository added": `
git init -q; echo a > a; git add .; git commit -qm base; git init -q sub; (cd sub; echo x > x; git add .; git commit -qm one); git add sub 2>/dev/null; git commit -qm sub
(cd sub; echo y > x; git commit -qam two; echo z > x; echo u > u)`,
	"submodule ignored, gone": `
git init -q; for s in a b c; do git init -q $s; (cd $s; echo x > x; git add .; git commit -qm one); git add $s 2>/dev/null; done
printf '[submodule "a"]\n\tpath = a\n\tignore = all\n[submodule "b"]\n\tpath = b\n\tignore = dirty\n[submodule "c"]\n\tpath = c\n' > .gitmodules; git add .gitmodules; git commit -qm base
git config submodule.c.ignore untracked; rm -rf a; echo y > b/x; echo n > c/n`,
	"submodule ignored, staged": `
git init -q; for s in a b; do git init -q $s; (cd $s; echo x > x; git add .; git commit -qm one); git add $s 2>/dev/null; done; git commit -qm base
git config -f .gitmodules submodule.a.path a; git config -f .gitmodules submodule.a.ignore all; git add .gitmodules; git rm -q --cached a b; git init -q d; (cd d; git commit -q --allow-empty -m d); git add d 2>/dev/null
git config -f .gitmodules submodule.d.path d; git config submodule.d.ignore all`,
	"attributes in a folder of their name": `
git init -q; echo '*.c eol=crlf' > .gitattributes; printf 'a\n' > a.c; git add .; git commit -qm base; rm .gitattributes; mkdir .gitattributes; printf 'a\r\n' > a.c`,
	"attributes in conflict": `
git init -q -b main; printf 'a\r\n' > a.c; echo '*.c text' > .gitattributes; git add .; git commit -qm base; git checkout -qb side; echo '*.c eol=lf' > .gitattributes; git commit -qam side
git checkout -q main; echo '*.c eol=crlf' > .gitattributes; git commit -qam main; git merge side || true; rm .gitattributes; printf 'a\nb\r\n' > a.c; printf 'n\r\n' > n.c; git add -N n.c`,
	"odd branch": `
git init -q -b main; echo a > a; git add .; git commit -qm base; git symbolic-ref HEAD refs/heads/weird/näme; echo b > b`,
	"detached with upstream of the tag's name": `
git init -q -b main; git commit -q --allow-empty -m one; git commit -q --allow-empty -m two; git tag v1 HEAD~1; git checkout -q v1`,
	"upstreams": `
git init -q -b main; git commit -q --allow-empty -m one; git branch base; git commit -q --allow-empty -m two; git commit -q --allow-empty -m three
git checkout -qb topic base; git commit -q --allow-empty -m x; git branch -q --set-upstream-to=main topic`,
	"upstream gone": `
git init -q -b main; git commit -q --allow-empty -m one; git config branch.main.remote origin; git config branch.main.merge refs/heads/main; git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'; git config remote.origin.url x`,
	"upstream not fetched": `
git init -q -b main; git commit -q --allow-empty -m one; git config branch.main.remote origin; git config branch.main.merge refs/heads/main; git config remote.origin.url x`,
	"upstream not counted": `
git init -q -b main; git commit -q --allow-empty -m one; git branch base; git commit -q --allow-empty -m two; git branch -q --set-upstream-to=base; git config status.aheadBehind false`,
	"ambiguous upstream": `
git init -q -b main; git commit -q --allow-empty -m one; git branch base; git tag base; git commit -q --allow-empty -m two; git branch -q --set-upstream-to=refs/heads/base`,
	"unborn with upstream": `
git init -q -b main; git commit -q --allow-empty -m one; git branch base; git symbolic-ref HEAD refs/heads/fresh; git config branch.fresh.remote .; git config branch.fresh.merge refs/heads/base`,
	"sparse cone": `
git init -q; for d in a b c; do mkdir -p $d/s; echo $d > $d/f; echo $d > $d/s/g; done; echo r > r; git add .; git commit -qm base
git sparse-checkout init --cone --no-sparse-index; git sparse-checkout set a; echo e >> a/f; mkdir b; echo back > b/f; echo u > b/u`,
	"sparse cone, a folder in a file's place": `
git init -q; for d in a b c; do mkdir -p $d; echo $d > $d/f; echo $d > $d/g; done; git add .; git commit -qm base
git sparse-checkout init --cone --no-sparse-index; git sparse-checkout set a; mkdir -p b/f c/g; echo in > b/f/in; git init -q c/f`,
	"sparse index": `
git init -q; for d in a b c; do mkdir -p $d/s; echo $d > $d/f; echo $d > $d/s/g; done; echo r > r; git add .; git commit -qm base; echo second > c/f; git commit -qam second
git sparse-checkout init --cone --sparse-index; git sparse-checkout set a; echo e >> a/f; git reset -q --soft HEAD~1`,
	"sparse index, folder present": `
git init -q; for d in a b c; do mkdir -p $d/s; echo $d > $d/f; echo $d > $d/s/g; done; git add .; git commit -qm base
git sparse-checkout init --cone --sparse-index; git sparse-checkout set a; mkdir -p b/s; echo new > b/s/g; echo u > b/u`,
	"sparse off, bits stay": `
git init -q; echo a > a; echo b > b; git add .; git commit -qm base; git update-index --skip-worktree a; echo x > a; git config core.sparseCheckout true; git update-index --skip-worktree b; rm b`,
	"symlinks off": `
git init -q; ln -s target l; echo a > a; git add .; git commit -qm base; git config core.symlinks false; rm l; printf target > l`,
	"symlinks off, edited": `
git init -q; ln -s target l; git add .; git commit -qm base; git config core.symlinks false; rm l; printf other > l`,
	"ignore case": `
git init -q; mkdir Dir; echo a > Dir/a; echo b > B; git add .; git commit -qm base; git config core.ignoreCase true; printf '*.LOG\n' > .gitignore; echo l > x.log; echo n > new`,
	"unreadable settings": `
git init -q; git config status.showUntrackedFiles all; mkdir -p u/v; echo a > u/v/a; echo b > u/b`,
	"no untracked files": `
git init -q; git config status.showUntrackedFiles no; echo a > a; git add .; echo b > b`,
	"odd names": `
git init -q; printf x > 'sp ace'; printf x > "$(printf 'tab\there')"; printf x > "$(printf 'nl\nx')"; printf x > 'quo"te'; printf x > "$(printf 'caf\303\251')"; printf x > "$(printf 'bad\377')"; git add .; git commit -qm base
mkdir "$(printf 'd\303\251')"; printf y > "$(printf 'd\303\251')/x"; for f in *; do [ -f "$f" ] && printf y >> "$f"; done; git mv 'sp ace' 'sp ace 2'`,
	"order": `
git init -q; mkdir a a-b a.c; for f in a/x a-b/x a.c/x a0 a+; do echo $f > $f; done; git add .; git commit -qm base
for f in a/x a-b/x a.c/x a0 a+; do echo more >> $f; done; echo u > a/u; echo u > a-b/u; git rm -q --cached a.c/x; mkdir a.d; echo z > a.d/z`,
	"legacy tree modes": `
git init -q; echo a > a; git add .; git commit -qm base; t=$(printf '100664 a\0'; git rev-parse HEAD:a | xxd -r -p) || true
{ printf '100664 a\0'; git rev-parse HEAD:a | xxd -r -p; } | git hash-object --literally -t tree -w --stdin > .git/t; git update-ref refs/heads/x $(git commit-tree -m l $(cat .git/t)); git symbolic-ref HEAD refs/heads/x`,
	"tree of head with deeper folders": `
git init -q; mkdir -p a/b/c d/e; for f in a/1 a/b/2 a/b/c/3 d/4 d/e/5 6; do echo $f > $f; done; git add .; git commit -qm base
echo x > a/b/2; git add .; git rm -q --cached d/e/5; mkdir -p n/o; echo 7 > n/o/7; git add n; git rm -qr a/b/c`,
	"index without cache tree": `
git init -q; mkdir d; echo a > d/a; echo b > b; git add .; git commit -qm base; git ls-files -s > .git/list; rm .git/index; git update-index --index-info < .git/list; echo c > b`,
	"everything staged away": `
git init -q; mkdir d; echo a > d/a; echo b > b; git add .; git commit -qm base; rm .git/index`,
}

func TestStatusScripts(t *testing.T) {
	fixtures.RequireGit(t)
	for name, script := range statusScripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := fixtures.Build(t, script)
			sameStatus(t, dir, "", reader.StatusOptions{})
			sameStatus(t, dir, "", reader.StatusOptions{Untracked: reader.UntrackedAll}, "-uall")
			sameStatus(t, dir, "", reader.StatusOptions{Untracked: reader.UntrackedNo}, "-uno")
			sameStatus(t, dir, "", reader.StatusOptions{Ignored: reader.IgnoredTraditional}, "--ignored")
			sameStatus(t, dir, "", reader.StatusOptions{Ignored: reader.IgnoredTraditional, Untracked: reader.UntrackedAll}, "--ignored", "-uall")
			sameStatus(t, dir, "", reader.StatusOptions{Ignored: reader.IgnoredMatching, Untracked: reader.UntrackedNormal}, "--ignored=matching", "-unormal")
			sameStatus(t, dir, "", reader.StatusOptions{Ignored: reader.IgnoredMatching, Untracked: reader.UntrackedAll}, "--ignored=matching", "-uall")
		})
	}
}
