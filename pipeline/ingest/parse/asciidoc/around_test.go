package asciidoc_test

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/asciidoc"
)

// texts are the files of a doc set. They implement parse.Files.
type texts map[string]string

func (t texts) Open(name string) (parse.Opened, error) {
	if s, ok := t[name]; ok {
		return parse.Opened{Data: []byte(s)}, nil
	}
	return parse.Opened{}, fs.ErrNotExist
}

func (t texts) List(...string) []string { return slices.Sorted(maps.Keys(t)) }

// A part of a manual has the attributes of the page that includes it, where all pages give the
// same ones: its places were called "trim-{context}", and its text was about {lamp}.
func TestPartsHaveTheAttributesOfTheirPages(t *testing.T) {
	t.Parallel()
	files := texts{
		"care.adoc": ":kind: street\n:context: {kind}\n:lamp: old lamp\n\n= Care\n\ninclude::parts/all.adoc[]\n\n" +
			":oil: whale\n\ninclude::parts/fill.adoc[]\n",
		"night.adoc":     ":lamp: old lamp\n:oil: olive\n\n= Night\n\ninclude::parts/fill.adoc[]\n",
		"parts/all.adoc": "include::trim-{context}.adoc[]\n",
		"parts/trim-street.adoc": "[id='trim-{context}']\n== Trim the {lamp}\n\nSee <<trim-{context}>>, {none}.\n\n" +
			"ifdef::lamp[]\nLit.\nendif::[]\n",
		"parts/fill.adoc": "= Fill the {lamp} with {oil}\n",
	}
	var used []string
	parsed := func(name string) string {
		used = nil
		d, err := asciidoc.Parser{}.Parse(t.Context(), []byte(files[name]), parse.Options{Path: name, Files: files.List,
			Survey: func(_ string, of func(parse.Files) any) any { return of(files) },
			Open: func(name string) ([]byte, error) {
				used = append(used, name)
				o, err := files.Open(name)
				return o.Data, err
			}})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, s := range d.Sections {
			ids = append(ids, s.Anchor)
		}
		return strings.Join(ids, " ") + "\n" + string(d.Text)
	}
	want := "trim-street\n## Trim the old lamp\n\nSee [Trim the old lamp](#trim-street), {none}.\n\nLit.\n"
	if got := parsed("parts/trim-street.adoc"); got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
	if !slices.Contains(used, "care.adoc") {
		t.Errorf("it depends on %q", used)
	}
	if got := parsed("parts/fill.adoc"); !strings.Contains(got, "# Fill the old lamp with {oil}\n") {
		t.Errorf("a part of two pages is\n%s", got)
	}
}
