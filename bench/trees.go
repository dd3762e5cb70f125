package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/ingit-dev/ingit/internal/index"
)

// The big work tree: files in folders of 100, 20 folders in each of those at
// the top.
const (
	treeFiles  = 100_000
	perFolder  = 100
	topFolders = 50
)

func treePath(i int) string {
	folder := i / perFolder
	return fmt.Sprintf("d%d/s%d/file%d.txt", folder%topFolders, folder/topFolders, i)
}

// treeState clones the big work tree and changes it.
func treeState(root, dir string, change func(dir string) error) error {
	base := filepath.Join(root, "tree-base")
	if _, err := os.Stat(filepath.Join(base, ".git", "refs", "heads", "main")); err != nil {
		if err := generateTree(base); err != nil {
			return err
		}
	}
	if err := clone(base, dir); err != nil {
		return err
	}
	return change(dir)
}

// generateTree makes a repository of one commit with all files.
func generateTree(dir string) error {
	if err := git(".", "init", "-q", "-b", "main", dir); err != nil {
		return err
	}
	var in bytes.Buffer
	in.WriteString("commit refs/heads/main\ncommitter bench <bench@example.com> 1700000000 +0000\ndata 4\nbase\n")
	file := func(path, content string) {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, len(content), content)
	}
	for i := range treeFiles {
		line := fmt.Sprintf("content of file %d\n", i)
		file(treePath(i), string(bytes.Repeat([]byte(line), 1+i%7)))
	}
	file(".gitignore", "*.o\nbuild/\n")
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = dir, environment(), &in, os.Stderr
	return cmd.Run()
}

func unchanged(string) error { return nil }

// changeMany appends to every hundredth file.
func changeMany(dir string) error {
	for i := 0; i < treeFiles; i += 100 {
		f, err := os.OpenFile(filepath.Join(dir, treePath(i)), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if _, err = f.WriteString("more\n"); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// ignoreMany makes 500 folders of 40 files each, half of them in a folder that
// is ignored as a whole.
func ignoreMany(dir string) error {
	for i := range 500 {
		folder := filepath.Join(dir, fmt.Sprintf("d%d", i%topFolders), fmt.Sprintf("more%d", i))
		if err := os.MkdirAll(filepath.Join(folder, "build"), 0o777); err != nil {
			return err
		}
		for k := range 40 {
			if err := os.WriteFile(filepath.Join(folder, []string{"", "build"}[k%2], fmt.Sprintf("%d.o", k)), nil, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// addMany adds ten untracked files to each folder.
func addMany(dir string) error {
	for i := range 10_000 {
		folder := filepath.Dir(treePath(i * treeFiles / 10_000))
		if err := os.WriteFile(filepath.Join(dir, folder, fmt.Sprintf("new%d", i)), nil, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// inexactIndex writes the index as isomorphic-git does: without extensions, and
// with time stamps that are cut to milliseconds.
func inexactIndex(dir string) error {
	name := filepath.Join(dir, ".git", "index")
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	ix, err := index.Parse(data, index.Options{})
	if err != nil {
		return err
	}
	ix.CacheTree = nil
	for i := range ix.Entries {
		for _, t := range []*index.Time{&ix.Entries[i].CTime, &ix.Entries[i].MTime} {
			t.Nsec -= t.Nsec % uint32(time.Millisecond)
		}
	}
	var out bytes.Buffer
	if _, err := ix.Encode(&out, index.EncodeOptions{Version: 2}); err != nil {
		return err
	}
	return os.WriteFile(name, out.Bytes(), 0o666)
}
