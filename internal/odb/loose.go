package odb

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/inflate"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/sandbox"
)

const (
	maxLooseHeader = 32 // git reads no longer one
	// loosePiece is how much is inflated before an object's size is known:
	// most are done then.
	loosePiece = 8 << 10
)

// git's reasons, without the object's name.
var (
	errLooseHeader  = errors.New("unable to parse loose object header")
	errLooseType    = errors.New("header declares an unknown type")
	errLooseGarbage = errors.New("garbage at end of loose object")
)

// mismatchError says that content is that of another object.
type mismatchError struct{ have plumbing.Hash }

// Error is the same for all.
func (mismatchError) Error() string { return "content does not match the object's name" }

func loosePath(id plumbing.Hash) string {
	digits := id.String()
	return digits[:2] + "/" + digits[2:]
}

// hasLoose returns nil when the store has the object loose.
func (s *store) hasLoose(id plumbing.Hash) error {
	st, err := s.dir.Lstat(loosePath(id))
	if err == nil && st.IsDir() {
		err = fs.ErrNotExist
	}
	return err
}

// openLoose opens a loose object's file; a link is followed within the
// workspace.
func (s *store) openLoose(id plumbing.Hash) (*sandbox.File, error) {
	name := loosePath(id)
	f, err := s.dir.Open(name)
	if errors.Is(err, sandbox.ErrSymlink) {
		f, err = s.dir.OpenFollow(name)
	}
	return f, err
}

// readLoose reads a loose object's file into r.file. Errors other than
// fs.ErrNotExist name the object.
func (r *Reader) readLoose(s *store, id plumbing.Hash) ([]byte, error) {
	f, err := s.openLoose(id)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return nil, s.corrupt(id, err)
	}
	defer f.Close()
	size := f.Size()
	if err := r.limit(size); err != nil {
		return nil, err
	}
	buf := r.file
	if int(size)+8 > cap(buf) {
		buf = make([]byte, size+size/2+1024)
	}
	if cap(buf) <= maxKept {
		r.file = buf
	}
	n, err := f.ReadAt(buf[:size], 0)
	if int64(n) < size {
		return nil, s.corrupt(id, err)
	}
	return buf[:n], nil
}

func (s *store) corrupt(id plumbing.Hash, why error) error {
	return &CorruptError{ID: id, Where: s.dir.Path() + "/" + loosePath(id), Loose: true, Why: why}
}

// looseObject returns a loose object's type and content, checked against its
// name.
func (r *Reader) looseObject(s *store, id plumbing.Hash, keep bool) (plumbing.ObjectType, []byte, error) {
	file, err := r.readLoose(s, id)
	if err != nil {
		return 0, nil, err
	}
	kind, data, err := r.parseLoose(file, id, keep)
	if err != nil && !isLimit(err) {
		err = s.corrupt(id, err)
	}
	return kind, data, err
}

func isLimit(err error) bool {
	var limit *sandbox.LimitError
	return errors.As(err, &limit)
}

func (r *Reader) parseLoose(file []byte, id plumbing.Hash, keep bool) (plumbing.ObjectType, []byte, error) {
	piece := r.output(loosePiece)
	n, used, err := r.inflate.Prefix(piece, file)
	if err != nil {
		return 0, nil, err
	}
	kind, size, skip, err := parseLooseHeader(piece[:n])
	if err != nil {
		return 0, nil, err
	}
	if err := claim(size, int64(len(file))); err != nil {
		return 0, nil, err
	}
	if err := r.limit(size); err != nil {
		return 0, nil, err
	}
	all := piece[:n]
	total := skip + int(size)
	if used == 0 {
		all = make([]byte, total, total+inflate.Slack)
		keep = false
		if used, err = r.inflate.Inflate(all[:cap(all)], total, file); err != nil {
			return 0, nil, err
		}
	}
	switch {
	case len(all) != total:
		return 0, nil, inflate.ErrShort
	case used != len(file):
		return 0, nil, errLooseGarbage
	}
	if have := plumbing.Hash(sha1.Sum(all)); have != id {
		return 0, nil, mismatchError{have}
	}
	if keep {
		return kind, bytes.Clone(all[skip:]), nil
	}
	return kind, all[skip:], nil
}

// looseHeader returns a loose object's type and size as its header states
// them.
func (r *Reader) looseHeader(s *store, id plumbing.Hash) (plumbing.ObjectType, int64, error) {
	f, err := s.openLoose(id)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return 0, 0, err
		}
		return 0, 0, s.corrupt(id, err)
	}
	defer f.Close()
	head := r.output(int(min(f.Size(), 4096)))
	got, _ := f.ReadAt(head, 0)
	var piece [maxLooseHeader]byte
	n, _, err := r.inflate.Prefix(piece[:], head[:got])
	kind, size, _, bad := parseLooseHeader(piece[:n])
	if bad != nil {
		return 0, 0, s.corrupt(id, errors.Join(bad, err))
	}
	return kind, size, nil
}

// parseLooseHeader reads "type size" up to the NUL and says how long that is.
func parseLooseHeader(b []byte) (kind plumbing.ObjectType, size int64, skip int, err error) {
	end := bytes.IndexByte(b[:min(len(b), maxLooseHeader)], 0)
	if end < 0 {
		return 0, 0, 0, errLooseHeader
	}
	name, digits, ok := bytes.Cut(b[:end], []byte(" "))
	if !ok || len(digits) == 0 || digits[0] == '0' && len(digits) > 1 {
		return 0, 0, 0, errLooseHeader
	}
	for _, c := range digits {
		if c < '0' || c > '9' || size > (math.MaxInt64-9)/10 {
			return 0, 0, 0, errLooseHeader
		}
		size = size*10 + int64(c-'0')
	}
	if kind, ok = object.ParseType(name); !ok {
		return 0, 0, 0, fmt.Errorf("%w: %q", errLooseType, name)
	}
	return kind, size, end + 1, nil
}

func hexByte(b byte) string { return hex.EncodeToString([]byte{b}) }

// parseID reads an id of 40 lower-case hexadecimal digits.
func parseID(digits string) (id plumbing.Hash, ok bool) {
	if len(digits) != 2*idSize {
		return id, false
	}
	for i := range len(digits) {
		if c := digits[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return id, false
		}
	}
	_, err := hex.Decode(id[:], []byte(digits))
	return id, err == nil
}

func compareIDs(x, y plumbing.Hash) int { return bytes.Compare(x[:], y[:]) }
