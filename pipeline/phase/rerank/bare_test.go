package rerank

import (
	"context"
	"strings"
	"testing"

	"docent/pipeline/contract"
)

// Headings in spec 1's bare form are reranked by the text that stands under them, and
// one that is not there is named.
func TestBareHeadings(t *testing.T) {
	t.Parallel()
	x := texts{
		passages: map[string]string{"A@1/a.md:3": "Trim the wick level with the burner.", "A@1/a.md:9": "Ropes are twisted."},
		lines:    map[string]int{"A@1/a.md ## Care": 3, "A@1/a.md ## Ropes": 9},
	}
	in := input("how do I trim the wick", page("a.md", "Lamps", contract.Heading{Text: "## Ropes"}, contract.Heading{Text: "## Care"}, contract.Heading{Text: "## Sails"}))
	zero := 0.0
	in.Context.RerankerThreshold = &zero
	out, tr, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
	if err != nil || out.Results[0].Headings[0].Text != "## Care" || out.Results[0].Headings[0].Lines != [2]int{3, 3} {
		t.Fatalf("%v: %+v", err, out.Results)
	}
	if len(tr.Degraded) != 1 || !strings.Contains(tr.Degraded[0].Reason, `no heading "## Sails"`) {
		t.Errorf("degraded: %+v", tr.Degraded)
	}
}
