package writer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/sandbox"
)

// TestRandomSequencesLikeGit plays sequences of edits and operations in two copies of a repository: what ingit can do is done
// by git in one and by ingit in the other, all else by git in both. INGIT_SEQUENCES says how many (default 500),
// INGIT_SEED which is the first.
func TestRandomSequencesLikeGit(t *testing.T) {
	fixtures.RequireGit(t)
	first, count := setting("INGIT_SEED", 1), setting("INGIT_SEQUENCES", 500)
	if testing.Short() {
		count = min(count, 5)
	}
	for seed := first; seed < first+count; seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			s := newSequence(t, seed)
			t.Cleanup(func() {
				if keep := os.Getenv("INGIT_KEEP"); keep != "" && t.Failed() {
					os.CopyFS(filepath.Join(keep, "git"), os.DirFS(s.git.Dir))
					os.CopyFS(filepath.Join(keep, "ours"), os.DirFS(s.ours.Dir))
				}
			})
			s.play()
		})
	}
}

func setting(name string, otherwise uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return otherwise
}

// sequence is a repository twice, changed alike.
type sequence struct {
	t         *testing.T
	seed      uint64
	rng       *rand.Rand
	git, ours *fixtures.Random
	done      []string
}

func newSequence(t *testing.T, seed uint64) *sequence {
	knobs := fixtures.Knobs{Attributes: seed%3 == 0, Sparse: seed%4 == 1, Submodules: seed%4 == 3}
	s := &sequence{t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 5)),
		git: fixtures.NewRandom(t, seed, knobs), ours: fixtures.NewRandom(t, seed, knobs)}
	if seed%2 == 1 {
		s.configure()
	}
	return s
}

// configure gives both repositories the same few settings of those that writing obeys.
func (s *sequence) configure() {
	var lines strings.Builder
	for range 1 + s.rng.IntN(4) {
		lines.WriteString(writeSettings[s.rng.IntN(len(writeSettings))] + "\n")
	}
	s.done = append(s.done, lines.String())
	for _, dir := range []string{s.git.Dir, s.ours.Dir} {
		config := filepath.Join(dir, ".git", "config")
		text, err := os.ReadFile(config)
		require.NoError(s.t, err)
		require.NoError(s.t, os.WriteFile(config, append(text, lines.String()...), 0o666))
	}
}

var writeSettings = [...]string{
	"[merge]\n\tconflictStyle = diff3", "[merge]\n\tconflictStyle = zdiff3", "[merge]\n\trenames = false", "[merge]\n\tdirectoryRenames = false",
	"[merge]\n\tdirectoryRenames = true", "[merge]\n\trenameLimit = 1", "[i18n]\n\tcommitEncoding = ISO-8859-1", "[core]\n\tsymlinks = false",
	"[core]\n\tignoreCase = true", "[index]\n\tversion = 4", "[index]\n\tversion = 3", "[core]\n\tsplitIndex = true", "[core]\n\tuntrackedCache = true",
	"[core]\n\tautocrlf = input", "[core]\n\tautocrlf = true", "[core]\n\tlogAllRefUpdates = always", "[core]\n\tlogAllRefUpdates = false",
	"[core]\n\tprotectHFS = true", "[core]\n\tsharedRepository = group", "[checkout]\n\tguess = false", "[checkout]\n\tdefaultRemote = origin",
	"[branch]\n\tautoSetupMerge = always", "[branch]\n\tautoSetupMerge = false", "[branch]\n\tautoSetupMerge = simple", "[branch]\n\tautoSetupRebase = always",
	"[commit]\n\tcleanup = verbatim", "[commit]\n\tcleanup = scissors", "[commit]\n\tstatus = false", "[commit]\n\tverbose = true", "[status]\n\tshort = true",
	"[status]\n\tbranch = true", "[status]\n\tdisplayCommentPrefix = true", "[status]\n\tshowStash = true", "[core]\n\tcommentChar = %", "[advice]\n\tstatusHints = false",
	"[advice]\n\taddIgnoredFile = false", "[add]\n\tignoreErrors = true", "[core]\n\tsparseCheckout = true", "[stash]\n\tshowIncludeUntracked = true", "[diff]\n\tignoreSubmodules = all",
	"[diff]\n\tignoreSubmodules = dirty", "[core]\n\tbigFileThreshold = 20", "[core]\n\tcompression = 0", "[core]\n\tpreferSymlinkRefs = false", "[submodule]\n\trecurse = false",
	"[index]\n\trecordEndOfIndexEntries = true", "[index]\n\tthreads = true", "[feature]\n\tmanyFiles = true",
}

func (s *sequence) play() {
	for range 20 {
		if s.rng.IntN(10) < 5 {
			s.git.Step()
			s.ours.Step()
			s.done = append(s.done, s.git.Steps[len(s.git.Steps)-1])
			require.Equal(s.t, s.git.Steps, s.ours.Steps, "seed %d", s.seed)
		} else {
			s.operation()
		}
		want, got := s.snapshot(s.git.Dir), s.snapshot(s.ours.Dir)
		if want != got && s.seed%3 == 0 {
			// With attributes that changed, a file may be modified that looks clean; whether git looks closer depends on how
			// fast the index was written after the file.
			s.touchAll()
			want, got = s.snapshot(s.git.Dir), s.snapshot(s.ours.Dir)
		}
		if want != got {
			s.fail(differences(want, got))
		}
	}
	got := fixtures.Ask(s.t, s.ours.Dir, "fsck", "--strict", "--no-dangling")
	if got.Code != 0 {
		// An index that git wrote may name the empty tree. git stores that one along the way, even when it then refuses to
		// commit; ingit does not.
		missing := "missing tree " + emptyTree.String() + "\n"
		want := fixtures.Ask(s.t, s.git.Dir, "fsck", "--strict", "--no-dangling")
		require.Equal(s.t, strings.ReplaceAll(string(want.Out), missing, ""), strings.ReplaceAll(string(got.Out), missing, ""),
			"seed %d: %s", s.seed, got.Err)
	}
}

// touchAll makes git look at the content of all files.
func (s *sequence) touchAll() {
	for _, dir := range []string{s.git.Dir, s.ours.Dir} {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Name() == ".git" {
				return fs.SkipDir
			}
			if err == nil && d.Type().IsRegular() {
				os.Chtimes(path, at, at)
			}
			return nil
		})
	}
}

func (s *sequence) fail(text string) {
	s.t.Helper()
	s.t.Fatalf("INGIT_SEED=%d INGIT_SEQUENCES=1\n%s\n%s", s.seed, strings.Join(s.done, "\n"), text)
}

// operation does one that ingit knows.
func (s *sequence) operation() {
	w, done := opened(s.t, s.ours.Dir, "", sandbox.Policy{})
	defer done()
	ctx := context.Background()
	var (
		args []string
		plan *Plan
		err  error
	)
	switch n := s.rng.IntN(20); {
	case n < 5:
		paths := s.paths()
		args = append([]string{"add", "--"}, paths...)
		plan, err = w.PlanAdd(ctx, paths)
	case n < 9:
		message := fmt.Sprintf("message %d", s.rng.IntN(100))
		args = []string{"commit", "-m", message}
		plan, err = w.PlanCommit(ctx, CommitOptions{Message: message})
	case n < 12:
		to := s.revision()
		args = []string{"checkout", to}
		plan, err = w.PlanCheckout(ctx, sandbox.Branch(to))
	case n < 14 && !s.assumes():
		args = []string{"stash", "push"}
		plan, err = w.PlanStashPush(ctx)
	case n < 15:
		args = []string{"stash", "pop"}
		plan, err = w.PlanStashPop(ctx)
	case n < 16:
		args = []string{"stash", []string{"pop", "apply", "drop"}[s.rng.IntN(3)]}
		switch args[1] {
		case "pop":
			plan, err = w.PlanStashPop(ctx)
		case "apply":
			plan, err = w.PlanStashApply(ctx)
		case "drop":
			plan, err = w.PlanStashDrop(ctx)
		}
	case n < 17:
		args = []string{"reset"}
		plan, err = w.PlanReset(ctx, nil)
	case n < 18:
		paths := s.paths()
		args = append([]string{"reset", "--"}, paths...)
		plan, err = w.PlanReset(ctx, paths)
	default:
		name, start := fmt.Sprintf("b%d", s.rng.IntN(5)), s.revision()
		args = []string{"branch", name, start}
		plan, err = w.PlanCreateBranch(ctx, sandbox.Branch(name), sandbox.Rev(start))
	}
	err = apply(plan, err)
	answer := fixtures.Command{Dir: s.git.Dir}.Run(s.t, args...)
	s.done = append(s.done, fmt.Sprintf("%q = %d: %v", args, answer.Code, err))
	s.compare(args, answer, plan, err)
	if err != nil && args[0] == "commit" { // where git is refused, it has written the message already
		for _, dir := range []string{s.git.Dir, s.ours.Dir} {
			os.Remove(filepath.Join(dir, ".git", "COMMIT_EDITMSG"))
		}
	}
}

// compare holds what was said against git's words.
func (s *sequence) compare(args []string, answer fixtures.Answer, plan *Plan, err error) {
	text := strings.ReplaceAll(string(answer.Out)+string(answer.Err), s.git.Dir, s.ours.Dir)
	if (err == nil) != (answer.Code == 0) {
		s.fail(fmt.Sprintf("%q\ngit (%d): %s\ningit: %v", args, answer.Code, text, err))
	}
	tw := twins{git: s.git.Dir, ours: s.git.Dir}
	switch {
	case err == nil && (args[0] == "reset" || args[0] == "branch" || args[1] == "push"):
		if args[0] != "stash" || !strings.Contains(text, "warning: ") {
			if string(answer.Out) != plan.Output {
				s.fail(fmt.Sprintf("%q\ngit: %s\ningit: %s", args, answer.Out, plan.Output))
			}
		}
	case err == nil || errors.Is(err, ErrNothingToCommit) || errors.Is(err, ErrStashConflict) || plan != nil:
	default:
		said, got := tw.plain(withoutHints(text)), tw.plain(withoutHints(strings.ReplaceAll(err.Error(), "\nfatal: ", "\n")))
		if !strings.Contains(said, got) && !strings.Contains(said, withoutControl(got)) {
			s.fail(fmt.Sprintf("%q\ngit: %s\ningit: %v", args, said, got))
		}
	}
}

// withoutControl replaces what git does not print in an error, if not in its other output.
func withoutControl(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (r < ' ' || r == 0x7f) {
			return '?'
		}
		return r
	}, text)
}

// assumes reports whether a file is assumed to be unchanged: git's stash overwrites such a file.
func (s *sequence) assumes() bool {
	w, done := opened(s.t, s.ours.Dir, "", sandbox.Policy{})
	defer done()
	x, err := w.repo.Index()
	require.NoError(s.t, err)
	return slices.ContainsFunc(x.Entries, func(e index.Entry) bool { return e.AssumeValid })
}

// paths picks pathspecs.
func (s *sequence) paths() []string {
	all := []string{".", ".", ".", "*.txt", "src", "nothing", ":!src"}
	w, done := opened(s.t, s.ours.Dir, "", sandbox.Policy{})
	defer done()
	x, err := w.repo.Index()
	require.NoError(s.t, err)
	for i := range x.Entries {
		all = append(all, ":(literal)"+x.Entries[i].Name)
	}
	entries, err := os.ReadDir(s.ours.Dir)
	require.NoError(s.t, err)
	for _, e := range entries {
		if e.Name() != ".git" {
			all = append(all, ":(literal)"+e.Name())
		}
	}
	picked := []string{all[s.rng.IntN(len(all))]}
	for s.rng.IntN(3) == 0 {
		picked = append(picked, all[s.rng.IntN(len(all))])
	}
	return picked
}

// revision picks a branch, tag, remote branch or commit.
func (s *sequence) revision() string {
	all := []string{"HEAD", "HEAD~1", "main", "main~2", "nonsense"}
	w, done := opened(s.t, s.ours.Dir, "", sandbox.Policy{})
	defer done()
	refs, err := w.repo.Refs().List("refs/")
	require.NoError(s.t, err)
	for _, ref := range refs {
		_, short, _ := strings.Cut(strings.TrimPrefix(ref.Name, "refs/"), "/")
		if short != "" {
			all = append(all, short, strings.TrimPrefix(short, "origin/"))
		}
	}
	return all[s.rng.IntN(len(all))]
}

// snapshot tells all that matters of a repository, with one git process.
func (s *sequence) snapshot(dir string) string {
	var out strings.Builder
	status := fixtures.Ask(s.t, dir, "status", "--porcelain=2", "--branch", "--untracked-files=all", "--show-stash")
	fmt.Fprintf(&out, "%s%s", status.Out, status.Err)
	w, done := opened(s.t, dir, "", sandbox.Policy{})
	defer done()
	repo := w.repo
	head, err := os.ReadFile(filepath.Join(dir, ".git", "HEAD"))
	fmt.Fprintf(&out, "HEAD %s%v\n", head, err)
	refs, err := repo.Refs().List("refs/")
	require.NoError(s.t, err)
	for _, ref := range refs {
		fmt.Fprintf(&out, "%s %s %s\n", ref.Name, ref.ID, ref.Target)
	}
	x, err := repo.FullIndex(context.Background())
	require.NoError(s.t, err)
	// Git writes an empty index even where it is refused; the version of a split one, which ingit never writes, is that of a part.
	if split, _ := repo.Config().Bool("core.splitIndex", false); len(x.Entries) > 0 && !split {
		fmt.Fprintf(&out, "index version %d\n", x.Version)
	}
	for i := range x.Entries {
		e := &x.Entries[i]
		fmt.Fprintf(&out, "%06o %s %d %t %t %t %s\n", e.Mode, e.ID, e.Stage, e.AssumeValid, e.SkipWorktree, e.IntentToAdd, e.Name)
	}
	for _, undo := range x.ResolveUndo {
		fmt.Fprintf(&out, "undo %s %v %v\n", undo.Name, undo.Modes, undo.IDs)
	}
	fmt.Fprintf(&out, "logs\n%s\nstate\n%s\nfiles\n%s", logs(s.t, dir), stateOf(dir), files(s.t, dir))
	return out.String()
}
