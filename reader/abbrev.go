package reader

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	fullAbbrev    = 40 // digits of a whole id
	minAbbrev     = 4  // git abbreviates no further
	defaultAbbrev = 7  // and by itself not below
)

// Abbrev returns the shortest unambiguous form of an id with at least length
// digits. With length 0 it has core.abbrev digits, which by default grow with
// the number of packed objects (git-config(1)).
func (r *Repository) Abbrev(id plumbing.Hash, length int) string {
	if length <= 0 {
		length = r.abbrevLength()
	}
	text := id.String()
	if length >= fullAbbrev {
		return text
	}
	return text[:r.objects.AbbrevLen(id, max(length, minAbbrev))]
}

func (r *Repository) abbrevLength() int {
	value, ok := r.Config().Get("core.abbrev")
	if ok && !strings.EqualFold(value, "auto") {
		switch strings.ToLower(value) {
		case "no", "off", "false":
			return fullAbbrev
		}
		if n, err := strconv.Atoi(value); err == nil && n >= minAbbrev && n <= fullAbbrev {
			return n
		}
	}
	digits := (bits.Len(uint(r.objects.PackedObjects())) + 1) / 2
	return max(digits, defaultAbbrev)
}
