package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/reader"
)

// The texts of the job on lines: many lines, of which one in changedLine is
// another one on the new side.
const (
	textLines   = 100_000
	changedLine = 20
)

// texts makes the two files that are compared line by line, beside a
// repository of their own.
func texts(dir string) error {
	if err := git(".", "init", "-q", "-b", "main", dir); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	var old, new strings.Builder
	for range textLines {
		line := fmt.Sprintf("%s%s := call%d(%s)\n", strings.Repeat("\t", random.IntN(4)), words[random.IntN(len(words))], random.IntN(2000), words[random.IntN(len(words))])
		old.WriteString(line)
		if random.IntN(changedLine) == 0 {
			line = fmt.Sprintf("\tchanged%d\n", random.IntN(5000))
		}
		new.WriteString(line)
	}
	if err := os.WriteFile(filepath.Join(dir, "old"), []byte(old.String()), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "new"), []byte(new.String()), 0o666)
}

var words = []string{"count", "i", "name", "result", "err", "node", "next", "value", "buffer", "options", "line", "total"}

// runLines prints the patch between two files, as git diff --no-index does,
// with the line diff and the printer alone.
func runLines(oldName, newName string) error {
	old, err := os.ReadFile(oldName)
	if err != nil {
		return err
	}
	new, err := os.ReadFile(newName)
	if err != nil {
		return err
	}
	p := diffrender.NewPrinter(os.Stdout, diffrender.Options{})
	entry := func(name string, data []byte) reader.Entry {
		return reader.Entry{Path: name, Mode: 0o100644, ID: plumbing.ComputeHash(plumbing.BlobObject, data), IDKnown: true}
	}
	d := &diffrender.FileDiff{OldData: old, NewData: new}
	d.Old, d.New, d.Kind = entry(oldName, old), entry(newName, new), reader.Modified
	if err := p.Patch(d); err != nil {
		return err
	}
	return p.Flush()
}

// warmLines prepares a line diff within this process.
func warmLines(dir string) (call func() error, done func(), err error) {
	old, err := os.ReadFile(filepath.Join(dir, "old"))
	if err != nil {
		return nil, nil, err
	}
	new, err := os.ReadFile(filepath.Join(dir, "new"))
	if err != nil {
		return nil, nil, err
	}
	var d linediff.Differ
	return func() error {
		d.Diff(old, new, linediff.Options{})
		return nil
	}, func() {}, nil
}
