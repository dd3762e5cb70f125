package writer

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// killedOperation is the variable that makes this test binary run one of the operations of TestCrash, in the directory that
// its argument names, until somebody kills it.
const killedOperation = "INGIT_KILLED_OPERATION"

// runToBeKilled tells that it is about to begin, and then runs the operation.
func runToBeKilled(name string) int {
	at := slices.IndexFunc(crashes, func(c crashing) bool { return c.name == name })
	fmt.Println("begins")
	if err := crashes[at].run(os.Args[1], nil); err != nil && !errors.Is(err, ErrStashConflict) {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("done")
	return 0
}

// TestKill ends processes at random instants by SIGKILL while they write: INGIT_KILLS of them (default 60), in turn for each
// operation. What TestCrash asks for must be true afterwards.
func TestKill(t *testing.T) {
	fixtures.RequireGit(t)
	kills := int(setting("INGIT_KILLS", 60))
	if testing.Short() {
		kills = len(crashes)
	}
	seed := fixtures.Seed(t)
	for i := range crashes {
		c := &crashes[i]
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			origin, want := c.prepare(t)
			_, whole := c.kill(t, copyOf(t, origin), time.Minute)
			killed := 0
			for range (kills + len(crashes) - 1) / len(crashes) {
				dir, after := copyOf(t, origin), time.Duration(rng.Int64N(int64(whole)))
				early, _ := c.kill(t, dir, after)
				if early {
					killed++
				}
				c.check(t, fmt.Sprintf("killed after %v of %v", after, whole), dir, want)
				os.RemoveAll(dir)
			}
			t.Logf("%d killed before the end, within %v", killed, whole)
		})
	}
}

// kill runs the operation in a process of its own that it kills after a while, and tells whether that was before its end, and
// how long it ran.
func (c *crashing) kill(t *testing.T, dir string, after time.Duration) (early bool, ran time.Duration) {
	t.Helper()
	cmd := exec.Command(os.Args[0], dir)
	cmd.Env = append(os.Environ(), killedOperation+"="+c.name)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	begins := make([]byte, len("begins\n"))
	_, err = io.ReadFull(out, begins)
	require.NoError(t, err)
	start := time.Now()
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	rest, _ := io.ReadAll(out)
	timer.Stop()
	ran = time.Since(start)
	cmd.Wait()
	return len(rest) == 0, ran
}
