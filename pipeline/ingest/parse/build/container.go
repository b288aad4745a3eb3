package build

import (
	"bytes"
	"strconv"
	"strings"

	"docent/store/doc"
)

// Container is what blocks stand in.
type Container struct {
	kind   containerKind
	number int
	label  string // of a note: "[!WARNING]"
	head   string // of a note: its title; of a definition: its term
}

type containerKind int

const (
	outside containerKind = iota
	bullet
	number
	quote
	note
	definition
)

// Bullet is an item of a list without numbers.
var Bullet = Container{kind: bullet}

// Quote is a quotation.
var Quote = Container{kind: quote}

// Number is the item of a numbered list that has number n.
func Number(n int) Container { return Container{kind: number, number: min(999_999_999, max(0, n))} }

// NoteContainer is an admonition: kind is note, tip, important, warning, caution or any other word
// of reStructuredText, DITA and HTML for one. title is an inline or "": then the kind's
// name is the title where Markdown has no such kind.
func NoteContainer(kind, title string) Container {
	kind = strings.ToLower(strings.TrimSpace(kind))
	label, ok := notes[kind]
	switch {
	case !ok && title == "":
		label, title = "NOTE", capitalized(TextInline(kind))
	case !ok:
		label = "NOTE"
	case title == "" && !strings.EqualFold(label, kind):
		title = capitalized(strings.ReplaceAll(kind, "seealso", "see also"))
	}
	return Container{kind: note, label: "[!" + label + "]", head: headingText(title)}
}

// notes are the kinds of GitHub's alerts by the words of other formats. The text of a
// note says its own word where it is another.
var notes = map[string]string{
	"": "NOTE", "note": "NOTE", "tip": "TIP", "important": "IMPORTANT", "warning": "WARNING", "caution": "CAUTION",
	"info": "NOTE", "seealso": "NOTE", "see also": "NOTE", "remember": "NOTE", "notice": "NOTE",
	"hint": "TIP", "fastpath": "TIP", "restriction": "IMPORTANT",
	"attention": "WARNING", "deprecated": "WARNING", "danger": "CAUTION", "error": "CAUTION",
}

// frame is an open container.
type frame struct {
	first  string // what begins its first line: "- ", "12. ", "> "
	rest   string // what begins the others
	opened bool   // the first line is written
	head   []string
	blocks int
	last   block // the last thing in it
	loose  bool  // a blank line stands between its blocks

	item   containerKind // of the last item in it
	marker byte          // of that item
	number int           // of that item
	large  bool          // that item is loose
}

type block int

const (
	blockNone block = iota
	blockParagraph
	blockTerm // of a definition
	blockItem
	blockOther
)

// Containers that are nested deeper than this, or lead to lines that are indented
// further, are left out: package markdown reads no deeper ones. Their blocks stay.
const (
	maxDepth  = 24
	maxIndent = 80
)

// Open opens a container in the one that is open. Items that follow each other are one
// list. Each Open needs a Close.
func (w *Writer) Open(c Container) {
	width := 0
	for _, f := range w.open {
		width += len(f.rest)
	}
	if w.skipped > 0 || len(w.open) >= maxDepth || width >= maxIndent {
		w.skipped++
		if c.head != "" {
			w.Paragraph(Strong(c.head))
		}
		return
	}
	f := frame{}
	switch c.kind {
	case quote:
		f.first, f.rest = "> ", "> "
	case note:
		f.first, f.rest = "> ", "> "
		f.head = []string{c.label}
		if c.head != "" {
			f.head = append(f.head, Strong(c.head))
		}
	default:
		f = w.itemFrame(c)
	}
	w.open = append(w.open, f)
	if c.head != "" {
		w.beginBlock(blockNone)
		w.innermostFrame().last = blockOther
		if c.kind == definition {
			w.writeLine(Strong(c.head), 0)
			w.innermostFrame().last = blockTerm
		}
	}
}

// itemFrame is the frame of a list's item; what the list is follows from the item
// before it.
func (w *Writer) itemFrame(c Container) frame {
	in := w.innermostFrame()
	follows := in.last == blockItem
	marker := in.marker
	switch {
	case c.kind == number && follows && in.item == number && c.number != in.number+1:
		marker = '.' + ')' - marker // another list
	case c.kind == number && (!follows || in.item != number):
		marker = '.'
	case c.kind != number && follows && in.item != number && in.item != c.kind:
		marker = '-' + '*' - marker
	case c.kind != number && (!follows || in.item != c.kind):
		marker = '-'
	}
	if in.large = in.large && follows; follows && marker != in.marker {
		in.large = true // a blank line parts the lists
	}
	in.item, in.marker, in.number = c.kind, marker, c.number
	first := string(marker) + " "
	if c.kind == number {
		first = strconv.Itoa(c.number) + first
	}
	return frame{first: first, rest: strings.Repeat(" ", len(first))}
}

// Definition opens an item of a definition list; term is an inline. The blocks up to
// Close define it.
func (w *Writer) Definition(term string) {
	w.Open(Container{kind: definition, head: headingText(term)})
}

// Close closes the container that was opened last. A container in which nothing was
// written leaves nothing.
func (w *Writer) Close() {
	if w.skipped > 0 {
		w.skipped--
		return
	}
	n := len(w.open)
	if n == 0 {
		return
	}
	f := w.open[n-1]
	w.open = w.open[:n-1]
	if !f.opened {
		return
	}
	in := w.innermostFrame()
	if f.first == "> " {
		in.last = blockOther
		return
	}
	in.last, in.large = blockItem, f.loose
}

// innermostFrame is the innermost open container.
func (w *Writer) innermostFrame() *frame {
	if n := len(w.open); n > 0 {
		return &w.open[n-1]
	}
	return &w.top
}

// beginBlock begins a block: it writes the blank line before it where one is needed, and the
// heads of notes that have none yet.
func (w *Writer) beginBlock(kind block) {
	// The outermost container without a line is an item, or a quote, of the one around it.
	k := 0
	for k < len(w.open) && w.open[k].opened {
		k++
	}
	in := &w.top
	if k > 0 {
		in = &w.open[k-1]
	}
	what := kind
	if k < len(w.open) {
		what = blockOther
		if w.open[k].first != "> " {
			what = blockItem
		}
	}
	if in.blocks > 0 && needsBlank(in, what, k > 0) {
		w.writeBlank(k)
		in.loose = true
	}
	for i := max(0, k-1); i < len(w.open); i++ { // what holds the block holds one more
		w.open[i].blocks++
	}
	if k == 0 {
		w.top.blocks++
	}
	for i := k; i < len(w.open); i++ {
		head := w.open[i].head
		if w.open[i].head = nil; head == nil {
			continue
		}
		for _, h := range head {
			w.lineIn(i+1, h, 0)
		}
		if i+1 < len(w.open) || kind != blockParagraph && kind != blockNone {
			w.writeBlank(i + 1) // a paragraph may follow a label, other blocks may not
		}
	}
	if kind != blockNone {
		w.innermostFrame().last = kind
	}
}

// needsBlank reports whether a blank line stands between the last thing in a container and
// the next.
func needsBlank(in *frame, next block, nested bool) bool {
	switch {
	case next == blockItem && in.last == blockItem:
		return in.large
	case next == blockItem && (in.last == blockParagraph || in.last == blockTerm) && nested && in.item != number:
		return false
	case next == blockParagraph && in.last == blockTerm:
		return false
	}
	return true
}

// openQuotes writes the beginning of a quote that is the first thing in a list's item
// as a line of its own: package markdown looks for fences behind markers of quotes and
// then of lists.
func (w *Writer) openQuotes() {
	item := false
	for i := range w.open {
		f := &w.open[i]
		switch {
		case f.opened:
		case f.first != "> ":
			item = true
		case item:
			w.lineIn(len(w.open), "", 0)
			return
		}
	}
}

// writeLine writes a line of a block; nth counts the lines that the block has in the source.
func (w *Writer) writeLine(s string, nth int) { w.lineIn(len(w.open), s, nth) }

// lineIn writes a line in the outermost k open containers.
func (w *Writer) lineIn(k int, s string, nth int) {
	start := w.text.Len()
	for i := range k {
		f := &w.open[i]
		if f.opened {
			w.text.WriteString(f.rest)
		} else {
			w.text.WriteString(f.first)
			f.opened = true
		}
	}
	w.text.WriteString(s)
	w.endLine(start, nth)
}

// endLine ends a line that began at an offset, without blanks at its end.
func (w *Writer) endLine(start, nth int) {
	w.text.Truncate(start + len(bytes.TrimRight(w.text.Bytes()[start:], " \t")))
	w.text.WriteByte('\n')
	at := w.at
	switch {
	case nth < len(w.each):
		at = w.each[nth]
	case w.counting && at.Line > 0:
		at.Line += nth
	}
	w.places = append(w.places, at)
}

// writeBlank writes a blank line in the outermost k open containers, all of which have a
// line.
func (w *Writer) writeBlank(k int) {
	start := w.text.Len()
	for i := range k {
		w.text.WriteString(w.open[i].rest)
	}
	w.endLine(start, 0)
}

// dropBreak takes a line break off the end of a paragraph.
func (w *Writer) dropBreak() {
	text := w.text.Bytes()
	text = text[:len(text)-1]
	if n := len(text) - len(bytes.TrimRight(text, `\`)); n%2 == 1 {
		w.text.Truncate(len(text) - 1)
		w.text.WriteByte('\n')
	}
}

// Place is the place of the line that is written next, as At or From set it.
func (w *Writer) Place() doc.Location { return w.at }
