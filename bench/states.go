package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/ingit-dev/ingit/bench/history"
)

const branches = 10_000

func git(dir string, args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(environment(), "GIT_AUTHOR_NAME=bench", "GIT_AUTHOR_EMAIL=bench@example.com", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=bench", "GIT_COMMITTER_EMAIL=bench@example.com", "GIT_COMMITTER_DATE=1700000000 +0000")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %v: %w: %s", args, err, out)
	}
	return nil
}

// generate makes the made-up history at dir, packed as git packs.
func generate(dir string, p history.Params) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := git(dir, "init", "-q", "-b", "main"); err != nil {
		return err
	}
	cmd := exec.Command("git", "-c", "core.packedGitLimit=1g", "fast-import", "--quiet")
	cmd.Dir, cmd.Env, cmd.Stderr = dir, environment(), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := history.Write(in, p); err != nil {
		return err
	}
	if err := in.Close(); err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"update-ref", "-d", "refs/topics/open"},
		{"config", "pack.writeReverseIndex", "true"},
		{"repack", "-adfq", "--window=10", "--depth=50"},
		{"pack-refs", "--all"},
		{"reset", "-q", "--hard"},
	} {
		if err := git(dir, args...); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes a state below root, most from the repository at repo, and
// returns where it is. One that is there already stays as it is.
func prepare(repo, root, name string) (string, error) {
	makers := map[string]func(dir string) error{
		"tree":           func(dir string) error { return treeState(root, dir, unchanged) },
		"tree-changed":   func(dir string) error { return treeState(root, dir, changeMany) },
		"tree-ignored":   func(dir string) error { return treeState(root, dir, ignoreMany) },
		"tree-untracked": func(dir string) error { return treeState(root, dir, addMany) },
		"tree-inexact":   func(dir string) error { return treeState(root, dir, inexactIndex) },

		"write-tree": func(dir string) error { return treeState(root, dir, tagged) },

		"write": func(dir string) error { return writable(repo, dir) },
		"clean": func(dir string) error { return clone(repo, dir) },
		"graph": func(dir string) error {
			if err := clone(repo, dir); err != nil {
				return err
			}
			return git(dir, "commit-graph", "write", "--reachable", "--changed-paths")
		},
		"dirty":  func(dir string) error { return dirty(repo, dir) },
		"staged": func(dir string) error { return staged(repo, dir) },
		"packed": func(dir string) error { return manyBranches(dir, true) },
		"lines":  texts,
		"loose":  func(dir string) error { return manyBranches(dir, false) },
	}
	dir := filepath.Join(root, name)
	ready := filepath.Join(dir, ".git", "ready")
	if _, err := os.Stat(ready); err == nil {
		return dir, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := makers[name](dir); err != nil {
		return "", fmt.Errorf("state %s: %w", name, err)
	}
	return dir, os.WriteFile(ready, nil, 0o666)
}

// clone clones and writes the index once more a second later, so that no entry
// is as young as the index.
func clone(repo, dir string) error {
	if err := git(".", "clone", "-q", "--local", repo, dir); err != nil {
		return err
	}
	return freshIndex(dir)
}

func freshIndex(dir string) error {
	time.Sleep(1100 * time.Millisecond)
	return git(dir, "update-index", "--refresh", "--force-write-index")
}

// change edits 50 of the tracked files, spread over the tree.
func change(dir string) error {
	out, err := answer([]string{"git", "ls-files", "-s"}, nil, dir)
	if err != nil {
		return err
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		if meta, name, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && strings.HasPrefix(meta, "100644") && !strings.HasPrefix(name, "\"") {
			names = append(names, name)
		}
	}
	for i := range 50 {
		path := filepath.Join(dir, names[i*len(names)/50])
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		lines[len(lines)/2] = []byte("a line that was not there before\n")
		if err := os.WriteFile(path, append(bytes.Join(lines, nil), "one more at the end\n"...), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func dirty(repo, dir string) error {
	if err := clone(repo, dir); err != nil {
		return err
	}
	if err := change(dir); err != nil {
		return err
	}
	for i := range 200 {
		folder := filepath.Join(dir, fmt.Sprintf("new%d", i%20))
		if i%2 == 0 {
			folder = dir
		}
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("untracked%d", i)), []byte("new\n"), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func staged(repo, dir string) error {
	if err := clone(repo, dir); err != nil {
		return err
	}
	if err := change(dir); err != nil {
		return err
	}
	if err := git(dir, "add", "-u"); err != nil {
		return err
	}
	return freshIndex(dir)
}

// manyBranches makes a repository of one commit and very many branches.
func manyBranches(dir string, packed bool) error {
	if err := git(".", "init", "-q", "-b", "main", dir); err != nil {
		return err
	}
	if err := git(dir, "commit", "-q", "--allow-empty", "-m", "one"); err != nil {
		return err
	}
	head, err := answer([]string{"git", "rev-parse", "HEAD"}, nil, dir)
	if err != nil {
		return err
	}
	id := strings.TrimSpace(string(head))
	list := "# pack-refs with: peeled fully-peeled sorted \n"
	for i := range branches {
		name := fmt.Sprintf("refs/heads/team%02d/topic-%05d", i%50, i)
		list += id + " " + name + "\n"
		if packed {
			continue
		}
		path := filepath.Join(dir, ".git", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(id+"\n"), 0o666); err != nil {
			return err
		}
	}
	if !packed {
		return nil
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "packed-refs"), []byte(list), 0o666); err != nil {
		return err
	}
	return git(dir, "pack-refs", "--all") // sorts it
}
