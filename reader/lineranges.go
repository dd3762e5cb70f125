package reader

import (
	"github.com/ingit-dev/ingit/internal/linediff"
	"github.com/ingit-dev/ingit/internal/linerange"
)

// spans are runs of lines, sorted and apart from each other.
type spans []linerange.Span

func (s spans) empty() bool { return len(s) == 0 }

// union joins two lists; what overlaps or touches becomes one span.
func (s spans) union(other spans) spans {
	var out spans
	for len(s) > 0 || len(other) > 0 {
		from := &s
		if len(s) == 0 || len(other) > 0 && (other[0].From < s[0].From || other[0].From == s[0].From && other[0].To <= s[0].To) {
			from = &other
		}
		next := (*from)[0]
		*from = (*from)[1:]
		switch n := len(out); {
		case next.From == next.To:
		case n == 0 || out[n-1].To < next.From:
			out = append(out, next)
		default:
			out[n-1].To = max(out[n-1].To, next.To)
		}
	}
	return out
}

// touched returns the changes whose new lines lie in the spans, at least in
// part; a deletion counts when it lies between two of a span's lines.
func (s spans) touched(changes []linediff.Change) []linediff.Change {
	var found []linediff.Change
	for _, c := range changes {
		for c.NewStart > s[0].To {
			if s = s[1:]; len(s) == 0 {
				return found
			}
		}
		if c.NewStart+c.NewCount > s[0].From && s[0].To > c.NewStart {
			found = append(found, c)
		}
	}
	return found
}

// without takes the new lines of changes away.
func (s spans) without(changes []linediff.Change) spans {
	var out spans
	for _, span := range s {
		from := span.From
		for from < span.To {
			for len(changes) > 0 && from >= changes[0].NewStart+changes[0].NewCount {
				changes = changes[1:]
			}
			if len(changes) == 0 || span.To < changes[0].NewStart {
				out = append(out, linerange.Span{From: from, To: span.To})
				break
			}
			if c := changes[0]; from >= c.NewStart {
				from = c.NewStart + c.NewCount
			} else if span.To > c.NewStart {
				out = append(out, linerange.Span{From: from, To: c.NewStart})
				from = c.NewStart + c.NewCount
			} else {
				out = append(out, linerange.Span{From: from, To: span.To})
				break
			}
		}
	}
	return out
}

// before returns where lines that no change touches stood before the changes.
func (s spans) before(changes []linediff.Change) spans {
	out := make(spans, 0, len(s))
	offset := 0
	for _, span := range s {
		for len(changes) > 0 && span.From >= changes[0].NewStart {
			offset += changes[0].OldCount - changes[0].NewCount
			changes = changes[1:]
		}
		out = append(out, linerange.Span{From: span.From + offset, To: span.To + offset})
	}
	return out
}

// across returns the lines that stood where the spans are now, before the
// changes, and the changes that touch them.
func (s spans) across(changes []linediff.Change) (spans, []linediff.Change) {
	touched := s.touched(changes)
	var old spans
	for _, c := range touched {
		old = append(old, linerange.Span{From: c.OldStart, To: c.OldStart + c.OldCount})
	}
	return s.without(touched).before(changes).union(old), touched
}
