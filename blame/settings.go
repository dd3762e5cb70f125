package blame

import (
	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
)

// settings are those of blame.* in git-config(1), and diff.indentHeuristic.
type settings struct {
	showRoot        bool // roots are no boundaries
	showEmail       bool // instead of names
	blankBoundary   bool // no ids of boundaries
	markIgnored     bool // with "?"
	markUnblamable  bool // with "*"
	indentHeuristic bool
	dates           pretty.Dates
	dateWidth       int // columns for a date
}

func readSettings(r *reader.Repository) (s settings, err error) {
	config, options := r.Config(), r.Options()
	for _, b := range []struct {
		dst *bool
		key string
		def bool
	}{
		{&s.showRoot, "blame.showRoot", false},
		{&s.showEmail, "blame.showEmail", false},
		{&s.blankBoundary, "blame.blankBoundary", false},
		{&s.markIgnored, "blame.markIgnoredLines", false},
		{&s.markUnblamable, "blame.markUnblamableLines", false},
		{&s.indentHeuristic, "diff.indentHeuristic", true},
	} {
		if *b.dst, err = config.Bool(b.key, b.def); err != nil {
			return s, err
		}
	}
	name, err := config.String("blame.date", "iso")
	if err != nil {
		return s, err
	}
	if s.dates, err = pretty.ParseDates(name); err != nil {
		return s, sentence(err.Error())
	}
	s.dates.Now, s.dates.Zone = options.Now, options.Zone
	if s.dates.Format == pretty.DateLayout {
		widest, err := s.dates.Append(nil, 0, 0)
		s.dateWidth = len(widest)
		return s, err
	}
	s.dateWidth = len(widestDates[s.dates.Format])
	return s, nil
}

// widestDates are the dates that git makes the column wide enough for.
var widestDates = map[pretty.DateFormat]string{
	pretty.DateDefault:   "Thu Oct 19 16:00:04 2006 -0700",
	pretty.DateISO:       "2006-10-19 16:00:04 -0700",
	pretty.DateISOStrict: "2006-10-19T16:00:04-07:00",
	pretty.DateRFC:       "Thu, 19 Oct 2006 16:00:04 -0700",
	pretty.DateShort:     "2006-10-19",
	pretty.DateRaw:       "1161298804 -0700",
	pretty.DateUnix:      "1161298804",
	pretty.DateRelative:  "4 years, 11 months ago",
	pretty.DateHuman:     "Thu Oct 19 16:00",
}
