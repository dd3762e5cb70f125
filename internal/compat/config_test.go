package compat

import (
	"strings"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
)

// TestConfigValues compares what becomes of values that make sense, or none, to
// git's common settings: each is appended to the configuration of the same
// repository.
func TestConfigValues(t *testing.T) {
	dir := fixtures.Build(t, "git init -q -b main\ncommit one\necho y >>f\necho z >new\n-- f --\nx\n")

	base := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
	for _, line := range strings.Fields(`
		core.filemode core.filemode= core.filemode=maybe core.filemode=2 core.filemode=0x0 core.trustctime=x core.quotepath=perhaps core.symlinks=u
		core.ignorecase=?? core.precomposeunicode=x core.protecthfs=x core.protectntfs=x core.sparsecheckout=x core.sparsecheckoutcone=x
		core.prefersymlinkrefs=x core.compression=10 core.compression=x core.loosecompression=-2 core.packedgitwindowsize=1q core.bigfilethreshold=1g
		core.bigfilethreshold=x core.packedgitlimit core.deltabasecachelimit=99999999999999999999 core.autocrlf=outgoing core.autocrlf core.safecrlf=never
		core.eol=mac core.commentchar=xy core.commentchar core.commentchar=auto core.attributesfile core.excludesfile core.hookspath 
		core.abbrev=3 core.abbrev=41 core.abbrev=x core.abbrev=no core.abbrev=4 core.abbrev core.checkstat=other core.whitespace=nonsense
		user.name user.email user.useconfigonly i18n.commitencoding i18n.logoutputencoding push.default=sometimes push.default
		status.showuntrackedfiles status.showuntrackedfiles=x status.renames=x status.relativepaths=x`) {
		name, value, has := strings.Cut(line, "=")
		section, key, _ := strings.Cut(name, ".")
		text := "[" + section + "]\n\t" + key
		if has {
			text += " = " + value
		}
		fixtures.Write(t, dir, ".git/config", base+text+"\n")
		open(t, dir).check(t, stateName(line), everyState...)
	}
}
