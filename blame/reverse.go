package blame

import (
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/reader"
)

// scapegoats are the commits that a commit's lines may be passed to: its parents,
// in reverse its children.
func (b *blamer) scapegoats(c *commit) []*commit {
	if b.children != nil {
		return b.children[c]
	}
	return c.parents
}

// findChildren turns the direction: history begins at a commit and goes on to
// tips. Of several children the one that git's walk meets last comes first.
func (b *blamer) findChildren(first *commit, tips []plumbing.Hash) error {
	b.children = map[*commit][]*commit{}
	b.history.queue.Rank = oldest
	first.boundary = true
	for found, err := range b.repo.Log(b.ctx, reader.LogOptions{Tips: tips, Exclude: []plumbing.Hash{first.id}}) {
		if err != nil {
			return err
		}
		c := b.history.commit(found.ID)
		if _, err := b.history.load(c); err != nil {
			return err
		}
		for _, p := range c.parents {
			b.children[p] = slices.Insert(b.children[p], 0, c)
		}
	}
	return nil
}
