package reader

import (
	"errors"
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
		case "user", "author", "committer", "i18n", "mailmap":
			err = checkPeople(entry)
		case "branch":
			err = checkBranch(entry)
		case "advice", "color", "pager":
			err = checkAdvice(entry)
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
		"core.prefersymlinkrefs", "core.warnambiguousrefs", "core.fsyncobjectfiles", "core.preloadindex", "core.ignorestat", "core.usereplacerefs",
		"sparse.expectfilesoutsideofpatterns":
		_, err = e.Bool()
	case "core.logallrefupdates":
		if !strings.EqualFold(e.Value, "always") {
			_, err = e.Bool()
		}
	case "core.disambiguate":
		if err = checkText(e); err == nil {
			err = checkWords(e, complaint(fmt.Sprintf("unknown hint type for '%s': %s", e.Name, e.Value)), "none", "commit", "committish", "tree", "treeish", "blob")
		}
	case "core.createobject":
		if e.Value != "rename" && e.Value != "link" {
			err = errors.New("invalid mode for object creation: " + e.Value)
		}
	case "core.packedgitwindowsize", "core.bigfilethreshold", "core.packedgitlimit", "core.deltabasecachelimit", "pack.packsizelimit":
		err = checkSize(e)
	case "core.compression", "core.loosecompression", "pack.compression":
		what := "zlib"
		if e.Section == "pack" {
			what = "pack"
		}
		var level int64
		if level, err = e.Int(); err == nil && (level < -1 || level > 9) {
			err = fmt.Errorf("bad %s compression level %d", what, level)
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
	case "core.attributesfile", "core.excludesfile", "core.hookspath", "core.editor", "core.askpass", "core.checkroundtripencoding",
		"core.whitespace", "core.fsync", "core.fsyncmethod":
		err = checkText(e)
	}
	return err
}

func checkPeople(e gitconfig.Entry) error {
	switch e.Name {
	case "user.name", "user.email", "author.name", "author.email", "committer.name", "committer.email", "i18n.commitencoding", "i18n.logoutputencoding",
		"mailmap.file", "mailmap.blob":
		return checkText(e)
	case "user.useconfigonly":
		return checkBool(e)
	}
	return nil
}

func checkBranch(e gitconfig.Entry) error {
	switch e.Name {
	case "branch.autosetupmerge":
		switch e.Value {
		case "always", "inherit", "simple":
			return nil
		}
		return checkBool(e)
	case "branch.autosetuprebase":
		if err := checkText(e); err != nil {
			return err
		}
		switch e.Value {
		case "never", "local", "remote", "always":
			return nil
		}
		return complaint("malformed value for " + e.Name)
	}
	return nil
}

// checkAdvice checks the hints that can be switched off, and their colours.
func checkAdvice(e gitconfig.Entry) error {
	switch {
	case e.Name == "color.advice":
		return checkColorBool(e)
	case e.Name == "color.pager", e.Name == "pager.color":
		return checkBool(e)
	case e.Name == "color.ui":
		return checkColorBool(e)
	case e.Name == "color.advice.hint", e.Name == "color.advice.reset":
		return checkColor(e)
	case e.Section != "advice" || e.Subsection != "":
		return nil
	}
	switch e.Key {
	case "addembeddedrepo", "addemptypathspec", "addignoredfile", "amworkdir", "ambiguousfetchrefspec", "checkoutambiguousremotebranchname",
		"commitbeforemerge", "detachedhead", "suggestdetachinghead", "fetchshowforcedupdates", "graftfiledeprecated", "ignoredhook", "implicitidentity",
		"nestedtag", "objectnamewarning", "pushalreadyexists", "pushfetchfirst", "pushneedsforce", "pushrefneedsupdate", "pushnonfastforward",
		"pushnonffcurrent", "pushnonffmatching", "pushunqualifiedrefname", "pushupdaterejected", "resetnorefresh", "resolveconflict", "rmhints",
		"sequencerinuse", "setupstreamfailure", "skippedcherrypicks", "statusaheadbehindwarning", "statushints", "statusuoption",
		"submodulealternateerrorstrategydie", "submodulesnotupdated", "updatesparsepath", "waitingforeditor":
		return checkBool(e)
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
