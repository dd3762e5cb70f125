package reader

import (
	"slices"
	"strings"
)

// Remote is a remote repository that the configuration names (git-remote(1)).
type Remote struct {
	Name  string
	Fetch string   // the first URL, as it is used; "" without one
	Push  []string // the URLs to push to, as they are used
}

// Remotes returns the configured remotes by name, their URLs rewritten as
// url.BASE.insteadOf and pushInsteadOf say. Credentials in URLs are left in.
func (r *Repository) Remotes() []Remote {
	var remotes []Remote
	for _, name := range r.Config().Subsections("remote") {
		remotes = append(remotes, r.remote(name))
	}
	slices.SortFunc(remotes, func(x, y Remote) int { return strings.Compare(x.Name, y.Name) })
	return remotes
}

// remote reads one remote. What pushes go to are its pushurl settings, or else
// the URLs that pushInsteadOf applies to, or else all of them.
func (r *Repository) remote(name string) Remote {
	key := "remote." + name
	remote := Remote{Name: name}
	var used, aliased []string
	for _, url := range r.Config().All(key + ".url") {
		used = append(used, r.rewritten(url, "insteadof"))
		if push := r.rewritten(url, "pushinsteadof"); push != url {
			aliased = append(aliased, push)
		}
	}
	if len(used) > 0 {
		remote.Fetch = used[0]
	}
	for _, url := range r.Config().All(key + ".pushurl") {
		remote.Push = append(remote.Push, r.rewritten(url, "insteadof"))
	}
	switch {
	case len(remote.Push) > 0:
	case len(aliased) > 0:
		remote.Push = aliased
	default:
		remote.Push = used
	}
	return remote
}

// rewritten puts the base of the url section whose setting is the longest
// beginning of url in place of that beginning.
func (r *Repository) rewritten(url, setting string) string {
	config := r.Config()
	var base, longest string
	for _, section := range config.Subsections("url") {
		for _, prefix := range config.All("url." + section + "." + setting) {
			if strings.HasPrefix(url, prefix) && len(prefix) > len(longest) {
				base, longest = section, prefix
			}
		}
	}
	if longest == "" {
		return url
	}
	return base + url[len(longest):]
}
