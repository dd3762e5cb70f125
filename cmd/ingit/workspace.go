package main

import (
	"os"
	"path/filepath"
	"strings"
)

// startDir returns the folder that the command works in, absolute.
func startDir(dir string) (string, error) {
	if dir == "" {
		return os.Getwd()
	}
	return absolute(dir)
}

func absolute(dir string) (string, error) {
	if dir == "" {
		return "", usageError("a folder's name is empty")
	}
	return filepath.Abs(dir)
}

// ownWorkspace returns the workspace for a command that names none: the top of
// the repository around dir, or dir itself when there is none, and what may be
// read beside it. That is the repository of a linked work tree, if it knows
// that work tree: the pointer alone, which whoever made the folder wrote,
// proves nothing, but only the repository's owner can write the way back.
func ownWorkspace(dir string) (root string, allowed []string) {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	for at := dir; ; at = filepath.Dir(at) {
		dotGit := filepath.Join(at, ".git")
		info, err := os.Stat(dotGit)
		switch {
		case err == nil && info.Mode().IsRegular():
			return at, linkedRepository(dotGit)
		case err == nil && info.IsDir() && isGitDir(dotGit), isGitDir(at):
			return at, nil
		}
		if at == filepath.Dir(at) {
			return dir, nil
		}
	}
}

// isGitDir says whether dir has what every git directory has.
func isGitDir(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// linkedRepository returns the directory that a .git file leads to, if it
// leads back: the repository of a linked work tree, or a submodule's own.
func linkedRepository(dotGit string) []string {
	at := filepath.Dir(dotGit)
	name, ok := strings.CutPrefix(firstLine(dotGit), "gitdir: ")
	if !ok {
		return nil
	}
	gitDir := below(at, name)
	if back := firstLine(filepath.Join(gitDir, "gitdir")); back != "" && sameFile(below(gitDir, back), dotGit) {
		return []string{below(gitDir, firstLine(filepath.Join(gitDir, "commondir")))}
	}
	if back := configuredWorkTree(filepath.Join(gitDir, "config")); back != "" && sameFile(below(gitDir, back), at) {
		return []string{gitDir}
	}
	return nil
}

// configuredWorkTree returns the value of the first line "worktree = VALUE" of
// a configuration file. Git writes a submodule's core.worktree so; of a file
// that says it otherwise nothing follows.
func configuredWorkTree(file string) string {
	for line := range strings.Lines(smallFile(file)) {
		key, value, ok := strings.Cut(line, "=")
		if ok && strings.TrimSpace(key) == "worktree" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func below(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

func sameFile(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// firstLine returns the first line of a small regular file, "" for any other.
func firstLine(name string) string {
	line, _, _ := strings.Cut(smallFile(name), "\n")
	return strings.TrimSuffix(line, "\r")
}

// smallFile returns the content of a small regular file, "" for any other.
func smallFile(name string) string {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<16 {
		return ""
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(data)
}
