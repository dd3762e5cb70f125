package main

import (
	"fmt"
	"io"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// goGitHistory answers the jobs on history: count, path PATH, base REV, blame
// PATH and tree.
func goGitHistory(repo *gogit.Repository, out io.Writer, name, arg string) error {
	head, err := goGitCommit(repo, "HEAD")
	if err != nil {
		return err
	}
	switch name {
	case "base":
		other, err := goGitCommit(repo, arg)
		if err != nil {
			return err
		}
		bases, err := head.MergeBase(other)
		for _, base := range bases {
			fmt.Fprintln(out, base.Hash)
		}
		return err
	case "blame":
		result, err := gogit.Blame(head, arg)
		if err != nil {
			return err
		}
		for _, line := range result.Lines {
			fmt.Fprintln(out, line.Hash, line.Text)
		}
		return nil
	case "tree":
		tree, err := head.Tree()
		if err != nil {
			return err
		}
		return tree.Files().ForEach(func(f *object.File) error {
			_, err := fmt.Fprintln(out, f.Mode, f.Hash, f.Name)
			return err
		})
	}
	opts := &gogit.LogOptions{Order: gogit.LogOrderCommitterTime}
	if name == "path" {
		opts.PathFilter = func(path string) bool { return path == arg || len(path) > len(arg) && path[:len(arg)+1] == arg+"/" }
	}
	commits, err := repo.Log(opts)
	if err != nil {
		return err
	}
	n := 0
	err = commits.ForEach(func(c *object.Commit) error {
		n++
		if name == "path" {
			_, err := fmt.Fprintln(out, c.Hash)
			return err
		}
		return nil
	})
	if name == "count" {
		fmt.Fprintln(out, n)
	}
	return err
}

func goGitCommit(repo *gogit.Repository, rev string) (*object.Commit, error) {
	id, err := repo.ResolveRevision(plumbing.Revision(rev))
	if err != nil {
		return nil, err
	}
	return repo.CommitObject(*id)
}
