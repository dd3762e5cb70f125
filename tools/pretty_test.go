package tools

import (
	"path/filepath"
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
	configured(t, top, "format.pretty", []string{"email", "mboxr", "%G?", "%<(20)%s", "%(trailers)"}, func(tool *Tool, value string) {
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
