package compat

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// request is one JSON request, with parameters by name.
type request map[string]any

// json returns what the tool reads, for a repository at dir.
func (q request) json(dir string) []byte {
	full := map[string]any{"cwd": dir}
	for k, v := range q {
		full[k] = v
	}
	if sub, ok := q["cwd"].(string); ok {
		full["cwd"] = dir + "/" + sub
	}
	data, err := json.Marshal(full)
	if err != nil {
		panic(err) // tests hold nothing that can't be encoded
	}
	return data
}

func (q request) text(name string) string {
	s, _ := q[name].(string)
	return s
}

func (q request) is(name string) bool {
	b, _ := q[name].(bool)
	return b
}

// list returns a parameter that may be a string or several.
func (q request) list(name string) []string {
	switch v := q[name].(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, x.(string))
		}
		return out
	}
	return nil
}

// number returns a number's digits, "" where it is absent.
func (q request) number(name string) string {
	switch v := q[name].(type) {
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.Itoa(int(v))
	}
	return ""
}

// args builds a command line.
type args []string

func (a *args) add(words ...string) { *a = append(*a, words...) }

// flag adds an option for a parameter that is true.
func (a *args) flag(q request, name, option string) {
	if q.is(name) {
		a.add(option)
	}
}

// value adds an option with its value for a parameter that is there.
func (a *args) value(q request, name, option string) {
	if s := q.text(name); s != "" {
		a.add(option + s)
	}
	if s := q.number(name); s != "" {
		a.add(option + s)
	}
}

// commandLine returns git's arguments for the request, as sections 2 and 5 of
// the tool contract name them.
func (q request) commandLine() []string {
	var a args
	switch q.text("operation") {
	case "status":
		q.status(&a)
	case "diff":
		q.diff(&a)
	case "log":
		q.log(&a)
	case "branch":
		a.add("branch", "--format=%(refname:short)|%(HEAD)")
	case "show":
		a.add("show")
		q.formats(&a)
		if rev := q.text("rev"); rev != "" {
			a.add(rev)
		}
		a.add("--")
		a.add(q.list("files")...)
	case "ls_tree":
		a.add("ls-tree")
		a.flag(q, "recursive", "-r")
		a.flag(q, "long", "-l")
		a.add(q.text("rev"))
		a.add(q.list("path")...)
	case "blame":
		a.add("blame")
		if q["porcelain"] != false {
			a.add("--porcelain")
		}
		a.value(q, "lines", "-L")
		a.flag(q, "ignore_whitespace", "-w")
		if rev := q.text("rev"); rev != "" {
			a.add(rev)
		}
		a.add("--", q.text("path"))
	case "cat_file":
		if path := q.text("path"); path != "" {
			a.add("cat-file", "blob", q.text("rev")+":"+path)
		} else {
			a.add("cat-file", "-p", q.text("object")+q.text("rev"))
		}
	}
	return a
}

func (q request) status(a *args) {
	a.add("status")
	switch q.text("format") {
	case "short":
		a.add("--short")
	case "long":
		a.add("--long")
	default:
		a.add("--porcelain=2", "--branch")
	}
	a.value(q, "untracked", "--untracked-files=")
	a.flag(q, "ignored", "--ignored")
	if files := q.list("files"); files != nil {
		a.add("--")
		a.add(files...)
	}
}

func (q request) diff(a *args) {
	a.add("diff")
	q.formats(a)
	a.flag(q, "cached", "--cached")
	from, to := q.text("from"), q.text("to")
	switch {
	case q.is("merge_base") && to != "":
		a.add(from + "..." + to)
	case q.is("merge_base"):
		a.add("--merge-base", from)
	case to != "":
		a.add(from, to)
	case from != "":
		a.add(from)
	}
	a.add("--")
	if files := q.list("files"); files != nil {
		a.add(files...)
	} else {
		a.add(".")
	}
}

// formats adds the options of diffs: what is shown, and how lines are matched.
func (q request) formats(a *args) {
	if q.text("operation") == "diff" && q["unified"] == nil && !q.is("stat") && !q.is("numstat") && !q.is("name_status") && !q.is("name_only") {
		a.add("--unified=3")
	}
	a.value(q, "unified", "--unified=")
	a.flag(q, "stat", "--stat")
	a.flag(q, "numstat", "--numstat")
	a.flag(q, "name_status", "--name-status")
	a.flag(q, "name_only", "--name-only")
	a.flag(q, "find_copies", "--find-copies")
	a.flag(q, "function_context", "--function-context")
	a.value(q, "algorithm", "--diff-algorithm=")
	switch q.text("ignore_whitespace") {
	case "all":
		a.add("--ignore-all-space")
	case "change":
		a.add("--ignore-space-change")
	case "eol":
		a.add("--ignore-space-at-eol")
	}
}

// limit is log's limit: 10, or the one that was asked for within 1 to 1000.
func (q request) limit() string {
	n, err := strconv.Atoi(q.number("limit"))
	if err != nil {
		n = 10
	}
	return strconv.Itoa(min(max(n, 1), 1000))
}

func (q request) log(a *args) {
	a.add("log", "-"+q.limit(), "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso")
	for name, option := range map[string]string{"follow": "--follow", "first_parent": "--first-parent", "all": "--all",
		"stat": "--stat", "patch": "--patch", "name_status": "--name-status", "pickaxe_regex": "--pickaxe-regex"} {
		a.flag(q, name, option)
	}
	for name, option := range map[string]string{"author": "--author=", "committer": "--committer=", "grep": "--grep=", "since": "--since=",
		"until": "--until=", "pickaxe": "-S", "skip": "--skip="} {
		a.value(q, name, option)
	}
	switch q.text("merges") {
	case "only":
		a.add("--merges")
	case "none":
		a.add("--no-merges")
	}
	if order := q.text("order"); order != "" {
		a.add("--" + order + "-order")
	}
	if rev := q.text("rev"); rev != "" {
		a.add(rev)
	}
	if files := append(q.list("path"), q.list("files")...); files != nil {
		a.add("--")
		a.add(files...)
	}
}

func TestCommandLines(t *testing.T) {
	for _, c := range []struct {
		q    request
		want []string
	}{
		{request{"operation": "status"}, []string{"status", "--porcelain=2", "--branch"}},
		{request{"operation": "diff", "cached": true, "files": []string{"a b", "c"}}, []string{"diff", "--unified=3", "--cached", "--", "a b", "c"}},
		{request{"operation": "log", "limit": 3}, []string{"log", "-3", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso"}},
	} {
		require.Equal(t, c.want, c.q.commandLine())
	}
}
