package compat

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
)

// copyBefore copies the repository before a change with steps; "" before others.
func (h *hammer) copyBefore(change hammerChange) string {
	if !change.steps {
		return ""
	}
	dir := filepath.Join(h.t.TempDir(), "between")
	h.copy(h.s.dir, dir)
	return dir
}

func (h *hammer) copy(from, to string) {
	out, err := exec.Command("cp", "-a", from, to).CombinedOutput()
	require.NoError(h.t, err, "%s", out)
}

// stages takes the copy from before through the stages by which git gets to the
// state that the repository is in now, and returns git's answers in each. Git
// removes a file, makes it anew and fills it, one file after the other; then
// the new index takes the old one's place, then HEAD's reflog has a line more,
// and last comes HEAD.
func (h *hammer) stages(between string) (answers [][]fixtures.Answer) {
	if between == "" {
		return nil
	}
	judge := func() { answers = append(answers, h.judge(between)) }
	h.copy(filepath.Join(h.s.dir, ".git", "objects"), filepath.Join(between, ".git"))
	old, new := h.files(between), h.files(h.s.dir)
	for path, file := range old {
		if new[path] != file {
			require.NoError(h.t, os.Remove(filepath.Join(between, path)))
			_ = os.Remove(filepath.Join(between, filepath.Dir(path))) // if that was the last one
		}
	}
	judge()
	for _, filled := range []bool{false, true} {
		for path, file := range new {
			if old[path] == file {
				continue
			}
			if !filled {
				file.data = ""
			}
			fixtures.Write(h.t, between, path, file.data)
		}
		judge()
	}
	for _, file := range []string{"index", "logs/HEAD"} {
		data, err := os.ReadFile(filepath.Join(h.s.dir, ".git", file))
		require.NoError(h.t, err)
		require.NoError(h.t, os.WriteFile(filepath.Join(between, ".git", file), data, 0o666))
		judge()
	}
	return answers
}

// hammerFile is a file of the work tree. Git may write one anew that is the same.
type hammerFile struct {
	data    string
	written int64 // in nanoseconds since 1970
}

// files returns the work tree's files by path.
func (h *hammer) files(dir string) map[string]hammerFile {
	all := map[string]hammerFile{}
	require.NoError(h.t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		require.NoError(h.t, err)
		data, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, dir+"/")] = hammerFile{string(data), info.ModTime().UnixNano()}
		return err
	}))
	return all
}

// legitimate is what answers between two states may hold: the parts of git's
// answers in any of the stages, one part for each path. While the files change
// one after the other, who looks at them one after the other may find each in
// another stage, git too; but never in one that it does not go through.
type legitimate struct {
	parts  map[string]bool // in some stage's answer
	always map[string]bool // in the answers of all
}

// legitimateAnswers joins the answers of the stages, for each request.
func legitimateAnswers(stages [][]fixtures.Answer) []legitimate {
	all := make([]legitimate, len(hammerRequests))
	for i := range all {
		count := map[string]int{}
		for _, answers := range stages {
			for part := range answerParts(string(answers[i].Out)) {
				count[part]++
			}
		}
		all[i] = legitimate{map[string]bool{}, map[string]bool{}}
		for part, n := range count {
			all[i].parts[part] = true
			all[i].always[part] = n == len(stages)
		}
	}
	return all
}

// answerParts are the files of a diff or the lines of another answer.
func answerParts(answer string) map[string]bool {
	const file = "diff --git "
	parts := map[string]bool{}
	if !strings.HasPrefix(answer, file) {
		for line := range strings.Lines(answer) {
			parts[line] = true
		}
		return parts
	}
	for part := range strings.SplitSeq(strings.TrimPrefix("\n"+answer, "\n"+file), "\n"+file) {
		parts[strings.TrimSuffix(part, "\n")] = true
	}
	return parts
}

// refuse says what an answer has that none of git's has, or lacks that all of
// git's have; "" when it is legitimate.
func (l legitimate) refuse(answer string) string {
	parts := answerParts(answer)
	for part := range parts {
		if !l.parts[part] {
			return fmt.Sprintf("says what git says at no stage: %q", part)
		}
	}
	for part, always := range l.always {
		if always && !parts[part] {
			return fmt.Sprintf("leaves out what git says at every stage: %q", part)
		}
	}
	return ""
}
