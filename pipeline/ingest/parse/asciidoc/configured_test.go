package asciidoc_test

import (
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/asciidoc"
)

// renditionOf is the rendition of a page among other files.
func renditionOf(t *testing.T, files texts, name string) string {
	t.Helper()
	d, err := asciidoc.Parser{}.Parse(t.Context(), []byte(files[name]), parse.Options{Path: name, Open: func(name string) ([]byte, error) {
		o, err := files.Open(name)
		return o.Data, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	return string(d.Text)
}

// Attributes that no page sets come from the build: a site of Antora, Maven, or the file that
// editors read instead. Pages were about {lamp}, and their examples were missing.
func TestAttributesOfTheBuild(t *testing.T) {
	t.Parallel()
	files := texts{
		"docs/.asciidoctorconfig": "// for editors\n:lamp: old lamp\n:oil: whale\n:here: {asciidoctorconfigdir}/code\n:!gone:\n",
		"docs/code/lamp.c":        "light();\n",
		"antora-playbook.yml":     "asciidoc:\n  attributes:\n    oil: rape@\n    wick: cotton\n    dark: false\n",
		"docs/pages/a.adoc": "= A\n:wick: flax\n\nThe {lamp} burns {oil} with {wick}, {dark}, {gone}.\n\n" +
			"----\ninclude::{here}/lamp.c[]\n----\n",
		"pom.xml": `<project><version>7</version><properties><code.dir>${basedir}/src/code</code.dir></properties><build><plugins>
			<plugin><artifactId>other</artifactId><configuration><attributes><never>n</never></attributes></configuration></plugin>
			<plugin><artifactId>asciidoctor-maven-plugin</artifactId><configuration><attributes><sourceDir>${code.dir}</sourceDir>
			<lampVersion>${project.version}</lampVersion><lost>${elsewhere}</lost></attributes></configuration></plugin></plugins></build></project>`,
		"src/code/wick.c":      "trim();\n",
		"src/main/deep/b.adoc": "= B\n\nLamp {lampVersion}, {lost}, {never}.\n\n----\ninclude::{sourceDir}/wick.c[]\n----\n",
	}
	for name, want := range map[string]string{
		"docs/pages/a.adoc":    "# A\n\nThe old lamp burns whale with flax, {dark}, {gone}.\n\n```\nlight();\n```\n",
		"src/main/deep/b.adoc": "# B\n\nLamp 7, {lost}, {never}.\n\n```\ntrim();\n```\n",
	} {
		if got := renditionOf(t, files, name); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
		}
	}
}

// A sentence directly below the title is the first paragraph, and not an author: pages of
// Spring Security lost theirs.
func TestTextBelowTheTitle(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"= Lamps\n:wick: flax\nLamps give light in the dark.\nThey burn oil.\n":                          "# Lamps\n\nLamps give light in the dark.\nThey burn oil.\n",
		"= Lamps\nAda Wick <ada@lamps.example>; Bo Oil\nv1.2, 2020-01-01\n:x: y\n\nText.\n":              "# Lamps\n\nText.\n",
		"= Lamps\nAda Wick\n\n2 lamps.\n":                                                                "# Lamps\n\n2 lamps.\n",
		"= Lamps\n\nSee {lamp-docs-url}/oil.html#whale[the *oil*] of {lamp}[1], link:{oil-at}/[oils].\n": "# Lamps\n\nSee the **oil** of {lamp}[1], oils.\n",
	} {
		if got := renditionOf(t, texts{"a.adoc": src}, "a.adoc"); got != want {
			t.Errorf("%q is\n%s\nwant\n%s", src, got, want)
		}
	}
}

// Names of attributes may have spaces and signs, which do not count. Such a line in the header made text of
// what follows it there.
func TestAttributesWithSpaces(t *testing.T) {
	t.Parallel()
	got := renditionOf(t, texts{"a.adoc": "= lamp(1)\n:doctype: manpage\n:man manual: Harbour\n:command: lamp\n\n" +
		"The {command} of the {manmanual}.\n\n:a lamp: b\n:!man manual:\n\n{alamp} {manmanual}\n"}, "a.adoc")
	if want := "# lamp(1)\n\nThe lamp of the Harbour.\n\nb {manmanual}\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
