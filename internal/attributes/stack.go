package attributes

import (
	"strings"
	"sync"
)

// builtin is the one macro that git brings along.
const builtin = "[attr]binary -diff -merge -text\n"

// Source is an attributes file that is not found by its directory.
type Source struct {
	Name string // for messages
	Data []byte
}

// Options of New.
type Options struct {
	// Read returns the content of a file named .gitattributes, by its path relative to the top of the work tree. Nil or an error mean
	// that there is none to go by: like git, we do without a file that cannot be read. It is asked once per directory.
	Read func(path string) ([]byte, error)
	// Global are the files that are weaker than those of the work tree, in rising strength: the system's, then core.attributesFile.
	Global []Source
	// Info is info/attributes, which is stronger than all others; nil when absent.
	Info *Source
	// IgnoreCase is core.ignoreCase.
	IgnoreCase bool
}

// Stack answers for one work tree, and keeps what it has read. It is safe for concurrent use.
type Stack struct {
	opts   Options
	info   *frame
	macros map[*attribute][]assignment

	mu    sync.RWMutex
	names map[string]*attribute
	dirs  map[string]*frame
}

// frame is the rules of one file and its weaker neighbour.
type frame struct {
	weaker *frame
	rules  []rule
	base   int // length of the governed directory's path with its slash
}

// New returns the stack of a work tree.
func New(opts Options) *Stack {
	s := &Stack{opts: opts, names: map[string]*attribute{}, dirs: map[string]*frame{}, macros: map[*attribute][]assignment{}}
	var weakest *frame
	for _, source := range append([]Source{{Data: []byte(builtin)}}, opts.Global...) {
		weakest = s.push(weakest, s.parse(source.Data, true), 0)
	}
	s.dirs[""] = s.push(weakest, s.parse(s.read(".gitattributes"), true), 0)
	if s.info = new(frame); opts.Info != nil {
		s.info.rules = s.define(s.parse(opts.Info.Data, true))
	}
	return s
}

func (s *Stack) read(path string) []byte {
	if s.opts.Read == nil {
		return nil
	}
	data, err := s.opts.Read(path)
	if err != nil {
		return nil
	}
	return data
}

// push puts rules on top of the weaker ones.
func (s *Stack) push(weaker *frame, rules []rule, base int) *frame {
	if rules = s.define(rules); len(rules) == 0 {
		return weaker
	}
	return &frame{weaker, rules, base}
}

// define takes the macros out of the rules. Stronger definitions come later and replace weaker ones.
func (s *Stack) define(rules []rule) []rule {
	kept := rules[:0]
	for _, r := range rules {
		if r.macro != nil {
			s.macros[r.macro] = r.assigns
		} else {
			kept = append(kept, r)
		}
	}
	return kept
}

// attribute returns the table's entry for name. The caller holds the lock, or is New.
func (s *Stack) attribute(name string) *attribute {
	a := s.names[name]
	if a == nil {
		a = &attribute{name, len(s.names)}
		s.names[name] = a
	}
	return a
}

// dir returns the frames that govern the children of a directory.
func (s *Stack) dir(path string) *frame {
	s.mu.RLock()
	f, known := s.dirs[path]
	s.mu.RUnlock()
	if known {
		return f
	}
	parent := s.dir(path[:max(strings.LastIndexByte(path, '/'), 0)])
	data := s.read(path + "/.gitattributes")
	s.mu.Lock()
	defer s.mu.Unlock()
	if f, known = s.dirs[path]; known {
		return f
	}
	f = s.push(parent, s.parse(data, false), len(path)+1)
	s.dirs[path] = f
	return f
}

// Lookup returns the attributes of path, relative to the top. A path that ends in a slash is a directory.
func (s *Stack) Lookup(path string) Attributes {
	path, isDir := strings.CutSuffix(path, "/")
	name := strings.LastIndexByte(path, '/') + 1
	f := s.dir(path[:max(name-1, 0)])
	if f == nil && len(s.info.rules) == 0 {
		return Attributes{}
	}
	l := lookup{stack: s, path: path, name: name, isDir: isDir}
	l.ask(s.info)
	for ; f != nil; f = f.weaker {
		l.ask(f)
	}
	return Attributes{l.decided}
}

// lookup collects what is decided for one path.
type lookup struct {
	stack   *Stack
	path    string
	name    int
	isDir   bool
	decided []assignment
	done    map[*attribute]bool
}

// ask goes through a frame's rules, the strongest first.
func (l *lookup) ask(f *frame) {
	for i := len(f.rules) - 1; i >= 0; i-- {
		if r := &f.rules[i]; r.path.Match(f.base, l.path, l.name, l.isDir, l.stack.opts.IgnoreCase) {
			l.decide(r.assigns)
		}
	}
}

// decide takes assignments from the last to the first, and those of a macro right after the macro. Each attribute is decided once,
// so macros that name each other come to an end; a chain of macros is followed without recursion.
func (l *lookup) decide(assigns []assignment) {
	for pending := [][]assignment{assigns}; len(pending) > 0; {
		top := &pending[len(pending)-1]
		if len(*top) == 0 {
			pending = pending[:len(pending)-1]
			continue
		}
		a := (*top)[len(*top)-1]
		*top = (*top)[:len(*top)-1]
		if l.done[a.attr] {
			continue
		}
		if l.done == nil {
			l.done = map[*attribute]bool{}
		}
		l.done[a.attr] = true
		l.decided = append(l.decided, a)
		if macro := l.stack.macros[a.attr]; macro != nil && a.value.State == Set {
			pending = append(pending, macro)
		}
	}
}
