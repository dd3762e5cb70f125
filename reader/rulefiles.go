package reader

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/ignore"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

// maxRuleFile is the largest .gitattributes file that git itself reads, in
// bytes (gitattributes(5)); ignore files get the same bound.
const maxRuleFile = 100<<20 - 1

// ruleFile returns a .gitignore file of the work tree. What is not a regular
// file counts as absent, as does a link, which git does not follow there. A
// file outside the sparse checkout is taken from the index.
func (r *Repository) ruleFile(dir *sandbox.Dir, path, name string, ix *index.Index) ([]byte, error) {
	data, err := dir.ReadFile(name, maxRuleFile)
	if err == nil {
		return data, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		at, ok := ix.Find(path+name, 0)
		if !ok || !ix.Entries[at].SkipWorktree {
			return nil, nil
		}
		_, data, err = r.Objects().Read(ix.Entries[at].ID)
		return data, err
	}
	return nil, unlessUnreadable(ignoreIrregular(err))
}

// ignoreIrregular drops the refusal to open a FIFO, socket or device, or a
// file that is too large, which git only warns of.
func ignoreIrregular(err error) error {
	if large := new(sandbox.LimitError); errors.Is(err, sandbox.ErrNotRegular) || errors.As(err, &large) {
		return nil
	}
	return err
}

// ignoreSources are the ignore files outside the work tree, nil where there is
// none, in rising precedence.
type ignoreSources struct{ user, info *attributes.Source }

func (r *Repository) ignoreSources() (ignoreSources, error) {
	user, err := r.userFile("core.excludesfile", "ignore")
	if err != nil {
		return ignoreSources{}, err
	}
	info, err := r.infoFile("exclude")
	return ignoreSources{user, info}, err
}

// matcher returns the matcher of the top directory.
func (s ignoreSources) matcher(ignoreCase bool) *ignore.Matcher {
	var lists []*ignore.List
	for _, source := range []*attributes.Source{s.user, s.info} {
		if source != nil {
			lists = append(lists, ignore.Parse(source.Data, source.Name, ""))
		}
	}
	return ignore.New(ignoreCase, lists...)
}

// workAttributes returns the attributes of paths as git add and git diff see
// them: .gitattributes files from the work tree, or else from the index. A
// directory of that name counts as an empty file.
func (r *Repository) workAttributes(ix *index.Index) (*attributes.Stack, error) {
	top, err := r.WorkTree()
	if err != nil {
		return nil, err
	}
	read := func(name string) ([]byte, error) {
		data, err := top.ReadFile(name, maxRuleFile)
		if err == nil || errors.Is(err, sandbox.ErrNotRegular) {
			return data, nil
		}
		if err := unlessUnreadable(ignoreIrregular(err)); err != nil {
			return nil, err
		}
		return r.indexFile(ix, name)
	}
	return r.attributeStack(read)
}

// indexFile returns a file's content from the index, in a conflict our side's;
// nil when it has none.
func (r *Repository) indexFile(ix *index.Index, name string) ([]byte, error) {
	at, ok := ix.Find(name, 0)
	if !ok {
		at, ok = ix.Find(name, 2)
	}
	if !ok || ix.Entries[at].Mode&modeTypeMask != modeFile&modeTypeMask {
		return nil, nil
	}
	_, data, err := r.Objects().Read(ix.Entries[at].ID)
	return data, err
}

// attributeStack returns attributes whose .gitattributes files come from read.
func (r *Repository) attributeStack(read func(path string) ([]byte, error)) (*attributes.Stack, error) {
	opts := attributes.Options{Read: read}
	var err error
	if opts.IgnoreCase, err = r.Config().Bool("core.ignorecase", false); err != nil {
		return nil, err
	}
	user, err := r.userFile("core.attributesfile", "attributes")
	if err != nil {
		return nil, err
	}
	if user != nil {
		opts.Global = append(opts.Global, *user)
	}
	opts.Info, err = r.infoFile("attributes")
	return attributes.New(opts), err
}

// infoFile reads a file of $GIT_DIR/info, nil when there is none.
func (r *Repository) infoFile(name string) (*attributes.Source, error) {
	f, err := r.CommonDir().OpenFollow("info/" + name)
	if err != nil {
		return nil, unlessUnreadable(ignoreIrregular(err))
	}
	defer f.Close()
	return readRules(f, r.layout.commonName()+"/info/"+name)
}

// readRules reads an open rule file, nil when it is too large.
func readRules(f *sandbox.File, name string) (*attributes.Source, error) {
	data, err := f.ReadAll(maxRuleFile)
	if err != nil {
		return nil, ignoreIrregular(err)
	}
	return &attributes.Source{Name: name, Data: data}, nil
}

// userFile reads the file that a path setting of the user names, or the
// default one in the user's git configuration directory; nil when there is
// none. A setting in the repository's own configuration must name a file of
// the workspace.
func (r *Repository) userFile(key, name string) (*attributes.Source, error) {
	user := r.Options().User
	entry, configured := r.Config().Entry(key)
	if !configured {
		if user == nil || user.ConfigHome == "" || user.ReadFile == nil {
			return nil, nil
		}
		file := path.Join(user.ConfigHome, "git", name)
		return userSource(user, file, file)
	}
	return r.namedFile(key, entry)
}

// namedFile reads the file that a path setting names.
func (r *Repository) namedFile(key string, entry gitconfig.Entry) (*attributes.Source, error) {
	user, file := r.Options().User, entry.Value
	if user != nil {
		file, _ = gitconfig.ExpandHome(file, user.Home)
	}
	if file == "" || strings.HasPrefix(file, "~") {
		return nil, nil
	}
	name := file // what git prints, which opens it from the top
	if !path.IsAbs(file) && !isAbsolute(file) {
		top, err := r.WorkTree()
		if err != nil {
			return nil, err
		}
		file = path.Join(top.Path(), file)
	}
	trusted := entry.Scope == gitconfig.System || entry.Scope == gitconfig.Global
	if trusted && user != nil && user.ReadFile != nil {
		return userSource(user, file, name)
	}
	f, err := r.Workspace().OpenFile(file)
	if outside := (*sandbox.OutsideError)(nil); errors.As(err, &outside) {
		return nil, &sandbox.OutsideError{What: key, Path: file}
	}
	if err != nil {
		return nil, unlessUnreadable(ignoreIrregular(err))
	}
	defer f.Close()
	return readRules(f, name)
}

func userSource(user *User, file, name string) (*attributes.Source, error) {
	data, err := user.ReadFile(file)
	if err != nil {
		return nil, unlessUnreadable(err)
	}
	return &attributes.Source{Name: name, Data: data}, nil
}

// conversions returns the contents of the work tree beside ix.
func (r *Repository) conversions(ctx context.Context, ix *index.Index) *contents {
	return newContents(ctx, r, ix)
}
