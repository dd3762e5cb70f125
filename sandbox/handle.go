package sandbox

import (
	"errors"
	"io/fs"
)

// handle is an open directory of some kind of file system. Names given to it are single, checked
// components; nothing that it does follows a link. Errors are bare: Dir adds operation and path.
type handle interface {
	lstat(name string) (Stat, error)
	self() (Stat, error)
	readDir() ([]Entry, error)
	readlink(name string) (string, error)
	openDir(name string) (handle, error) // ErrSymlink, ErrNotDir
	openFile(name string) (fileHandle, Stat, error)
	reopen() (handle, error) // another handle of the same directory
	close() error

	create(name string, perm fs.FileMode) (fileHandle, error)
	openAppend(name string, perm fs.FileMode) (fileHandle, error) // a regular file, made when missing
	rename(old string, to handle, new string) error
	remove(name string) error
	rmdir(name string) error
	mkdir(name string, perm fs.FileMode) error
	symlink(target, name string) error
	chmod(name string, perm fs.FileMode) error
	sync() error
}

// pathHandle is a handle of a host that opens a checked name of several components in one call,
// following no link in any of them.
type pathHandle interface {
	openDirPath(name string) (handle, error) // for passing through only
	openFilePath(name string) (fileHandle, Stat, error)
}

// errWalk says that the name must be walked: the system lacks the call, or the walk will say what is
// wrong. What is missing is fs.ErrNotExist at once.
var errWalk = errors.New("walk the name")

// counter is a handle that can count names for less than it lists them, see Dir.ReadDirUnless.
type counter interface {
	readDirUnless(known int, into []Entry) (entries []Entry, more bool, err error)
}

// exchanger is a handle of a host that lets two names change places at once.
type exchanger interface {
	exchange(old string, to handle, new string) error
}

// namer is a handle of a host that makes files without a name, whose handles are linkers.
type namer interface {
	createUnnamed(perm fs.FileMode) (fileHandle, error)
}

type linker interface {
	link(to handle, name string) error
}

// fileHandle is an open regular file.
type fileHandle interface {
	Read(p []byte) (int, error)
	ReadAt(p []byte, off int64) (int, error)
	Close() error

	write(p []byte) (int, error)
	sync() error
	chmod(perm fs.FileMode) error
	stat() (Stat, error)
	mapping(size int64) ([]byte, func() error, error) // errors.ErrUnsupported where there is none
}
