package writer

import (
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/reader"
)

// resumeFile is there while the files of the work tree are being changed. A call that dies then leaves it behind, and the
// same call made again takes files that hold the new content for done, where git would see local changes.
const resumeFile = "ingit-files"

// resumes notes what the plan's change of files is called, and reports whether one of that name was interrupted.
func (p *Plan) resumes(what string) (bool, error) {
	p.resume = what + "\n"
	left, err := readOptional(p.w.repo.GitDir(), resumeFile)
	return left == p.resume, err
}

func (p *Plan) beginFiles() error {
	if p.resume == "" || len(p.files) == 0 {
		return nil
	}
	return replaceFile(p.w.repo.GitDir(), resumeFile, 0o666, []byte(p.resume))
}

func (p *Plan) endFiles() error {
	if p.resume == "" {
		return nil
	}
	if err := p.w.repo.GitDir().Remove(resumeFile); err != nil && !errorIsNotExist(err) {
		return err
	}
	return nil
}

// doneBefore reports whether an interrupted switch has already put a path's new content in place, or removed the file.
func (s *treeSwitch) doneBefore(path string, e reader.Entry) bool {
	if !s.resumed || e.Mode == index.ModeGitlink {
		return false
	}
	stat, err := s.plan.statFile(path)
	if !e.Present() {
		return err == nil && (stat.Mode == 0 || stat.IsDir())
	}
	if err != nil || stat.IsSymlink() != s.plan.w.isLink(e.Mode) || !stat.IsSymlink() && !stat.IsRegular() {
		return false
	}
	cleaner, err := s.plan.w.repo.Cleaner(s.ctx, s.old)
	if err != nil {
		return false
	}
	data, err := cleaner.Content(path)
	if err != nil {
		return false
	}
	id, err := s.plan.objects.hasher.id(plumbing.BlobObject, data)
	return err == nil && id == e.ID
}
