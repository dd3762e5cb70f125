package pathspec

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/attributes"
)

const gitattributes = "*.c lang=c text\n*.h lang=h,x -text\nsub/** deep\n*.bin binary\n"

// repository has an index with odd names; only directories exist on disk.
func repository(t testing.TB) (dir string, names []string) {
	t.Helper()
	dir = fixtures.Init(t)
	var info strings.Builder
	for _, name := range []string{
		"a.c", "a.h", "A.C", "b.bin", "dir/a.c", "dir/b/x.c", "dir/b/y", "dir-x", "sub/a.c", "sub/deep/er/z.h", "Sub/a.c", "q[1].txt", "q1.txt", "*star", ":(top)x",
		":colon", "!bang", "sp ace/f", "back\\slash", "we[i]rd/a.c", "we[i]rd/sub/b.c", "wei/a.c", "^hat", "x/y/z/a", "x/a.c/b",
	} {
		fmt.Fprintf(&info, "100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\t%s\x00", name)
	}
	fixtures.Command{Dir: dir, Input: []byte(info.String())}.Must(t, "update-index", "-z", "--index-info")
	fixtures.Write(t, dir, ".gitattributes", gitattributes)
	for _, name := range []string{"dir/b/y", "sub/deep/er/z.h", "we[i]rd/sub/b.c", "x/y/z/a"} {
		fixtures.Write(t, dir, name, "")
	}
	return dir, strings.Split(strings.TrimSuffix(string(fixtures.Git(t, dir, "ls-files", "-z")), "\x00"), "\x00")
}

// compare asks git and us which names the pathspecs select in the directory prefix.
func compare(t *testing.T, dir string, names []string, prefix string, specs ...string) {
	t.Helper()
	stack := attributes.New(attributes.Options{Read: func(path string) ([]byte, error) {
		if path == ".gitattributes" {
			return []byte(gitattributes), nil
		}
		return nil, fs.ErrNotExist
	}})
	spec, err := Parse(specs, prefix, Options{Top: dir, PreferCwd: true, Attributes: stack.Lookup})
	theirs := fixtures.Command{Dir: filepath.Join(dir, prefix)}.Run(t, append([]string{"ls-files", "-z", "--full-name", "--"}, specs...)...)
	if theirs.Code != 0 || err != nil {
		text := "no error"
		if err != nil {
			text = "fatal: " + err.Error() + "\n"
		}
		require.Equal(t, string(theirs.Err), text, "%q in %q", specs, prefix)
		return
	}
	var ours strings.Builder
	for _, name := range names {
		if spec.Match(name, false) {
			ours.WriteString(name + "\x00")
			for i := range name {
				if name[i] == '/' {
					require.True(t, spec.MatchesDir(name[:i]), "%q leaves %q out", specs, name[:i])
				}
			}
			require.True(t, strings.HasPrefix(name, spec.CommonDir()), "%q", specs)
		}
	}
	require.Equal(t, string(theirs.Out), ours.String(), "%q in %q", specs, prefix)
}

func TestEqualsGit(t *testing.T) {
	dir, names := repository(t)
	for _, specs := range [][]string{
		{"a.c"}, {"dir"}, {"dir/"}, {"dir-x/"}, {"."}, {"./"}, {"*.c"}, {"dir/*"}, {"**/a.c"}, {":(glob)*.c"}, {":(glob)**/*.c"}, {":(glob)dir/**"}, {"q[1].txt"},
		{":(literal)q[1].txt"}, {":(icase)A.c"}, {":(icase)sub/"}, {":(icase,glob)*/A.C"}, {":(literal)*star"}, {"\\*star"}, {"*star"}, {":/a.c"}, {":(top)dir"}, {":!dir"}, {":^*.c"},
		{":(exclude)dir", ":!sub"}, {"*.c", ":!dir/*"}, {":!/a.c"}, {":/!a.c"}, {":"}, {"::"}, {"::colon"}, {":(literal):colon"}, {":(top):(top)x"}, {"./:(top)x"}, {":(attr:lang)"}, {":(attr:lang=c)"},
		{":(attr:-text)*.h"}, {":(attr:!lang)"}, {":(attr:lang=h\\,x)"}, {":(attr:text lang=c)dir"}, {":(attr:deep,glob)**/z.h"}, {":(attr:text)", ":(exclude,attr:lang=c)dir"}, {":(attr:-diff)"},
		{"dir/../sub"}, {"dir//b"}, {"dir/./b/"}, {"sub/.."}, {"./dir/b/../.."}, {"sp ace"}, {"back\\\\slash"}, {"back\\slash"}, {"!bang"}, {"x/a.c"}, {"x/*"}, {"*/a"}, {":(glob)*/a"}, {":(glob)x**/a"}, {"d?r"},
		{":()a.c"}, {":(,)a.c"}, {":(top,top)a.c"}, {":(prefix:0)a.c"}, {"nothing"}, {""}, {"a.c", ""}, {"../x"}, {"dir/../../x"}, {"/outside"}, {"/"}, {":(bad)x"}, {":(top"}, {":(top,"}, {":;x"}, {":'x"}, {":\"x"},
		{":(glob,literal)x"}, {":(attr:)x"}, {":(attr:a,attr:b)x"}, {":(attr:-)x"}, {":(attr:a=b\\)x"}, {":(attr:a=b+c)x"}, {":(attr:a=b\\"}, {":(prefix:x)a"}, {":(attr: )"}, {":(attr:!)"}, {":(attr:a/b)"}, {":^"}, {":!:^"},
	} {
		compare(t, dir, names, "", specs...)
		if strings.HasPrefix(specs[0], ":(prefix") {
			continue // a bug trap of git's
		}
		compare(t, dir, names, "dir/b/", specs...)
		compare(t, dir, names, "we[i]rd/", specs...)
	}
	for _, prefix := range []string{"", "dir/b/", "we[i]rd/sub/"} {
		compare(t, dir, names, prefix)
		for _, spec := range []string{"..", "../", "../..", "../*.c", "../../a.c", "../../../x", ":!..", ":(icase)../A.C", ":(icase)A.C", ":(glob)../**/*.c"} {
			compare(t, dir, names, prefix, spec)
		}
		for _, spec := range []string{dir, dir + "/", dir + "/dir", dir + "//dir/../a.c", dir + "/../x", dir + "x", dir + "/dir/*"} {
			compare(t, dir, names, prefix, spec)
		}
	}
}

func TestRandomSpecsEqualGit(t *testing.T) {
	dir, names := repository(t)
	seed := fixtures.Seed(t)
	random := rand.New(rand.NewPCG(seed, 0))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	for range 400 {
		specs := make([]string, 1+random.IntN(3))
		for i := range specs {
			spec := pick("", "", "", ":(glob)", ":(icase)", ":!", ":/", ":(literal)", ":(exclude,glob)", ":(top,icase)", ":(attr:text)")
			for range 1 + random.IntN(4) {
				spec += pick("a", "b", "x", "dir", "sub", ".c", "/", "*", "**", "?", "[a-z]", "../", "./", "**/", "/**/", "A", "\\", "we[i]rd", "q[1]")
			}
			if strings.HasPrefix(spec, ":!") || strings.HasPrefix(spec, ":(exclude") {
				spec = strings.ReplaceAll(spec, "../", "") // git reads behind a short exclusion's end when the others have a longer common prefix
			}
			if rest, ok := strings.CutPrefix(spec, ":!"); ok {
				spec = ":!" + strings.TrimLeft(rest, "/") // as above
			}
			if strings.HasPrefix(spec[strings.LastIndexByte(spec, ')')+1:], "/") {
				spec = "a" // git looks for an absolute path's directories, we do not
			}
			specs[i] = spec
		}
		compare(t, dir, names, pick("", "", "dir/b/", "we[i]rd/", "sub/deep/"), specs...)
	}
}

func TestUnmatched(t *testing.T) {
	s, err := Parse([]string{"a", "b/", "*.c", ":!a/x", ":(top)c"}, "", Options{})
	require.NoError(t, err)
	assert.True(t, s.Match("a/y", false))
	assert.False(t, s.Match("a/x", false))
	assert.True(t, s.Match("z/d.c", false))
	assert.False(t, s.Match("b", false))
	assert.Equal(t, []string{"b/", ":(top)c"}, s.Unmatched())
	assert.True(t, s.Match("b", true))
	assert.Equal(t, []string{":(top)c"}, s.Unmatched())
	assert.True(t, s.Items()[0].Matched)
	assert.False(t, s.Items()[2].Literal)
}

func TestNoSpec(t *testing.T) {
	s, err := Parse(nil, "sub/", Options{})
	require.NoError(t, err)
	assert.True(t, s.Empty())
	assert.True(t, s.Match("anything", false))
	assert.True(t, s.MatchesDir("any"))
	assert.Nil(t, s.Unmatched())
	assert.Empty(t, s.CommonDir())
}

func TestMatchesDir(t *testing.T) {
	for _, test := range []struct {
		specs    []string
		dir      string
		possible bool
	}{
		{[]string{"a/b"}, "a", true},
		{[]string{"a/b"}, "a/b", true},
		{[]string{"a/b"}, "a/b/c", true},
		{[]string{"a/b"}, "a/c", false},
		{[]string{"a/b"}, "ab", false},
		{[]string{"a/*.c"}, "a", true},
		{[]string{"a/*.c"}, "a/x", true},
		{[]string{"a/*.c"}, "b", false},
		{[]string{"*"}, "b", true},
		{[]string{":!b"}, "b", false},
		{[]string{":!b"}, "b/c", false},
		{[]string{":!b/c"}, "b", true},
		{[]string{":!*.c"}, "b.c", true},
		{[]string{":(icase)A"}, "a", true},
	} {
		s, err := Parse(test.specs, "", Options{})
		require.NoError(t, err)
		assert.Equal(t, test.possible, s.MatchesDir(test.dir), "%q %q", test.specs, test.dir)
	}
}

func TestOptions(t *testing.T) {
	_, err := Parse([]string{":(attr:x)a"}, "", Options{Unsupported: Attr | Exclude})
	assert.EqualError(t, err, ":(attr:x)a: pathspec magic not supported by this command: 'attr'")
	_, err = Parse([]string{":!a"}, "", Options{Unsupported: Attr | Exclude})
	assert.EqualError(t, err, ":!a: pathspec magic not supported by this command: 'exclude' (mnemonic: '!')")
	_, err = Parse([]string{"../x"}, "", Options{Top: "/top"})
	assert.EqualError(t, err, "../x: '../x' is outside repository at '/top'")
	assert.ErrorIs(t, err, fs.ErrPermission)
	_, err = Parse([]string{"/top/x"}, "", Options{Top: "/top", Bare: true})
	assert.ErrorIs(t, err, fs.ErrPermission)

	s, err := Parse([]string{":(glob)*"}, "", Options{Literal: true})
	require.NoError(t, err)
	assert.False(t, s.Match("a", false))
	assert.True(t, s.Match(":(glob)*", false))
	s, err = Parse([]string{"A"}, "", Options{IgnoreCase: true})
	require.NoError(t, err)
	assert.True(t, s.Match("a/b", false))
}

func FuzzParse(f *testing.F) {
	f.Add(":(icase,attr:a -b !c d=e)x/../*", "sub/", "sub/y")
	f.Add(":!/x", "", "x")
	f.Add("..", "a/b/", "a/c")
	f.Fuzz(func(t *testing.T, spec, prefix, path string) {
		if prefix != "" && !strings.HasSuffix(prefix, "/") {
			prefix += "/"
		}
		s, err := Parse([]string{spec, ":!x"}, prefix, Options{Top: "/top"})
		if err != nil {
			return
		}
		s.Match(path, len(path)%2 == 0)
		s.MatchesDir(path)
		s.CommonDir()
		s.Unmatched()
	})
}
