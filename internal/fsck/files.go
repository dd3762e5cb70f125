package fsck

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/odb"
)

// The largest .gitattributes, and the length from which a line of it is not
// read, in bytes (gitattributes(5)).
const (
	maxAttributes    = 100 << 20
	maxAttributeLine = 2048
)

// Files checks what the trees that were checked call .gitmodules and
// .gitattributes. An object that read doesn't find, a *odb.NotFoundError, is a
// fault; other errors end the check.
func (c *Checker) Files(read func(id plumbing.Hash) (plumbing.ObjectType, []byte, error)) error {
	for _, f := range []struct {
		name  string
		blobs map[plumbing.Hash]bool
		check func(data []byte)
	}{
		{"gitmodules", c.modules, c.modulesFile},
		{"gitattributes", c.attributes, c.attributesFile},
	} {
		for id := range f.blobs {
			kind, data, err := read(id)
			var missing *odb.NotFoundError
			if err != nil && !errors.As(err, &missing) {
				return err
			}
			if err != nil && missing.Promised {
				continue
			}
			c.id, c.kind = id, plumbing.BlobObject
			switch {
			case err != nil:
				c.fault(f.name+"Missing", "unable to read ."+f.name+" blob")
			case kind != plumbing.BlobObject:
				c.kind = kind
				c.fault(f.name+"Blob", "non-blob found at ."+f.name)
			default:
				f.check(data)
			}
		}
	}
	return nil
}

func (c *Checker) attributesFile(data []byte) {
	if len(data) > maxAttributes {
		c.fault("gitattributesLarge", ".gitattributes too large to parse")
		return
	}
	data, _, _ = bytes.Cut(data, []byte{0})
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSuffix(line, []byte("\n"))) >= maxAttributeLine {
			c.fault("gitattributesLineLength", ".gitattributes has too long lines to parse")
			return
		}
	}
}

// modulesFile checks the settings that git has been tricked by.
func (c *Checker) modulesFile(data []byte) {
	entries, err := gitconfig.Parse(data, ".gitmodules")
	for _, e := range entries {
		name, ok := submodule(e)
		if !ok {
			continue
		}
		if !ValidSubmodule(name) {
			c.fault("gitmodulesName", "disallowed submodule name: "+name)
		}
		switch {
		case !e.HasValue:
		case e.Key == "url" && !validURL(e.Value):
			c.fault("gitmodulesUrl", "disallowed submodule url: "+e.Value)
		case e.Key == "path" && strings.HasPrefix(e.Value, "-"):
			c.fault("gitmodulesPath", "disallowed submodule path: "+e.Value)
		case e.Key == "update" && strings.HasPrefix(e.Value, "!"):
			c.fault("gitmodulesUpdate", "disallowed submodule update setting: "+e.Value)
		}
	}
	if err != nil {
		c.fault("gitmodulesParse", "could not parse gitmodules blob")
	}
}

// submodule returns the submodule that a setting is about.
func submodule(e gitconfig.Entry) (name string, ok bool) {
	prefix := fmt.Sprintf("submodule.%s.", e.Subsection)
	return e.Subsection, e.Section == "submodule" && strings.HasPrefix(e.Name, prefix)
}

// ValidSubmodule reports whether a submodule may have the name: it becomes a
// path in the git directory.
func ValidSubmodule(name string) bool {
	for _, part := range strings.FieldsFunc(name, func(c rune) bool { return c == '/' || c == '\\' }) {
		if part == ".." {
			return false
		}
	}
	return name != ""
}

// validURL reports whether git may be given a submodule's URL: no option, and
// nothing that would make another host or more than one line of it.
func validURL(address string) bool {
	if strings.HasPrefix(address, "-") {
		return false
	}
	folded := strings.ToLower(address)
	newline := strings.Contains(folded, "\n") || strings.Contains(folded, "%0a")
	rest, up := leadingDots(address)
	if rest != address || strings.HasPrefix(address, "git://") {
		return !newline && (up == 0 || !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "/"))
	}
	if helped, ok := curlURL(address); ok {
		return !newline && hasHost(helped)
	}
	return true
}

// leadingDots removes "./" and "../" from the front and counts the latter.
func leadingDots(address string) (rest string, up int) {
	for rest = address; ; {
		switch {
		case strings.HasPrefix(rest, "../"), strings.HasPrefix(rest, `..\`):
			rest = rest[3:]
			up++
		case strings.HasPrefix(rest, "./"), strings.HasPrefix(rest, `.\`):
			rest = rest[2:]
		default:
			return rest, up
		}
	}
}

// curlURL returns the URL that git-remote-curl would be given; false where it
// has no part in it.
func curlURL(address string) (string, bool) {
	for _, scheme := range []string{"http", "https", "ftp", "ftps"} {
		if rest, ok := strings.CutPrefix(address, scheme+"::"); ok {
			return rest, true
		}
		if strings.HasPrefix(address, scheme+"://") {
			return address, true
		}
	}
	return "", false
}

// hasHost reports whether a URL names a scheme and a host.
func hasHost(address string) bool {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok || scheme == "" {
		return false
	}
	host := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		host = rest[:end]
	}
	if at := strings.IndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	return host != ""
}
