package pdf

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// box is a rectangle on a page in points, its origin at the upper left.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) boxWidth() float64  { return b.x1 - b.x0 }
func (b box) boxHeight() float64 { return b.y1 - b.y0 }
func (b box) boxMiddle() float64 { return (b.y0 + b.y1) / 2 }

func (b box) unionWith(o box) box {
	return box{min(b.x0, o.x0), min(b.y0, o.y0), max(b.x1, o.x1), max(b.y1, o.y1)}
}

// word is a word with its place.
type word struct {
	box
	text string
	font *font // nil: unknown
}

// segment is a run of words on one line, without a wide gap.
type segment struct {
	box
	words []word
}

// page is a page as it was read.
type page struct {
	number        int // from 1
	width, height float64
	segments      []segment
	letters       int // characters of its text
	odd           int // those among them that no text has
	ocr           bool
}

// info is what a file says of itself.
type info struct {
	title, subject, keywords, author string
}

// Limits of the data taken from a file.
const (
	mostPages    = 20_000
	mostWords    = 4_000_000
	mostWordLine = 1 << 20 // bytes of a line that poppler writes
)

var errTooLarge = errors.New("it has too many pages or words")

// readWords reads the output of pdftotext -bbox-layout. Unknown elements are skipped: of
// a file that poppler reads in part, that part is kept.
func readWords(r io.Reader) (pages []page, about info, err error) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), mostWordLine)
	var p *page
	var seg *segment
	words := 0
	for s.Scan() {
		line := bytes.TrimLeft(s.Bytes(), " \t")
		switch {
		case bytes.HasPrefix(line, []byte("<word ")) && p != nil:
			w, ok := readWord(line)
			if !ok {
				continue
			}
			if words++; words > mostWords {
				return pages, about, errTooLarge
			}
			letters, odd := oddLetters(w.text)
			p.letters, p.odd = p.letters+letters, p.odd+odd
			if seg == nil {
				p.segments = append(p.segments, segment{})
				seg = &p.segments[len(p.segments)-1]
				seg.box = w.box
			}
			seg.words, seg.box = append(seg.words, w), seg.unionWith(w.box)
		case bytes.HasPrefix(line, []byte("<line ")), bytes.HasPrefix(line, []byte("</line>")):
			seg = nil
		case bytes.HasPrefix(line, []byte("<page ")):
			if len(pages) >= mostPages {
				return pages, about, errTooLarge
			}
			pages = append(pages, page{number: len(pages) + 1, width: numericAttribute(line, "width"),
				height: numericAttribute(line, "height")})
			p, seg = &pages[len(pages)-1], nil
		case bytes.HasPrefix(line, []byte("<title>")) && p == nil:
			text, _, _ := bytes.Cut(line[len("<title>"):], []byte("</title>"))
			about.title = unescapeEntities(string(text))
		case bytes.HasPrefix(line, []byte("<meta ")) && p == nil:
			about.readMeta(line)
		}
	}
	if err := s.Err(); err != nil {
		return pages, about, fmt.Errorf("read what pdftotext writes: %w", err)
	}
	return pages, about, nil
}

func (i *info) readMeta(line []byte) {
	content := attribute(line, "content")
	switch attribute(line, "name") {
	case "Subject":
		i.subject = content
	case "Keywords":
		i.keywords = content
	case "Author":
		i.author = content
	}
}

// readWord reads one <word> with its box.
func readWord(line []byte) (word, bool) {
	tag, rest, ok := bytes.Cut(line, []byte(">"))
	if !ok {
		return word{}, false
	}
	text, _, ok := bytes.Cut(rest, []byte("</word>"))
	if !ok {
		return word{}, false
	}
	b := box{numericAttribute(tag, "xMin"), numericAttribute(tag, "yMin"), numericAttribute(tag, "xMax"), numericAttribute(tag, "yMax")}
	w := word{box: b, text: strings.TrimSpace(cleanWord(unescapeEntities(string(text))))}
	return w, w.text != "" && b.x1 >= b.x0 && b.y1 >= b.y0
}

// attribute is the value of an attribute, or "".
func attribute(tag []byte, name string) string {
	at := bytes.Index(tag, []byte(name+`="`))
	if at < 0 {
		return ""
	}
	value, _, _ := bytes.Cut(tag[at+len(name)+2:], []byte(`"`))
	return unescapeEntities(string(value))
}

// numericAttribute is the value of a numeric attribute; 0 for any other text and for numbers beyond
// the size of a page.
func numericAttribute(tag []byte, name string) float64 {
	at := bytes.Index(tag, []byte(name+`="`))
	if at < 0 {
		return 0
	}
	value, _, _ := bytes.Cut(tag[at+len(name)+2:], []byte(`"`))
	n, err := strconv.ParseFloat(string(value), 64)
	if err != nil || math.IsNaN(n) || math.Abs(n) > 1e6 {
		return 0
	}
	return n
}

var entities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#34;", `"`, "&apos;", "'", "&#39;", "'",
	"&#160;", " ")

func unescapeEntities(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return entities.Replace(s)
}
