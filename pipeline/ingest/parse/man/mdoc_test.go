package man_test

import (
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/man"
)

// Words and forms of mdoc(7) as mandoc shows them.
func TestMdocWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"a long option":                 {".Sh USE\nWith\n.Fl Fl long .\n", "## USE\n\nWith\n`--long`."},
		"one word of two":               {".Sh USE\n.Fl o Ns Cm off , Fl f Ns Ar file\n", "## USE\n\n`-ooff`, `-f`*file*"},
		"a choice":                      {".Sh USE\n.Brq Fl r | Fl u\n.Op Ar wick | lamp\n", "## USE\n\n{`-r` | `-u`}\n[*wick* | *lamp*]"},
		"behind a comma":                {".Sh USE\n.Fl a , b .\n.Pa wick ; \\fBx\\fR\n", "## USE\n\n`-a`, `-b`.\n*wick*; `x`"},
		"macros in a heading":           {".Ss Copying a Vt struct lamp\nText.\n", "### Copying a struct lamp\n\nText."},
		"forms of a command":            {".Sh NAME\n.Nm lamp\n.Nd light\n.Sh SYNOPSIS\n.Nm\n.Fl l\n.Nm\n.Fl o\n", "## NAME\n\n`lamp`\n— light\n\n## SYNOPSIS\n\n`lamp`\n`-l`\\\n`lamp`\n`-o`"},
		"forms of a function":           {".Sh SYNOPSIS\n.In lamp.h\n.Ft int\n.Fn light \"int a\" \"int b\"\n.Ft void\n.Fo snuff\n.Fa \"struct lamp *\"\n.Fa \"int when\"\n.Fc\n", "## SYNOPSIS\n\n`#include <lamp.h>`\\\n*int*\n`light(int a, int b)`\\\n*void*\n`snuff(struct lamp *, int when)`"},
		"standards and libraries":       {".Sh LIBRARY\n.Lb libc\n.Lb liblamp\n.Sh STANDARDS\nAs\n.St -p1003.1-90 .\n", "## LIBRARY\n\nStandard C Library (libc, -lc)\nlibrary “liblamp”\n\n## STANDARDS\n\nAs\nIEEE Std 1003.1-1990 (“POSIX.1”)."},
		"systems":                       {".Sh HISTORY\n.Bx 4.3 Reno ,\n.At v7 ,\n.Fx 4.0\nand\n.Bx Ns -like.\n", "## HISTORY\n\n4.3BSD-Reno,\nVersion 7 AT&T UNIX,\nFreeBSD 4.0\nand\nBSD-like."},
		"what functions return":         {".Sh RETURN VALUES\n.Rv -std light snuff\n.Pp\n.Rv -std\n.Pp\n.Ex -std lamp\n", "## RETURN VALUES\n\nThe light() and snuff() functions return the value 0 if successful; otherwise the value -1 is returned and the global variable errno is set to indicate the error.\n\nUpon successful completion, the value 0 is returned; otherwise the value -1 is returned and the global variable errno is set to indicate the error.\n\nThe lamp utility exits 0 on success, and >0 if an error occurs."},
		"punctuation behind two signs":  {".Sh USE\nA hash\n.Pq Sq # ,\na wick\n.Op Fl w Ar wick .\n", "## USE\n\nA hash\n(‘#’),\na wick\n[`-w` *wick*]."},
		"an enclosure of several lines": {".Sh USE\nthe flame\n.Po\n.Cm high\nby default\n.Pc .\n", "## USE\n\nthe flame\n(`high`\nby default)."},
		"words without blanks":          {".Sh USE\nan address\n.Sm off\n.Oo Ar name @ Oc\n.Ar lamp\n.Sm on\nand more\n", "## USE\n\nan address\n[*name@*\\]*lamp*\nand more"},
		"a head of several lines": {".Sh USE\n.Bl -tag\n.It Fl L Xo\n.Sm off\n.Ar wick : oil\n.Sm on\n.Xc\nLights it.\n.It Fl q\nQuiet.\n.El\n",
			"## USE\n\n- **`-L` *wick*:*oil***\n  Lights it.\n- **`-q`**\n  Quiet."},
		"a head that does not end": {".Sh USE\n.Bl -tag\n.It Fl L Xo\n.Ar wick\n.It Fl q\nQuiet.\n.El\n", "## USE\n\n- **`-L` *wick***\n- **`-q`**\n  Quiet."},
		"a reference":              {".Sh SEE ALSO\n.Rs\n.%D May 1901\n.%A A. Wick\n.%T On Oil\n.Re\n", "## SEE ALSO\n\nA. Wick, On Oil, May 1901."},
		"columns behind marked words": {".Sh USE\n.Bl -column a b\n.It Ic light Ar lamp Ta lights it\n.It Ic snuff Ta puts it out\n.El\n",
			"## USE\n\n| `light` *lamp* | lights it |\n| --- | --- |\n| `snuff` | puts it out |"},
		"authors":               {".Sh AUTHORS\n.An -nosplit\nBy\n.An Ann Lamp ,\n.An -split\n.An Bob\n", "## AUTHORS\n\nBy\nAnn Lamp,\nBob"},
		"a call that ends late": {".Sh USE\n.Fo light\n.Fa a\n.Sh NEXT\n.Fo snuff\n.Fc .\n", "## USE\n\n`light(a)`\n\n## NEXT\n\n`snuff()`."},
	} {
		d, err := man.Parser{}.Parse(t.Context(), []byte(".Dd today\n.Dt LAMP 1\n.Os\n"+c.src), parse.Options{Path: "lamp.1"})
		if got := strings.ReplaceAll(strings.TrimSpace(string(d.Text)), `\{`, "{"); err != nil || got != c.want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}
