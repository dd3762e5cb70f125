package main

import (
	"time"

	"github.com/ingit-dev/ingit/writer"
)

// identity reads who writes a commit, and when, from GIT_AUTHOR_* or GIT_COMMITTER_* (role is AUTHOR or COMMITTER), as
// git-commit(1) does.
func identity(role string, getenv func(string) (string, bool)) (writer.Ident, error) {
	get := func(name string) string { v, _ := getenv(name); return v }
	id := writer.Ident{Name: get("GIT_" + role + "_NAME"), Email: get("GIT_" + role + "_EMAIL")}
	date := get("GIT_" + role + "_DATE")
	if date == "" {
		return id, nil
	}
	when, err := writer.ParseDate(date, time.Now(), time.Local)
	id.When = when
	return id, err
}
