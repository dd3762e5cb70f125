package diffrender

import (
	"bytes"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/reader"
)

// Hash is the id of an object.
type Hash = plumbing.Hash

// FileDiff is a changed file with the contents of both sides.
type FileDiff struct {
	reader.Change
	OldData, NewData []byte  // as git stores them; nil for an absent side
	OldDriver        *Driver // nil is the default one
	NewDriver        *Driver
	// OldBig and NewBig say that a side's data is not here since the file
	// is larger than core.bigFileThreshold.
	OldBig, NewBig   bool
	oldSize, newSize int // of sides whose data is not here

	unhashed bool // git takes the sides for different before it looks at them
}

const (
	modeType    = 0o170000
	modeRegular = 0o100000
)

// probe is the number of bytes that are searched for a NUL.
const probe = 8000

// oldBinary and newBinary tell whether a side counts as binary.
func (d *FileDiff) oldBinary() bool { return isBinary(d.OldDriver, d.OldData, d.OldBig) }
func (d *FileDiff) newBinary() bool { return isBinary(d.NewDriver, d.NewData, d.NewBig) }

// binary tells whether the change can't be shown line by line.
func (d *FileDiff) binary() bool { return d.oldBinary() || d.newBinary() }

func isBinary(driver *Driver, data []byte, big bool) bool {
	if driver != nil && driver.Binary != Auto {
		return driver.Binary == Yes
	}
	return big || bytes.IndexByte(data[:min(len(data), probe)], 0) >= 0
}

// typeChanged tells whether the sides are of different kinds, so that the
// change is shown as a deletion and a creation.
func (d *FileDiff) typeChanged() bool {
	return d.Old.Present() && d.New.Present() && (d.Old.Mode^d.New.Mode)&modeType != 0
}

// halves returns the deletion of the old and the creation of the new side.
func (d *FileDiff) halves() (deletion, creation FileDiff) {
	deletion, creation = *d, *d
	deletion.New = reader.Entry{Path: d.New.Path, IDKnown: true}
	deletion.NewData, deletion.NewBig, deletion.NewDriver = nil, false, nil
	creation.Old = reader.Entry{Path: d.Old.Path, IDKnown: true}
	creation.OldData, creation.OldBig, creation.OldDriver = nil, false, nil
	return deletion, creation
}
