package main

import (
	"encoding/json"
	"slices"
	"strconv"
)

// job is one question about one state.
type job struct {
	name    string
	state   string         // which of the prepared states
	request map[string]any // what ingit is asked
	git     []string       // what git is asked
	goGit   string         // the name of go-git's operation, "" where it has none
	lg2     []string       // what libgit2's example program is asked, nil where it has nothing of the kind
	cold    float64        // the most that ingit may need of git's processor time, 0: no target
	warm    float64        // the same with the repository open
	needs   []string       // revisions that the repository must have
	wall    float64        // the most that it may take of git's time
}

var lg2Status = []string{"status", "--porcelain"}

const logFormat = "--pretty=format:%H|%an|%ae|%ad|%s"

func logArgs(n int) []string { return []string{"log", "-" + strconv.Itoa(n), logFormat, "--date=iso"} }

// diffJob compares two releases of git.
func diffJob(name, option string, parameters map[string]any, cold float64) job {
	j := job{name: "diff v2.30.0 v2.55.0, " + name, state: "clean", request: map[string]any{"operation": "diff", "from": "v2.30.0", "to": "v2.55.0"},
		git: []string{"diff", option, "v2.30.0", "v2.55.0"}, goGit: name + " v2.30.0 v2.55.0", lg2: []string{"diff", option, "-M", "v2.30.0", "v2.55.0"}, cold: cold, warm: 0.8, needs: []string{"v2.30.0", "v2.55.0"}}
	for k, v := range parameters {
		j.request[k] = v
	}
	return j
}

// showJob shows a merge of git's history; go-git, which has no combined diff,
// its changes from the first parent.
func showJob(rev string) job {
	return job{name: "show of a merge, " + rev, state: "clean", request: map[string]any{"operation": "show", "rev": rev},
		git: []string{"show", rev}, goGit: "show " + rev, cold: 1.0, warm: 0.4, needs: []string{rev}}
}

// treeJob is status in a state of the work tree of 100,000 files, with the
// targets of the issue "The work tree in the real world".
func treeJob(what, state string) job {
	return job{name: "100k files: " + what, state: state, request: map[string]any{"operation": "status"},
		git: []string{"status", "--porcelain=2", "--branch"}, goGit: "status", lg2: lg2Status, cold: 0.9, warm: 0.6, wall: 0.6}
}

// jobs are those of the house's main operations, with the targets of the issue
// "The house, and status/log/branch/diff on real repositories", then those of
// the issues on diffs, history and work trees.
var jobs = []job{
	{name: "status, clean", state: "clean", request: map[string]any{"operation": "status"},
		git: []string{"status", "--porcelain=2", "--branch"}, goGit: "status", lg2: lg2Status, cold: 0.9, warm: 0.6},
	{name: "status, 50 changed + 200 untracked", state: "dirty", request: map[string]any{"operation": "status"},
		git: []string{"status", "--porcelain=2", "--branch"}, goGit: "status", lg2: lg2Status, cold: 0.9, warm: 0.6},
	{name: "diff, 50 files", state: "dirty", request: map[string]any{"operation": "diff"},
		git: []string{"diff", "--unified=3", "--", "."}, lg2: []string{"diff"}, cold: 1.0, warm: 0.65},
	{name: "diff --cached, 50 files", state: "staged", request: map[string]any{"operation": "diff", "cached": true},
		git: []string{"diff", "--unified=3", "--cached", "--", "."}, lg2: []string{"diff", "--cached"}, cold: 1.0, warm: 0.65},
	{name: "log -10", state: "clean", request: map[string]any{"operation": "log", "limit": 10}, git: logArgs(10), goGit: "log 10", lg2: []string{"log", "--max-count", "10"}, cold: 1.0, warm: 0.1},
	{name: "log -1000", state: "clean", request: map[string]any{"operation": "log", "limit": 1000}, git: logArgs(1000), goGit: "log 1000", lg2: []string{"log", "--max-count", "1000"}, cold: 0.8, warm: 0.5},
	{name: "10,000 branches, packed", state: "packed", request: map[string]any{"operation": "branch"},
		git: []string{"branch", "--format=%(refname:short)|%(HEAD)"}, goGit: "branch", lg2: []string{"for-each-ref"}, cold: 0.6, warm: 0.2},
	{name: "10,000 branches, loose", state: "loose", request: map[string]any{"operation": "branch"},
		git: []string{"branch", "--format=%(refname:short)|%(HEAD)"}, goGit: "branch", lg2: []string{"for-each-ref"}, cold: 1.0, warm: 0.9},
	diffJob("names", "--name-status", map[string]any{"name_status": true}, 1.0),
	diffJob("patch", "--patch", nil, 0.9),
	showJob("2f6614658f"), showJob("a9d2d2acde"), showJob("27caa6b4f7"), showJob("f0e24ccca5"),
	{name: "grep xmalloc HEAD", state: "clean", request: map[string]any{"operation": "grep", "pattern": "xmalloc", "fixed": true, "rev": "HEAD"},
		git: []string{"grep", "-n", "-F", "xmalloc", "HEAD"}, cold: 0.9, warm: 0.8, wall: 0.5, needs: []string{"v2.39.5"}},
	{name: "grep xmalloc, work tree", state: "clean", request: map[string]any{"operation": "grep", "pattern": "xmalloc", "fixed": true},
		git: []string{"grep", "-n", "-F", "xmalloc"}, cold: 0.9, warm: 0.8, wall: 0.5, needs: []string{"v2.39.5"}},
	{name: "grep xmalloc, index", state: "clean", request: map[string]any{"operation": "grep", "pattern": "xmalloc", "fixed": true, "cached": true},
		git: []string{"grep", "-n", "-F", "--cached", "xmalloc"}, cold: 0.9, warm: 0.8, wall: 0.5, needs: []string{"v2.39.5"}},
	{name: "describe HEAD", state: "clean", request: map[string]any{"operation": "describe"}, git: []string{"describe"}, lg2: []string{"describe"}, cold: 1.0},
	{name: "log -5, pickaxe", state: "clean", request: map[string]any{"operation": "log", "limit": 5, "pickaxe": "approxidate"},
		git: append(logArgs(5), "-Sapproxidate"), cold: 1.0, needs: []string{"v2.39.5"}},
	{name: linesJob, state: "lines", git: []string{"diff", "--no-index", "old", "new"}, goGit: "lines old new", cold: 1.0},
	treeJob("clean", "tree"),
	treeJob("1,000 changed", "tree-changed"),
	treeJob("20,000 ignored in 500 folders", "tree-ignored"),
	treeJob("10,000 untracked", "tree-untracked"),
	treeJob("index without cache tree, inexact times", "tree-inexact"),
}

// linesJob is the line diff alone, without a repository.
const linesJob = "line diff, 100,000 lines, 5% changed"

// graphJobs are asked of two states: without a commit-graph, and with one that
// has changed paths. The figures are targets, cold and warm, without and with it.
var graphJobs = []struct {
	job
	withCold, withWarm float64
}{
	{job{name: "rev_list --count HEAD", request: map[string]any{"operation": "rev_list", "rev": "HEAD", "count": true},
		git: []string{"rev-list", "--count", "HEAD"}, goGit: "count", lg2: []string{"rev-list", "HEAD"}, cold: 0.6, warm: 0.5}, 0.35, 0.1},
	{job{name: "merge_base v2.39.5 HEAD", request: map[string]any{"operation": "merge_base", "revs": []string{"v2.39.5", "HEAD"}},
		git: []string{"merge-base", "v2.39.5", "HEAD"}, goGit: "base v2.39.5", cold: 0.8, warm: 0.2, needs: []string{"v2.39.5"}}, 0.3, 0.05},
	{pathJob("Makefile"), 0.7, 0.5},
	{pathJob("builtin"), 0.7, 0.5},
	{pathJob("t/t4013-diff-various.sh"), 0.7, 0.5},
	{job{name: "log --follow builtin/checkout.c", request: map[string]any{"operation": "log", "limit": 1000, "follow": true, "path": "builtin/checkout.c"},
		git: append(logArgs(1000), "--follow", "--", "builtin/checkout.c"), cold: 0.7, warm: 0.6, needs: []string{"HEAD:builtin/checkout.c"}}, 0.7, 0.6},
	{job{name: "log -L :cmd_log:builtin/log.c", request: map[string]any{"operation": "log", "limit": 1000, "line_range": ":cmd_log:builtin/log.c"},
		git: append(logArgs(1000), "-L:cmd_log:builtin/log.c"), cold: 1.0, needs: []string{"HEAD:builtin/log.c"}}, 1.0, 0},
	{blameJob("Makefile"), 0.7, 0.5},
	{blameJob("diff.c"), 0.7, 0.5},
	{job{name: "ls_tree -r HEAD", request: map[string]any{"operation": "ls_tree", "recursive": true}, git: []string{"ls-tree", "-r", "HEAD"}, goGit: "tree", cold: 1.0, warm: 0.2}, 1.0, 0.2},
}

// pathJob lists the commits that change a path.
func pathJob(path string) job {
	return job{name: "log -- " + path, request: map[string]any{"operation": "rev_list", "rev": "HEAD", "files": path},
		git: []string{"rev-list", "HEAD", "--", path}, goGit: "path " + path, lg2: []string{"log", "--", path}, cold: 0.7, warm: 0.6, wall: 0.6, needs: []string{"HEAD:" + path}}
}

func blameJob(path string) job {
	return job{name: "blame " + path, request: map[string]any{"operation": "blame", "path": path, "rev": "HEAD"},
		git: []string{"blame", "--porcelain", "HEAD", "--", path}, goGit: "blame " + path, lg2: []string{"blame", path}, cold: 0.85, warm: 0.7, wall: 0.6, needs: []string{"HEAD:" + path}}
}

// allJobs returns the jobs of all states.
func allJobs() []job {
	all := slices.Clone(jobs)
	for _, g := range graphJobs {
		without, with := g.job, g.job
		without.state, with.state = "clean", "graph"
		with.name += ", with commit-graph"
		with.goGit, with.lg2 = "", nil // they make no use of it
		with.cold, with.warm = g.withCold, g.withWarm
		all = append(all, without, with)
	}
	return all
}

// json returns the request for the state at dir.
func (j job) json(dir string) []byte {
	full := map[string]any{"cwd": dir}
	for k, v := range j.request {
		full[k] = v
	}
	data, err := json.Marshal(full)
	if err != nil {
		panic(err) // jobs hold nothing that can't be encoded
	}
	return data
}
