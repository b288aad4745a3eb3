package formats_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/fidelity"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/ingest/parse/pdf"
	"docent/pipeline/ingest/parse/pdf/pdftest"
	"docent/pipeline/ingest/parse/rst"
	"docent/store/doc"
)

// fixturePages are pages of formats whose text is not its source, by their folders.
func fixturePages(t *testing.T) map[string][]string {
	t.Helper()
	pages := map[string][]string{}
	for folder, pattern := range map[string]string{"../html/testdata": "*.html", "../json/testdata": "*.[jy]*", "../asciidoc/testdata": "*.adoc",
		"../code/testdata": "*.*", "../settings/testdata": "*.yaml", "../dita/testdata/set": "*/*.dita"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found {
			rel, err := filepath.Rel(folder, p)
			if err != nil {
				t.Fatal(err)
			}
			if ext := filepath.Ext(p); ext != ".golden" && ext != "" {
				pages[folder] = append(pages[folder], filepath.ToSlash(rel))
			}
		}
		if len(pages[folder]) == 0 {
			t.Fatalf("%s has no pages", folder)
		}
	}
	return pages
}

// written are pages of formats that have no files of their own to be tested with.
var written = map[string]string{
	"lamp.rst": "Lamps\n=====\n\n.. _trim:\n\nTrimming *the* wick\n-------------------\n\nA wick that smokes is too long: see :ref:`trim` and :doc:`/oil`.\n\n" +
		".. note::\n   :class: tip\n\n   Trim it **cold**, with |tool|.\n\n.. function:: trim(wick, length=2)\n\n   Cuts the wick.\n\n   :param length: in millimetres\n\n" +
		".. code-block:: sh\n\n   lamp trim --length 2\n\n+------+---------+\n| Oil  | Burns   |\n+======+=========+\n| rape | 9 hours |\n+------+---------+\n",
	"lamp.1": ".TH LAMP 1 2024-05-03\n.SH NAME\nlamp \\- light the lamp\n.SH SYNOPSIS\n.B lamp\n[\\fB\\-v\\fR] [\\fIfile\\fR ...]\n.SH OPTIONS\n.TP\n" +
		".BR \\-l \", \" \\-\\-length \" \" \\fIn\\fR\nCut the wick to so many millimetres.\n.IP \"\\fB-o\\fR oil\" 4\nUse this oil.\n.SH BUGS\n.nf\nlamp -v\n.fi\n" +
		"None of them are known; a lamp that smokes is trimmed again.\n",
	"lamp.mediawiki": "== Lamps ==\nA '''wick''' that smokes is [[Trimming|too long]].<ref>Ask the [[keeper]]s.</ref>\n* Trim it\n*# cold\n\n" +
		"{{warning|It burns|style=red}}\n{| class=\"wikitable\"\n! Oil !! Hours\n|-\n| rape || 9\n|}\n<syntaxhighlight lang=sh>\nlamp trim\n</syntaxhighlight>\n[[Category:Lamps]]\n",
	"lamp.org": "#+title: Lamps\n* TODO Trimming :tools:\n:PROPERTIES:\n:CUSTOM_ID: trim\n:END:\nA *wick* that smokes is [[*Trimming][too long]].[fn:: Ask /them/.]\n" +
		"- Oil :: burns\n- [ ] cold\n#+begin_src sh\nlamp trim\n#+end_src\n| rape | =nine= |\n",
	"Lamp.pm": "package Lamp;\n\n=head1 NAME\n\nLamp - light the B<lamp>\n\n=over\n\n=item trim L<length|/no>\n\nCut the wick, C<< $lamp->trim(2) >>, X<no>cold.\n\n  lamp trim\n\n" +
		"=back\n\n=cut\n\nsub trim { 1 }\n",
	"lamp.docbook": `<chapter id="lamps"><title>Lamps</title><para>A <emphasis>wick</emphasis> that smokes is too long.</para>` +
		`<variablelist><varlistentry><term><option>-l</option></term><listitem><para>Cut it.</para></listitem></varlistentry></variablelist></chapter>`,
	"lamp.texi": "@settitle Lamps\n@node Top\n@top Lamps\n@node Wicks\n@chapter Wicks\nA @emph{wick} that smokes is too long, @pxref{Top}.\n@table @option\n@item -l\nCut it.\n@end table\n@bye\n",
	"lamp.info": "This is lamp.info, produced by makeinfo version 6.8 from lamp.texi.\n\n\x1f\nFile: lamp.info,  Node: Top,  Up: (dir)\n\nLamps\n*****\n\nA wick that smokes is too long.\n\n* Menu:\n\n" +
		"* Wicks::\n\n\x1f\nFile: lamp.info,  Node: Wicks,  Prev: Top\n\n1 Wicks\n*******\n\nTrim them, *note Top::.\n\n‘-l’\n     Cut it.\n\x1f\nTag Table:\nNode: Top100\n\x1f\nEnd Tag Table\n",
	"lamp.po": "msgid \"\"\nmsgstr \"Language: de\\n\"\n\n#: lamp.rst:1\nmsgid \"Lamps\"\nmsgstr \"Lampen\"\n\n#: lamp.rst:4\nmsgid \"A *wick* that \"\n\"smokes is too long.\"\n" +
		"msgstr \"Ein *Docht*, der rußt, ist zu lang.\"\n\n#, fuzzy\nmsgid \"Trim it cold.\"\nmsgstr \"no\"\n",
	"lamp.ipynb": `{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# Lamps\n", "Trim the *wick*, cold."]}, {"cell_type": "code", "metadata": {}, "outputs": [],` +
		`"source": "lamp.trim(2)"}], "metadata": {}, "nbformat": 4}`,
	"lamp.txt": "Lamps\n\nA wick that smokes is too long. Trim it while it is cold, then light it again.\n",
	"plain.md": "# Lamps\n\nA wick that smokes is too long.\n",
	"include.md": "---\ntitle: Lamps\n---\n\n# Lamps\n\n{{#include oil.md}}\n\nThe wick burns down by two millimetres an hour.\nTrim it cold, " +
		"then light it again, and look after it while it burns, since it smokes.\n",
}

// Whatever changes in a parser, a page of each format keeps the words that whole pages of
// that format keep: an object of reStructuredText that lost all its text was not seen for
// months, although one number would have told of it.
func TestFixturesKeepTheirWords(t *testing.T) {
	t.Parallel()
	r, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[doc.Format]int{}
	check := func(name string, d doc.Document, err error) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		seen[d.Format]++
		if d.Words.Source < 5 || fidelity.Falls(d.Format, d.Words) || slices.Contains(d.Warnings, d.Words.String()) {
			t.Errorf("%s: %v", name, d.Words)
		}
	}
	for folder, pages := range fixturePages(t) {
		inside := files.InFolder(folder, func() []string { return pages })
		for _, p := range pages {
			src, err := files.ReadInside(folder, p)
			if err != nil {
				t.Fatal(err)
			}
			d, err := r.Parse(t.Context(), src, parse.File{Path: p, Layout: doc.LayoutTree, Files: inside})
			check(folder+"/"+p, d, err)
		}
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "oil.md"), []byte("Oil of rape.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	inside := files.InFolder(folder, func() []string { return nil })
	for name, src := range written {
		d, err := r.Parse(t.Context(), []byte(src), parse.File{Path: name, Layout: doc.LayoutTree, Files: inside})
		check(name, d, err)
	}
	rich, err := r.Parse(t.Context(), []byte(`{\rtf1{\stylesheet{\s1 heading 1;}}\pard\s1 Wicks\par\pard Trim {\b th}em, cold and short.\par}`),
		parse.File{Path: "lamp.rtf", Layout: doc.LayoutTree})
	check("lamp.rtf", rich, err)
	for name, parts := range map[string]map[string]string{
		"lamp.docx": {"word/document.xml": "<w:document><w:body><w:p><w:r><w:t>Trim the</w:t></w:r><w:r><w:t xml:space=\"preserve\"> wick, cold and short.</w:t></w:r></w:p></w:body></w:document>"},
		"lamp.odt":  {"content.xml": `<d><automatic-styles><style name="no">no</style></automatic-styles><body><text><h outline-level="1">Wicks</h><p>Trim <span>th</span>em,<s/>cold and short.<note><note-citation>1</note-citation><note-body><p>Ask.</p></note-body></note></p></text></body></d>`},
		"lamp.pptx": {"ppt/presentation.xml": `<p><sldIdLst><sldId id="rId1"/></sldIdLst></p>`,
			"ppt/_rels/presentation.xml.rels": `<Relationships><Relationship Id="rId1" Target="slides/slide1.xml"/></Relationships>`,
			"ppt/slides/slide1.xml":           `<sld><cSld><spTree><sp><nvSpPr><nvPr><ph type="ftr"/></nvPr></nvSpPr><txBody><p><r><t>no</t></r></p></txBody></sp><sp><txBody><p><r><t>Trim th</t></r><r><t>em, cold and short.</t></r></p></txBody></sp></spTree></cSld></sld>`},
		"lamp.xlsx": {"xl/workbook.xml": `<workbook><sheets><sheet name="Wicks" id="rId1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
			"xl/sharedStrings.xml":       `<sst><si><t>Trim the wick,</t><rPh><t>no</t></rPh></si></sst>`,
			"xl/worksheets/sheet1.xml":   `<worksheet><sheetData><row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>cold and short.</t></is></c></row></sheetData></worksheet>`},
		"lamp.epub": {"META-INF/container.xml": `<rootfile full-path="b.opf"/>`, "a.xhtml": "<body><h1>Wicks</h1><p>Trim them, cold and short.</p></body>",
			"b.opf": `<title>Wicks</title><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/>`},
	} {
		d, err := r.Parse(t.Context(), parsetest.Archive(t, parts), parse.File{Path: name, Layout: doc.LayoutTree})
		check(name, d, err)
	}
	for _, format := range []doc.Format{doc.FormatHTML, doc.FormatJSON, doc.FormatAsciiDoc, doc.FormatCode, doc.FormatDITA, doc.FormatRST, doc.FormatMan,
		doc.FormatMarkdown, doc.FormatDOCX, doc.FormatEPUB, doc.FormatMediaWiki,
		doc.FormatOrg, doc.FormatPOD, doc.FormatYAML, doc.FormatODT, doc.FormatPPTX, doc.FormatXLSX, doc.FormatRTF,
		doc.FormatDocBook, doc.FormatTexinfo, doc.FormatInfo, doc.FormatNotebook, doc.FormatProse, doc.FormatPO} {
		if seen[format] == 0 {
			t.Errorf("no page of %s was looked at", format)
		}
	}
}

// The words of PDF are those that poppler read, counted before lines and columns are made
// of them.
func TestWordsOfPDF(t *testing.T) {
	t.Parallel()
	r, err := formats.AllParsers(formats.WithPDF(pdf.Options{Tools: pdftest.InstalledTools(t), OCR: pdf.Never}))
	if err != nil {
		t.Fatal(err)
	}
	var page pdftest.Page
	for i := range 20 {
		page.Texts = append(page.Texts, pdftest.Text{X: 72, Y: 80 + 14*float64(i), Font: pdftest.Plain, Size: 11, Text: "The wick of the lamp burns by two hours"})
	}
	d, err := r.Parse(t.Context(), pdftest.File{Pages: []pdftest.Page{page}}.Bytes(), parse.File{Path: "lamp.pdf", Layout: doc.LayoutTree})
	if err != nil || d.Words != (doc.WordCount{Source: 180, Arrived: 180}) {
		t.Errorf("%+v, %v", d.Words, err)
	}
}

// dropping is a parser of reStructuredText that loses the text of directives, as the real one
// once did.
type dropping struct{ rst.Parser }

func (p dropping) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	kept, _, _ := bytes.Cut(src, []byte(".. function::"))
	return p.Parser.Parse(ctx, kept, opt)
}

func TestParserThatDropsTextIsReported(t *testing.T) {
	t.Parallel()
	src := []byte("Lamps\n=====\n\nHere are all of them.\n\n.. function:: trim(wick)\n\n   " + strings.Repeat("Cuts the wick. ", 20) + "\n")
	for _, tt := range []struct {
		parser   parse.Parser
		warnings []string
	}{
		{rst.Parser{}, nil},
		{dropping{}, []string{"8 % of its words arrive (6 of 68)"}},
	} {
		r := &parse.Registry{}
		if err := r.Register(tt.parser); err != nil {
			t.Fatal(err)
		}
		d, err := r.Parse(t.Context(), src, parse.File{Path: "lamps.rst", Layout: doc.LayoutTree})
		if err != nil || !slices.Equal(d.Warnings, tt.warnings) {
			t.Errorf("%T: warnings %q, %v; want %q", tt.parser, d.Warnings, err, tt.warnings)
		}
	}
}
