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

	requests := append([]request{{"operation": "status", "format": "short"}, {"operation": "status", "format": "long"}, {"operation": "show"}}, everyState...)
	base := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
	for _, line := range strings.Fields(`
		core.filemode core.filemode= core.filemode=maybe core.filemode=2 core.filemode=0x0 core.trustctime=x core.quotepath=perhaps core.symlinks=u
		core.ignorecase=?? core.precomposeunicode=x core.protecthfs=x core.protectntfs=x core.sparsecheckout=x core.sparsecheckoutcone=x
		core.prefersymlinkrefs=x core.compression=10 core.compression=x core.loosecompression=-2 core.packedgitwindowsize=1q core.bigfilethreshold=1g
		core.bigfilethreshold=x core.packedgitlimit core.deltabasecachelimit=99999999999999999999 core.autocrlf=outgoing core.autocrlf core.safecrlf=never
		core.eol=mac core.commentchar=xy core.commentchar core.commentchar=auto core.attributesfile core.excludesfile core.hookspath 
		core.abbrev=3 core.abbrev=41 core.abbrev=x core.abbrev=no core.abbrev=4 core.abbrev core.checkstat=other core.whitespace=nonsense
		user.name user.email user.useconfigonly i18n.commitencoding i18n.logoutputencoding push.default=sometimes push.default
		core.checkstat=MINIMAL core.checkstat=Default core.logallrefupdates=x core.logallrefupdates=Always core.disambiguate=x core.disambiguate=blob
		core.whitespace core.fsync core.fsync=x core.fsyncmethod core.fsyncmethod=x core.fsyncobjectfiles=x core.preloadindex=x core.createobject=x
		core.createobject=link core.usereplacerefs=x core.ignorestat=x core.commentchar= core.commentchar=% core.commentchar=;; core.hidedotfiles=x
		core.untrackedcache=x core.untrackedcache=keep core.splitindex=x core.fsmonitor=false core.bigfilethreshold=-1 core.packedgitlimit=-1
		pack.compression=x pack.compression=11 pack.packsizelimit=x index.threads=x index.threads=2 index.version=9 index.sparse=x
		branch.autosetupmerge=x branch.autosetuprebase=x branch.autosetuprebase mailmap.file mailmap.blob advice.statushints=x advice.detachedhead=x
		color.pager=x color.ui=x color.ui=never color.status=x color.status color.diff=x color.advice=x status.color=x color.status.added=x color.status.added
		color.diff.meta=x color.diff.meta diff.color.old=x column.ui=x column.status=never column.ui=never column.status=x column.ui
		status.showuntrackedfiles status.showuntrackedfiles=x status.showuntrackedfiles=NO status.renames=x status.renames status.renames=copy status.relativepaths=x
		status.submodulesummary=x status.submodulesummary=0 status.submodulesummary=false status.short=x status.branch=x status.branch status.aheadbehind=x status.showstash=x status.showstash=1
		status.displaycommentprefix=x status.displaycommentprefix=1 status.renamelimit=x status.renamelimit=-1 diff.renamelimit=x diff.renames=x diff.renames=copies
		diff.context=x diff.context=-1 diff.context=0 diff.interhunkcontext=-1 diff.autorefreshindex=x diff.mnemonicprefix=x diff.mnemonicprefix=1 diff.noprefix=x diff.relative=x diff.relative=1
		diff.statgraphwidth=x diff.external diff.wordregex diff.orderfile diff.ignoresubmodules=x diff.ignoresubmodules=all diff.submodule=x diff.algorithm=x diff.algorithm
		diff.colormoved=x diff.colormovedws=x diff.wserrorhighlight=x diff.suppressblankempty=x diff.suppress-blank-empty=1 diff.dirstat=x diff.indentheuristic=x
		diff.foo.binary=x diff.foo.xfuncname=( diff.foo.xfuncname=[ diff.foo.funcname=[ diff.foo.cachetextconv=x diff.foo.wordregex
		log.date=iso log.showroot=x log.follow=x log.mailmap=x log.decorate=x log.abbrevcommit=x log.diffmerges=x log.excludedecoration log.showsignature=x
		format.encodeemailheaders=x
		submodule.recurse=x submodule.foo.ignore=x submodule.active gc.auto=x fetch.recursesubmodules=x extensions.preciousobjects=x
		sparse.expectfilesoutsideofpatterns=x receive.denycurrentbranch=x http.proxy include.path include.path=missing includeif.x.path=y
		safe.directory gpg.format=x merge.renames=x blame.coloring=x grep.patterntype=x tag.sort=x pager.status=x alias.status
		user.name= author.name committer.email user.signingkey i18n.commitencoding=nonsense i18n.logoutputencoding=nonsense i18n.logoutputencoding=latin1`) {
		name, value, has := strings.Cut(line, "=")
		section, key := name[:strings.IndexByte(name, '.')], name[strings.LastIndexByte(name, '.')+1:]
		if middle := name[len(section) : len(name)-len(key)]; len(middle) > 2 {
			section += " \"" + middle[1:len(middle)-1] + "\""
		}
		text := "[" + section + "]\n\t" + key
		if has {
			text += " = " + value
		}
		fixtures.Write(t, dir, ".git/config", base+text+"\n")
		open(t, dir).check(t, stateName(line), requests...)
	}
}
