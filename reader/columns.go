package reader

import "github.com/ingit-dev/ingit/internal/columns"

// ColumnLayout is how a command of git, "branch" or "status", lays its lists
// out where the output is no terminal (git-config(1), column.ui).
func (r *Repository) ColumnLayout(command string) (columns.Layout, error) {
	var values []string
	for _, e := range r.Config().Entries() {
		if e.Name == "column.ui" || e.Name == "column."+command {
			values = append(values, e.Value)
		}
	}
	return columns.ParseLayout(values...)
}
