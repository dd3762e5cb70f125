package reader

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/sandbox"
)

// grepWorker searches files for one goroutine.
type grepWorker struct {
	*grepSearch
	objects *odb.Reader
	dir     *sandbox.Dir // the folder of the last file, when it isn't the top
	dirPath string
	buffer  []byte
}

func (s *grepSearch) newWorker() *grepWorker {
	w := &grepWorker{grepSearch: s, objects: s.repo.Objects().NewReader()}
	w.objects.Scattered()
	return w
}

func (w *grepWorker) close() {
	if w.dir != nil {
		w.dir.Close()
	}
}

// search looks into one file. It reports false when there is no hit.
func (w *grepWorker) search(item grepItem) (file GrepFile, hit bool, err error) {
	if err := w.ctx.Err(); err != nil {
		return file, false, err
	}
	text, err := w.read(item)
	if err != nil || !w.matcher.Any(w.ctx, text) {
		return file, false, err
	}
	file.Path = item.path
	switch {
	case w.opts.NamesOnly:
	case w.opts.CountOnly:
		file.Count = w.matcher.Count(w.ctx, text)
	default:
		if file.Binary, err = w.drivers.isBinary(item.path, text); err == nil && !file.Binary {
			file.Lines, err = w.lines(item.path, text)
		}
	}
	if err == nil {
		err = w.ctx.Err() // what a match lacks then is no answer
	}
	return file, err == nil, err
}

// lines returns the hits in a text with what is shown around them.
func (w *grepWorker) lines(path string, text []byte) ([]GrepLine, error) {
	var begins func(line []byte) bool
	if w.opts.FunctionNames || w.opts.Functions {
		if w.opts.NoAttributes {
			path = ""
		}
		var err error
		if begins, err = w.opts.Function(path); err != nil {
			return nil, err
		}
	}
	return detach(w.matcher.Lines(w.ctx, text, begins)), nil
}

// detach copies the texts of lines out of the buffer that they are part of.
func detach(lines []GrepLine) []GrepLine {
	size := 0
	for i := range lines {
		size += len(lines[i].Text)
	}
	all := make([]byte, 0, size)
	for i := range lines {
		all = append(all, lines[i].Text...)
		lines[i].Text = all[len(all)-len(lines[i].Text) : len(all) : len(all)]
	}
	return lines
}

// read returns a file's content, valid until the next call. A file of the work
// tree that is missing, unreadable or none has nothing to find, as for git.
func (w *grepWorker) read(item grepItem) ([]byte, error) {
	if !item.id.IsZero() {
		_, data, err := w.objects.Read(item.id)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &grepReadError{item, err}
		}
		return data, err
	}
	name, err := w.enter(item.path)
	if err != nil {
		return nil, unlessUnsearchable(err)
	}
	f, err := w.folder().Open(name)
	if err != nil {
		return nil, unlessUnsearchable(err)
	}
	defer f.Close()
	return w.readFile(f)
}

// grepReadError is a blob that is not there.
type grepReadError struct {
	item grepItem
	err  error
}

// Error is git's sentence.
func (e *grepReadError) Error() string {
	return fmt.Sprintf("'%s': unable to read %s", e.item.path, e.item.id)
}

// Unwrap returns the reason.
func (e *grepReadError) Unwrap() error { return e.err }

// GitLevel is the word that git prints before the sentence.
func (e *grepReadError) GitLevel() string { return "error" }

// enter opens the folder of a path, unless it is open, and returns the rest.
func (w *grepWorker) enter(path string) (name string, err error) {
	at := strings.LastIndexByte(path, '/')
	if at < 0 || w.dir != nil && w.dirPath == path[:at] {
		if at < 0 && w.dir != nil {
			w.dir.Close()
			w.dir = nil
		}
		return path[at+1:], nil
	}
	if w.dir != nil {
		w.dir.Close()
	}
	w.dirPath = path[:at]
	w.dir, err = w.top.OpenDir(w.dirPath)
	if err != nil {
		w.dir = nil
	}
	return path[at+1:], err
}

func (w *grepWorker) folder() *sandbox.Dir {
	if w.dir != nil {
		return w.dir
	}
	return w.top
}

// grepPiece is how much of a file of the work tree is searched at once: memory
// that is touched for one long file costs more than reading that twice.
const grepPiece = 256 << 10

// readFile returns the content of a file, nothing if that is long and no line of
// it matches.
func (w *grepWorker) readFile(f *sandbox.File) ([]byte, error) {
	size := f.Size()
	if size > w.limit {
		return nil, &sandbox.LimitError{Limit: "ObjectBytes", Max: w.limit}
	}
	if w.buffer == nil {
		w.buffer = make([]byte, grepPiece)
	}
	if size <= grepPiece {
		return readAt(f, w.buffer[:size], 0)
	}
	if hit, err := w.searchPieces(f); err != nil || !hit {
		return nil, err
	}
	return readAt(f, make([]byte, size), 0)
}

// searchPieces says whether some line of a file may match, and at once when a
// line is longer than a piece.
func (w *grepWorker) searchPieces(f *sandbox.File) (bool, error) {
	for at := int64(0); at < f.Size(); {
		piece, err := readAt(f, w.buffer[:min(grepPiece, f.Size()-at)], at)
		if err != nil {
			return false, err
		}
		if at+int64(len(piece)) < f.Size() {
			piece = piece[:bytes.LastIndexByte(piece, '\n')+1]
		}
		if len(piece) == 0 || w.matcher.Any(w.ctx, piece) {
			return true, nil
		}
		at += int64(len(piece))
	}
	return false, nil
}

// readAt reads what there is, if the file has shrunk meanwhile less than buffer
// has room for.
func readAt(f *sandbox.File, buffer []byte, at int64) ([]byte, error) {
	n, err := f.ReadAt(buffer, at)
	if err == io.EOF {
		err = nil
	}
	return buffer[:n], err
}

// unlessUnsearchable drops errors about files that git grep passes over.
func unlessUnsearchable(err error) error {
	if errors.Is(err, sandbox.ErrSymlink) || errors.Is(err, sandbox.ErrNotRegular) {
		return nil
	}
	return unlessUnreadable(err)
}

// binaryDrivers knows which files are binary by their diff attribute and its
// driver (gitattributes(5), "Marking files as binary").
type binaryDrivers struct {
	attributes *attributes.Stack // nil: none are looked at
	config     *gitconfig.Config
}

func (r *Repository) newBinaryDrivers(plain, indexed bool) (*binaryDrivers, error) {
	d := &binaryDrivers{config: r.Config()}
	if plain {
		return d, nil
	}
	var err error
	d.attributes, err = r.Attributes(indexed)
	return d, err
}

// isBinary decides by the attribute, else by the content.
func (d *binaryDrivers) isBinary(path string, text []byte) (bool, error) {
	driver := "default"
	if d.attributes != nil {
		switch v := d.attributes.Lookup(path).Get("diff"); v.State {
		case attributes.Set:
			return false, nil
		case attributes.Unset:
			return true, nil
		case attributes.Valued:
			driver = v.Text
		}
	}
	if value, ok := d.config.Get("diff." + driver + ".binary"); ok && value != "auto" {
		return d.config.Bool("diff."+driver+".binary", false)
	}
	return isBinary(text), nil
}
