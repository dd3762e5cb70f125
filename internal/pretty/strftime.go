package pretty

import (
	"strconv"
	"strings"
	"time"
)

// appendLayout prints a moment by a layout of strftime(3), as the C locale and
// glibc have it. zone is as git keeps it; name is the local zone's.
func appendLayout(dst []byte, layout string, c civil, zone int, name string, when uint64) []byte {
	t := time.Date(int(c.year), time.Month(c.month), c.day, c.hour, c.minute, c.second, 0, time.UTC)
	for {
		before, after, found := strings.Cut(layout, "%")
		dst = append(dst, before...)
		if !found {
			return dst
		}
		flags := after[:len(after)-len(strings.TrimLeft(after, "_-0^#"))]
		rest := after[len(flags):]
		width := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		rest = strings.TrimLeft(rest[len(width):], "EO")
		if rest == "" {
			return append(append(dst, '%'), after...)
		}
		field, ok := conversion(rest[0], t)
		switch {
		case rest[0] == 'z' && flags+width == "":
			dst = appendZone(dst, zone)
		case rest[0] == 's' && flags+width == "":
			dst = strconv.AppendUint(dst, when, 10)
		case rest[0] == 'Z':
			dst = append(dst, name...)
		case !ok:
			dst = append(append(dst, '%'), after[:len(after)-len(rest)+1]...)
		default:
			dst = append(dst, field.padded(flags, width)...)
		}
		layout = rest[1:]
	}
}

// timeField is the value of a conversion, and how far and with what it is
// filled up.
type timeField struct {
	text  string
	width int
	fill  byte
}

// padded fills the value up as flags and an explicit width ask.
func (f timeField) padded(flags, width string) string {
	for _, flag := range flags {
		switch flag {
		case '_':
			f.fill = ' '
		case '-':
			f.width = 0
		case '0':
			f.fill = '0'
		case '^':
			f.text = strings.ToUpper(f.text)
		}
	}
	if n, err := strconv.Atoi(width); err == nil {
		f.width = min(n, 1000)
	}
	if missing := f.width - len(f.text); missing > 0 {
		return strings.Repeat(string(f.fill), missing) + f.text
	}
	return f.text
}

// conversion returns the value of one letter.
func conversion(letter byte, t time.Time) (timeField, bool) {
	number := func(n, width int) timeField { return timeField{strconv.Itoa(n), width, '0'} }
	hour12 := (t.Hour()+11)%12 + 1
	isoYear, isoWeek := t.ISOWeek()
	switch letter {
	case 'd':
		return number(t.Day(), 2), true
	case 'e':
		return timeField{strconv.Itoa(t.Day()), 2, ' '}, true
	case 'm':
		return number(int(t.Month()), 2), true
	case 'Y':
		return number(t.Year(), 0), true
	case 'y':
		return number(t.Year()%100, 2), true
	case 'C':
		return number(t.Year()/100, 2), true
	case 'G':
		return number(isoYear, 0), true
	case 'g':
		return number(isoYear%100, 2), true
	case 'V':
		return number(isoWeek, 2), true
	case 'U':
		return number((t.YearDay()+6-int(t.Weekday()))/7, 2), true
	case 'W':
		return number((t.YearDay()+6-(int(t.Weekday())+6)%7)/7, 2), true
	case 'j':
		return number(t.YearDay(), 3), true
	case 'u':
		return number((int(t.Weekday())+6)%7+1, 0), true
	case 'w':
		return number(int(t.Weekday()), 0), true
	case 'H':
		return number(t.Hour(), 2), true
	case 'I':
		return number(hour12, 2), true
	case 'k':
		return timeField{strconv.Itoa(t.Hour()), 2, ' '}, true
	case 'l':
		return timeField{strconv.Itoa(hour12), 2, ' '}, true
	case 'M':
		return number(t.Minute(), 2), true
	case 'S':
		return number(t.Second(), 2), true
	case 's':
		return number(int(t.Unix()), 0), true
	}
	layout, ok := map[byte]string{
		'a': "Mon", 'A': "Monday", 'b': "Jan", 'h': "Jan", 'B': "January", 'p': "PM", 'P': "pm", 'D': "01/02/06", 'x': "01/02/06", 'F': "2006-01-02",
		'T': "15:04:05", 'X': "15:04:05", 'R': "15:04", 'r': "03:04:05 PM", 'c': "Mon Jan _2 15:04:05 2006", 'n': "\n", 't': "\t", '%': "%",
	}[letter]
	return timeField{t.Format(layout), 0, ' '}, ok
}
