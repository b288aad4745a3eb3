package texinfo

import (
	"bytes"
	"context"
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// infoVersion is the version of Info.
const infoVersion = 2

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
	infoNote = pattern.Lazy(`\*[Nn]ote\s+([^:\n]+)::`)
	infoRef  = pattern.Lazy(`\*[Nn]ote\s+([^:\n]+):\s+[^.,\n]+[.,]`)
	menuLine = pattern.Lazy(`^\* [^\n]*:(?::|\s)`)
)

// Parse reads a page.
func (Info) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	w := build.New()
	p := &infoPage{w: w}
	for i, text := range strings.Split(strings.ReplaceAll(withoutMarks(w.ToUTF8(src)), "\r\n", "\n"), "\n") {
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
	case l.text == "* Menu:" || p.menu && (menuLine().MatchString(l.text) || l.text[0] == ' '):
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
	case p.entry && isSentence(lines) && (rest == 5 || rest < 0 && margin < 9):
		p.paragraph(lines)
	default:
		p.code(lines)
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
		terms = append(terms, infoInline(strings.TrimSpace(l.text)))
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
		text = append(text, infoInline(strings.TrimSpace(l.text)))
	}
	p.w.FromLine(doc.Location{Line: lines[0].at})
	p.w.Paragraph(strings.Join(text, "\n"))
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

// infoInline is a line of text: references without their signs.
func infoInline(s string) string {
	s = infoNote().ReplaceAllString(s, "see $1")
	s = infoRef().ReplaceAllString(s, "see $1")
	return build.TextInline(s)
}
