package writer

import (
	"bytes"
	"errors"
	"fmt"
	"github.com/klauspost/compress/zlib"
	"io"
	"io/fs"
	"math/rand/v2"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/sandbox"
)

// objectStore writes loose objects. It is for one goroutine.
type objectStore struct {
	db      *odb.Database
	dir     *sandbox.Dir // the objects directory
	durable bool         // core.fsync names loose-object
	zip     *zlib.Writer
	buffer  bytes.Buffer
}

func newObjectStore(db *odb.Database, dir *sandbox.Dir, config *gitconfig.Config, durable bool) (*objectStore, error) {
	level, err := compressionLevel(config)
	if err != nil {
		return nil, err
	}
	zip, err := zlib.NewWriterLevel(io.Discard, level)
	if err != nil {
		return nil, err
	}
	return &objectStore{db: db, dir: dir, durable: durable, zip: zip}, nil
}

// compressionLevel is core.looseCompression, else core.compression, else 1.
func compressionLevel(config *gitconfig.Config) (int, error) {
	for _, key := range []string{"core.looseCompression", "core.compression"} {
		level, err := config.Int(key, zlib.BestSpeed)
		if err != nil {
			return 0, err
		}
		if level < zlib.DefaultCompression || level > zlib.BestCompression {
			return 0, fmt.Errorf("bad zlib compression level %d", level)
		}
		if _, ok := config.Get(key); ok {
			return int(level), nil
		}
	}
	return zlib.BestSpeed, nil
}

// store writes the object's file beside its place and renames it.
func (o *objectStore) store(id plumbing.Hash, kind plumbing.ObjectType, data []byte) error {
	o.buffer.Reset()
	o.zip.Reset(&o.buffer)
	o.zip.Write(objectHeader(kind, int64(len(data))))
	o.zip.Write(data)
	if err := o.zip.Close(); err != nil {
		return err
	}
	name := id.String()
	sub, err := o.fanout(name[:2])
	if err != nil {
		return err
	}
	defer sub.Close()
	temp, err := writeTemp(sub, "tmp_obj_", 0o444, o.buffer.Bytes(), o.durable)
	if err != nil {
		return err
	}
	if err := sub.Rename(temp, name[2:]); err != nil {
		sub.Remove(temp)
		return err
	}
	return nil
}

// fanout opens the directory of objects whose ids begin with two digits, making it first where it is missing.
func (o *objectStore) fanout(digits string) (*sandbox.Dir, error) {
	sub, err := o.dir.OpenDir(digits)
	if !errors.Is(err, fs.ErrNotExist) {
		return sub, err
	}
	if err := o.dir.Mkdir(digits, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return o.dir.OpenDir(digits)
}

// writeTemp writes a file of a fresh name that begins with prefix, and returns the name.
func writeTemp(dir *sandbox.Dir, prefix string, perm fs.FileMode, data []byte, durable bool) (string, error) {
	name := prefix + randomName()
	file, err := dir.Create(name, perm)
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	if err == nil && durable {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		dir.Remove(name)
		return "", err
	}
	return name, nil
}

// randomName returns 12 digits that no other writer has.
func randomName() string {
	return fmt.Sprintf("%012x", rand.Uint64()>>16)
}
