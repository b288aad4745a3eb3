package man_test

import (
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/man"
	"docent/store/doc"
)

// Pages define macros for what they repeat, and were read without them: synopses lost their
// commands, tables of methods were empty, the code of Perl's pages was text.
func TestOwnMacros(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ src, want string }{
		"lines": {".B lamp\n.de CMD_TRIM\n.  BR trim\n.  IR wick\n..\n.CMD_TRIM\n", "`lamp`\n`trim`\n*wick*\n"},
		"arguments": {".de Oil\nBurns \\\\$1 for \\\\$2 hours, all: \\\\$*.\n.if \\\\n(.$>2 It says \\\\$3.\n.shift 2\nLeft: \\\\$1\n..\n.Oil rape 12 \"so much\"\n",
			"Burns rape for 12 hours, all: rape 12 so much.\nIt says so much.\nLeft: so much\n"},
		"texts that are compared": {".de Kind\n.ie \"\\\\$1\"any\" every kind\n.el only \\\\$1\n.if !'\\\\$2'' \\{\\\nand \\\\$2\n.\\}\n..\n.Kind any\n.Kind olive rape\n",
			"every kind\nonly olive\nand rape\n"},
		"another name, and more of one": {".de A\none\n..\n.am A\ntwo\n..\n.als B A\n.rm A\n.als B C\n.B\n.de C END\nthree\n.END\n.als D C\n.D\n", "three\n"},
		"code of Perl's pages": {".de Vb \\\" Begin verbatim\n.ft CW\n.nf\n.ne \\\\$1\n..\n.de Ve\n.ft R\n.fi\n..\n.ie n \\{\\\n.    ds L\" \"\"\n.    ds C` \"\"\n'br\\}\n.el\\{\\\n.    ds L\" ``\n'br\\}\n.Vb 2\n\\&  my $lamp = 1;\n.Ve\n.PP\n\\*(L\"x and \\f(CW\\*(C`lamp\\*(C'\\fR.\n",
			"```\n  my $lamp = 1;\n```\n\n\"x and `lamp`.\n"},
		"links of Asciidoctor": {".de URL\n\\fI\\\\$2\\fP <\\\\$1>\\\\$3\n..\n.als MTO URL\nAsk at \\c\n.URL \"https://lamp.example/is\\-sues\" \"\" \".\"\n.MTO \"ann\\(atlamp.example\" \"Ann\" \",\"\n.URL http://x.example Wick\n",
			"Ask at [https://lamp.example/is-sues](https://lamp.example/is-sues).\n[Ann](mailto:ann@lamp.example),\n[Wick](http://x.example)\n"},
		"cells of several lines": {".TS\ntab(:);\nl l.\nCall:Page\nT{\n.BR trim ()\nT}:T{\n.na\nsee\n.BR lamp (1)\nT}\nx:y\n.TE\nend\n",
			"| Call | Page |\n| --- | --- |\n| `trim`() | see `lamp`(1) |\n| x | y |\n\nend\n"},
		"columns of mdoc":              {".Dd today\n.Dt X 1\n.Bl -column a b\n.It Sy Name Ta Sy What\n.It Va wick Ta \"its length\"\n.El\n", "| `Name` | `What` |\n| --- | --- |\n| *wick* | its length |\n"},
		"conditions within conditions": {".ie n \\{\\\n.ie t no\n.el yes\n.\\}\n.el never\n.if n .if !t both\n.if (1<2) less\n.if 3=4 more\n.if dNo none\n.el not\n", "yes\nboth\nless\n"},
		"tables whose first cell is of several lines": {".TS\ntab (@);\nl lx.\n1@T{\nlamps\nT}\nT{\n.PP\nwicks\n\n       .PP\nlong\nT}@T{\nthreads\nT}\n.TE\n",
			"| 1 | lamps |\n| --- | --- |\n| wicks long | threads |\n"},
		"words of mdoc in cells": {".Dd today\n.Dt X 1\n.TS\nl l.\nT{\n.Cm trim\n.Op Fl q\nT}\tcuts\nx\ty\n.TE\n", "| `trim` [`-q`] | cuts |\n| --- | --- |\n| x | y |\n"},
		"a string that is a macro": {".Dd today\n.Dt X 1\n.ds forever \\\n.No It stays Sy lit No as long \\\nas there is Em oil .\n.ds plain x\n.Pp\n\\*[forever]\n\\*[plain] is no macro\n",
			"It stays `lit` as long as there is *oil*.\nx is no macro\n"},
		"an entry that a macro writes": {".Dd today\n.Dt X 1\n.de lamp\n.It Sy \\\\$2\n.Bl -tag -compact\n.It MAKER\n\\\\$1\n.if !\"\\\\$3\"\" \\{\\\n.It NEEDS\n\\fB\\\\$3\\fP\n.\\}\n.El\n.Pp\n..\n.Bl -tag -width Ds\n.lamp ann storm oil\nFor wind.\n.lamp bob desk\nFor work.\n.El\n",
			"- **`storm`**\n  - **MAKER**\n    ann\n  - **NEEDS**\n    `oil`\n\n  For wind.\n\n- **`desk`**\n  - **MAKER**\n    bob\n\n  For work.\n"},
		"what no page may define anew": {".de SH\nlost\n..\n.SH OIL\n.de BR\nlost\n..\n.BR a b\n", "## OIL\n\n`a`b\n"},
	} {
		d, err := man.Parser{}.Parse(t.Context(), []byte(tt.src), parse.Options{Path: "x.1"})
		if err != nil || string(d.Text) != tt.want {
			t.Errorf("%s: %v, written is\n%s\nwant\n%s", name, err, d.Text, tt.want)
		}
	}
	d, err := man.Parser{}.Parse(t.Context(), []byte(".de X\na\nb\n..\nfirst \\c\nsecond\n.X\nlast\n"), parse.Options{Path: "x.1"})
	if err != nil || string(d.Text) != "first second\na\nb\nlast\n" || d.Location(2) != (doc.Location{Line: 7}) || d.Location(4) != (doc.Location{Line: 8}) {
		t.Errorf("%v, lines of macros stand at %+v and the next at %+v:\n%s", err, d.Location(2), d.Location(4), d.Text)
	}
}

// Pages of sections with a suffix, .3pm and .1m, were left out.
func TestSuffixes(t *testing.T) {
	t.Parallel()
	var r parse.Registry
	if err := r.Register(man.Parser{}); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]bool{"a.7ssl": true, "a.3pm": true, "A.1M": true, "a.3type.gz": true, "a.n": true, "a.9": true,
		"a.7-old": false, "a.1234": false, "a.pm": false} {
		_, err := r.ParserFor(file, doc.LayoutTree, parse.HeadOf([]byte(".TH A 1\n")))
		if (err == nil) != want {
			t.Errorf("%s: %v", file, err)
		}
		if _, err := r.ParserFor(file, doc.LayoutUploads, parse.HeadOf([]byte("7z\xbc\xaf"))); strings.HasPrefix(file, "a.7") && err == nil {
			t.Errorf("%s: an archive is a page", file)
		}
	}
}

// Macros that call themselves, and lines that grow, end where the page has grown enough.
func TestMacrosEnd(t *testing.T) {
	t.Parallel()
	for name, src := range hostile(2000) {
		d, err := man.Parser{}.Parse(t.Context(), []byte(".TH A 1\n"+src+"\n.SH END\nthe end\n"), parse.Options{Path: "x.1"})
		if err != nil || len(d.Text) > 64*len(src)+(1<<20) {
			t.Errorf("%s: %v, %d bytes of text of %d", name, err, len(d.Text), len(src))
		}
		if strings.HasPrefix(name, "macros") && !strings.Contains(string(d.Text), "the end") {
			t.Errorf("%s: the page's end is lost", name)
		}
	}
}
