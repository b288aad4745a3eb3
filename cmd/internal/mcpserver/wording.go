package mcpserver

import (
	"fmt"
	"slices"
	"strings"

	"docent/cmd/internal/shellwords"
	"docent/pipeline/contract"
)

// toolsOf are the tools that do what a command of the shell does.
var toolsOf = map[string]string{
	"ask": "ask_docs", "search": "search_docs", "sets": "list_doc_sets", "param": "look_up_parameter", "verify": "verify_citation",
	"impact": "list_changed_names",
}

// agentWords is a message with its remedy for an agent, which has tools and no shell. What no
// tool does is left to the person at the machine.
func agentWords(message string, r *contract.Remedy) string {
	return contract.Wording{Command: commandOfAgent, Field: func(key string) string { return key }}.Message(message, r)
}

// commandOfAgent is the tool that stands for a command, or the command of a person. The tool
// for pages has no list of sections: they are seen in the page.
func commandOfAgent(args []string) string {
	if args[0] == "read" {
		if slices.Contains(args, "--toc") {
			if len(args) > 1 && !strings.Contains(args[1], "/") {
				return fmt.Sprintf("list_pages with doc_set %q", args[1])
			}
			return "read_doc of the page without a section"
		}
		return ""
	}
	if tool, ok := toolsOf[args[0]]; ok {
		return tool
	}
	return "the person's " + shellwords.Command(args)
}
