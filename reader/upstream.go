package reader

import (
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/gitconfig"
)

// remoteOf returns the remote that a branch fetches from.
func remoteOf(config *gitconfig.Config, branch string) string {
	if name, ok := config.Get("branch." + branch + ".remote"); ok {
		return name
	}
	return "origin"
}

// currentBranch names the branch that a mark without a name means.
func (s *resolver) currentBranch(name string) (string, error) {
	if name != "" && name != "HEAD" {
		return name, nil
	}
	head, err := s.repo.Head()
	if err != nil || head.Detached || !strings.HasPrefix(head.Ref, "refs/heads/") {
		return "", s.fail("HEAD does not point to a branch")
	}
	return head.Branch, nil
}

// upstreamOf resolves "NAME@{upstream}" to a full ref name.
func (s *resolver) upstreamOf(name string) (string, error) {
	branch, err := s.currentBranch(name)
	if err != nil {
		return "", err
	}
	config := s.repo.Config()
	remote, hasRemote := config.Get("branch." + branch + ".remote")
	merges := config.All("branch." + branch + ".merge")
	if !hasRemote || len(merges) == 0 {
		if _, err := s.repo.refs.Resolve("refs/heads/" + branch); err != nil {
			return "", s.fail("no such branch: '%s'", branch)
		}
		return "", s.fail("no upstream configured for branch '%s'", branch)
	}
	if remote == "." {
		if found := s.repo.dwim(merges[0]); len(found) == 1 {
			return found[0].Name, nil
		}
		return merges[0], nil
	}
	full := TrackingRef(s.repo.fetchSpecs(remote), merges[0])
	if full == "" {
		return "", s.fail("upstream branch '%s' not stored as a remote-tracking branch", merges[0])
	}
	return full, nil
}

// pushOf resolves "NAME@{push}" to a full ref name (git-config(1),
// push.default).
func (s *resolver) pushOf(name string) (string, error) {
	branch, err := s.currentBranch(name)
	if err != nil {
		return "", err
	}
	config, ref := s.repo.Config(), "refs/heads/"+branch
	remote := remoteOf(config, branch)
	for _, key := range []string{"branch." + branch + ".pushremote", "remote.pushdefault"} {
		if value, ok := config.Get(key); ok {
			remote = value
			break
		}
	}
	if specs := config.All("remote." + remote + ".push"); len(specs) > 0 {
		target := TrackingRef(wholeSpecs(specs), ref)
		if target == "" {
			return "", s.fail("push refspecs for '%s' do not include '%s'", remote, branch)
		}
		return s.tracking(remote, target)
	}
	if mirror, _ := config.Bool("remote."+remote+".mirror", false); mirror {
		return s.tracking(remote, ref)
	}
	mode, _ := config.Get("push.default")
	switch mode {
	case "nothing":
		return "", s.fail("push has no destination (push.default is 'nothing')")
	case "matching", "current":
		return s.tracking(remote, ref)
	case "upstream", "tracking":
		return s.upstreamOf(branch)
	}
	return s.simplePush(branch, remote, ref)
}

// simplePush is push.default's default: upstream and push agree.
func (s *resolver) simplePush(branch, remote, ref string) (string, error) {
	up, err := s.upstreamOf(branch)
	if err != nil {
		return "", err
	}
	here, err := s.tracking(remote, ref)
	if err == nil && here != up {
		err = s.fail("cannot resolve 'simple' push to a single destination")
	}
	return here, err
}

// tracking is the local ref that follows a ref of a remote.
func (s *resolver) tracking(remote, ref string) (string, error) {
	full := TrackingRef(s.repo.fetchSpecs(remote), ref)
	if full == "" {
		return "", s.fail("push destination '%s' on remote '%s' has no local tracking branch", ref, remote)
	}
	return full, nil
}

// wholeSpecs gives push refspecs without a destination their source as one.
func wholeSpecs(specs []string) []string {
	specs = slices.Clone(specs)
	for i, spec := range specs {
		if !strings.Contains(spec, ":") && !strings.HasPrefix(spec, "^") {
			specs[i] = spec + ":" + strings.TrimPrefix(spec, "+")
		}
	}
	return specs
}
