package writer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// TestRandomStashPopsLikeGit pops stashes onto commits that renamed, moved, changed and removed the same few files and
// directories: INGIT_MERGES of them (default 60), the first of the seed INGIT_SEED.
func TestRandomStashPopsLikeGit(t *testing.T) {
	fixtures.RequireGit(t)
	first, count := setting("INGIT_SEED", 1), setting("INGIT_MERGES", 60)
	if testing.Short() {
		count = min(count, 5)
	}
	for seed := first; seed < first+count; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			tw := twins{git: fixtures.Init(t), ours: fixtures.Init(t)}
			var steps []string
			for _, dir := range []string{tw.git, tw.ours} {
				s := newShuffle(seed)
				s.play(t, dir)
				steps = s.steps
			}
			answer := fixtures.Command{Dir: tw.git}.Run(t, "stash", "pop")
			plan, err := open(t, tw.ours, "", sandbox.Policy{}).PlanStashPop(context.Background())
			err = apply(plan, err)
			told := fmt.Sprintf("INGIT_SEED=%d INGIT_MERGES=1\n%s\ngit: %s%s\ningit: %v", seed, strings.Join(steps, "\n"), answer.Out, answer.Err, err)
			require.Equal(t, answer.Code == 0, err == nil, told)
			if plan != nil {
				require.Equal(t, string(answer.Out), plan.Output+statusIn(string(answer.Out))+plan.Trailer, told)
			} else {
				require.Contains(t, tw.plain(string(answer.Out)+string(answer.Err)), tw.plain(err.Error()), told)
			}
			require.Empty(t, differences(state(t, tw.git), state(t, tw.ours)), told)
		})
	}
}

// shuffle changes a small tree at random.
type shuffle struct {
	rng   *rand.Rand
	files map[string]string
	steps []string
}

func newShuffle(seed uint64) *shuffle {
	return &shuffle{rng: rand.New(rand.NewPCG(seed, 77)), files: map[string]string{}}
}

// play makes a base, changes that are stashed, and changes that are committed after it.
func (s *shuffle) play(t *testing.T, dir string) {
	git := func(args ...string) {
		fixtures.Git(t, dir, args...)
	}
	for range 4 + s.rng.IntN(8) {
		s.files[s.place()] = s.text()
	}
	if s.rng.IntN(8) == 0 {
		git("config", "merge.directoryRenames", s.pick("true", "false", "conflict"))
	}
	if s.rng.IntN(8) == 0 {
		git("config", "merge.conflictStyle", s.pick("diff3", "zdiff3"))
	}
	s.write(t, dir)
	git("add", "-A")
	git("commit", "-qm", "base")
	base := s.copied()
	s.change(1 + s.rng.IntN(4))
	s.write(t, dir)
	git("add", "-A")
	git("stash", "push", "-q")
	s.files = base
	s.change(1 + s.rng.IntN(4))
	s.write(t, dir)
	git("add", "-A")
	git("commit", "-q", "--allow-empty", "-m", "upstream")
}

func (s *shuffle) copied() map[string]string {
	files := map[string]string{}
	for name, text := range s.files {
		files[name] = text
	}
	return files
}

func (s *shuffle) pick(of ...string) string { return of[s.rng.IntN(len(of))] }

func (s *shuffle) dir() string { return s.pick("", "a/", "a/", "b/", "a/c/", "b/c/", "d/", "a/c/e/") }

func (s *shuffle) place() string { return s.dir() + s.pick("f", "g", "h", "i", "j", "k", "l", "m") }

func (s *shuffle) text() string {
	var text strings.Builder
	for range s.rng.IntN(12) {
		fmt.Fprintf(&text, "line %d\n", s.rng.IntN(30))
	}
	if s.rng.IntN(20) == 0 {
		text.WriteString("\x00")
	}
	return text.String()
}

func (s *shuffle) edited(text string) string {
	lines := strings.SplitAfter(text, "\n")
	at := s.rng.IntN(len(lines))
	return strings.Join(append(append(slices.Clone(lines[:at]), fmt.Sprintf("new %d\n", s.rng.IntN(9))), lines[min(at+s.rng.IntN(2), len(lines)):]...), "")
}

func (s *shuffle) names() []string {
	var names []string
	for name := range s.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// change makes some changes; a file never takes the place of a directory, nor the other way round.
func (s *shuffle) change(n int) {
	for range n {
		names := s.names()
		if len(names) == 0 {
			return
		}
		name := names[s.rng.IntN(len(names))]
		switch s.rng.IntN(10) {
		case 0, 1:
			s.files[name] = s.edited(s.files[name])
			s.steps = append(s.steps, "edit "+name)
		case 2:
			delete(s.files, name)
			s.steps = append(s.steps, "delete "+name)
		case 3, 4:
			to := s.place()
			s.files[to] = s.text()
			s.steps = append(s.steps, "add "+to)
		case 5, 6:
			s.move(name, s.place())
		default:
			from := s.pick("a/", "a/", "b/", "a/c/", "d/")
			to := s.pick("x/", "y/", "b/", "a/", "d/", "b/c/", "x/z/", "")
			for _, name := range names {
				if rest, ok := strings.CutPrefix(name, from); ok && s.rng.IntN(12) > 0 {
					s.move(name, to+rest)
				}
			}
		}
	}
	s.steps = append(s.steps, "--")
}

func (s *shuffle) move(name, to string) {
	text := s.files[name]
	if s.rng.IntN(4) == 0 {
		text = s.edited(text)
	}
	delete(s.files, name)
	s.files[to] = text
	s.steps = append(s.steps, name+" to "+to)
}

// write makes the work tree hold the files and nothing else.
func (s *shuffle) write(t *testing.T, dir string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() != ".git" {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	fixtures.WriteAll(t, dir, s.files)
}
