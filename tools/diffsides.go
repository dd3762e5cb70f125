package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// diffSides are what a diff compares: two sides, changes that are known
// already, or the result of a merge, new, with its parents.
type diffSides struct {
	what     diffrender.Comparison
	old, new reader.Side
	given    []reader.Change
	parents  []reader.Side
}

// operand is an object that a diff's revisions stand for.
type operand struct {
	reader.Entry // with a path only of REV:PATH, and a mode 0 of others
	name         string
	tree         bool
}

// diffSides finds the sides that from, to, merge_base and cached ask for.
func (c *call) diffSides(ctx context.Context, p *diffParams) (diffSides, error) {
	operands, err := c.operands(ctx, p)
	if err != nil {
		return diffSides{}, err
	}
	blobs := 0
	for _, o := range operands {
		if !o.tree {
			blobs++
		}
	}
	switch {
	case p.cached && (blobs > 0 || len(operands) > 1):
		return diffSides{}, &RequestError{Operation: "diff", Param: "cached", Reason: "parameter 'cached' of diff goes with one revision at most"}
	case blobs == 0:
		return c.treeSides(operands, p.cached)
	case blobs == 2 && len(operands) == 2 && len(p.files) == 0:
		return blobSides(operands), nil
	case blobs == 1 && len(operands) == 1 && len(p.files) == 1:
		return c.blobToFile(ctx, operands[0], p.files[0])
	}
	return diffSides{}, &RequestError{Operation: "diff", Param: "from", Reason: "a file (REV:PATH) is compared with another, or with the one path in 'files'"}
}

// treeSides compares trees with each other, the index or the work tree.
func (c *call) treeSides(trees []operand, cached bool) (s diffSides, err error) {
	sides := make([]reader.Side, len(trees))
	for i, o := range trees {
		sides[i] = reader.Tree(o.ID)
	}
	switch {
	case len(sides) > 2:
		return diffSides{what: diffrender.Trees, new: sides[len(sides)-1], parents: sides[:len(sides)-1]}, nil
	case len(sides) == 2:
		return diffSides{what: diffrender.Trees, old: sides[0], new: sides[1]}, nil
	case cached && len(sides) == 0:
		s = diffSides{what: diffrender.TreeToIndex, new: reader.IndexSide}
		s.old, err = c.repo.HeadSide()
		return s, err
	case cached:
		return diffSides{what: diffrender.TreeToIndex, old: sides[0], new: reader.IndexSide}, nil
	}
	_, err = c.repo.WorkTree()
	if len(sides) == 0 {
		return diffSides{what: diffrender.IndexToWorkTree, old: reader.IndexSide, new: reader.WorkTreeSide}, err
	}
	return diffSides{what: diffrender.TreeToWorkTree, old: sides[0], new: reader.WorkTreeSide}, err
}

// blobSides compares two files, wherever they are.
func blobSides(blobs []operand) diffSides {
	s := diffSides{what: diffrender.Trees, old: reader.Empty, new: reader.Empty, given: []reader.Change{}}
	var entries [2]reader.Entry
	for i, o := range blobs {
		entries[i] = o.Entry
		entries[i].Path, entries[i].Mode = cmp.Or(o.Path, o.name), cmp.Or(o.Mode, object.ModeFile)
	}
	if c, differ := changeBetween(entries[0], entries[1]); differ {
		s.given = append(s.given, c)
	}
	return s
}

// blobToFile compares a file of a revision with one of the work tree.
func (c *call) blobToFile(ctx context.Context, blob operand, file string) (diffSides, error) {
	s := diffSides{what: diffrender.BlobToWorkTree, old: reader.Empty, new: reader.WorkTreeSide, given: []reader.Change{}}
	if err := c.refuseOutward(file); err != nil {
		return s, err
	}
	top, err := c.repo.WorkTree()
	if err != nil {
		return s, err
	}
	name := strings.TrimPrefix(path.Join("/", c.repo.Prefix(), file), "/")
	if rest, ok := strings.CutPrefix(file, ":/"); ok {
		name = strings.TrimPrefix(path.Join("/", rest), "/")
	}
	stat, err := top.Lstat(name)
	if err != nil {
		return s, &statError{name, err}
	}
	new := reader.Entry{Path: name, Mode: object.ModeFile}
	switch {
	case stat.IsSymlink():
		new.Mode = object.ModeSymlink
	case !stat.Mode.IsRegular():
		return s, complaint(fmt.Sprintf("'%s': not a regular file or symlink", name))
	case stat.Mode&0o100 != 0:
		new.Mode = object.ModeExecutable
	}
	content, err := c.repo.Content(ctx, reader.WorkTreeSide, new)
	if err != nil {
		return s, err
	}
	new.ID = plumbing.ComputeHash(plumbing.BlobObject, content)
	old := blob.Entry
	old.Path, old.Mode = cmp.Or(old.Path, name), cmp.Or(old.Mode, new.Mode)
	if change, differ := changeBetween(old, new); differ {
		s.given = append(s.given, change)
	}
	return s, nil
}

// statError is a path that isn't there.
type statError struct {
	path string
	err  error
}

// Error is git's sentence.
func (e *statError) Error() string {
	return fmt.Sprintf("failed to stat '%s': No such file or directory", e.path)
}

// Unwrap returns what the file system said.
func (e *statError) Unwrap() error { return e.err }

// changeBetween is the change from one file to another, and false if there is
// none.
func changeBetween(old, new reader.Entry) (reader.Change, bool) {
	const typeMask = 0o170000
	c := reader.Change{Kind: reader.Modified, Old: old, New: new}
	if (old.Mode^new.Mode)&typeMask != 0 {
		c.Kind = reader.TypeChanged
	}
	return c, old.ID != new.ID || old.Mode != new.Mode
}

// operands returns what the revisions of a diff stand for, the old side first.
func (c *call) operands(ctx context.Context, p *diffParams) ([]operand, error) {
	switch {
	case p.from == "" && p.to != "":
		return nil, &RequestError{Operation: "diff", Param: "from", Reason: "parameter 'to' of diff needs 'from'"}
	case p.from == "" && p.mergeBase:
		return nil, &RequestError{Operation: "diff", Param: "from", Reason: "parameter 'merge_base' of diff needs 'from'"}
	case p.from == "":
		return nil, nil
	case p.mergeBase && p.to != "":
		return c.parted(ctx, p.from, p.to)
	case p.to != "":
		return c.each(ctx, named{"from", p.from}, named{"to", p.to})
	}
	if old, new, symmetric, isRange := splitRange(p.from); isRange {
		found, err := c.each(ctx, named{"from", old}, named{"from", new})
		switch unknown := (*reader.UnknownRevisionError)(nil); {
		case errors.As(err, &unknown): // the dots belong to something else
		case err != nil:
			return nil, err
		case p.mergeBase:
			return nil, complaint("--merge-base does not work with ranges")
		case symmetric:
			return c.parted(ctx, old, new)
		default:
			return found, nil
		}
	}
	if strings.Contains(p.from, "^") && !p.mergeBase {
		if found, err := c.withParents(ctx, p.from); found != nil || err != nil {
			return found, err
		}
	}
	if p.mergeBase {
		return c.sinceHead(ctx, p.from)
	}
	return c.each(ctx, named{"from", p.from})
}

// splitRange cuts OLD..NEW or OLD...NEW. An empty side is HEAD; ".." alone is
// the folder above to most commands.
func splitRange(rev string) (old, new string, symmetric, isRange bool) {
	old, new, isRange = strings.Cut(rev, "..")
	if !isRange || rev == ".." {
		return "", "", false, false
	}
	new, symmetric = strings.CutPrefix(new, ".")
	return cmp.Or(old, "HEAD"), cmp.Or(new, "HEAD"), symmetric, true
}

// named is a revision and the parameter that it stands in.
type named struct{ param, rev string }

// each resolves revisions, each to a tree or blob.
func (c *call) each(ctx context.Context, revs ...named) ([]operand, error) {
	var all []operand
	for _, r := range revs {
		parsed, err := sandbox.ParseRev(c.policy, r.param, r.rev)
		if err != nil {
			return nil, err
		}
		entry, err := c.repo.ResolveEntry(ctx, parsed)
		if err != nil {
			return nil, err
		}
		o := operand{Entry: entry, name: r.rev}
		if o.ID, o.tree, err = c.treeOrBlob(entry.ID); err != nil {
			return nil, reader.BadObject(err, entry.ID, r.rev)
		}
		all = append(all, o)
	}
	return all, nil
}

// treeOrBlob follows tags and commits.
func (c *call) treeOrBlob(id plumbing.Hash) (plumbing.Hash, bool, error) {
	tree, err := c.repo.TreeOf(id)
	if errors.Is(err, reader.ErrNotTree) {
		return tree, false, nil
	}
	return tree, true, err
}

// withParents takes REV^!, REV^- and their like: a commit after its parents.
func (c *call) withParents(ctx context.Context, rev string) ([]operand, error) {
	if strings.HasPrefix(rev, "^") || !strings.HasSuffix(rev, "^!") && !strings.HasSuffix(rev, "^@") && !strings.Contains(rev, "^-") {
		return nil, nil
	}
	parsed, err := sandbox.ParseRev(c.policy, "from", rev)
	if err != nil {
		return nil, err
	}
	selection, err := c.repo.ResolveRange(ctx, parsed)
	if err != nil {
		return nil, err
	}
	return c.commits(slices.Concat(selection.Exclude, selection.Tips)...)
}

func (c *call) commits(ids ...plumbing.Hash) ([]operand, error) {
	all := make([]operand, len(ids))
	for i, id := range ids {
		tree, err := c.repo.TreeOf(id)
		if err != nil {
			return nil, err
		}
		all[i] = operand{Entry: reader.Entry{ID: tree}, tree: true}
	}
	return all, nil
}

// parted returns the first merge base of two commits, and the second commit.
func (c *call) parted(ctx context.Context, from, to string) ([]operand, error) {
	var ids [2]plumbing.Hash
	for i, r := range []named{{"from", from}, {"to", to}} {
		parsed, err := sandbox.ParseRev(c.policy, r.param, r.rev)
		if err != nil {
			return nil, err
		}
		if ids[i], err = c.repo.ResolveCommit(ctx, parsed); err != nil {
			if wrong := (*reader.TypeError)(nil); errors.As(err, &wrong) {
				err = fmt.Errorf("Invalid symmetric difference expression %s...%s", from, to)
			}
			return nil, err
		}
	}
	bases, err := c.repo.MergeBases(ctx, ids[0], ids[1])
	if err != nil {
		return nil, err
	}
	if len(bases) == 0 {
		return nil, fmt.Errorf("%s...%s: no merge base", from, to)
	}
	return c.commits(bases[0], ids[1])
}

// sinceHead returns the one merge base of a commit and HEAD.
func (c *call) sinceHead(ctx context.Context, from string) ([]operand, error) {
	parsed, err := sandbox.ParseRev(c.policy, "from", from)
	if err != nil {
		return nil, err
	}
	id, err := c.repo.Resolve(ctx, parsed)
	if err != nil {
		return nil, err
	}
	if kind, _, err := c.repo.Objects().Header(id); err != nil || kind != plumbing.CommitObject {
		return nil, complaint("--merge-base only works with commits")
	}
	head, err := c.repo.ResolveCommit(ctx, "HEAD")
	if err != nil {
		return nil, complaint("unable to get HEAD")
	}
	bases, err := c.repo.MergeBases(ctx, id, head)
	switch {
	case err != nil:
		return nil, err
	case len(bases) == 0:
		return nil, complaint("no merge base found")
	case len(bases) > 1:
		return nil, complaint("multiple merge bases found")
	}
	return c.commits(bases[0])
}
