package index

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// written is an extension as git writes it: the top with an untracked file, and an untracked directory that is only checked.
func written() []byte {
	bits := func(word uint64) string {
		data := binary.BigEndian.AppendUint32(nil, 2)
		data = binary.BigEndian.AppendUint32(data, 2)
		data = binary.BigEndian.AppendUint64(data, 1<<33)
		data = binary.BigEndian.AppendUint64(data, word)
		return string(binary.BigEndian.AppendUint32(data, 0))
	}
	stat := func(size byte) string { return strings.Repeat("\x00\x00\x00\x07", 8) + "\x00\x00\x10" + string(size) }
	return []byte("\x05here\x00" + strings.Repeat("\x00", 75) + "\x06" + strings.Repeat("\x11", 20) + strings.Repeat("\x22", 20) + ".gitignore\x00" +
		"\x02\x02\x01\x00file\x00d/\x00" + "\x01\x00d\x00x\x00" +
		bits(3) + bits(2) + bits(1) + stat(1) + stat(2) + strings.Repeat("\x33", 20) + "\x00")
}

func TestUntrackedCacheDecodes(t *testing.T) {
	data := written()
	c := (&Index{Untracked: data}).UntrackedCache()
	require.NotNil(t, c)
	assert.Equal(t, "here", c.Ident)
	assert.EqualValues(t, UntrackedAsDirs, c.Flags)
	assert.Equal(t, ".gitignore", c.ExcludePerDir)
	assert.Equal(t, strings.Repeat("11", 20), c.InfoExclude.String())
	assert.Equal(t, strings.Repeat("22", 20), c.ExcludesFile.String())
	assert.Equal(t, []string{"file", "d/"}, c.Root.Names)
	assert.True(t, c.Root.Valid && !c.Root.CheckOnly)
	assert.Equal(t, strings.Repeat("33", 20), c.Root.ExcludeID.String())
	child := c.Root.Child("d")
	require.NotNil(t, child)
	assert.True(t, child.Valid && child.CheckOnly && child.ExcludeID.IsZero())
	assert.EqualValues(t, 0x1002, child.Size)
	assert.Nil(t, c.Root.Child("e"))
	for size := range data {
		assert.Nil(t, (&Index{Untracked: data[:size]}).UntrackedCache(), "%d bytes", size)
	}
}

func FuzzUntrackedCache(f *testing.F) {
	f.Add(written())
	f.Fuzz(func(t *testing.T, data []byte) {
		if c := (&Index{Untracked: data}).UntrackedCache(); c != nil {
			c.Root.Child("x")
		}
	})
}
