package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/ingit-dev/ingit/tools"
)

// session answers JSON lines: one request a line, one answer a line, in order.
// A request's "id" is echoed as it is. Repositories stay open in between.
func (p *process) session(ctx context.Context, tool *tools.Tool) int {
	in, out := bufio.NewReader(p.in), bufio.NewWriter(p.out)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := answerLine(ctx, tool, line, out); err != nil {
				return p.fail(err)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return exitOK
		case err != nil:
			return p.fail(err)
		}
	}
}

func answerLine(ctx context.Context, tool *tools.Tool, line []byte, out *bufio.Writer) error {
	id, request := splitID(line)
	answer, err := tool.Call(ctx, request).MarshalJSON()
	if err != nil {
		return err
	}
	out.WriteString(`{"id":`)
	out.Write(id)
	out.WriteByte(',')
	out.Write(answer[1:])
	out.WriteByte('\n')
	return out.Flush()
}

// splitID takes the id out of a request. Without one, or in a line that is no
// object, it is null.
func splitID(line []byte) (id json.RawMessage, request []byte) {
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) != nil || members["id"] == nil {
		return json.RawMessage("null"), line
	}
	id = members["id"]
	delete(members, "id")
	request, err := json.Marshal(members)
	if err != nil {
		return id, line
	}
	return id, request
}
