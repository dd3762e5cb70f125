package reader

import (
	"strings"

	"github.com/ingit-dev/ingit/internal/ignore"
	"github.com/ingit-dev/ingit/sandbox"
)

// ignoring returns the matcher for the folder's children. The ignore files of
// the folder and of those above it are read when the first name asks.
func (f *folder) ignoring() (*ignore.Matcher, error) {
	f.once.Do(func() { f.matcher, f.failed = f.loadIgnoring() })
	return f.matcher, f.failed
}

// inherited returns the matcher before the folder's own ignore file.
func (f *folder) inherited() (*ignore.Matcher, error) {
	if f.parent == nil {
		return f.scan.matcher()
	}
	matcher, err := f.parent.ignoring()
	if err != nil {
		return nil, err
	}
	return matcher.Enter(strings.TrimSuffix(f.path, "/")), nil
}

func (f *folder) loadIgnoring() (*ignore.Matcher, error) {
	matcher, err := f.inherited()
	if err != nil {
		return nil, err
	}
	if f.plain && !f.scan.folders.skipped {
		return matcher, nil
	}
	data, err := f.scan.repo.ruleFile(f.dir, f.path, ".gitignore", f.scan.ix)
	if err != nil || data == nil {
		return matcher, err
	}
	return matcher.Add(ignore.Parse(data, f.path+".gitignore", strings.TrimSuffix(f.path, "/"))), nil
}

// hasIgnoreFile reports that a listing has an ignore file, on whatever file
// system.
func hasIgnoreFile(entries []sandbox.Entry) bool {
	for i := range entries {
		if name := entries[i].Name; len(name) == len(".gitignore") && strings.EqualFold(name, ".gitignore") {
			return true
		}
	}
	return false
}
