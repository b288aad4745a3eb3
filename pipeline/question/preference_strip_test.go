package question

import (
	"strings"
	"testing"
)

func TestWithoutPreference(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"hooks 不要压缩":                "hooks",
		"hooks 别压缩":                 "hooks",
		"总结一下 hooks":                "hooks",
		"hooks 的完整内容":               "hooks 的",
		"don't summarize hooks":     "hooks",
		"summarize the hooks page":  "the hooks page",
		"hooks reference, summary":  "hooks reference",
		"show hooks in full":        "show hooks",
		"How do I compress images?": "How do I compress images?",
		"complete guide to hooks":   "complete guide to hooks",
		"上下文压缩":                     "上下文压缩",
		"summary":                   "summary",
		"summary of hooks":          "hooks",
		"what does /summarize do":   "what does /summarize do",
		"how does compaction work":  "how does compaction work",
		"hooks":                     "hooks",
	} {
		if got := strings.Join(strings.Fields(WithoutPreference(text)), " "); got != want {
			t.Errorf("WithoutPreference(%q) = %q, want %q", text, got, want)
		}
	}
}
