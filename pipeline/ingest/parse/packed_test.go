package parse_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

func compressed(tb testing.TB, text string) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		tb.Fatal(err)
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

const (
	readme  = "# Wicks\n\nTrim them before dusk.\n\n## Oil\n\nOlive oil burns for nine hours.\n"
	changes = "wick (2.1-3) unstable; urgency=medium\n\n  * Burn 12 % longer (Closes: #123456).\n\n -- A <a@b.c>  Mon, 02 Feb 2026 10:00:00 +0100\n"
	armour  = "-----BEGIN PGP SIGNATURE-----\n\niQIzBAABCAAdFiEEo2Z1r8\n=Ab3d\n-----END PGP SIGNATURE-----\n"
)

// Files with rarer endings, without an ending and compressed ones are read as what they
// are: 30 of 36 files of one text were left out before.
func TestEndings(t *testing.T) {
	t.Parallel()
	r := all(t)
	for _, tt := range []struct {
		file, content string
		want          doc.Format // "": no page
	}{
		{"a.mkd", "x", doc.FormatMarkdown}, {"a.Rmd", "x", doc.FormatMarkdown}, {"rules/a.mdc", "x", doc.FormatMarkdown},
		{"a.qmd", "x", doc.FormatMarkdown}, {"a.shtml", "x", doc.FormatHTML}, {"a.xht", "x", doc.FormatHTML},
		{"a.asc", "= Wicks\n\nTrim them.\n", doc.FormatAsciiDoc}, {"a.asc", "[[w]]\n=== Wicks\n\nTrim them.\n", doc.FormatAsciiDoc},
		{"a.txt", "=== Wicks ===\n\nThe lantern burns until dawn. It goes out then, and nobody looks.\n", doc.FormatProse},
		{"a.asc", armour, ""}, {"release.tar.gz.asc", armour, ""},
		{"README", readme, doc.FormatMarkdown}, {"README", "= Wicks\n\nTrim.\n", doc.FormatAsciiDoc},
		{"README", "<p align=\"center\">\n\n# Wicks\n\n[x](y.md)\n", doc.FormatMarkdown},
		{"README", "Wicks\n=====\n\n.. note:: Trim\n\nOil::\n\n   olive\n", doc.FormatRST},
		{"README", "Wicks burn.\n\n# a comment\nwick --trim\n", doc.FormatProse},
		{"README", "WICK 1.2\n12 34 56\n", doc.FormatProse}, {"sub/CHANGELOG", changes, doc.FormatProse}, {"NEWS.Debian", changes, doc.FormatProse},
		{"install", "#!/bin/sh\n", ""}, {"LICENSE", "All rights reserved.", ""}, {"Makefile", "all:\n", ""}, {"README.old", changes, ""}, {"README.wicks", "The lantern burns until dawn. It goes out then, and nobody looks.\n", doc.FormatProse},
		{"README.wicks", "#!/bin/sh\nwick=1\n", ""}, {"WICKS.oil", changes, ""},
		{"a.md.gz", readme, doc.FormatMarkdown}, {"A.HTML.GZ", "<p>x", doc.FormatHTML}, {"a.adoc.gz", "x", doc.FormatAsciiDoc},
		{"README.gz", readme, doc.FormatMarkdown}, {"changelog.gz", changes, doc.FormatProse}, {"changelog.Debian.gz", changes, doc.FormatProse},
		{"a.txt.gz", "The lantern burns until dawn. It goes out then, and nobody looks.\n", doc.FormatProse}, {"a.txt.gz", "1 2 3\n4 5 6\n", ""},
		{"a.asc.gz", armour, ""}, {"a.1.gz", "x", ""}, {"a.csv.gz", "a,b\n", ""}, {"a.json.gz", "{}", ""}, {"a.gz", readme, ""}, {".gz", readme, ""},
		{"a.docx.gz", "x", ""},
	} {
		src := []byte(tt.content)
		if strings.HasSuffix(strings.ToLower(tt.file), ".gz") {
			src = compressed(t, tt.content)
		}
		p, err := r.ParserFor(tt.file, doc.LayoutTree, parse.HeadOf(src))
		if tt.want == "" {
			if !errors.Is(err, parse.ErrNoParser) {
				t.Errorf("%s %.20q is a page: %v", tt.file, tt.content, err)
			}
		} else if err != nil || p.Info().Format != tt.want {
			t.Errorf("%s %.20q: %v, want %s", tt.file, tt.content, err, tt.want)
		}
	}
}

// A compressed page has the text of the page that it was, and no lines in the file.
func TestCompressedPages(t *testing.T) {
	t.Parallel()
	r := all(t)
	for file, text := range map[string]string{"guide/wicks.md.gz": readme, "README.gz": readme, "changelog.gz": changes,
		"latin.md.gz": "# Wicks\n\nf\xfcr \xd6l\n\nmore\n", "a.html.gz": "<h1 id=w>Wicks</h1><p>Trim them.</p>"} {
		src := compressed(t, text)
		d, err := r.Parse(t.Context(), src, parse.File{Path: file, Layout: doc.LayoutTree})
		if err != nil {
			t.Fatal(err)
		}
		if d.Verbatim() || d.Bytes != len(src) || len(d.Map) != doc.CountLines(d.Text) || d.Location(1).Line != 0 || len(d.Blocks) == 0 {
			t.Errorf("%s: %+v", file, d)
		}
		p, err := r.ParserFor(file, doc.LayoutTree, parse.HeadOf(src))
		if err != nil || parse.IsVerbatim(p, src) {
			t.Fatalf("%s: the text is its source, %v", file, err)
		}
		parsetest.TestParser(t, p, map[string][]byte{file: src})
		if s, err := r.Structure(t.Context(), d.Text, d.Format); err != nil || len(s.Blocks) != len(d.Blocks) {
			t.Errorf("%s: %d blocks of its text, %v", file, len(s.Blocks), err)
		}
	}
	if d, err := r.Parse(t.Context(), compressed(t, "Trim them."), parse.File{Path: "sub/wicks.md.gz", Layout: doc.LayoutTree}); err != nil || d.Title != "wicks" || d.Path != "sub/wicks.md.gz" {
		t.Errorf("%q %q, %v", d.Title, d.Path, err)
	}
}

// A damaged file is read as far as it goes, with a warning; one that expands to a thousand
// times its size, or to nothing, is left out with the reason.
func TestHostileCompressedPages(t *testing.T) {
	t.Parallel()
	r := all(t)
	long := compressed(t, readme+parsetest.Numbered(400, "\n", "\nWick %d burns.\n"))
	read := func(src []byte) (doc.Document, error) {
		return r.Parse(t.Context(), src, parse.File{Path: "a.md.gz", Layout: doc.LayoutTree})
	}
	if d, err := read(long[:len(long)-12]); err != nil || len(d.Warnings) == 0 || !strings.Contains(string(d.Text), "Olive oil") {
		t.Errorf("a file that ends early: %q, %v", d.Warnings, err)
	}
	for name, src := range map[string][]byte{"a bomb": compressed(t, strings.Repeat("# Wick\n", 1<<20)), "no content": long[:10],
		"no gzip": []byte("\x1f\x8bno"), "text": []byte(readme)} {
		_, err := read(src)
		if _, left := errors.AsType[parse.LeftOut](err); !left || !strings.Contains(err.Error(), "expand") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzCompressed(f *testing.F) {
	r, err := formats.AllParsers()
	if err != nil {
		f.Fatal(err)
	}
	p, err := r.ParserFor("a.md.gz", doc.LayoutTree, parse.HeadOf(nil))
	if err != nil {
		f.Fatal(err)
	}
	parsetest.FuzzParser(f, p, parse.Options{Path: "a.md.gz"}, compressed(f, readme), compressed(f, changes), []byte(readme))
}
