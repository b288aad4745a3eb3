// Package pdftest writes small PDFs for tests, and finds the programs that read them.
//
// It refuses to be used outside of tests.
package pdftest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"docent/pipeline/ingest/parse/pdf"
)

// InstalledTools are the programs of this machine. Where one is missing, the test is skipped, or
// fails if the list in the environment variable DOCENT_TEST_REQUIRE has "pdf".
func InstalledTools(tb testing.TB) pdf.Tools {
	tb.Helper()
	find := func(name string) string {
		path, err := exec.LookPath(name)
		if err != nil {
			if slices.Contains(strings.Split(os.Getenv("DOCENT_TEST_REQUIRE"), ","), "pdf") {
				tb.Fatalf("DOCENT_TEST_REQUIRE asks for tests with %s: %v", name, err)
			}
			tb.Skipf("%s is not installed: apt-get install poppler-utils tesseract-ocr", name)
		}
		return path
	}
	return pdf.Tools{PDFToText: find("pdftotext"), PDFToHTML: find("pdftohtml"), PDFToPPM: find("pdftoppm"), Tesseract: find("tesseract"),
		Trained: []string{"eng"}, Env: []string{"LC_ALL=C.UTF-8"}, Install: "apt-get install poppler-utils tesseract-ocr"}
}

// Fonts of a page.
const (
	Plain = "F1" // Helvetica
	Bold  = "F2"
	Mono  = "F3"
)

// Text is a text on a page: its left end and base line in points from the upper left.
type Text struct {
	X, Y float64
	Font string
	Size float64
	Text string
}

// Page is a page of Letter's size.
type Page struct {
	Texts []Text
	Scan  *image.Gray // fills the page; nil: none
}

// Entry is a line of the outline, of depth 1.
type Entry struct {
	Title string
	Page  int // from 1
}

// File is a file.
type File struct {
	Title   string
	Pages   []Page
	Outline []Entry
	// Encrypt makes a file that needs an unknown password.
	Encrypt bool
	// Count is the number of pages that it pretends to have; 0: that of Pages.
	Count int
}

// writer writes objects and notes where they begin.
type writer struct {
	bytes.Buffer
	at map[int]int
}

func (w *writer) object(n int, format string, args ...any) {
	w.at[n] = w.Len()
	fmt.Fprintf(w, "%d 0 obj\n"+format+"\nendobj\n", append([]any{n}, args...)...)
}

func (w *writer) stream(n int, dict string, data []byte) {
	w.at[n] = w.Len()
	fmt.Fprintf(w, "%d 0 obj\n<< %s /Length %d >>\nstream\n%s\nendstream\nendobj\n", n, dict, len(data), data)
}

var escapes = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "•", `\225`)

const (
	width, height = 612, 792
	firstPage     = 10 // its number; each page takes three
)

// Bytes is the file as it is on disk.
func (f File) Bytes() []byte {
	w := &writer{at: map[int]int{}}
	w.WriteString("%PDF-1.4\n")
	var kids, outline strings.Builder
	for i := range f.Pages {
		fmt.Fprintf(&kids, "%d 0 R ", firstPage+3*i)
	}
	count := f.Count
	if count == 0 {
		count = len(f.Pages)
	}
	entries := firstPage + 3*len(f.Pages)
	if len(f.Outline) > 0 {
		outline.WriteString("/Outlines 8 0 R")
		w.object(8, "<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>", entries, entries+len(f.Outline)-1, len(f.Outline))
	}
	w.object(1, "<< /Type /Catalog /Pages 2 0 R %s >>", outline.String())
	w.object(2, "<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), count)
	for i, name := range []string{"Helvetica", "Helvetica-Bold", "Courier"} {
		w.object(3+i, "<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>", name)
	}
	w.object(6, "<< /Title (%s) >>", escapes.Replace(f.Title))
	if f.Encrypt {
		w.object(7, "<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <%s> /U <%s> >>", strings.Repeat("5a", 32),
			strings.Repeat("a5", 32))
	}
	for i, p := range f.Pages {
		n := firstPage + 3*i
		var content bytes.Buffer
		images := ""
		if p.Scan != nil {
			images = fmt.Sprintf("/XObject << /I %d 0 R >>", n+2)
			fmt.Fprintf(&content, "q %d 0 0 %d 0 0 cm /I Do Q\n", width, height)
			b := p.Scan.Bounds()
			w.stream(n+2, fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8",
				b.Dx(), b.Dy()), p.Scan.Pix)
		}
		for _, t := range p.Texts {
			fmt.Fprintf(&content, "BT /%s %g Tf %g %g Td (%s) Tj ET\n", t.Font, t.Size, t.X, height-t.Y, escapes.Replace(t.Text))
		}
		w.object(n, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 "+
			"5 0 R >> %s >> >>", width, height, n+1, images)
		w.stream(n+1, "", content.Bytes())
	}
	for i, e := range f.Outline {
		next := ""
		if i > 0 {
			next += fmt.Sprintf("/Prev %d 0 R ", entries+i-1)
		}
		if i+1 < len(f.Outline) {
			next += fmt.Sprintf("/Next %d 0 R ", entries+i+1)
		}
		w.object(entries+i, "<< /Title (%s) /Parent 8 0 R %s/Dest [%d 0 R /Fit] >>", escapes.Replace(e.Title), next, firstPage+3*(e.Page-1))
	}
	last := entries + len(f.Outline)
	xref := w.Len()
	fmt.Fprintf(w, "xref\n0 %d\n0000000000 65535 f \n", last)
	for n := 1; n < last; n++ {
		if at, ok := w.at[n]; ok {
			fmt.Fprintf(w, "%010d 00000 n \n", at)
		} else {
			fmt.Fprintf(w, "0000000000 65535 f \n")
		}
	}
	encrypt := ""
	if f.Encrypt {
		encrypt = "/Encrypt 7 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]"
	}
	fmt.Fprintf(w, "trailer\n<< /Size %d /Root 1 0 R /Info 6 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", last, encrypt, xref)
	return w.Bytes()
}

// ScanLines is a picture of lines of text, of a page at 150 dots an inch.
func ScanLines(tb testing.TB, lines ...string) *image.Gray {
	tb.Helper()
	const dpi = 150
	img := image.NewGray(image.Rect(0, 0, width*dpi/72, height*dpi/72))
	for i := range img.Pix {
		img.Pix[i] = 0xff
	}
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		tb.Fatal(err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 14, DPI: dpi})
	if err != nil {
		tb.Fatal(err)
	}
	for i, line := range lines {
		d := font.Drawer{Dst: img, Src: image.NewUniform(color.Black), Face: face, Dot: fixed.P(dpi, dpi+i*dpi*20/72)}
		d.DrawString(line)
	}
	return img
}
