package diffrender

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/internal/wildmatch"
	"github.com/ingit-dev/ingit/reader"
)

// Order is a list of patterns that says in which order files are shown
// (git-diff(1), -O): first those that match the first pattern, and so on.
type Order []string

// ParseOrder reads an order file: a pattern a line, comments begin with "#".
func ParseOrder(data []byte) Order {
	var order Order
	for line := range strings.SplitSeq(string(data), "\n") {
		if line != "" && line[0] != '#' {
			order = append(order, line)
		}
	}
	return order
}

// sort puts changes in order.
func (o Order) sort(changes []reader.Change) {
	if len(o) > 0 {
		slices.SortStableFunc(changes, func(a, b reader.Change) int {
			return cmp.Compare(o.place(a.New.Path), o.place(b.New.Path))
		})
	}
}

// sortMerges puts the paths of a merge in order.
func (o Order) sortMerges(paths []reader.MergeChange) {
	if len(o) > 0 {
		slices.SortStableFunc(paths, func(a, b reader.MergeChange) int {
			return cmp.Compare(o.place(a[0].New.Path), o.place(b[0].New.Path))
		})
	}
}

// place returns the number of the first pattern that matches path or a folder
// above it.
func (o Order) place(path string) int {
	for i, pattern := range o {
		for at := path; ; {
			if wildmatch.Match(pattern, at, 0) {
				return i
			}
			slash := strings.LastIndexByte(at, '/')
			if slash < 0 {
				break
			}
			at = at[:slash]
		}
	}
	return len(o)
}

// order reads diff.orderFile.
func (c *settings) order() Order {
	name := c.text("diff.orderfile", "")
	if name == "" {
		return nil
	}
	data, err := c.r.UserFile("diff.orderfile")
	if err == nil && data == nil {
		err = fmt.Errorf("failed to read orderfile '%s': No such file or directory", name)
	}
	c.fail(err)
	return ParseOrder(data)
}
