package blame

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/sandbox"
)

// workTreeFile returns the origin of a file in a commit of the work tree as it
// is now, which stands above HEAD and, during a merge, the commits that are
// being merged. It notes that commit's text in the result.
func (b *blamer) workTreeFile(path string, result *Result) (*origin, error) {
	top, err := b.repo.WorkTree()
	if err != nil {
		return nil, err
	}
	ix, err := b.repo.FullIndex(b.ctx)
	if err != nil {
		return nil, err
	}
	c := b.history.commit(plumbing.ZeroHash)
	c.state = loaded
	if c.parents, err = b.workTreeParents(); err != nil {
		return nil, err
	}
	f := b.file(path)
	if err := b.checkTracked(c, f, ix); err != nil {
		return nil, err
	}
	stat, err := top.Lstat(path)
	if err != nil {
		return nil, lstatError(path, err)
	}
	mode := uint32(object.ModeFile)
	if stat.IsSymlink() {
		mode = object.ModeSymlink
	}
	cleaner, err := b.repo.Cleaner(b.ctx, ix)
	if err != nil {
		return nil, err
	}
	data, err := cleaner.Content(path)
	if errors.Is(err, sandbox.ErrNotRegular) {
		return nil, sentence("unsupported file type " + path)
	}
	if err != nil {
		return nil, err
	}
	now, zone := b.now()
	c.date = uint64(now.Unix())
	result.uncommitted = uncommittedText(c, path, now.In(zone))
	o := b.addOrigin(c, f, mode, plumbing.ComputeHash(plumbing.BlobObject, data), nil)
	o.data, o.read = data, true
	return o, nil
}

func (b *blamer) now() (time.Time, *time.Location) {
	options := b.repo.Options()
	now, zone := time.Now, time.UTC
	if options.Now != nil {
		now = options.Now
	}
	if options.Zone != nil {
		zone = options.Zone
	}
	return now(), zone
}

func lstatError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &PathError{Path: path, gone: true}
	}
	return err
}

// workTreeParents returns the commits that the next commit would have as
// parents.
func (b *blamer) workTreeParents() ([]*commit, error) {
	head, err := b.repo.Head()
	if err != nil {
		return nil, err
	}
	if head.Unborn {
		return nil, sentence("no such ref: HEAD")
	}
	parents := []*commit{b.history.commit(head.ID)}
	data, err := b.repo.GitDir().ReadFile("MERGE_HEAD", 0)
	if errors.Is(err, fs.ErrNotExist) {
		return parents, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(data) {
		id := string(line[:min(len(line), 40)])
		if !plumbing.IsHash(id) {
			return nil, sentence(fmt.Sprintf("unknown line in '%s/MERGE_HEAD': %s", b.repo.GitDir().Path(), bytes.TrimSuffix(line, []byte("\n"))))
		}
		parents = append(parents, b.history.commit(plumbing.NewHash(id)))
	}
	return parents, nil
}

// checkTracked says that nobody knows the path, unless a parent or the index
// has it.
func (b *blamer) checkTracked(c *commit, f *file, ix *index.Index) error {
	for _, parent := range c.parents {
		if !b.repo.Objects().Has(parent.id) {
			return sentence("no such commit " + parent.id.String())
		}
		if _, err := b.history.load(parent); err != nil {
			return err
		}
		found, err := b.lookUp(parent, f, nil)
		if err != nil {
			return err
		}
		if found.isBlob() {
			return nil
		}
	}
	if _, ok := ix.FindAny(f.path); ok {
		return nil
	}
	return &PathError{Path: f.path}
}

// uncommittedText is the text of the commit that the work tree stands for.
func uncommittedText(c *commit, path string, now time.Time) []byte {
	text := fmt.Appendf(nil, "tree %s\n", plumbing.ZeroHash)
	for _, p := range c.parents {
		text = fmt.Appendf(text, "parent %s\n", p.id)
	}
	ident := fmt.Sprintf("Not Committed Yet <not.committed.yet> %d %s", now.Unix(), now.Format("-0700"))
	return fmt.Appendf(text, "author %s\ncommitter %s\n\nVersion of %s from %s\n", ident, ident, path, path)
}
