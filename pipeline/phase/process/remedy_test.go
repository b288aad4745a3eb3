package process

import (
	"strings"
	"testing"

	"docent/pipeline/contract"
)

// Of a trouble that has sections for symptom, cause and remedy, the symptom that was pasted
// brings the others with it, up to the next trouble.
func TestASymptomBringsItsRemedy(t *testing.T) {
	t.Parallel()
	page := "# Troubles\n\n## Pump\n\n### Symptom\n\n```\npump refuses: gasket dry\n```\n\n### Cause\n\nNo oil was left.\n\n" +
		"### Solution\n\nGrease the ring.\n\n## Hose\n\n### Symptom\n\nThe hose hisses.\n\n### Solution\n\nTape it.\n\n" + manual(20)
	ex := kept15(extraction("pump refuses: gasket dry", page), nil)
	sure := .99
	ex.Documents[0].Headings = []contract.Heading{{Level: 3, Text: "### Symptom", Path: []string{"Troubles", "Pump", "Symptom"},
		RerankSim: &sure, Section: [2]int{5, 9}, Lines: [2]int{5, 9}}}
	text := run(t, builtin(0), ex, bySections(0)).Contents["a"]
	for _, want := range []string{"pump refuses", "No oil was left.", "Grease the ring."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not there:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Tape it.") {
		t.Errorf("the remedy of another trouble is there:\n%s", text)
	}
}

// The procedure of the first hit is what helps against something that goes wrong.
func TestTheProcedureOfATrouble(t *testing.T) {
	t.Parallel()
	steps := ""
	for _, s := range strings.Split("Stop it|Open the valve|Wait|Drain the house|Lift the lid|Turn the screw|Close the valve|Oil it|Start it", "|") {
		steps += "1. " + s + ".\n\n   ```sh\n   pump --next\n   ```\n"
	}
	page := "# Pump\n\n## A pump stuck between pending and replacing\n\nA pump may hang in pending after a new filter.\n\n**Procedure**\n\n" +
		steps + "\n" + manual(30)
	ex := kept15(extraction("pump stuck in pending", page), map[string]float64{"A pump stuck between pending and replacing": .8})
	ex.Context.Kind = contract.KindError
	if text := run(t, builtin(0), ex, bySections(0)).Contents["a"]; !strings.Contains(text, "Close the valve.") {
		t.Errorf("the steps are not there:\n%s", text)
	}
}

// A paragraph that stands word for word in another page of the block is not shown again.
func TestTheSameParagraphOfTwoPages(t *testing.T) {
	t.Parallel()
	same := "Use the hashed gasket in the harbour;\nwhoever mounts a hashed gasket brings\nthe plain gasket along with them.\n\n"
	one := "# Gaskets by hash\n\n" + same + "A hashed gasket needs no key.\n\nA hashed gasket is never oiled.\n\n" + manual(20)
	two := "# Old gaskets by hash\n\nA hashed gasket of the old harbour is cut by hand.\n\n" + same +
		"A hashed gasket of the old harbour lasts for a year.\n\nIts keeper greases a hashed gasket once a week.\n\n" +
		"A hashed gasket is mounted dry in the winter.\n\n" + manual(21)
	ex := kept15(extraction("hashed gasket", one, two), map[string]float64{"Gaskets by hash": .9, "Old gaskets by hash": .85})
	out := run(t, builtin(0), ex, bySections(0))
	if n := strings.Count(out.Contents["a"]+out.Contents["b"], "whoever mounts"); n != 1 {
		t.Errorf("the paragraph is there %d times:\n%s\n%s", n, out.Contents["a"], out.Contents["b"])
	}
	if !strings.Contains(out.Contents["b"], "cut by hand") {
		t.Errorf("what the other page has besides is not there:\n%s", out.Contents["b"])
	}
}
