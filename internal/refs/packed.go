package refs

import (
	"bytes"
	"encoding/hex"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/mapped"
	"github.com/ingit-dev/ingit/sandbox"
)

const hexLen = 40

// packed is the packed-refs file. It is safe for concurrent use.
//
// A file that says that it is sorted, as git's are, is searched where it
// stands: only the lines that are asked for are copied and read, and can be
// found faulty.
type packed struct {
	file   *mapped.File // what sorted lies in
	sorted string       // the text without its header; "" when refs holds everything
	refs   []Ref        // by name

	mu    sync.Mutex
	parts map[string][]Ref // of sorted, by prefix
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

// openPacked reads the file's header. The format is that of git-pack-refs(1):
// an optional header, "ID NAME" lines, and below an annotated tag's line "^ID",
// the object that it peels to.
func openPacked(file *mapped.File) (p *packed, err error) {
	err = sandbox.GuardFault(func() error {
		data, err := file.All()
		if err != nil {
			return err
		}
		p, err = newPacked(file, unsafe.String(unsafe.SliceData(data), len(data)))
		return err
	})
	return p, err
}

func newPacked(file *mapped.File, text string) (*packed, error) {
	if n := len(text); n > 0 && text[n-1] != '\n' {
		return nil, &PackedError{Line: strings.Clone(text[strings.LastIndexByte(text, '\n')+1:]), Unterminated: true}
	}
	sorted := false
	if header, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(header, "#") {
		text = rest
		traits, ok := strings.CutPrefix(header, "# pack-refs with:")
		sorted = ok && slices.Contains(strings.Fields(traits), "sorted")
	}
	if err := checkLast(text); err != nil {
		return nil, err
	}
	if sorted {
		return &packed{file: file, sorted: text, parts: map[string][]Ref{}}, nil
	}
	refs, err := parsePacked(strings.Clone(text))
	return &packed{refs: refs}, err
}

// checkLast refuses a last record that is too short for any, as git does before
// it reads one.
func checkLast(text string) error {
	if text == "" {
		return nil
	}
	last := text[recordStart(text, 0, len(text)-1):]
	if len(last) >= hexLen+2 {
		return nil
	}
	line, _, _ := strings.Cut(last, "\n")
	return &PackedError{Line: strings.Clone(line)}
}

// parsePacked reads lines of the file in one scan and sorts them by name.
func parsePacked(text string) ([]Ref, error) {
	refs := make([]Ref, 0, len(text)/64+1)
	sorted := true
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if line == "" || line[0] == '#' {
			return nil, &PackedError{Line: line}
		}
		if line[0] == '^' {
			id, ok := parseID(line[1:])
			if !ok || len(line) != hexLen+1 || len(refs) == 0 {
				return nil, &PackedError{Line: line}
			}
			refs[len(refs)-1].Peeled = id
			continue
		}
		ref, err := packedRef(line)
		if err != nil {
			return nil, err
		}
		if n := len(refs); n > 0 && refs[n-1].Name >= ref.Name {
			sorted = false
		}
		refs = append(refs, ref)
	}
	if !sorted {
		slices.SortStableFunc(refs, func(x, y Ref) int { return strings.Compare(x.Name, y.Name) })
		refs = slices.CompactFunc(refs, func(x, y Ref) bool { return x.Name == y.Name })
	}
	return refs, nil
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

func (p *packed) find(name string) (Ref, bool, error) {
	refs := p.refs
	if p.sorted != "" {
		var err error
		refs, err = p.read(func() (from, to int) {
			at := p.search(name)
			return at, p.recordEnd(at)
		})
		if err != nil {
			return Ref{}, false, err
		}
	}
	i, ok := slices.BinarySearchFunc(refs, name, func(r Ref, name string) int { return strings.Compare(r.Name, name) })
	if !ok {
		return Ref{}, false, nil
	}
	return refs[i], true, nil
}

// under returns the refs whose names start with prefix, which is not empty.
func (p *packed) under(prefix string) ([]Ref, error) {
	if p.sorted != "" {
		return p.part(prefix)
	}
	from, _ := slices.BinarySearchFunc(p.refs, prefix, func(r Ref, name string) int { return strings.Compare(r.Name, name) })
	to := from
	for to < len(p.refs) && strings.HasPrefix(p.refs[to].Name, prefix) {
		to++
	}
	return p.refs[from:to], nil
}

// part is under for a sorted text.
func (p *packed) part(prefix string) ([]Ref, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if refs, ok := p.parts[prefix]; ok {
		return refs, nil
	}
	last := len(prefix) - 1
	beyond := prefix[:last] + string([]byte{prefix[last] + 1})
	refs, err := p.read(func() (from, to int) { return p.search(prefix), p.search(beyond) })
	if err == nil {
		p.parts[prefix] = refs
	}
	return refs, err
}

// read returns the refs of a range of the sorted text.
func (p *packed) read(find func() (from, to int)) ([]Ref, error) {
	var text string
	err := sandbox.GuardFault(func() error {
		from, to := find()
		text = strings.Clone(p.sorted[from:to])
		return nil
	})
	runtime.KeepAlive(p.file)
	if err != nil {
		return nil, err
	}
	return parsePacked(text)
}

// search returns where the first record with a name not below the given one
// starts in the sorted text. A record is a ref's line and the "^" line of it.
func (p *packed) search(name string) int {
	low, high := 0, len(p.sorted)
	for low < high {
		start := recordStart(p.sorted, low, int(uint(low+high)/2))
		line, _, _ := strings.Cut(p.sorted[start:], "\n")
		if line[min(hexLen+1, len(line)):] < name {
			low = p.recordEnd(start)
		} else {
			high = start
		}
	}
	return low
}

// recordStart returns where the record starts that the byte at is in; the one
// at low is the first.
func recordStart(text string, low, at int) int {
	start := low + strings.LastIndexByte(text[low:at], '\n') + 1
	for start > low && text[start] == '^' {
		start = low + strings.LastIndexByte(text[low:start-1], '\n') + 1
	}
	return start
}

// recordEnd returns where the record ends that starts at start.
func (p *packed) recordEnd(start int) int {
	end := start
	for first := true; end < len(p.sorted) && (first || p.sorted[end] == '^'); first = false {
		end += strings.IndexByte(p.sorted[end:], '\n') + 1
	}
	return end
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
