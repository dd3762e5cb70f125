package tools

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Format names the shape of a schema: how a kind of client wants its tools
// described.
type Format string

// The formats of schemas.
const (
	MCP       Format = "mcp"       // tools/list of the Model Context Protocol
	OpenAI    Format = "openai"    // function tools, strict
	Anthropic Format = "anthropic" // tools with input_schema
)

// Schema returns the definitions of all tools as JSON: git_operations, which
// takes any operation by name, and one tool for each operation (git_status, …).
// All formats follow from the catalogue. A read-only workspace has no tools
// that write.
func (t *Tool) Schema(format Format) ([]byte, error) {
	return Schema(format, t.workspace.Policy().ReadOnly)
}

// Schema is like Tool.Schema, without a workspace.
func Schema(format Format, readOnly bool) ([]byte, error) {
	if format != MCP && format != OpenAI && format != Anthropic {
		return nil, &RequestError{Param: "format", Reason: fmt.Sprintf("unknown schema format '%s': there are %s, %s, %s", format, MCP, OpenAI, Anthropic)}
	}
	var out []any
	for _, d := range definitions(readOnly) {
		out = append(out, d.shape(format))
	}
	return json.MarshalIndent(out, "", "  ")
}

// definition is a tool before it has a format.
type definition struct {
	name, title, doc string
	params           []*Param
	writes           bool
	destructive      bool
	idempotent       bool
}

// definitions lists git_operations and then each operation's own tool.
func definitions(readOnly bool) []definition {
	var ops []*operation
	for _, e := range catalogue {
		op, err := find(e.name)
		if err == nil && !(readOnly && op.writes) {
			ops = append(ops, op)
		}
	}
	out := []definition{together(ops)}
	for _, op := range ops {
		out = append(out, definition{name: toolPrefix + op.name, title: "Git " + strings.ReplaceAll(op.name, "_", " "), doc: op.doc,
			params: op.params, writes: op.writes, destructive: op.destructive, idempotent: !op.writes || op.idempotent})
	}
	return out
}

// together is the tool that takes every operation: its parameters are all
// operations' parameters, each with the names of those that have it.
func together(ops []*operation) definition {
	d := definition{name: toolName, title: "Git operations", idempotent: true}
	var names []string
	var params []*Param
	owners := map[string][]string{}
	for _, op := range ops {
		names = append(names, op.name)
		d.writes = d.writes || op.writes
		d.destructive = d.destructive || op.destructive
		d.idempotent = d.idempotent && !op.writes
		for _, p := range op.params {
			if owners[p.Name] == nil {
				params = append(params, p)
			}
			owners[p.Name] = append(owners[p.Name], op.name)
		}
	}
	d.doc = "One git operation on the repository of the workspace, without starting git: " + strings.Join(names, ", ") + "."
	d.params = []*Param{{Name: "operation", Doc: "What to do.", Kind: String, Required: true, Enum: names}}
	for _, p := range params {
		q := *p
		q.Required = false
		if who := owners[p.Name]; len(who) < len(ops) {
			q.Doc = strings.Join(who, ", ") + ": " + q.Doc
		}
		if len(owners[p.Name]) > 1 && len(q.Enum) > 0 {
			q.Enum = nil // operations may differ in the words that they know
		}
		d.params = append(d.params, &q)
	}
	return d
}

// shape returns the definition as clients of the format want it.
func (d definition) shape(format Format) jsonObject {
	switch format {
	case OpenAI:
		return jsonObject{{"type", "function"}, {"function", jsonObject{
			{"name", d.name}, {"description", d.doc}, {"parameters", d.schema(true)}, {"strict", true}}}}
	case Anthropic:
		return jsonObject{{"name", d.name}, {"description", d.doc}, {"input_schema", d.schema(false)}}
	}
	return jsonObject{{"name", d.name}, {"title", d.title}, {"description", d.doc}, {"inputSchema", d.schema(false)}, {"annotations", jsonObject{
		{"title", d.title}, {"readOnlyHint", !d.writes}, {"destructiveHint", d.destructive}, {"idempotentHint", d.idempotent}, {"openWorldHint", false}}}}
}

// schema returns the JSON schema of the parameters. Strict schemas list every
// parameter as required and let the optional ones be null instead.
func (d definition) schema(strict bool) jsonObject {
	properties, required := jsonObject{}, []string{}
	for _, p := range d.params {
		nullable := strict && !p.Required
		properties = append(properties, member{p.Name, p.schema(nullable)})
		if p.Required || strict {
			required = append(required, p.Name)
		}
	}
	return jsonObject{{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}
}

// schema returns the JSON schema of one parameter.
func (p *Param) schema(nullable bool) jsonObject {
	kind := [...]string{String: "string", Strings: "array", Bool: "boolean", Int: "integer"}[p.Kind]
	types := any(kind)
	if nullable {
		types = []string{kind, "null"}
	}
	doc := p.Doc
	if p.Default != nil && p.Default != false {
		doc += fmt.Sprintf(" Default: %v.", p.Default)
	}
	s := jsonObject{{"type", types}, {"description", doc}}
	if len(p.Enum) > 0 {
		words := make([]any, len(p.Enum))
		for i, w := range p.Enum {
			words[i] = w
		}
		if nullable {
			words = append(words, nil)
		}
		s = append(s, member{"enum", words})
	}
	if p.Kind == Strings {
		s = append(s, member{"items", jsonObject{{"type", "string"}}})
	}
	if p.Default != nil && !nullable {
		s = append(s, member{"default", p.Default})
	}
	return s
}

// jsonObject is a JSON object whose members keep their order.
type jsonObject []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o jsonObject) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}
