package blame_test

import (
	"testing"
)

// histories are scripts; every file of every commit is compared.
var histories = []struct{ name, script string }{
	{"one commit", `seq 5 >f; : >empty; printf 'no newline' >n; ci one`},
	{"edits", `seq 30 >f; ci one; sed -i 3d f; ci two; sed -i '5i new' f; ci three; seq 10 >>f; ci four; sed -i 's/^1/one/' f; ci five`},
	{"rename", `seq 20 >old; ci one; git mv old new; ci two; sed -i 's/7/seven/' new; ci three; mkdir d; git mv new d/newer; sed -i 1d d/newer; ci four`},
	{"rename of an empty file", `: >e; seq 9 >f; ci one; git mv e e2; git mv f f2; ci two; echo x >>e2; ci three`},
	{"rename by name", `mkdir a b c; seq 40 >a/x; seq 41 >b/x; seq 42 >c/y; ci one; git mv a/x c/x; sed -i 3,9d c/x; git rm -q b/x; git rm -q c/y; ci two`},
	{"copy", `seq 20 >f; ci one; cp f g; echo more >>g; echo more >>f; ci two`},
	{"rename and edit on two sides", `seq 20 >old; ci base; git checkout -q -b side; sed -i '3s/.*/side/' old; ci side; git checkout -q -; git mv old new; ci rename; sed -i '15s/.*/main/' new; ci main; tick; git merge -q --no-commit side >/dev/null 2>&1; sed -i '10s/.*/merge/' new; ci merge`},
	{"criss-cross", `seq 30 >f; ci base; git checkout -q -b x; sed -i '2s/.*/x/' f; ci x1; git checkout -q -b y HEAD~1; sed -i '20s/.*/y/' f; ci y1; git checkout -q x; merge y^0; git checkout -q y; merge x~1; sed -i '9s/.*/y2/' f; ci y2; git checkout -q x; sed -i '28s/.*/x2/' f; ci x2; merge y; git checkout -q y; merge x`},
	{"octopus", `seq 40 >f; ci base; for i in 1 2 3; do git checkout -q -b s$i main; sed -i "$((i * 10))s/.*/s$i/" f; ci s$i; done; git checkout -q main; ci empty; merge s1 s2 s3`},
	{"merge of unrelated", `seq 10 >f; ci one; git checkout -q --orphan other; git rm -rqf .; seq 5 15 >g; ci other; git checkout -q main; merge --allow-unrelated-histories other; cat g >>f; ci both`},
	{"same change on both sides", `seq 9 >f; ci base; git checkout -q -b s; sed -i '4s/.*/four/' f; ci s; git checkout -q main; sed -i '4s/.*/four/' f; ci m; merge s`},
	{"revert", `seq 20 >f; ci one; sed -i 5,9d f; ci two; tick; git revert -n HEAD; ci three; git rm -q f; ci gone; seq 20 >f; ci back`},
	{"clock skew", `seq 20 >f; ci one; STEP=-7200; sed -i '2s/.*/two/' f; ci two; git checkout -q -b s HEAD~1; sed -i '9s/.*/nine/' f; ci s; STEP=60; git checkout -q main; merge s; STEP=-99999; sed -i '15s/.*/f/' f; ci last`},
	{"same second", `STEP=0; seq 20 >f; ci one; sed -i 2d f; ci two; git checkout -q -b s HEAD~1; sed -i 9d f; ci s; git checkout -q main; merge s; sed -i 4d f; ci f`},
	{"no newline", `printf 'a\nb' >f; ci one; printf 'a\nb\n' >f; ci two; printf 'a\nb\nc' >f; ci three; printf 'c' >f; ci four; : >f; ci five; printf 'x' >f; ci six`},
	{"carriage returns", `seq 9 | sed 's/$/\r/' >f; ci one; sed -i 's/\r//' f; ci two; sed -i '3s/$/\r/' f; ci three`},
	{"binary", `head -c 3000 /dev/zero | tr '\0' 'a\n' >f; printf 'a\0b\nc\0d\n' >b; ci one; printf 'x\0y\n' >>b; printf '\377\376\n' >>f; ci two`},
	{"links", `ln -s target l; seq 5 >f; ci one; rm l; seq 5 >l; ci two; rm l; ln -s other l; ci three; rm f; ln -s l f; ci four`},
	{"file and directory", `seq 9 >p; ci one; rm p; mkdir p; seq 9 >p/q; ci two; git mv p/q q; rm -rf p; git mv q p; ci three`},
	{"modes", `seq 9 >f; ci one; chmod +x f; ci two; echo 10 >>f; ci three`},
	{"odd names", `mkdir 'ä ö'; seq 5 >'ä ö/tab	q"'; ci one; git mv 'ä ö/tab	q"' 'né'; sed -i 2d 'né'; ci two`},
	{"white space", `printf 'a b\nc  d\n\te\nf\n' >f; ci one; printf 'a  b\nc d\n    e\nf \n' >f; ci two; printf 'a  b\nx\nc d\ne\nf\n' >f; ci three`},
	{"subdirectories", `mkdir -p a/b c; seq 20 >a/b/f; seq 5 >a/g; seq 3 >c/h; ci one; echo x >>c/h; ci two; sed -i 3d a/b/f; ci three; echo x >>a/g; ci four; git checkout -q -b s HEAD~2; sed -i 17d a/b/f; ci s; git checkout -q main; merge s`},
	{"people", `echo a >f; git config user.name 'Zoë 日本'; ci one; echo b >>f; git config user.name x; GIT_AUTHOR_NAME=éé ci two; echo c >>f; echo 'Proper <proper@x> <author@example.com>' >.mailmap; ci three`},
	{"messages", `echo a >f; ci '

  first  
second'; echo b >>f; tick; git add f; git commit -q --allow-empty-message -m ''; echo c >>f; ci 'a

author x <y> 1 +0000'`},
	{"replace", `for i in 1 2 3 4 5; do seq $i >f; ci $i; done; git replace --graft HEAD~1 HEAD~3; git replace $(git rev-parse HEAD:f) $(git rev-parse HEAD~2:f)`},
	{"grafts", `for i in 1 2 3 4 5; do seq $i >f; ci $i; done; git rev-parse HEAD~2 >.git/info/grafts`},
}

func TestHistories(t *testing.T) {
	t.Parallel()
	for _, h := range histories {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			dir := script(t, h.script)
			everywhere(t, dir, revs(t, dir)...)
		})
	}
}

func TestWhitespace(t *testing.T) {
	t.Parallel()
	for _, h := range histories {
		if h.name == "white space" || h.name == "carriage returns" || h.name == "criss-cross" {
			dir := script(t, h.script)
			both(t, dir, question{rev: "HEAD", path: "f", space: true})
			both(t, dir, question{path: "f", space: true})
		}
	}
}

func TestRanges(t *testing.T) {
	t.Parallel()
	dir := script(t, histories[1].script+`; : >empty; echo x >one; ci last`)
	for _, lines := range [][]string{
		{"1,5"}, {"5,1"}, {"3"}, {"3,"}, {",7"}, {","}, {""}, {"3,+4"}, {"9,-4"}, {"2,-9"}, {"+2"}, {"0"}, {"-3"}, {"1,0"}, {"3,+0"},
		{"1,999"}, {"99"}, {"99,100"}, {" 3, 5"}, {"3,x"}, {"x"}, {"4x"}, {"1,2", "5,6"}, {"5,6", "1,2"}, {"1,4", "3,9"}, {"1,2", "3,4"}, {"1,2", "+3,+2"}, {"2,5x"}, {"4,+"},
		{"99999999999999999999"}, {"1,99999999999999999999"},
	} {
		both(t, dir, question{rev: "HEAD", path: "f", lines: lines})
	}
	both(t, dir, question{rev: "HEAD", path: "empty", lines: []string{"1"}})
	both(t, dir, question{rev: "HEAD", path: "empty", lines: []string{""}})
	both(t, dir, question{rev: "HEAD", path: "one", lines: []string{"2"}})
}

func TestRangesByText(t *testing.T) {
	t.Parallel()
	dir := script(t, `printf 'int a(x)\n{\n  one;\n}\n\nint b(y)\n{\n  two;\n}\nlast' >f; ci one; sed -i s/one/ONE/ f; ci two`)
	for _, lines := range [][]string{
		{"/int/,/^}/"}, {"/two/,+2"}, {"/two/"}, {"3,/}/"}, {",/}/"}, {"/}/,-2"}, {":a"}, {":b"}, {":int"}, {":^int b"}, {":last"}, {"^:a"}, {":one"},
		{"/int/,/}/", "/int/,/}/"}, {":int", ":int"}, {":int", "^:int"}, {"5,6", "^/int/,+1"}, {"/int/,+1", "/int/"}, {":none"}, {"/none/"}, {"/[/"}, {"/a"}, {"/\\(one\\)/"}, {"/ONE$/,/^$/"}, {":a:f"}, {":"}, {"9,/two/"},
	} {
		both(t, dir, question{rev: "HEAD", path: "f", lines: lines})
	}
}

func TestExcluded(t *testing.T) {
	t.Parallel()
	dir := script(t, histories[7].script)
	for _, rev := range []string{"HEAD~1..HEAD", "HEAD~2..", "y~1..x", "^HEAD~2", "HEAD^!", "HEAD^-", "HEAD..HEAD"} {
		both(t, dir, question{rev: rev, path: "f"})
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	dir := script(t, `mkdir d; echo x >d/f; echo y >f; ci one; git rm -q f; ci two; echo u >untracked; git commit -q --allow-empty -m three`)
	for _, path := range []string{"nope", "d", "f", "d/f/g", "untracked", ".git"} {
		both(t, dir, question{rev: "HEAD", path: path})
		both(t, dir, question{path: path})
	}
	run(t, dir, `rm d/f`)
	both(t, dir, question{path: "d/f"})
	run(t, dir, `mkdir d/f`)
	both(t, dir, question{path: "d/f"})
	both(t, script(t, `echo x >f; git add f`), question{path: "f"})
}
