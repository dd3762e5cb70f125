package reader

import "github.com/go-git/go-git/v5/plumbing"

// AlteredParents returns the commits whose parents are not those that they
// name, with the parents that they have instead: by info/grafts, or none at
// the boundary of a shallow clone (gitrepository-layout(5), gitglossary(7)
// "shallow repository"). The caller must not change the map.
func (r *Repository) AlteredParents() (map[plumbing.Hash][]plumbing.Hash, error) {
	o, err := r.loadOverrides()
	if err != nil {
		return nil, err
	}
	return o.parents, nil
}
