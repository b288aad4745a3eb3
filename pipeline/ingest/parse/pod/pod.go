// Package pod reads POD, the documentation of Perl: headings, lists, definitions, code, links
// and formatting codes, also where it stands in a module between its code.
//
// A section's anchor is the id that Pod::Simple::XHTML gives it. The title is the name that
// the section NAME begins with. A link to a page leads to its file where the doc set has
// it.
//
// It refuses to show the code of a module, and text for one formatter.
//
// Terms. A command is a line that begins with "=". A code is a letter with text in angle
// brackets: C<text>, C<< text >>.
package pod

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// version is the parser's version.
const version = 5

// Parser is the parser of POD. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatPOD, Version: version, Name: "POD", Extensions: []string{".pod", ".pm"}, Packed: true}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a page. A module without documentation is left out.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	p := &page{w: build.New(), opt: opt, ids: map[string]int{}}
	text := p.w.ToUTF8(src)
	paragraphs := documentation(clean(text), path.Ext(opt.Path) == ".pm")
	if paragraphs == nil && path.Ext(opt.Path) == ".pm" && !opt.Wanted {
		return doc.Document{}, parse.LeftOut("it is a module without documentation")
	}
	for i := 0; i < len(paragraphs); {
		i = p.writeParagraph(paragraphs, i)
	}
	p.closeLists(0)
	if !p.named && path.Ext(opt.Path) == ".pm" {
		p.nameFromCode([]byte(text))
	}
	return p.w.Document(ctx, src)
}

// clean is a text without control characters, with "\n" as line ends.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\uFEFF' || r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// paragraph is a paragraph of POD.
type paragraph struct {
	command string // without "=", "" for text
	lines   []line // of a command without it
}

// line is a line of the text and its line in the file.
type line struct {
	text string
	at   int
}

// isVerbatim reports whether a paragraph is code.
func (p paragraph) isVerbatim() bool {
	return p.command == "" && (p.lines[0].text[0] == ' ' || p.lines[0].text[0] == '\t')
}

var command = pattern.Lazy(`^=([A-Za-z][A-Za-z0-9]*)(?:[ \t]+(.*))?$`)

// documentation is the POD of a file, in paragraphs; nil where it has none. A file that is
// no module and has no command is taken for POD from its first line.
func documentation(text string, module bool) []paragraph {
	var all []paragraph
	var open *paragraph
	inside := !module && !strings.Contains("\n"+text, "\n=")
	end := func() {
		if open != nil {
			all = append(all, *open)
		}
		open = nil
	}
	n := 0
	for text := range strings.SplitSeq(text, "\n") {
		n++
		m := command().FindStringSubmatch(text)
		switch {
		case m != nil && (inside || m[1] != "cut"):
			end()
			if inside = m[1] != "cut"; inside {
				open = &paragraph{command: m[1], lines: []line{{strings.TrimSpace(m[2]), n}}}
			}
		case !inside:
		case strings.TrimSpace(text) == "":
			end()
		case open == nil:
			open = &paragraph{lines: []line{{text, n}}}
		default:
			open.lines = append(open.lines, line{text, n})
		}
	}
	end()
	return all
}

// page is a page while it is written.
type page struct {
	w     *build.Writer
	opt   parse.Options
	ids   map[string]int
	lists []list
	named bool   // the title is known
	group string // the command of Pod::Weaver whose heading is the last of the first level
	pages *pages // of the doc set; nil: not surveyed
}

// list is a list that is open.
type list struct {
	open   bool // an item
	number int
}

// place sets the place of the text that is written next.
func (p *page) place(at int) { p.w.At(doc.Location{Line: at}) }

// writeParagraph writes a paragraph, or several that are one block; it returns the next one.
func (p *page) writeParagraph(all []paragraph, i int) int {
	g := all[i]
	switch {
	case g.isVerbatim():
		return p.writeCode(all, i)
	case g.command == "":
		p.writeText(g.lines)
	case strings.HasPrefix(g.command, "head") && len(g.command) == 5 && g.command[4] >= '1' && g.command[4] <= '6':
		if g.command == "head1" {
			p.group = ""
		}
		p.writeHeading(g, int(g.command[4]-'0'))
		if name := p.plain(g.lines); !p.named && (strings.EqualFold(name, "NAME") || strings.EqualFold(name, "TITLE")) && i+1 < len(all) {
			p.nameFrom(all[i+1])
		}
	case woven[g.command] != "":
		p.writeWoven(g)
	case g.command == "over":
		p.lists = append(p.lists, list{})
	case g.command == "back":
		if n := len(p.lists); n > 0 {
			p.closeLists(n - 1)
		}
	case g.command == "item":
		return p.writeItem(all, i)
	case g.command == "begin":
		return p.skipFormat(all, i)
	case g.command == "for":
		if name, rest, _ := strings.Cut(g.lines[0].text, " "); strings.HasPrefix(name, ":") {
			p.writeText(append([]line{{rest, g.lines[0].at}}, g.lines[1:]...))
		}
	case g.command == "pod" || g.command == "encoding" || g.command == "end":
	default: // an unknown command
		p.writeText(g.lines)
	}
	return i + 1
}

// nameFrom takes the title from the paragraph below NAME: "name - what it is".
func (p *page) nameFrom(g paragraph) {
	if g.command != "" {
		return
	}
	text := p.plain(g.lines)
	for _, mark := range []string{" - ", " -- ", " – ", " — "} {
		if name, about, ok := strings.Cut(text, mark); ok && len(name) < 200 {
			p.w.Title(name)
			p.w.AddMetadata(about)
			p.named = true
			return
		}
	}
	if len(text) < 100 {
		p.w.Title(text)
		p.named = true
	}
}

func (p *page) writeText(lines []line) {
	text, places := build.RawLines(p.inline(lines))
	if text == "" {
		return
	}
	p.place(lines[0].at)
	p.w.Places(places)
	p.w.Paragraph(text)
}

// writeCode writes successive paragraphs of code as one block, without the indentation that
// their lines share.
func (p *page) writeCode(all []paragraph, i int) int {
	var code []build.Line
	least := -1
	for ; i < len(all) && all[i].isVerbatim(); i++ {
		if len(code) > 0 { // empty lines as in the file
			for at := code[len(code)-1].At.Line + 1; at < all[i].lines[0].at; at++ {
				code = append(code, build.Line{At: doc.Location{Line: at}})
			}
		}
		for _, l := range all[i].lines {
			text := expandTabs(l.text)
			if n := len(text) - len(strings.TrimLeft(text, " ")); n < len(text) && (least < 0 || n < least) {
				least = n
			}
			code = append(code, build.Line{Text: text, At: doc.Location{Line: l.at}})
		}
	}
	for k := range code {
		code[k].Text = code[k].Text[min(max(0, least), len(code[k].Text)):]
	}
	p.w.Listing("", code)
	return i
}

// expandTabs is a line with blanks in the place of the tabs at its beginning.
func expandTabs(s string) string {
	rest := strings.TrimLeft(s, " \t")
	lead := s[:len(s)-len(rest)]
	if !strings.Contains(lead, "\t") {
		return s
	}
	columns := 0
	for _, c := range []byte(lead) {
		if columns++; c == '\t' {
			columns += 7 - (columns-1)%8
		}
	}
	return strings.Repeat(" ", columns) + rest
}

var numbered = pattern.Lazy(`^\(?(\d{1,9})[.)]?(?:[ \t]+(.*))?$`)

// writeItem opens an item of a list; terms that follow each other have one text. It returns
// the next paragraph.
func (p *page) writeItem(all []paragraph, i int) int {
	if len(p.lists) == 0 {
		p.lists = append(p.lists, list{})
	}
	n := len(p.lists) - 1
	p.closeItem(n)
	l := &p.lists[n]
	lines := all[i].lines
	first := lines[0].text
	m := numbered().FindStringSubmatch(first)
	p.place(lines[0].at)
	l.open = true
	switch {
	case first == "" || first[0] == '*' && (len(first) == 1 || first[1] == ' '):
		p.w.Open(build.Bullet)
		p.writeText(append([]line{{strings.TrimLeft(first, "* "), lines[0].at}}, lines[1:]...))
	case m != nil && (m[1] == "1" || l.number > 0):
		l.number = atoi(m[1])
		p.w.Open(build.Number(l.number))
		p.writeText(append([]line{{m[2], lines[0].at}}, lines[1:]...))
	default:
		term, _ := build.RawLines(p.inline(lines))
		for i+1 < len(all) && all[i+1].command == "item" && all[i+1].lines[0].text != "" && all[i+1].lines[0].text[0] != '*' {
			i++
			inline, _ := build.RawLines(p.inline(all[i].lines))
			term += ", " + inline
		}
		p.w.Definition(strings.ReplaceAll(term, "\n", " "))
	}
	return i + 1
}

func atoi(s string) int {
	n := 0
	for _, c := range []byte(s) {
		n = n*10 + int(c-'0')
	}
	return n
}

func (p *page) closeItem(n int) {
	if p.lists[n].open {
		p.w.Close()
		p.lists[n].open = false
	}
}

// closeLists closes lists down to n of them.
func (p *page) closeLists(n int) {
	for len(p.lists) > n {
		p.closeItem(len(p.lists) - 1)
		p.lists = p.lists[:len(p.lists)-1]
	}
}

// skipFormat passes text for one formatter; text that is marked as POD is shown.
// It returns the next paragraph.
func (p *page) skipFormat(all []paragraph, i int) int {
	name := all[i].lines[0].text
	if strings.HasPrefix(name, ":") {
		return i + 1
	}
	for j := i + 1; j < len(all); j++ {
		switch {
		case all[j].command == "end" && (all[j].lines[0].text == name || all[j].lines[0].text == ""):
			return j + 1
		case strings.HasPrefix(all[j].command, "head"): // it was never ended
			return i + 1
		}
	}
	return i + 1
}

var (
	notOfIDs = pattern.Lazy(`[^-a-zA-Z0-9_:.]+`)
	idStart  = pattern.Lazy(`^[^a-zA-Z]+`)

	letterOrDigit = pattern.Lazy(`[\pL\d]`)
)

// sectionID is the id that Pod::Simple::XHTML gives a section.
func (p *page) sectionID(plain string) string {
	id := plainID(plain)
	if n := p.ids[id]; n > 0 {
		p.ids[id]++
		return id + decimal(n)
	}
	p.ids[id]++
	return id
}

// plainID is the id of a text. Signs alone, such as the names of variables of Perl, have their codes, so that each
// is another id; programs that format POD give all of them one id.
func plainID(plain string) string {
	id := strings.TrimSpace(plain)
	if id != "" && !letterOrDigit().MatchString(id) {
		var b strings.Builder
		b.WriteString("pod")
		for _, r := range id {
			b.WriteString("-" + strconv.FormatInt(int64(r), 16))
		}
		return b.String()
	}
	if rest := idStart().FindString(id); rest == id {
		id = "pod" + id
	}
	id = id[len(idStart().FindString(id)):]
	return strings.TrimRight(notOfIDs().ReplaceAllString(id, "-"), "-:.")
}

// ItemIDs are the ids of the places of an item, by the text behind "=item": of the whole text and
// of its first word, by which links name it. The bullets and numbers of lists are no names.
func ItemIDs(item string) []string {
	var b strings.Builder
	addPlain(&b, item, 0)
	plain := strings.TrimSpace(b.String())
	word := plain
	if i := strings.IndexAny(plain, " \t(/,"); i > 0 {
		word = plain[:i]
	}
	var ids []string
	for _, text := range []string{plain, word} {
		if strings.Trim(text, "0123456789.()*-") != "" && !slices.Contains(ids, plainID(text)) {
			ids = append(ids, plainID(text))
		}
	}
	return ids
}
