package writer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/reader"
)

// CommitOptions of PlanCommit.
type CommitOptions struct {
	Message string // cut to MaxMessage bytes and tidied as commit.cleanup says
}

// Errors of PlanCommit.
var (
	// ErrEmptyMessage is the reference's sentence for a missing message.
	ErrEmptyMessage = plainError("Commit message cannot be empty")
	// ErrEmptyAfterCleanup is git's for one that holds nothing but white space.
	ErrEmptyAfterCleanup = plainError("Aborting commit due to empty commit message.")
	// ErrNulInMessage is git's for a message that would hide its end.
	ErrNulInMessage = errors.New("a NUL byte in commit log message not allowed.")
	// ErrNothingToCommit says that the index holds HEAD's tree; git prints its status then.
	ErrNothingToCommit = plainError("nothing to commit")
	// ErrUnmerged says that a conflict is left in the index.
	ErrUnmerged error = unmergedError{}
)

// plainError is a sentence that git prints without "fatal: ".
type plainError string

func (e plainError) Error() string { return string(e) }

// GitLevel says that the text stands as it is.
func (plainError) GitLevel() string { return "" }

type unmergedError struct{}

func (unmergedError) Error() string {
	return "Committing is not possible because you have unmerged files.\n" +
		"hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n" +
		"hint: as appropriate to mark resolution and make a commit.\n" +
		"fatal: Exiting because of an unresolved conflict."
}

// GitLevel makes the first line an error, as git prints it.
func (unmergedError) GitLevel() string { return "error" }

// PlanCommit plans a commit of the index, as git commit -m makes it (git-commit(1)): it concludes a merge or cherry-pick
// that is under way, and refuses an empty commit with ErrNothingToCommit.
func (w *Writer) PlanCommit(ctx context.Context, opts CommitOptions) (*Plan, error) {
	if opts.Message == "" {
		return nil, ErrEmptyMessage
	}
	if err := w.mayCommit(); err != nil {
		return nil, err
	}
	plan, err := w.newPlan()
	if err != nil {
		return nil, err
	}
	state, err := w.underway()
	if err != nil {
		return nil, err
	}
	tree, err := plan.writeIndexTree()
	if err != nil {
		return nil, err
	}
	if done, err := w.concluded(ctx, plan.expect.head, state, tree); err != nil || done {
		plan.dropState(stateFiles[:]...)
		return plan, err
	}
	c := commitData{tree: tree}
	if c.author, c.committer, err = w.people(state); err != nil {
		return nil, err
	}
	if !state.merge {
		if err := w.checkNotEmpty(ctx, plan, tree); err != nil {
			return nil, err
		}
	}
	if c.parents, c.extra, err = w.parents(ctx, plan.expect.head, state); err != nil {
		return nil, err
	}
	var edited string
	if c.message, edited, err = w.message(opts.Message); err != nil {
		return nil, err
	}
	id, err := plan.addCommit(&c)
	if err != nil {
		return nil, err
	}
	plan.moveHead(id, reflogMessage(state, len(c.parents), c.message))
	plan.concludes(edited)
	return plan, ctx.Err()
}

// concluded reports whether HEAD is the merge under way already: a call that died before it could say so has made it.
func (w *Writer) concluded(ctx context.Context, head reader.Head, state underway, tree plumbing.Hash) (bool, error) {
	if !state.merge || head.Unborn {
		return false, nil
	}
	_, data, err := w.repo.Objects().Read(head.ID)
	if err != nil {
		return false, err
	}
	commit, err := object.ParseCommit(head.ID, data)
	if err != nil || commit.Tree != tree || len(commit.Parents) == 0 {
		return false, err
	}
	merged, err := w.mergeParents(ctx, reader.Head{ID: commit.Parents[0]}, state)
	return slices.Equal(commit.Parents, merged) && slices.Contains(merged, state.heads[0]), err
}

// mayCommit refuses where git would start a program.
func (w *Writer) mayCommit() error {
	sign, err := w.repo.Config().Bool("commit.gpgSign", false)
	if err != nil {
		return err
	}
	if sign {
		return &SigningError{}
	}
	return w.checkHooks("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")
}

// writeIndexTree plans the index's trees, and the index itself when its cache tree learns from that.
func (p *Plan) writeIndexTree() (plumbing.Hash, error) {
	now, err := p.w.repo.Index()
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if now.Unmerged() {
		return plumbing.ZeroHash, ErrUnmerged
	}
	x := now.Clone()
	tree, err := writeTree(x, p.objects)
	if err == nil && !now.CacheTree.Valid() {
		p.index = x
	}
	return tree, err
}

// checkNotEmpty refuses a commit that would not change anything.
func (w *Writer) checkNotEmpty(ctx context.Context, plan *Plan, tree plumbing.Hash) error {
	head := plan.expect.head
	if head.Unborn {
		if tree == emptyTree && !hasEntries(plan) {
			return ErrNothingToCommit
		}
		return nil
	}
	old, err := w.treeOf(head.ID)
	if err != nil {
		return err
	}
	if old == tree {
		return ErrNothingToCommit
	}
	if ignored, _ := w.repo.Config().Get("diff.ignoreSubmodules"); ignored == "all" {
		return w.checkNotOnlySubmodules(ctx, old)
	}
	return nil
}

// checkNotOnlySubmodules refuses a commit that would change nothing but submodules, which git does not see under
// diff.ignoreSubmodules=all.
func (w *Writer) checkNotOnlySubmodules(ctx context.Context, old plumbing.Hash) error {
	for c, err := range w.changes(ctx, reader.Tree(old), reader.IndexSide) {
		if err != nil || !ofSubmodule(&c) {
			return err
		}
	}
	return ErrNothingToCommit
}

// hasEntries reports whether the index holds anything that a commit would take.
func hasEntries(plan *Plan) bool {
	x := plan.index
	if x == nil {
		return false
	}
	for i := range x.Entries {
		if !x.Entries[i].IntentToAdd {
			return true
		}
	}
	return false
}

// treeOf returns a commit's tree.
func (w *Writer) treeOf(id plumbing.Hash) (plumbing.Hash, error) {
	kind, data, err := w.repo.Objects().Read(id)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if kind != plumbing.CommitObject {
		return plumbing.ZeroHash, fmt.Errorf("object %s is a %s, not a commit", id, kind)
	}
	tree, _, err := object.CommitTree(id, data)
	return tree, err
}

// parents returns the new commit's parents, and for merged signed tags the headers that keep them.
func (w *Writer) parents(ctx context.Context, head reader.Head, state underway) (parents []plumbing.Hash, extra []byte, err error) {
	if parents, err = w.mergeParents(ctx, head, state); err != nil {
		return nil, nil, err
	}
	for _, id := range state.heads {
		commit, tag, err := w.peelCommit(id)
		if err != nil {
			return nil, nil, err
		}
		if tag.IsZero() || !slices.Contains(parents, commit) {
			continue
		}
		_, text, err := w.repo.Objects().Read(tag)
		if err != nil {
			return nil, nil, err
		}
		if bytes.Contains(text, []byte("\n-----BEGIN ")) {
			extra = appendHeader(extra, "mergetag", text)
		}
	}
	return parents, extra, nil
}

// mergeParents returns HEAD and the heads that are merged into it, without those that another one contains, unless the merge
// was asked not to be a fast-forward.
func (w *Writer) mergeParents(ctx context.Context, head reader.Head, state underway) (parents []plumbing.Hash, err error) {
	if !head.Unborn {
		parents = append(parents, head.ID)
	}
	for _, id := range state.heads {
		commit, _, err := w.peelCommit(id)
		if err != nil {
			return nil, &BadStateError{File: "MERGE_HEAD", Line: id.String()}
		}
		parents = append(parents, commit)
	}
	if state.whole || len(parents) < 2 {
		return parents, nil
	}
	return w.repo.Independent(ctx, parents...)
}

// appendHeader appends a header of several lines, each but the first indented by a space.
func appendHeader(data []byte, name string, value []byte) []byte {
	data = append(append(data, name...), ' ')
	value = bytes.TrimSuffix(value, []byte("\n"))
	data = append(data, bytes.ReplaceAll(value, []byte("\n"), []byte("\n "))...)
	return append(data, '\n')
}

// message tidies a commit message.
func (w *Writer) message(message string) (clean, edited string, err error) {
	config := w.repo.Config()
	mode, _ := config.Get("commit.cleanup")
	comment, ok := config.Get("core.commentChar")
	switch {
	case !ok:
		comment = "#"
	case comment == "auto":
		comment = autoComment(message)
	}
	clean, edited, err = cleanup(Truncate(message), mode, comment)
	switch {
	case err != nil:
		return "", "", err
	case strings.TrimSpace(clean) == "":
		return "", "", ErrEmptyAfterCleanup
	case strings.ContainsRune(clean, 0):
		return "", "", ErrNulInMessage
	}
	return clean, edited, nil
}

// people returns author and committer; a cherry-picked commit keeps its author.
func (w *Writer) people(state underway) (author, committer string, err error) {
	if state.cherryPick.IsZero() {
		var who Ident
		who, err = w.author()
		author = who.String()
	} else {
		author, err = w.authorOf(state.cherryPick)
	}
	if err != nil {
		return "", "", err
	}
	who, err := w.committer()
	return author, who.String(), err
}

// authorOf returns a commit's author with the date.
func (w *Writer) authorOf(id plumbing.Hash) (string, error) {
	_, data, err := w.repo.Objects().Read(id)
	if err != nil {
		return "", err
	}
	c, err := object.ParseCommit(id, data)
	if err != nil {
		return "", err
	}
	return string(c.Author), nil
}

// commitData is what a commit object holds.
type commitData struct {
	tree              plumbing.Hash
	parents           []plumbing.Hash
	author, committer string
	extra             []byte // further header lines
	message           string
}

// addCommit plans a commit object.
func (p *Plan) addCommit(c *commitData) (plumbing.Hash, error) {
	data := append([]byte("tree "), c.tree.String()...)
	for _, parent := range c.parents {
		data = append(append(data, "\nparent "...), parent.String()...)
	}
	data = append(append(data, "\nauthor "...), c.author...)
	data = append(append(data, "\ncommitter "...), c.committer...)
	data = append(data, '\n')
	encoding, _ := p.w.repo.Config().Get("i18n.commitEncoding")
	if !isUTF8(encoding) {
		data = append(append(append(data, "encoding "...), encoding...), '\n')
	}
	data = append(append(append(data, c.extra...), '\n'), c.message...)
	if isUTF8(encoding) {
		data = toUTF8(data)
	}
	return p.objects.add(plumbing.CommitObject, data)
}

func isUTF8(encoding string) bool {
	return encoding == "" || strings.EqualFold(encoding, "utf-8") || strings.EqualFold(encoding, "utf8")
}

// moveHead plans HEAD's branch, or a detached HEAD itself, to name a new commit.
func (p *Plan) moveHead(id plumbing.Hash, message string) {
	head := p.expect.head
	if head.Detached {
		p.refs = append(p.refs, refChange{name: "HEAD", old: head.ID, new: id, message: message})
		return
	}
	p.refs = append(p.refs,
		refChange{name: "HEAD", old: head.ID, new: id, message: message, logOnly: true},
		refChange{name: head.Ref, via: "HEAD", old: head.ID, new: id, message: message})
}

// reflogMessage is "commit (KIND): SUBJECT", as git writes it.
func reflogMessage(state underway, parents int, message string) string {
	kind := "commit"
	switch {
	case state.merge:
		kind = "commit (merge)"
	case state.rebase:
		kind = "commit (rebase)"
	case !state.cherryPick.IsZero():
		kind = "commit (cherry-pick)"
	case parents == 0:
		kind = "commit (initial)"
	}
	subject, _, _ := strings.Cut(message, "\n")
	return kind + ": " + subject
}

// concludes plans the files that tell of what the commit has concluded to go.
func (p *Plan) concludes(message string) {
	p.state = append(p.state, stateFile{name: "COMMIT_EDITMSG", data: []byte(message)})
	p.dropState(stateFiles[:]...)
}
