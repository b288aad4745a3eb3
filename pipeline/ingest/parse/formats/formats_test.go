package formats_test

import (
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

func TestEveryFormatKeepsItsPromises(t *testing.T) {
	t.Parallel()
	r, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	sources := map[doc.Format]map[string][]byte{
		doc.FormatMarkdown: {
			"a.md":     []byte("---\ntitle: Wicks\n---\n\n# Wicks\n\nTrim *them*.\n\n1. one\n\n   ```sh\n   trim\n   ```\n2. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
			"b.mdx":    []byte("import X from 'x'\n\n# B\n\n<Note>\n\nText.\n\n</Note>\n"),
			"crlf.md":  []byte("# C\r\n\r\ntext\r\n"),
			"empty.md": nil,
		},
		doc.FormatHTML: {
			"a.html":     []byte("<!doctype html><title>Wicks — Lantern</title><main><h1 id=wicks>Wicks</h1><p>Trim <b>them</b>.<ol><li>one<pre class=language-sh>trim</pre><li>two</ol><table><tr><th>a<tr><td>1</table></main>"),
			"b.htm":      []byte("text"),
			"latin.html": []byte("<meta charset=iso-8859-1><p>caf\xe9</p>\r\n<p>b"),
		},
		doc.FormatJSON: {
			"a.json": []byte(`{"openapi": "3.0.0", "info": {"title": "Lamps"}, "paths": {"/lamps": {"get": {"description": "Lists *them*."}}}}`),
			"b.json": []byte(`{"text": "What the program says.", "list": [1, 2`),
			"c.yaml": []byte("openapi: 3.0.0\ninfo:\n  title: Lamps\n"),
		},
		doc.FormatDocBook: {
			"a.xml":     []byte("<chapter id=\"w\"><title>Wicks</title><para>Trim <emphasis>them</emphasis>.</para><screen>trim\n</screen></chapter>"),
			"b.docbook": []byte("<article><para>Broken"),
		},
		doc.FormatTexinfo: {
			"a.texi": []byte("@chapter Wicks\nTrim @emph{them}.\n@example\ntrim\n@end example\n"),
		},
		doc.FormatInfo: {
			"a.info": []byte("\x1f\nFile: a.info, Node: Top\n\nWicks\n*****\n\nTrim them.\n"),
		},
		doc.FormatMediaWiki: {
			"a.mediawiki": []byte("== Wicks ==\nTrim ''them''.\n# one\n# two\n{|\n| a || b\n|}\n<pre>trim</pre>\n"),
			"b.wiki":      []byte("{{note|Broken [[wick"),
		},
		doc.FormatOrg: {
			"a.org": []byte("#+title: Wicks\n* Trim\nTrim /them/.\n1. one\n   #+begin_src sh\n   trim\n   #+end_src\n2. two\n\n| a | b |\n"),
			"b.org": []byte("* Broken\n#+begin_quote\nwick"),
		},
		doc.FormatPOD: {
			"a.pod": []byte("=head1 Wicks\n\nTrim B<them>.\n\n=over\n\n=item 1\n\none\n\n  trim\n\n=back\n"),
			"b.pm":  []byte("package Wick;\n\n=head1 NAME\n\nWick - C<broken"),
		},
		doc.FormatPO: {
			"a.po": []byte("#: a.rst:1\nmsgid \"Wicks\"\nmsgstr \"Dochte\"\n\n#: a.rst:4\nmsgid \"Trim *them*.\"\nmsgstr \"Kürze *sie*.\"\n"),
			"b.po": []byte("#: a.md:1\nmsgid \"Broken" + "\"\nmsgstr \"Docht"),
		},
		doc.FormatYAML: {
			"a.yaml": []byte("# How long wicks are.\nwick:\n  # In millimetres.\n  length: 2\n  colour: black\n# Which oil burns.\noil: [rape]\n"),
			"b.yml":  []byte("# Broken, as it stands\nwick: [\n"),
		},
		doc.FormatNotebook: {
			"a.ipynb": []byte(`{"cells": [{"cell_type": "markdown", "source": ["# Wicks\n", "Trim *them*."]}, {"cell_type": "code", "source": "trim()"}]}`),
			"b.ipynb": []byte(`{"cells": [`),
		},
		doc.FormatRST: {
			"a.rst":    []byte("Wicks\n=====\n\n.. _trim:\n\nTrim\n----\n\nTrim *them*::\n\n    trim\n\n#. one\n#. two\n\n.. note:: Oil\n"),
			"utf8.rst": []byte("T\xff\n==\n"),
		},
		doc.FormatDITA: {
			"a.dita":    []byte("<task id=\"a\">\n<title>Trim</title>\n<taskbody><steps><step><cmd>One</cmd></step>\n<step><cmd>Two</cmd></step></steps></taskbody></task>"),
			"b.ditamap": []byte("<map><title>All</title><topicref href=\"a.dita\"/></map>"),
			"c.xml":     []byte("<topic><title>Broken<body><p>x"),
		},
		doc.FormatMan: {
			"wick.1": []byte(".TH WICK 1\n.SH NAME\nwick \\- trim it\n.SH OPTIONS\n.TP\n\\fB-l\\fR \\fIn\\fR\nHow long.\n"),
			"oil.8":  []byte(".Dd $Mdocdate$\n.Dt OIL 8\n.Sh NAME\n.Nm oil\n.Nd fill it\n"),
		},
		doc.FormatAsciiDoc: {
			"a.adoc": []byte("= Wicks\n\nTrim *them*.\n\n. one\n+\n----\ntrim\n----\n. two\n\n|===\n|a |b\n|===\n"),
			"b.txt":  []byte("Wicks\n=====\n\n[verse]\ntrim\n"),
		},
		doc.FormatCode: {
			"wick.go": []byte("// Package wick trims.\npackage wick\n\n// Trim trims.\nfunc Trim(n int) {}\n"),
			"wick.py": []byte("class Wick:\n    \"\"\"Trims.\"\"\"\n\n    def trim(self): pass\n"),
			"wick.c":  []byte("int trim(int n)\r\n{\r\n}\r\n"),
		},
		doc.FormatDOCX: {
			"a.docx": parsetest.Archive(t, map[string]string{"word/document.xml": `<w:document><w:body><w:p><w:r><w:t>Trim *them*.</w:t></w:r></w:p></w:body></w:document>`}),
		},
		doc.FormatODT: {
			"a.odt": parsetest.Archive(t, map[string]string{"content.xml": `<d><body><text><h outline-level="1">Wicks</h><p>Trim *them*.</p></text></body></d>`}),
		},
		doc.FormatRTF: {
			"a.rtf": []byte(`{\rtf1{\stylesheet{\s1 heading 1;}}\pard\s1 Wicks\par\pard Trim *them*.\par}`),
		},
		doc.FormatPPTX: {
			"a.pptx": parsetest.Archive(t, map[string]string{"ppt/presentation.xml": `<p><sldIdLst><sldId id="rId1"/></sldIdLst></p>`,
				"ppt/_rels/presentation.xml.rels": `<Relationships><Relationship Id="rId1" Target="slides/slide1.xml"/></Relationships>`,
				"ppt/slides/slide1.xml":           `<sld><cSld><spTree><sp><txBody><p><r><t>Trim *them*.</t></r></p></txBody></sp></spTree></cSld></sld>`}),
		},
		doc.FormatXLSX: {
			"a.xlsx": parsetest.Archive(t, map[string]string{"xl/workbook.xml": `<workbook><sheets><sheet name="Wicks" id="rId1"/></sheets></workbook>`,
				"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
				"xl/worksheets/sheet1.xml":   `<worksheet><sheetData><row><c t="inlineStr"><is><t>Trim *them*.</t></is></c></row></sheetData></worksheet>`}),
		},
		doc.FormatEPUB: {
			"a.epub": parsetest.Archive(t, map[string]string{"META-INF/container.xml": `<rootfile full-path="b.opf"/>`, "a.xhtml": `<body><h1>Wicks</h1><p>Trim them.</p></body>`,
				"b.opf": `<title>Wicks</title><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/>`}),
		},
		doc.FormatProse: {
			"guide.txt": []byte("The lantern\n\nLight it at dusk. It burns.\n\nPut it out.\n"),
		},
		doc.FormatText: {
			"1.txt":     []byte("Title\n\none\ntwo\n\nthree"),
			"title.txt": []byte("Title"),
			"utf8.txt":  []byte("T\n\xff\xfe\n"),
		},
	}
	for format, src := range sources {
		p, err := r.ParserOf(format)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(string(format), func(t *testing.T) { parsetest.TestParser(t, p, src) })
	}
	// Judged collections are no format of folders; PDF runs the suite in its own package,
	// where poppler is.
	if got := len(strings.Split(r.Describe(), ", ")); got != len(sources)-1+1 {
		t.Errorf("%d formats are described (%s), sources of %d are here", got, r.Describe(), len(sources))
	}
	t.Run("notes", func(t *testing.T) {
		var p parse.Parser = &parsetest.Notes{}
		parsetest.TestParser(t, p, map[string][]byte{
			"a.notes": []byte(".title Wicks\n.page 3\n.h trim Trim the wick\nTrim it.\n.code\nlantern trim\n.end\nDone.\n"),
		})
	})
}
