package running

import (
	"testing"

	"docent/pipeline/contract"
	"docent/store/doc"
)

// The heading of a section that a macro names stood below the section's name once more.
func TestTheHeadingOfASectionIsItsName(t *testing.T) {
	t.Parallel()
	path := []string{"kubectl", "Examples"}
	for line, want := range map[string]bool{
		"## Examples": true, "## Examples {#examples}": true, "## Examples ##": true, `## {{% heading "examples" %}}`: true,
		"## Options": false, "Examples": false, `{{% heading "examples" %}}`: false,
	} {
		if got := isHeading(line, path); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// Below a section's name its heading is not written once more: neither one with markup, which the
// path has not, nor one that is underlined. What else begins a section is written.
func TestTheHeadingWithMarkupIsNotWritten(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"#### `wick_ttl`\n\nSeconds.\n":                  "Seconds.\n",
		"##### wick\\[left] {{%deprecated%}}\n\nText.\n": "Text.\n",
		"Wicks: why?\n-----------\n\nThey burn.\n":       "They burn.\n",
		"Wicks\n=====\nThey burn.\n":                     "They burn.\n",
		"- a wick\n---\nThey burn.\n":                    "- a wick\n---\nThey burn.\n",
		"#3 burns.\n\nText.\n":                           "#3 burns.\n\nText.\n",
		"They burn.\n":                                   "They burn.\n",
	} {
		w := &answerWriter{}
		w.writeDocument(contract.Extracted{Title: "Lamp", Format: doc.FormatMarkdown,
			Quoted: []contract.Quote{{Path: []string{"Lamp", "The wick"}, Lines: [2]int{1, 9}, Whole: true}}}, content)
		if got := w.parts[len(w.parts)-1].Text; got != want {
			t.Errorf("%q is shown as %q, want %q", content, got, want)
		}
	}
}
