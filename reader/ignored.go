package reader

import (
	"context"
	"strings"

	"github.com/ingit-dev/ingit/internal/ignore"
	"github.com/ingit-dev/ingit/internal/index"
)

// Ignoring answers whether paths of the work tree are ignored (gitignore(5)).
// It is for one goroutine.
type Ignoring struct {
	scan    *scan
	folders map[string]*folder
	perDir  *Ignoring // the same without the lists outside the work tree
}

// Ignoring returns the ignore rules of the work tree. ix tells which ignore
// files are outside a sparse checkout and so are taken from the index.
func (r *Repository) Ignoring(ctx context.Context, ix *index.Index) (*Ignoring, error) {
	top, err := r.WorkTree()
	if err != nil {
		return nil, err
	}
	s, err := r.newScan(ctx, ix, scanOptions{untracked: UntrackedAll})
	if err != nil {
		return nil, err
	}
	return &Ignoring{scan: s, folders: map[string]*folder{"": {scan: s, dir: top}}}, nil
}

// Close releases the directories that were looked into.
func (g *Ignoring) Close() {
	if g.perDir != nil {
		g.perDir.Close()
	}
	for path, f := range g.folders {
		if path != "" && f.dir != nil {
			f.dir.Close()
		}
	}
}

// Match tells whether a path is ignored, by itself or with a directory above
// it, and by which pattern.
func (g *Ignoring) Match(path string, isDir bool) (ignore.Result, error) {
	f, err := g.folder(path[:strings.LastIndexByte(path, '/')+1])
	if err != nil {
		return ignore.Result{}, err
	}
	matcher, err := f.ignoring()
	if err != nil {
		return ignore.Result{}, err
	}
	return matcher.Match(path, isDir), nil
}

// folder returns the directory at path, which is "" or ends in a slash. One
// that does not exist has no ignore file of its own.
func (g *Ignoring) folder(path string) (*folder, error) {
	if f, ok := g.folders[path]; ok {
		return f, nil
	}
	cut := strings.LastIndexByte(path[:len(path)-1], '/') + 1
	parent, err := g.folder(path[:cut])
	if err != nil {
		return nil, err
	}
	f := &folder{scan: g.scan, parent: parent, path: path}
	if parent.dir != nil {
		f.dir, err = parent.dir.OpenDir(path[cut : len(path)-1])
		if err != nil && unreadable(err) {
			return nil, err
		}
	}
	if f.dir == nil {
		f.once.Do(func() { f.matcher, f.failed = f.inherited() })
	}
	g.folders[path] = f
	return f, nil
}

// Untracked lists the files below a directory of the work tree, given without
// a final slash, that are neither in the index nor ignored by a .gitignore
// file; a nested repository as its directory with a slash. It is what git looks
// for in a directory that has to go, and like git it knows no info/exclude and
// no core.excludesFile here.
func (g *Ignoring) Untracked(dir string) ([]string, error) {
	if g.perDir == nil {
		s := *g.scan
		s.matcher = func() (*ignore.Matcher, error) { return ignore.New(s.ignoreCase), nil }
		g.perDir = &Ignoring{scan: &s, folders: map[string]*folder{"": {scan: &s, dir: g.folders[""].dir}}}
	}
	return g.perDir.untracked(dir)
}

func (g *Ignoring) untracked(dir string) ([]string, error) {
	f, err := g.folder(dir + "/")
	if err != nil || f.dir == nil {
		return nil, err
	}
	var found findings
	ix := g.scan.ix
	from, to := ix.DirRange(dir)
	if err := f.unknown(from, to, -1, &found); err != nil {
		return nil, err
	}
	for i := from; i < to; {
		name := ix.Entries[i].Name[len(dir)+1:]
		slash := strings.IndexByte(name, '/')
		if slash < 0 {
			i++
			continue
		}
		below, err := g.untracked(dir + "/" + name[:slash])
		if err != nil {
			return nil, err
		}
		found.untracked = append(found.untracked, below...)
		i = endOfFolder(ix.Entries, i, to, len(dir)+1+slash+1)
	}
	return found.untracked, nil
}
