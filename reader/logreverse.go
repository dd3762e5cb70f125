package reader

import "slices"

// backwards yields the commits that run would, the last one first.
func (w *walk) backwards(yield func(*Commit, error) bool) {
	bare := w.bare
	w.bare = true
	var found []*node
	for commit, err := range w.run {
		if err != nil {
			yield(nil, err)
			return
		}
		found = append(found, commit.node)
	}
	for _, n := range slices.Backward(found) {
		if !bare {
			if err := w.fill(n); err != nil {
				yield(nil, err)
				return
			}
		}
		commit := w.commit(n)
		if !yield(&commit, nil) {
			return
		}
		w.graph.release(n)
	}
}
