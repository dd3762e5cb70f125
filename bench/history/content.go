package history

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

func pow(x, y float64) float64 { return math.Pow(x, y) }

// vocabulary makes words, people and folders.
func (w *writer) vocabulary() {
	const consonants, vowels = "bcdfghklmnprstvw", "aeiou"
	for range 4_000 {
		var b strings.Builder
		for range 1 + w.rng.IntN(4) {
			b.WriteByte(consonants[w.rng.IntN(len(consonants))])
			b.WriteByte(vowels[w.rng.IntN(len(vowels))])
		}
		w.words = append(w.words, b.String())
	}
	for i := range w.Authors {
		w.authors = append(w.authors, fmt.Sprintf("%s %s <%s%d@example.com>", w.word(), w.word(), w.word(), i))
	}
	w.folders = append(w.folders, "t/")
	for i := range w.Folders - 1 {
		folder := fmt.Sprintf("%s%d/", w.word(), i)
		if w.rng.IntN(5) == 0 {
			folder = w.folders[w.rng.IntN(len(w.folders))] + folder
		}
		w.folders = append(w.folders, folder)
	}
}

func (w *writer) word() string { return w.words[w.rng.IntN(len(w.words))] }

// newPath names a file: 30 % in t/, 12 % at the top, the rest in folders.
func (w *writer) newPath() string {
	w.tokens++
	name := w.word() + strconv.FormatInt(int64(w.tokens), 36) + ".c"
	switch chance := w.rng.Float64(); {
	case chance < 0.30:
		return "t/" + name
	case chance < 0.42:
		return name
	}
	return w.folders[w.rng.IntN(len(w.folders))] + name
}

// length draws a file's number of lines: lognormal, median 90, sigma 1.2.
func (w *writer) length() int {
	return min(1+int(90*math.Exp(1.2*w.rng.NormFloat64())), 20_000)
}

// newLines makes lines, each with a token of its own.
func (w *writer) newLines(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		w.tokens++
		var b strings.Builder
		b.WriteString(strings.Repeat("\t", w.rng.IntN(4)))
		for range 1 + w.rng.IntN(5) {
			b.WriteString(w.word())
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatInt(int64(w.tokens), 36))
		b.WriteByte(';')
		lines[i] = b.String()
	}
	return lines
}

// newEdit draws an edit of a file of which lines is the content.
func (w *writer) newEdit(n int, lines []string) edit {
	at := w.rng.IntN(len(lines))
	removed := min(w.rng.IntN(5), len(lines)-at-1)
	added := 1 + w.rng.IntN(6)
	if n < 2 && len(lines) >= w.HotLines || n >= 2 && len(lines) > 400 {
		added = removed
	}
	return edit{file: n, anchor: lines[at], removed: slices.Clone(lines[at+1 : at+1+removed]), added: w.newLines(added)}
}

// apply returns the lines after the edit, and whether it applied: the anchor
// must be there, with the removed lines behind it.
func (e edit) apply(lines []string) ([]string, bool) {
	at := slices.Index(lines, e.anchor)
	if at < 0 || len(lines) < at+1+len(e.removed) || !slices.Equal(lines[at+1:at+1+len(e.removed)], e.removed) {
		return lines, false
	}
	return slices.Concat(lines[:at+1], e.added, lines[at+1+len(e.removed):]), true
}

// pickFile draws one of n files; the power 2.2 makes some of them favourites.
func (w *writer) pickFile(n int) int { return int(float64(n) * pow(w.rng.Float64(), 2.2)) }

func (w *writer) pickAuthor() int {
	return int(float64(len(w.authors)) * pow(w.rng.Float64(), 2.2))
}

// message makes a commit message of three to ten lines.
func (w *writer) message() string {
	var b strings.Builder
	line := func(n int) {
		for i := range n {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w.word())
		}
		b.WriteByte('\n')
	}
	line(3 + w.rng.IntN(5))
	b.WriteByte('\n')
	for range 1 + w.rng.IntN(8) {
		line(4 + w.rng.IntN(8))
	}
	return b.String()
}
