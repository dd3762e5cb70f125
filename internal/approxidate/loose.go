package approxidate

import "time"

// loose reads words and numbers one after the other, each changing the moment
// that the ones before have made.
func loose(text string, now time.Time, zone *time.Location) (int64, bool) {
	now = now.In(zone)
	l := looseDate{now: fields(now), instant: now, zone: zone}
	l.calendar = l.now
	l.year, l.month, l.day = unset, unset, unset
	for i := 0; i < len(text) && text[i] != 0; {
		switch c := text[i]; {
		case isDigit(c):
			l.settle()
			i += l.digits(text[i:])
			l.touched = true
		case isAlpha(c):
			l.word(text[i:])
			i += letters(text[i:])
		default:
			i++
		}
	}
	l.settle()
	return l.update(0), l.touched
}

type looseDate struct {
	calendar
	now     calendar
	instant time.Time
	zone    *time.Location
	pending int // a number that waits for what it counts; 0: none
	touched bool
}

// update fills the date in from today where it is missing, goes back by
// seconds, and returns the moment.
func (l *looseDate) update(seconds int64) int64 {
	if l.day < 0 {
		l.day = l.now.day
	}
	if l.month < 0 {
		l.month = l.now.month
	}
	if l.year < 0 {
		l.year = l.now.year
		if l.month > l.now.month {
			l.year--
		}
	}
	when := l.local(l.zone) - seconds
	l.calendar = fields(time.Unix(when, 0).In(l.zone))
	return when
}

// settle takes a waiting number for a day, a month or a year.
func (l *looseDate) settle() {
	n := l.pending
	l.pending = 0
	switch {
	case n == 0:
	case l.day < 0 && n < 32:
		l.day = n
	case l.month < 0 && n < 13:
		l.month = n - 1
	case l.year < 0 && n > 1969 && n < 2100:
		l.year = n - 1900
	case l.year < 0 && n > 69 && n < 100:
		l.year = n
	case l.year < 0 && n < 38:
		l.year = 100 + n
	}
}

func (l *looseDate) digits(text string) int {
	value, n := number(text)
	rest := text[n:]
	if len(rest) > 1 && isSeparator(rest[0]) && isDigit(rest[1]) {
		if m := l.group(value, rest, l.instant); m > 0 {
			return n + m
		}
	}
	if text[0] != '0' || n <= 2 {
		l.pending = int(int32(min(value, 1<<62)))
	}
	return n
}

func (l *looseDate) word(text string) {
	if i, n := named(text, months); n > 0 {
		l.month = i
		l.touched = true
		return
	}
	for _, s := range specials {
		if match(text, s.name) == len(s.name) {
			s.apply(l)
			l.touched = true
			return
		}
	}
	if l.pending == 0 {
		l.count(text)
		return
	}
	l.unit(text)
}

// count takes "one" to "ten" and "last".
func (l *looseDate) count(text string) {
	for i, name := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"} {
		if match(text, name) == len(name) {
			l.pending, l.touched = i+1, true
			return
		}
	}
	if match(text, "last") == 4 {
		l.pending, l.touched = 1, true
	}
}

// unit takes what the waiting number counts.
func (l *looseDate) unit(text string) {
	n := l.pending
	for _, u := range []struct {
		name    string
		seconds int64
	}{{"seconds", 1}, {"minutes", 60}, {"hours", 3600}, {"days", 86400}, {"weeks", 7 * 86400}} {
		if match(text, u.name) >= len(u.name)-1 {
			l.back(wrap(u.seconds * int64(n)))
			return
		}
	}
	if i, m := named(text, weekdays); m > 0 {
		weeks := n - 1
		days := l.weekday - i
		if days <= 0 {
			weeks++
		}
		l.back(wrap((int64(days) + 7*wrap(int64(weeks))) * 86400))
		return
	}
	switch {
	case match(text, "months") >= 5:
		l.back(0)
		month := l.month - n
		for month < 0 {
			month += 12
			l.year--
		}
		l.month = month
	case match(text, "years") >= 4:
		l.back(0)
		l.year -= n
	}
}

// wrap cuts a number to C's int, in which git counts.
func wrap(n int64) int64 { return int64(int32(n)) }

func (l *looseDate) back(seconds int64) {
	l.update(seconds)
	l.pending, l.touched = 0, true
}

// specials are the words that stand for a moment.
var specials = []struct {
	name  string
	apply func(*looseDate)
}{
	{"yesterday", func(l *looseDate) { l.back(86400) }},
	{"noon", func(l *looseDate) { l.oclock(12) }},
	{"midnight", func(l *looseDate) { l.oclock(0) }},
	{"tea", func(l *looseDate) { l.oclock(17) }},
	{"PM", func(l *looseDate) { l.half(12) }},
	{"AM", func(l *looseDate) { l.half(0) }},
	{"never", func(l *looseDate) {
		l.calendar = fields(time.Unix(0, 0).In(l.zone))
		l.pending = 0
	}},
	{"now", func(l *looseDate) { l.back(0) }},
}

// oclock is the last time it was that hour.
func (l *looseDate) oclock(hour int) {
	l.settle()
	if l.hour < hour {
		l.update(86400)
	}
	l.hour, l.minute, l.second = hour, 0, 0
}

// half is AM or PM, of the waiting number if there is one.
func (l *looseDate) half(add int) {
	if l.pending != 0 {
		l.hour, l.minute, l.second = l.pending, 0, 0
		l.pending = 0
	}
	l.hour = l.hour%12 + add
}
