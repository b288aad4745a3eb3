package mcpserver

import (
	"encoding/json"

	"docent/pipeline/phase/process"
	"docent/pipeline/service/operation"
)

// tokensOf estimates a structured answer as it is sent: its JSON as structured content, and
// the text that the protocol also requires, for clients that read only text. An answer that
// has no text of its own is its JSON there too.
func tokensOf(v any) int {
	raw, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	if told, ok := v.(operation.Told); ok {
		return process.Tokens(string(raw)) + process.Tokens(told.ToolText())
	}
	return 2 * process.Tokens(string(raw))
}

// fitsBudget reports whether an answer keeps within a budget.
func fitsBudget(v any, most int) bool { return tokensOf(v) <= most }
