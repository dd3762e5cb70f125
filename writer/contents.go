package writer

import (
	"iter"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/reader"
)

// A batch of contents is handed on when it is this large, so that few hand-overs are needed and little memory.
const (
	batchFiles = 32
	batchBytes = 256 << 10
)

// stored returns how a file's content is made of the object that a tree names; nil for a submodule's directory.
func (p *Plan) stored(smudger *reader.Smudger, path string, mode uint32, id plumbing.Hash) func() ([]byte, error) {
	if mode == index.ModeGitlink {
		return nil
	}
	return func() ([]byte, error) {
		_, data, err := p.objects.read(id)
		if err != nil {
			return nil, err
		}
		return smudger.Content(path, mode, id, data)
	}
}

// content is what a file of the work tree is to hold.
type content struct {
	change *fileChange
	data   []byte
	err    error
}

// contents returns the files to be written with their content, in order. They are read ahead while others are written: one
// waits for the processor, the other for the file system.
func (p *Plan) contents() iter.Seq[content] {
	return func(yield func(content) bool) {
		batches, done := make(chan []content, 1), make(chan struct{})
		go p.readContents(batches, done)
		defer func() {
			close(done)
			for range batches { // until the reading has ended, too
			}
		}()
		for batch := range batches {
			for _, c := range batch {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// readContents reads what contents returns, until done.
func (p *Plan) readContents(batches chan<- []content, done <-chan struct{}) {
	defer close(batches)
	for i := 0; i < len(p.files); {
		var batch []content
		for size := 0; i < len(p.files) && len(batch) < batchFiles && size < batchBytes; i++ {
			c := content{change: &p.files[i]}
			if c.change.mode == 0 {
				continue
			}
			if c.change.content != nil {
				c.data, c.err = c.change.content()
			}
			size += len(c.data)
			batch = append(batch, c)
		}
		select {
		case batches <- batch:
		case <-done:
			return
		}
	}
}
