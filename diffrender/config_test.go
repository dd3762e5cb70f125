package diffrender_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/diffrender"
	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// TestConfig compares answers, and refusals, under settings.
func TestConfig(t *testing.T) {
	fixtures.RequireGit(t)
	settings := []string{
		"diff.context=1", "diff.context=0", "diff.context=-1", "diff.context=x", "diff.context=1k",
		"diff.interHunkContext=4", "diff.interHunkContext=-2", "diff.interHunkContext=",
		"diff.algorithm=patience", "diff.algorithm=Histogram", "diff.algorithm=fast", "diff.algorithm=minimal",
		"diff.indentHeuristic=false", "diff.indentHeuristic=maybe",
		"diff.noprefix=true", "diff.mnemonicPrefix=true", "diff.noprefix=2x", "diff.mnemonicPrefix=no",
		"diff.suppressBlankEmpty=true", "diff.suppressBlankEmpty=q", "core.quotePath=false", "core.quotePath=oh",
		"diff.statGraphWidth=10", "diff.statGraphWidth=1", "diff.statGraphWidth=wide",
		"core.abbrev=12", "core.abbrev=no", "core.abbrev=auto", "core.abbrev=3", "core.abbrev=41", "core.abbrev=x",
		"core.bigFileThreshold=20", "core.bigFileThreshold=big",
		"diff.cpp.xfuncname=^(\\tx)", "diff.cpp.funcname=^\\(line 1.*\\)$", "diff.cpp.xfuncname=(", "diff.cpp.xfuncname=!x", "diff.cpp.binary=true",
		"diff.cpp.binary=auto", "diff.cpp.binary=hm", "diff.default.xfuncname=^line.*5", "diff.wordRegex=[a-z]+", "diff.renames=false", "diff.renames=copies", "diff.renames=x",
		"diff.renameLimit=1", "diff.renameLimit=x", "diff.orderFile=order", "diff.orderFile=missing", "color.diff=always", "diff.wsErrorHighlight=all",
	}
	for _, setting := range settings {
		t.Run(setting, func(t *testing.T) {
			dir := configFixture(t)
			key, value, _ := strings.Cut(setting, "=")
			fixtures.Git(t, dir, "config", key, value)
			for _, format := range []string{"-p", "--stat"} {
				want := fixtures.Ask(t, dir, "-c", "color.ui=false", "diff", "--no-color", format)
				got, err := writeConfigured(t, dir, format)
				if want.Code != 0 {
					require.Error(t, err, "%s", want.Err)
					require.Contains(t, string(want.Err), ": "+err.Error()+"\n")
					continue
				}
				require.NoError(t, err)
				require.Equal(t, string(want.Out), got)
			}
		})
	}
}

func configFixture(t *testing.T) string {
	dir := fixtures.Init(t)
	var text strings.Builder
	for i := range 60 {
		text.WriteString("line " + strings.Repeat("i", i%7) + "\n" + []string{"\tx\n", "\n", "}\n"}[i%3])
	}
	fixtures.WriteAll(t, dir, map[string]string{
		"a.c": text.String(), "b é": "b\n", "moved": "one\ntwo\nthree\n", "order": "z*\n*.c\n", ".gitattributes": "*.c diff=cpp\n", "z": "z\n",
	})
	fixtures.Git(t, dir, "add", ".")
	changed := strings.Replace(text.String(), "\tx\n", "\ty\n\n", 3)
	fixtures.WriteAll(t, dir, map[string]string{"a.c": strings.Replace(changed, "line iiiii\n", "", 2), "b é": "c\n", "z": "zz\n"})
	return dir
}

func writeConfigured(t *testing.T, dir, format string) (string, error) {
	r, err := tryOpen(t, dir)
	if err != nil {
		return "", err
	}
	opts, err := diffrender.OptionsFromConfig(r, diffrender.IndexToWorkTree)
	if err != nil {
		return "", err
	}
	changes, err := diffrender.ChangesFromConfig(r)
	if err != nil {
		return "", err
	}
	var got bytes.Buffer
	err = render(t, &got, r, comparison{nil, diffrender.IndexToWorkTree, reader.IndexSide, reader.WorkTreeSide}, format, opts, changes)
	return got.String(), err
}
