package reader

import "time"

// Options of Open. The zero value knows nothing of the user: no configuration
// but the repository's own, UTC as the local zone.
type Options struct {
	User *User            // the user's own configuration; nil: none
	Now  func() time.Time // for relative dates; nil: time.Now
	Zone *time.Location   // the local zone, for dates without one; nil: UTC
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

func (o Options) zone() *time.Location {
	if o.Zone == nil {
		return time.UTC
	}
	return o.Zone
}

// User tells where the user's own files are. They lie outside the workspace
// and are trusted. A field left empty means that there is no such file.
type User struct {
	SystemConfig string   // for example /etc/gitconfig
	GlobalConfig []string // in reading order, for example $XDG_CONFIG_HOME/git/config and ~/.gitconfig
	Home         string   // what "~" means in values that are paths
	ConfigHome   string   // $XDG_CONFIG_HOME or $HOME/.config: git/ignore and git/attributes below it are git's defaults
	// ReadFile reads one of the user's files by absolute path; nil reads none.
	ReadFile func(path string) ([]byte, error)
}
