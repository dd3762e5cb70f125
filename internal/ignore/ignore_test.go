package ignore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// tree is a work tree in memory: ignore files by directory, beside those of the repository and the user.
type tree struct {
	fold   bool
	global []*List
	files  map[string]*List
}

func load(t testing.TB, dir string, fold bool) *tree {
	t.Helper()
	read := func(name, governed string) *List {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil
		}
		return Parse(data, name, governed)
	}
	w := &tree{fold: fold, files: map[string]*List{}, global: []*List{read(".git/user", ""), read(".git/info/exclude", "")}}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if d.Name() == ".gitignore" {
			rel, _ := filepath.Rel(dir, path)
			governed := filepath.Dir(rel)
			if governed == "." {
				governed = ""
			}
			w.files[governed] = read(rel, governed)
		}
		return nil
	}))
	return w
}

// match walks down to path.
func (w *tree) match(path string, isDir bool) Result {
	m := New(w.fold, w.global...).Add(w.files[""])
	for i := range len(path) {
		if path[i] == '/' {
			m = m.Enter(path[:i]).Add(w.files[path[:i]])
		}
	}
	return m.Match(path, isDir)
}

// answer prints a verdict as "git check-ignore -v -n -z" does.
func answer(path string, result Result) string {
	if result.Pattern == nil {
		return strings.Join([]string{"", "", "", path}, "\x00") + "\x00"
	}
	p := result.Pattern
	return strings.Join([]string{p.Source, strconv.Itoa(p.Line), p.Text(), path}, "\x00") + "\x00"
}

// compare asks git and us about every path below dir.
func compare(t testing.TB, dir string, fold bool) {
	t.Helper()
	w := load(t, dir, fold)
	var paths, ours []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if rel == ".git" {
			return filepath.SkipDir
		}
		if rel != "." {
			paths = append(paths, rel)
			ours = append(ours, answer(rel, w.match(rel, d.IsDir())))
		}
		return nil
	}))
	git := fixtures.Command{Dir: dir, Input: []byte(strings.Join(paths, "\x00") + "\x00")}
	theirs := git.Run(t, "-c", "core.excludesFile=.git/user", "-c", fmt.Sprintf("core.ignoreCase=%v", fold),
		"check-ignore", "-v", "-n", "-z", "--no-index", "--stdin")
	require.Contains(t, []int{0, 1}, theirs.Code, string(theirs.Err))
	require.Equal(t, string(theirs.Out), strings.Join(ours, ""), "%s", dir)
}

func TestRulesEqualGit(t *testing.T) {
	files := []string{
		"a.o", "dir/a.o", "dir/sub/b.o", "keep.o", "dir/keep.o", "trail ", "trail", "x y", "back\\slash", "#hash", "!bang", "build/out", "src/build/out", "doc/build",
		"foo/x/bar", "foo/bar", "foox/y/bar", "deep/a/b/c/d", "deep/a/d", "A.O", "Dir/A.o", "[x]", "x", "tab\t", "cr\r", "ünï", "only/one", "only/two/three",
		"logs/debug.log", "logs/keep/debug.log", "star*", "q?", "vendor/lib/x.go", "vendor/.keep", "a/b/c/file", "a/x/file", "z/a/b/file",
	}
	for name, patterns := range map[string]string{
		"suffix":               "*.o\n!keep.o\n",
		"directories":          "build/\n",
		"anchored":             "/build\n/doc/build/\n",
		"inner slash":          "dir/a.o\nsub/b.o\n",
		"trailing spaces":      "trail\\ \nx y   \n",
		"escapes":              "\\#hash\n\\!bang\nback\\\\slash\nstar\\*\n\\[x\\]\n",
		"comments":             "# *\n#hash\n \n\n",
		"double star":          "**/bar\nfoo/**\ndeep/**/d\na/**\n!a/b/\n",
		"double star attached": "foo**/bar\ndeep/a**\n",
		"re-included":          "/only/*\n!/only/two\nlogs/**\n!logs/**/\n!*.log\n",
		"parent stays ignored": "logs/\n!logs/keep/debug.log\n",
		"all but one":          "/*\n!/vendor\n/vendor/*\n!/vendor/.keep\n",
		"case":                 "A.o\nDIR\n[A-D].O\n",
		"carriage return":      "*.o\r\nbuild/\r\n\r\ncr\r",
		"byte-order mark":      "\xef\xbb\xbf*.o\n",
		"not a mark later":     "x\n\xef\xbb\xbfa.o\n",
		"classes":              "[[:alpha:]].o\n[!a-z]*\nq[?]\n",
		"malformed":            "[x\n[[:nope:]]\n\\\n/\n!\n!/\n//\n/**\n",
		"nul":                  "*.o\x00junk\n",
		"no newline":           "*.o",
		"last line is spaces":  "*.o\n   ",
		"tab is no space":      "tab\t\nx\t \n",
	} {
		for _, fold := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %v", name, fold), func(t *testing.T) {
				dir := fixtures.Init(t)
				for _, file := range files {
					fixtures.Write(t, dir, file, "")
				}
				fixtures.Write(t, dir, ".gitignore", patterns)
				compare(t, dir, fold)
			})
		}
	}
}

// TestRandomPatternsEqualGit nests files of random patterns over a random tree.
func TestRandomPatternsEqualGit(t *testing.T) {
	seed := fixtures.Seed(t)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 30 {
		dir := fixtures.Init(t)
		dirs := []string{""}
		for range 30 {
			parent := dirs[random.IntN(len(dirs))]
			path := parent + word(random)
			if _, err := os.Lstat(filepath.Join(dir, path)); err == nil {
				continue
			}
			if random.IntN(3) == 0 {
				require.NoError(t, os.Mkdir(filepath.Join(dir, path), 0o777))
				dirs = append(dirs, path+"/")
			} else {
				fixtures.Write(t, dir, path, "")
			}
		}
		for _, d := range dirs {
			if random.IntN(3) == 0 {
				fixtures.Write(t, dir, d+".gitignore", patterns(random))
			}
		}
		fixtures.Write(t, dir, ".git/info/exclude", patterns(random))
		fixtures.Write(t, dir, ".git/user", patterns(random))
		compare(t, dir, random.IntN(3) == 0)
	}
}

func word(random *rand.Rand) string {
	var w strings.Builder
	for range 1 + random.IntN(3) {
		w.WriteByte("aabBc.- "[random.IntN(8)])
	}
	if s := w.String(); s != "." && s != ".." {
		return s
	}
	return "a"
}

func patterns(random *rand.Rand) string {
	pieces := []string{"a", "b", "B", "c", ".", "-", " ", "*", "*", "**", "/", "/", "?", "[ab]", "[!a]", "[a-c]", "\\a", "\\ ", "**/", "/**", "/**/", "[[:alpha:]]", "[[:upper:]]", "\\", "[", "#"}
	var out strings.Builder
	for range random.IntN([]int{8, 40}[random.IntN(2)]) {
		if random.IntN(4) == 0 {
			out.WriteByte('!')
		}
		for range 1 + random.IntN(5) {
			out.WriteString(pieces[random.IntN(len(pieces))])
		}
		out.WriteString([]string{"\n", "\n", "\r\n", " \n", "/\n"}[random.IntN(5)])
	}
	return out.String()
}

func TestGlobalListsAreWeaker(t *testing.T) {
	m := New(false, Parse([]byte("*.tmp\n*.swp\n"), "user", ""), nil, Parse([]byte("*.bak\n!a.swp\n"), "info", ""))
	assert.True(t, m.Match("a.tmp", false).Ignored)
	assert.Equal(t, "info", m.Match("a.swp", false).Pattern.Source)
	assert.False(t, m.Match("a.swp", false).Ignored)
	sub := m.Enter("sub").Add(Parse([]byte("!wanted.tmp\n"), "sub/.gitignore", "sub"))
	assert.False(t, sub.Match("sub/wanted.tmp", false).Ignored)
	assert.True(t, sub.Match("sub/other.tmp", false).Ignored)
	assert.True(t, m.Match("wanted.tmp", false).Ignored, "the parent is as it was")
}

func TestHostileFilesAreCheap(t *testing.T) {
	stars := strings.Repeat("*a", 60) + "b\n" + strings.Repeat("**/a/", 300) + "b\n"
	m := New(false, Parse([]byte(stars+strings.Repeat("a", 4<<20)), "x", ""), Parse([]byte(strings.Repeat("pat*\n", 200_000)), "y", ""))
	assert.False(t, m.Match(strings.Repeat("a", 200), false).Ignored)
	assert.False(t, m.Match(strings.Repeat("a/", 2000)+"a", false).Ignored)
	assert.Zero(t, Parse(make([]byte, MaxFileSize), "huge", "").Len())
}

func FuzzParse(f *testing.F) {
	f.Add("*.o\n!a/\n\\ \n[[:alpha:]]\n", "a/b.o")
	f.Add("**/x/**\n[a-\n", "x/y")
	f.Fuzz(func(t *testing.T, data, path string) {
		m := New(len(data)%2 == 0, Parse([]byte(data), "s", ""))
		m.Match(path, true)
		m.Enter(path).Match(path+"/x", false)
	})
}

func BenchmarkMatch(b *testing.B) {
	var lines strings.Builder
	for i := range 250 {
		fmt.Fprintf(&lines, "/git-command%d\n", i)
	}
	lines.WriteString("*.o\n*.[ao]\n*~\nbuild/\n**/gen/*.c\n")
	m := New(false, Parse([]byte(lines.String()), ".gitignore", ""))
	b.ReportAllocs()
	for b.Loop() {
		m.Match("some/dir/file.go", false)
	}
}
