package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/utils/diff"
)

// runGoGit answers a job with go-git, in the form that its values allow; the
// answer is not compared.
func runGoGit(operation, dir string) error {
	if names, ok := strings.CutPrefix(operation, "lines "); ok {
		old, new, _ := strings.Cut(names, " ")
		return goGitLines(filepath.Join(dir, old), filepath.Join(dir, new))
	}
	repo, err := gogit.PlainOpen(dir)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	name, number, _ := strings.Cut(operation, " ")
	switch name {
	case "status":
		return goGitStatus(repo, out)
	case "log":
		n, err := strconv.Atoi(number)
		if err != nil {
			return err
		}
		return goGitLog(repo, out, n)
	case "branch":
		return goGitBranches(repo, out)
	case "names", "patch":
		from, to, _ := strings.Cut(number, " ")
		return goGitDiff(repo, out, name == "patch", from, to)
	case "count", "path", "base", "blame", "tree":
		return goGitHistory(repo, out, name, number)
	case "show":
		return goGitDiff(repo, out, true, number+"^1", number)
	}
	return fmt.Errorf("go-git has no operation %q here", operation)
}

func goGitStatus(repo *gogit.Repository, out io.Writer) error {
	tree, err := repo.Worktree()
	if err != nil {
		return err
	}
	status, err := tree.Status()
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, status.String())
	return err
}

func goGitLog(repo *gogit.Repository, out io.Writer, n int) error {
	commits, err := repo.Log(&gogit.LogOptions{Order: gogit.LogOrderCommitterTime})
	if err != nil {
		return err
	}
	defer commits.Close()
	for range n {
		c, err := commits.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := goGitLine(out, c); err != nil {
			return err
		}
	}
	return nil
}

func goGitLine(out io.Writer, c *object.Commit) error {
	subject, _, _ := strings.Cut(c.Message, "\n")
	_, err := fmt.Fprintf(out, "%s|%s|%s|%s|%s\n", c.Hash, c.Author.Name, c.Author.Email, c.Author.When.Format("2006-01-02 15:04:05 -0700"), subject)
	return err
}

func goGitBranches(repo *gogit.Repository, out io.Writer) error {
	refs, err := repo.Branches()
	if err != nil {
		return err
	}
	return storer.ReferenceIter(refs).ForEach(func(r *plumbing.Reference) error {
		_, err := fmt.Fprintf(out, "%s|\n", r.Name().Short())
		return err
	})
}

// goGitDiff prints the changes between two commits, with renames.
func goGitDiff(repo *gogit.Repository, out io.Writer, patch bool, from, to string) error {
	old, err := goGitTree(repo, from)
	if err != nil {
		return err
	}
	new, err := goGitTree(repo, to)
	if err != nil {
		return err
	}
	changes, err := object.DiffTreeWithOptions(context.Background(), old, new, object.DefaultDiffTreeOptions)
	if err != nil {
		return err
	}
	if !patch {
		for _, c := range changes {
			if _, err := fmt.Fprintf(out, "%s\t%s\n", c.From.Name, c.To.Name); err != nil {
				return err
			}
		}
		return nil
	}
	text, err := changes.Patch()
	if err != nil {
		return err
	}
	return text.Encode(out)
}

func goGitTree(repo *gogit.Repository, rev string) (*object.Tree, error) {
	id, err := repo.ResolveRevision(plumbing.Revision(rev))
	if err != nil {
		return nil, err
	}
	commit, err := repo.CommitObject(*id)
	if err != nil {
		return nil, err
	}
	return commit.Tree()
}

// goGitLines compares two files line by line.
func goGitLines(oldPath, newPath string) error {
	old, err := os.ReadFile(oldPath)
	if err != nil {
		return err
	}
	new, err := os.ReadFile(newPath)
	if err != nil {
		return err
	}
	for _, d := range diff.Do(string(old), string(new)) {
		if _, err := os.Stdout.WriteString(d.Text); err != nil {
			return err
		}
	}
	return nil
}
