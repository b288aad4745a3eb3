package asciidoc_test

import (
	"context"
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

// parseOfAntora parses a page of a component in docs, with the texts of its other files.
func parseOfAntora(ctx context.Context, page, src string, files map[string]string) (string, []string, error) {
	d, err := asciidoc.Parser{}.Parse(ctx, []byte(src), parse.Options{Path: page, Open: func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}})
	return string(d.Text), d.Warnings, err
}

// Antora sets the attributes by which pages name the resources of their module. Manuals that used
// them lost a third of their text.
func TestAttributesOfAntora(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"docs/antora.yml":                           "name: lamps\nasciidoc:\n  attributes:\n    oil: whale oil\n",
		"docs/modules/care/partials/trim.adoc":      "Trim it.\n\ninclude::../{partialsdir}/deep/wick.adoc[]\n",
		"docs/modules/care/partials/deep/wick.adoc": "The wick is short.\n",
		"docs/modules/care/examples/light.sh":       "light --now\n",
	}
	text, warnings, err := parseOfAntora(t.Context(), "docs/modules/care/pages/a/b.adoc",
		"= T\n\ninclude::{partialsdir}/trim.adoc[]\n\n----\ninclude::{examplesdir}/light.sh[]\n----\n", files)
	for _, want := range []string{"Trim it.", "The wick is short.", "light --now"} {
		if err != nil || !strings.Contains(text, want) || len(warnings) > 0 {
			t.Errorf("%q is missing: %v, %q\n%s", want, err, warnings, text)
		}
	}
}

// On a page of Antora it is known where the page is shown, so that a text for another site is not
// shown with the site's own. A part of pages is shown whole, for it may belong to any of them.
func TestConditionsOfAntora(t *testing.T) {
	t.Parallel()
	files := map[string]string{"docs/antora.yml": "name: lamps\nversion: 4.2\n"}
	src := "= Lamps {page-version}\n\nifdef::env-cloud[]\nHosted.\nendif::[]\nifndef::env-cloud[]\nAt home.\nendif::[]\nifdef::env-site[]\nOn the web.\nendif::[]\n" +
		"\nimage::care:wick.png[A wick of {page-component-title}]\n"
	for page, want := range map[string]string{
		"docs/modules/care/pages/a.adoc":    "# Lamps 4.2\n\nAt home.\nOn the web.\n\n![A wick of lamps](/docs/modules/care/images/wick.png)\n",
		"docs/modules/care/partials/a.adoc": "# Lamps 4.2\n\nHosted.\nAt home.\nOn the web.\n\n![A wick of lamps](/docs/modules/care/images/wick.png)\n",
	} {
		if text, _, err := parseOfAntora(t.Context(), page, src, files); err != nil || text != want {
			t.Errorf("%s: %v\n%s", page, err, text)
		}
	}
}

// A folder called modules below that of the modules is no component's.
func TestFolderOfModulesInAFamily(t *testing.T) {
	t.Parallel()
	text, _, err := parseOfAntora(t.Context(), "docs/modules/care/partials/modules/a.adoc", "= T\n\nBurns {oil}.\n",
		map[string]string{"docs/antora.yml": "name: lamps\nasciidoc:\n  attributes:\n    oil: whale oil\n"})
	if err != nil || !strings.Contains(text, "Burns whale oil.") {
		t.Errorf("%v: %s", err, text)
	}
}

// A page that takes many small parts of a large file takes little: 60 tagged parts of a file of
// 200 KB were too much.
func TestSmallPartsOfALargeFile(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("A line that nobody wants in this page.\n", 5000) + "// tag::oil[]\nFill it.\n// end::oil[]\n"
	src := "= T\n" + strings.Repeat("\ninclude::large.adoc[tags=oil]\n", 60) + "\nLight it.\n"
	text, warnings, err := parseOfAntora(t.Context(), "a.adoc", src, map[string]string{"large.adoc": large})
	if err != nil || strings.Count(text, "Fill it.") != 60 || len(warnings) > 0 {
		t.Errorf("%v, %q: %d parts", err, warnings, strings.Count(text, "Fill it."))
	}
	src = "= T\n" + strings.Repeat("\ninclude::large.adoc[]\n", 60)
	if text, warnings, err = parseOfAntora(t.Context(), "a.adoc", src, map[string]string{"large.adoc": large}); err != nil || len(warnings) == 0 ||
		len(text) > 8<<20 {
		t.Errorf("the whole file 60 times: %v, %q, %d bytes", err, warnings, len(text))
	}
}

// Components that began with the first Antora have their partials among the pages. They were not found.
func TestPartialsAmongPages(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"docs/antora.yml": "name: lamps\n",
		"docs/modules/care/pages/_partials/trim.adoc": "Trim it.\n",
	}
	text, warnings, err := parseOfAntora(t.Context(), "docs/modules/care/pages/a.adoc", "= T\n\ninclude::partial$trim.adoc[]\n", files)
	if err != nil || !strings.Contains(text, "Trim it.") || len(warnings) > 0 {
		t.Errorf("%v, %q: %s", err, warnings, text)
	}
}
