package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ingit-dev/ingit/tools"
)

// usageError is a command line that can't be understood.
type usageError string

// Error returns the sentence.
func (e usageError) Error() string { return string(e) }

// GitLevel says that the text stands alone.
func (e usageError) GitLevel() string { return "" }

// commandLine is the parsed command line.
type commandLine struct {
	command   string // an operation, or one of commands; empty: none
	dir       string // -C: work as if started there
	workspace string
	allow     []string
	format    string         // of a schema
	params    map[string]any // of the operation

	json, skipHooks, readOnly, literal, help bool
}

// commands are the words that are no operations.
var commands = []string{"call", "session", "schema", "mcp", "help"}

// parse reads the command line. Options may stand before the command and after
// it, as --name VALUE or --name=VALUE; a hyphen in a name is an underscore.
func parse(args []string) (commandLine, error) {
	line := commandLine{format: string(tools.MCP), params: map[string]any{}}
	s := &scanner{args: args}
	for s.more() {
		arg := s.next()
		var err error
		switch {
		case arg == "-C":
			line.dir, err = s.value(arg)
		case arg == "-h":
			line.help = true
		case strings.HasPrefix(arg, "--") && len(arg) > 2:
			err = line.option(s, arg)
		case strings.HasPrefix(arg, "-"):
			err = usageError(fmt.Sprintf("unknown option '%s'", arg))
		case line.command == "":
			err = line.setCommand(arg)
		default:
			err = usageError(fmt.Sprintf("unexpected argument '%s': a parameter is given as --NAME VALUE", arg))
		}
		if err != nil {
			return line, err
		}
	}
	return line, nil
}

func (line *commandLine) setCommand(word string) error {
	line.command = strings.ReplaceAll(word, "-", "_")
	if slices.Contains(commands, line.command) {
		return nil
	}
	_, _, err := tools.Params(line.command)
	return err
}

// option reads one --name with its value.
func (line *commandLine) option(s *scanner, arg string) (err error) {
	name, given, has := strings.Cut(arg[2:], "=")
	if has {
		s.back(given)
	}
	name = strings.ReplaceAll(name, "-", "_")
	switch name {
	case "json":
		return s.bool(arg, has, &line.json)
	case "skip_hooks":
		return s.bool(arg, has, &line.skipHooks)
	case "read_only":
		return s.bool(arg, has, &line.readOnly)
	case "literal":
		return s.bool(arg, has, &line.literal)
	case "help":
		return s.bool(arg, has, &line.help)
	case "workspace":
		line.workspace, err = s.value(arg)
		return err
	case "allow":
		dir, err := s.value(arg)
		line.allow = append(line.allow, dir)
		return err
	}
	if line.command == "schema" && name == "format" {
		line.format, err = s.value(arg)
		return err
	}
	if line.command == "" || slices.Contains(commands, line.command) {
		return usageError(fmt.Sprintf("unknown option '--%s'", strings.ReplaceAll(name, "_", "-")))
	}
	return line.param(s, arg, name, has)
}

// param reads a parameter of the operation. One that the operation doesn't
// have is kept, for the operation to refuse.
func (line *commandLine) param(s *scanner, arg, name string, has bool) error {
	params, _, err := tools.Params(line.command)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(params, func(p *tools.Param) bool { return p.Name == name })
	if i < 0 {
		if has || s.more() && !strings.HasPrefix(s.args[0], "-") {
			s.next()
		}
		line.params[name] = true
		return nil
	}
	if params[i].Kind == tools.Bool {
		on := false
		if err := s.bool(arg, has, &on); err != nil {
			return err
		}
		line.params[name] = on
		return nil
	}
	value, err := s.value(arg)
	if err != nil {
		return err
	}
	switch params[i].Kind {
	case tools.Int:
		line.params[name] = json.Number(value)
	case tools.Strings:
		list, _ := line.params[name].([]string)
		line.params[name] = append(list, value)
	default:
		line.params[name] = value
	}
	return nil
}

// scanner walks over the arguments.
type scanner struct{ args []string }

func (s *scanner) more() bool { return len(s.args) > 0 }

func (s *scanner) next() string {
	arg := s.args[0]
	s.args = s.args[1:]
	return arg
}

// back puts the value of --name=VALUE in front.
func (s *scanner) back(value string) { s.args = append([]string{value}, s.args...) }

func (s *scanner) value(option string) (string, error) {
	if !s.more() {
		return "", usageError(fmt.Sprintf("option '%s' needs a value", option))
	}
	return s.next(), nil
}

// bool reads --name, which means true, or the value of --name=VALUE.
func (s *scanner) bool(option string, has bool, dst *bool) error {
	*dst = true
	if !has {
		return nil
	}
	switch value := s.next(); value {
	case "true":
	case "false":
		*dst = false
	default:
		return usageError(fmt.Sprintf("'%s' must be true or false, not %q", option, value))
	}
	return nil
}
