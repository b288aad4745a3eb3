package asciidoc_test

import (
	"io/fs"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/asciidoc"
)

// A cross reference of Antora without a text shows the title of its page.
func TestTitlesOfAntora(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"docs/antora.yml":                       "name: lamps\nasciidoc:\n  attributes:\n    oil: whale oil\n",
		"docs/modules/care/pages/trim.adoc":     ":page-topic: care\n\n= Trim a *wick* with {oil}\n\nText.\n",
		"docs/modules/care/pages/untitled.adoc": "== Section\n\n= Late\n",
	}
	src := "= T\n\nSee xref:care:trim.adoc[], xref:care:untitled.adoc[], xref:care:lost.adoc[] and xref:care:trim.adoc[this].\n"
	d, err := asciidoc.Parser{}.Parse(t.Context(), []byte(src), parse.Options{Path: "docs/modules/ROOT/pages/a.adoc",
		Open: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}})
	want := "See [Trim a **wick** with whale oil](/docs/modules/care/pages/trim.adoc), [care:untitled.adoc](/docs/modules/care/pages/untitled.adoc), " +
		"[care:lost.adoc](/docs/modules/care/pages/lost.adoc) and [this](/docs/modules/care/pages/trim.adoc)."
	if err != nil || !strings.Contains(string(d.Text), want) {
		t.Errorf("%v: %s", err, d.Text)
	}
}
