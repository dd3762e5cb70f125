package convert

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Pointer is what is stored in place of a large file (the Git LFS specification, "The Pointer").
type Pointer struct {
	OID  string // SHA-256 of the content, 64 hexadecimal digits
	Size int64  // of the content, in bytes
}

// maxPointer is the size in bytes from which on content is no pointer.
const maxPointer = 1024

// pointerVersions are the values of the first line that Git LFS takes.
var pointerVersions = [...]string{"https://git-lfs.github.com/spec/v1", "https://hawser.github.com/spec/v1", "http://git-media.io/v/2"}

// String returns the pointer file. That of empty content is empty.
func (p Pointer) String() string {
	if p.Size == 0 {
		return ""
	}
	return fmt.Sprintf("version %s\noid sha256:%s\nsize %d\n", pointerVersions[0], p.OID, p.Size)
}

// ParsePointer reads a pointer file: "version", perhaps "ext-…" lines, "oid", "size".
func ParsePointer(data []byte) (p Pointer, ok bool) {
	if len(data) >= maxPointer || !bytes.HasPrefix(data, []byte("version ")) {
		return p, false
	}
	wanted := []string{"version", "oid", "size"}
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		key, value, _ := strings.Cut(line, " ")
		if strings.HasPrefix(key, "ext-") && len(wanted) == 2 {
			continue
		}
		if len(wanted) == 0 || key != wanted[0] || !p.set(key, value) {
			return Pointer{}, false
		}
		wanted = wanted[1:]
	}
	return p, len(wanted) == 0
}

func (p *Pointer) set(key, value string) bool {
	switch key {
	case "version":
		for _, version := range pointerVersions {
			if value == version {
				return true
			}
		}
		return false
	case "oid":
		oid, ok := strings.CutPrefix(value, "sha256:")
		p.OID = oid
		return ok && len(oid) == 64 && strings.Trim(oid, "0123456789abcdef") == ""
	}
	size, err := strconv.ParseInt(value, 10, 64)
	p.Size = size
	return err == nil && size >= 0
}

// cleanLFS makes the pointer to data; what is a pointer already stays.
func cleanLFS(data []byte) []byte {
	if _, ok := ParsePointer(data); ok {
		return data
	}
	sum := sha256.Sum256(data)
	return []byte(Pointer{hex.EncodeToString(sum[:]), int64(len(data))}.String())
}

// smudgeLFS replaces a pointer by its content, if the local store has it.
func smudgeLFS(path string, data []byte, lfs func(oid string) ([]byte, error)) ([]byte, error) {
	p, ok := ParsePointer(data)
	if !ok || lfs == nil {
		return data, nil
	}
	content, err := lfs(p.OID)
	if errors.Is(err, fs.ErrNotExist) {
		return data, nil
	}
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != p.OID {
		return nil, &Error{fmt.Sprintf("%s: the stored LFS object %s is corrupt", path, p.OID)}
	}
	return content, nil
}
