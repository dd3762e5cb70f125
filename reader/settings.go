package reader

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
)

// CheckSettings refuses the values that a command of git refuses as it reads
// its configuration, whether it has a use for them or not: "status", "diff",
// "log", "show" and "branch" (git-config(1)). Other commands refuse nothing
// beyond what Open does. The error is git's sentence.
func (r *Repository) CheckSettings(command string) error {
	var check func(gitconfig.Entry) error
	switch command {
	case "status":
		check = checkStatus
	case "diff":
		check = checkDiff
	case "log", "show":
		check = checkLog
	case "branch":
		check = checkBranchList
	default:
		return nil
	}
	for _, entry := range r.Config().Entries() {
		if err := check(entry); err != nil {
			return err
		}
	}
	return nil
}

func checkStatus(e gitconfig.Entry) error {
	switch e.Name {
	case "column.ui", "column.status":
		return checkColumn(e)
	case "status.submodulesummary":
		return checkBoolOrInt(e)
	case "status.short", "status.branch", "status.aheadbehind", "status.showstash", "status.displaycommentprefix", "status.relativepaths":
		return checkBool(e)
	case "status.showuntrackedfiles":
		return checkUntrackedMode(e)
	case "status.color", "color.status":
		return checkColorBool(e)
	}
	if e.Section == "color" && e.Subsection == "status" || e.Section == "status" && e.Subsection == "color" {
		switch e.Key {
		case "header", "branch", "updated", "added", "changed", "untracked", "unmerged", "nobranch", "localbranch", "remotebranch":
			return checkColor(e)
		}
		return nil
	}
	return cmp.Or(checkIndexSettings(e), checkDiffUI(e))
}

func checkDiff(e gitconfig.Entry) error { return cmp.Or(checkIndexSettings(e), checkDiffUI(e)) }

// checkIndexSettings are those that whoever reads the index looks at.
func checkIndexSettings(e gitconfig.Entry) error {
	if e.Name == "index.threads" {
		return checkBoolOrInt(e)
	}
	return checkRepositorySettings(e)
}

func checkRepositorySettings(e gitconfig.Entry) error {
	switch e.Name {
	case "feature.manyfiles", "feature.experimental", "core.commitgraph", "commitgraph.readchangedpaths", "gc.writecommitgraph",
		"fetch.writecommitgraph", "pack.usesparse", "core.multipackindex", "index.sparse":
		return checkBool(e)
	case "commitgraph.generationversion", "index.version":
		return checkInt(e)
	}
	return nil
}

// checkDiffUI are the settings of everything that may show a diff.
func checkDiffUI(e gitconfig.Entry) error {
	if e.Section == "diff" && e.Subsection != "" {
		return checkDriver(e)
	}
	switch e.Name {
	case "diff.color", "color.diff", "color.ui":
		return checkColorBool(e)
	case "diff.context", "diff.interhunkcontext":
		if n, err := e.Int(); err != nil || n < 0 {
			return cmp.Or(err, badVariable(e))
		}
	case "diff.autorefreshindex", "diff.mnemonicprefix", "diff.noprefix", "diff.relative", "diff.indentheuristic",
		"diff.suppressblankempty", "diff.suppress-blank-empty":
		return checkBool(e)
	case "diff.statgraphwidth", "diff.renamelimit":
		return checkInt(e)
	case "core.whitespace":
		return checkWhitespace(e)
	case "diff.external", "diff.wordregex", "diff.orderfile":
		return checkText(e)
	case "diff.renames":
		if value := strings.ToLower(e.Value); value != "copies" && value != "copy" {
			return checkBool(e)
		}
	case "diff.ignoresubmodules":
		_, err := parseIgnore(e.Value)
		return err
	case "diff.algorithm":
		return checkWords(e, nil, "myers", "default", "minimal", "patience", "histogram")
	case "diff.colormoved":
		if _, err := e.Bool(); err != nil {
			return checkWords(e, complaint("color moved setting must be one of 'no', 'default', 'blocks', 'zebra', 'dimmed-zebra', 'plain'"),
				"no", "default", "blocks", "zebra", "plain", "dimmed-zebra", "dimmed_zebra")
		}
	case "diff.colormovedws":
		return checkColorMovedSpace(e)
	case "diff.wserrorhighlight":
		for _, word := range strings.Split(e.Value, ",") {
			switch word {
			case "none", "default", "all", "new", "old", "context":
			default:
				return badVariable(e)
			}
		}
	}
	if e.Section == "color" && e.Subsection == "diff" || e.Section == "diff" && e.Subsection == "color" {
		return checkDiffColor(e)
	}
	return nil
}

// checkDriver checks one setting of a userdiff driver (gitattributes(5)).
func checkDriver(e gitconfig.Entry) error {
	switch e.Key {
	case "binary", "cachetextconv":
		if e.Key == "binary" && strings.EqualFold(e.Value, "auto") {
			return nil
		}
		return checkBool(e)
	case "funcname", "xfuncname", "command", "textconv", "wordregex":
		return checkText(e)
	}
	if e.Subsection == "color" {
		return checkDiffColor(e)
	}
	return nil
}

func checkDiffColor(e gitconfig.Entry) error {
	switch e.Key {
	case "context", "plain", "meta", "frag", "old", "new", "commit", "whitespace", "func", "oldmoved", "oldmovedalternative", "oldmoveddimmed",
		"oldmovedalternativedimmed", "newmoved", "newmovedalternative", "newmoveddimmed", "newmovedalternativedimmed", "contextdimmed",
		"olddimmed", "newdimmed", "contextbold", "oldbold", "newbold":
		return checkColor(e)
	}
	return nil
}

func checkColorMovedSpace(e gitconfig.Entry) error {
	for _, word := range strings.Split(e.Value, ",") {
		switch strings.TrimSpace(word) {
		case "no", "ignore-space-change", "ignore-space-at-eol", "ignore-all-space", "allow-indentation-change":
		default:
			return complaint(fmt.Sprintf("unknown color-moved-ws mode '%s', possible values are 'ignore-space-change', 'ignore-space-at-eol', 'ignore-all-space', 'allow-indentation-change'", strings.TrimSpace(word)))
		}
	}
	return nil
}

func checkLog(e gitconfig.Entry) error {
	switch e.Name {
	case "format.pretty", "format.subjectprefix", "log.date", "user.signingkey", "gpg.program", "gpg.ssh.defaultkeycommand", "gpg.ssh.allowedsignersfile",
		"gpg.ssh.revocationfile", "gpg.openpgp.program", "gpg.x509.program", "gpg.ssh.program":
		return checkText(e)
	case "format.filenamemaxlength":
		return checkInt(e)
	case "format.encodeemailheaders", "log.abbrevcommit", "log.showroot", "log.follow", "log.mailmap", "log.showsignature",
		"grep.extendedregexp", "grep.linenumber", "grep.column", "grep.fullname":
		return checkBool(e)
	case "color.grep":
		return checkColorBool(e)
	case "log.diffmerges":
		return checkWords(e, nil, "off", "none", "m", "on", "first-parent", "1", "separate", "combined", "c", "dense-combined", "cc", "remerge", "r")
	case "gpg.format":
		return checkWords(e, complaint(fmt.Sprintf("invalid value for '%s': '%s'", e.Name, e.Value)), "openpgp", "x509", "ssh")
	case "grep.patterntype":
		switch e.Value {
		case "default", "basic", "extended", "fixed", "perl":
			return nil
		}
		return fmt.Errorf("bad %s argument: %s", e.Name, e.Value)
	}
	return cmp.Or(checkRepositorySettings(e), checkDiffUI(e))
}

func checkBranchList(e gitconfig.Entry) error {
	switch e.Name {
	case "column.ui", "column.branch":
		return checkColumn(e)
	case "core.whitespace":
		return checkWhitespace(e)
	case "color.branch", "color.ui":
		return checkColorBool(e)
	case "branch.sort":
		return checkText(e)
	case "submodule.recurse", "submodule.propagatebranches":
		return checkBool(e)
	}
	return nil
}
