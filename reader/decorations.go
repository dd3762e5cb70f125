package reader

import (
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/ingit-dev/ingit/internal/gitconfig"
	"github.com/ingit-dev/ingit/internal/object"
	"github.com/ingit-dev/ingit/internal/wildmatch"
)

// Decorations are the names of refs that git log shows beside the objects that
// they lead to (git-log(1), --decorate), by id.
type Decorations map[plumbing.Hash]string

// Decorations returns what log.decorate asks to show beside commits: nil unless
// it is set to something other than false and auto, which is none where the
// output is no terminal. A text has a space before it and parentheses around.
func (r *Repository) Decorations() (Decorations, error) {
	entry, set := r.Config().Entry("log.decorate")
	if !set {
		return nil, nil
	}
	full := entry.Value == "full"
	if on, err := gitconfig.ParseBool(entry.Value, entry.HasValue); !full && entry.Value != "short" && (err != nil || !on) {
		return nil, nil
	}
	everything, _ := r.Config().Get("log.initialdecorationset")
	return r.decorations(full, everything == "all", r.Config().All("log.excludedecoration"))
}

// AllDecorations returns what the placeholder %d shows where log.decorate asks
// for nothing: all refs, by their short names.
func (r *Repository) AllDecorations() (Decorations, error) { return r.decorations(false, true, nil) }

func (r *Repository) decorations(full, everything bool, excluded []string) (Decorations, error) {
	d := decorator{repo: r, full: full, names: map[plumbing.Hash][]decoration{}}
	if err := d.load(everything, excluded); err != nil {
		return nil, err
	}
	return d.texts(), nil
}

// decoration is one ref beside an object.
type decoration struct {
	ref string // full name, or "replaced", "grafted"
	tag bool   // an annotated tag leads here
}

// decorator collects what stands beside objects.
type decorator struct {
	repo  *Repository
	full  bool
	names map[plumbing.Hash][]decoration
	head  Head
}

// decorating are the refs that git decorates with unless told otherwise.
var decorating = []string{"refs/heads/", "refs/tags/", "refs/remotes/", "refs/replace/"}

func (d *decorator) load(everything bool, excluded []string) error {
	all, err := d.repo.refs.List("refs/")
	if err != nil {
		return err
	}
	for _, ref := range all {
		if ref.Broken || !shown(ref.Name, excluded, everything) {
			continue
		}
		if original, ok := strings.CutPrefix(ref.Name, "refs/replace/"); ok {
			d.add(plumbing.NewHash(original), decoration{ref: "replaced"})
			continue
		}
		d.leads(ref.Name, ref.ID)
	}
	if d.head, err = d.repo.Head(); err != nil || d.head.Unborn {
		return nil // then HEAD decorates nothing
	}
	if shown("HEAD", excluded, true) {
		d.add(d.head.ID, decoration{ref: "HEAD"})
	}
	return nil
}

// shown tells whether a ref is shown: what is excluded isn't, and without
// exclusions only the usual kinds are.
func shown(ref string, excluded []string, all bool) bool {
	for _, pattern := range excluded {
		if !strings.HasPrefix(pattern, "refs/") && pattern != "HEAD" {
			pattern = "refs/" + pattern
		}
		if rest, ok := strings.CutPrefix(ref, strings.TrimSuffix(pattern, "/")); ok && (rest == "" || rest[0] == '/') {
			return false
		}
		if strings.ContainsAny(pattern, "*?[\\") && wildmatch.Match(pattern, ref, 0) {
			return false
		}
	}
	if all || len(excluded) > 0 || ref == "refs/stash" {
		return true
	}
	for _, prefix := range decorating {
		if strings.HasPrefix(ref, prefix) {
			return true
		}
	}
	return false
}

// leads adds a ref to its object and, if that is a tag, to what it names.
func (d *decorator) leads(ref string, id plumbing.Hash) {
	d.add(id, decoration{ref: ref, tag: strings.HasPrefix(ref, "refs/tags/")})
	for range maxTagDepth {
		kind, data, err := d.repo.Objects().Read(id)
		if err != nil || kind != plumbing.TagObject {
			return
		}
		tag, err := object.ParseTag(id, data)
		if err != nil {
			return
		}
		id = tag.Target
		d.add(id, decoration{ref: ref, tag: true})
	}
}

func (d *decorator) add(id plumbing.Hash, name decoration) {
	d.names[id] = append(d.names[id], name)
}

// texts joins the names of each object, the last one first.
func (d *decorator) texts() Decorations {
	texts := make(Decorations, len(d.names))
	for id, names := range d.names {
		current := ""
		if names[len(names)-1].ref == "HEAD" && !d.head.Detached && slices.Contains(names, decoration{ref: d.head.Ref}) {
			current = d.head.Ref
		}
		var parts []string
		for i := len(names) - 1; i >= 0; i-- {
			n := names[i]
			switch {
			case n.ref == current && current != "":
				continue
			case n.ref == "HEAD" && current != "":
				parts = append(parts, "HEAD -> "+d.name(current))
			case n.tag:
				parts = append(parts, "tag: "+d.name(n.ref))
			default:
				parts = append(parts, d.name(n.ref))
			}
		}
		texts[id] = " (" + strings.Join(parts, ", ") + ")"
	}
	return texts
}

func (d *decorator) name(ref string) string {
	if d.full {
		return ref
	}
	for _, prefix := range decorating[:3] {
		if rest, ok := strings.CutPrefix(ref, prefix); ok {
			return rest
		}
	}
	return ref
}
