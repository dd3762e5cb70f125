package reader

import (
	"fmt"
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
)

// checkDefaults refuses the values that every command of git refuses, whether
// it has a use for them or not (git-config(1)).
func checkDefaults(cfg *gitconfig.Config) error {
	for _, entry := range cfg.Entries() {
		var err error
		switch entry.Section {
		case "core", "sparse", "pack":
			err = checkCore(entry)
		case "push":
			err = checkPush(entry)
		case "user", "author", "committer", "i18n":
			err = checkText(entry)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func checkCore(e gitconfig.Entry) (err error) {
	switch e.Name {
	case "core.filemode", "core.trustctime", "core.quotepath", "core.symlinks", "core.ignorecase", "core.bare",
		"core.precomposeunicode", "core.protecthfs", "core.protectntfs", "core.sparsecheckout", "core.sparsecheckoutcone",
		"core.prefersymlinkrefs", "core.warnambiguousrefs", "sparse.expectfilesoutsideofpatterns":
		_, err = e.Bool()
	case "core.packedgitwindowsize", "core.bigfilethreshold", "core.packedgitlimit", "core.deltabasecachelimit", "pack.packsizelimit":
		_, err = e.Int()
	case "core.compression", "core.loosecompression":
		var level int64
		if level, err = e.Int(); err == nil && (level < -1 || level > 9) {
			err = fmt.Errorf("bad zlib compression level %d", level)
		}
	case "core.abbrev":
		err = checkAbbrev(e)
	case "core.autocrlf":
		if !strings.EqualFold(e.Value, "input") {
			_, err = e.Bool()
		}
	case "core.safecrlf":
		if !strings.EqualFold(e.Value, "warn") {
			_, err = e.Bool()
		}
	case "core.commentchar":
		if e.HasValue && len(e.Value) != 1 && !strings.EqualFold(e.Value, "auto") {
			return complaint("core.commentChar should only be one character")
		}
		err = checkText(e)
	case "core.attributesfile", "core.excludesfile", "core.hookspath", "core.editor", "core.askpass", "core.checkroundtripencoding":
		err = checkText(e)
	}
	return err
}

// checkText refuses a key without a value where one is needed.
func checkText(e gitconfig.Entry) error {
	if !e.HasValue && e.Name != "user.useconfigonly" {
		return complaint(fmt.Sprintf("missing value for '%s'", e.Name))
	}
	return nil
}

func checkPush(e gitconfig.Entry) error {
	if e.Key != "default" || e.Subsection != "" {
		return nil
	}
	switch e.Value {
	case "nothing", "matching", "simple", "upstream", "tracking", "current":
		return nil
	}
	if !e.HasValue {
		return checkText(e)
	}
	return complaint(fmt.Sprintf("malformed value for push.default: %s\nerror: must be one of nothing, matching, simple, upstream or current", e.Value))
}

func checkAbbrev(e gitconfig.Entry) error {
	if err := checkText(e); err != nil || strings.EqualFold(e.Value, "auto") {
		return err
	}
	if on, err := gitconfig.ParseBool(e.Value, true); err == nil && !on && e.Value != "0" {
		return nil
	}
	n, err := e.Int()
	if err == nil && (n < 4 || n > 40) {
		return complaint(fmt.Sprintf("abbrev length out of range: %d", n))
	}
	return err
}
