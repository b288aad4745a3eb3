package pdf

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strings"

	"docent/pipeline/text/spacing"
)

// font is how letters look.
type font struct {
	size       float64 // points, to a third
	bold, mono bool
}

// zoom is the scale at which pdftohtml writes places, which it rounds: its greatest.
const zoom = 3

// run is a text in one font as pdftohtml writes it. Its width says little, since runs
// with gaps between them are joined.
type run struct {
	box
	font *font
}

// entry is a line of a file's outline.
type entry struct {
	title string
	page  int // from 1; 0: unknown
	depth int // from 1
}

// looks is what pdftohtml says of a file that pdftotext does not: the fonts of its text,
// by page, and its outline.
type looks struct {
	runs    map[int][]run
	outline []entry
}

// Bounds of an outline.
const (
	mostEntries = 20_000
	mostDepth   = 12
)

// readLooks reads what pdftohtml -xml writes.
func readLooks(r io.Reader) (looks, error) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), mostWordLine)
	l := looks{runs: map[int][]run{}}
	fonts := map[string]*[2]font{} // plain and bold
	at, depth, texts := 0, 0, 0
	for s.Scan() {
		line := withoutLinks(bytes.TrimLeft(s.Bytes(), " \t"))
		switch {
		case bytes.HasPrefix(line, []byte("<text ")):
			f := fonts[attribute(line, "font")]
			if texts++; f == nil || texts > mostWords {
				continue
			}
			_, text, _ := bytes.Cut(line, []byte(">"))
			b := box{x0: numericAttribute(line, "left") / zoom, y0: numericAttribute(line, "top") / zoom}
			b.x1, b.y1 = b.x0+numericAttribute(line, "width")/zoom, b.y0+numericAttribute(line, "height")/zoom
			use := &f[0]
			if isBold(text) {
				use = &f[1]
			}
			l.runs[at] = append(l.runs[at], run{b, use})
		case bytes.HasPrefix(line, []byte("<fontspec ")):
			f := parseFontName(attribute(line, "family"), numericAttribute(line, "size"))
			b := f
			b.bold = true
			fonts[attribute(line, "id")] = &[2]font{f, b}
		case bytes.HasPrefix(line, []byte("<page ")):
			at = int(numericAttribute(line, "number"))
		case bytes.HasPrefix(line, []byte("<outline>")):
			depth++
		case bytes.HasPrefix(line, []byte("</outline>")):
			depth--
		case bytes.HasPrefix(line, []byte("<item")) && len(l.outline) < mostEntries:
			_, text, _ := bytes.Cut(line, []byte(">"))
			text, _, _ = bytes.Cut(text, []byte("</item>"))
			title := spacing.Single(cleanWord(unescapeEntities(string(text))))
			l.outline = append(l.outline, entry{title, int(numericAttribute(line, "page")), min(mostDepth, max(1, depth))})
		}
	}
	return l, s.Err()
}

// withoutLinks is a line without the links of the page, which pdftohtml writes before it on
// its line. A page that was missed gave all its fonts to the one before.
func withoutLinks(line []byte) []byte {
	if bytes.HasPrefix(line, []byte("link to page ")) {
		line = line[max(0, bytes.IndexByte(line, '<')):]
	}
	return line
}

// isBold reports whether most of a run is bold: pdftohtml joins texts on a line, and says
// with tags what of them is.
func isBold(text []byte) bool {
	bold, all, in, tag := 0, 0, 0, false
	for i, c := range text {
		switch {
		case c == '<':
			tag = true
			if bytes.HasPrefix(text[i:], []byte("<b>")) {
				in++
			} else if bytes.HasPrefix(text[i:], []byte("</b>")) {
				in--
			}
		case c == '>':
			tag = false
		case !tag && c != ' ':
			all++
			if in > 0 {
				bold++
			}
		}
	}
	return bold*10 > all*9
}

// parseFontName reads the name of a font: "ABCDEF+NimbusMonL-Bold".
func parseFontName(family string, size float64) font {
	f := font{size: math.Round(size) / zoom}
	name := strings.ToLower(family)
	if _, after, ok := strings.Cut(name, "+"); ok {
		name = after
	}
	for _, part := range []string{"bold", "black", "heavy", "semibold", "demi", "-medi", "cmbx", "sfbx"} {
		f.bold = f.bold || strings.Contains(name, part)
	}
	for _, part := range []string{"mono", "courier", "consol", "typewriter", "cmtt", "sftt", "menlo", "nimbusmon", "lettergothic", "fixed",
		"andale", "inconsolata", "sourcecode", "firacode", "letter gothic", "monaco", "terminal"} {
		f.mono = f.mono || strings.Contains(name, part)
	}
	if strings.Contains(name, "monotype") {
		f.mono = strings.Contains(name, "courier")
	}
	return f
}

// applyFonts gives the words of a page their fonts: that of the run on whose line a word
// stands and that began last before it.
func (l looks) applyFonts(p *page) {
	const (
		cell       = 4.0 // points
		mostOnLine = 2000
	)
	byLine := map[int][]run{}
	for _, r := range l.runs[p.number] {
		if k := int(math.Floor(r.boxMiddle() / cell)); len(byLine[k]) < mostOnLine {
			byLine[k] = append(byLine[k], r)
		}
	}
	if len(byLine) == 0 {
		return
	}
	for i := range p.segments {
		for j := range p.segments[i].words {
			w := &p.segments[i].words[j]
			k := int(math.Floor(w.boxMiddle() / cell))
			best, distance := -1.0, math.MaxFloat64
			for near := k - 1; near <= k+1; near++ {
				for _, r := range byLine[near] {
					off := math.Abs(r.boxMiddle() - w.boxMiddle())
					if off > 0.6*max(r.boxHeight(), w.boxHeight()) || r.x0 > w.x0+1.5 {
						continue
					}
					if r.x0 > best+1 || r.x0 > best-1 && off < distance {
						best, distance, w.font = r.x0, off, r.font
					}
				}
			}
		}
	}
}
