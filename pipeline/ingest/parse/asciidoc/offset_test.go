package asciidoc_test

import (
	"io/fs"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/asciidoc"
)

// The offset of an include ends with its file, also where the file ends in a paragraph or a list
// that the page's next line would go on with. The offset was a line of its own once: it stood in
// the list's text, and all titles after it were too low.
func TestTheOffsetOfAnIncludeEndsWithIt(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"part.adoc": "= Rope\n\nTwo kinds:\n\n* hemp\n* wire\n",
		"text.adoc": "== Knots\n\nTie them\nwell.\n",
		"deep.adoc": ":leveloffset: +1\n\n== Splice\n\nSlowly.\n",
	}
	src := "= Harbour\n\n== Stores\n\nSome words\n\ninclude::part.adoc[leveloffset=+2]\n" +
		"\n== Boats\n\ninclude::text.adoc[leveloffset=+1]\n" +
		"\n:leveloffset: +1\n\n== Oars\n\nAsh.\n\n:!leveloffset:\n\n== Sails\n\ninclude::deep.adoc[]\n\n== Masts\n\nFir.\n"
	d, err := asciidoc.Parser{}.Parse(t.Context(), []byte(src), parse.Options{Path: "a.adoc", Open: func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}})
	if err != nil {
		t.Fatal(err)
	}
	text := string(d.Text)
	if strings.Contains(text, "leveloffset") {
		t.Errorf("the offset stands in the text:\n%s", text)
	}
	var got []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "#") {
			got = append(got, line)
		}
	}
	want := "# Harbour\n## Stores\n### Rope\n## Boats\n### Knots\n### Oars\n## Sails\n### Splice\n## Masts"
	if strings.Join(got, "\n") != want {
		t.Errorf("the titles are\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}
