package writer

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/ingit-dev/ingit/sandbox"
)

// LockError says that a file could not be locked, most often because another process holds the lock or died with it.
type LockError struct {
	Path string        // of the lock file, absolute
	Age  time.Duration // of a lock that is there already; 0: not known
	Err  error
}

// Error is git's text, with its advice when the lock exists already, and how old that is.
func (e *LockError) Error() string {
	if !errors.Is(e.Err, fs.ErrExist) {
		return fmt.Sprintf("Unable to create '%s': %v", e.Path, cause(e.Err))
	}
	return fmt.Sprintf("Unable to create '%s': File exists.\n\n"+
		"Another git process seems to be running in this repository, e.g.\n"+
		"an editor opened by 'git commit'. Please make sure all processes\n"+
		"are terminated then try again. If it still fails, a git process\n"+
		"may have crashed in this repository earlier:\n"+
		"remove the file manually to continue.%s", e.Path, e.age())
}

// age is a sentence for a lock that no quick command holds.
func (e *LockError) age() string {
	if e.Age < time.Minute {
		return ""
	}
	return fmt.Sprintf("\nThe lock is %v old.", e.Age.Truncate(time.Minute))
}

// Unwrap returns what the file system said.
func (e *LockError) Unwrap() error { return e.Err }

// cause strips the path and the call off a file-system error.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// lockFile is a held lock: NAME.lock, to become NAME.
type lockFile struct {
	dir  *sandbox.Dir
	name string // what is locked
	file *sandbox.File
	out  *bufio.Writer
	done bool
}

// lock takes the lock of name below dir, as gitrepository-layout(5)'s files are locked.
func lock(dir *sandbox.Dir, name string) (*lockFile, error) {
	file, err := dir.Create(name+".lock", 0o666)
	if err != nil {
		return nil, &LockError{Path: dir.Path() + "/" + name + ".lock", Age: lockAge(dir, name), Err: err}
	}
	return &lockFile{dir: dir, name: name, file: file, out: bufio.NewWriterSize(file, 1<<16)}, nil
}

// lockAge is how long ago a lock was last written to.
func lockAge(dir *sandbox.Dir, name string) time.Duration {
	stat, err := dir.Lstat(name + ".lock")
	if err != nil {
		return 0
	}
	return time.Since(time.Unix(stat.MTime.Sec, 0))
}

// Write adds to the new content.
func (l *lockFile) Write(p []byte) (int, error) { return l.out.Write(p) }

// close flushes the content to disk, still under its lock's name.
func (l *lockFile) close(durable bool) error {
	if l.file == nil {
		return nil
	}
	err := l.out.Flush()
	if err == nil && durable {
		err = l.file.Sync()
	}
	err = errors.Join(err, l.file.Close())
	l.file = nil
	return err
}

// commit puts the new content in place and gives up the lock. On an error the old content stays.
func (l *lockFile) commit(durable bool) error {
	if err := l.close(durable); err != nil {
		l.rollback()
		return err
	}
	if err := l.dir.Rename(l.name+".lock", l.name); err != nil {
		l.rollback()
		return err
	}
	l.done = true
	return nil
}

// rollback gives up the lock without a change. It does nothing after commit or rollback.
func (l *lockFile) rollback() {
	if l == nil || l.done {
		return
	}
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
	l.dir.Remove(l.name + ".lock")
	l.done = true
}
