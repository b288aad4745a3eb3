package mcpserver

import (
	"strings"

	"docent/pipeline/text/pattern"
)

// personsCommand is a command that no tool stands for: a person runs it.
var personsCommand = pattern.Lazy(`\bdocent (add|config|diff|doctor|enrich|models|rm|status|update)\b`)

// agentWords is a message with the tools in place of the commands of the shell. What no tool
// does is left to the person at the machine.
func agentWords(message string) string {
	message = strings.NewReplacer(
		`ask something, for example: docent ask "how do I add a doc set"`, "ask something, for example: how do I add a doc set",
		"give SET/PAGE, and docent sets lists", "give doc_set and page, and list_doc_sets lists",
		"docent ask", "ask_docs", "docent search", "search_docs", "docent read", "read_doc", "docent sets", "list_doc_sets",
		"docent param", "look_up_parameter", "docent verify", "verify_citation").Replace(message)
	return personsCommand().ReplaceAllString(message, "the person's docent $1")
}
