package process

import (
	"strings"
	"testing"
)

// The same call in several languages, as the tabs of a site have it, and text that follows it.
const tabbed = "## Opening a valve\n\nSend the number of the valve.\n\n<Tabs>\n\n```bash cURL\ncurl -X POST https://pump.example/valves/7/open\n```\n\n" +
	"```python Python\nclient.valves.open(7)\n```\n\n</Tab>\n<Tab title=\"Go\">\n\n```go\nclient.Valves.Open(7)\n```\n\n" +
	"```rust\nclient.valves().open(7).await?;\n```\n\n</Tabs>\n\nA valve that is open already stays open.\n\n"

// An example that is there in many languages stands in the first of them, and in the one that the
// question names.
func TestAnExampleStandsInOneLanguage(t *testing.T) {
	t.Parallel()
	for question, want := range map[string][]string{
		"open a valve":         {"curl -X POST"},
		"open a valve in Rust": {"curl -X POST", "open(7).await"},
		"open a valve (go)?":   {"curl -X POST", "client.Valves.Open"},
	} {
		ex := kept15(extraction(question, manual(10)+tabbed+manual(10)), map[string]float64{"Opening a valve": .9})
		text := run(t, builtin(0), ex, bySections(0)).Contents["a"]
		for _, code := range []string{"curl -X POST", "client.valves.open", "client.Valves.Open", "open(7).await"} {
			if shown := strings.Contains(text, code); shown != strings.Contains(strings.Join(want, "\n"), code) {
				t.Errorf("%s: %q is shown: %v\n%s", question, code, shown, text)
			}
		}
		if !strings.Contains(text, "stays open") {
			t.Errorf("%s: the text behind the tabs is not there:\n%s", question, text)
		}
	}
}

// A command with its output, files with their names and blocks in one language are no tabs.
func TestBlocksThatAreNoTabs(t *testing.T) {
	t.Parallel()
	for name, fences := range map[string][]string{
		"two blocks":         {"sh", "text"},
		"files":              {"toml title=\"pump.toml\"", "rust title=\"src/main.rs\"", "js title=\"main.js\""},
		"files by name":      {"toml pump.toml", "rust main.rs", "js main.js"},
		"one language":       {"sh", "sh", "sh"},
		"commands, outputs":  {"sql", "text", "sql", "text"},
		"without a language": {"", "", ""},
	} {
		var b strings.Builder
		b.WriteString("## Opening a valve\n\nSend its number.\n\n")
		for i, fence := range fences {
			b.WriteString("```" + fence + "\nvalve " + string(rune('1'+i)) + "\n```\n\n")
		}
		p := newPage("a", b.String(), blocks, budget{unlimited, unlimited})
		markTabs(p, "open a valve")
		for i := range p.units {
			if p.units[i].tab {
				t.Errorf("%s: %q is a tab", name, p.linesText(p.units[i].first, p.units[i].last))
			}
		}
	}
}
