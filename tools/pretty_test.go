package tools

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

// configured calls test for each setting, which is there meanwhile.
func configured(t *testing.T, top, key string, values []string, test func(tool *Tool, value string)) {
	for _, value := range values {
		fixtures.Git(t, top, "config", key, value)
		test(newTool(t, top, sandbox.Policy{}), value)
		fixtures.Git(t, top, "config", "--unset-all", key)
	}
}

// TestFormats holds show in the formats of format.pretty against git.
func TestFormats(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, showFixture), "repo")
	for key, value := range map[string]string{"pretty.mine": "format:%h|%s", "pretty.other": "mine", "pretty.loop": "loop", "pretty.medium": "oneline", "pretty.a.b": "%H", "pretty.Fu": "raw"} {
		fixtures.Git(t, top, "config", key, value)
	}
	formats := []string{
		"oneline", "short", "medium", "full", "fuller", "raw", "reference", "ONE", "f", "s", "m", "ful", "mine", "other", "loop", "a.b", "fu", "nothing", "", "format:", "tformat:",
		"format:%H %h %T %t %P %p", "%an|%aN|%ae|%aE|%al|%aL|%ad|%aD|%at|%ai|%aI|%as", "%cn|%cN|%ce|%cE|%cl|%cL|%cd|%cD|%ct|%ci|%cI|%cs", "tformat:%s%n%b", "format:%B", "format:%f", "%d|%D", "%e", "%N|", "%m",
		"format:%+b|%-b|% b|%+q|%-q", "%s%n%-b%-N", "%x41%x4%xzz%%%n%q%", "%Cred%C(bold blue)%C(auto)%h%Creset%Cfoo%C(", "%gd%gs%gq", "%(foo)%w", "%aq%c", "%s%n%n",
		"%<(20)%s|", "%>(20)%an|%<(5,trunc)%s|", "%><(30)%s|%s", "%<(9,ltrunc)%s|%<(9,mtrunc)%s|%<(1,trunc)%s|", "%h%>>(12)%s|   %>>(3)%s|", "%h %<|(30)%s|%>|(50)%an|%><|(70)%ae|", "%<(10)%%%n|%<(10)%n|%<(6)%q|", "%<(x)%s", "%<(0)%s", "%<(-5)%s|%<|(-5)%s|", "%<(10,foo)%s|", "%<(20)%C(red)%h%Creset|", "%+<(30)%s|%-<(3)%b|", "%<(30)%an%>(10)%<(4)%h",
		"%w(20)%s%n%b", "%w(30,2,4)%B", "%w(10)%s%w()%n%b", "%w(0,3,1)%B|%w(40,1)%an", "%w(x)%s", "%w(20,1,2,3)%s", "%w%s", "%+w(10)%s", "%w(15,3)%s%n%n%b%w(70,6,9)%B",
		"%G?|%GK|%GS|%GF|%GP|%GT|%Gx", "%S|%s", "%<(10,trunc)%S",
	}
	configured(t, top, "format.pretty", formats, func(tool *Tool, value string) {
		for _, args := range [][]string{{"HEAD"}, {"HEAD~1"}, {"HEAD~2"}, {"HEAD~3"}, {"HEAD~4"}, {"HEAD~5"}, {"HEAD~6"}, {"HEAD~6", "--stat"}, {"v1"}, {"broken"}, {"nomessage"}} {
			want := fixtures.Ask(t, top, append([]string{"show"}, args...)...)
			got := answerIn(t, tool, top, "show", showArguments(args))
			assert.Equal(t, want.Code == 0, got.Success, "%q %v: %s", value, args, got.Error)
			if want.Code == 0 {
				assert.Equal(t, string(want.Out), string(got.Output), "%q %v", value, args)
			}
		}
	})
	configured(t, top, "format.pretty", []string{"email", "mboxr", "%C(always,red)", "%(trailers)"}, func(tool *Tool, value string) {
		got := answerIn(t, tool, top, "show", map[string]any{})
		assert.False(t, got.Success)
		assert.Contains(t, got.Error, "not built", value)
	})
}

// TestFormatsOfMerges holds several commits, merges among them, in the formats
// against git.
func TestFormatsOfMerges(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, rangesFixture), "repo")
	fixtures.Git(t, top, "config", "log.decorate", "short")
	formats := []string{"oneline", "short", "full", "fuller", "raw", "reference", "format:%h %p%d", "tformat:%h %D", ""}
	configured(t, top, "format.pretty", formats, func(tool *Tool, value string) {
		for _, revs := range [][]string{{"main"}, {"main~2..side"}, {"main~1", "t", "side~1"}, {"main", "side", "HEAD:d", "main"}, {"tt", "main"}} {
			for _, format := range []string{"", "stat", "name_status"} {
				args, params := append([]string{"show"}, revs...), map[string]any{"rev": revs}
				if format != "" {
					args, params[format] = append(args, map[string]string{"stat": "--stat", "name_status": "--name-status"}[format]), true
				}
				got := answerIn(t, tool, top, "show", params)
				assert.Equal(t, string(fixtures.Git(t, top, args...)), string(got.Output), "%q %v: %s", value, args, got.Error)
			}
		}
	})
}

// TestDates holds the values of log.date against git; bad ones are refused by
// log, too, which doesn't use them.
func TestDates(t *testing.T) {
	top := filepath.Join(fixtures.Build(t, `
git init -q -b main repo; cd repo
for date in '1112911993 -0700' '@86400 +0000' '1700000000 +0530' '1704067199 +0000' '951782400 -0100' '1230768000 +1400'; do
	GIT_AUTHOR_DATE="$date" GIT_COMMITTER_DATE="$date" git commit -q --allow-empty -m "$date"
done
`), "repo")
	dates := []string{
		"default", "local", "iso", "iso8601-strict", "rfc", "short", "short-local", "raw", "raw-local", "unix", "default-local", "auto:iso", "auto:nothing", "nothing", "iso:x", "format", "isox", "-local", "",
		"format:%Y-%m-%d %H:%M:%S %z", "format-local:%c %z|%Z|%s", "format:%a %A %b %B %C %d %D %e %F %g %G %h %I %j %k %l %M %n %p %P %r %R %S %t %T %u %U %V %w %W %x %X %y %Y %%",
		"format:%-d %_d %0e %^a %-m %05d %Q %Ey %", "format:", "format:%s %Z|",
	}
	configured(t, top, "log.date", dates, func(tool *Tool, value string) {
		for _, operation := range []string{"show", "log"} {
			for _, rev := range []string{"HEAD", "HEAD~1", "HEAD~2", "HEAD~3", "HEAD~4", "HEAD~5"} {
				args := []string{"show", rev}
				if operation == "log" {
					args = []string{"log", "-10", "--pretty=format:%H|%an|%ae|%ad|%s", "--date=iso", rev}
				}
				want := fixtures.Ask(t, top, args...)
				got := answerIn(t, tool, top, operation, map[string]any{"rev": rev})
				assert.Equal(t, want.Code == 0, got.Success, "%q %v: %s", value, args, got.Error)
				if want.Code == 0 {
					assert.Equal(t, string(want.Out), string(got.Output), "%q %v", value, args)
				}
			}
		}
	})
}

// TestFormatsAtRandom puts paddings, wrappings and placeholders together for
// messages with wide characters, tabs and long words.
func TestFormatsAtRandom(t *testing.T) {
	seed := fixtures.Seed(t)
	r := rand.New(rand.NewPCG(seed, 11))
	top := fixtures.Build(t, "git init -q -b main .\n")
	words := []string{"a", "word", "日本語", "é", "verylongwordthatdoesnotfit", "x.", "-", "\t", "\n", "\n\n", "(two)", "e\u0301", "1", " "}
	var revs []string
	for i := range 8 {
		var message strings.Builder
		for range 1 + r.IntN(25) {
			message.WriteString(words[r.IntN(len(words))] + []string{" ", " ", "", "\n"}[r.IntN(4)])
		}
		fixtures.Git(t, top, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", fmt.Sprintf("%d%s", i, message.String()))
		revs = append([]string{fmt.Sprintf("main~%d", i)}, revs...)
	}
	parts := []string{"%s", "%b", "%B", "%h", "%an", "%ae", "%n", "|", " ", "  ", "%e", "%x41", "%C(red)", "%q", "%%", "%+b", "%-b", "% b", "%+s", "%m", "text ", "日本"}
	number := func(n int) int { return r.IntN(n) }
	var formats []string
	for range 40 {
		format := "format:"
		for range 1 + r.IntN(7) {
			switch r.IntN(4) {
			case 0:
				format += "%" + []string{"<", ">", "><", ">>"}[r.IntN(4)] + []string{"", "", "|"}[r.IntN(3)] + fmt.Sprintf("(%d%s)", number(30)-2, []string{"", "", ",trunc", ",ltrunc", ",mtrunc", ",x"}[r.IntN(6)])
			case 1:
				if r.IntN(2) == 0 {
					format += []string{"%w()", fmt.Sprintf("%%w(%d)", number(40)), fmt.Sprintf("%%w(%d,%d,%d)", number(40), number(6), number(6))}[r.IntN(3)]
					continue
				}
				fallthrough
			default:
				format += parts[r.IntN(len(parts))]
			}
		}
		formats = append(formats, format)
	}
	configured(t, top, "format.pretty", formats, func(tool *Tool, value string) {
		want := fixtures.Ask(t, top, append([]string{"show"}, revs...)...)
		got := answerIn(t, tool, top, "show", map[string]any{"rev": revs})
		assert.Equal(t, string(want.Out), string(got.Output), "seed %d: %q in %s: %s", seed, value, top, got.Error)
	})
}
