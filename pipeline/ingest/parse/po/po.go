// Package po reads gettext's catalogs of messages (.po) that translate pages of documentation,
// as Sphinx and po4a use them.
//
// A catalog is a page where most of its messages come from files of documentation, or, where it
// does not say where they come from, read as text with markup. One of the texts of a program is
// none.
//
// Where the doc set has the page that is translated, and that is reStructuredText or Markdown,
// the text is that page with each translated message in the place of the original: titles,
// lists, tables and code stay as they are. Messages that are not translated, or whose
// translation is unconfirmed (fuzzy), keep the original's text. Otherwise the text is
// that of the translated messages in their order, each a paragraph: without its page a message in
// the language of the original is a copy of a sentence that the original has in its place.
//
// A line of the text has the place of its message in the catalog; lines that only the
// translated page has have none.
//
// Tables that reStructuredText draws with lines are written as lists first, since the widths of
// their columns change with the texts.
//
// It refuses to open anything but pages of the formats above in the doc set, and to translate
// a table that is drawn with cells that span columns or rows.
//
// Terms. A message is a text (msgid) with its translation (msgstr). A reference is a place in
// a file that a message was taken from. An original is a page that is translated.
package po

import (
	"context"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/asciidoc"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/fidelity"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/ingest/parse/rst"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// version is the parser's version. Translated pages of reStructuredText change with its parser.
const version = 104 + rst.Version

// Parser is the parser of catalogs. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatPO, Version: version, Name: "gettext", Sniffed: []string{".po"}, Sniff: looksTranslated}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// looksTranslated reports whether the beginning of a file is that of a catalog of documentation.
// A header may be longer than the beginning; the parser looks at the rest.
func looksTranslated(head []byte) bool {
	text, _ := toUTF8(head)
	if !strings.Contains(text, "msgid") {
		return false
	}
	c := readCatalog(text)
	ours, all := c.countReferences()
	if all == 0 {
		return len(head) >= parse.HeadBytes || c.isOfPages()
	}
	return 2*ours > all
}

// leastTranslated is the share of an original's messages, one in so many, that are translated
// where it is shown. With fewer it would be a copy, found for the same questions.
const leastTranslated = 10

// countTranslated counts the messages that are translated.
func (p *part) countTranslated() (n int) {
	for _, m := range p.messages {
		if m.isTranslated() {
			n++
		}
	}
	return n
}

// appendTexts adds what a reader sees of the messages, each a paragraph. alone says that they are
// written without their original.
func (p *part) appendTexts(to []byte, alone bool) []byte {
	for _, m := range p.messages {
		texts := m.shown()
		if alone {
			texts = m.shownAlone()
		}
		for _, text := range texts {
			to = append(append(to, text...), "\n\n"...)
		}
	}
	return to
}

// shown are the translations of a message, else its texts.
func (m *message) shown() []string {
	if m.isTranslated() {
		return m.texts
	}
	return []string{m.id, m.plural}
}

// placeholder is what itstool writes into a message for a tag whose text is a message of its own.
var placeholder = pattern.Lazy(`<_:[\pL\d.:_-]+/>`)

// shownAlone are the translations of a message without its original: none of one that is not
// translated, and a mark where a tag stood.
func (m *message) shownAlone() (out []string) {
	if !m.isTranslated() {
		return nil
	}
	for _, text := range m.texts {
		text = placeholder().ReplaceAllString(text, "…")
		if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			out = append(out, text)
		}
	}
	return out
}

// countReferences counts the references, and those to files of documentation.
func (c *catalog) countReferences() (ours, all int) {
	for _, m := range c.messages {
		for _, ref := range m.refs {
			all++
			if ref.file == docstring || isDocumentation(ref.file) {
				ours++
			}
		}
	}
	return ours, all
}

// Parse reads a catalog.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	text, whole := toUTF8(src)
	c := readCatalog(text)
	ours, all := c.countReferences()
	switch {
	case len(c.messages) == 0:
		return doc.Document{}, parse.LeftOut("it is a catalog without messages")
	case !opt.Wanted && all > 0 && 2*ours <= all || !opt.Wanted && all == 0 && !c.isOfPages():
		return doc.Document{}, parse.LeftOut("it is a catalog of the texts of a program, not of a page")
	}
	p := &page{catalog: c, opt: opt, finder: finder{opt: opt}}
	p.budget.left = 100*len(src) + 1_000_000
	p.budget.out = 8*len(src) + 1_000_000
	if !whole {
		p.warnings = append(p.warnings, "not all of it is UTF-8")
	}
	if c.broken > 0 {
		p.warnings = append(p.warnings, fmt.Sprintf("line %d is no line of a catalog", c.broken))
	}
	var parts []doc.Document
	var kept []byte // the texts of the messages that are shown
	all = 0
	for _, part := range c.byFile() {
		if all++; !opt.Wanted && part.countTranslated()*leastTranslated < len(part.messages) {
			continue
		}
		d, alone, err := p.readPart(ctx, part)
		if err != nil {
			return doc.Document{}, err
		}
		kept = part.appendTexts(kept, alone)
		parts = append(parts, d)
	}
	if len(parts) == 0 {
		return doc.Document{}, parse.LeftOut("hardly any of its messages are translated")
	}
	p.warnPlaces()
	d, err := joinParts(parts)
	if err != nil {
		return d, err
	}
	if len(parts) < all {
		d.Words = fidelity.CountWords(doc.FormatRST, kept, d.Text)
	}
	d.Path, d.Source, d.Bytes = opt.Path, src, len(src)
	d.Format, d.Parser = doc.FormatPO, version
	if d.Title == "" || opt.Titled {
		d.Title = opt.FallbackTitle
	}
	last := doc.CountLines(src)
	for i := range d.Map {
		d.Map[i].Line = min(d.Map[i].Line, last)
	}
	d.Warnings = append(p.warnings, d.Warnings...)
	d.Uses, d.URL, d.Permalink = nil, "", ""
	return d, nil
}

// page is a catalog while its text is made.
type page struct {
	*catalog
	finder
	opt      parse.Options
	warnings []string
	budget   budget

	placed, sought int    // messages that have a place in an original, and those that should
	originals      int    // that were found
	inFile         string // the last of them
}

// part are the messages of one original.
type part struct {
	file     string
	messages []placed
}

// placed is a message with its lines in an original.
type placed struct {
	*message
	lines []int
}

// byFile sorts messages by their originals, in the order of the first message of each. A
// message that several originals have belongs to each. One without references belongs to the
// original of the message before it.
func (c *catalog) byFile() []*part {
	var parts []*part
	index := map[string]*part{}
	last := ""
	partOf := func(file string) *part {
		p := index[file]
		if p == nil {
			p = &part{file: file}
			index[file] = p
			parts = append(parts, p)
		}
		return p
	}
	for _, m := range c.messages {
		if len(m.refs) == 0 {
			p := partOf(last)
			p.messages = append(p.messages, placed{m, nil})
		}
		for _, ref := range m.refs {
			if ref.file == docstring { // its page is that of the messages around it
				ref.file = last
			}
			p := partOf(ref.file)
			last = ref.file
			if n := len(p.messages); n > 0 && p.messages[n-1].message == m {
				p.messages[n-1].lines = append(p.messages[n-1].lines, ref.line)
			} else {
				p.messages = append(p.messages, placed{m, []int{ref.line}})
			}
		}
	}
	return parts
}

// readPart reads what the catalog has of one original, and reports whether the doc set lacks it: the
// translations stand alone then.
func (p *page) readPart(ctx context.Context, of *part) (d doc.Document, alone bool, err error) {
	kind := kindOf(of.file)
	if of.file == "" && isOfSphinx(of.messages) {
		kind = markupRST
	}
	name, src := p.findOriginal(of.file)
	t := translated{name: p.opt.Path}
	if src != "" {
		kind = kindOf(name)
		if kind == markupMarkdown {
			src = expandLinks(src)
		}
		o := newOriginal(src, kind, &p.budget)
		found := o.translate(of.messages)
		if 2*found >= len(of.messages) {
			t = o.write()
			if t.name = name; kind == markupMarkdown {
				t.text = moverOf(name, p.opt.Path).links(t.text)
			}
		} else {
			src = ""
		}
		p.placed, p.sought, p.inFile = p.placed+found, p.sought+len(of.messages), name
		p.originals++
	}
	if alone = src == "" && of.countTranslated() > 0; src == "" {
		t = writeMessages(of.messages, kind, alone)
		if t.name = p.opt.Path; kind == markupRST {
			t.name = p.formerOriginal(of.file)
		}
	}
	d, err = t.read(ctx, kind, p.opt)
	return d, alone, err
}

const mostWarnings = 20

// warnPlaces says how many messages have no place in the pages that they translate.
func (p *page) warnPlaces() {
	in := p.inFile
	if p.originals > 1 {
		in = fmt.Sprintf("%d pages", p.originals)
	}
	if p.placed < p.sought {
		p.warnings = append(p.warnings, fmt.Sprintf("%d of %d messages have a place in %s", p.placed, p.sought, in))
	}
}

// translated is a text in the markup of an original.
type translated struct {
	name  string // the path by which its links are read
	text  string
	lines []int // for each line of the text, that of the catalog; 0: it has none
}

// read has the text read by the parser of its markup.
func (t translated) read(ctx context.Context, kind markup, opt parse.Options) (doc.Document, error) {
	catalog := opt.Path
	opt.Path, opt.Titled, opt.FallbackTitle = t.name, false, ""
	var parser parse.Parser = markdown.Parser{}
	switch kind {
	case markupRST:
		parser = rst.Parser{}
	case markupAsciiDoc:
		parser = asciidoc.Parser{}
	}
	d, err := parser.Parse(ctx, []byte(strings.Map(printable, t.text)), opt)
	if err != nil {
		return d, err
	}
	if kind == markupRST {
		moves := moverOf(t.name, catalog)
		d.Text = []byte(moves.links(string(d.Text)))
		for i := range d.Links {
			d.Links[i].Target = moves.target(d.Links[i].Target)
		}
	}
	if !utf8.Valid(d.Text) {
		d.Text = []byte(strings.ToValidUTF8(string(d.Text), "\uFFFD"))
	}
	places := make([]doc.Location, doc.CountLines(d.Text))
	for i := range places {
		if line := d.Location(i + 1).Line; line > 0 && line <= len(t.lines) {
			places[i].Line = t.lines[line-1]
		}
	}
	d.Map = places
	return d, nil
}

// printable leaves out control characters, of the catalog or of an original.
func printable(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
		return -1
	}
	return r
}

// joinParts makes one document of several: their texts below each other, with the anchors that
// their sections have.
func joinParts(parts []doc.Document) (doc.Document, error) {
	var text []byte
	var places []doc.Location
	var named []doc.Section
	d := parts[0]
	for i, part := range parts {
		if i > 0 {
			for !strings.HasSuffix(string(text[max(0, len(text)-2):]), "\n\n") {
				if text = append(text, '\n'); len(text) > 1 && text[len(text)-2] == '\n' {
					places = append(places, doc.Location{})
				}
			}
			d.Warnings = append(d.Warnings, part.Warnings...)
			d.Names = append(d.Names, part.Names...)
		}
		text, places = append(text, part.Text...), append(places, part.Map...)
		for _, s := range part.Sections {
			if s.Level > 0 {
				named = append(named, s)
			}
		}
	}
	s, err := build.ReadRendition(text)
	if err != nil {
		return d, err
	}
	d.Text, d.Map, d.Sections, d.Blocks, d.Lines = text, places, s.Sections, s.Blocks, doc.CountLines(text)
	if len(parts) > 1 {
		d.Links = s.Links
	}
	for len(d.Map) < d.Lines {
		d.Map = append(d.Map, doc.Location{})
	}
	d.Map = d.Map[:d.Lines]
	giveAnchors(d.Sections, named)
	d.Warnings = d.Warnings[:min(len(d.Warnings), mostWarnings)]
	return d, nil
}

// giveAnchors gives sections the anchors that they have in their parts.
func giveAnchors(sections, named []doc.Section) {
	seen := markdown.Slugs{}
	for i := range sections {
		s := &sections[i]
		if s.Level == 0 {
			continue
		}
		anchor := s.Anchor
		if len(named) > 0 {
			if named[0].Text == s.Text {
				anchor = named[0].Anchor
			}
			named = named[1:]
		}
		s.Anchor = seen.Unique(anchor)
	}
}

// mostTitle is the length of the longest first message that is a title.
const mostTitle = 100

// writeMessages writes messages in their order, as paragraphs. alone says that only those which are
// translated are wanted.
func writeMessages(messages []placed, kind markup, alone bool) translated {
	var b strings.Builder
	var t translated
	add := func(line string, at int) {
		b.WriteString(line)
		b.WriteByte('\n')
		t.lines = append(t.lines, at)
	}
	for i, m := range messages {
		texts := m.shown()
		if alone {
			texts = m.shownAlone()
		}
		for _, text := range texts {
			text = strings.TrimSpace(text)
			switch {
			case text == "":
				continue
			case i == 0 && isTitle(text):
				text = kind.title(text)
			case kind == markupRST && strings.Contains(strings.Trim(m.id, "\n"), "\n"): // of Sphinx code alone has several lines
				text = "::\n\n    " + strings.ReplaceAll(text, "\n", "\n    ")
			case kind == markupRST && strings.HasSuffix(text, "::"):
				text = strings.TrimRight(strings.TrimSuffix(text, ":"), " ") // no literal text follows
			}
			if len(t.lines) > 0 {
				add("", 0)
			}
			for line := range strings.SplitSeq(text, "\n") {
				add(line, m.line)
			}
		}
	}
	t.text = b.String()
	return t
}

// isTitle reports whether a first message is the title of its page.
func isTitle(text string) bool {
	return utf8.RuneCountInString(text) <= mostTitle && !strings.ContainsAny(text, "\n。") && !strings.HasSuffix(text, ".") &&
		!strings.HasSuffix(text, ":")
}

// nameOf is the path of a file without its ending.
func nameOf(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }
