package man_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/man"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

const classic = `.\" A comment.
.TH WICK 1 2026-02-14 "Lantern 2" "Lantern's Manual"
.de XX
.SH "not a section"
..
.SH NAME
wick, wicktrim \- trim the wick of a lantern
.SH SYNOPSIS
.B wick
[\fB\-l\fR \fIlength\fR] [\fB\-\-even\fR]
.I file ...
.SH DESCRIPTION
.B wick
trims a wick.  It is *not* a knife\(em
see
.BR lantern (1).
.PP
A second paragraph with a \fItext that goes
on\fR and C:\\wick.
.SS "How it trims"
.IP \(bu 2
evenly
.IP \(bu
slowly
.SH OPTIONS
.TP
\fB\-l\fR, \fB\-\-length\fR=\fIn\fR
Trim to
.I n
millimetres.
.RS
.PP
Not below 3.
.RE
.TP
.B \-\-even
Trim evenly.
.ie t \{\
.B typeset
.\}
.el \{\
.B terminal
.\}
.SH EXAMPLES
.nf
$ wick \-l 6 \e
    lamp
.fi
.SH FILES
.TS
tab(|);
lb lb
l l.
File|What
_
/etc/wick|T{
settings of
all wicks
T}
.TE
`

const classicText = "## NAME\n\nwick, wicktrim - trim the wick of a lantern\n\n## SYNOPSIS\n\n`wick`\n[`-l` *length*] [`--even`]\n*file ...*\n\n## DESCRIPTION\n\n`wick`\ntrims a wick. It is \\*not\\* a knife—\nsee\n`lantern`(1).\n\n" +
	"A second paragraph with a *text that goes*\n*on* and C:\\wick.\n\n### How it trims\n\n- evenly\n- slowly\n\n## OPTIONS\n\n- **`-l`, `--length`=*n***\n  Trim to\n  *n*\n  millimetres.\n\n  Not below 3.\n\n- **`--even`**\n  Trim evenly.\n  `terminal`\n\n" +
	"## EXAMPLES\n\n```\n$ wick -l 6 \\\n    lamp\n```\n\n## FILES\n\n| File | What |\n| --- | --- |\n| /etc/wick | settings of all wicks |\n"

const bsd = `.Dd $Mdocdate$
.Dt OIL 8
.Os
.Sh NAME
.Nm oil
.Nd fill a lantern
.Sh SYNOPSIS
.Nm
.Op Fl v
.Op Fl k Ar kind
.Ar lantern
.Sh DESCRIPTION
The
.Nm
utility fills a
.Pa /dev/lantern .
See
.Xr wick 1 ,
.Dq oil
and
.Ev OIL_KIND .
.Pp
Options:
.Bl -tag -width Ds
.It Fl v
Says what it does.
.It Xo Fl f
.Op Fl n
.Xc
Fills.
.It Fl k Ar kind
Takes oil of this
.Ar kind :
.Bl -bullet -compact
.It
whale
.It
olive
.El
.El
.Bl -enum
.It
Open it.
.It
Fill it.
.El
.Bd -literal -offset indent
oil -k whale
.Ed
`

const bsdText = "## NAME\n\n`oil`\n— fill a lantern\n\n## SYNOPSIS\n\n`oil`\n[`-v`]\n[`-k` *kind*]\n*lantern*\n\n## DESCRIPTION\n\nThe\n`oil`\nutility fills a\n*/dev/lantern*.\nSee\nwick(1),\n“oil”\nand\n`OIL_KIND`.\n\nOptions:\n\n" +
	"- **`-v`**\n  Says what it does.\n- **`-f`**\n  [`-n`]\n  Fills.\n- **`-k` *kind***\n  Takes oil of this\n  *kind*:\n  - whale\n  - olive\n\n1. Open it.\n2. Fill it.\n\n```\noil -k whale\n```\n"

func TestPages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, path, want, title, about string }{
		{classic, "man1/wick.1", classicText, "wick(1)", "trim the wick of a lantern"},
		{bsd, "oil.8", bsdText, "oil(8)", "fill a lantern"},
		{".TH ODD-Name 3pm\n.PP\ntext\n", "x.3", "text\n", "ODD-Name(3pm)", ""},
		{".TH X 1\n.SH OPTIONS\n.PP\n\\fB\\-a\\fR\n.RS 4\nAll.\n.RE\n.RS 4\n.ie n \\{\\\n\\h'-04' 1.\\h'+01'\\c\n.\\}\n.el \\{\\\n.IP \"  1.\" 4.2\n.\\}\nFirst\n.RE\n.SH\nNEXT\n", "x.1", "## OPTIONS\n\n- **`-a`**\n  All.\n\n1. First\n\n## NEXT\n", "x(1)", ""},
		{".TH \"oil lamp\" 1\n.SH NAME\nlamp-fill - pour oil\n", "man/lamp-fill.1", "## NAME\n\nlamp-fill - pour oil\n", "lamp-fill(1)", "pour oil"},
	} {
		d, err := man.Parser{}.Parse(t.Context(), []byte(tt.src), parse.Options{Path: tt.path})
		if err != nil || string(d.Text) != tt.want || d.Title != tt.title || d.About != tt.about {
			t.Errorf("%s: %v, title %q, about %q; written is\n%s\nwant\n%s", tt.path, err, d.Title, d.About, d.Text, tt.want)
		}
	}
	d, _ := man.Parser{}.Parse(t.Context(), []byte(classic), parse.Options{Path: "wick.1"})
	if at := d.Location(14); at != (doc.Location{Line: 14}) {
		t.Errorf("line 14 stands at %+v", at)
	}
	var other parse.LeftOut
	if _, err := (man.Parser{}).Parse(t.Context(), []byte(".so man1/wick.1\n"), parse.Options{}); !errors.As(err, &other) || !strings.Contains(other.Error(), "man1/wick.1") {
		t.Errorf("a page that points to another: %v", err)
	}
}

func TestSniff(t *testing.T) {
	t.Parallel()
	sniff := man.Parser{}.Info().Sniff
	for src, want := range map[string]bool{classic: true, bsd: true, "'\\\" t\n.\\\" x\n.TH A 1\n": true, ".so man1/a.1\n": true, "\\\"copied\n.TH A 1\n": true, "": false, "\x7fELF\x00.TH": false,
		"2026-01-01 started\n": false, "# Changes in 1.1\n\n.TH is a macro\n": false, ".profile\n.bashrc\n": false, ".SH NAME\n": false} {
		if sniff([]byte(src)) != want {
			t.Errorf("%.20q is a page: %v", src, !want)
		}
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	sources := map[string][]byte{"wick.1": []byte(classic), "oil.8": []byte(bsd), "crlf.1": []byte(strings.ReplaceAll(classic, "\n", "\r\n")), "bad.1": []byte(".TH A 1\n\xff\x00\\f\\*(\n.IP\n.RE\n.El\n.It x\n")}
	for name, src := range hostile(200) {
		sources[name] = []byte(".TH A 1\ntext\n" + src)
	}
	parsetest.TestParser(t, man.Parser{}, sources)
}

// hostile are pages that nest and expand n times.
func hostile(n int) map[string]string {
	return map[string]string{
		"indented":   strings.Repeat(".RS\n.TP\nx\ny\n", n),
		"lists":      strings.Repeat(".Bl -bullet\n.It\nx\n", n) + strings.Repeat(".El\n", 2*n),
		"strings":    ".ds a " + strings.Repeat("x", 900) + "\n.ds b " + strings.Repeat(`\*a`, 300) + "\n.ds c " + strings.Repeat(`\*b`, 300) + "\n" + strings.Repeat(`\*c`+"\n", n),
		"itself":     ".ds a \\*a\\*a\\*a\n" + strings.Repeat("\\*a\n", n),
		"conditions": ".if n " + strings.Repeat(".el ", n) + "\n" + strings.Repeat(".if t \\{\n", n) + "lost\n",
		"fonts":      strings.Repeat(`\fB*\fI_\fR`+"`", n) + "\n",
		"enclosed":   ".Op " + strings.Repeat("Op Fl ", n) + "\n",
		"table":      ".TS\nl.\n" + strings.Repeat("a\t", n) + "\n" + strings.Repeat("a\n", n),
		"open":       ".TS\n" + strings.Repeat("x\n", n), "macro": ".de x\n" + strings.Repeat("x\n", n), "quote": ".B \"" + strings.Repeat(`"" \`, n),
		"macros of themselves": ".de x\nx\n.x \\\\$1\\\\$1\n.x \\\\$*\n..\n" + strings.Repeat(".x abc\n", n),
		"lines that go on":     strings.Repeat("x\\\n", n), "a string that is a string": ".ds a .if n \\*a\\*a\n" + strings.Repeat("\\*a\n", n),
		"macros of many":     strings.Repeat(".de x\n.y\n.y\n..\n.als z x\n.de y\n.z\n.z\n..\n", n) + strings.Repeat(".z\n", n),
		"macros that repeat": ".de x\n" + strings.Repeat(`\\$*`, n) + "\n..\n.x " + strings.Repeat("long ", n) + "\n.x\n",
	}
}

func FuzzParse(f *testing.F) {
	for _, src := range parsetest.AllSeeds(map[string][]byte{"wick.1": []byte(classic), "oil.8": []byte(bsd)}, hostile(20)) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		d, _ := parsetest.Promises(t, man.Parser{}, src, parse.Options{Path: "x.1"})
		if len(d.Text) > 64*len(src)+mostExpanded {
			t.Fatalf("%d bytes of text of %d", len(d.Text), len(src))
		}
	})
}

// mostExpanded is what strings and macros may bring in beyond the page's own size, escaped.
const mostExpanded = 1 << 20

// BenchmarkHostile shows that time grows with the page and no faster.
func BenchmarkHostile(b *testing.B) {
	for name := range hostile(1) {
		for _, n := range []int{2000, 8000} {
			src := []byte(hostile(n)[name])
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					if _, err := (man.Parser{}).Parse(b.Context(), src, parse.Options{Path: "x.1"}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkParse(b *testing.B) {
	src := []byte(strings.Repeat(classic[strings.Index(classic, ".SH DES"):], 200))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (man.Parser{}).Parse(b.Context(), src, parse.Options{Path: "x.1"}); err != nil {
			b.Fatal(err)
		}
	}
}

func compressed(t testing.TB, src string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(src)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Pages lie compressed in /usr/share/man.
func TestCompressed(t *testing.T) {
	t.Parallel()
	info := man.Parser{}.Info()
	src := compressed(t, classic)
	if !slices.Contains(info.Sniffed, ".gz") || !info.Sniff(src) || info.Sniff(compressed(t, "a,b\n1,2\n")) || info.Sniff([]byte{0x1f, 0x8b}) {
		t.Error("compressed pages are not told from other files")
	}
	long := compressed(t, classic+strings.Repeat(".SH MORE\n"+strings.Repeat("0123456789abcdef ", 7)+"\n", 2000))
	if !info.Sniff(long[:min(len(long), parse.HeadBytes)]) {
		t.Error("the beginning of a long one does not tell")
	}
	d, err := man.Parser{}.Parse(t.Context(), src, parse.Options{Path: "man1/wick.1.gz"})
	if err != nil || string(d.Text) != classicText || d.Title != "wick(1)" || d.Location(1) != (doc.Location{}) {
		t.Errorf("%q, %v, %+v:\n%s", d.Title, err, d.Location(1), d.Text)
	}
	parsetest.TestParser(t, man.Parser{}, map[string][]byte{"wick.1.gz": src})
	bomb := src[:40]
	if !testing.Short() {
		bomb = compressed(t, ".TH A 1\n"+strings.Repeat(" ", 65<<20))
	}
	cut := compressed(t, strings.Repeat(classic, 200))
	if d, err := (man.Parser{}).Parse(t.Context(), cut[:len(cut)-20], parse.Options{Path: "a.1.gz"}); err != nil || len(d.Warnings) == 0 || !strings.Contains(string(d.Text), "trim the wick") {
		t.Errorf("one that ends early: %v, %q", err, d.Warnings)
	}
	for name, bad := range map[string][]byte{"nothing but a head": src[:20], "flipped": append(append([]byte{}, src[:60]...), make([]byte, 30)...), "a bomb": bomb} {
		_, err := man.Parser{}.Parse(t.Context(), bad, parse.Options{Path: "a.1.gz"})
		if _, ok := errors.AsType[parse.LeftOut](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Macros that all pages of a project share lie in a file with them, which pages take in: of the
// arguments of functions only the texts were left. Other pages are not taken in.
func TestSharedMacros(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"doc/lamp.macros": ".\\\" arguments\n.de AP\n.TP\n.ie !\"\\\\$3\"\" \\{\\\n\\&\\\\$1 \\fI\\\\$2\\fP (\\\\$3)\n.\\}\n.el \\{\\\n.br\n\\&\\\\$1\n.\\}\n..\n" +
			".de OP\n.LP\n.nf\nName: \\\\$1\n.fi\n.IP\n..\n.de MT\n``''\n..\n",
		"doc/wick.3": ".TH wick 3\n.SH NAME\nwick\n",
	}
	src := ".TH lamp 3\n.so lamp.macros\n.so wick.3\n.so lost.macros\n.SH ARGUMENTS\n.AP \"Oil *\" oil in\nThe oil.\n.AP Wick\nOr\n.MT\n.SH OPTIONS\n" +
		".OP \\-fill fill Fill\nFills it.\n.OP \\-wick wick Wick\nTrims it.\n"
	d, err := man.Parser{}.Parse(t.Context(), []byte(src), parse.Options{Path: "doc/lamp.3", Open: func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}})
	want := "## ARGUMENTS\n\n- **Oil * *oil* (in)**\n  The oil.\n- **Wick**\n  Or\n  \\`\\`''\n\n## OPTIONS\n\n" +
		"- **`-fill`**\n  Database Name: `fill`, Database Class: `Fill`\n\n  Fills it.\n\n- **`-wick`**\n  Database Name: `wick`, Database Class: `Wick`\n\n  Trims it.\n"
	if err != nil || string(d.Text) != want {
		t.Errorf("%v\n%s", err, d.Text)
	}
}
