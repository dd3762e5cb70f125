package approxidate_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/internal/approxidate"
)

// ask makes git tell what dates mean at a moment: rev-parse prints --since as
// --max-age.
func ask(t *testing.T, now int64, zone string, texts []string) []int64 {
	var args []string
	for _, text := range texts {
		args = append(args, "--since="+text)
	}
	answer := fixtures.Command{Dir: fixtures.Init(t), Env: []string{"TZ=" + zone, fmt.Sprintf("GIT_TEST_DATE_NOW=%d", now)}}.Must(t, append([]string{"rev-parse"}, args...)...)
	var found []int64
	for line := range strings.Lines(string(answer)) {
		n, err := strconv.ParseUint(strings.TrimSpace(strings.TrimPrefix(line, "--max-age=")), 10, 64)
		require.NoError(t, err)
		found = append(found, int64(n))
	}
	require.Len(t, found, len(texts))
	return found
}

var known = []string{
	"now", "yesterday", "2 weeks ago", "2.weeks.ago", "1 day", "3 days ago", "noon", "noon yesterday", "midnight", "tea", "last friday", "friday", "last week", "last month", "last year", "6 months ago", "18 months ago", "2 years ago",
	"2008-02-14", "2008-02-14 20:30:45", "2008-02-14 20:30:45 -0500", "2008-02-14T20:30:45Z", "2008-02-14T20:30:45+01:00", "2008.02.14", "14.02.2008", "02/14/2008", "14/02/2008", "20080214", "20080214T203045", "20080214T20:30:45.123", "2008-02-14 20:30:45.678",
	"Thu, 14 Feb 2008 20:30:45 +0000", "Thu Feb 14 20:30:45 2008 +0100", "Feb 14 2008", "14 Feb", "Feb 5", "Feb 5 noon", "10am", "10 PM", "noon 5 days ago", "3:00 pm", "15:00", "@1700000000 +0100", "@1700000000", "1700000000", "100000000", "99999999",
	"1633 @170000000080281847 17.3.0+", "@170000000080281847 17.3.0", "170000000080281847 17.3.2000", "67767976233532799 17.3.2000", "67768040609740801 17.3.2000", "67768036191676799 1.2.2003", "67768036191676800 1.2.2003", "1000000000000000007 2.3.2004", "never", "five days ago", "ten minutes ago", "1 hour", "2 monday", "monday 3 weeks ago", "Dec 6, 1992", "6/7/08", "7.6.08", "2008", "1970", "Jan 1", "dec", "12", "31", "32", "0", "00", "05", "0005", "5 feb 2010 EST", "5 feb 2010 12:00 PST", "12:30:61", "24:00", "25:00", "eins", "ago",
	"2 tuesdays ago", "a week", "one week", "3 fortnights", "2023-11-31", "Feb 30 2020 12:00", "12/31", "31/12", "2030-01-01", "2022-13-01", "1/2/3", "13/13/13", "2.2.2", "99", "70", "69", "2099", "2100", "noon tomorrow", "today", "this morning", "1 second ago", "1 minutes", "last monday noon", "+0100", "2019-02-03 +5", "2019-02-03 04:05 +05:30", "2019-02-03 04:05 -99:99",
	"10:20:30.5 2019-01-02", "2019-01-02 102030.5", "102030", "Sun Jan 1 00:00:00 1970 +0000", "1 Jan 1970 00:00", "31 Dec 2099 23:59:59", "last", "two last", "3 4 5", "18446744073709551616", "99999999999", "PM", "AM 5", "12 AM", "12 PM", "13 PM",
}

func TestKnownEqualGit(t *testing.T) {
	fixtures.RequireGit(t)
	for _, zone := range []string{"UTC", "America/New_York", "Asia/Kolkata", "Europe/Berlin", "Australia/Sydney"} {
		location, err := time.LoadLocation(zone)
		require.NoError(t, err)
		now := time.Now().Unix()
		for _, at := range []int64{now, now - 200*86400, now - 17*86400 - 5000} {
			compare(t, at, zone, location, known)
		}
	}
}

func compare(t *testing.T, at int64, zone string, location *time.Location, texts []string) {
	t.Helper()
	for i, want := range ask(t, at, zone, texts) {
		got, _ := approxidate.Parse(texts[i], time.Unix(at, 0), location)
		require.Equalf(t, want, got, "%q at %d in %s: git %s", texts[i], at, zone, time.Unix(want, 0).In(location))
	}
}

func TestRandomEqualGit(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	words := []string{"now", "yesterday", "noon", "tea", "midnight", "last", "ago", "days", "week", "months", "years", "friday", "Tue", "feb", "December", "am", "PM", "never", "two", "ten", "hours", "sec", "minutes", "Z", "EST", "CEST", "T", "x",
		"today", "tomorrow", "1st", "2nd", "3rd", "11th", "21st", "st", "1.5 days", "0.5", "-1", "-2 days", "+1", "@", "@-5", "@1700000000", "half", "dozen", "eleven", "zero", "1e3", "IDLW", "NZDT", "UTC", "GMT+2", "+05:30", "-0830", "+14", "(comment)",
		"sept", "Sunday", "mon", "fortnight", "quarter", "century", "decade", "s", "m", "h", "d", "w", "min", "mo", "y", "next", "this", "the", "of", "at", "on", "in", "a", "an", "W03", "2023-W05-2", "T10", "10:20", "7:5:3", "23:59:60", "25", "\t", "é"}
	var texts []string
	for range 3000 {
		var b strings.Builder
		for range 1 + r.IntN(5) {
			switch r.IntN(5) {
			case 0, 1:
				b.WriteString(words[r.IntN(len(words))])
			case 2:
				fmt.Fprint(&b, r.IntN([]int{10, 32, 100, 2100, 100000000}[r.IntN(5)]))
			case 3:
				sep := []string{"-", "/", ".", ":"}[r.IntN(4)]
				fmt.Fprint(&b, r.IntN(2030), sep, r.IntN(14), sep, r.IntN(33))
			case 4:
				fmt.Fprintf(&b, "%02d:%02d", r.IntN(26), r.IntN(62))
			}
			b.WriteString([]string{" ", " ", ".", ",", "", "-", "+"}[r.IntN(7)])
		}
		texts = append(texts, b.String())
	}
	// Git judges whether an exact date lies in the future by the real clock.
	compare(t, time.Now().Unix(), "UTC", time.UTC, texts)
}

func FuzzParse(f *testing.F) {
	for _, text := range known {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		approxidate.Parse(text, time.Unix(fixtures.Clock, 0), time.UTC)
	})
}
