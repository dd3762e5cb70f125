package linediff

// Equal compares two lines that may come without their line feeds.
func (w Whitespace) Equal(a, b []byte) bool {
	if w == 0 {
		return string(a) == string(b)
	}
	return string(w.normalize(nil, a)) == string(w.normalize(nil, b))
}
