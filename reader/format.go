package reader

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/sandbox"
)

// format is what git reads from a repository's own config before anything
// else, without includes (gitrepository-layout(5), and "repository-version" in
// git's technical documents).
type format struct {
	version        int64 // -1: not set
	worktreeConfig bool
	bare           bool
	bareSet        bool
	workTree       string
	workTreeSet    bool
	unsupported    error // an extension that git knows and ingit does not
}

// FormatError is a repository whose version or extensions ingit cannot read.
type FormatError struct{ text string }

// Error is git's sentence where git has one, without "fatal: ".
func (e *FormatError) Error() string { return e.text }

// readFormat reads and checks the format of a repository.
func readFormat(l *layout) (format, error) {
	f := format{version: -1}
	entries, err := ownConfig(l.commonDir, "config", l.commonName())
	if err != nil {
		return f, err
	}
	var unknown, later []string // extensions: of no version, of version 1
	for _, e := range entries {
		switch {
		case e.Name == "core.repositoryformatversion":
			if f.version, err = e.Int(); err != nil {
				return f, inFile(err, e)
			}
		case e.Section == "extensions" && e.Subsection == "":
			if err := f.extension(e, &unknown, &later); err != nil {
				return f, err
			}
		default:
			if err := f.place(e); err != nil {
				return f, err
			}
		}
	}
	if err := f.check(unknown, later); err != nil {
		return f, err
	}
	return f, f.own(l)
}

// place takes the settings that say whether and where there is a work tree.
func (f *format) place(e gitconfig.Entry) (err error) {
	switch e.Name {
	case "core.bare":
		f.bareSet = true
		if f.bare, err = e.Bool(); err != nil {
			return inFile(err, e)
		}
	case "core.worktree":
		if !e.HasValue {
			return &FormatError{fmt.Sprintf("missing value for '%s'", e.Name)}
		}
		f.workTree, f.workTreeSet = e.Value, true
	}
	return nil
}

// inFile adds the file to the text of a bad value, as git does for what it
// reads directly.
func inFile(err error, e gitconfig.Entry) error {
	text := err.Error()
	quoted := fmt.Sprintf(" for '%s'", e.Name)
	if i := strings.LastIndex(text, quoted+":"); i >= 0 {
		i += len(quoted)
		text = text[:i] + " in file " + e.Origin + text[i:]
	}
	return &FormatError{text}
}

// extension sorts one extensions.* key in.
func (f *format) extension(e gitconfig.Entry, unknown, later *[]string) (err error) {
	switch e.Key {
	case "noop", "partialclone":
	case "preciousobjects":
		if _, err := e.Bool(); err != nil {
			return inFile(err, e)
		}
	case "worktreeconfig":
		if f.worktreeConfig, err = e.Bool(); err != nil {
			return inFile(err, e)
		}
	case "noop-v1", "relativeworktrees":
		*later = append(*later, e.Key)
	case "objectformat":
		*later = append(*later, e.Key)
		if e.Value == "sha256" {
			f.unsupported = &FormatError{"object format 'sha256' is not supported (extensions.objectformat)"}
		} else if e.Value != "sha1" {
			return &FormatError{fmt.Sprintf("invalid value for 'extensions.objectformat': '%s'", e.Value)}
		}
	case "refstorage":
		*later = append(*later, e.Key)
		if e.Value != "files" {
			f.unsupported = &FormatError{fmt.Sprintf("ref storage format '%s' is not supported (extensions.refstorage)", e.Value)}
		}
	default:
		*unknown = append(*unknown, e.Key)
	}
	return nil
}

func (f *format) check(unknown, later []string) error {
	switch {
	case f.version > 1:
		return &FormatError{fmt.Sprintf("Expected git repo version <= 1, found %d", f.version)}
	case f.version == 1 && len(unknown) > 0:
		return &FormatError{listed("unknown repository extension%s found:", unknown)}
	case f.version == 0 && len(later) > 0:
		return &FormatError{listed("repo version is 0, but v1-only extension%s found:", later)}
	}
	return f.unsupported
}

func listed(sentence string, extensions []string) string {
	plural := ""
	if len(extensions) > 1 {
		plural = "s"
	}
	return fmt.Sprintf(sentence, plural) + "\n\t" + strings.Join(extensions, "\n\t")
}

// own settles whose core.bare and core.worktree count: a linked work tree
// takes none from the common config, but those of its own config.worktree.
func (f *format) own(l *layout) error {
	linked := l.commonDir != l.gitDir
	if f.version < 0 || linked && !f.worktreeConfig {
		f.bare, f.bareSet, f.workTree, f.workTreeSet = false, false, "", false
	}
	if f.version < 0 || !f.worktreeConfig {
		f.worktreeConfig = f.version >= 0 && f.worktreeConfig
		return nil
	}
	entries, err := ownConfig(l.gitDir, "config.worktree", l.name)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := f.place(e); err != nil {
			return err
		}
	}
	return nil
}

// ownConfig parses one config file of the repository, without includes.
func ownConfig(dir *sandbox.Dir, name, dirName string) ([]gitconfig.Entry, error) {
	data, err := readFile(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return gitconfig.Parse(data, dirName+"/"+name)
}

// readFile reads a file of the git directory, which may be a link.
func readFile(dir *sandbox.Dir, name string) ([]byte, error) {
	f, err := dir.OpenFollow(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadAll(0)
}
