package reader

import "github.com/ingit-dev/ingit/internal/ignore"

// ignoring returns the matcher for the folder's children. The ignore files of
// the folder and of those above it are read when the first name asks.
func (f *folder) ignoring() (*ignore.Matcher, error) {
	f.once.Do(func() { f.matcher, f.failed = f.loadIgnoring() })
	return f.matcher, f.failed
}

func (f *folder) loadIgnoring() (*ignore.Matcher, error) {
	var matcher *ignore.Matcher
	var err error
	base := ""
	if f.parent == nil {
		matcher, err = f.scan.matcher()
	} else if matcher, err = f.parent.ignoring(); err == nil {
		base = f.path[:len(f.path)-1]
		matcher = matcher.Enter(base)
	}
	if err != nil {
		return nil, err
	}
	data, err := f.scan.repo.ruleFile(f.dir, f.path, ".gitignore", f.scan.ix)
	if err != nil || data == nil {
		return matcher, err
	}
	return matcher.Add(ignore.Parse(data, f.path+".gitignore", base)), nil
}
