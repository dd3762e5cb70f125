package tools

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/sandbox"
)

func TestCountObjects(t *testing.T) {
	top := fixtures.Build(t, `
git init -q -b main repo; cd repo; for i in 1 2 3; do echo $i > f$i; commit $i; done
git repack -q; git repack -adq; echo 4 > f4; commit 4; git -c pack.indexVersion=1 repack -q; git unpack-objects -q < $(ls .git/objects/pack/*.pack | head -1); echo 5 > f5; commit 5; echo 1 > f1; git add .
git clone -q -s . ../clone
echo x > .git/objects/pack/tmp_pack_x; seq 1000 > .git/objects/pack/pack-1234.pack; echo x > .git/objects/00x; mkdir -p .git/objects/00; seq 2000 > .git/objects/00/junk; git multi-pack-index write
git init -q ../empty; cd ..
`)
	size := regexp.MustCompile(`(?m)^size: .*$|\d+ kilobytes`) // depends on the file system
	for _, dir := range []string{"repo", "clone", "empty"} {
		tool := newTool(t, top, sandbox.Policy{})
		at := filepath.Join(top, dir)
		for flag, params := range map[string]map[string]any{"": nil, "-v": {"verbose": true}} {
			args := []string{"count-objects"}
			if flag != "" {
				args = append(args, flag)
			}
			want := fixtures.Ask(t, at, args...)
			got := answerIn(t, tool, at, "count_objects", params)
			assert.Empty(t, got.Error)
			assert.Equal(t, string(size.ReplaceAll(want.Out, nil)), string(size.ReplaceAll(got.Output, nil)), "%s %s", dir, flag)
		}
	}
}
