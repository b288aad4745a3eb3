package llmtest_test

import (
	"bytes"
	"testing"

	"docent/llm/llmtest"
)

// The same seed gives the same file; another seed gives another file.
func TestTinyModels(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(uint64) []byte{"chat": llmtest.TinyChat, "brief": llmtest.BriefChat, "embed": llmtest.TinyEmbed} {
		a, b, c := write(1), write(1), write(2)
		if !bytes.Equal(a, b) || bytes.Equal(a, c) || len(a) > 1<<20 || !bytes.HasPrefix(a, []byte("GGUF\x03")) {
			t.Errorf("%s: %d bytes", name, len(a))
		}
	}
}
