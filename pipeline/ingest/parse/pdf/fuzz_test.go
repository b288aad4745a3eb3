package pdf

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse/build"
)

// FuzzLayout reads what the programs might write, whatever it is, and lays it out.
func FuzzLayout(f *testing.F) {
	f.Add("<page width=\"612\" height=\"792\">\n<line>\n<word xMin=\"72\" yMin=\"10\" xMax=\"90\" yMax=\"20\">A&amp;B-</word>\n</line>\n", "<page number=\"1\">\n<fontspec id=\"0\" size=\"30\" family=\"Courier-Bold\"/>\n<text top=\"30\" left=\"216\" width=\"9\" height=\"9\" font=\"0\"><b>A</b></text>\n</page>\n<outline>\n<item page=\"1\">A B</item>\n</outline>\n", "5\t1\t1\t1\t1\t1\t10\t10\t50\t20\t90\tword\n")
	f.Add("<page width=\"1e9\" height=\"NaN\">\n<word xMin=\"-5\" yMin=\"x\" xMax=\"1e300\" yMax=\"7\">•</word>\n<word xMin=\"5\" yMin=\"0\" xMax=\"6\" yMax=\"7\">1.</word>\n", "<item page=\"-1\">\n", "\t\t")
	f.Fuzz(func(t *testing.T, words, fonts, tsv string) {
		pages, _, err := readWords(strings.NewReader(words))
		if err != nil {
			return
		}
		looks, err := readLooks(strings.NewReader(fonts))
		if err != nil {
			return
		}
		for i := range pages {
			looks.applyFonts(&pages[i])
		}
		if segments, err := readTSV(strings.NewReader(tsv), 0.24); err == nil && len(segments) > 0 {
			pages = append(pages, page{number: len(pages) + 1, width: 612, height: 792, segments: segments, ocr: true})
		}
		c := &conversion{Parser: New(Options{}), w: build.New(), pages: pages}
		if _, err := c.writePages(context.Background(), nil, looks); err != nil {
			t.Error(err)
		}
	})
}

func TestLineThatNeverEnds(t *testing.T) {
	t.Parallel()
	if _, _, err := readWords(strings.NewReader("<page width=\"1\">\n<word " + strings.Repeat("x", mostWordLine))); err == nil {
		t.Error("it is read")
	}
}

// BenchmarkBook measures a book of 352 pages with a text, poppler's programs included.
func BenchmarkBook(b *testing.B) {
	c, src := book(b)
	b.SetBytes(int64(len(src)))
	pages := 0
	for b.Loop() {
		run := &conversion{Parser: c.Parser, w: build.New(), dir: c.dir, file: c.file}
		if err := errors.Join(run.readText(b.Context())); err != nil {
			b.Fatal(err)
		}
		if _, err := run.writePages(b.Context(), src, run.readLooks(b.Context())); err != nil {
			b.Fatal(err)
		}
		pages += len(run.pages)
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
}

// book is a file of many pages.
func book(b *testing.B) (*conversion, []byte) {
	b.Helper()
	name, err := filepath.Abs("../../../../../shared/data/pdfs/text/freeculture.pdf")
	if err != nil {
		b.Fatal(err)
	}
	src, err := os.ReadFile(name)
	if err != nil {
		b.Skipf("the book is not here: %v", err)
	}
	tools := Tools{PDFToText: "/usr/bin/pdftotext", PDFToHTML: "/usr/bin/pdftohtml"}
	if _, err := os.Stat(tools.PDFToText); err != nil {
		b.Skipf("poppler is not installed: %v", err)
	}
	return &conversion{Parser: New(Options{Tools: tools, OCR: Never}), dir: b.TempDir(), file: name}, src
}
