package process

import (
	"strings"
	"testing"

	"docent/pipeline/contract"
)

// A section that a person left out stays out, also where it would come along with
// another one.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	ex := extraction("trim the wick", "# Wicks\n\nA wick burns.\n\n## Trim\n\n### By hand\n\nTrim the wick by hand.\n\n### By machine\n\nTrim the wick by machine.\n\n## Store\n\nKeep it dry.\n")
	sim := .9
	ex.Documents[0].Headings = []contract.Heading{{Text: "## Trim", Path: []string{"Wicks", "Trim"}, Section: [2]int{5, 6}, RerankSim: &sim}}
	want := contract.Preferences{Extent: contract.ExtentSections, Lines: 40}
	if text := run(t, builtin(0), ex, want).Contents["a"]; !strings.Contains(text, "by machine") || !strings.Contains(text, "by hand") {
		t.Fatalf("the section came without its subsections:\n%s", text)
	}
	ex.Documents[0].LeftOut = []string{contract.PathName([]string{"Wicks", "Trim", "By machine"})}
	out := run(t, builtin(0), ex, want)
	if text := out.Contents["a"]; strings.Contains(text, "by machine") || !strings.Contains(text, "by hand") {
		t.Errorf("by machine was left out:\n%s", text)
	}
	for _, q := range out.Documents[0].Quoted {
		if q.Path[len(q.Path)-1] == "By machine" {
			t.Errorf("it is quoted: %+v", q)
		}
	}
}
