package reader

import (
	"strconv"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/object"
)

// CommitInfo is what a commit says of itself.
type CommitInfo struct {
	Tree              plumbing.Hash
	Parents           []plumbing.Hash // as recorded, without grafts
	Author, Committer Person
	Encoding          string // of names and message; "": UTF-8
	Message           string
}

// Person is who made or committed a commit, and when. A date that is missing or
// cannot be read is the zero time.
type Person struct {
	Name, Email string
	When        time.Time // in the person's zone
}

// Info reads a commit's data. What it returns stays valid.
func (c *Commit) Info() (CommitInfo, error) {
	commit, err := object.ParseCommit(c.ID, c.Data)
	if err != nil {
		return CommitInfo{}, err
	}
	return CommitInfo{
		Tree: commit.Tree, Parents: commit.Parents,
		Author: personOf(commit.Author), Committer: personOf(commit.Committer),
		Encoding: commit.Encoding, Message: string(commit.Message),
	}, nil
}

func personOf(line []byte) Person {
	ident, _ := object.SplitIdent(line)
	p := Person{Name: string(ident.Name), Email: string(ident.Email)}
	if ident.Date != nil {
		p.When = time.Unix(ident.When(), 0).In(zoneOf(string(ident.Zone)))
	}
	return p
}

// zoneOf is the place where clocks show "+hhmm" more than in UTC.
func zoneOf(zone string) *time.Location {
	n, err := strconv.Atoi(zone)
	if err != nil || n == 0 {
		return time.UTC
	}
	return time.FixedZone(zone, (n/100*60+n%100)*60)
}
