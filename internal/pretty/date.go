package pretty

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// DateFormat is one of git's --date formats (git-log(1)).
type DateFormat uint8

// The formats; the zero value is git's default one.
const (
	DateDefault DateFormat = iota
	DateISO
	DateISOStrict
	DateRFC
	DateShort
	DateRaw
	DateUnix
	DateRelative
	DateHuman
	DateLayout // by Dates.Layout
)

// Dates prints moments. The zero value prints the default format.
type Dates struct {
	Format DateFormat
	Layout string           // of DateLayout: a text for strftime(3)
	Local  bool             // in the local zone instead of the moment's own
	Now    func() time.Time // for relative and human dates; nil: time.Now
	Zone   *time.Location   // the local zone; nil: UTC
}

// ParseDates reads a --date or log.date value such as "iso-local" or
// "format:%Y". An error is git's sentence.
func ParseDates(value string) (d Dates, err error) {
	name := value
	if _, ok := strings.CutPrefix(name, "auto:"); ok {
		name = "default" // the output is no terminal
	}
	if name == "local" {
		name = "default-local"
	}
	kind, layout, hasLayout := strings.Cut(name, ":")
	kind, d.Local = strings.CutSuffix(kind, "-local")
	if kind == "format" {
		if !hasLayout {
			return d, &DateError{"date format missing colon separator: " + name}
		}
		d.Format, d.Layout = DateLayout, layout
		return d, nil
	}
	var ok bool
	if d.Format, ok = dateFormats[kind]; !ok || hasLayout {
		return d, &DateError{"unknown date format " + name}
	}
	return d, nil
}

var dateFormats = map[string]DateFormat{
	"default": DateDefault, "iso": DateISO, "iso8601": DateISO,
	"iso-strict": DateISOStrict, "iso8601-strict": DateISOStrict,
	"rfc": DateRFC, "rfc2822": DateRFC, "short": DateShort, "raw": DateRaw,
	"unix": DateUnix, "relative": DateRelative, "human": DateHuman,
}

// DateError is a moment that git cannot print, or a format that it does not
// know.
type DateError struct{ text string }

// Error is git's sentence, without "fatal: ".
func (e *DateError) Error() string { return e.text }

// Append prints the moment when (seconds since 1970) in a zone.
func (d Dates) Append(dst []byte, when uint64, zone int) ([]byte, error) {
	switch {
	case d.Format == DateUnix:
		return strconv.AppendUint(dst, when, 10), nil
	case d.Format == DateRelative:
		return appendRelative(dst, when, d.now().Unix()), nil
	}
	if d.Local {
		zone = d.localZone(when)
	}
	if d.Format == DateRaw {
		return appendZone(append(strconv.AppendUint(dst, when, 10), ' '), zone), nil
	}
	seconds, err := zoned(when, zone)
	if err != nil {
		return dst, err
	}
	c, ok := civilTime(seconds)
	if !ok {
		c, _ = civilTime(0)
		zone = 0
	}
	return d.appendCivil(dst, c, when, zone), nil
}

func (d Dates) appendCivil(dst []byte, c civil, when uint64, zone int) []byte {
	switch d.Format {
	case DateShort:
		return c.appendDate(dst)
	case DateISO:
		dst = c.appendClock(append(c.appendDate(dst), ' '))
		return appendZone(append(dst, ' '), zone)
	case DateISOStrict:
		dst = c.appendClock(append(c.appendDate(dst), 'T'))
		return appendStrictZone(dst, zone)
	case DateRFC:
		dst = append(dst, weekdays[c.weekday]...)
		dst = strconv.AppendInt(append(dst, ", "...), int64(c.day), 10)
		dst = append(append(append(dst, ' '), months[c.month-1]...), ' ')
		dst = append(strconv.AppendInt(dst, c.year, 10), ' ')
		return appendZone(append(c.appendClock(dst), ' '), zone)
	case DateHuman:
		return d.appendHuman(dst, c, when, zone)
	case DateLayout:
		return appendLayout(dst, d.Layout, c, zone, d.zoneName(when), when)
	}
	dst = append(append(dst, weekdays[c.weekday]...), ' ')
	dst = append(append(dst, months[c.month-1]...), ' ')
	dst = append(strconv.AppendInt(dst, int64(c.day), 10), ' ')
	dst = append(c.appendClock(dst), ' ')
	dst = strconv.AppendInt(dst, c.year, 10)
	if d.Local {
		return dst
	}
	return appendZone(append(dst, ' '), zone)
}

// appendHuman leaves out what a reader knows: see git-log(1), "--date=human".
func (d Dates) appendHuman(dst []byte, c civil, when uint64, zone int) []byte {
	now := d.now().Unix()
	nowZone := d.localZone(uint64(now))
	local, _ := zoned(uint64(now), nowZone)
	today, _ := civilTime(local)
	sameYear := c.year == today.year
	noDate := false
	if sameYear && c.month == today.month && c.day <= today.day {
		if c.day == today.day {
			return appendRelative(dst, when, now)
		}
		noDate = c.day+5 > today.day
	}
	if sameYear {
		dst = append(append(dst, weekdays[c.weekday]...), ' ')
	}
	if !noDate {
		dst = append(append(dst, months[c.month-1]...), ' ')
		dst = append(strconv.AppendInt(dst, int64(c.day), 10), ' ')
	}
	if sameYear {
		dst = two(append(two(dst, c.hour), ':'), c.minute)
	} else {
		dst = strconv.AppendInt(dst, c.year, 10)
	}
	if noDate && !d.Local && zone != nowZone {
		dst = appendZone(append(dst, ' '), zone)
	}
	return dst
}

func (d Dates) now() time.Time {
	if d.Now == nil {
		return time.Now()
	}
	return d.Now()
}

// localZone is the offset of the local zone at a moment.
func (d Dates) localZone(when uint64) int {
	if d.Zone == nil || when > math.MaxInt64 {
		return 0
	}
	_, offset := time.Unix(int64(when), 0).In(d.Zone).Zone()
	minutes := offset / 60
	return minutes/60*100 + minutes%60
}

// zoneName is the name of the local zone at a moment, where moments are shown
// in it.
func (d Dates) zoneName(when uint64) string {
	if !d.Local || when > math.MaxInt64 {
		return ""
	}
	if d.Zone == nil {
		return "UTC"
	}
	name, _ := time.Unix(int64(when), 0).In(d.Zone).Zone()
	return name
}

// zoned moves a moment by its zone, and fails where git fails.
func zoned(when uint64, zone int) (int64, error) {
	minutes := zone/100*60 + zone%100
	switch {
	case minutes > 0 && when > math.MaxUint64-uint64(minutes*60):
		return 0, &DateError{fmt.Sprintf("Timestamp+tz too large: %d +%04d", when, zone)}
	case minutes <= 0 && when < uint64(-minutes*60):
		return 0, &DateError{fmt.Sprintf("Timestamp before Unix epoch: %d %04d", when, zone)}
	}
	if when += uint64(minutes * 60); when > math.MaxInt64-1 {
		return 0, &DateError{fmt.Sprintf("Timestamp too large for this system: %d", when)}
	}
	return int64(when), nil
}

// civil is a moment on the calendar.
type civil struct {
	year                             int64
	month, day, hour, minute, second int
	weekday                          int // 0: Sunday
}

// civilTime converts seconds since 1970, which must not be negative. It
// reports false for a year that C's int does not hold.
func civilTime(seconds int64) (civil, bool) {
	days, rest := seconds/86400, int(seconds%86400)
	c := civil{hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60, weekday: int((days + 4) % 7)}
	// Years begin in March here, so that the leap day is the last one; an era
	// has 400 of them.
	days += 719468
	era, day := days/146097, days%146097
	year := (day - day/1460 + day/36524 - day/146096) / 365
	day -= 365*year + year/4 - year/100
	month := (5*day + 2) / 153
	c.day = int(day-(153*month+2)/5) + 1
	c.month = int(month+2)%12 + 1
	c.year = era*400 + year
	if c.month <= 2 {
		c.year++
	}
	return c, c.year-1900 <= math.MaxInt32
}

func (c civil) appendDate(dst []byte) []byte {
	if c.year < 1000 {
		dst = append(dst, "000"[:3-len(strconv.Itoa(int(c.year)))+1]...)
	}
	dst = append(strconv.AppendInt(dst, c.year, 10), '-')
	return two(append(two(dst, c.month), '-'), c.day)
}

func (c civil) appendClock(dst []byte) []byte {
	dst = append(two(dst, c.hour), ':')
	return two(append(two(dst, c.minute), ':'), c.second)
}

func two(dst []byte, n int) []byte { return append(dst, byte('0'+n/10), byte('0'+n%10)) }

// appendZone prints a zone with its sign and at least four digits.
func appendZone(dst []byte, zone int) []byte {
	sign := byte('+')
	if zone < 0 {
		sign, zone = '-', -zone
	}
	dst = append(dst, sign)
	if zone < 10000 {
		return two(two(dst, zone/100), zone%100)
	}
	return strconv.AppendInt(dst, int64(zone), 10)
}

func appendStrictZone(dst []byte, zone int) []byte {
	sign := byte('+')
	if zone < 0 {
		sign, zone = '-', -zone
	}
	dst = append(dst, sign)
	if zone/100 < 100 {
		dst = two(dst, zone/100)
	} else {
		dst = strconv.AppendInt(dst, int64(zone/100), 10)
	}
	return two(append(dst, ':'), zone%100)
}

var weekdays = [...]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}

var months = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// appendRelative prints "2 weeks ago", rounded as git rounds.
func appendRelative(dst []byte, when uint64, now int64) []byte {
	if now < 0 || uint64(now) < when {
		return append(dst, "in the future"...)
	}
	diff := uint64(now) - when
	steps := []struct{ limit, add, divide uint64 }{{90, 30, 60}, {90, 30, 60}, {36, 12, 24}}
	for i, s := range steps {
		if diff < s.limit {
			return append(count(dst, diff, [...]string{"second", "minute", "hour"}[i]), " ago"...)
		}
		diff = (diff + s.add) / s.divide
	}
	switch {
	case diff < 14:
		dst = count(dst, diff, "day")
	case diff < 70:
		dst = count(dst, (diff+3)/7, "week")
	case diff < 365:
		dst = count(dst, (diff+15)/30, "month")
	case diff < 1825:
		total := (diff*12*2 + 365) / (365 * 2)
		dst = count(dst, total/12, "year")
		if total%12 > 0 {
			dst = count(append(dst, ", "...), total%12, "month")
		}
	default:
		dst = count(dst, (diff+183)/365, "year")
	}
	return append(dst, " ago"...)
}

func count(dst []byte, n uint64, unit string) []byte {
	dst = append(append(strconv.AppendUint(dst, n, 10), ' '), unit...)
	if n != 1 {
		dst = append(dst, 's')
	}
	return dst
}
