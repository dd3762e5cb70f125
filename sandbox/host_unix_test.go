//go:build linux || darwin || freebsd || netbsd || openbsd

package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestSpecialFilesAreRefusedAtOnce(t *testing.T) {
	top := layout(t, map[string]string{"d/": "", "link": "-> d/fifo", "null": "-> /dev/null"})
	require.NoError(t, unix.Mkfifo(filepath.Join(top, "d/fifo"), 0o666))
	socket, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	require.NoError(t, err)
	defer unix.Close(socket)
	require.NoError(t, unix.Bind(socket, &unix.SockaddrUnix{Name: filepath.Join(top, "d/socket")}))
	for backend, w := range backends(t, top, Policy{}) {
		d, err := w.Resolve("")
		require.NoError(t, err)
		start := time.Now()
		for _, name := range []string{"d/fifo", "d/socket", "d"} {
			_, err = d.Open(name)
			require.ErrorIs(t, err, ErrNotRegular, "%s %s", backend, name)
			_, err = d.ReadFile(name, 0)
			require.ErrorIs(t, err, ErrNotRegular)
		}
		_, err = d.OpenFollow("link")
		require.ErrorIs(t, err, ErrNotRegular)
		_, err = d.OpenDir("d/fifo")
		require.ErrorIs(t, err, ErrNotDir)
		_, err = d.OpenFollow("null")
		require.ErrorIs(t, err, fs.ErrPermission)
		st, err := d.Lstat("d/fifo")
		require.NoError(t, err)
		require.Equal(t, fs.ModeNamedPipe, st.Mode.Type())
		require.Less(t, time.Since(start), time.Second)
		require.NoError(t, d.Close())
	}
}

// A goroutine swaps a file and a directory for links to the outside and back, as fast as it can;
// nothing from outside may ever be read or made.
func TestLinkSwappedBetweenCheckAndUse(t *testing.T) {
	for _, backend := range []string{"host", "os.Root", "step by step"} {
		t.Run(backend, func(t *testing.T) {
			top := layout(t, map[string]string{
				"ws/d/f": "inside", "ws/d/sub/g": "inside", "out/f": "OUTSIDE", "out/sub/g": "OUTSIDE",
				"ws/link": "-> d", "ws/flink": "-> d/f",
			})
			w := backends(t, filepath.Join(top, "ws"), Policy{})[backend]
			stop, swapped := swap(t, top+"/ws", "d", top+"/out")
			d, err := w.Resolve("")
			require.NoError(t, err)
			defer d.Close()
			good := 0
			deadline := time.Now().Add(500 * time.Millisecond)
			for i := 0; time.Now().Before(deadline) || i < 200; i++ {
				good += readAll(t, d, w)
				if f, err := d.Create("d/made", 0o666); err == nil {
					f.Close()
					d.Remove("d/made")
				}
				d.Mkdir("d/made.d", 0o777)
				d.Rename("d/f2", "d/f3")
			}
			close(stop)
			swapped.Wait()
			require.Positive(t, good)
			require.NoFileExists(t, top+"/out/made")
			require.NoDirExists(t, top+"/out/made.d")
		})
	}
}

// readAll reads in every way there is, and returns how many worked.
func readAll(t *testing.T, d *Dir, w *Workspace) int {
	good := 0
	see := func(data []byte, err error) {
		if err == nil {
			good++
			require.Equal(t, "inside", string(data))
		}
	}
	see(d.ReadFile("d/f", 0))
	see(d.ReadFile("d/sub/g", 0))
	if sub, err := d.OpenDir("d"); err == nil {
		see(sub.ReadFile("f", 0))
		sub.Close()
	}
	read := func(f *File, err error) {
		if err == nil {
			defer f.Close()
			see(f.ReadAll(0))
		}
	}
	read(w.OpenFile(w.Root() + "/d/sub/g"))
	read(d.OpenFollow("flink"))
	read(w.OpenFile(w.Root() + "/link/f"))
	return good
}

func swap(t *testing.T, dir, name, outside string) (chan struct{}, *sync.WaitGroup) {
	stop := make(chan struct{})
	var done sync.WaitGroup
	path, aside, link := filepath.Join(dir, name), filepath.Join(dir, "aside"), filepath.Join(dir, "evil")
	require.NoError(t, os.Symlink(outside, link))
	done.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(path, aside)
			os.Rename(link, path)
			os.Rename(path, link)
			os.Rename(aside, path)
		}
	})
	return stop, &done
}

func TestUnreadableDirectoryMayBePassedThrough(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	top := layout(t, map[string]string{"d/sub/f": "x"})
	require.NoError(t, os.Chmod(filepath.Join(top, "d"), 0o311))
	defer os.Chmod(filepath.Join(top, "d"), 0o755)
	d, err := open(t, top, Policy{}).Resolve("")
	require.NoError(t, err)
	data, err := d.ReadFile("d/sub/f", 0)
	require.NoError(t, err)
	require.Equal(t, "x", string(data))
	sub, err := d.OpenDir("d")
	require.NoError(t, err)
	_, err = sub.ReadDir()
	require.ErrorIs(t, err, fs.ErrPermission)
}

func TestFileTruncatedBeneathItsMapping(t *testing.T) {
	const size = 64 << 10
	top := layout(t, map[string]string{"f": strings.Repeat("x", size), "empty": ""})
	d, err := open(t, top, Policy{}).Resolve("")
	require.NoError(t, err)
	f, err := d.Open("f")
	require.NoError(t, err)
	data, unmap, err := f.Map()
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Len(t, data, size)
	require.NoError(t, os.Truncate(filepath.Join(top, "f"), 100))
	sum := 0
	err = GuardFault(func() error {
		for _, c := range data {
			sum += int(c)
		}
		return nil
	})
	var fault *FaultError
	require.ErrorAs(t, err, &fault)
	require.Contains(t, err.Error(), "truncated")
	err = GuardFault(func() error { // memory copied by assembly faults the same way
		copy(make([]byte, size), data)
		return nil
	})
	require.ErrorAs(t, err, &fault)
	require.NoError(t, unmap())

	f, err = d.Open("empty")
	require.NoError(t, err)
	data, unmap, err = f.Map()
	require.NoError(t, err)
	require.Empty(t, data)
	require.NoError(t, unmap())
}

func TestGuardFaultPassesTheRest(t *testing.T) {
	require.NoError(t, GuardFault(func() error { return nil }))
	wanted := errors.New("wanted")
	require.ErrorIs(t, GuardFault(func() error { return wanted }), wanted)
	require.PanicsWithValue(t, "other", func() { _ = GuardFault(func() error { panic("other") }) })
	require.Panics(t, func() {
		_ = GuardFault(func() error {
			var list []int
			_ = list[len(os.Args)+5]
			return nil
		})
	})
}

func TestLstatAllocatesNothing(t *testing.T) {
	top := layout(t, map[string]string{"f": "x"})
	d, err := open(t, top, Policy{}).Resolve("")
	require.NoError(t, err)
	defer d.Close()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if st, err := d.Lstat("f"); err != nil || st.Size != 1 {
			t.Error("wrong answer")
		}
	}))
}

func TestClosedHandlesFail(t *testing.T) {
	top := layout(t, map[string]string{"f": "x"})
	d, err := open(t, top, Policy{}).Resolve("")
	require.NoError(t, err)
	f, err := d.Open("f")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.ErrorIs(t, f.Close(), fs.ErrClosed)
	require.NoError(t, d.Close())
	require.ErrorIs(t, d.Close(), fs.ErrClosed)
	_, err = d.Lstat("f")
	require.Error(t, err)
	_, err = d.ReadDir()
	require.Error(t, err)
}

func BenchmarkLstat(b *testing.B) {
	dir := b.TempDir()
	path := filepath.Join(dir, "some-file.go")
	require.NoError(b, os.WriteFile(path, []byte("x"), 0o666))
	w, err := Open(dir, Policy{})
	require.NoError(b, err)
	d, err := w.Resolve("")
	require.NoError(b, err)
	b.Run("sandbox", func(b *testing.B) {
		for b.Loop() {
			_, _ = d.Lstat("some-file.go")
		}
	})
	b.Run("unix.Fstatat", func(b *testing.B) {
		fd := d.h.(*unixDir).at()
		var st unix.Stat_t
		for b.Loop() {
			_ = unix.Fstatat(fd, "some-file.go", &st, unix.AT_SYMLINK_NOFOLLOW)
		}
	})
	b.Run("os.Lstat", func(b *testing.B) {
		for b.Loop() {
			_, _ = os.Lstat(path)
		}
	})
	b.Run("os.Root", func(b *testing.B) {
		root, _ := os.OpenRoot(dir)
		for b.Loop() {
			_, _ = root.Lstat("some-file.go")
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	require.NoError(b, os.MkdirAll(filepath.Join(dir, "refs/heads"), 0o777))
	require.NoError(b, os.WriteFile(filepath.Join(dir, "refs/heads/x"), []byte("0123456789012345678901234567890123456789\n"), 0o666))
	w, err := Open(dir, Policy{})
	require.NoError(b, err)
	top, err := w.Resolve("")
	require.NoError(b, err)
	heads, err := top.OpenDir("refs/heads")
	require.NoError(b, err)
	b.Run("ReadFile plain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = heads.ReadFile("x", 0)
		}
	})
	b.Run("ReadFile path", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = top.ReadFile("refs/heads/x", 0)
		}
	})
	b.Run("Lstat path", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = top.Lstat("refs/heads/x")
		}
	})
	b.Run("os.ReadFile", func(b *testing.B) {
		b.ReportAllocs()
		path := filepath.Join(dir, "refs/heads/x")
		for b.Loop() {
			_, _ = os.ReadFile(path)
		}
	})
}

func BenchmarkReadDir(b *testing.B) {
	dir := b.TempDir()
	for i := range 20 {
		require.NoError(b, os.WriteFile(filepath.Join(dir, strings.Repeat("name", 2)+string(rune('a'+i))), nil, 0o666))
	}
	w, err := Open(dir, Policy{})
	require.NoError(b, err)
	d, err := w.Resolve("")
	require.NoError(b, err)
	b.Run("sandbox", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = d.ReadDir()
		}
	})
	b.Run("os.ReadDir", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = os.ReadDir(dir)
		}
	})
}
