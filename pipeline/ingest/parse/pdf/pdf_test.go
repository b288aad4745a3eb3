package pdf_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/ingest/parse/pdf"
	"docent/pipeline/ingest/parse/pdf/pdftest"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// lines are texts below each other.
func lines(x, y float64, font string, size float64, texts ...string) []pdftest.Text {
	var out []pdftest.Text
	for i, t := range texts {
		out = append(out, pdftest.Text{X: x, Y: y + float64(i)*1.2*size, Font: font, Size: size, Text: t})
	}
	return out
}

// add is several texts as one.
func add(parts ...[]pdftest.Text) (out []pdftest.Text) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// edgeRowsOfPage are a page's header and its printed number.
func edgeRowsOfPage(number string) []pdftest.Text {
	return add(lines(72, 40, pdftest.Plain, 8, "The Lantern Handbook"), lines(300, 760, pdftest.Plain, 8, number))
}

// handbook is a file with all that a text has.
func handbook() pdftest.File {
	return pdftest.File{Title: "Lantern Handbook", Outline: []pdftest.Entry{{Title: "Trimming", Page: 1}, {Title: "Oil", Page: 2}, {Title: "Spare parts", Page: 3}}, Pages: []pdftest.Page{
		{Texts: add(edgeRowsOfPage("11"), lines(72, 100, pdftest.Bold, 20, "Lantern Handbook"), lines(72, 150, pdftest.Bold, 14, "Trimming"),
			lines(72, 180, pdftest.Plain, 10, "A wick that burns with soot is too long, and a lan-", "tern with such a wick smells; trim it every evening", "before dusk."),
			lines(72, 230, pdftest.Plain, 10, "What you need:"),
			lines(72, 250, pdftest.Plain, 10, "•"), lines(90, 250, pdftest.Plain, 10, "scissors that cut paper and nothing else, so that", "their edges last"),
			lines(72, 280, pdftest.Plain, 10, "•"), lines(90, 280, pdftest.Plain, 10, "a cloth"),
			lines(72, 310, pdftest.Plain, 10, "Then say:"), lines(90, 330, pdftest.Mono, 10, "for lamp in $(lamps); do", "  lantern trim --length=4mm", "done"),
			lines(72, 690, pdftest.Plain, 10, "A paragraph goes on from the end of one page to"))},
		{Texts: add(edgeRowsOfPage("12"), lines(72, 80, pdftest.Plain, 10, "the beginning of the next."), lines(72, 120, pdftest.Bold, 14, "Oil"),
			lines(72, 150, pdftest.Plain, 10, "Each lantern takes one kind."),
			lines(72, 180, pdftest.Bold, 10, "Lantern"), lines(200, 180, pdftest.Bold, 10, "Oil"), lines(300, 180, pdftest.Bold, 10, "Hours"),
			lines(72, 195, pdftest.Plain, 10, "Small"), lines(200, 195, pdftest.Plain, 10, "olive"), lines(300, 195, pdftest.Plain, 10, "6"),
			lines(72, 210, pdftest.Plain, 10, "Tall"), lines(200, 210, pdftest.Plain, 10, "rape | seed"), lines(300, 210, pdftest.Plain, 10, "12"))},
		{Texts: add(edgeRowsOfPage("13"), lines(72, 80, pdftest.Plain, 10, "1."), lines(90, 80, pdftest.Plain, 10, "Order them."), lines(72, 92, pdftest.Plain, 10, "2."), lines(90, 92, pdftest.Plain, 10, "Wait."))},
	}}
}

func parser(tb testing.TB, opt pdf.Options) *pdf.Parser {
	tb.Helper()
	opt.Tools = pdftest.InstalledTools(tb)
	return pdf.New(opt)
}

func TestRendition(t *testing.T) {
	t.Parallel()
	p := parser(t, pdf.Options{})
	d, err := p.Parse(context.Background(), handbook().Bytes(), parse.Options{Path: "handbook.pdf"})
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "handbook.md")
	if *update {
		if err := os.WriteFile(golden, d.Text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(d.Text) != string(want) {
		t.Errorf("%v; the rendition is\n%s\nwant\n%s", err, d.Text, want)
	}
	if d.Title != "Lantern Handbook" || len(d.Warnings) > 0 {
		t.Errorf("title %q, warnings %q", d.Title, d.Warnings)
	}
	pages := map[string]int{"# Lantern": 1, "A paragraph goes": 1, "the beginning": 2, "| Tall": 2, "## Spare": 3, "2. Wait": 3}
	for i, line := range strings.Split(string(d.Text), "\n") {
		for begins, page := range pages {
			if strings.HasPrefix(line, begins) {
				if at := d.Location(i + 1); at.Page != page {
					t.Errorf("%q stands on page %d, want %d", line, at.Page, page)
				}
				delete(pages, begins)
			}
		}
	}
	if len(pages) > 0 {
		t.Errorf("missing are %v", pages)
	}
}

// Columns are read one after the other; text above both comes first.
func TestColumns(t *testing.T) {
	t.Parallel()
	left, right := []string{}, []string{}
	for _, n := range []string{"one", "two", "three", "four", "five", "six", "seven"} {
		left = append(left, "the left column has line "+n+" of it")
		right = append(right, "and here on the right is line "+n)
	}
	f := pdftest.File{Pages: []pdftest.Page{{Texts: add(lines(72, 80, pdftest.Bold, 16, "A paper with a title that stands above both columns"),
		lines(72, 130, pdftest.Plain, 10, left...), lines(320, 130, pdftest.Plain, 10, right...))}}}
	d, err := parser(t, pdf.Options{}).Parse(context.Background(), f.Bytes(), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := string(d.Text)
	at := -1
	for _, want := range []string{"# A paper", "left column has line one", "left column has line seven", "right is line one", "right is line seven"} {
		n := strings.Index(text, want)
		if n <= at {
			t.Errorf("%q stands at %d, after what stands at %d:\n%s", want, n, at, text)
		}
		at = n
	}
}

// A scanned page is read by OCR, a page with text is not; empty pages are left alone.
func TestOCR(t *testing.T) {
	t.Parallel()
	f := pdftest.File{Pages: []pdftest.Page{
		{Texts: lines(72, 100, pdftest.Plain, 10, "This page has a text of its own.")},
		{Scan: pdftest.ScanLines(t, "The lantern burns olive oil", "from dusk till dawn.")},
		{},
	}}
	ctx := context.Background()
	d, err := parser(t, pdf.Options{Languages: []string{"en", "vi"}}).Parse(ctx, f.Bytes(), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, warnings := string(d.Text), strings.Join(d.Warnings, "\n")
	if !strings.Contains(text, "text of its own") || !strings.Contains(text, "burns olive oil") || !strings.Contains(text, "till dawn") {
		t.Errorf("the text is %q", text)
	}
	if !strings.Contains(warnings, "page 2 is read by OCR") || !strings.Contains(warnings, "tesseract-ocr-vie") || strings.Contains(warnings, "page 3") {
		t.Errorf("warnings %q", warnings)
	}
	if at := d.Location(doc.CountLines(d.Text)); at.Page != 2 {
		t.Errorf("the last line stands at %+v", at)
	}
	if d, err = parser(t, pdf.Options{OCR: pdf.Never}).Parse(ctx, f.Bytes(), parse.Options{}); err != nil || strings.Contains(string(d.Text), "olive") || len(d.Warnings) != 1 {
		t.Errorf("never: %q, %q, %v", d.Text, d.Warnings, err)
	}
	if d, err = parser(t, pdf.Options{OCR: pdf.Force}).Parse(ctx, f.Bytes(), parse.Options{}); err != nil || !strings.Contains(strings.Join(d.Warnings, ""), "pages 1–2 are read by OCR") || !strings.Contains(string(d.Text), "own") {
		t.Errorf("force: %q, %q, %v", d.Text, d.Warnings, err)
	}
}

// An unreadable file has the code of specification 4.
func TestFailures(t *testing.T) {
	t.Parallel()
	tools := pdftest.InstalledTools(t)
	text := handbook().Bytes()
	scan := pdftest.File{Pages: []pdftest.Page{{Scan: pdftest.ScanLines(t, "The lantern")}}}.Bytes()
	locked := handbook()
	locked.Encrypt = true
	without := func(change func(*pdf.Tools)) pdf.Options {
		with := tools
		change(&with)
		return pdf.Options{Tools: with}
	}
	script := func(body string) string {
		path := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct {
		name    string
		opt     pdf.Options
		src     []byte
		code    parse.Code
		says    string
		missing bool
	}{
		{"no PDF", pdf.Options{Tools: tools}, []byte("<!doctype html><p>404"), parse.UnsupportedFormat, "no PDF", false},
		{"empty", pdf.Options{Tools: tools}, nil, parse.UnsupportedFormat, "no PDF", false},
		{"a password", pdf.Options{Tools: tools}, locked.Bytes(), parse.PasswordProtected, "password", false},
		{"only the beginning", pdf.Options{Tools: tools}, text[:100], parse.CorruptFile, "damaged", false},
		{"no poppler", pdf.Options{}, text, parse.InternalError, "apt-get install poppler-utils", true},
		{"no tesseract", without(func(t *pdf.Tools) { t.Tesseract = "" }), scan, parse.OCRFailed, "apt-get install", true},
		{"no language", without(func(t *pdf.Tools) { t.Trained = []string{"osd"} }), scan, parse.OCRFailed, "tesseract-ocr-eng", true},
		{"tesseract fails", without(func(t *pdf.Tools) { t.Tesseract = script("echo no data >&2; exit 3") }), scan, parse.OCRFailed, "no data", false},
		{"pdftotext crashes", without(func(t *pdf.Tools) { t.PDFToText = script("kill -SEGV $$") }), text, parse.CorruptFile, "broke down", false},
		{"time", pdf.Options{Time: 20 * time.Millisecond, Tools: without(func(t *pdf.Tools) { t.PDFToText = script("exec sleep 60") }).Tools}, text, parse.Timeout, "pdf.timeout", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tt.opt.Temp = func(context.Context) (string, func() error, error) {
				own, err := os.MkdirTemp(dir, "")
				return own, func() error { return os.RemoveAll(own) }, err
			}
			d, err := pdf.New(tt.opt).Parse(context.Background(), tt.src, parse.Options{})
			failed, ok := errors.AsType[*parse.Failed](err)
			if !ok || failed.Code != tt.code || !strings.Contains(failed.Reason, tt.says) || failed.Missing != tt.missing || d.Text != nil {
				t.Errorf("%T %v, %+v", err, err, failed)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%d files are left, %v", len(left), err)
			}
		})
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := pdf.New(pdf.Options{Tools: tools}).Parse(ended, text, parse.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("one that is no longer wanted: %v", err)
	}
}

// A file whose fonts cannot be read still has its text, and says so.
func TestWithoutFonts(t *testing.T) {
	t.Parallel()
	tools := pdftest.InstalledTools(t)
	tools.PDFToHTML = ""
	d, err := pdf.New(pdf.Options{Tools: tools}).Parse(context.Background(), handbook().Bytes(), parse.Options{})
	if err != nil || len(d.Warnings) != 1 || !strings.Contains(string(d.Text), "# Trimming") || !strings.Contains(string(d.Text), "lantern trim") {
		t.Errorf("%v, %q\n%s", err, d.Warnings, d.Text)
	}
}

// What changes a rendition changes the version, so that files are read again.
func TestVersion(t *testing.T) {
	t.Parallel()
	tools := pdf.Tools{PDFToText: "a", PDFToPPM: "b", Tesseract: "c", Trained: []string{"eng"}}
	all := map[int]string{}
	with := tools
	with.Trained = []string{"eng", "vie"}
	without := tools
	without.Tesseract = ""
	for name, opt := range map[string]pdf.Options{"auto": {Tools: tools}, "force": {Tools: tools, OCR: pdf.Force}, "another language": {Tools: tools, Languages: []string{"de"}},
		"a language more": {Tools: with}, "no tesseract": {Tools: without}} {
		v := pdf.New(opt).Info().Version
		if other, ok := all[v]; ok || v < 1 {
			t.Errorf("%s and %s have version %d", name, other, v)
		}
		all[v] = name
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	parsetest.TestParser(t, parser(t, pdf.Options{}), map[string][]byte{"handbook.pdf": handbook().Bytes(), "empty.pdf": pdftest.File{Pages: []pdftest.Page{{}}}.Bytes()})
}
