package reader_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/fixtures"
	"github.com/ingit-dev/ingit/reader"
)

// writeObject writes a loose object as it is, however malformed.
func writeObject(t testing.TB, dir, kind string, data []byte) plumbing.Hash {
	t.Helper()
	full := append(fmt.Appendf(nil, "%s %d\x00", kind, len(data)), data...)
	id := plumbing.Hash(sha1.Sum(full))
	name := filepath.Join(dir, ".git/objects", id.String()[:2], id.String()[2:])
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(full)
	z.Close()
	require.NoError(t, os.WriteFile(name, b.Bytes(), 0o444))
	return id
}

var idents = []string{
	"A U Thor <a@example.com> %d +0000", "A <a@b> %d -0730", "<only@mail> %d +0100", " <x> %d +0000", "No Mail %d +0000", "A <a@b>%d +0100", "A <a@b> %d", "A <a@b>",
	"A <a@b> nonsense", "A <a <b> c> %d +0000", "A > B <a@b> %d +0000", "A <a@b> > %d +0200", "A <a@b> -%d +0000", "A <a@b> %d +9999", "A <a@b> %d -12345", "A <a@b> %d +000000130",
	"A <a@b> 99999999999999999999 +0000", "A <a@b> 9223372036854775807 +0000", "A <a@b> 67767976233532799 +0000", "A <a@b> 253402300800 +0000", "A <a@b> 18446744073709551615 +0000", "A <a@b> %d 0100", "A <a@b> %d +", "A\t<a@b>\t%d\t+0100", "A <a@b> %d +0100 extra",
	"A  B   <  a@b  > %d +0000", "René <r@é> %d +0100", "A <a@b> 0 +0000", "A <a@b> 1 +0000", "A <a@b> %d +1", "A <a@b> %d -0000", "A < a@b %d +0000", "A <a@b> %d +99999999999",
	"",
}

var messages = []string{
	"subject\n", "subject", "", "\n", "\n\n\nlate subject\n", "two\nlines\n\nbody\n", "trailing  \t\n  leading\n", "  \t\nafter blank\n", "cr line\r\nsecond\r\n\r\nbody\r\n", "tab\there\n", "form\ffeed\n", "nul\x00after\n", "é utf8\n",
	"\xe9 latin\n", "a|b|c\n", "one\n \ntwo\n", "\x0bvt\n",
}

// headers stand between the committer line and the message.
var headers = []string{"", "", "", "", "encoding ISO-8859-1\n", "encoding utf-8\n", "encoding nonsense\n", "encoding \n", "encoding latin1\n", "encoding UTF8\n", "encoding ISO-8859-1\nencoding KOI8-R\n",
	"gpgsig -----BEGIN\n line\n author X <x@y> 1 +0000\n", "author Second <s@t> 5 +0000\n", "extra header\n", "mergetag object 1\n type commit\n", "encoding ASCII\n", "encoding CP1252\n", "encoding KOI8-R\n"}

// randomHistory writes n commits with skewed dates and returns their ids.
func randomHistory(t testing.TB, dir string, r *rand.Rand, n int, odd bool) []plumbing.Hash {
	tree := writeObject(t, dir, "tree", nil)
	var ids []plumbing.Hash
	for i := range n {
		var b bytes.Buffer
		fmt.Fprintf(&b, "tree %s\n", tree)
		for range min(i, []int{1, 1, 1, 1, 2, 2, 3, 0}[r.IntN(8)]) {
			fmt.Fprintf(&b, "parent %s\n", ids[max(0, i-1-r.IntN(6))])
		}
		date := 1600000000 + i*10 + r.IntN(5)*r.IntN(60) - r.IntN(4)*r.IntN(100)
		if r.IntN(3) == 0 {
			date = 1600000000 + i/8*80
		}
		author, committer := "A <a@b> %d +0000", "C <c@d> %d +0000"
		message, header := fmt.Sprintf("c%d\n", i), ""
		if odd {
			author, message, header = idents[r.IntN(len(idents))], messages[r.IntN(len(messages))], headers[r.IntN(len(headers))]
			if r.IntN(4) == 0 {
				committer = idents[r.IntN(len(idents))]
			}
		}
		fmt.Fprintf(&b, "author %s\ncommitter %s\n%s\n%s", stamp(author, date), stamp(committer, date), header, message)
		ids = append(ids, writeObject(t, dir, "commit", b.Bytes()))
	}
	return ids
}

func stamp(ident string, date int) string {
	if !bytes.Contains([]byte(ident), []byte("%d")) {
		return ident
	}
	return fmt.Sprintf(ident, date)
}

func TestLogEqualsGit(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	for round := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, round))
		dir := fixtures.Init(t)
		ids := randomHistory(t, dir, r, 10+r.IntN(60), false)
		pick := func() plumbing.Hash { return ids[r.IntN(len(ids))] }
		write(t, dir, ".git/refs/heads/main", ids[len(ids)-1].String()+"\n")
		if r.IntN(3) == 0 {
			write(t, dir, ".git/shallow", pick().String()+"\n"+pick().String()+"\n")
		}
		if r.IntN(3) == 0 {
			write(t, dir, ".git/info/grafts", fmt.Sprintf("# c\n%s %s %s\n%s\n\nbad line\n", ids[len(ids)-1], pick(), ids[0], pick()))
		}
		repo := mustOpen(t, dir)
		t.Logf("seed %d round %d", seed, round)
		sameLog(t, dir, repo, reader.LogOptions{})
		sameLog(t, dir, repo, reader.LogOptions{Limit: 7, Skip: 2}, "-7", "--skip=2")
		sameLog(t, dir, repo, reader.LogOptions{FirstParent: true}, "--first-parent")
		for range 6 {
			one, two, out, other := pick(), pick(), pick(), pick()
			sameLog(t, dir, repo, reader.LogOptions{Tips: []plumbing.Hash{one, two}}, one.String(), two.String())
			sameLog(t, dir, repo, reader.LogOptions{Tips: []plumbing.Hash{one}, Exclude: []plumbing.Hash{out}}, "^"+out.String(), one.String())
			sameLog(t, dir, repo, reader.LogOptions{Tips: []plumbing.Hash{one, two}, Exclude: []plumbing.Hash{out, other}, Limit: 5}, "-5", "^"+out.String(), "^"+other.String(), one.String(), two.String())
		}
	}
}

func TestOddCommitsEqualGit(t *testing.T) {
	fixtures.RequireGit(t)
	seed := fixtures.Seed(t)
	for round := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, round))
		dir := fixtures.Init(t)
		ids := randomHistory(t, dir, r, 6, true)
		switch r.IntN(4) {
		case 0:
			write(t, dir, ".git/config", "[core]\nrepositoryformatversion=0\n[i18n]\nlogOutputEncoding=ISO-8859-1\n")
		case 1:
			write(t, dir, ".git/config", "[core]\nrepositoryformatversion=0\n[i18n]\ncommitEncoding=KOI8-R\n")
		}
		for _, id := range ids {
			write(t, dir, ".git/refs/heads/main", id.String()+"\n")
			t.Logf("seed %d round %d commit %s", seed, round, id)
			sameLog(t, dir, mustOpen(t, dir), reader.LogOptions{Limit: 1}, "-1")
		}
	}
}
