package tools

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ingit-dev/ingit/sandbox"
)

func TestParseRequest(t *testing.T) {
	params := func(kv ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	for text, want := range map[string]Request{
		`{"operation":"status"}`:                                                   {"status", params()},
		`{"operation":"log","limit":5}`:                                            {"log", params("limit", json.Number("5"))},
		`{"tool":"git_operations","operation":"log","limit":5}`:                    {"log", params("limit", json.Number("5"))},
		`{"tool":"git_operations","arguments":{"operation":"diff","cached":true}}`: {"diff", params("cached", true)},
		`{"tool":"git_diff","arguments":{"cached":true,"files":null}}`:             {"diff", params("cached", true, "files", nil)},
		`{"tool":"git_status","arguments":{}}`:                                     {"status", params()},
		`{"tool":"git_status"}`:                                                    {"status", params()},
		`{"tool":null,"operation":"status"}`:                                       {"status", params()},
		"\n {\"operation\":\"diff\",\"files\":[\"a b\",\"c\"]} \n":                 {"diff", params("files", []any{"a b", "c"})},
		`{"tool":"git_create_branch","arguments":{"branch":"x"}}`:                  {"create_branch", params("branch", "x")},
	} {
		got, err := ParseRequest([]byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestParseRequestRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                                     "the request is not a JSON object: it is empty",
		`[]`:                                   "the request is not a JSON object: it is an array",
		`null`:                                 "the request is not a JSON object: it is null",
		`{"operation":"status"`:                "the request is not a JSON object: unexpected EOF",
		`{"operation":"status"} {}`:            "the request is not a JSON object: something follows it",
		"{\"operation\":\"\xff\"}":             "the request is not a JSON object: invalid UTF-8",
		`{}`:                                   "parameter 'operation' is missing",
		`{"operation":null}`:                   "parameter 'operation' is missing",
		`{"operation":7}`:                      "parameter 'operation' must be a string, not the number 7",
		`{"tool":7}`:                           "parameter 'tool' must be a string, not the number 7",
		`{"tool":"git_init"}`:                  "unknown tool 'git_init'",
		`{"tool":"status"}`:                    "unknown tool 'status'",
		`{"tool":"git_status","arguments":[]}`: "parameter 'arguments' must be an object, not an array",
		`{"tool":"git_status","arguments":{},"limit":1}`: "unknown parameter 'limit' beside 'tool' and 'arguments'",
	} {
		_, err := ParseRequest([]byte(text))
		require.ErrorContains(t, err, want, text)
		require.ErrorAs(t, err, new(*RequestError), text)
	}
}

// bound binds the JSON parameters to the operation.
func bound(t *testing.T, operation, params string) error {
	t.Helper()
	r, err := ParseRequest([]byte(`{"tool":"git_` + operation + `","arguments":` + params + `}`))
	require.NoError(t, err)
	op, err := find(r.Operation)
	require.NoError(t, err)
	return op.bind(r.Params, sandbox.Policy{})
}

func TestBadParameters(t *testing.T) {
	for _, test := range []struct{ operation, params, want string }{
		{"log", `{"limti":5}`, "unknown parameter 'limti' of log, did you mean 'limit'?"},
		{"diff", `{"file":"x"}`, "unknown parameter 'file' of diff, did you mean 'files'?"},
		{"status", `{"nonsense":true}`, "unknown parameter 'nonsense' of status: it has "},
		{"status", `{"nonsense":null}`, "unknown parameter 'nonsense' of status"},
		{"log", `{"limit":"1; touch"}`, `parameter 'limit' of log must be an integer, not the string "1; touch"`},
		{"log", `{"limit":1.5}`, "parameter 'limit' of log must be an integer, not the number 1.5"},
		{"diff", `{"cached":"yes"}`, `parameter 'cached' of diff must be true or false, not the string "yes"`},
		{"diff", `{"files":7}`, "parameter 'files' of diff must be a string or an array of strings, not the number 7"},
		{"diff", `{"files":["a",7]}`, "parameter 'files' of diff must be a string or an array of strings, not an array"},
		{"status", `{"cwd":["a"]}`, "parameter 'cwd' of status must be a string, not an array"},
	} {
		err := bound(t, test.operation, test.params)
		require.ErrorContains(t, err, test.want)
		require.ErrorAs(t, err, new(*RequestError))
	}
}

func TestEveryStringIsChecked(t *testing.T) {
	for _, params := range []string{
		`{"files":"a; b"}`, `{"files":["a","$(b)"]}`, `{"files":"--pager=touch"}`, `{"cwd":"/a|b"}`, `{"cursor":"-c"}`, "{\"files\":\"a\\u0000b\"}",
	} {
		err := bound(t, "diff", params)
		require.EqualError(t, err, "Unsafe git arguments detected", params)
		require.Equal(t, "Unsafe git arguments detected", Sentence(err))
	}
}

func TestLimitIsClamped(t *testing.T) {
	for value, want := range map[string]int64{
		"0": 1, "-5": 1, "1": 1, "10": 10, "1000": 1000, "1001": 1000, "99999999999": 1000, "1e3": 1000, "1e400": 1000, "-1e400": 1, "null": 10,
		"123456789012345678901234567890": 1000,
	} {
		var limit int64
		op := &operation{name: "x", params: []*Param{number(&limit, "limit", "", 10, 1, 1000)}}
		r, err := ParseRequest([]byte(`{"operation":"x","limit":` + value + `}`))
		require.NoError(t, err)
		require.NoError(t, op.bind(r.Params, sandbox.Policy{}))
		require.Equal(t, want, limit, value)
	}
}

func TestWordsAndRequired(t *testing.T) {
	var word, must string
	op := func() *operation {
		return &operation{name: "x", params: []*Param{choice(&word, "word", "", "one", "two"), text(&must, "must", "").required()}}
	}
	require.NoError(t, op().bind(map[string]any{"must": ""}, sandbox.Policy{}))
	require.Equal(t, "one", word)
	require.EqualError(t, op().bind(map[string]any{"word": "two", "must": nil}, sandbox.Policy{}), "parameter 'must' of x is missing")
	require.EqualError(t, op().bind(map[string]any{"word": "three", "must": "a"}, sandbox.Policy{}), `parameter 'word' of x must be one of one, two, not the string "three"`)
}

func TestNearest(t *testing.T) {
	words := []string{"status", "diff", "log", "branch"}
	for name, want := range map[string]string{"staus": "status", "Status": "status", "stauts": "status", "dif": "diff", "lgo": "log", "branches": "branch", "gc": "", "push": "", "": ""} {
		assert.Equal(t, want, nearest(name, words), name)
	}
}

func FuzzParseRequest(f *testing.F) {
	for _, seed := range []string{`{"operation":"diff","files":["a"],"cached":true}`, `{"tool":"git_log","arguments":{"limit":5}}`, `{"operation":"status","cwd":null}`, `[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ParseRequest(data)
		if err != nil {
			return
		}
		if op, err := find(r.Operation); err == nil {
			op.bind(r.Params, sandbox.Policy{}) //nolint:errcheck // must not panic
		}
	})
}
