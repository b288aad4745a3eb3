package asciidoc_test

import (
	"io/fs"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/asciidoc"
)

// A condition is decided by what the page sets, terms stand at their own level, and
// repeated titles have the ids that Asciidoctor gives them.
func TestWhatRealPagesTaught(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{"conditions", ":lit: 1\n\nwick::\n\tBurns.\nifdef::dark[]\n\tNot this.\nendif::dark[]\nifdef::lit[]\n\tAnd this.\nendif::lit[]\n",
			"- **wick**\n  Burns.\n  And this.\n"},
		{"a term after a list of another kind", "a::\n\tOne.\n+\nx;;\n\tTwo.\n+\ny;;\n\tThree.\n\nb::\n\tFour.\n",
			"- **a**\n  One.\n  - **x**\n    Two.\n  - **y**\n    Three.\n- **b**\n  Four.\n"},
		{"a term after callouts", "a::\n+\n----\ntrim <1>\n----\n+\n<1> Gently.\n\nb::\n\tFour.\n",
			"- **a**\n\n  ```\n  trim\n  ```\n\n  1. Gently.\n\n- **b**\n  Four.\n"},
	} {
		if got := string(parsed(t, tt.src).Text); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// Resources of Antora are found by module and family, with the attributes of antora.yml.
func TestAntora(t *testing.T) {
	t.Parallel()
	files := map[string]string{"docs/antora.yml": "name: lamps\nasciidoc:\n  attributes:\n    oil: whale oil@\n", "docs/modules/care/partials/trim.adoc": "Trim it.\n"}
	d, err := asciidoc.Parser{}.Parse(t.Context(), []byte("= T\n\ninclude::care:partial$trim.adoc[]\n\nBurns {oil}.\n"), parse.Options{Path: "docs/modules/ROOT/pages/a.adoc",
		Open: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}})
	if err != nil || !strings.Contains(string(d.Text), "Trim it.\n\nBurns whale oil.") {
		t.Errorf("%s, %v", d.Text, err)
	}
}

// A discrete heading is a section here; within a block it is a bold line.
func TestDiscreteHeadings(t *testing.T) {
	t.Parallel()
	d := parsed(t, "= Lamps\n\n== Oil\n\na\n\n[[fill]]\n[discrete]\n=== Filling\n\nb\n\n[discrete]\n=== Wicks\n\nc\n\n====\n[discrete]\n=== Inside\n\nd\n====\n")
	var got []string
	for _, s := range d.Sections {
		got = append(got, s.Anchor)
	}
	if want := "lamps _oil fill _wicks"; strings.Join(got, " ") != want || !strings.Contains(string(d.Text), "**Inside**") {
		t.Errorf("the anchors are %q, want %s:\n%s", got, want, d.Text)
	}
}
