package tools

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/sandbox"
)

// operation is one thing that can be asked for, made anew for each call: its
// parameters are bound to variables that run reads.
type operation struct {
	name   string
	doc    string // what it answers, for schemas and help
	writes bool   // it changes the repository

	destructive bool // of a write: it may throw uncommitted work away
	idempotent  bool // of a write: again changes nothing more

	// bounded answers end at a default size when the policy sets none. The
	// eight operations of the reference answer whole.
	bounded bool

	params []*Param // its own; common adds the rest
	run    func(ctx context.Context, c *call, w io.Writer) error

	common common
}

// common holds the parameters that every operation has.
type common struct {
	cwd                string
	maxBytes, maxLines int64
	cursor             string
}

// entry is one operation of the catalogue.
type entry struct {
	name  string
	build func() *operation
}

// catalogue lists the operations in the order in which they are shown.
var catalogue = []entry{
	{"status", status},
	{"diff", diff},
	{"log", log},
	{"branch", branch},
	{"add", add},
	{"commit", commit},
	{"checkout", checkout},
	{"stash", stash},
	{"reset", reset},
	{"create_branch", createBranch},
	{"show", show},
	{"blame", blameLines},
	{"ls_tree", lsTree},
	{"cat_file", catFile},
	{"rev_parse", revParse},
	{"rev_list", revList},
	{"merge_base", mergeBase},
	{"describe", describeCommit},
	{"shortlog", shortlog},
	{"for_each_ref", forEachRef},
	{"tags", tags},
	{"reflog", reflog},
	{"remotes", remotes},
	{"submodules", submodules},
	{"worktrees", worktrees},
	{"grep", grep},
	{"count_objects", countObjects},
	{"fsck", checkObjects},
	{"ls_files", lsFiles},
	{"check_ignore", checkIgnore},
	{"check_attr", checkAttr},
	{"provenance", provenance},
	{"is_dirty", isDirty},
	{"last_commits", lastCommits},
}

// Operations returns the names of the operations that can be asked for.
func Operations() []string {
	names := make([]string, len(catalogue))
	for i, e := range catalogue {
		names[i] = e.name
	}
	return names
}

// Params returns the parameters of the operation of that name, its own first,
// and what it answers. The error is a *RequestError where there is no such
// operation.
func Params(operation string) (params []*Param, doc string, err error) {
	op, err := find(operation)
	if err != nil {
		return nil, "", err
	}
	return op.params, op.doc, nil
}

func exists(name string) bool {
	return slices.Contains(Operations(), name)
}

// UnavailableError is returned for what git has and this version doesn't have
// yet.
type UnavailableError struct{ Operation string }

// Error names it.
func (e *UnavailableError) Error() string { return e.Operation + " is not built yet" }

// GitLevel says that the text stands alone.
func (e *UnavailableError) GitLevel() string { return "" }

// find makes the operation of that name, ready to be bound.
func find(name string) (*operation, error) {
	for _, e := range catalogue {
		if e.name == name {
			op := e.build()
			op.name = e.name
			op.addCommon()
			return op, nil
		}
	}
	reason := fmt.Sprintf("unknown operation '%s': there are %s", name, strings.Join(Operations(), ", "))
	if near := nearest(name, Operations()); near != "" {
		reason = fmt.Sprintf("unknown operation '%s', did you mean '%s'? There are %s", name, near, strings.Join(Operations(), ", "))
	}
	return nil, &RequestError{Operation: name, Param: "operation", Reason: reason}
}

func (op *operation) addCommon() {
	c := &op.common
	op.params = append(op.params,
		text(&c.cwd, "cwd", "The folder to work in, an absolute path inside the workspace; the repository is looked for from there upward. Default: the workspace."),
		number(&c.maxBytes, "max_bytes", "Cut the answer at a line end after at most so many bytes; the answer then says so and gives a cursor.", 0, 0, 0),
		number(&c.maxLines, "max_lines", "Cut the answer after at most so many lines; the answer then says so and gives a cursor.", 0, 0, 0),
		text(&c.cursor, "cursor", "Continue an answer that was cut: the cursor that it gave, with otherwise the same request."),
	)
}

func (op *operation) param(name string) *Param {
	for _, p := range op.params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// bind decodes the request's values and stores them. Unknown parameters and
// wrong types come first, then the check of every string against the policy,
// then words and what is missing, so that nothing unsafe is ever looked at.
func (op *operation) bind(values map[string]any, policy sandbox.Policy) error {
	for name := range values {
		if op.param(name) == nil {
			return op.unknown(values)
		}
	}
	decoded := make([]any, len(op.params))
	for i, p := range op.params {
		if v := values[p.Name]; v != nil {
			var err error
			if decoded[i], err = p.decode(op.name, v); err != nil {
				return err
			}
		}
	}
	for i, p := range op.params {
		for _, s := range stringsIn(decoded[i]) {
			if err := policy.Check(p.Name, s); err != nil {
				return err
			}
		}
	}
	for i, p := range op.params {
		switch {
		case decoded[i] != nil:
			if err := p.checkEnum(op.name, decoded[i]); err != nil {
				return err
			}
			p.set(decoded[i])
			p.present = true
		case p.Required:
			return &RequestError{Operation: op.name, Param: p.Name, Reason: fmt.Sprintf("parameter '%s' of %s is missing", p.Name, op.name)}
		}
	}
	return nil
}

// unknown names the first (by spelling) parameter that the operation doesn't
// have, and the one that may have been meant.
func (op *operation) unknown(values map[string]any) error {
	var bad string
	for name := range values {
		if op.param(name) == nil && (bad == "" || name < bad) {
			bad = name
		}
	}
	names := make([]string, len(op.params))
	for i, p := range op.params {
		names[i] = p.Name
	}
	reason := fmt.Sprintf("unknown parameter '%s' of %s", bad, op.name)
	if near := nearest(bad, names); near != "" {
		reason += fmt.Sprintf(", did you mean '%s'?", near)
	} else {
		reason += ": it has " + strings.Join(names, ", ")
	}
	return &RequestError{Operation: op.name, Param: bad, Reason: reason}
}
