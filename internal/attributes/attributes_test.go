package attributes

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

func read(dir string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, path)) }
}

// compare asks git and us about all attributes of every path below dir, directories with a final slash.
func compare(t testing.TB, dir string, fold bool) {
	t.Helper()
	file := read(dir)
	user, _ := file(".git/user")
	info, _ := file(".git/info/attributes")
	s := New(Options{Read: file, Global: []Source{{Data: user}}, Info: &Source{Data: info}, IgnoreCase: fold})
	var paths, ours strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if rel == ".git" {
			return filepath.SkipDir
		}
		if rel == "." {
			return nil
		}
		if d.IsDir() {
			rel += "/"
		}
		paths.WriteString(rel + "\x00")
		for name, value := range s.Lookup(rel).All() {
			ours.WriteString(strings.Join([]string{rel, name, value.String()}, "\x00") + "\x00")
		}
		return nil
	}))
	theirs := fixtures.Command{Dir: dir, Input: []byte(paths.String())}.Must(t,
		"-c", "core.attributesFile=.git/user", "-c", fmt.Sprintf("core.ignoreCase=%v", fold), "check-attr", "-z", "--stdin", "-a")
	require.Equal(t, string(theirs), ours.String(), dir)
}

func TestRulesEqualGit(t *testing.T) {
	long := strings.Repeat("x", 2030)
	files := []string{"a.txt", "b.bin", "dir/a.txt", "dir/sub/c.txt", "sp ace", "q\"uote", "A.TXT", "foo/x/bar", "é.txt", "-dash", "!bang", long[:100] + "/" + long[:200]}
	for name, lines := range map[string]string{
		"states":             "*.txt text -diff !merge eol=lf\n*.bin text= x=a=b -y=z !w=v\n",
		"last wins":          "* a b=1\n*.txt -a b=2\na.txt !a\n",
		"binary":             "*.bin binary\n*.txt binary text\n",
		"macros":             "[attr]m1 x -y z=1\n[attr]m2 m1 !x\n*.txt m1\n*.bin m2\ndir/* -m1\n",
		"macro loop":         "[attr]m1 m2 a\n[attr]m2 m1 b\n* m1\n",
		"macro defined late": "* m\n[attr]m a\n[attr]m b\n",
		"macro redefined":    "[attr]binary foo\n*.bin binary\n",
		"macro names":        "[attr]-m a\n[attr] m2 b\n[attr]m3\n* m3\n[attr]m4 *x\n* m4\n",
		"quoted":             "\"sp ace\" a\n\"q\\\"uote\" b\n\"\\303\\251.txt\" c\n\"open d\n\"*.txt\"e f\n",
		"negative":           "!*.txt a\n\\!bang b\n\"!x\" c\n",
		"bad names":          "*.txt good *bad\n*.txt =x\n*.txt -\n*.txt --x\n*.bin ok\n*.txt a/b\n",
		"blanks":             "  *.txt\t a \t b\r\n\t# c\n\n   \n*.bin\n*.bin  b\r\n",
		"directories":        "dir/ a\ndir b\ndir/** c\n**/sub d\nfoo/**/bar e\nfoo**/bar f\n",
		"long line":          "*.txt a\n* " + long + "\n*.bin b " + long[:2025] + "\n",
		"mark":               "\xef\xbb\xbf*.txt a\n\xef\xbb\xbf*.bin b\n",
		"nul":                "*.txt a\x00 b\n*.b\x00in c\n",
		"macro by quotes":    "\"[attr]q\" a b\n* q\n\"[attr] r s\" c\n* r\n",
	} {
		for _, fold := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %v", name, fold), func(t *testing.T) {
				dir := fixtures.Init(t)
				for _, file := range files {
					fixtures.Write(t, dir, file, "")
				}
				fixtures.Write(t, dir, ".gitattributes", lines)
				fixtures.Write(t, dir, "dir/.gitattributes", "sub/* nested\na.txt -nested m1\n[attr]no x\n")
				compare(t, dir, fold)
			})
		}
	}
}

// TestSourcesEqualGit draws files of every source at random.
func TestSourcesEqualGit(t *testing.T) {
	seed := fixtures.Seed(t)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		dir := fixtures.Init(t)
		for _, name := range []string{"a", "b.a", "x/a", "x/b/ab", "x/b/c/a.b", "y/A", "y/b c/aB"} {
			fixtures.Write(t, dir, name, "")
		}
		for _, name := range []string{".git/user", ".git/info/attributes", ".gitattributes", "x/.gitattributes", "x/b/c/.gitattributes", "y/.gitattributes"} {
			if random.IntN(3) > 0 {
				fixtures.Write(t, dir, name, lines(random))
			}
		}
		compare(t, dir, random.IntN(3) == 0)
	}
}

func lines(random *rand.Rand) string {
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	var out strings.Builder
	for range random.IntN(7) {
		if random.IntN(3) == 0 {
			out.WriteString("[attr]" + pick("m1", "m2", "a1", "binary"))
		} else {
			for range 1 + random.IntN(3) {
				out.WriteString(pick("a", "b", "A", "*", "?", ".", "/", "**/", "x/", "[ab]", "/**", "\\a"))
			}
		}
		for range random.IntN(4) {
			out.WriteString(pick(" ", "\t") + pick("", "-", "!") + pick("a1", "a2", "m1", "m2", "text", "binary") + pick("", "", "=v"))
		}
		out.WriteString(pick("\n", "\r\n"))
	}
	return out.String()
}

func TestGet(t *testing.T) {
	s := New(Options{Read: func(path string) ([]byte, error) {
		if path == ".gitattributes" {
			return []byte("* text=auto -diff ident !eol\n"), nil
		}
		return nil, fs.ErrNotExist
	}})
	got := s.Lookup("a/b/c")
	assert.Equal(t, Value{Valued, "auto"}, got.Get("text"))
	assert.Equal(t, Value{State: Unset}, got.Get("diff"))
	assert.Equal(t, Value{State: Set}, got.Get("ident"))
	assert.Equal(t, Value{}, got.Get("eol"))
	assert.Equal(t, Value{}, got.Get("none"))
	assert.Equal(t, Value{}, Attributes{}.Get("none"))
}

func TestReadOncePerDirectory(t *testing.T) {
	asked := map[string]int{}
	s := New(Options{Read: func(path string) ([]byte, error) { asked[path]++; return nil, nil }})
	for range 3 {
		s.Lookup("a/b/c")
		s.Lookup("a/d")
	}
	assert.Equal(t, map[string]int{".gitattributes": 1, "a/.gitattributes": 1, "a/b/.gitattributes": 1}, asked)
}

func TestConcurrentLookups(t *testing.T) {
	s := New(Options{Read: func(path string) ([]byte, error) {
		return []byte("* a" + strings.ReplaceAll(path, "/", ".") + "\n"), nil
	}})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for k := range 200 {
				path := fmt.Sprintf("d%d/e%d/f", (i+k)%7, k%5)
				assert.Equal(t, Set, s.Lookup(path).Get("a.gitattributes").State)
			}
		})
	}
	group.Wait()
}

func TestHostileFilesEnd(t *testing.T) {
	var chain strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&chain, "[attr]m%d m%d\n", i, i+1)
	}
	chain.WriteString("* m0\n" + strings.Repeat("*a", 60) + "b text\n")
	s := New(Options{Info: &Source{Data: []byte(chain.String())}})
	assert.Equal(t, Set, s.Lookup(strings.Repeat("a", 200)).Get("m100000").State)
	assert.Empty(t, New(Options{Info: &Source{Data: make([]byte, MaxFileSize)}}).Lookup("a").decided)
}

func FuzzParse(f *testing.F) {
	f.Add("*.txt text=auto -diff\n[attr]m a b\n\"q \\303\" m !x\n", "a/b.txt")
	f.Add("[attr]m m\n* m\n", "x/")
	f.Fuzz(func(t *testing.T, data, path string) {
		s := New(Options{Info: &Source{Data: []byte(data)}, Read: func(string) ([]byte, error) { return []byte(data), nil }})
		for range s.Lookup(path).All() {
		}
	})
}
