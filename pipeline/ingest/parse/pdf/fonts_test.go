package pdf

import (
	"strings"
	"testing"
)

// pdftohtml writes the links of a page before it, on the same line. The page was missed, and
// its fonts went to the page before: titles were small, and text was as large as headings.
func TestLinksBeforePages(t *testing.T) {
	t.Parallel()
	l, err := readLooks(strings.NewReader("<page number=\"1\" height=\"9\" width=\"9\">\n<fontspec id=\"0\" size=\"30\" family=\"A\"/>\n<text top=\"1\" left=\"1\" width=\"9\" height=\"9\" font=\"0\">a</text>\n" +
		"</page>\n link to page 3  link to page 4 <page number=\"2\" height=\"9\" width=\"9\">\n<text top=\"1\" left=\"1\" width=\"9\" height=\"9\" font=\"0\">b</text>\n"))
	if err != nil || len(l.runs[1]) != 1 || len(l.runs[2]) != 1 {
		t.Errorf("%v, pages have %d and %d runs", err, len(l.runs[1]), len(l.runs[2]))
	}
}

// Numbers follow each other by their kind; a letter may be a Roman number.
func TestHeadingNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		last, next string
		follows    bool
	}{
		{"1", "2", true}, {"1", "1.1", true}, {"1.2", "2", true}, {"1.2.3", "1.3", true}, {"I.", "II.", true}, {"VIII.", "IX.", true}, {"A.", "B.", true},
		{"I.1.", "I.2.", true}, {"XIII.", "XIV.", true}, {"1", "3", true}, {"2", "1", false}, {"1", "9", false}, {"1.1", "2.2", false}, {"1", "2.1", false},
		{"A.", "II.", false}, {"1", "1", false},
	} {
		got := false
		for _, a := range headingNumbersOf(tt.last) {
			for _, b := range headingNumbersOf(tt.next) {
				got = got || b.follows(a)
			}
		}
		if got != tt.follows {
			t.Errorf("%s follows %s: %v", tt.next, tt.last, got)
		}
	}
	for _, word := range []string{"A", "I", "x.", "1.a", "2026.123", "", ".", "..", "IIII."} {
		if n := headingNumbersOf(word); len(n) > 0 {
			t.Errorf("%q is a number: %v", word, n)
		}
	}
}
