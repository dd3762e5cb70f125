package approxidate

import "time"

// Exact reads a date that is complete: a day, and a time or an epoch. A text
// with other words in it may still be one.
func Exact(text string, now time.Time, zone *time.Location) (int64, bool) {
	when, _, ok := read(text, now, zone)
	return when, ok
}

// ExactTime is Exact in the zone that the text names, else in the given one.
func ExactTime(text string, now time.Time, zone *time.Location) (time.Time, bool) {
	when, offset, ok := read(text, now, zone)
	return time.Unix(when, 0).In(time.FixedZone("", offset*60)), ok
}

// read returns the second, and how many minutes east of UTC it was written.
func read(text string, now time.Time, zone *time.Location) (when int64, offset int, ok bool) {
	if len(text) > 0 && text[0] == '@' {
		if when, offset, ok := header(text[1:]); ok {
			return when, offset, true
		}
	}
	e := exact{
		calendar: calendar{year: unset, month: unset, day: unset, hour: unset, minute: unset, second: unset, summer: unset},
		offset:   unset, now: now,
	}
	for i := 0; i < len(text) && text[i] != 0 && text[i] != '\n'; {
		i += max(1, e.next(text[i:]))
	}
	if when, ok = e.seconds(); !ok {
		return 0, 0, false
	}
	if e.offset == unset {
		e.summer = unset
		e.offset = int((when - e.local(zone)) / 60)
	}
	if !e.utc {
		when -= int64(e.offset) * 60
	}
	return when, e.offset, true
}

// header reads "EPOCH +ZONE", as commits have it.
func header(text string) (when int64, offset int, ok bool) {
	second, n := number(text)
	if n == 0 || n > 18 || len(text) < n+6 || text[n] != ' ' || text[n+1] != '+' && text[n+1] != '-' {
		return 0, 0, false
	}
	clock, digits := number(text[n+2:])
	if digits != 4 || len(text) > n+6 && text[n+6] != '\n' {
		return 0, 0, false
	}
	offset = clock/100*60 + clock%100
	if text[n+1] == '-' {
		offset = -offset
	}
	return int64(second), offset, true
}

type exact struct {
	calendar
	offset int // minutes east of UTC
	utc    bool
	now    time.Time
}

// next takes one item of the text and returns its length; 0 for nothing.
func (e *exact) next(text string) int {
	switch c := text[0]; {
	case isAlpha(c):
		return e.word(text)
	case isDigit(c):
		return e.digits(text)
	case (c == '-' || c == '+') && len(text) > 1 && isDigit(text[1]):
		return e.numericZone(text)
	}
	return 0
}

func (e *exact) word(text string) int {
	if i, n := named(text, months); n > 0 {
		e.month = i
		return n
	}
	if i, n := named(text, weekdays); n > 0 {
		e.weekday = i
		return n
	}
	for _, z := range zones {
		if n := match(text, z.name); n >= 3 || n == len(z.name) {
			if e.offset == unset {
				e.offset = 60 * z.hours
			}
			return n
		}
	}
	switch {
	case match(text, "PM") == 2:
		e.hour = e.hour%12 + 12
		return 2
	case match(text, "AM") == 2:
		e.hour %= 12
		return 2
	}
	return letters(text)
}

// digits takes a number: an epoch, a group, or something that its length and
// size tell.
func (e *exact) digits(text string) int {
	value, n := number(text)
	if value >= 100000000 && e.empty() {
		if value <= lastSecond {
			e.calendar = fields(time.Unix(int64(value), 0).UTC())
			e.utc = true
			return n
		}
		e.clockOf(value)
	}
	rest := text[n:]
	if len(rest) > 1 && isSeparator(rest[0]) && isDigit(rest[1]) {
		if m := e.group(value, rest, e.now); m > 0 {
			return n + m
		}
	}
	switch {
	case n == 8:
		e.setDate(value/10000, value%10000/100, value%100, nil)
		return n
	case n == 6:
		if e.setTime(value/10000, value%10000/100, value%100) && len(rest) > 1 && rest[0] == '.' && isDigit(rest[1]) {
			_, m := number(rest[1:])
			n += 1 + m
		}
		return n
	case n == 4:
		if value <= 1400 && e.offset == unset {
			e.offset = value/100*60 + value%100
		} else if value > 1900 && value < 2100 {
			e.year = value - 1900
		}
		return n
	case n > 2:
		return n
	}
	e.small(value, n)
	return n
}

// lastSecond is the last one whose year fits into a C int.
const lastSecond = 67768036191676799

// clockOf takes the time of the day of a second beyond lastSecond, which is what
// the C library has found out when it gives up.
func (e *exact) clockOf(second int) {
	const day = 24 * 60 * 60
	e.hour, e.minute, e.second = second%day/3600, second%3600/60, second%60
	e.weekday = (second/day + 4) % 7
}

func isSeparator(c byte) bool { return c == ':' || c == '.' || c == '/' || c == '-' }

// small takes a number of one or two digits: a day first of all.
func (e *exact) small(value, n int) {
	if value > 0 && value < 32 && e.day < 0 {
		e.day = value
		return
	}
	if n == 2 && e.year < 0 {
		if value < 10 && e.day >= 0 {
			e.year = value + 100
			return
		}
		if value >= 70 {
			e.year = value
			return
		}
	}
	if value > 0 && value < 13 && e.month < 0 {
		e.month = value - 1
	}
}

// numericZone takes "+hhmm", "+hh:mm" or "+hh".
func (e *exact) numericZone(text string) int {
	hour, n := number(text[1:])
	minute, end := 0, 1+n
	switch {
	case n == 4:
		hour, minute = hour/100, hour%100
	case n != 2:
		minute = 99
	case end < len(text) && text[end] == ':':
		var m int
		minute, m = signed(text[end+1:])
		if m == 0 {
			end++
		} else {
			end += 1 + m
		}
		if end != 6 {
			minute = 99
		}
	}
	if minute < 60 && hour < 24 {
		e.offset = hour*60 + minute
		if text[0] == '-' {
			e.offset = -e.offset
		}
	}
	return end
}

// zones are the names that git knows, with summer time added in.
var zones = []struct {
	name  string
	hours int
}{
	{"IDLW", -12}, {"NT", -11}, {"CAT", -10}, {"HST", -10}, {"HDT", -9}, {"YST", -9}, {"YDT", -8}, {"PST", -8}, {"PDT", -7},
	{"MST", -7}, {"MDT", -6}, {"CST", -6}, {"CDT", -5}, {"EST", -5}, {"EDT", -4}, {"AST", -3}, {"ADT", -2}, {"WAT", -1},
	{"GMT", 0}, {"UTC", 0}, {"Z", 0}, {"WET", 0}, {"BST", 1}, {"CET", 1}, {"MET", 1}, {"MEWT", 1}, {"MEST", 2}, {"CEST", 2},
	{"MESZ", 2}, {"FWT", 1}, {"FST", 2}, {"EET", 2}, {"EEST", 3}, {"WAST", 7}, {"WADT", 8}, {"CCT", 8}, {"JST", 9}, {"EAST", 10},
	{"EADT", 11}, {"GST", 10}, {"NZT", 12}, {"NZST", 12}, {"NZDT", 13}, {"IDLE", 12},
}
