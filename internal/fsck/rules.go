// Package fsck tells what is wrong with the content of single objects, as
// git-fsck(1) does: headers, identities, the order and names of a tree's
// entries, settings of submodules.
//
// Terms: a message id is the name by which a kind of fault is configured
// (fsck.ID in git-fsck(1)); its severity is whether it counts.
package fsck

import (
	"fmt"
	"slices"
	"strings"
)

// level is what a message id means unless configured.
type level int

const (
	ignored level = iota
	info          // a warning that a strict check does not raise
	warning
	failure
	fatal // a failure that stays one
)

// message is a kind of fault.
type message struct {
	id    string
	level level
}

// messages returns all kinds.
func messages() []message {
	return []message{
		{"nulInHeader", fatal}, {"unterminatedHeader", fatal},
		{"badDate", failure}, {"badDateOverflow", failure}, {"badEmail", failure}, {"badName", failure}, {"badObjectSha1", failure},
		{"badParentSha1", failure}, {"badTimezone", failure}, {"badTree", failure}, {"badTreeSha1", failure}, {"badType", failure},
		{"duplicateEntries", failure}, {"missingAuthor", failure}, {"missingCommitter", failure}, {"missingEmail", failure},
		{"missingNameBeforeEmail", failure}, {"missingObject", failure}, {"missingSpaceBeforeDate", failure},
		{"missingSpaceBeforeEmail", failure}, {"missingTag", failure}, {"missingTagEntry", failure}, {"missingTree", failure},
		{"missingType", failure}, {"missingTypeEntry", failure}, {"multipleAuthors", failure}, {"treeNotSorted", failure},
		{"unknownType", failure}, {"zeroPaddedDate", failure},
		{"gitmodulesMissing", failure}, {"gitmodulesBlob", failure}, {"gitmodulesLarge", failure}, {"gitmodulesName", failure},
		{"gitmodulesSymlink", failure}, {"gitmodulesUrl", failure}, {"gitmodulesPath", failure}, {"gitmodulesUpdate", failure},
		{"gitattributesMissing", failure}, {"gitattributesLarge", failure}, {"gitattributesLineLength", failure}, {"gitattributesBlob", failure},
		{"emptyName", warning}, {"fullPathname", warning}, {"hasDot", warning}, {"hasDotdot", warning}, {"hasDotgit", warning},
		{"nullSha1", warning}, {"zeroPaddedFilemode", warning}, {"nulInCommit", warning},
		{"badFilemode", info}, {"gitmodulesParse", info}, {"gitignoreSymlink", info}, {"gitattributesSymlink", info},
		{"mailmapSymlink", info}, {"badTagName", info}, {"missingTaggerEntry", info},
		{"extraHeaderEntry", ignored},
	}
}

// Rules say which faults count as errors. Warnings are not told: git writes
// them beside its answer.
type Rules struct {
	strict bool
	errors map[string]bool // by message id
}

// NewRules returns git's rules. Strict ones make warnings errors, and the file
// modes of old gits faults.
func NewRules(strict bool) *Rules {
	r := &Rules{strict: strict, errors: map[string]bool{}}
	for _, m := range messages() {
		r.errors[m.id] = m.level >= failure || m.level == warning && strict
	}
	return r
}

// Set gives a message id, in any case, a severity: "error", "warn" or
// "ignore". The error is git's sentence.
func (r *Rules) Set(id, severity string) error {
	all := messages()
	at := slices.IndexFunc(all, func(m message) bool { return strings.EqualFold(m.id, id) })
	switch {
	case at < 0:
		return fmt.Errorf("Unhandled message id: %s", strings.ToLower(id))
	case severity != "error" && severity != "warn" && severity != "ignore":
		return fmt.Errorf("Unknown fsck message type: '%s'", severity)
	case all[at].level == fatal && severity != "error":
		return fmt.Errorf("Cannot demote %s to %s", strings.ToLower(id), severity)
	}
	r.errors[all[at].id] = severity == "error"
	return nil
}
