// Command jail tries what its arguments say in the workspace /ws, and prints what came of it. It is
// built for WASI by a test.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/ingit-dev/ingit/sandbox"
)

func main() {
	w, err := sandbox.Open("/ws", sandbox.Policy{})
	if err != nil {
		fmt.Println("open:", err)
		os.Exit(1)
	}
	top, err := w.Resolve("")
	if err != nil {
		fmt.Println("resolve:", err)
		os.Exit(1)
	}
	for _, arg := range os.Args[1:] {
		op, name, _ := strings.Cut(arg, " ")
		text, err := try(w, top, op, name)
		fmt.Printf("%s: %s\n", arg, outcome(text, err))
	}
}

func try(w *sandbox.Workspace, top *sandbox.Dir, op, name string) (string, error) {
	switch op {
	case "read":
		data, err := top.ReadFile(name, 0)
		return string(data), err
	case "follow":
		f, err := top.OpenFollow(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		data, err := f.ReadAll(0)
		return string(data), err
	case "cwd":
		d, err := w.Resolve(name)
		if err != nil {
			return "", err
		}
		return d.Path(), d.Close()
	case "list":
		d, err := top.OpenDir(name)
		if err != nil {
			return "", err
		}
		defer d.Close()
		entries, err := d.ReadDir()
		return fmt.Sprint(len(entries)), err
	case "stat":
		st, err := top.Lstat(name)
		return fmt.Sprint(st.Mode.Type(), " ", st.Size, " ", st.Ino != 0), err
	case "write":
		f, err := top.Create(name, 0o666)
		if err != nil {
			return "", err
		}
		_, err = f.Write([]byte("written"))
		return "written", errors.Join(err, f.Sync(), f.Close())
	case "append":
		f, err := top.Append(name, 0o666)
		if err != nil {
			return "", err
		}
		_, err = f.Write([]byte("more"))
		return "written", errors.Join(err, f.Close())
	case "rename":
		old, new, _ := strings.Cut(name, " ")
		return "renamed", top.Rename(old, new)
	case "mkdir":
		d, err := top.MkdirAll(name)
		if err != nil {
			return "", err
		}
		return "made", errors.Join(d.Sync(), d.Close())
	case "spin":
		return spin(), nil
	case "remove":
		return "removed", top.Remove(name)
	}
	return "", errors.New("unknown operation")
}

// spin computes until its deadline of 20 ms fires, or two seconds have passed.
func spin() string {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	ctx = sandbox.WithClock(ctx)
	for start := time.Now(); time.Since(start) < 2*time.Second; {
		if ctx.Err() != nil {
			return "stopped"
		}
	}
	return "went on"
}

func outcome(text string, err error) string {
	switch {
	case err == nil:
		return text
	case errors.Is(err, sandbox.ErrSymlink):
		return "LINK"
	case errors.Is(err, sandbox.ErrReadOnly):
		return "READ-ONLY"
	case errors.Is(err, fs.ErrPermission):
		return "OUTSIDE"
	case errors.Is(err, fs.ErrNotExist):
		return "MISSING"
	}
	return err.Error()
}
