// Package man parses manual pages in their source form: the macros man(7) and mdoc(7) of
// roff. Sections and subsections become sections, options with their texts become
// definitions, displays become code.
//
// The title is the name and number of the page ("git-commit(1)"), what the NAME section
// says of it is found by a search. A page that only points to another (.so) is left out.
//
// It reads the macros that manual pages use, and those that a page defines for itself, whose
// lines are read with their arguments, up to a few times the page's size. Registers,
// diversions, traps and arithmetic are left out, and their texts with them; a condition
// that asks for them does not hold. A page cannot define sections, lists and fonts anew:
// what it writes for other formatters says less. Nothing that is malformed is an
// error. Pages that are compressed (.1.gz) are expanded; their lines have no place in the
// file. Rejected: mandoc or groff as a child process. What they make of a page depends
// on which of them is installed, in which version, and an answer would then differ from
// machine to machine.
//
// The name of another page of the doc set, "lamp(8)", is a link to it.
//
// It reads other files through Options.Open alone: the macros that pages of a project share (.so).
// It refuses to start programs.
package man

import (
	"bytes"
	"context"
	"path"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// version is the parser's version.
const version = 13

// Parser is the parser of manual pages. It implements parse.Parser.
type Parser struct{}

// Info describes the format. Files that end in a digit are many things: the content
// decides.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatMan, Version: version, Name: "manual pages",
		Sniffed: []string{".0", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", ".n", ".man", ".mdoc", ".gz"}, Sniff: isPage}
}

// isPage reports whether a file begins as a manual page, perhaps a compressed one: comments
// and settings, and then the macro that every page must begin with.
func isPage(head []byte) bool {
	if parse.IsCompressed(head) {
		head = parse.ExpandHead(head)
	}
	if start := bytes.TrimLeft(head, "\r\n \t"); len(start) == 0 || start[0] != '.' && start[0] != '\'' &&
		!bytes.HasPrefix(start, []byte(`\"`)) {
		return false
	}
	for line := range bytes.Lines(head) {
		if len(line) < 3 || line[0] != '.' && line[0] != '\'' {
			continue
		}
		switch macro, _ := splitMacro(strings.TrimSpace(string(line[1:]))); macro {
		case "TH", "Dd", "Dt":
			return true
		case "so":
			return bytes.Contains(line, []byte("man"))
		}
	}
	return false
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a page.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	text, w := src, build.New()
	if parse.IsCompressed(src) {
		expanded, warning, err := parse.ExpandPage(src)
		if err != nil {
			return doc.Document{}, err
		}
		if text = expanded; warning != "" {
			w.Warn("%s", warning)
		}
	}
	p := &page{w: w, file: opt.Path, open: opt.Open, survey: opt.Survey, source: sourceOf(w.ToUTF8(text))}
	p.readLines()
	if p.other != "" && p.blocks == 0 {
		return doc.Document{}, parse.LeftOut("it is another name of " + p.other)
	}
	p.w.Title(p.pageTitle(strings.TrimSuffix(opt.Path, ".gz")))
	d, err := p.w.Document(ctx, src)
	if parse.IsCompressed(src) {
		for i := range d.Map {
			d.Map[i].Line = 0 // the file itself has no lines
		}
	}
	return d, err
}

// page is a page while it is read.
type page struct {
	source
	w    *build.Writer
	file string                       // its path in the doc set
	open func(string) ([]byte, error) // reads another file of the doc set; nil without one

	survey func(string, func(parse.Files) any) any // of the doc set, as parse.Options has it

	name, number string // by TH or Dt
	section      string // the heading of the section that is read, upper case
	about        string // what the section NAME says
	other        string // where the page points to
	blocks       int    // that were written

	// The paragraph that is collected: an inline for each line, and the line it is of.
	para  []string
	where []int

	read   string // the line of text or the macro that is read
	goesOn bool   // the last line ended with \c: the next goes on without a blank

	code     []string // a display that is collected, nil outside
	codeFrom int
	verbatim bool // .nf or .EX

	items      []item // open lists and indentations
	term       bool   // the next line is the term of a definition
	font       byte   // of the text that goes on: 'R', 'B', 'I'
	before     byte   // and the one before it
	next       byte   // of the next line, after .B alone
	skip       int    // open braces of a condition that does not hold
	decided    []bool // how each .ie was decided whose .el is still to come
	conditions int    // that stand behind each other on the line that is read
	mdoc       mdocState
}

// item is an open container.
type item struct {
	tagged bool // a definition or list item, which the next paragraph macro ends
	open   bool // it has a container of the writer
	list   bool // it is a list of mdoc(7), whose items are containers of their own
}

// pageTitle is the page's title: its name as NAME has it, and its number. Where NAME has the name of
// the file, that is it, whatever the header says: generators write one header on every page of a
// program with commands.
func (p *page) pageTitle(file string) string {
	name := p.name
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	first, _, _ := strings.Cut(p.about, " - ")
	for _, n := range strings.Split(first, ",") {
		if n = strings.TrimSpace(n); n == "" || strings.Contains(n, " ") {
			continue
		}
		if name == "" || strings.EqualFold(n, name) || strings.EqualFold(n, stem) {
			name = n
			break
		}
	}
	if name == "" {
		name = stem
	}
	if name == strings.ToUpper(name) && strings.Contains(strings.ToLower(path.Base(file)), strings.ToLower(name)) {
		name = strings.ToLower(name)
	}
	if p.number != "" {
		name += "(" + p.number + ")"
	}
	return name
}

// readLines reads the lines.
func (p *page) readLines() {
	p.font, p.before = 'R', 'R'
	for line, ok := p.nextLine(); ok; line, ok = p.nextLine() {
		if p.skip > 0 {
			p.skip += strings.Count(line, `\{`) - strings.Count(line, `\}`)
			p.skip = max(0, p.skip)
			continue
		}
		p.readLine(line)
	}
	p.endCode()
	p.flush()
	p.closeTo(0)
	p.closing()
}

// readLine reads one line of text or one request.
func (p *page) readLine(line string) {
	if value, ok := p.macroOfString(line); ok {
		line = value
	}
	p.read = line
	if len(line) > 0 && (line[0] == '.' || line[0] == '\'') {
		macro, rest := splitMacro(strings.TrimLeft(line[1:], " \t"))
		p.readMacro(macro, rest)
		return
	}
	line = strings.ReplaceAll(line, `\}`, "")
	switch {
	case p.code != nil || p.verbatim:
		p.addCode(p.plainLine(line))
	case strings.TrimSpace(line) == "":
		p.paragraph()
	default:
		p.addText(p.inline(line))
	}
}

// splitMacro cuts a line into its macro and the rest.
func splitMacro(line string) (macro, rest string) {
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimLeft(line[i:], " \t")
}

// addText adds a line to the paragraph, or makes it the term of a definition.
func (p *page) addText(inline string) {
	if p.term {
		if strings.TrimSpace(inline) == "" {
			return
		}
		p.term = false
		p.openItem(inline)
		return
	}
	if p.numbered(strings.TrimSpace(inline)) {
		return
	}
	goesOn := p.goesOn && len(p.para) > 0
	p.goesOn = strings.HasSuffix(p.read, `\c`)
	switch {
	case strings.TrimSpace(inline) == "":
	case goesOn:
		p.para[len(p.para)-1] += inline
	default:
		p.para, p.where = append(p.para, inline), append(p.where, p.at+1)
	}
}

// numbered makes an item of an indentation that begins with a number or a bullet, as
// DocBook writes lists.
func (p *page) numbered(text string) bool {
	n := len(p.items)
	if n == 0 || p.items[n-1].open || p.items[n-1].tagged || p.items[n-1].list || len(p.para) > 0 {
		return false
	}
	digits, dot := strings.CutSuffix(text, ".")
	number, err := strconv.Atoi(digits)
	switch {
	case text == "•" || text == "·":
		p.placeLine(p.at + 1)
		p.w.Open(build.Bullet)
	case dot && err == nil && number >= 0:
		p.placeLine(p.at + 1)
		p.w.Open(build.Number(number))
	default:
		return false
	}
	p.items[n-1].open = true
	return true
}

// openItem opens a definition, or adds a second term to the one that was just opened.
func (p *page) openItem(term string) {
	p.placeLine(p.at + 1)
	p.w.Definition(term)
	p.items = append(p.items, item{tagged: true, open: true})
	p.blocks++
}

func (p *page) placeLine(line int) { p.w.At(doc.Location{Line: min(line, len(p.lines))}) }

// flush writes the paragraph.
func (p *page) flush() {
	if len(p.para) == 0 {
		return
	}
	p.placeLine(p.where[0])
	places := make([]doc.Location, len(p.where))
	for i, at := range p.where {
		places[i].Line = min(at, len(p.lines))
	}
	p.w.Places(places)
	text := strings.Join(p.para, "\n")
	p.w.Paragraph(p.withReferences(text))
	if p.section == "NAME" && len(p.about) < 500 {
		p.about = strings.TrimSpace(p.about + " " + withoutMarks(spacing.Single(text)))
	}
	p.blocks++
	p.para, p.where = p.para[:0], p.where[:0]
}

// withoutMarks is an inline without its marks.
func withoutMarks(inline string) string {
	return strings.NewReplacer(`\`, "", "`", "", "*", "", " — ", " - ", " – ", " - ").Replace(inline)
}

func (p *page) addCode(line string) {
	if p.code == nil {
		p.flush()
		p.code, p.codeFrom = []string{}, p.at+1
	}
	p.code = append(p.code, line)
}

// endCode writes the display that is collected.
func (p *page) endCode() {
	if len(p.code) > 0 {
		p.w.FromLine(doc.Location{Line: p.codeFrom})
		p.w.WriteCode("", strings.Join(p.code, "\n"))
		p.blocks++
	}
	p.code, p.verbatim = nil, false
}

// paragraph ends a paragraph, and a definition with it.
func (p *page) paragraph() {
	p.flush()
	p.term, p.font, p.next = false, 'R', 0
}

// newParagraph ends the definition that is open too.
func (p *page) newParagraph() {
	p.paragraph()
	if n := len(p.items); n > 0 && p.items[n-1].tagged {
		p.closeTo(n - 1)
	}
}

// closeTo closes containers down to n.
func (p *page) closeTo(n int) {
	for len(p.items) > n {
		last := p.items[len(p.items)-1]
		if last.open {
			p.w.Close()
		}
		p.items = p.items[:len(p.items)-1]
	}
}

// heading begins a section.
func (p *page) heading(level int, text string) {
	p.endCode()
	p.paragraph()
	p.closeTo(0)
	if strings.TrimSpace(text) == "" {
		return
	}
	p.section = strings.ToUpper(strings.TrimSpace(text))
	p.placeLine(p.at + 1)
	p.w.Heading(level, build.TextInline(text), "")
	p.blocks++
}

// closing tells the writer what the page said of itself.
func (p *page) closing() {
	if _, says, ok := strings.Cut(p.about, " - "); ok {
		p.w.AddMetadata(says)
	}
}
