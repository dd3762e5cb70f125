package tools

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// described is what the three formats say about a tool, in common terms.
type described struct {
	Name, Doc string
	Schema    struct {
		Type                 string
		Properties           map[string]map[string]any
		Required             []string
		AdditionalProperties *bool
	}
	Annotations map[string]any
}

// schemas decodes the format's tools.
func schemas(t *testing.T, format Format, readOnly bool) []described {
	t.Helper()
	data, err := Schema(format, readOnly)
	require.NoError(t, err)
	var raw []map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(data, &raw))
	out := make([]described, len(raw))
	for i, tool := range raw {
		if format == OpenAI {
			require.JSONEq(t, `"function"`, string(tool["type"]))
			require.NoError(t, json.Unmarshal(tool["function"], &tool))
			require.JSONEq(t, `true`, string(tool["strict"]))
		}
		schema := map[Format]string{MCP: "inputSchema", OpenAI: "parameters", Anthropic: "input_schema"}[format]
		require.NoError(t, json.Unmarshal(tool["name"], &out[i].Name))
		require.NoError(t, json.Unmarshal(tool["description"], &out[i].Doc))
		require.NoError(t, json.Unmarshal(tool[schema], &out[i].Schema))
		if format == MCP {
			require.NoError(t, json.Unmarshal(tool["annotations"], &out[i].Annotations))
		}
	}
	return out
}

var toolNames = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func TestSchemasSayTheSame(t *testing.T) {
	mcp := schemas(t, MCP, false)
	require.Len(t, mcp, 1+len(Operations()))
	for _, format := range []Format{OpenAI, Anthropic} {
		for i, tool := range schemas(t, format, false) {
			assert.Equal(t, mcp[i].Name, tool.Name)
			assert.Equal(t, mcp[i].Doc, tool.Doc)
			assert.Len(t, tool.Schema.Properties, len(mcp[i].Schema.Properties))
			if format == Anthropic {
				assert.Equal(t, mcp[i].Schema, tool.Schema)
			}
		}
	}
}

func TestSchemasAreTakenByClients(t *testing.T) {
	for _, format := range []Format{MCP, OpenAI, Anthropic} {
		for _, tool := range schemas(t, format, false) {
			assert.Regexp(t, toolNames, tool.Name)
			assert.NotEmpty(t, tool.Doc)
			assert.Equal(t, "object", tool.Schema.Type)
			require.NotNil(t, tool.Schema.AdditionalProperties)
			assert.False(t, *tool.Schema.AdditionalProperties)
			for name, p := range tool.Schema.Properties {
				assert.NotEmpty(t, p["description"], name)
				for _, word := range []string{"anyOf", "oneOf", "allOf", "$ref", "format"} {
					assert.NotContains(t, p, word, name)
				}
				if format == OpenAI {
					assert.Contains(t, tool.Schema.Required, name)
				}
			}
		}
	}
	for _, tool := range schemas(t, MCP, false) {
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			assert.IsType(t, true, tool.Annotations[hint], "%s %s", tool.Name, hint)
		}
	}
}

func TestEveryOperationHasItsSchema(t *testing.T) {
	tools := schemas(t, MCP, false)
	for _, name := range Operations() {
		params, doc, err := Params(name)
		require.NoError(t, err)
		i := slices.IndexFunc(tools, func(d described) bool { return d.Name == "git_"+name })
		require.GreaterOrEqual(t, i, 0, name)
		assert.Equal(t, doc, tools[i].Doc)
		for _, p := range params {
			assert.Contains(t, tools[i].Schema.Properties, p.Name)
			assert.Contains(t, tools[0].Schema.Properties, p.Name, "git_operations")
			assert.Regexp(t, `\.$`, p.Doc)
		}
	}
}

func TestReadOnlySchemaHasNoWrites(t *testing.T) {
	for _, tool := range schemas(t, MCP, true) {
		assert.Equal(t, true, tool.Annotations["readOnlyHint"], tool.Name)
	}
	_, err := Schema("yaml", false)
	require.EqualError(t, err, "unknown schema format 'yaml': there are mcp, openai, anthropic")
}
