package fidelity_test

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/pipeline/ingest/hostiletest"
	"docent/pipeline/ingest/parse/fidelity"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

// Of each format, the words that are a page's text: a text that has none of them loses
// exactly these.
func TestMarkupIsNoText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		format    doc.Format
		src, want string
	}{
		{doc.FormatHTML, `<!doctype html><title>Site</title><style>p {color: red}</style><nav>Home</nav><!-- not this -->
			<p class=x>The <b>big</b>gest l<i>amp</i> &amp; its&nbsp;oil&eacute;</p><div class="sidebar"><div>no</div>no</div><pre>a<span>b</span></pre>`,
			"the biggest lamp its oilé ab"},
		{doc.FormatHTML, `<p>Banner</p><main><p>Wick<script>if (a < b) {}</script> two</main><p>after`, "wick two"},
		{doc.FormatMan, ".TH WICK 1 2024\n.\\\" no\n.SH NAME\nwick \\- trims \\fBthe\\fR lamp\n.IP \"first item\" 4\n.de CMD\ntrim \\\\$1\n..\n.de NEVER\n" +
			"no\n..\n.CMD\n.CMD oil\n.if n .B shown\n.TS\nl l.\none\ttwo\n.TE\n", "name wick trims the lamp first item trim oil shown one two"},
		{doc.FormatMan, ".Dd May 3\n.Dt WICK 1\n.Sh TYPES\n.Bl -column a b\n.It Num Ta Name\n.It 1 Ta whale\n.El\n", "types num name whale"},
		{doc.FormatMan, ".Dd May 3\n.Dt WICK 1\n.Sh OPTIONS\n.It Fl v Ns Ar level\nHow much.\n.Xr oil 8\n", "options vlevel how much oil"},
		{doc.FormatRST, ":orphan:\n\n.. _label:\n\nLamps\n=====\n\n.. a comment\n   of two lines\n\n.. note::\n   :class: tip\n\n   Oil :ref:`burns <b>` and\n" +
			"   :py:func:`~lamps.core.trim`\\ s, |release|, `see <https://a.example>`_.\n\n.. toctree::\n   :maxdepth: 2\n\n   other\n\n.. function:: fill(oil)\n\n" +
			"   Fills ``the lamp``.\n\n.. code-block:: sh\n\n   trim it\n",
			"lamps oil burns and trims see fill oil fills the lamp trim it"},
		{doc.FormatAsciiDoc, "= Lamps\n:toc: left\n\n// comment\n[source,sh]\n----\ntrim [it]\n----\n\nOil {version} link:a.html[burns] <<wick,the wick>>.\n\n" +
			"ifdef::never[]\nnot this\nendif::never[]\n\nNext\n----\n\ninclude::other.adoc[]\n|===\na|Cell\n2+^h| image::a.png[align=left] 12|of\n|===\nterm:: text\n\nA [.path]*/opt/oil* &#8212; end\n",
			"lamps trim it oil burns the wick next cell 12 of term text a opt oil end"},
		{doc.FormatDITA, `<?xml version="1.0"?><!DOCTYPE topic [<!ENTITY a "b">]><topic id="x"><title>Lamps</title><prolog><metadata>no</metadata></prolog>
			<body><p>Oil <b>burn</b>s.<indexterm>no</indexterm></p><p conref="a.dita#b">no</p><codeblock>a &amp;lt; b</codeblock></body></topic>`,
			"lamps oil burns a b"},
		{doc.FormatJSON, `{"openapi": "3.0.0", "info": {"title": "Lamps", "x": "no"}, "paths": {"/a": {"get": {"description": "Lists\nthem."}}}}`,
			"lamps lists them"},
		{doc.FormatJSON, "openapi: 3.0.0\ninfo:\n  title: Lamps\n  description: |\n    Oil and\n    wicks.\n  version: no\npaths:\n  /a:\n    get:\n      summary: Lists\n",
			"lamps oil and wicks lists"},
		{doc.FormatJSON, "openapi: 3.0.0\ninfo:\n  description: \"Oil\\n\\nand caf\\xe9, wi\\\n    cks \\\n    \\ burn.\"\n  title: 'Lamps'\n", "oil and café wicks burn lamps"},
		{doc.FormatJSON, `{"size": "the big\u006ce", "list": [12]}`, "size the bigle list"},
		{doc.FormatMarkdown, "---\ntitle: no\n---\n\n# Lamps\n\n{{#include other.md}}\n\n% no\n\nOil.\n", "lamps oil"},
		{doc.FormatMediaWiki, "<!-- no -->\n== Lamps ==\n__TOC__\n'''O'''il [[Burning|burns]] [[Wick]]s, [https://a.example well] {{note|Trim it|x=cold}}<br/>now <nowiki>[[a]]</nowiki>.\n" +
			"{| class=\"no\"\n|- style=no\n| width=no | Cell || two\n|}\n[[Category:No]] [[File:no.png|thumb|The picture of it]]<pre>code <b></pre>\n",
			"lamps oil burns wicks well trim it cold now a cell two the picture of it code b"},
		{doc.FormatOrg, "#+title: Lamps\n#+author: no\n# no\n* TODO [#A] Oil :no:\n:PROPERTIES:\n:ID: no\n:END:\n*Bu*rns [[no][well]] [[file:at]] {{{no(once)}}}, @@html:no@@so.\n" +
			"#+begin_src sh\ntrim [[it]]\n#+end_src\n#+begin_comment\nno\n#+end_comment\n** No :noexport:\nno\n** COMMENT no\nno\n** Yes\n: code\n| a | bc |\n",
			"lamps oil burns well at once so trim it yes code a bc"},
		{doc.FormatPOD, "package No;\n\n=head1 Lamps\n\nB<Oi>l X<no>burns L<well|No::No>, C<< as E<eacute>t\u00e9 >>.\n\n=for html no\nno\n\n=begin html\n\nno\n\n=end html\n\n=over\n\n" +
			"=item * trim\n\n  lamp trim\n\n=cut\n\nno();\n", "lamps oil burns well as été trim lamp trim"},
		{doc.FormatPO, "msgid \"\"\nmsgstr \"no\"\n\n# no\nmsgctxt \"no\"\nmsgid \"no\"\nmsgstr \"\"\n\"Oil *bur\"\n\"ns*\"\n\n#, fuzzy\nmsgid \"trim\"\nmsgid_plural \"trims\"\nmsgstr[0] \"no\"\n\n" +
			"msgid \"well\"\nmsgstr \"\"\n\n#~ msgid \"no\"\n", "oil burns"},
		{doc.FormatYAML, "# Oil, see [the shop](https://no.example).\n# +docs:property\n# @schema\n# no\n# @schema\noil: rape # or olive\n## @param wick.length In mm\n",
			"oil see the shop oil rape or olive wick length in mm"},
		{doc.FormatDocBook, `<?xml version="1.0"?><!DOCTYPE chapter [<!ENTITY a "b">]><chapter id="no"><chapterinfo><author>no</author></chapterinfo><title>Lamps</title>
			<para>Oil <emphasis>burn</emphasis>s<indexterm><primary>no</primary></indexterm>, see <xref linkend="no"/>.</para><remark>no</remark>
			<variablelist><varlistentry><term>wick</term><listitem><para>&lt;cold&gt;</para></listitem></varlistentry></variablelist></chapter>`,
			"lamps oil burns see wick cold"},
		{doc.FormatTexinfo, "\\input texinfo\n@settitle No\n@c no\n@macro no{a}\nno\n@end macro\n@ifset no\nno\n@end ifset\n@node No, no\n@chapter Lamps\n@cindex no\n" +
			"@menu\n* No:: no\n@end menu\nOil @emph{bur}ns, @pxref{No, no}.@footnote{Not @code{now}}@dots{}\n@table @code\n@item trim\nIt @@ cold\n@end table\n" +
			"@verbatim\na@b\n@end verbatim\n@multitable @columnfractions .25 .75\n@item rape @tab nine\n@end multitable\n@bye\n",
			"lamps oil burns not now trim it cold a b rape nine"},
		{doc.FormatInfo, "This is no.info, produced by no.\n\nno\n\n\x1f\nFile: no.info,  Node: Top,  Next: No\n\nLamps\n*****\n\n* Menu:\n\n* No:: no\n   no\n\nOil burns, *note Wicks: (no)No.\n" +
			"Trim it, *note Well::.\n\x1f\nTag Table:\nNode: No\n\x1f\nEnd Tag Table\n", "lamps oil burns wicks trim it well"},
		{doc.FormatNotebook, `{"cells": [{"cell_type": "markdown", "source": ["# La", "mps\n", "Oil"]}, {"cell_type": "code", "source": "trim(it)", "outputs": [{"text": ["no"]}]},
			{"cell_type": "raw", "source": "no"}, {"cell_type": "code", "metadata": {"tags": ["hide-input"]}, "source": "no"}], "metadata": {"no": "no"}}`,
			"lamps oil trim it"},
		{doc.FormatProse, "Lamps burn.\n", "lamps burn"},
		{doc.FormatCode, "// Trim trims.\nfunc Trim() {}\n", "trim trims func trim"},
		{doc.FormatRST, "灯塔 on\n", "灯 塔 on"},
		{doc.FormatMan, packed(t, ".SH NAME\nwick\n"), "name wick"},
		{doc.FormatDOCX, string(parsetest.Archive(t, map[string]string{
			"word/document.xml":  `<w:p><w:pPr><w:t2>no</w:t2></w:pPr><w:r><w:t>La</w:t></w:r><w:r><w:t xml:space="preserve">mps </w:t></w:r></w:p><w:del><w:t>no</w:t></w:del>`,
			"word/footnotes.xml": `<w:t>note</w:t>`, "word/settings.xml": `<w:t>no</w:t>`})), "lamps note"},
		{doc.FormatODT, string(parsetest.Archive(t, map[string]string{"styles.xml": "<p>no</p>",
			"content.xml": `<automatic-styles>no</automatic-styles><text:h>La<text:span>mps</text:span></text:h><text:p>oil<text:tab/>burns</text:p><text:table-of-content>no</text:table-of-content>`})), "lamps oil burns"},
		{doc.FormatPPTX, string(parsetest.Archive(t, map[string]string{"ppt/slideLayouts/slideLayout1.xml": "<a:t>no</a:t>",
			"ppt/slides/slide1.xml":           `<p:sp><p:ph type="sldNum"/><a:p><a:t>no</a:t></a:p></p:sp><p:sp><a:p><a:r><a:t>La</a:t></a:r><a:r><a:t>mps</a:t></a:r></a:p><a:p><a:t>oil</a:t></a:p></p:sp>`,
			"ppt/notesSlides/notesSlide1.xml": `<a:t>said</a:t>`})), "lamps oil said"},
		{doc.FormatXLSX, string(parsetest.Archive(t, map[string]string{"xl/styles.xml": "<t>no</t>",
			"xl/sharedStrings.xml":     `<si><r><t>La</t></r><r><t>mps</t></r><rPh><t>no</t></rPh></si><si><t>oil</t></si>`,
			"xl/worksheets/sheet1.xml": `<c t="s"><v>0</v></c><c t="inlineStr"><is><t>burns</t></is></c><c><f>SUM(A1)</f><v>12</v></c>`})), "lamps oil burns"},
		{doc.FormatRTF, `{\rtf1\ansi{\fonttbl{\f0 No;}}{\*\no no}{\header no}La{\b mps} b\'fcrn\par oil{\v no}\cell\u233?t\u233?, {\field{\*\fldinst NO}{\fldrslt see}}{\shp{\*\shpinst no{\shptxt box}}}}no`,
			"lamps bürn oil été see box"},
		{doc.FormatEPUB, string(parsetest.Archive(t, map[string]string{"a.xhtml": "<p>One</p>", "nav.xhtml": `<nav epub:type="toc">no</nav>`})), "one"},
	} {
		got := fidelity.LostWords(tt.format, []byte(tt.src), nil)
		want := strings.Fields(tt.want)
		slices.Sort(got) // parts of archives have no order
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the words of %.40q are %q, want %q", tt.format, tt.src, got, want)
		}
	}
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The order of words, their case and marks of emphasis do not count; their number does.
func TestWordsAreComparedAsMultisets(t *testing.T) {
	t.Parallel()
	src := []byte("<p>Oil burns. Oil <b>smo</b>kes, and so do_wicks.")
	for text, arrived := range map[string]int{
		"so wicks: DO\\_WICKS and **smo**kes. burns *oil* OIL": 7,
		"oil burns smokes and so do_wicks":                     6,
		"":                                                     0,
	} {
		if n := fidelity.CountWords(doc.FormatHTML, src, []byte(text)); n.Source != 7 || n.Arrived != arrived {
			t.Errorf("%q: %+v, want %d of 7", text, n, arrived)
		}
	}
}

// What pdftotext gives has words that the end of a line divides; the rendition has them
// whole, or with their hyphen.
func TestDividedWords(t *testing.T) {
	t.Parallel()
	raw := slices.Values([]string{"The", "light-", "house", "of", "well-", "known", "\ufb01re"})
	if n := fidelity.CountRaw(raw, []byte("The lighthouse of well-known fire")); n != (doc.WordCount{Source: 5, Arrived: 5}) {
		t.Errorf("%+v", n)
	}
}

// A page below the figure of its format has a warning, unless it has hardly any words.
func TestWhichPagesHaveWarnings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n     doc.WordCount
		falls bool
		text  string
	}{
		{doc.WordCount{Source: 2290, Arrived: 412}, true, "17 % of its words arrive (412 of 2290)"},
		{doc.WordCount{Source: 1000, Arrived: 800}, false, "80 % of its words arrive (800 of 1000)"},
		{doc.WordCount{Source: 1000, Arrived: 999}, false, "99.9 % of its words arrive (999 of 1000)"},
		{doc.WordCount{Source: 29}, false, "0 % of its words arrive (0 of 29)"},
		{doc.WordCount{}, false, "100 % of its words arrive (0 of 0)"},
	} {
		if fidelity.Falls(doc.FormatRST, tt.n) != tt.falls || tt.n.String() != tt.text {
			t.Errorf("%+v: falls %v, %q", tt.n, fidelity.Falls(doc.FormatRST, tt.n), tt.n)
		}
	}
}

var scanned = []doc.Format{doc.FormatMarkdown, doc.FormatHTML, doc.FormatMan, doc.FormatRST, doc.FormatAsciiDoc, doc.FormatDITA,
	doc.FormatJSON, doc.FormatDOCX, doc.FormatEPUB, doc.FormatCode,
	doc.FormatMediaWiki, doc.FormatOrg, doc.FormatPOD, doc.FormatPO, doc.FormatYAML, doc.FormatODT, doc.FormatPPTX, doc.FormatXLSX, doc.FormatRTF,
	doc.FormatDocBook, doc.FormatTexinfo, doc.FormatInfo, doc.FormatNotebook, doc.FormatText, doc.FormatProse}

// Hostile sources take time in proportion to their length: marks that begin and never end,
// in every format. A source eight times as long takes eight times as long, or sixty-four
// times if every mark looks for its end; a busy machine is asked three times.
func TestHostileSources(t *testing.T) {
	t.Parallel()
	const short, long = 1 << 13, 1 << 16
	for _, part := range []string{"<", "<!", "<!--", "<a b='", "<![CDATA[", "</", "&", "&a", "`", "``", ":a:`", "|a ", "[#", ".. a", "\\", "\\*[", "\\h'",
		"<<", "(((", "[[", "{a", "a:b[", "\"", "\\u", "ifdef::a[]\n", ".de a\n", ".a\n", ".ig\n", "-", "description: |\n", "////\n", "{{a|", "''", "<pre>", "<!--\n", "|a=", "[[a][", "@@a:", "* a :b:\n", "=item a\n", "L<a|", "msgid \"a\"\n", "C<<", "<div class=\"nav\">", "@a{", "@xref{a{", "@ifset a\n", "\x1f\nFile: a, Node: b\n", "*note a: ", "\x00\x08[", "* Menu:\n"} {
		for _, format := range scanned {
			count := func(size int) time.Duration {
				src := []byte(strings.Repeat(part, size/len(part)))
				return hostiletest.ProcessorTime(func() { fidelity.CountWords(format, src, src) })
			}
			var few, many time.Duration
			for range 3 {
				few, many = count(short), count(long)
				if many < 100*time.Millisecond || many < 24*few {
					few, many = 0, 0
					break
				}
			}
			if many > 0 {
				t.Errorf("%s, %q: %v for %d bytes, %v for %d", format, part, few, short, many, long)
			}
		}
	}
}

func FuzzCountWords(f *testing.F) {
	for _, src := range []string{"<p a='b'>x</p><![CDATA[y]]>", ".de A\n.A\n..\n.A\n.if n \\{ .A", ".. a:: b\n\n   :c:`~d <e>`", "<<a,b>> x:y[z] {c}\n----\n",
		`{"description": "a\u00e9"}`, "\xff\xfea\x00", "@a{b}@value{c}\n@menu\n", "\x1f\nFile: a, Node: b\n*note c: d.", "{\"cells\": [{\"source\": [\"a\"]}]}", "\x1f\x8b", "&#x110000;&eacute;&amp;lt;"} {
		f.Add([]byte(src), []byte("a b"))
	}
	f.Fuzz(func(t *testing.T, src, text []byte) {
		for _, format := range scanned {
			if n := fidelity.CountWords(format, src, text); n.Arrived < 0 || n.Arrived > n.Source {
				t.Errorf("%s: %+v", format, n)
			}
		}
	})
}
