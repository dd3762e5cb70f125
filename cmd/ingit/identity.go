package main

import (
	"fmt"
	"strconv"
	"strings"
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
	var err error
	id.When, err = parseDate(date)
	return id, err
}

// parseDate reads the exact forms of a date: "SECONDS ZONE", "@SECONDS ZONE", ISO 8601 and RFC 2822 ones; without a zone
// it is the local one.
func parseDate(text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	seconds, zone, _ := strings.Cut(strings.TrimPrefix(text, "@"), " ")
	if n, err := strconv.ParseInt(seconds, 10, 64); err == nil {
		if zone == "" {
			return time.Unix(n, 0).Local(), nil
		}
		if at, err := time.Parse("-0700", zone); err == nil {
			return time.Unix(n, 0).In(at.Location()), nil
		}
	}
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00",
		"Mon, 2 Jan 2006 15:04:05 -0700", "Mon Jan 2 15:04:05 2006 -0700", "2006-01-02T15:04:05", "2006-01-02 15:04:05",
	} {
		if at, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("invalid date format: %s", text)
}
