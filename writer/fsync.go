package writer

import (
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
)

// durability says which of the files that ingit writes are flushed to disk before they get their names (core.fsync in
// git-config(1)). Packs and what is derived from them are never written.
type durability struct {
	looseObject, index, reference bool
}

// newDurability reads core.fsync; without it, core.fsyncObjectFiles. git's default
// hardens none of these. A component that is not known is passed over, where git warns.
func newDurability(config *gitconfig.Config) (durability, error) {
	var d durability
	value, ok := config.Get("core.fsync")
	if !ok {
		objects, err := config.Bool("core.fsyncObjectFiles", false)
		d.looseObject = objects
		return d, err
	}
	for component := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, off := strings.CutPrefix(component, "-")
		d.set(name, !off)
	}
	return d, nil
}

func (d *durability) set(component string, on bool) {
	switch component {
	case "none":
		*d = durability{}
	case "loose-object", "objects", "committed":
		d.looseObject = on
	case "index":
		d.index = on
	case "reference":
		d.reference = on
	case "added":
		d.looseObject, d.index = on, on
	case "all":
		*d = durability{on, on, on}
	}
}
