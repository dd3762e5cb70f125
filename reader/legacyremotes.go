package reader

import (
	"strings"
)

// fetchSpecs returns the fetch refspecs of a remote: those of the configuration
// and, where that gives the remote no URL, those of the files that came before
// it, .git/remotes/NAME and .git/branches/NAME (gitrepository-layout(5)).
func (r *Repository) fetchSpecs(remote string) []string {
	cfg := r.Config()
	specs := cfg.All("remote." + remote + ".fetch")
	if _, ok := cfg.Get("remote." + remote + ".url"); ok || remote == "" || remote == ".." || strings.Contains(remote, "/") {
		return specs
	}
	if data, err := readFile(r.CommonDir(), "remotes/"+remote); err == nil {
		return append(specs, pullLines(string(data))...)
	}
	data, err := readFile(r.CommonDir(), "branches/"+remote)
	if err != nil {
		return specs
	}
	line, _, _ := strings.Cut(string(data), "\n")
	_, branch, named := strings.Cut(strings.TrimSpace(line), "#")
	if !named {
		if branch, named = cfg.Get("init.defaultbranch"); !named {
			branch = "master"
		}
	}
	return append(specs, "refs/heads/"+branch+":refs/heads/"+remote)
}

// pullLines returns the refspecs of a file of .git/remotes.
func pullLines(text string) []string {
	var specs []string
	for line := range strings.Lines(text) {
		if spec, ok := strings.CutPrefix(line, "Pull:"); ok {
			specs = append(specs, strings.TrimSpace(spec))
		}
	}
	return specs
}
