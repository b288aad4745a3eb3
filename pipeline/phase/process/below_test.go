package process

import (
	"strings"
	"testing"

	"docent/pipeline/contract"
)

// The beginning of a page that is sure is not the whole answer: lines of its subsections that
// answer the question follow it, with the title as a heading or as a key of the front matter. Sections of
// other subjects do not.
func TestSubsectionsOfASureHit(t *testing.T) {
	t.Parallel()
	body := "A night valve lets water through while nobody drives the pump.\n\n" +
		"## Fitting the valve\n\nTurn the night valve to the left and write this down:\n\n```ini\n" +
		strings.Repeat("valve_night = left\n", 6) + "```\n\n" + manual(10)
	other := "# Lamps\n\n## As JSON\n\n```json\n" + strings.Repeat("{\"lift\": 1, \"hose\": \"long\"}\n", 6) + "```\n\n" + manual(10)
	for name, page := range map[string]string{
		"heading":      "# Set up a night valve\n\n" + body,
		"front matter": "---\ntitle: Set up a night valve\n---\n\n" + body,
		"section":      "# Pump\n\n## Set up a night valve\n\n" + strings.ReplaceAll(body, "## Fit", "### Fit"),
	} {
		ex := kept15(extraction("set up a night valve", page, other),
			map[string]float64{"Set up a night valve": .99, "Fitting the valve": .7, "As JSON": .5})
		if name == "front matter" {
			sure := .99
			ex.Documents[0].Headings = append(ex.Documents[0].Headings, contract.Heading{Level: 1, Text: "# Set up a night valve",
				RerankSim: &sure, Section: [2]int{1, 6}, Lines: [2]int{1, 6}})
		}
		out := run(t, builtin(0), ex, bySections(0))
		if text := out.Contents["a"]; !strings.Contains(text, "lets water through") || !strings.Contains(text, "valve_night") {
			t.Errorf("%s: the subsection is not there:\n%s", name, text)
		}
		if len(out.Documents) != 1 {
			t.Errorf("%s: another subject follows a sure answer", name)
		}
	}
}

// A reference describes a field once more for each object that has it. Text that was quoted is not
// quoted again; a section with a line of its own is.
func TestRepeatedSectionsOfAPage(t *testing.T) {
	t.Parallel()
	field := "**Type:** integer.\n\nThe hose timeout is how long the pump waits for the hose before it stops.\n"
	page := "# Pumps\n\n## small.hose.timeout\n\n" + field + "\n## large.hose.timeout\n\n" + field +
		"\n## fixed.hose.timeout\n\n" + field + "Default: 7s, which cannot be changed.\n"
	ex := kept15(extraction("how long is the hose timeout", page),
		map[string]float64{"small.hose.timeout": .9, "large.hose.timeout": .88, "fixed.hose.timeout": .86})
	text := run(t, builtin(0), ex, bySections(0)).Contents["a"]
	if strings.Contains(text, "## large.hose.timeout") || !strings.Contains(text, "Default: 7s") {
		t.Errorf("quoted:\n%s", text)
	}
	short := "# Pumps\n\n## small.hose\n\n**Type:** integer.\n\n## large.hose\n\n**Type:** integer.\n"
	ex = kept15(extraction("type of the hose", short), map[string]float64{"small.hose": .9, "large.hose": .88})
	if text := run(t, builtin(0), ex, bySections(0)).Contents["a"]; !strings.Contains(text, "large.hose") {
		t.Errorf("a section without a sentence is not there:\n%s", text)
	}
}
