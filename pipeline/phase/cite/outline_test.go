package cite

import (
	"context"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/store/doc"
)

// outlined is a shelf that knows what a parser reads in its pages.
type outlined struct {
	shelf
	title    string
	sections []doc.Section
}

func (o outlined) Outline(context.Context, doc.Ref, string) (string, []doc.Section, error) {
	return o.title, o.sections, nil
}

// The letters of a heading with a link in it are not those of its line, and a title may
// stand nowhere in the text. The page's parser knows both; what it does not know either
// is still refused.
func TestHeadingsThatStandInNoLine(t *testing.T) {
	t.Parallel()
	const text = "## Reading [tide](https://sea.example/a) tables\n\nThe tide turns twice a day.\n\n## Later [on](b.md) and on\n"
	var s outlined
	d := s.put("Sea@1", "p", "", text)
	d.FilePath, d.Title = "p/docContent.md", "Harbour Limits"
	s.title = "Harbour Limits"
	s.sections = []doc.Section{{Text: "Reading tide tables", Span: doc.Span{StartLine: 1}}, {Text: "Later on and on", Span: doc.Span{StartLine: 5}}}
	content := "## Reading [tide](https://sea.example/a) tables\n\nThe tide turns twice a day.\n[… lines 4–5 omitted …]\n"
	for name, c := range map[string]struct {
		title, heading, state string
	}{
		"the title and the heading of the parser": {"Harbour Limits", "Reading tide tables", StateVerified},
		"another title":             {"Harbour Rules", "Reading tide tables", StateAltered},
		"a heading below the lines": {"Harbour Limits", "Later on and on", StateAltered},
		"another heading":           {"Harbour Limits", "Reading star tables", StateAltered},
	} {
		d.Title = c.title
		d.Quoted = []contract.Quote{{Path: []string{c.title, c.heading}, Lines: [2]int{1, 3}}}
		block, _, err := Builtin{}.Cite(map[string]string{d.ContentKey(): content}, []contract.Extracted{d})
		if err != nil {
			t.Fatal(err)
		}
		b, err := ParseBlock(block)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := Verify(t.Context(), b, s)
		if err != nil || rep.State != c.state {
			t.Errorf("%s: %s, %v, want %s", name, rep, err, c.state)
		}
		if rep, err = Verify(t.Context(), b, s.shelf); err != nil || rep.State != StateAltered {
			t.Errorf("%s, without a parser: %s, %v\n%s", name, rep, err, strings.TrimSpace(block))
		}
	}
}
