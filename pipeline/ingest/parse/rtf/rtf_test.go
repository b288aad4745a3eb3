package rtf_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/ingest/parse/rtf"
)

// handbook has all that the parser knows.
const handbook = `{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman Serif;}{\f1\fmodern\fprq1 Courier New;}{\f2\fcharset204 Cyr;}{\f3\fcharset2 Symbol;}}
{\colortbl;\red255\green0\blue0;}{\stylesheet{\s0 Normal;}{\s1\outlinelevel0{\*\keycode no} heading 1;}{\s2 heading 2;}{\s3\outlinelevel1 Kapitel;}{\*\cs9 Code Char;}{\*\ts5 no;}{\s7 Title;}}
{\info{\title The keeper\rquote s book}{\author no}}
{\header no\par}
\pard\s7 Keeper\par
\pard\s1\b Wicks\b0\par
\pard Trim *them* {\b before} dusk, says the {\i K\'fcste}, {\u8364\'80}5 \u26085?\u-10179?\u-8704?.\par
{\v no}{\deleted no}{\pict\pngblip 89504e47}{\object{\*\objdata 00}no}
\pard\s2 Kinds\par
\pard\ls1{\listtext\f3\'b7\tab}one\par
\pard\ls1\ilvl1{\listtext 2.\tab}inner\par
\pard\ls1{\listtext\f3\'b7\tab}two\par
\pard\s3{\listtext 1.2\tab}Fuel\par
\pard\trowd\intbl Oil\cell Smell\cell\row\trowd\intbl Rape\cell{\b good}\cell\row
\pard See {\field{\*\fldinst HYPERLINK "https://docs.example.org/oil"}{\fldrslt the oil}}{\footnote Ask\par twice.} and {\f2\'ec\'e0\'ff\'ea}.\par
\pard\f1 trim --short --wick\par   pour\par
\pard\plain Behind\line a break.\par
{\shp{\*\shpinst{\sp{\sn no}{\sv no}}{\shptxt In a box.\par}}{\shprslt no}}}
no`

const rendition = `# Keeper

## Wicks

Trim \*them\* **before** dusk, says the *Küste*, €5 日😀.

### Kinds

- one

  2. inner

- two

### 1.2 Fuel

| Oil | Smell |
| --- | --- |
| Rape | **good** |

See [the oil](https://docs.example.org/oil) [1] and маяк.

` + "```\ntrim --short --wick\n  pour\n```" + `

Behind
a break.

In a box.

[1] Ask
twice.
`

func TestParse(t *testing.T) {
	t.Parallel()
	d, err := rtf.Parser{}.Parse(t.Context(), []byte(handbook), parse.Options{Path: "a.rtf"})
	if err != nil || len(d.Warnings) > 0 || d.Title != "The keeper’s book" {
		t.Errorf("title %q, warnings %q, %v", d.Title, d.Warnings, err)
	}
	if got := string(d.Text); got != rendition {
		t.Errorf("the rendition is\n%s\nwant\n%s", got, rendition)
	}
	if at := d.Location(1).Line; at != 5 {
		t.Errorf("the first line stands in line %d of the file", at)
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	parsetest.TestParser(t, rtf.Parser{}, map[string][]byte{"a.rtf": []byte(handbook), "empty.rtf": []byte(`{\rtf1}`)})
}

// Characters by the code pages of the document, of its fonts, and by numbers.
func TestCharacters(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		`{\rtf1\ansi\ansicpg1250 \'9ar\'e1m}`: "šrám",
		`{\rtf1\mac caf\'8e}`:                 "café",
		`{\rtf1\pc caf\'82}`:                  "café",
		`{\rtf1\ansi{\fonttbl{\f0\fcharset128 M;}}\f0 \'93\'fa\'96\'7b}`:  "日本",
		`{\rtf1\ansi{\fonttbl{\f0\fcharset161 G;}}\f0 \'eb{\f0\'fd\'f7}}`: "λύχ",
		`{\rtf1\uc0\u955\uc2\u955\'a1\'a2b}`:                              "λλb",
		`{\rtf1\uc1\u955\~b \u955\emdash c}`:                              "λb λc",
		`{\rtf1 a\emdash b\~c\_d\{e\}\\}`:                                 "a—b c-d{e}\\\\",
		"{\\rtf1 one\\\ntwo}":                                             "one\n\ntwo",
		`{\rtf1 a{\bin4 }}}}b}`:                                           "ab",
	} {
		d, err := rtf.Parser{}.Parse(t.Context(), []byte(src), parse.Options{})
		if got := strings.TrimSpace(string(d.Text)); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", src, got, want, err)
		}
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "<html>", `\rtf1`} {
		_, err := rtf.Parser{}.Parse(t.Context(), []byte(src), parse.Options{})
		if failed, ok := errors.AsType[*parse.Failed](err); !ok || failed.Code != parse.UnsupportedFormat {
			t.Errorf("%q: %v", src, err)
		}
	}
	const begins, n = `{\rtf1 begins\par `, 50_000
	for name, body := range map[string]string{
		"open groups":  strings.Repeat("{", n),
		"closing":      strings.Repeat("}", n),
		"bytes":        strings.Repeat(`\'e9`, n),
		"runs":         strings.Repeat(`{\b x}`, n),
		"cells":        strings.Repeat(`\cell`, n),
		"rows":         strings.Repeat(`x\cell\row`, n),
		"notes":        strings.Repeat(`{\footnote x}`, n),
		"fields":       strings.Repeat(`{\field{\*\fldinst HYPERLINK "x`, n),
		"items":        strings.Repeat(`\pard\ls1\ilvl8 x\par`, n),
		"fonts":        `{\fonttbl` + strings.Repeat(`{\f`, n) + strings.Repeat(`{\f99\fcharset204 x;}`, n),
		"long words":   `\` + strings.Repeat("x", n),
		"long numbers": `\u` + strings.Repeat("9", n),
		"bin":          `\bin2147483647`,
		"skips":        `\uc16` + strings.Repeat(`\u955`, n),
	} {
		begun := time.Now()
		d, err := rtf.Parser{}.Parse(t.Context(), []byte(begins+body), parse.Options{})
		if err != nil || !strings.Contains(string(d.Text), "begins") {
			t.Errorf("%s: %v, %.100q", name, err, d.Text)
		}
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
		if len(d.Warnings) == 0 && name != "closing" {
			t.Errorf("%s: no warning says that the end is missing", name)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(handbook)
	f.Add(`{\rtf1\ansicpg950\trowd a\cell{\footnote b\cell}\row{\shp{\shptxt{\*\x}}}\u-1?}`)
	f.Fuzz(func(t *testing.T, src string) {
		parsetest.Promises(t, rtf.Parser{}, []byte(src), parse.Options{Path: "a.rtf"})
	})
}
