package texinfo

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// infoVersion is the version of Info.
const infoVersion = 4

// Info is the parser of manuals as makeinfo writes them for the program info. It implements
// parse.Parser.
type Info struct{}

// Info describes the format.
func (Info) Info() parse.Info {
	return parse.Info{Format: doc.FormatInfo, Version: infoVersion, Name: "Info manuals", Packed: true,
		Sniffed: []string{".info", ".info-1", ".info-2", ".info-3", ".info-4", ".info-5", ".info-6", ".info-7", ".info-8", ".info-9"},
		Sniff:   looksLikeInfo}
}

// nodeMark begins a node.
const nodeMark = "\x1f"

// looksLikeInfo reports whether a file begins as makeinfo begins manuals and their parts.
func looksLikeInfo(head []byte) bool {
	first, _, _ := bytes.Cut(head, []byte("\n\n"))
	return bytes.HasPrefix(head, []byte("This is ")) && bytes.Contains(first, []byte("produced by")) &&
		bytes.Contains(first, []byte(".info")) ||
		bytes.HasPrefix(bytes.TrimSpace(head), []byte(nodeMark+"\nFile: "))
}

// Structure reads the rendition, which is Markdown.
func (Info) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

var (
	nodeLine = pattern.Lazy(`^File: [^,]*,\s+Node: ([^,\x60]*),?`)
	under    = pattern.Lazy(`^(?:\*{2,}|={2,}|-{2,}|\.{2,})\s*$`)
	infoNote = pattern.Lazy(`\*[Nn]ote\s+([^:]{1,200}):(?::|\s+([^.,:]{1,200})[.,])`)
	// leadsToNote is the end of a text behind which "see" would be a word too many.
	leadsToNote = pattern.Lazy(`(?i)\b(?:see|in|to|of|by|from|under|with|and|or)\s$`)

	infoItem = pattern.Lazy(`^( {2,20})(?:(\d{1,3})\.|[•*−-]) +(\S.*)$`)
	menuLine = pattern.Lazy(`^\* [^\n]*:(?::|\s)`)
)

// Parse reads a page.
func (Info) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	w := build.New()
	p := &infoPage{w: w, known: map[string]bool{}}
	all := strings.Split(strings.ReplaceAll(withoutMarks(w.ToUTF8(src)), "\r\n", "\n"), "\n")
	for _, text := range all {
		if m := nodeLine().FindStringSubmatch(text); m != nil {
			p.known[nodeID(m[1])] = true
		}
	}
	for i, text := range all {
		p.readLine(line{text, i + 1})
	}
	p.flush()
	if p.nodes == 0 {
		return doc.Document{}, parse.LeftOut("it has no nodes of its own; it lists the files that have them")
	}
	if name := strings.TrimSuffix(path.Base(opt.Path), path.Ext(opt.Path)); p.top != "" {
		w.Title(p.top)
	} else {
		w.Title(name)
	}
	return w.Document(ctx, src)
}

// withoutMarks is a text without the marks by which a reader of info knows indexes and pictures, a
// name and values between signs that cannot be seen.
func withoutMarks(text string) string {
	for _, mark := range []string{"\x00\x08[", "\ufffd\x08["} {
		if !strings.Contains(text, mark) {
			continue
		}
		parts := strings.Split(text, mark)
		for i, part := range parts[1:] {
			_, rest, _ := strings.Cut(part, "\x08]")
			parts[i+1] = rest
		}
		text = strings.Join(parts, "")
	}
	return text
}

// infoPage is a page while it is read.
type infoPage struct {
	w     *build.Writer
	para  []line
	known map[string]bool // the anchors of all nodes
	nodes int
	node  string // the anchor of the node, until its heading is written
	top   string
	head  int  // lines since the node began
	skip  bool // behind the end of the last node
	menu  bool
	entry bool // a definition is open
}

func (p *infoPage) readLine(l line) {
	switch {
	case strings.HasPrefix(l.text, nodeMark):
		p.flush()
		p.close()
		p.skip, p.menu, p.head = true, false, 0
	case p.skip:
		if m := nodeLine().FindStringSubmatch(l.text); m != nil {
			p.nodes++
			p.node, p.skip = nodeID(m[1]), false
		}
	case p.nodes == 0: // before the first node
	case strings.TrimSpace(l.text) == "":
		p.flush()
		p.menu = false
	case l.text == "* Menu:" || p.menu && (menuLine().MatchString(l.text) || l.text[0] == ' ' || l.text[0] == '\t'):
		p.menu = true
	case menuLine().MatchString(l.text) && len(p.para) == 0:
		p.menu = true
	default:
		p.para = append(p.para, l)
	}
}

// infoLevels are the levels of sections by the signs below their titles.
var infoLevels = map[byte]int{'*': 2, '=': 3, '-': 4, '.': 5}

// flush writes the lines that are collected: a heading, a paragraph, a term with its text, or code.
func (p *infoPage) flush() {
	lines := p.para
	p.para = nil
	if len(lines) > 1 && under().MatchString(lines[1].text) && len(strings.TrimSpace(lines[1].text)) > 1 {
		p.heading(lines[0], infoLevels[lines[1].text[0]])
		lines = lines[2:]
	}
	if len(lines) == 0 {
		return
	}
	if p.node != "" { // a node without a title
		p.node = ""
	}
	margin := indentOf(lines[0].text)
	rest := -1
	for _, l := range lines[1:] {
		if rest < 0 || indentOf(l.text) < rest {
			rest = indentOf(l.text)
		}
	}
	switch {
	case infoItem().MatchString(lines[0].text) && (rest < 0 || rest >= margin):
		p.items(lines, margin)
	case margin == 0 && rest >= 5: // a term with its text
		p.close()
		p.definition(lines, 1)
	case margin == 0 && len(lines) > 2 && hasTerm(lines):
		n := 1
		for n < len(lines) && indentOf(lines[n].text) == 0 {
			n++
		}
		p.close()
		p.definition(lines, n)
	case margin <= 3 && rest <= 0 || margin == 0 || margin == 3 && len(lines) == 1 && isSentence(lines):
		p.close()
		p.paragraph(lines)
	case isSentence(lines) && (p.entry && (rest == 5 || rest < 0 && margin < 9) || isProse(lines)):
		p.paragraph(lines)
	default:
		p.code(lines)
	}
}

// items writes the items of a list, whose signs stand at the margin. What is indented more goes
// on with the item above.
func (p *infoPage) items(lines []line, margin int) {
	nested := p.entry && margin > 3
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && !(indentOf(lines[n].text) == margin && infoItem().MatchString(lines[n].text)) {
			n++
		}
		m := infoItem().FindStringSubmatch(lines[0].text)
		lines[0].text = m[3]
		if !nested {
			p.close()
		}
		p.w.At(doc.Location{Line: lines[0].at})
		if number, err := strconv.Atoi(m[2]); err == nil {
			p.w.Open(build.Number(number))
		} else {
			p.w.Open(build.Bullet)
		}
		p.paragraph(lines[:n])
		if p.entry = true; nested {
			p.w.Close()
		}
		lines = lines[n:]
	}
}

func indentOf(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// hasTerm reports whether lines at the margin are followed by lines that are all indented.
func hasTerm(lines []line) bool {
	n := 0
	for n < len(lines) && indentOf(lines[n].text) == 0 {
		n++
	}
	for _, l := range lines[n:] {
		if indentOf(l.text) < 5 {
			return false
		}
	}
	return n < len(lines)
}

// isSentence reports whether lines are text and not code.
func isSentence(lines []line) bool {
	last := strings.TrimSpace(lines[len(lines)-1].text)
	for _, l := range lines {
		if strings.Contains(strings.ReplaceAll(strings.TrimSpace(l.text), ".  ", ". "), "   ") {
			return false
		}
	}
	return len(last) > 0 && strings.IndexByte(".:!?)", last[len(last)-1]) >= 0 && strings.Contains(strings.TrimSpace(lines[0].text), " ")
}

// leastProse is how many words a text has at least that is indented and no code.
const leastProse = 15

// isProse reports whether lines that are a sentence are so long that they are no code.
func isProse(lines []line) bool {
	words := 0
	for _, l := range lines {
		words += len(strings.Fields(l.text))
	}
	return words >= leastProse && words >= 5*len(lines)
}

func (p *infoPage) close() {
	if p.entry {
		p.w.Close()
		p.entry = false
	}
}

func (p *infoPage) heading(l line, level int) {
	title := strings.TrimSpace(l.text)
	if p.nodes == 1 && p.top == "" && p.node == "Top" {
		p.top, level = title, 1
	}
	p.close()
	p.w.At(doc.Location{Line: l.at})
	p.w.Heading(level, build.TextInline(title), p.node)
	p.node = ""
}

// definition writes a term, of the first n lines, and its text.
func (p *infoPage) definition(lines []line, n int) {
	var terms []string
	for _, l := range lines[:n] {
		terms = append(terms, p.infoInline(strings.TrimSpace(l.text)))
	}
	p.w.At(doc.Location{Line: lines[0].at})
	p.w.Definition(strings.Join(terms, ", "))
	p.entry = true
	if n < len(lines) {
		p.paragraph(lines[n:])
	}
}

func (p *infoPage) paragraph(lines []line) {
	var text []string
	for _, l := range lines {
		text = append(text, strings.TrimSpace(l.text))
	}
	p.w.FromLine(doc.Location{Line: lines[0].at})
	p.w.Paragraph(p.infoInline(strings.Join(text, "\n")))
}

// code writes lines as code, without the blanks that all of them begin with.
func (p *infoPage) code(lines []line) {
	least := indentOf(lines[0].text)
	for _, l := range lines {
		least = min(least, indentOf(l.text))
	}
	var out []build.Line
	for _, l := range lines {
		out = append(out, build.Line{Text: l.text[least:], At: doc.Location{Line: l.at}})
	}
	p.w.Listing("", out)
}

// infoInline is text with its references as links. A reference that takes two lines keeps the end
// of the first, by which the lines of the text are found in the file.
func (p *infoPage) infoInline(s string) string {
	var b strings.Builder
	at := 0
	for _, m := range infoNote().FindAllStringSubmatchIndex(s, -1) {
		name := strings.Join(strings.Fields(s[m[2]:m[3]]), " ")
		node := name
		if m[4] >= 0 {
			node = strings.Join(strings.Fields(s[m[4]:m[5]]), " ")
		}
		before := s[at:m[0]]
		lead := "see"
		switch breaks := strings.Repeat("\n", strings.Count(s[m[0]:m[1]], "\n")); {
		case s[m[0]+1] == 'N':
			lead = "See" + cmp.Or(breaks, " ")
		case leadsToNote().MatchString(before):
			lead = breaks
		default:
			lead += cmp.Or(breaks, " ")
		}
		b.WriteString(build.TextInline(before) + lead)
		if id := nodeID(node); p.known[id] {
			b.WriteString(build.LinkInline(build.TextInline(name), "#"+id))
		} else {
			b.WriteString(build.TextInline(name)) // of another manual, or of another file of this one
		}
		if at = m[1]; m[4] >= 0 {
			at-- // what ends the reference is of the sentence
		}
	}
	return b.String() + build.TextInline(s[at:])
}
