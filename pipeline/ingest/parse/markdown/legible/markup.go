package legible

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	htmlparse "docent/pipeline/ingest/parse/html"
	"docent/pipeline/ingest/parse/markdown/dialect"
	"docent/pipeline/text/pattern"
)

// markupTag is a tag of HTML that begins or ends a block.
var markupTag = pattern.Lazy(`^</?(?i:p|div|section|article|aside|main|header|footer|nav|figure|figcaption|details|summary|center|` +
	`blockquote|address|pre|ul|ol|li|dl|dt|dd|h[1-6])(?:\s[^<>]*)?/?>`)

// beginsMarkup reports whether a line begins a block of HTML. One that is indented as code is code.
func beginsMarkup(line string) bool {
	cols, n := dialect.IndentOf([]byte(line))
	return cols < codeIndent && n < len(line) && line[n] == '<' && markupTag().MatchString(line[n:])
}

// codeIndent is the columns from which an indented line of Markdown is code.
const codeIndent = 4

// lastPre is the last line that closes preformatted text, -1: none does.
func (w *writer) lastPre() int {
	if w.preKnown {
		return w.pre
	}
	w.preKnown, w.pre = true, -1
	for i, l := range slices.Backward(w.lines) {
		if strings.Contains(strings.ToLower(l), "</pre") {
			w.pre = i
			break
		}
	}
	return w.pre
}

// markupLines is how many lines the block of HTML takes that begins at the next line. It goes on to
// a blank line outside of preformatted text, or to what begins otherwise: a table, a fence, a heading.
func (w *writer) markupLines() int {
	lines := w.lines[w.at:]
	if w.at > w.lastPre() && strings.Contains(strings.ToLower(lines[0]), "<pre") {
		return 1 // it is not closed: what follows is no code for that
	}
	inPre, isPre := false, strings.HasPrefix(strings.ToLower(strings.TrimSpace(lines[0])), "<pre")
	for i, l := range lines[:min(len(lines), maxRegion)] {
		said := strings.TrimSpace(l)
		if !inPre && (said == "" || isOmission(l) ||
			i > 0 && (tableTag(l) || strings.HasPrefix(said, "```") || headingLine().MatchString(l))) {
			return i
		}
		inPre = isPreAfter(l, inPre)
		if isPre && !inPre { // what stands behind it may be Markdown
			return i + 1
		}
	}
	return min(len(lines), maxRegion)
}

// headingLine is a heading of Markdown.
var headingLine = pattern.Lazy(`^ {0,3}#{1,6}\s`)

// templateInTag is a sign of a template within a tag, whose quotes end attributes.
var templateInTag = pattern.Lazy(`<[A-Za-z/][^<>]*\{[{%]`)

// writeMarkup writes a block of HTML as Markdown, or as it is where that would say less.
func (w *writer) writeMarkup(region []string) {
	var text strings.Builder
	for _, l := range region {
		text.WriteString(expandMacros(l, ""))
	}
	source := text.String()
	said, ok := htmlparse.Markdown(withParent(source))
	if !ok || templateInTag().MatchString(source) || 10*countLetters(said) < 9*countLetters(wordsOf(source)) {
		for _, l := range region {
			w.write(expandMacros(l, ""))
		}
		return
	}
	if said = strings.TrimSpace(said); said == "" { // tags alone
		if w.last != "" && w.last != "\n" {
			w.write("\n")
		}
		return
	}
	_, n := dialect.IndentOf([]byte(region[0]))
	indent := region[0][:n]
	if w.last != "" && w.last != "\n" {
		w.write(strings.Repeat("\n", 2-trailingBreaks(w.last)))
	}
	for l := range strings.Lines(unescapeMarks.Replace(said) + "\n\n") {
		if strings.TrimSpace(l) != "" {
			l = indent + l
		}
		w.write(l)
	}
}

// unescapeMarks gives code and strong words in a block of HTML their marks back: generators of sites
// read them there, and no page means them to be seen.
var unescapeMarks = strings.NewReplacer("\\`", "`", `\*\*`, "**")

// withParent puts the items of a list that was cut before them into a list.
func withParent(source string) string {
	low := strings.ToLower(source)
	for _, part := range [...]struct{ item, list, parent string }{
		{"<li", "<ul", "<ul>"}, {"<dt", "<dl", "<dl>"}, {"<dd", "<dl", "<dl>"},
	} {
		item, list := strings.Index(low, part.item), strings.Index(low, part.list)
		if ordered := strings.Index(low, "<ol"); part.item == "<li" && ordered >= 0 && (list < 0 || ordered < list) {
			list = ordered
		}
		if item >= 0 && (list < 0 || item < list) {
			return source[:item] + part.parent + source[item:]
		}
	}
	return source
}

// wordsOf is the text of a piece of HTML between its tags.
func wordsOf(source string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		switch z.Next() {
		case html.ErrorToken: // the end: reading a text cannot fail
			return b.String()
		case html.TextToken:
			b.WriteString(z.Token().Data)
		}
	}
}

func countLetters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}
