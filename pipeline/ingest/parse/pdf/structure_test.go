package pdf_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/pdf"
	"docent/pipeline/ingest/parse/pdf/pdftest"
)

var headingLine = regexp.MustCompile(`(?m)^#+ .*$`)

// headingsOf are the headings of a file's rendition.
func headingsOf(t *testing.T, f pdftest.File) (headings []string, text, title string) {
	t.Helper()
	d, err := parser(t, pdf.Options{}).Parse(t.Context(), f.Bytes(), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return headingLine.FindAllString(string(d.Text), -1), string(d.Text), d.Title
}

// sentence is a paragraph of n lines.
func sentence(x, y float64, n int) []pdftest.Text {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("the keeper trims wick number %d of the tower every evening before dusk", i))
	}
	out[n-1] = "and then rests."
	return lines(x, y, pdftest.Plain, 10, out...)
}

// Papers of physicists have headings in the size of their text: found by their numbers, which
// follow each other. A list with numbers, and a number that begins a line, are none.
func TestNumberedHeadings(t *testing.T) {
	t.Parallel()
	f := pdftest.File{Pages: []pdftest.Page{{Texts: add(lines(72, 60, pdftest.Bold, 16, "On wicks that smoke"),
		lines(192, 100, pdftest.Bold, 9, "I. INTRODUCTION"), sentence(72, 130, 4),
		lines(200, 200, pdftest.Bold, 9, "A. The lantern"), sentence(72, 230, 4),
		lines(72, 300, pdftest.Plain, 10, "1. Order the parts that are missing from the store,", "2. wait for them."),
		lines(210, 350, pdftest.Bold, 9, "B. The oil"), sentence(72, 380, 3),
		lines(187, 450, pdftest.Bold, 9, "II. MEASUREMENTS"), sentence(72, 480, 3),
		lines(214, 550, pdftest.Plain, 9, "1. Hours"), sentence(72, 580, 3),
		lines(180, 650, pdftest.Bold, 9, "ACKNOWLEDGMENTS"), sentence(72, 680, 3))}}}
	want := []string{"# On wicks that smoke", "## I. INTRODUCTION", "### A. The lantern", "### B. The oil", "## II. MEASUREMENTS", "### 1. Hours", "## ACKNOWLEDGMENTS"}
	if got, text, _ := headingsOf(t, f); !slices.Equal(got, want) {
		t.Errorf("headings %q, want %q\n%s", got, want, text)
	}
	plain := pdftest.File{Pages: []pdftest.Page{{Texts: add(sentence(72, 60, 4), lines(72, 130, pdftest.Plain, 10, "1 Introduction"), sentence(72, 160, 4),
		lines(72, 240, pdftest.Plain, 10, "1.1 Scope"), sentence(72, 270, 4), lines(72, 340, pdftest.Plain, 10, "7 lamps burn in the tower"), sentence(72, 370, 4),
		lines(72, 450, pdftest.Plain, 10, "2 Details"), sentence(72, 480, 4))}}}
	want = []string{"## 1 Introduction", "### 1.1 Scope", "## 2 Details"}
	if got, text, _ := headingsOf(t, plain); !slices.Equal(got, want) {
		t.Errorf("headings %q, want %q\n%s", got, want, text)
	}
}

// A file with an outline had thousands of headings more, from examples in bold: the outline
// is its structure. Titles come from it, since TeX draws "_".
func TestOutlineIsStructure(t *testing.T) {
	t.Parallel()
	f := pdftest.File{Title: "The lamps"}
	var want []string
	for n := 1; n <= 10; n++ {
		texts := lines(72, 250, pdftest.Bold, 14, fmt.Sprintf("%d Setting LAMP HOME %d", n, n))
		for k := range 4 {
			y := 290 + 110*float64(k)
			texts = add(texts, lines(72, y, pdftest.Bold, 10, fmt.Sprintf("Example %c of lamps", 'A'+k)), sentence(72, y+20, 4))
		}
		f.Pages = append(f.Pages, pdftest.Page{Texts: texts})
		f.Outline = append(f.Outline, pdftest.Entry{Title: fmt.Sprintf("Setting LAMP_HOME %d", n), Page: n})
		want = append(want, fmt.Sprintf("## %d Setting LAMP\\_HOME %d", n, n))
	}
	got, text, _ := headingsOf(t, f)
	for i := range got {
		got[i] = strings.Replace(got[i], "LAMP_HOME", `LAMP\_HOME`, 1)
	}
	if !slices.Equal(got, want) || !strings.Contains(text, "Example C of lamps") {
		t.Errorf("headings %q, want %q", got, want)
	}
	f.Outline = f.Outline[:2] // too few to tell
	if got, _, _ := headingsOf(t, f); len(got) < 40 {
		t.Errorf("with an outline of two entries only %d headings are found", len(got))
	}
}

// A table of contents in two columns is left out, and columns of short lines stay columns.
func TestContentsInColumns(t *testing.T) {
	t.Parallel()
	contents := lines(72, 80, pdftest.Bold, 10, "CONTENTS")
	for n := range 24 {
		x, y := 72+float64(n/12)*260, 110+float64(n%12)*16
		contents = add(contents, lines(x, y, pdftest.Plain, 10, fmt.Sprintf("%d.1. Of lamps", n+1)), lines(x+200, y, pdftest.Plain, 10, fmt.Sprint(n/4+1)))
	}
	var left, right []string
	for n := range 30 {
		left = append(left, fmt.Sprintf("the left column has line number %d of it", n))
		right = append(right, fmt.Sprintf("and here on the right is line number %d", n))
	}
	text := pdftest.Page{Texts: add(lines(72, 80, pdftest.Plain, 10, left...), lines(332, 80, pdftest.Plain, 10, right...))}
	short := pdftest.Page{}
	for n := range 12 {
		y := 80 + 14*float64(n)
		short.Texts = add(short.Texts, lines(72, y, pdftest.Plain, 10, fmt.Sprintf("oil %d", n)), lines(160, y, pdftest.Plain, 10, fmt.Sprintf("for %d", n)),
			lines(332, y, pdftest.Plain, 10, "words to the right"))
	}
	_, got, _ := headingsOf(t, pdftest.File{Pages: []pdftest.Page{{Texts: contents}, text, text, text, short}})
	if strings.Contains(got, "Of lamps") || strings.Contains(got, "CONTENTS") {
		t.Errorf("the contents are in the text:\n%s", got)
	}
	if !strings.Contains(got, "| oil 3 | for 3 |\n") || strings.Contains(got, "| words to") {
		t.Errorf("two columns became one table:\n%s", got[max(0, len(got)-1500):])
	}
}

// The title is all lines of the largest text, and may begin with a small letter.
func TestTitleOfFirstPage(t *testing.T) {
	t.Parallel()
	for want, texts := range map[string][]pdftest.Text{
		"Wicks: A Language and Its Lamps": lines(72, 100, pdftest.Bold, 20, "Wicks: A Language", "and Its Lamps"),
		"wick-tools":                      add(lines(72, 100, pdftest.Plain, 20, "wick-tools"), lines(72, 140, pdftest.Plain, 14, "Ann Keeper"), lines(72, 240, pdftest.Bold, 16, "Contents")),
	} {
		if _, _, title := headingsOf(t, pdftest.File{Pages: []pdftest.Page{{Texts: add(texts, sentence(72, 300, 20))}}}); title != want {
			t.Errorf("the title is %q, want %q", title, want)
		}
	}
}
