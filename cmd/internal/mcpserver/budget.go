package mcpserver

import (
	"encoding/json"

	"docent/pipeline/phase/process"
)

// tokensOf estimates a structured answer as it is sent: its JSON twice, as structured
// content and as the text that the protocol also requires, for clients that read only
// text.
func tokensOf(v any) int {
	raw, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return 2 * process.Tokens(string(raw))
}

// fitsBudget reports whether an answer keeps within a budget.
func fitsBudget(v any, most int) bool { return tokensOf(v) <= most }
