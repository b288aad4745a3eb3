package running

import (
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
)

// An answer of whole pages shows none of the metadata at their tops, and each line keeps the place that it has
// in its page. It was shown as a rule and a heading.
func TestWholePagesWithoutMetadata(t *testing.T) {
	t.Parallel()
	res := pipeline.Result{Final: "=== AOP-FINAL"}
	res.Phases.Extract = &contract.Extraction{
		Contents: map[string]string{"Wicks": "---\ntitle: Wicks\nweight: 3\n---\n\nTrim it.\n", "Rules": "---\n\nA rule above.\n"},
		Documents: []contract.Extracted{
			{Title: "Wicks", DocSet: "lantern@2.1", FilePath: "wicks.md"}, {Title: "Rules", DocSet: "lantern@2.1", FilePath: "rules.md"}},
	}
	w := answerWriter{res: res}
	w.writeAnswer(nil)
	var text strings.Builder
	for _, p := range w.parts {
		text.WriteString(p.Name + ": " + p.Text)
	}
	if got := text.String(); !strings.Contains(got, "Wicks: Trim it.\n") || strings.Contains(got, "weight") || !strings.Contains(got, "A rule above.") {
		t.Errorf("the answer is %q", got)
	}
	if at := w.places[0]; at.FilePath != "wicks.md" || at.Line != 6 {
		t.Errorf("its first line stands in %+v", at)
	}
}
