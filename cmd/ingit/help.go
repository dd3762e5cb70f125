package main

import (
	"fmt"
	"strings"

	"github.com/ingit-dev/ingit/tools"
)

const usage = `usage: ingit OPERATION [--PARAM VALUE ...] [-C DIR]
       ingit call [--json] < request.json
       ingit session
       ingit schema [--format mcp|openai|anthropic]

Everywhere: --workspace DIR (default: the repository's top), --allow DIR (may be
repeated), --json, --read-only, --skip-hooks, --literal.

`

// help returns the text for a command or operation, or for all of them.
func help(command string) string {
	var b strings.Builder
	if params, doc, err := tools.Params(command); err == nil {
		fmt.Fprintf(&b, "usage: ingit %s [--PARAM VALUE ...] [-C DIR]\n\n%s\n\n", command, doc)
		for _, p := range params {
			fmt.Fprintf(&b, "  --%-18s %s\n", strings.ReplaceAll(p.Name, "_", "-"), p.Doc)
		}
		return b.String()
	}
	b.WriteString(usage + "Operations:\n")
	for _, name := range tools.Operations() {
		_, doc, _ := tools.Params(name)
		fmt.Fprintf(&b, "  %-14s %s\n", name, doc)
	}
	return b.String()
}
