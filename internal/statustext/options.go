package statustext

import (
	"strings"

	"github.com/ingit-dev/ingit/internal/columns"
	"github.com/ingit-dev/ingit/internal/quote"
	"github.com/ingit-dev/ingit/reader"
)

// Options are the settings that change how a status is written. The zero value
// shows all paths from the top of the work tree and quotes no byte above 0x7f.
type Options struct {
	Branch    bool   // begin with what is known of the branch, in the porcelain and short formats
	QuotePath bool   // core.quotePath
	Prefix    string // paths are shown relative to this directory: "a/b/" or ""

	// The rest is for the long format.
	Commit  bool           // of a commit that is refused
	Hints   bool           // advice.statusHints
	Ignored bool           // ignored files were asked for
	Comment string         // what lines begin with, by status.displayCommentPrefix; "" for nothing
	Columns columns.Layout // of untracked and ignored files
	// Submodules is what the function Submodules returned.
	Submodules []Section
}

// OptionsFor returns the options that a repository's configuration asks for,
// with Branch set.
func OptionsFor(r *reader.Repository) (Options, error) {
	opts := Options{Branch: true}
	relative, comments := true, false
	for _, setting := range []struct {
		key  string
		def  bool
		into *bool
	}{
		{"core.quotepath", true, &opts.QuotePath},
		{"status.relativepaths", true, &relative},
		{"advice.statushints", true, &opts.Hints},
		{"status.displaycommentprefix", false, &comments},
	} {
		value, err := r.Config().Bool(setting.key, setting.def)
		if err != nil {
			return Options{}, err
		}
		*setting.into = value
	}
	if comments {
		opts.Comment = "#"
		if char, ok := r.Config().Get("core.commentchar"); ok && len(char) == 1 {
			opts.Comment = char
		}
	}
	var err error
	if opts.Columns, err = r.ColumnLayout("status"); err != nil {
		return Options{}, err
	}
	if relative {
		opts.Prefix = r.Prefix()
	}
	return opts, nil
}

// path returns a path as it is printed: relative to the prefix and quoted.
func (o *Options) path(name string) string {
	return quote.CStyle(relativePath(name, o.Prefix), o.QuotePath)
}

// relativePath returns name as seen from the directory prefix, both from the
// top of the work tree.
func relativePath(name, prefix string) string {
	if prefix == "" {
		return name
	}
	common := 0
	for i := 0; i < len(name) && i < len(prefix) && name[i] == prefix[i]; i++ {
		if name[i] == '/' {
			common = i + 1
		}
	}
	if name+"/" == prefix {
		common = len(prefix)
		name = prefix
	}
	up := strings.Count(prefix[common:], "/")
	if up == 0 && common == len(name) {
		return "./"
	}
	return strings.Repeat("../", up) + name[common:]
}
