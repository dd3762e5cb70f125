package index

import (
	"io/fs"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/sandbox"
)

func TestMatchStat(t *testing.T) {
	file := sandbox.Stat{Mode: 0o644, Size: 3, MTime: sandbox.Time{Sec: 1 << 33, Nsec: 5}, CTime: sandbox.Time{Sec: 7}, Dev: 1, Ino: 1<<40 | 9, UID: 4}
	entry := Entry{Mode: ModeFile, ID: plumbing.NewHash("01")}
	entry.SetStat(&file)
	for _, test := range []struct {
		name   string
		change func(*sandbox.Stat)
		opts   StatOptions
		want   Change
	}{
		{"same", func(*sandbox.Stat) {}, StatOptions{}, 0},
		{"nanoseconds", func(st *sandbox.Stat) { st.MTime.Nsec = 6; st.CTime.Nsec = 8 }, StatOptions{}, 0},
		{"device", func(st *sandbox.Stat) { st.Dev = 2 }, StatOptions{}, 0},
		{"mtime", func(st *sandbox.Stat) { st.MTime.Sec++ }, StatOptions{}, DataChanged},
		{"ctime", func(st *sandbox.Stat) { st.CTime.Sec++ }, StatOptions{}, DataChanged},
		{"ctime untrusted", func(st *sandbox.Stat) { st.CTime.Sec++ }, StatOptions{IgnoreCTime: true}, 0},
		{"inode", func(st *sandbox.Stat) { st.Ino++ }, StatOptions{}, DataChanged},
		{"inode unchecked", func(st *sandbox.Stat) { st.Ino++; st.UID++ }, StatOptions{MinimalStat: true}, 0},
		{"size", func(st *sandbox.Stat) { st.Size++ }, StatOptions{MinimalStat: true}, DataChanged},
		{"execute bit", func(st *sandbox.Stat) { st.Mode |= 0o111 }, StatOptions{}, ModeChanged},
		{"group's execute bit", func(st *sandbox.Stat) { st.Mode |= 0o010 }, StatOptions{}, 0},
		{"execute bit untrusted", func(st *sandbox.Stat) { st.Mode |= 0o111 }, StatOptions{IgnoreExec: true}, 0},
		{"link", func(st *sandbox.Stat) { st.Mode = fs.ModeSymlink | 0o777 }, StatOptions{}, TypeChanged},
		{"directory", func(st *sandbox.Stat) { st.Mode = fs.ModeDir | 0o755 }, StatOptions{}, TypeChanged},
	} {
		st := file
		test.change(&st)
		assert.Equal(t, test.want, entry.MatchStat(&st, test.opts), test.name)
	}
	smudged := entry
	smudged.Size, file.Size = 0, 0
	assert.Equal(t, DataChanged, smudged.MatchStat(&file, StatOptions{}), "size 0 but not the empty blob")
	smudged.ID = plumbing.Hash(emptyBlob)
	assert.Zero(t, smudged.MatchStat(&file, StatOptions{}), "the empty blob")

	link := Entry{Mode: ModeSymlink, ID: plumbing.NewHash("01"), Size: 3}
	assert.Equal(t, TypeChanged, link.MatchStat(&sandbox.Stat{Size: 3}, StatOptions{}))
	assert.Zero(t, link.MatchStat(&sandbox.Stat{Size: 3}, StatOptions{FakedSymlinks: true}))
	module := Entry{Mode: ModeGitlink}
	assert.Zero(t, module.MatchStat(&sandbox.Stat{Mode: fs.ModeDir, Size: 9}, StatOptions{}))
	assert.Equal(t, TypeChanged, module.MatchStat(&sandbox.Stat{}, StatOptions{}))
}

func TestRacy(t *testing.T) {
	x := &Index{MTime: Time{Sec: 100, Nsec: 5}}
	assert.True(t, x.Racy(&Entry{MTime: Time{Sec: 100}}), "the same second")
	assert.True(t, x.Racy(&Entry{MTime: Time{Sec: 101}}))
	assert.False(t, x.Racy(&Entry{MTime: Time{Sec: 99}}))
	assert.False(t, x.Racy(&Entry{MTime: Time{Sec: 101}, Mode: ModeGitlink}))
	assert.False(t, (&Index{}).Racy(&Entry{MTime: Time{Sec: 1}}), "an index without a file")
}
