package refs

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

const hexLen = 40

// packed is the packed-refs file, in memory, sorted by name. Its refs' names
// share the text of the file.
type packed struct {
	refs []Ref
}

// PackedError is a line of packed-refs that git refuses.
type PackedError struct {
	Line         string
	Unterminated bool
}

// Error is git's sentence, without "fatal: ".
func (e *PackedError) Error() string {
	if e.Unterminated {
		return "unterminated line in .git/packed-refs: " + e.Line
	}
	return "unexpected line in .git/packed-refs: " + e.Line
}

// DangerousError is a ref whose name could lead out of the ref directories.
type DangerousError struct {
	Name   string
	Packed bool
}

// Error is git's sentence, without "fatal: ".
func (e *DangerousError) Error() string {
	if e.Packed {
		return "packed refname is dangerous: " + e.Name
	}
	return "loose refname is dangerous: " + e.Name
}

// parsePacked reads the file in one scan. The format is that of
// git-pack-refs(1): an optional header, "ID NAME" lines, and below an
// annotated tag's line "^ID", the object that it peels to.
func parsePacked(data []byte) (*packed, error) {
	text := string(data)
	p := &packed{refs: make([]Ref, 0, len(text)/64+1)}
	sorted := true
	for first := true; text != ""; first = false {
		line, rest, terminated := strings.Cut(text, "\n")
		if !terminated {
			return nil, &PackedError{Line: line, Unterminated: true}
		}
		text = rest
		if line == "" || line[0] == '#' {
			if first && line != "" {
				continue
			}
			return nil, &PackedError{Line: line}
		}
		if line[0] == '^' {
			id, ok := parseID(line[1:])
			if !ok || len(line) != hexLen+1 || len(p.refs) == 0 {
				return nil, &PackedError{Line: line}
			}
			p.refs[len(p.refs)-1].Peeled = id
			continue
		}
		ref, err := packedRef(line)
		if err != nil {
			return nil, err
		}
		if n := len(p.refs); n > 0 && p.refs[n-1].Name >= ref.Name {
			sorted = false
		}
		p.refs = append(p.refs, ref)
	}
	if !sorted {
		slices.SortStableFunc(p.refs, func(x, y Ref) int { return strings.Compare(x.Name, y.Name) })
		p.refs = slices.CompactFunc(p.refs, func(x, y Ref) bool { return x.Name == y.Name })
	}
	return p, nil
}

func packedRef(line string) (Ref, error) {
	id, ok := parseID(line)
	if !ok || len(line) < hexLen+2 || line[hexLen] != ' ' && line[hexLen] != '\t' && line[hexLen] != '\r' {
		return Ref{}, &PackedError{Line: line}
	}
	ref := Ref{Name: line[hexLen+1:], ID: id}
	if !ValidName(ref.Name) {
		if !safe(ref.Name) {
			return Ref{}, &DangerousError{Name: ref.Name, Packed: true}
		}
		ref.ID, ref.Broken, ref.BadName = plumbing.ZeroHash, true, true
	}
	return ref, nil
}

func (p *packed) find(name string) (Ref, bool) {
	i, ok := slices.BinarySearchFunc(p.refs, name, func(r Ref, name string) int { return strings.Compare(r.Name, name) })
	if !ok {
		return Ref{}, false
	}
	return p.refs[i], true
}

// under returns the refs whose names start with prefix.
func (p *packed) under(prefix string) []Ref {
	from, _ := slices.BinarySearchFunc(p.refs, prefix, func(r Ref, name string) int { return strings.Compare(r.Name, name) })
	to := from
	for to < len(p.refs) && strings.HasPrefix(p.refs[to].Name, prefix) {
		to++
	}
	return p.refs[from:to]
}

// parseID reads the id at the start of a text.
func parseID(text string) (id plumbing.Hash, ok bool) {
	if len(text) < hexLen {
		return id, false
	}
	for i := range id {
		high, low := hexDigit[text[2*i]], hexDigit[text[2*i+1]]
		if high|low > 15 {
			return plumbing.ZeroHash, false
		}
		id[i] = high<<4 | low
	}
	return id, true
}

// hexDigit maps a byte to its value as a hexadecimal digit, others to 255.
var hexDigit = func() (table [256]byte) {
	for i := range table {
		table[i] = 255
	}
	for i, c := range "0123456789abcdef" {
		table[c] = byte(i)
	}
	for i, c := range "ABCDEF" {
		table[c] = byte(10 + i)
	}
	return table
}()

// parseLoose reads a loose ref's file: "ref: NAME" or an id, with anything
// after white space ignored.
func parseLoose(data []byte) (ref Ref) {
	data = bytes.TrimRight(data, " \t\n\r\v\f")
	if target, ok := bytes.CutPrefix(data, []byte("ref:")); ok {
		ref.Target = string(bytes.TrimLeft(target, " \t\n\r"))
		return ref
	}
	if len(data) < hexLen || len(data) > hexLen && !bytes.ContainsRune([]byte(" \t\n\r"), rune(data[hexLen])) {
		ref.Broken = true
		return ref
	}
	if _, err := hex.Decode(ref.ID[:], data[:hexLen]); err != nil {
		ref.ID, ref.Broken = plumbing.ZeroHash, true
	}
	return ref
}
