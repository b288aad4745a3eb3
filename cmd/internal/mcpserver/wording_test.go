package mcpserver

import (
	"testing"

	"docent/pipeline/contract"
)

// An agent has tools and no shell.
func TestAgentWords(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]*contract.Remedy{
		"broken; list_doc_sets lists those there are, the person's docent add PATH adds one": contract.RunDocent("sets").
			To("lists those there are").And(contract.RunDocent("add", "PATH").To("adds one")),
		"broken; search_docs finds pages by what they say": contract.RunDocent("search", "wick").To("finds pages by what they say"),
		"broken; the person's docent update Lantern@2 takes it out of the index": contract.RunDocent("update", "Lantern@2").
			To("takes it out of the index"),
		"broken; raise max_tokens": contract.Change("max_tokens").To("raise"),
		"broken; read_doc of the page without a section lists its sections": contract.RunDocent("read", "Lantern@2/wick.md", "--toc").
			To("lists its sections"),
		`broken; list_pages with doc_set "Lantern@2" lists its pages`: contract.RunDocent("read", "Lantern@2", "--toc").
			To("lists its pages"),
		"broken": contract.RunDocent("read", "Lantern@2/wick.md").To("shows it"),
	} {
		if got := agentWords("broken", r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := agentWords("the lamp is dark", nil); got != "the lamp is dark" {
		t.Errorf("%q", got)
	}
}
