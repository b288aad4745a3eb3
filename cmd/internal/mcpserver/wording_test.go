package mcpserver

import "testing"

// An agent has tools and no shell.
func TestAgentWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`there is no doc set "Lamp"; docent sets lists those there are, docent add PATH adds one`:       `there is no doc set "Lamp"; list_doc_sets lists those there are, the person's docent add PATH adds one`,
		`"lamp" names no page; give SET/PAGE, and docent sets lists the doc sets`:                       `"lamp" names no page; give doc_set and page, and list_doc_sets lists the doc sets`,
		`the question is empty; ask something, for example: docent ask "how do I add a doc set"`:        `the question is empty; ask something, for example: how do I add a doc set`,
		`page oil.md of Lantern@2: the file is gone; docent update Lantern@2 takes it out of the index`: `page oil.md of Lantern@2: the file is gone; the person's docent update Lantern@2 takes it out of the index`,
		`the lamp is dark`: `the lamp is dark`,
	} {
		if got := agentWords(in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
