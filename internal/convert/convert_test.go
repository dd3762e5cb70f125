package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/gitconfig"
)

func config(t testing.TB, text string) *Config {
	t.Helper()
	entries, err := gitconfig.Parse([]byte(text), "config")
	require.NoError(t, err)
	c, err := NewConfig(gitconfig.New(entries))
	require.NoError(t, err)
	return c
}

// rules are those of any path under the attributes given.
func rules(t testing.TB, attrs, configText string) Rules {
	t.Helper()
	r, err := For(lookup(attrs, "any"), config(t, configText))
	require.NoError(t, err)
	return r
}

func lookup(attrs, path string) attributes.Attributes {
	return attributes.New(attributes.Options{Info: &attributes.Source{Data: []byte("* " + attrs + "\n")}}).Lookup(path)
}

var (
	lineChoices = []string{
		"", "text", "-text", "text=auto", "text=input", "text=other", "eol=lf", "eol=crlf", "eol=other", "text eol=crlf", "text=auto eol=lf", "text=auto eol=crlf", "-text eol=crlf", "crlf", "-crlf",
		"crlf=input", "crlf=auto text", "ident", "ident text", "ident text=auto eol=crlf", "-ident", "binary ident", "ident text=auto", "filter=none text", "filter text",
	}
	attrChoices = append([]string{
		"working-tree-encoding=UTF-16", "text working-tree-encoding=UTF-16LE-BOM",
		"working-tree-encoding=UTF-16BE", "working-tree-encoding=ISO-8859-1 eol=crlf", "working-tree-encoding=UTF-8 text", "working-tree-encoding=nosuch", "working-tree-encoding= text",
		"working-tree-encoding=utf16le", "working-tree-encoding=UTF-32 ident", "working-tree-encoding=UTF-16BE-BOM", "working-tree-encoding=SHIFT-JIS",
	}, lineChoices...)
	configChoices = []string{
		"", "autocrlf = true", "autocrlf = input", "autocrlf = false\neol = crlf", "eol = lf", "eol = native", "autocrlf = true\neol = lf", "autocrlf\n", "autocrlf = true\nsafecrlf = true", "autocrlf = input\neol = crlf",
	}
	pieces = []string{
		"a", "line\n", "line\r\n", "\r", "\n", "\r\n", "\x00", "\x01", "\x1a", "\x7f", "é", "\xe9", "\xff\xfe", "\xfe\xff", "a\x00\n\x00", "\x00a\x00\n", "$Id$", "$Id: x $", "$Id: 1 2 $", "$Id:$", "$Id: a\n$",
		"$", "Id", "$Id", "$Id:", " ", "\t", "\b", strings.Repeat("text ", 40), "\x82\xa0", "\xff\xfe\x00\x00", "$Id:x$ $Id$",
	}
)

func content(random *rand.Rand) []byte {
	var out bytes.Buffer
	for range random.IntN(7) {
		out.WriteString(pieces[random.IntN(len(pieces))])
	}
	return out.Bytes()
}

// TestEqualsGit converts random content under all pairs of attributes and configuration, both ways.
func TestEqualsGit(t *testing.T) {
	seed := fixtures.Seed(t)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, setting := range configChoices {
		s := newSample(t, random, setting, attrChoices)
		hashed := fixtures.Command{Dir: s.dir, Input: []byte(strings.Join(s.paths, "\n"))}.Must(t, "hash-object", "--stdin-paths")
		fixtures.Command{Dir: s.dir}.Must(t, "checkout-index", "-a", "--prefix=out/")
		for at, path := range s.paths {
			r, message := s.rules(t, path)
			clean, err := r.Clean(path, s.work[path], nil)
			require.NoError(t, err, message)
			require.Equal(t, strings.Fields(string(hashed))[at], plumbing.ComputeHash(plumbing.BlobObject, clean).String(), "%s\nours %q", message, clean)
			if r.Identity() {
				require.Equal(t, string(s.work[path]), string(clean), message)
			}
			data, err := r.Smudge(path, s.staged[path], plumbing.ComputeHash(plumbing.BlobObject, s.staged[path]), nil)
			require.NoError(t, err)
			smudged, err := os.ReadFile(filepath.Join(s.dir, "out", path))
			require.NoError(t, err)
			require.Equal(t, string(smudged), string(data), "smudge: %s", message)
		}
	}
}

// TestAddEqualsGit adds random content over other random content, which may hold CRLFs.
func TestAddEqualsGit(t *testing.T) {
	seed := fixtures.Seed(t)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, setting := range configChoices {
		if strings.Contains(setting, "safecrlf") {
			continue
		}
		s := newSample(t, random, setting, lineChoices)
		fixtures.Command{Dir: s.dir, Input: []byte(strings.Join(s.paths, "\n"))}.Must(t, "add", "--pathspec-from-file=-")
		listed := strings.Split(strings.TrimSpace(string(fixtures.Git(t, s.dir, "ls-files", "-s"))), "\n")
		require.Len(t, listed, len(s.paths))
		for _, line := range listed {
			id, path := line[7:47], line[50:]
			r, message := s.rules(t, path)
			r.Strict = true
			got, err := r.HashClean(path, bytes.NewReader(s.work[path]), int64(len(s.work[path])), func() ([]byte, error) { return s.staged[path], nil })
			require.NoError(t, err)
			require.Equal(t, id, got.String(), message)
		}
	}
}

// sample is a repository of paths with random content in the work tree and in the index.
type sample struct {
	dir, setting string
	config       *Config
	stack        *attributes.Stack
	paths        []string
	work, staged map[string][]byte
}

func newSample(t *testing.T, random *rand.Rand, setting string, choices []string) *sample {
	t.Helper()
	text := "[core]\n" + setting + "\n"
	s := &sample{dir: fixtures.Init(t), setting: setting, config: config(t, text), work: map[string][]byte{}, staged: map[string][]byte{}}
	var sources, attrFile, info strings.Builder
	for i, attrs := range choices {
		fmt.Fprintf(&attrFile, "f%d-* %s\n", i, attrs)
		for k := range 3 {
			path := fmt.Sprintf("f%d-%d", i, k)
			s.paths = append(s.paths, path)
			s.work[path], s.staged[path] = content(random), content(random)
			fixtures.Write(t, s.dir, path, string(s.work[path]))
			fixtures.Write(t, s.dir, "staged/"+path, string(s.staged[path]))
			fmt.Fprintln(&sources, "staged/"+path)
		}
	}
	ids := fixtures.Command{Dir: s.dir, Input: []byte(sources.String())}.Must(t, "hash-object", "-w", "--no-filters", "--stdin-paths")
	for at, id := range strings.Fields(string(ids)) {
		fmt.Fprintf(&info, "100644 %s 0\t%s\n", id, s.paths[at])
	}
	fixtures.Command{Dir: s.dir, Input: []byte(info.String())}.Must(t, "update-index", "--index-info")
	fixtures.Write(t, s.dir, ".git/info/attributes", attrFile.String())
	fixtures.Write(t, s.dir, ".git/config", "[core]\nrepositoryformatversion = 0\n"+text)
	s.stack = attributes.New(attributes.Options{Info: &attributes.Source{Data: []byte(attrFile.String())}})
	return s
}

func (s *sample) rules(t *testing.T, path string) (Rules, string) {
	t.Helper()
	r, err := For(s.stack.Lookup(path), s.config)
	require.NoError(t, err)
	return r, fmt.Sprintf("%q: %s: %q, staged %q", s.setting, path, s.work[path], s.staged[path])
}

// TestRefusalsEqualGit adds files that git refuses.
func TestRefusalsEqualGit(t *testing.T) {
	for _, test := range []struct{ attrs, config, content string }{
		{"text", "safecrlf = true", "a\r\n"},
		{"text eol=crlf", "safecrlf = true", "a\n"},
		{"text eol=crlf", "safecrlf = true", "a\r\nb\n"},
		{"text eol=crlf", "safecrlf = true", "a\r\n"},
		{"", "autocrlf = true\nsafecrlf = true", "a\n"},
		{"", "autocrlf = input\nsafecrlf = true", "a\r\nb\n"},
		{"", "autocrlf = true\nsafecrlf = warn", "a\n"},
		{"", "autocrlf = true\nsafecrlf = true", "a\x00\n"},
		{"working-tree-encoding=UTF-16", "", "a\x00"},
		{"working-tree-encoding=UTF-32", "", "a\x00"},
		{"working-tree-encoding=utf16be", "", "\xfe\xff\x00a"},
		{"working-tree-encoding=UTF-32LE", "", "\xff\xfe\x00\x00"},
		{"working-tree-encoding=UTF-16LE", "", "a"},
		{"working-tree-encoding=nosuch", "", "a"},
		{"working-tree-encoding", "", "a"},
		{"-working-tree-encoding", "", "a"},
		{"working-tree-encoding=UTF-16", "checkRoundtripEncoding = UTF-16", "\xfe\xff\x00a"},
		{"working-tree-encoding=UTF-16", "checkRoundtripEncoding = UTF-16", "\xff\xfea\x00"},
		{"filter=f", "[filter \"f\"]\nrequired", "a"},
		{"filter=f", "[filter \"f\"]\nrequired\nclean =", "a"},
		{"filter=f", "autocrlf = nonsense", "a"},
		{"filter=f", "safecrlf = nonsense", "a"},
	} {
		dir := fixtures.Init(t)
		fixtures.Write(t, dir, "any", test.content)
		fixtures.Write(t, dir, ".git/info/attributes", "* "+test.attrs+"\n")
		text := "[core]\n" + test.config + "\n"
		fixtures.Write(t, dir, ".git/config", "[core]\nrepositoryformatversion = 0\n"+text)
		theirs := fixtures.Command{Dir: dir}.Run(t, "hash-object", "-w", "any")
		ours := ""
		entries, err := gitconfig.Parse([]byte(text), "config")
		require.NoError(t, err)
		c, err := NewConfig(gitconfig.New(entries))
		if err == nil {
			var r Rules
			if r, err = For(lookup(test.attrs, "any"), c); err == nil {
				r.Strict = true
				_, err = r.Clean("any", []byte(test.content), nil)
			}
		}
		if err != nil {
			ours = "fatal: " + err.Error()
		}
		var last string
		for line := range strings.Lines(string(theirs.Err)) {
			if strings.HasPrefix(line, "fatal: ") {
				last = strings.TrimSpace(line)
			}
		}
		assert.Equal(t, last, strings.TrimSuffix(ours, " in file config at line 2"), "%q %q %q", test.attrs, test.config, test.content)
	}
}

func TestFilterDrivers(t *testing.T) {
	for _, test := range []struct {
		config        string
		clean, smudge bool
	}{
		{"", false, false},
		{"[filter \"f\"]\nclean = cat\n", true, false},
		{"[filter \"f\"]\nsmudge = cat\n", false, true},
		{"[filter \"f\"]\nprocess = cat\n", true, true},
		{"[filter \"f\"]\nclean =\n", false, false},
		{"[filter \"F\"]\nclean = cat\n", false, false},
	} {
		r := rules(t, "filter=f", test.config)
		name, clean := r.NeedsFilter()
		assert.Equal(t, test.clean, clean, test.config)
		_, smudge := r.NeedsSmudge()
		assert.Equal(t, test.smudge, smudge, test.config)
		var refused *FilterError
		if clean {
			assert.Equal(t, "f", name)
			_, err := r.Clean("p", []byte("x"), nil)
			assert.True(t, errors.As(err, &refused))
			assert.EqualError(t, err, "p: cannot run the filter driver 'f'")
		}
		if smudge {
			_, err := r.Smudge("p", []byte("x"), plumbing.ZeroHash, nil)
			assert.True(t, errors.As(err, &refused))
		}
	}
}

const lfsConfig = "[filter \"lfs\"]\nclean = git-lfs clean -- %f\nsmudge = git-lfs smudge -- %f\nprocess = git-lfs filter-process\nrequired\n"

func TestLFS(t *testing.T) {
	r := rules(t, "filter=lfs -text", lfsConfig)
	_, needed := r.NeedsFilter()
	assert.False(t, needed)
	assert.False(t, r.Identity())
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9\nsize 11\n"
	for content, want := range map[string]string{"hello world": pointer, pointer: pointer, "": ""} {
		clean, err := r.Clean("p", []byte(content), nil)
		require.NoError(t, err)
		assert.Equal(t, want, string(clean))
	}
	store := func(oid string) ([]byte, error) {
		if strings.HasPrefix(oid, "b94d27") {
			return []byte("hello world"), nil
		}
		return nil, fs.ErrNotExist
	}
	data, err := r.Smudge("p", []byte(pointer), plumbing.ZeroHash, store)
	require.NoError(t, err)
	assert.Equal(t, "hello world", string(data))
	other := strings.Replace(pointer, "b94d27", "b94d28", 1)
	data, err = r.Smudge("p", []byte(other), plumbing.ZeroHash, store)
	require.NoError(t, err)
	assert.Equal(t, other, string(data), "an object that is not there leaves the pointer")
	_, err = r.Smudge("p", []byte(pointer), plumbing.ZeroHash, func(string) ([]byte, error) { return []byte("junk"), nil })
	assert.ErrorContains(t, err, "corrupt")

	plain := rules(t, "filter=lfs", "")
	assert.True(t, plain.Identity(), "without configuration the filter does nothing")
}

func TestParsePointer(t *testing.T) {
	oid := strings.Repeat("0a", 32)
	for text, ok := range map[string]bool{
		"version https://git-lfs.github.com/spec/v1\noid sha256:" + oid + "\nsize 1\n":                 true,
		"version https://git-lfs.github.com/spec/v1\next-0-x sha256:1\noid sha256:" + oid + "\nsize 1": true,
		"version https://hawser.github.com/spec/v1\noid sha256:" + oid + "\nsize 1\n":                  true,
		"version https://example.com/v9\noid sha256:" + oid + "\nsize 1\n":                             false,
		"version https://git-lfs.github.com/spec/v1\noid md5:" + oid + "\nsize 1\n":                    false,
		"version https://git-lfs.github.com/spec/v1\noid sha256:" + oid + "\nsize -1\n":                false,
		"version https://git-lfs.github.com/spec/v1\nsize 1\noid sha256:" + oid + "\n":                 false,
		"version https://git-lfs.github.com/spec/v1\noid sha256:" + oid + "\n":                         false,
		"version https://git-lfs.github.com/spec/v1\noid sha256:" + oid + "\nsize 1\nmore\n":           false,
		"text": false,
		"":     false,
	} {
		_, got := ParsePointer([]byte(text))
		assert.Equal(t, ok, got, "%q", text)
	}
}

// TestStreaming compares the big-content ways with Clean; the chunk borders fall into CRLFs.
func TestStreaming(t *testing.T) {
	line := []byte("some text\r\n\rlone\n")
	big := bytes.Repeat(line, streamFrom/len(line)+1)
	for _, test := range []struct{ attrs, config string }{
		{"text", ""}, {"text=auto", ""}, {"text ident", ""}, {"filter=lfs", lfsConfig},
	} {
		r := rules(t, test.attrs, test.config)
		for _, data := range [][]byte{append(big, '\r'), bytes.ReplaceAll(big, []byte("\rl"), []byte("l"))} {
			clean, err := r.Clean("p", data, nil)
			require.NoError(t, err)
			want := plumbing.ComputeHash(plumbing.BlobObject, clean)
			got, err := r.HashClean("p", bytes.NewReader(data), int64(len(data)), nil)
			require.NoError(t, err)
			assert.Equal(t, want, got, test.attrs)
			got, err = r.HashClean("p", struct{ io.Reader }{bytes.NewReader(data)}, int64(len(data)), nil)
			require.NoError(t, err)
			assert.Equal(t, want, got, test.attrs)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add([]byte("$Id: x $\r\n"), uint8(17), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, attr, setting uint8) {
		r, err := For(lookup(attrChoices[int(attr)%len(attrChoices)], "any"), config(t, "[core]\n"+configChoices[int(setting)%len(configChoices)]))
		require.NoError(t, err)
		clean, err := r.Clean("any", data, func() ([]byte, error) { return data, nil })
		require.NoError(t, err)
		_, err = r.Smudge("any", clean, plumbing.ZeroHash, nil)
		require.NoError(t, err)
		ParsePointer(data)
	})
}
