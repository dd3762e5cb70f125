package tools

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/quote"
	"github.com/ingit-dev/ingit/reader"
	"github.com/ingit-dev/ingit/sandbox"
)

// lsTree lists a tree's entries.
func lsTree() *operation {
	var rev, name string
	var recursive, long bool
	return &operation{
		doc:     "List the files of a revision, a line each: mode, type, id, path. Same bytes as git ls-tree [-r] [-l] REV [PATH].",
		bounded: true,
		params: []*Param{
			revision(&rev, "rev", "The commit, tag or tree.", "HEAD"),
			text(&name, "path", "Only this path, relative to cwd; with a slash at its end, what is in that folder."),
			flag(&recursive, "recursive", "Go into folders."),
			flag(&long, "long", "Show the sizes of files, too."),
		},
		run: func(ctx context.Context, c *call, w io.Writer) error {
			id, err := c.resolve(ctx, "rev", rev)
			if err != nil {
				return notNamed(err, id, rev)
			}
			within, err := c.pathInTree(name)
			if err != nil {
				return err
			}
			return c.writeTree(ctx, w, id, treeFormat{prefix: c.repo.Prefix(), long: long}, reader.ListTreeOptions{Path: within, Recursive: recursive})
		},
	}
}

// treeFormat says how entries of a tree are printed.
type treeFormat struct {
	prefix string // show paths relative to this folder
	long   bool   // with sizes
}

// writeTree prints entries of the tree that id leads to.
func (c *call) writeTree(ctx context.Context, w io.Writer, id plumbing.Hash, f treeFormat, opts reader.ListTreeOptions) error {
	quotePath, err := c.repo.Config().Bool("core.quotePath", true)
	if err != nil {
		return err
	}
	buf := buffer{to: w, text: make([]byte, 0, flushAt+flushAt/4)}
	err = c.repo.WalkTree(ctx, id, opts, func(path []byte, mode uint32, id plumbing.Hash) error {
		buf.text = append(buf.text, modeAndType(mode)...)
		buf.text = object.AppendID(buf.text, id)
		if f.long {
			size, err := c.blobSize(mode, id)
			if err != nil {
				return err
			}
			buf.text = fmt.Appendf(buf.text, " %7s", size)
		}
		buf.text = append(buf.text, '\t')
		if f.prefix == "" {
			buf.text = quote.AppendBytes(buf.text, path, quotePath)
		} else {
			buf.text = quote.Append(buf.text, relativeTo(f.prefix, string(path)), quotePath)
		}
		buf.text = append(buf.text, '\n')
		return buf.flushFull()
	})
	if err != nil {
		return err
	}
	return buf.flush()
}

// modeAndType returns how a line begins for an entry of that mode.
func modeAndType(mode uint32) string {
	switch mode {
	case object.ModeFile:
		return "100644 blob "
	case object.ModeExecutable:
		return "100755 blob "
	case object.ModeSymlink:
		return "120000 blob "
	case object.ModeTree:
		return "040000 tree "
	}
	return "160000 commit "
}

// blobSize returns a blob's length as it is printed, for other entries a dash.
// What is missing or damaged is "BAD", as for git ls-tree --long.
func (c *call) blobSize(mode uint32, id plumbing.Hash) (string, error) {
	if mode == object.ModeTree || mode == object.ModeGitlink {
		return "-", nil
	}
	_, n, err := c.repo.Objects().Header(id)
	if reader.Unusable(err) {
		return "BAD", nil
	}
	return fmt.Sprint(n), err
}

// pathInTree turns a path relative to cwd into one relative to the top. None
// at all means cwd itself.
func (c *call) pathInTree(name string) (string, error) {
	prefix := c.repo.Prefix()
	if name == "" {
		return prefix, nil
	}
	full := path.Join("/", prefix, name)
	if strings.HasPrefix(name, "/") || strings.HasPrefix(path.Join(prefix, name), "../") || path.Join(prefix, name) == ".." {
		return "", &outsideError{name}
	}
	full = full[1:]
	if full != "" && (strings.HasSuffix(name, "/") || strings.HasSuffix("/"+name, "/.") || strings.HasSuffix("/"+name, "/..")) {
		full += "/"
	}
	return full, nil
}

// outsideError is a path that leads out of the repository.
type outsideError struct{ path string }

// Error is git's sentence.
func (e *outsideError) Error() string {
	return fmt.Sprintf("%s: '%s' is outside repository", e.path, e.path)
}

// relativeTo returns a path below the top as seen from the folder prefix,
// which is empty or ends in a slash.
func relativeTo(prefix, name string) string {
	if rest, ok := strings.CutPrefix(name, prefix); ok {
		return rest
	}
	up := ""
	for prefix != "" && !strings.HasPrefix(name+"/", prefix) {
		up += "../"
		prefix = prefix[:strings.LastIndexByte(prefix[:len(prefix)-1], '/')+1]
	}
	switch {
	case name+"/" != prefix:
		return up + strings.TrimPrefix(name, prefix)
	case up == "":
		return "./"
	}
	return up
}

// revision binds a parameter that is a revision.
func revision(dst *string, name, doc, def string) *Param {
	p := text(dst, name, doc)
	if *dst = def; def != "" {
		p.Default = def
	}
	return p
}

// resolve returns the object that a revision names.
func (c *call) resolve(ctx context.Context, param, rev string) (plumbing.Hash, error) {
	parsed, err := sandbox.ParseRev(c.policy, param, rev)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return c.repo.Resolve(ctx, parsed)
}
