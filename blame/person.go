package blame

import (
	"bytes"
	"context"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/mailmap"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/odb"
	"github.com/ingit-dev/ingit/internal/pretty"
	"github.com/ingit-dev/ingit/reader"
)

// details is what the formats show of a commit.
type details struct {
	author, committer person
	summary           []byte
}

type person struct {
	name, mail, zone []byte // the mail in its angle brackets
	when             uint64
}

// describer reads the details of commits.
type describer struct {
	objects     *odb.Reader
	names       *mailmap.Map
	encoding    string
	uncommitted []byte
}

func newDescriber(ctx context.Context, r *reader.Repository, result *Result) (*describer, error) {
	names, err := r.Mailmap(ctx)
	if err != nil {
		return nil, err
	}
	return &describer{r.Objects().NewReader(), names, r.OutputEncoding(), result.uncommitted}, nil
}

// describe returns a commit's details, which stay valid.
func (d *describer) describe(id plumbing.Hash) (details, error) {
	data := d.uncommitted
	if !id.IsZero() {
		kind, content, err := d.objects.Read(id)
		if err != nil {
			return details{}, err
		}
		if kind != plumbing.CommitObject {
			return details{}, &reader.TypeError{ID: id, Have: kind, Want: plumbing.CommitObject}
		}
		data = bytes.Clone(content)
	}
	data = pretty.Recode(data, d.encoding)
	if i := bytes.IndexByte(data, 0); i >= 0 {
		data = data[:i]
	}
	shown := details{author: d.person(data, "\nauthor "), committer: d.person(data, "\ncommitter ")}
	if shown.summary = summary(data); len(shown.summary) == 0 {
		shown.summary = []byte("(" + id.String() + ")")
	}
	return shown, nil
}

// person reads the line that begins with key, as git does: the first that looks
// like it, wherever it stands.
func (d *describer) person(data []byte, key string) person {
	_, line, found := bytes.Cut(data, []byte(key))
	line, _, _ = bytes.Cut(line, []byte("\n"))
	ident, ok := object.SplitIdent(line)
	if !found || !ok {
		return person{name: nobody, mail: nobody, zone: nobody}
	}
	p := person{zone: nobody}
	if ident.Date != nil {
		p.zone = ident.Zone
		if p.when, ok = seconds(ident.Date); !ok {
			p.when = 1<<64 - 1
		}
	}
	name, mail := d.names.Lookup(ident.Name, ident.Email)
	p.name = name
	p.mail = append(append([]byte("<"), mail...), '>')
	return p
}

var nobody = []byte("(unknown)")

func seconds(digits []byte) (uint64, bool) {
	n, err := strconv.ParseUint(string(digits), 10, 64)
	return n, err == nil
}

// summary is the first line of a commit's message that isn't blank.
func summary(data []byte) []byte {
	_, message, _ := bytes.Cut(data, []byte("\n\n"))
	for len(message) > 0 {
		line, rest, _ := bytes.Cut(message, []byte("\n"))
		if len(bytes.Trim(line, " \t\n\r")) > 0 {
			return line
		}
		message = rest
	}
	return nil
}
