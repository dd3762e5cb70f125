package writer

import (
	"errors"
	"io/fs"

	"github.com/ingit-dev/ingit/internal/gitconfig"
)

// configPair is a key and its value.
type configPair = gitconfig.Pair

// configChange sets keys in a branch's section of the repository's configuration.
type configChange struct {
	subsection string
	pairs      []configPair
}

// writeConfig makes the plan's changes of the configuration, under its lock.
func (p *Plan) writeConfig() error {
	if len(p.config) == 0 {
		return nil
	}
	common := p.w.repo.CommonDir()
	held, err := lock(common, "config")
	if err != nil {
		return err
	}
	defer held.rollback()
	data, err := common.ReadFile("config", 0)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, c := range p.config {
		if data, err = gitconfig.Set(data, "branch", c.subsection, c.pairs); err != nil {
			return err
		}
	}
	if _, err := held.Write(data); err != nil {
		return err
	}
	return held.commit(false)
}

// newIndexVersion is the version of the first index of a repository: index.version, or 4 with feature.manyFiles.
func newIndexVersion(config *gitconfig.Config) uint32 {
	if version, err := config.Int("index.version", 0); err == nil && version >= 2 && version <= 4 {
		return uint32(version)
	}
	if many, err := config.Bool("feature.manyFiles", false); err == nil && many {
		return 4
	}
	return 2
}
