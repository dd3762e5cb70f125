package linediff

// isSpace tells whether c is white space as git counts it: blank, tab, line
// feed or carriage return.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isBlank tells whether line holds nothing but white space.
func isBlank(line []byte) bool {
	for _, c := range line {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

// normalize appends to dst the text by which line is compared under w: two
// lines are equal exactly when these texts are.
func (w Whitespace) normalize(dst, line []byte) []byte {
	switch {
	case w&IgnoreAll != 0:
		for _, c := range line {
			if !isSpace(c) {
				dst = append(dst, c)
			}
		}
		return dst
	case w&IgnoreChange != 0:
		return appendSqueezed(dst, trimRight(line))
	case w&IgnoreEOL != 0:
		return append(dst, trimRight(line)...)
	default:
		return append(dst, trimCRLF(line)...)
	}
}

// appendSqueezed appends text with each run of white space as one blank.
func appendSqueezed(dst, text []byte) []byte {
	space := false
	for _, c := range text {
		if isSpace(c) {
			space = true
			continue
		}
		if space {
			dst, space = append(dst, ' '), false
		}
		dst = append(dst, c)
	}
	return dst
}

// trimRight cuts white space off the end of line.
func trimRight(line []byte) []byte {
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	return line
}

// trimCRLF cuts a line feed, with a carriage return before it, off the end.
func trimCRLF(line []byte) []byte {
	n := len(line)
	if n == 0 || line[n-1] != '\n' {
		return line
	}
	if n > 1 && line[n-2] == '\r' {
		return line[:n-2]
	}
	return line[:n-1]
}

// blank tells whether a change of this line can be ignored by
// --ignore-blank-lines: empty lines, or with one of the whitespace options
// lines of white space only.
func (w Whitespace) blank(line []byte) bool {
	if w == 0 {
		return len(line) <= 1
	}
	return isBlank(line)
}
