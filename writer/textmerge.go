package writer

import (
	"bytes"
	"cmp"
	"context"
	"strconv"

	"github.com/ingit-dev/ingit/internal/attributes"
	"github.com/ingit-dev/ingit/internal/index"
	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/reader"
)

// textMerger merges texts under the rules of their paths' attributes (gitattributes(5), "Performing a three-way merge").
type textMerger struct {
	lookup func(path string) attributes.Attributes
	style  linediff.MergeStyle
}

func newTextMerger(ctx context.Context, repo *reader.Repository, x *index.Index) (*textMerger, error) {
	lookup, err := repo.AttributesOf(ctx, x)
	if err != nil {
		return nil, err
	}
	t := &textMerger{lookup: lookup}
	switch style, _ := repo.Config().Get("merge.conflictStyle"); style {
	case "diff3":
		t.style = linediff.MergeDiff3
	case "zdiff3":
		t.style = linediff.MergeZDiff3
	}
	return t, nil
}

// sniffed is how much of a text git looks at to tell whether it is binary.
const sniffed = 8000

// defaultMarkerSize is the length of a conflict marker.
const defaultMarkerSize = 7

func binary(text []byte) bool { return bytes.IndexByte(text[:min(len(text), sniffed)], 0) >= 0 }

// merge merges a path's three texts, with conflict markers that are longer than usual by some characters. A binary one, or
// one whose driver is a program, is a conflict in which ours stays.
func (t *textMerger) merge(path string, texts [3][]byte, labels mergeLabels, more int) (merged []byte, clean, isBinary bool) {
	opts := linediff.MergeOptions{
		Algorithm: linediff.Histogram, Style: t.style,
		Base: labels[baseSide], Ours: labels[oursSide], Theirs: labels[theirsSide],
	}
	attrs := t.lookup(path)
	if size, err := strconv.Atoi(attrs.Get("conflict-marker-size").Text); err == nil && size > 0 {
		opts.MarkerSize = size
	}
	opts.MarkerSize = cmp.Or(opts.MarkerSize, defaultMarkerSize) + more
	driver := attrs.Get("merge")
	switch {
	case driver.State == attributes.Unset, driver.State == attributes.Valued && driver.Text == "binary":
		return texts[oursSide], false, true
	case driver.State == attributes.Valued && driver.Text == "union":
		opts.Favor = linediff.FavorUnion
	case driver.State == attributes.Valued && driver.Text != "text":
		return texts[oursSide], false, false
	}
	for _, text := range texts {
		if binary(text) {
			return texts[oursSide], false, true
		}
	}
	merged, conflicts := linediff.Merge3(texts[baseSide], texts[oursSide], texts[theirsSide], opts)
	return merged, conflicts == 0, false
}
