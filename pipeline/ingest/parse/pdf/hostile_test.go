package pdf_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/pdf"
	"docent/pipeline/ingest/parse/pdf/pdftest"
)

// check parses a file and wants a document or a failure with a code.
func check(t *testing.T, p *pdf.Parser, name string, src []byte) {
	t.Helper()
	d, err := p.Parse(context.Background(), src, parse.Options{Path: name})
	if failed, ok := errors.AsType[*parse.Failed](err); err != nil && (!ok || failed.Code == "" || failed.Reason == "") {
		t.Errorf("%s: %T %v", name, err, err)
	}
	if err == nil && len(d.Text) == 0 && len(d.Warnings) == 0 {
		t.Errorf("%s: no text, and nothing is said", name)
	}
}

// Whatever is done to a file, it is a document or fails with a code, in bounded time.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	p := parser(t, pdf.Options{OCR: pdf.Never, Time: time.Minute})
	random := rand.New(rand.NewPCG(1, 2))
	files := map[string][]byte{"handbook": handbook().Bytes()}
	for _, name := range []string{"T6", "tracemonkey", "xdp_2.0"} {
		if src, err := os.ReadFile(filepath.Join("../../../../../shared/data/pdfs/text", name+".pdf")); err == nil {
			files[name] = src
		}
	}
	n := 6
	if testing.Short() {
		n = 2
	}
	for name, src := range files {
		for i := range n {
			check(t, p, fmt.Sprintf("%s cut %d", name, i), src[:max(10, random.IntN(len(src)))])
			flipped := bytes.Clone(src)
			for range 1 << i {
				flipped[10+random.IntN(len(src)-10)] ^= byte(1 << random.IntN(8))
			}
			check(t, p, fmt.Sprintf("%s flipped %d", name, i), flipped)
			if zeros := bytes.Clone(src); len(zeros) > 2000 {
				at := 10 + random.IntN(len(zeros)-1010)
				clear(zeros[at : at+1000])
				check(t, p, fmt.Sprintf("%s zeroed %d", name, i), zeros)
			}
		}
	}
}

// Files that pretend to be large, nest deeply or go in circles.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	p := parser(t, pdf.Options{OCR: pdf.Never, Time: time.Minute})
	object := func(b *strings.Builder, n int, body string) { fmt.Fprintf(b, "%d 0 obj\n%s\nendobj\n", n, body) }
	file := func(objects func(*strings.Builder)) []byte {
		var b strings.Builder
		b.WriteString("%PDF-1.4\n")
		objects(&b)
		b.WriteString("trailer\n<< /Root 1 0 R >>\n%%EOF\n")
		return []byte(b.String())
	}
	many := handbook()
	many.Count = 2_000_000_000
	odd := handbook()
	odd.Pages[0].Texts = append(odd.Pages[0].Texts, pdftest.Text{X: 1e9, Y: -1e9, Font: pdftest.Plain, Size: 1e7, Text: "huge"},
		pdftest.Text{X: 72, Y: 400, Font: pdftest.Plain, Size: 1e-7, Text: "tiny"})
	var crowd []pdftest.Text
	for i := range 20_000 {
		crowd = append(crowd, pdftest.Text{X: 10 + float64(i%90)*6, Y: 20 + float64(i/90)*3, Font: pdftest.Mono, Size: 4, Text: "| x"})
	}
	for name, src := range map[string][]byte{
		"2 000 000 000 pages": many.Bytes(),
		"no pages":            pdftest.File{}.Bytes(),
		"odd sizes":           odd.Bytes(),
		"20 000 words":        pdftest.File{Pages: []pdftest.Page{{Texts: crowd}}}.Bytes(),
		"a page tree in a circle": file(func(b *strings.Builder) {
			object(b, 1, "<< /Type /Catalog /Pages 2 0 R >>")
			object(b, 2, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>")
		}),
		"a deep page tree": file(func(b *strings.Builder) {
			object(b, 1, "<< /Type /Catalog /Pages 2 0 R >>")
			for i := range 50_000 {
				object(b, 2+i, fmt.Sprintf("<< /Type /Pages /Kids [%d 0 R] /Count 1 >>", 3+i))
			}
		}),
		"deep arrays": file(func(b *strings.Builder) {
			object(b, 1, "<< /Type /Catalog /Pages 2 0 R >>")
			object(b, 2, strings.Repeat("[", 200_000)+strings.Repeat("]", 200_000))
		}),
		"an outline in a circle": file(func(b *strings.Builder) {
			object(b, 1, "<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>")
			object(b, 2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
			object(b, 3, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>")
			object(b, 5, "<< /First 6 0 R /Last 6 0 R /Count 9 >>")
			object(b, 6, "<< /Title (a) /Parent 5 0 R /Next 6 0 R /First 6 0 R /Last 6 0 R >>")
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, p, name, src)
		})
	}
}

// All PDF files of the shared data are read, or fail with the right code.
func TestCorpus(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs on one goroutine: the race detector has nothing to find")
	}
	const dir = "../../../../../shared/data/pdfs"
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the files are not here: %v", err)
	}
	p := parser(t, pdf.Options{OCR: pdf.Never})
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.pdf"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	locked := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := p.Parse(context.Background(), src, parse.Options{})
		failed, _ := errors.AsType[*parse.Failed](err)
		switch kind := filepath.Base(filepath.Dir(file)); {
		case kind == "encrypted" && failed != nil && failed.Code == parse.PasswordProtected:
			locked++
		case err != nil:
			t.Errorf("%s: %v", file, err)
		case kind == "text" && len(d.Sections) < 4:
			t.Errorf("%s has %d sections", file, len(d.Sections))
		}
	}
	if locked != 10 {
		t.Errorf("%d files are locked, want 10", locked)
	}
}
