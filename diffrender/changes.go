package diffrender

import (
	"fmt"
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/reader"
)

// ChangesFromConfig returns which changes r's configuration asks git diff to
// look for: diff.renames (on unless set), diff.renameLimit and diff.relative. A value that a
// key can't take is an error with git's sentence.
func ChangesFromConfig(r *reader.Repository) (reader.ChangeOptions, error) {
	changes := reader.ChangeOptions{Renames: true}
	config := r.Config()
	if entry, ok := config.Entry("diff.renames"); ok {
		switch strings.ToLower(entry.Value) {
		case "copies", "copy":
			changes.Copies = true
		default:
			on, err := gitconfig.ParseBool(entry.Value, entry.HasValue)
			if err != nil {
				return changes, fmt.Errorf("bad boolean config value '%s' for 'diff.renames'", entry.Value)
			}
			changes.Renames = on
		}
	}
	if _, ok := config.Get("diff.renamelimit"); ok {
		limit, err := config.Int("diff.renamelimit", 0)
		if err != nil {
			return changes, err
		}
		if changes.RenameLimit = int(limit); limit <= 0 {
			changes.RenameLimit = -1
		}
	}
	relative, err := config.Bool("diff.relative", false)
	if relative {
		changes.Below = r.Prefix()
	}
	return changes, err
}
