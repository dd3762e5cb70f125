package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Request is one request: an operation and its parameters by name.
// A parameter's value is a string, []string, []any of strings, bool, int,
// int64 or json.Number; nil means absent.
type Request struct {
	Operation string
	Params    map[string]any
}

// RequestError says what is wrong with a request itself: it is no JSON object,
// the operation or a parameter is not known, or a value has the wrong type.
// Nothing was opened.
type RequestError struct {
	Operation string // empty when the request is no request at all
	Param     string // the parameter that is wrong; empty: none in particular
	Reason    string // a sentence that names the value
}

// Error returns the sentence.
func (e *RequestError) Error() string { return e.Reason }

// GitLevel says that the text stands alone: git has no such error.
func (e *RequestError) GitLevel() string { return "" }

// The tool that takes an operation by name, and what the names of the tools
// that are one operation each begin with.
const (
	toolName   = "git_operations"
	toolPrefix = "git_"
)

// ParseRequest reads a request: {"operation": NAME, …}, the same with
// "tool": "git_operations" beside it, or {"tool": NAME, "arguments": {…}}, where
// NAME may also be one operation's own tool, such as git_status.
// Errors are *RequestError.
func ParseRequest(data []byte) (Request, error) {
	params, err := decodeObject(data)
	if err != nil {
		return Request{}, &RequestError{Reason: "the request is not a JSON object: " + err.Error()}
	}
	tool, err := take(params, "tool")
	if err != nil {
		return Request{}, err
	}
	if tool != "" {
		if params, err = unwrap(params); err != nil {
			return Request{}, err
		}
	}
	if tool != "" && tool != toolName {
		operation, ok := strings.CutPrefix(tool, toolPrefix)
		if !ok || !exists(operation) {
			return Request{}, unknownTool(tool)
		}
		return Request{Operation: operation, Params: params}, nil
	}
	operation, err := take(params, "operation")
	if err == nil && operation == "" {
		err = &RequestError{Param: "operation", Reason: "parameter 'operation' is missing: it is one of " + strings.Join(Operations(), ", ")}
	}
	return Request{Operation: operation, Params: params}, err
}

// take removes a parameter of the request itself and returns its string;
// absent and null are "".
func take(params map[string]any, name string) (string, error) {
	v := params[name]
	delete(params, name)
	if v == nil {
		return "", nil
	}
	s, ok := v.(string)
	if !ok {
		return "", &RequestError{Param: name, Reason: fmt.Sprintf("parameter '%s' must be a string, not %s", name, describe(v))}
	}
	return s, nil
}

// unwrap returns the object under "arguments"; parameters that stand beside
// "tool" themselves, as the reference's examples write them, stay as they are.
func unwrap(params map[string]any) (map[string]any, error) {
	arguments, there := params["arguments"]
	delete(params, "arguments")
	if !there || arguments == nil {
		return params, nil
	}
	inner, ok := arguments.(map[string]any)
	if !ok {
		return nil, &RequestError{Param: "arguments", Reason: "parameter 'arguments' must be an object, not " + describe(arguments)}
	}
	for name := range params {
		return nil, &RequestError{Param: name, Reason: fmt.Sprintf("unknown parameter '%s' beside 'tool' and 'arguments'", name)}
	}
	return inner, nil
}

// decodeObject reads exactly one JSON object. Bytes that are not UTF-8 are
// refused, since the decoder would silently replace them.
func decodeObject(data []byte) (map[string]any, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("invalid UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("it is empty")
		}
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows it")
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("it is " + describe(value))
	}
	return object, nil
}

func unknownTool(name string) error {
	return &RequestError{Param: "tool", Reason: fmt.Sprintf("unknown tool '%s': there are %s and, one for each operation, %s", name, toolName, toolPrefix+strings.Join(Operations(), ", "+toolPrefix))}
}
