package doc

import "testing"

// A section with a label could not be reached by the id of its heading, which is what the
// permalink on the web copies; the second "Examples" is _examples_2 on one site and
// examples-1 on another.
func TestSectionOfBothItsNames(t *testing.T) {
	t.Parallel()
	sections := []Section{{}, {Level: 1, Text: "Quick start", Anchor: "quickstart-label"}, {Level: 2, Text: "Examples", Anchor: "_examples"},
		{Level: 2, Text: "Examples", Anchor: "_examples_2"}, {Level: 2, Text: "Step 2", Anchor: "two"}, {Level: 2, Text: "设置", Anchor: "id3"}}
	for name, want := range map[string]int{"quickstart-label": 1, "Quickstart-Label": 1, "quick-start": 1, "_quick_start": 1, "_examples": 2, "_examples_2": 3,
		"examples-1": 3, "step-2": 4, "two": 4, "设置": 5, "examples": -1, "examples-2": -1, "_examples_3": -1, "none": -1, "": -1, "-": -1, "-1": -1} {
		got, ok := SectionOf(sections, name)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q leads to section %d, want %d", name, got, want)
		}
	}
}
