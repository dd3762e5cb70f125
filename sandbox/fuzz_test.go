package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// FuzzName holds the check of names against the rule in one sentence: a name that equals its own
// cleaned form, is neither absolute nor ".", does not climb, and has no NUL byte.
func FuzzName(f *testing.F) {
	for _, name := range []string{"a", "a/b", "", ".", "..", "a/../b", "a//b", "/a", "a/", "a\x00", "..a", "a..", ".a/..b", "../a"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean := name != "" && path.Clean(name) == name && name != "." && name != ".." &&
			!strings.HasPrefix(name, "../") && name[0] != '/' && !strings.Contains(name, "\x00")
		err := checkName(name)
		if !hostNames && clean != (err == nil) {
			t.Errorf("%q: clean %v, error %v", name, clean, err)
		}
		if plainName(name) != (err == nil && !strings.Contains(name, "/")) {
			t.Errorf("%q: plainName %v, error %v", name, plainName(name), err)
		}
	})
}

var unsafePattern = regexp.MustCompile(
	"(?i)(^| )(--(exec|upload-pack|receive-pack|pager|editor)=|--no-verify($| )|-c($| |=))|[;|<>`\\x00]|\\$\\(")

// FuzzCheck holds the validation of values against the contract's rules as one expression.
func FuzzCheck(f *testing.F) {
	for _, value := range []string{
		"", "a -c", "-c=", "--no-verify x", "--NO-verify", "--exec=", "x --pager=y", "$(", "`", "--cached", "-cx", "--no-verify\n", "\x00", "-c ",
	} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		// (?i) folds the Kelvin sign and the long s, which no option is written with.
		want := unsafePattern.MatchString(strings.NewReplacer("\u212a", "x", "\u017f", "x").Replace(value))
		if got := (Policy{}).Check("p", value) != nil; got != want {
			t.Errorf("%q: refused %v, want %v", value, got, want)
		}
	})
}

// FuzzParse holds what every accepted value must be.
func FuzzParse(f *testing.F) {
	for _, value := range []string{"main", "-x", "a..b", "a/.b", "a.lock", "@", "@{u}", "a b", "a\nb", "", "x\x00"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for _, p := range []Policy{{}, {Validation: Literal}} {
			if b, err := ParseBranch(p, "p", value); err == nil {
				if checkName(value) != nil || strings.ContainsAny(value, " ~^:?*[\\\n\r\t\x7f") || value[0] == '-' || string(b) != value {
					t.Errorf("branch %q accepted", value)
				}
			}
			if _, err := ParseRev(p, "p", value); err == nil && (value == "" || value[0] == '-' || strings.Contains(value, "\x00")) {
				t.Errorf("rev %q accepted", value)
			}
			specs, err := ParsePathspecs(p, "p", value)
			if err == nil && (len(specs) != 1 || string(specs[0]) != value || value == "" || strings.Contains(value, "\x00")) {
				t.Errorf("pathspec %q accepted", value)
			}
		}
	})
}

// FuzzFollow resolves paths in a small workspace with links of all kinds, and compares with the
// host's own resolution: what is opened is what the host means, and never lies outside.
func FuzzFollow(f *testing.F) {
	top, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	for _, dir := range []string{"w/a/b", "w/c", "o/a"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o777); err != nil {
			f.Fatal(err)
		}
	}
	if runtime.GOOS == "wasip1" {
		f.Skip("some hosts make no absolute links")
	}
	for name, target := range map[string]string{
		"w/i": "a", "w/u": "..", "w/o": "../o", "w/r": "/", "w/s": top + "/w/c", "w/l": "l", "w/a/p": "../..", "w/a/q": "../c/", "o/w": "../w", "w/d": "./a/./b/..",
	} {
		if err := os.Symlink(target, filepath.Join(top, name)); err != nil {
			f.Fatal(err)
		}
	}
	w, err := Open(filepath.Join(top, "w"), Policy{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { w.Close() })
	for _, p := range []string{"", "a", "i/b", "u", "u/w/a", "o", "o/w", "r", "s", "l", "a/p/w/c", "a/q", "d/b", "..", "../w", "a/../../w", "a//b/./", "x/../a", "r/..", "u/00/../w"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, name string) {
		path := top + "/w/" + name
		d, err := w.OpenDir(path)
		if err != nil {
			if real, hostErr := filepath.EvalSymlinks(path); hostErr == nil && !explained(w, err, real) {
				t.Fatalf("%q: %v, but the host says %s", path, err, real)
			}
			return
		}
		defer d.Close()
		mine, err := d.Stat()
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || statOfInfo(info).Ino != mine.Ino || !w.Contains(d.Path()) {
			t.Fatalf("%q: opened %s; the host says %v", path, d.Path(), err)
		}
	})
}

// explained says whether an error is right where the host resolves the path.
func explained(w *Workspace, err error, real string) bool {
	info, statErr := os.Stat(real)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return true // it lies outside, or leads through there
	case errors.Is(err, ErrNotDir):
		return statErr != nil || !info.IsDir()
	}
	return errors.Is(err, fs.ErrInvalid) // a NUL byte, which the host refuses too
}
