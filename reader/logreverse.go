package reader

import "slices"

// backwards yields the commits that run would, the last one first.
func (w *walk) backwards(yield func(*Commit, error) bool) {
	w.graph.keep = false
	var found []*node
	for commit, err := range w.run {
		if err != nil {
			yield(nil, err)
			return
		}
		found = append(found, commit.node)
	}
	for _, n := range slices.Backward(found) {
		data, err := w.graph.read(n.id)
		if err != nil {
			yield(nil, err)
			return
		}
		if !yield(&Commit{ID: n.id, Data: data, node: n}, nil) {
			return
		}
	}
}
