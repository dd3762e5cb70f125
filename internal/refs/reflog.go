package refs

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/sandbox"
)

// LogEntry is one line of a reflog.
type LogEntry struct {
	Old, New plumbing.Hash
	Who      string // "Name <mail>"
	When     int64  // seconds since 1970
	Zone     int    // as git keeps it: +0130 is 130
	Message  string
}

// Reflog returns a ref's log, oldest entry first; lines that are no entries
// are left out, as git leaves them out. A ref without a log is a
// *NotFoundError.
func (s *Store) Reflog(name string) ([]LogEntry, error) {
	if !ValidName(name) {
		return nil, &NameError{Name: name}
	}
	p := locate(name)
	data, err := readFollow(s.dir(p), LogPath(p.path))
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
		return nil, &NotFoundError{Name: name}
	}
	var entries []LogEntry
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if e, ok := parseLogLine(line); ok {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// LogPath returns where the log of a ref lies, for the ref's path below its
// directory (Place): "logs/" in front of the part that belongs to one work
// tree.
func LogPath(path string) string {
	const others = "worktrees/"
	if rest, ok := bytes.CutPrefix([]byte(path), []byte(others)); ok {
		if tree, own, ok := bytes.Cut(rest, []byte("/")); ok {
			return others + string(tree) + "/logs/" + string(own)
		}
	}
	return "logs/" + path
}

// parseLogLine reads "OLD NEW NAME <MAIL> TIME ZONE\tMESSAGE".
func parseLogLine(line []byte) (e LogEntry, ok bool) {
	if len(line) < 2*hexLen+2 || line[hexLen] != ' ' || line[2*hexLen+1] != ' ' {
		return e, false
	}
	var oldOK, newOK bool
	e.Old, oldOK = parseID(string(line[:hexLen]))
	e.New, newOK = parseID(string(line[hexLen+1 : 2*hexLen+1]))
	rest := line[2*hexLen+2:]
	end := bytes.IndexByte(rest, '>')
	if !oldOK || !newOK || end < 0 || end+2 >= len(rest) || rest[end+1] != ' ' {
		return e, false
	}
	e.Who = string(rest[:end+1])
	rest = rest[end+2:]
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		e.When = e.When*10 + int64(rest[n]-'0')
		n++
	}
	if n == 0 || n > 18 || e.When == 0 || len(rest) < n+6 || rest[n] != ' ' || rest[n+1] != '+' && rest[n+1] != '-' {
		return e, false
	}
	for _, c := range rest[n+2 : n+6] {
		if c < '0' || c > '9' {
			return e, false
		}
		e.Zone = e.Zone*10 + int(c-'0')
	}
	if rest[n+1] == '-' {
		e.Zone = -e.Zone
	}
	if message := rest[n+6:]; len(message) > 0 && message[0] == '\t' {
		e.Message = string(message[1:])
	}
	return e, true
}

func readFollow(dir *sandbox.Dir, name string) ([]byte, error) {
	f, err := dir.OpenFollow(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, f.Size())
	n, err := f.ReadAt(data, 0)
	if n < len(data) && err != nil {
		return nil, err
	}
	return data[:n], nil
}

// Logs lists the refs that have logs, as the directories list them: those of
// the work tree, then those that all work trees share.
func (s *Store) Logs() []string {
	names := logsBelow(s.gitDir, "logs", "", nil)
	if s.gitDir == s.commonDir {
		return names
	}
	for _, name := range logsBelow(s.commonDir, "logs", "", nil) {
		if strings.HasPrefix(name, "refs/") && !PerWorktree(name) {
			names = append(names, name)
		}
	}
	return names
}

// logsBelow appends the names of the files in a directory of logs and below it.
func logsBelow(parent *sandbox.Dir, name, prefix string, names []string) []string {
	dir, err := parent.OpenDirFollow(name)
	if err != nil {
		return names
	}
	defer dir.Close()
	entries, err := dir.ReadDir()
	if err != nil {
		return names
	}
	for _, e := range entries {
		switch {
		case e.Name[0] == '.' || strings.HasSuffix(e.Name, ".lock"):
		case e.Type.IsDir():
			names = logsBelow(dir, e.Name, prefix+e.Name+"/", names)
		default:
			names = append(names, prefix+e.Name)
		}
	}
	return names
}
