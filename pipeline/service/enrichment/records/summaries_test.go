package records

import (
	"strings"
	"testing"

	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/service/home"
)

// A large page is shown without being parsed; what its sections are about is known all the
// same.
func TestSummariesOfALargePage(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Lamps\n\nEverything on lamps.\n\n")
	for range 3000 {
		b.WriteString("## A lamp\n\nTrim the wick before each lighting. Then wait.\n\n")
	}
	c := corpustest.New(t)
	set := c.Add("Lantern@1", map[string]string{"large.md": b.String()})
	p, err := c.Corpus.ReadShown(t.Context(), set, "large.md")
	if err != nil {
		t.Fatal(err)
	}
	kept := New(&home.Home{Dir: c.Dir, Corpus: c.Corpus})
	summary := kept.Summaries(t.Context(), p)
	for i := range p.Doc.Sections {
		if p.Doc.Sections[i].Text != "A lamp" {
			continue
		}
		if s := summary(i); s != "Trim the wick before each lighting." {
			t.Fatalf("section %d: %q", i, s)
		}
		if i > 20 {
			break
		}
	}
	if s := summary(-1); !strings.HasPrefix(s, "Lamps") { // of the whole page
		t.Errorf("the page: %q", s)
	}
}
