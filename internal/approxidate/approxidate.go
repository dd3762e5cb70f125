// Package approxidate reads dates as git reads what people type: exact forms
// (ISO 8601, RFC 2822, "@epoch zone") and loose ones ("2 weeks ago",
// "yesterday", "last friday noon").
//
// It follows what git 2.39 answers, however odd, since the answers decide
// which commits --since and REF@{DATE} mean. See gitrevisions(7) and the
// section "DATE FORMATS" of git-commit(1).
package approxidate

import "time"

// Parse returns the moment that a text means, in seconds since 1970. now is
// what relative dates count from, zone the local zone for those without one.
// It reports false when nothing in the text was understood.
func Parse(text string, now time.Time, zone *time.Location) (int64, bool) {
	if when, ok := Exact(text, now, zone); ok {
		return when, true
	}
	return loose(text, now, zone)
}

// unset marks a field of a calendar that nothing has filled in yet.
const unset = -1

// calendar is a moment in fields, like C's struct tm: years count from 1900,
// months from 0.
type calendar struct {
	year, month, day     int
	hour, minute, second int
	weekday              int // 0 is Sunday
	summer               int // daylight saving time: 1 yes, 0 no, unset: to be found out
}

func fields(t time.Time) calendar {
	c := calendar{
		year: t.Year() - 1900, month: int(t.Month()) - 1, day: t.Day(),
		hour: t.Hour(), minute: t.Minute(), second: t.Second(), weekday: int(t.Weekday()),
	}
	if t.IsDST() {
		c.summer = 1
	}
	return c
}

// seconds reads the fields as UTC. It fails for what is not filled in and for
// years outside of 1970 to 2099.
func (c calendar) seconds() (int64, bool) {
	if c.year < 70 || c.year > 199 || c.month < 0 || c.month > 11 || c.hour < 0 || c.minute < 0 || c.second < 0 {
		return 0, false
	}
	t := time.Date(c.year+1900, time.Month(c.month+1), 1, c.hour, c.minute, c.second, 0, time.UTC)
	return t.Unix() + int64(c.day-1)*86400, true
}

// local reads the fields in a zone, like C's mktime: a field that is too large
// carries over, and daylight saving time is believed where it is known.
func (c calendar) local(zone *time.Location) int64 {
	t := time.Date(c.year+1900, time.Month(c.month+1), c.day, c.hour, c.minute, c.second, 0, zone)
	switch {
	case c.summer == 1 && !t.IsDST() && hasSummer(t):
		return t.Unix() - 3600
	case c.summer == 0 && t.IsDST():
		return t.Unix() + 3600
	}
	return t.Unix()
}

// hasSummer says whether a zone has daylight saving time some years around a
// moment.
func hasSummer(t time.Time) bool {
	for years := range 17 {
		for _, months := range []int{0, 3, 6} {
			if t.AddDate(years, months, 0).IsDST() || t.AddDate(-years, -months, 0).IsDST() {
				return true
			}
		}
	}
	return false
}

// setDate fills in a date if it can be one; year unset leaves the year. With a
// limit, dates more than ten days after it are refused, and a missing year is
// that of the limit.
func (c *calendar) setDate(year, month, day int, limit *time.Time) bool {
	year, month, day = int(int32(year)), int(int32(month)), int(int32(day)) // as git passes them
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	check := *c
	r := c
	if limit != nil {
		r = &check
	}
	r.month, r.day = month-1, day
	switch {
	case year == unset:
		if limit == nil {
			return false
		}
		r.year = limit.UTC().Year() - 1900
	case year >= 1970 && year < 2100:
		r.year = year - 1900
	case year > 70 && year < 100:
		r.year = year
	case year < 38:
		r.year = year + 100
	default:
		return false
	}
	if limit == nil {
		return true
	}
	if when, ok := r.seconds(); ok && limit.Unix()+10*86400 < when {
		return false
	}
	c.month, c.day = r.month, r.day
	if year != unset {
		c.year = r.year
	}
	return true
}

func (c *calendar) setTime(hour, minute, second int) bool {
	if hour < 0 || hour > 24 || minute < 0 || minute >= 60 || second < 0 || second > 60 {
		return false
	}
	c.hour, c.minute, c.second = hour, minute, second
	return true
}

func (c *calendar) dateKnown() bool { return c.year != unset && c.month != unset && c.day != unset }

// empty says whether nothing at all is filled in.
func (c *calendar) empty() bool {
	return c.year&c.month&c.day&c.hour&c.minute&c.second < 0
}

// number reads digits; a number beyond range is a very large one.
func number(s string) (value, length int) {
	for length < len(s) && isDigit(s[length]) {
		if value < 1<<58 {
			value = value*10 + int(s[length]-'0')
		}
		length++
	}
	return value, length
}

// signed reads white space, a sign and digits, as C's strtol does.
func signed(s string) (value, length int) {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] >= '\t' && s[i] <= '\r') {
		i++
	}
	sign := 1
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		if s[i] == '-' {
			sign = -1
		}
		i++
	}
	value, n := number(s[i:])
	if n == 0 {
		return 0, 0
	}
	return sign * value, i + n
}

// group reads "N:N[:N]", "N-N[-N]", "N/N[/N]" or "N.N[.N]", whose first number
// has been read: text is what follows it, beginning with the separator. It
// returns how much of text it took, 0 when it means nothing.
func (c *calendar) group(first int, text string, now time.Time) int {
	separator := text[0]
	second, n := signed(text[1:])
	end := 1 + n
	third := unset
	if end < len(text) && text[end] == separator && end+1 < len(text) && isDigit(text[end+1]) {
		third, n = number(text[end+1:])
		end += 1 + n
	}
	if separator == ':' {
		if !c.setTime(first, second, max(third, 0)) {
			return 0
		}
		// A fraction of a second after a full date goes by the board.
		if end+1 < len(text) && text[end] == '.' && isDigit(text[end+1]) && c.dateKnown() {
			_, n = number(text[end+1:])
			end += 1 + n
		}
		return end
	}
	if c.groupDate(first, second, third, separator, now) {
		return end
	}
	return 0
}

// groupDate tries the orders of year, month and day that people use.
func (c *calendar) groupDate(first, second, third int, separator byte, now time.Time) bool {
	if first > 70 && (c.setDate(first, second, third, nil) || c.setDate(first, third, second, nil)) {
		return true
	}
	if separator != '.' && c.setDate(third, first, second, &now) {
		return true
	}
	return c.setDate(third, second, first, &now) || separator == '.' && c.setDate(third, first, second, &now)
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
func isAlpha(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// match returns how many bytes of text and word agree, in any case, until the
// first byte of text that is no letter or digit; 0 when they part before.
func match(text, word string) int {
	for i := 0; i < len(text); i++ {
		w := byte(0)
		if i < len(word) {
			w = word[i]
		}
		switch {
		case text[i] == w || upper(text[i]) == upper(w):
		case !isAlpha(text[i]) && !isDigit(text[i]):
			return i
		default:
			return 0
		}
	}
	return len(text)
}

func upper(b byte) byte {
	if b >= 'a' && b <= 'z' {
		return b - 'a' + 'A'
	}
	return b
}

// letters returns the length of the word that text begins with, at least 1.
func letters(text string) int {
	n := 1
	for n < len(text) && isAlpha(text[n]) {
		n++
	}
	return n
}

// named finds the month or weekday that text begins with, by three letters or
// more.
func named(text string, names []string) (index, length int) {
	for i, name := range names {
		if n := match(text, name); n >= 3 {
			return i, n
		}
	}
	return -1, 0
}

var months = []string{
	"January", "February", "March", "April", "May", "June",
	"July", "August", "September", "October", "November", "December",
}

// Git matches the plural forms too.
var weekdays = []string{"Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"}
