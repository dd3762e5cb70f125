package reader

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Provenance says where the files of a work tree come from: what programs write
// into their builds and reports.
type Provenance struct {
	Head     plumbing.Hash // zero before the first commit
	Branch   string        // without refs/heads/; "" when detached
	Upstream string        // full name of the branch's upstream; "" without one
	Tags     []string      // at HEAD, by name
	Nearest  string        // as git describe --tags names HEAD; "" without any tag
	Remote   string        // the URL to fetch from, without credentials; "" without one
	Dirty    bool          // tracked files differ from HEAD
	Shallow  bool          // history was cut by a shallow clone
	Linked   bool          // a linked work tree (git-worktree(1))
}

// Provenance gathers what is known about HEAD and its work tree. In a bare
// repository nothing is dirty.
func (r *Repository) Provenance(ctx context.Context) (Provenance, error) {
	p := Provenance{Linked: r.Linked(), Remote: r.provenanceRemote()}
	head, err := r.Head()
	if err != nil {
		return p, err
	}
	p.Head, p.Branch = head.ID, head.Branch
	if p.Branch != "" {
		p.Upstream = r.upstream(p.Branch)
	}
	if p.Shallow, err = r.Shallow(); err != nil {
		return p, err
	}
	if !r.Bare() {
		if p.Dirty, err = r.Dirty(ctx, StatusOptions{Untracked: UntrackedNo}); err != nil {
			return p, err
		}
	}
	if head.Unborn {
		return p, nil
	}
	return p, r.addTags(ctx, &p)
}

func (r *Repository) addTags(ctx context.Context, p *Provenance) error {
	tags, err := r.refs.List("refs/tags/")
	if err != nil {
		return err
	}
	for _, tag := range tags {
		if id, err := r.peelTo(tag.ID, plumbing.CommitObject); err == nil && !tag.Broken && id == p.Head {
			p.Tags = append(p.Tags, strings.TrimPrefix(tag.Name, "refs/tags/"))
		}
	}
	p.Nearest, err = r.Describe(ctx, p.Head, DescribeOptions{Tags: true})
	if nameless := (*DescribeError)(nil); errors.As(err, &nameless) {
		return nil
	}
	return err
}

// provenanceRemote is the URL of the branch's remote, of origin, or of the only
// one.
func (r *Repository) provenanceRemote() string {
	remotes := r.Remotes()
	wanted := "origin"
	if head, err := r.Head(); err == nil && head.Branch != "" {
		wanted = cmp.Or(remoteOf(r.Config(), head.Branch), wanted)
	}
	for _, remote := range remotes {
		if remote.Name == wanted || len(remotes) == 1 {
			return WithoutCredentials(remote.Fetch)
		}
	}
	return ""
}

// WithoutCredentials removes user names, passwords and query strings from a
// remote's URL. The user of an ssh address ("git@host:path") is no secret and
// stays.
func WithoutCredentials(remote string) string {
	scheme, rest, isURL := strings.Cut(remote, "://")
	if !isURL {
		return remote
	}
	authority, path, hasPath := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, _, _ := strings.Cut(authority[:at], ":")
		if authority = authority[at+1:]; strings.HasPrefix(strings.TrimPrefix(scheme, "git+"), "ssh") {
			authority = user + "@" + authority
		}
	}
	path, _, _ = strings.Cut(path, "?")
	if hasPath {
		path = "/" + path
	}
	return scheme + "://" + authority + path
}
