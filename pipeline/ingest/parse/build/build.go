// Package build writes renditions: Markdown with the place of each line in the
// source. All parsers that convert write through it, so that the rules of Markdown,
// and of the dialects that package markdown reads, are minded in one place.
//
// Terms. A block is what a method of Writer writes: a heading, a paragraph, code, a
// table. An inline is Markdown within a block: what Text, Span, Strong, Emphasis,
// Link and Image return, joined by concatenation. A container is what blocks stand
// in: a list item, a quote, a note, a definition.
//
// For any input, the writer writes Markdown that is read back as the intended structure.
// Its time and memory are linear in the input. It refuses to read sources, to guess
// structure and to write anchors into the text: they are set on the sections.
package build

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/store/doc"
)

// Writer writes one page. New makes one. It is not safe for concurrent use.
type Writer struct {
	text     bytes.Buffer
	places   []doc.Location
	at       doc.Location
	counting bool           // lines of a block stand on successive lines of the source
	each     []doc.Location // of the next paragraph's lines; nil: at

	open     []frame // containers, the outermost first
	skipped  int     // containers that are open, but nested too deeply to be written
	top      frame   // the text outside of all containers
	headings []heading
	madeUp   string // begins the anchors that are made of headings

	title, url string
	about      []string
	aboutBytes int
	warnings   []string
	unsaid     int // warnings beyond maxWarnings
}

// heading is a heading as it was written.
type heading struct {
	line   int // of the text, from 1
	anchor string
}

const (
	maxWarnings = 20
	maxAbout    = 16 << 10 // bytes
	maxAnchor   = 300      // bytes
)

// New makes a writer of an empty page.
func New() *Writer { return &Writer{} }

// Len is the length of the written text, in bytes.
func (w *Writer) Len() int { return w.text.Len() }

// At sets the place in the source of the lines that are written next, until the next call
// of At or From.
func (w *Writer) At(place doc.Location) { w.at, w.counting = place, false }

// FromLine is as At, for blocks that keep the source's line breaks: the second line of a
// paragraph or of code stands on the line after place, and so on. Each block begins at
// place anew.
func (w *Writer) FromLine(place doc.Location) { w.at, w.counting = place, true }

// Places says where the lines of the next paragraph stand, one by one; where there are
// fewer than lines, the writer's place counts.
func (w *Writer) Places(each []doc.Location) { w.each = each }

// Title sets the page's title, plain text. It is not written: where the source shows it
// as a heading, call Heading too.
func (w *Writer) Title(plain string) {
	if plain = oneLine(plain); plain != "" {
		w.title = parse.CutTitle(plain)
	}
}

// AddMetadata adds what the source's metadata say of the page: its description, keywords,
// other names. It is found by a search and not shown.
func (w *Writer) AddMetadata(plain string) {
	if plain = oneLine(plain); plain != "" && w.aboutBytes+len(plain) <= maxAbout {
		w.about = append(w.about, plain)
		w.aboutBytes += len(plain)
	}
}

// URL sets the address that the page was taken from.
func (w *Writer) URL(address string) { w.url = oneLine(address) }

// Warn adds a warning about the source. The first twenty are kept, the others counted.
func (w *Writer) Warn(format string, args ...any) {
	if len(w.warnings) >= maxWarnings {
		w.unsaid++
		return
	}
	w.warnings = append(w.warnings, oneLine(fmt.Sprintf(format, args...)))
}

// MarkMadeAnchors marks the anchors of sections without a name in the source as made by docent: in a
// format whose ids are those on the web, no address may have them.
func (w *Writer) MarkMadeAnchors() { w.madeUp = doc.MadeAnchor }

// Heading writes a heading of level 1 to 6; other levels become the nearest. anchor is
// the source's own name of the place, "" where it has none: then the section gets the
// slug of its text. Within a container, where Markdown has no sections, the heading is
// a paragraph in bold. A heading without text is not written.
func (w *Writer) Heading(level int, inline, anchor string) {
	inline = headingText(inline)
	if inline == "" {
		return
	}
	if len(w.open) > 0 || w.skipped > 0 {
		w.Paragraph(Strong(inline))
		return
	}
	w.beginBlock(blockOther)
	w.headings = append(w.headings, heading{line: len(w.places) + 1, anchor: cleanAnchor(anchor)})
	w.writeLine(strings.Repeat("#", min(6, max(1, level)))+" "+inline, 0)
}

// Paragraph writes a paragraph, line by line. Blank lines in it are left out.
func (w *Writer) Paragraph(inline string) {
	first, links := true, containsLinks(inline)
	n := -1
	for line := range strings.SplitSeq(inline, "\n") {
		n++
		line = strings.Trim(line, " \t\r")
		if line == "" {
			continue
		}
		if first {
			w.beginBlock(blockParagraph)
		}
		w.writeLine(escapeLineStart(unescapeEnd(line, links), len(w.open) == 0 && first, len(w.places) == 0), n)
		first = false
	}
	if !first {
		w.dropBreak()
	}
	w.each = nil
}

// WriteCode writes a block of code, "" for a language that is not known. Blank lines at its
// ends are left out.
func (w *Writer) WriteCode(lang, text string) {
	lines := strings.Split(codeText(text), "\n")
	from, to := 0, len(lines)
	for from < to && strings.TrimSpace(lines[from]) == "" {
		from++
	}
	for to > from && strings.TrimSpace(lines[to-1]) == "" {
		to--
	}
	if from == to {
		return
	}
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	w.beginBlock(blockOther)
	w.openQuotes()
	w.writeLine(fence+fenceLanguage(lang), from)
	for i := from; i < to; i++ {
		w.writeLine(lines[i], i)
	}
	w.writeLine(fence, to-1)
}

// WriteTable writes a table. Cells are inlines; a header of nil becomes one of empty cells,
// short rows are filled, up to 64 cells. places are those of the rows, in order; where there are fewer,
// the writer's place counts.
func (w *Writer) WriteTable(header []string, rows [][]string, places ...doc.Location) {
	columns := len(header)
	for _, r := range rows {
		columns = max(columns, len(r))
	}
	if columns == 0 {
		return
	}
	w.beginBlock(blockOther)
	w.writeLine(tableRow(header, columns), 0)
	w.writeLine("|"+strings.Repeat(" --- |", columns), 0)
	at, counting := w.at, w.counting
	w.counting = false
	for i, r := range rows {
		if i < len(places) {
			w.at = places[i]
		}
		w.writeLine(tableRow(r, columns), 0)
	}
	w.at, w.counting = at, counting
}

// WriteRule writes a thematic break. At the beginning of a page or container there is
// nothing to divide, and nothing is written.
func (w *Writer) WriteRule() {
	if f := w.innermostFrame(); f.blocks == 0 {
		return
	}
	w.beginBlock(blockOther)
	w.writeLine("***", 0)
}

// Page is Document for a page with a path, which lends it a title where it names none.
func (w *Writer) Page(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	d, err := w.Document(ctx, src)
	if err != nil {
		return d, err
	}
	d.Path = opt.Path
	if d.Title == "" || opt.Titled {
		d.Title = opt.FallbackTitle
	}
	return d, nil
}

// printable is a copy of a text without the control characters that an inline of a caller
// may have brought in, as long as the text is, not as its buffer.
func printable(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for {
		n := bytes.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f })
		if n < 0 {
			return append(out, text...)
		}
		out, text = append(out, text[:n]...), text[n+1:]
	}
}

// Text is what was written, for a caller that needs no document of it. Containers that are still
// open are closed, and the writer is empty.
func (w *Writer) Text() string { return string(w.takeText()) }

func (w *Writer) takeText() []byte {
	for len(w.open) > 0 || w.skipped > 0 {
		w.Close()
	}
	text := printable(w.text.Bytes())
	w.text = bytes.Buffer{}
	return text
}

// Document reads the written text and returns it as a document of src: the text, the
// place of each line, sections with the anchors they were given, blocks, links, title.
// Containers that are still open are closed.
func (w *Writer) Document(ctx context.Context, src []byte) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	text := w.takeText()
	// What a parser counts as a line may end in another way than lines of files do.
	last := max(1, doc.CountLines(src))
	for i := range w.places {
		w.places[i].Line = min(w.places[i].Line, last)
	}
	d, err := ReadRendition(text)
	if err != nil {
		return d, err
	}
	d.Rendition = doc.Rendition{Source: src, Text: text, Map: w.places}
	if w.places == nil {
		d.Map = []doc.Location{}
	}
	w.giveAnchors(d.Sections)
	d.Title = w.title
	if d.Title == "" {
		d.Title = parse.CutTitle(d.H1)
	}
	if w.url != "" {
		d.URL = w.url
	}
	d.About = strings.Join(w.about, "\n")
	d.Bytes = len(src)
	d.Warnings = append(w.warnings[:len(w.warnings):len(w.warnings)], d.Warnings...)
	if w.unsaid > 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf("and %d more warnings", w.unsaid))
	}
	return d, nil
}

// giveAnchors gives each section an anchor of its own: first those of the source, then
// slugs.
func (w *Writer) giveAnchors(sections []doc.Section) {
	seen := markdown.Slugs{}
	next := 0
	named := make([]bool, len(sections))
	for i := range sections {
		s := &sections[i]
		for next < len(w.headings) && w.headings[next].line < s.Span.StartLine {
			next++
		}
		if s.Level > 0 && next < len(w.headings) && w.headings[next].line == s.Span.StartLine && w.headings[next].anchor != "" {
			s.Anchor, named[i] = seen.Unique(w.headings[next].anchor), true
		}
	}
	for i := range sections {
		if s := &sections[i]; s.Level > 0 && !named[i] {
			s.Anchor = seen.Unique(w.madeUp + markdown.HeadingSlug(s.Text))
		}
	}
}
