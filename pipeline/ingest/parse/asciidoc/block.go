package asciidoc

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

// Limits of nesting.
const (
	maxDepth    = 12
	maxIncluded = 4 << 20   // bytes that a page takes from other files
	maxRead     = 256 << 20 // bytes of these files, which a page may take many small parts of
	maxIncludes = 4000
	maxLevels   = 6
	maxParts    = 20 // of the attributes in brackets before a block
)

// ahead is what lines in front of a block say of it: [source,go], [[id]], .Title.
type ahead struct {
	style, lang, id, options, cols string
	title                          string
	format, separator              string   // of a table
	subs                           string   // substitutions in code
	indent                         string   // of code, in the place of its own
	credit                         []string // whose words a quote is, and where they stand
}

var (
	attributeLine = pattern.Lazy(`^:(!?\w[^:]*):(?:\s+(.*))?$`)
	styleLine     = pattern.Lazy(`^\[([\p{L}\p{N}_.#%{,"'].*|)\]$`) // as Asciidoctor's BlockAttributeLineRx
	idLine        = pattern.Lazy(`^\[\[([^\],]+)(?:,[^\]]*)?\]\]$`)
	titleLine     = pattern.Lazy(`^\.([^\s.].*)$`)
	headingLine   = pattern.Lazy(`^(={1,6}|#{1,6})\s+(\S.*?)(?:\s+=+)?$`)
	fenceLine     = pattern.Lazy("^(?:-{4,}|\\.{4,}|={4,}|\\*{4,}|_{4,}|\\+{4,}|/{4,}|--|```.*|[|!,:]={3,})$")
	macroLine     = pattern.Lazy(`^(include|image|video|audio|toc)::(\S*?)\[(.*)\]$`)
	noteLine      = pattern.Lazy(`^(NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+(.*)$`)
	itemLine      = pattern.Lazy(`^\s*(\*{1,5}|-|•|\.{1,5}|\d{1,4}\.|[a-zA-Z]\.|<(?:\d{1,3}|\.)>)\s+(\S.*)$`)
	termLine      = pattern.Lazy(`^\s*(\S.*?)(:{2,4}|;;)(?:\s+(\S.*))?$`)
)

// blocks writes blocks.
func (p *page) blocks(ls []line, depth int) {
	var a ahead
	for i := 0; i < len(ls); {
		t := ls[i].text
		trimmed := strings.TrimSpace(t)
		if trimmed == "" || isComment(t) || trimmed == "<<<" || trimmed == "+" {
			i++
			continue
		}
		if p.readAttribute(t, &a) {
			i++
			continue
		}
		next := p.writeBlock(ls, i, a, depth)
		a, i = ahead{}, max(next, i+1)
	}
}

// mostAbout is how much a page may say of itself, in bytes; a search index takes no more.
const mostAbout = 16 << 10

// addMetadata adds a line to what the page says of itself.
func (p *page) addMetadata(text string) {
	if len(p.about)+len(text) < mostAbout {
		p.about += text + "\n"
	}
}

// isFence reports whether a line begins or ends a delimited block.
func isFence(t string) bool {
	return t != "" && strings.IndexByte("-.=*_+/`|!,:", t[0]) >= 0 && fenceLine().MatchString(t)
}

// readAttribute reads a line that says something of the page or of the next block.
func (p *page) readAttribute(t string, a *ahead) bool {
	if t == "" || strings.IndexByte(":[.", t[0]) < 0 {
		return false
	}
	if m := attributeLine().FindStringSubmatch(t); m != nil {
		setAttribute(p.attributes, m[1], p.expand(m[2]))
		if m[1] == "description" || m[1] == "keywords" {
			p.addMetadata(passedValue(m[2]))
		}
		return true
	}
	if m := idLine().FindStringSubmatch(t); m != nil {
		a.id = m[1]
		return true
	}
	if m := styleLine().FindStringSubmatch(t); m != nil {
		a.readAttributes(p.expand(m[1]))
		return true
	}
	if m := titleLine().FindStringSubmatch(t); m != nil && !isFence(t) {
		a.title = m[1]
		return true
	}
	return false
}

// readAttributes reads the attributes in brackets before a block.
func (a *ahead) readAttributes(s string) {
	for i, part := range attributeList(s) {
		value := part.value
		switch part.name {
		case "options", "opts":
			a.options += value
		case "subs":
			a.subs = value
		case "indent":
			a.indent = value
		case "attribution", "citetitle":
			a.credit = append(a.credit, value)
		case "cols":
			a.cols = value
		case "format":
			a.format = value
		case "separator":
			a.separator = value
		case "id":
			a.id = value
		case "language":
			a.lang = value
		case "":
			a.readPlace(i, value)
		}
	}
}

// readPlace reads an attribute without a name: the first is the style of the block with its id
// and its options, the second of source code its language.
func (a *ahead) readPlace(i int, value string) {
	switch {
	case i == 0 && strings.Contains(value, " "): // Asciidoctor takes no id or option from it
		a.style = value
	case i == 0:
		style, options, _ := strings.Cut(value, "%")
		a.options += options
		style, _, _ = strings.Cut(style, ".")
		style, id, ok := strings.Cut(style, "#")
		if a.style = style; ok {
			a.id = id
		}
	case i == 1 && (a.style == "source" || a.style == ""):
		a.lang, a.style = value, "source"
	case (a.style == "quote" || a.style == "verse") && value != "":
		a.credit = append(a.credit, value)
	}
}

// writeBlock writes the block that begins at an index and returns where it ends.
func (p *page) writeBlock(ls []line, i int, a ahead, depth int) int {
	l := ls[i]
	if level, title, n := p.heading(ls, i); n > 0 {
		// A discrete heading is no section of Asciidoctor's, but it has an id and the text below
		// it is about it. Within a list or a block it only stands out.
		if (a.style == "discrete" || a.style == "float") && depth > 0 {
			p.placeLine(l)
			p.w.Paragraph(build.Strong(p.inline(p.expand(title))))
			return i + n
		}
		level = min(max(1, level+l.offset), maxLevels)
		header := level == 1 && !p.titled && depth == 0
		p.writeHeading(l, level, title, a.id)
		i += n
		if header {
			return p.readHeader(ls, i)
		}
		return i
	}
	if m := macroLine().FindStringSubmatch(l.text); m != nil {
		p.readMacro(l, m, a, depth)
		return i + 1
	}
	switch {
	case strings.HasPrefix(l.text, "'''") && strings.Trim(l.text, "'") == "" || l.text == "---" || l.text == "***":
		p.placeLine(l)
		p.w.WriteRule()
		return i + 1
	case isFence(l.text):
		end := i + 1
		close := l.text
		if strings.HasPrefix(close, "```") {
			close = "```"
		}
		for end < len(ls) && ls[end].text != close {
			end++
		}
		if end == len(ls) {
			p.w.Warn("line %d: the block does not end: it goes to the end of what is around it", l.num)
		}
		p.sayTitle(l, a)
		p.fenced(l, ls[i+1:end], a, depth)
		return min(end+1, len(ls))
	}
	if depth < maxDepth && p.isItem(ls, i) {
		p.sayTitle(l, a)
		return p.writeList(ls, i, depth)
	}
	return p.paragraph(ls, i, a, depth)
}

var (
	authorsLine = pattern.Lazy(`^\{?[\p{L}\p{N}_][\p{L}\p{N}_'.-]*\}?(?: +[\p{L}_][\p{L}\p{N}_'.-]*){0,2}(?: +<[^<> ]+>)?` +
		`(?:; *[\p{L}_][\p{L}\p{N}_'.-]*(?: +[\p{L}_][\p{L}\p{N}_'.-]*){0,2}(?: +<[^<> ]+>)?)*;?$`)
	revisionLine = pattern.Lazy(`^(?:[vV]?\d|[vV]?\{|[\p{L}]+ \d{1,2}, *\d{4}|[\p{L}]+ \d{4}$)`)
)

// readHeader reads the lines below the title of the page: attributes, its authors, its version.
// Text there is the page's first paragraph: Asciidoctor takes a sentence for the name of an
// author, and many pages begin so.
func (p *page) readHeader(ls []line, i int) int {
	var a ahead
	for authors, revised := false, false; i < len(ls) && ls[i].text != ""; i++ {
		t := ls[i].text
		switch {
		case isComment(t):
		case attributeLine().MatchString(t):
			p.readAttribute(t, &a)
		case !authors && authorsLine().MatchString(t):
			authors = true
			p.addMetadata(t)
		case authors && !revised && revisionLine().MatchString(t):
			revised = true
			p.addMetadata(t)
		default:
			return i
		}
	}
	return i
}

// heading is the title at an index and how many lines it takes, or 0.
func (p *page) heading(ls []line, i int) (level int, title string, n int) {
	t := ls[i].text
	if m := headingLine().FindStringSubmatch(t); m != nil {
		return len(m[1]), m[2], 1
	}
	if i+1 >= len(ls) || t == "" || t[0] == ' ' || t[0] == '[' || t[0] == '.' {
		return 0, "", 0
	}
	under := ls[i+1].text
	if len(under) < 2 || strings.Trim(under, under[:1]) != "" {
		return 0, "", 0
	}
	level = strings.IndexByte("=-~^+", under[0]) + 1
	if d := len([]rune(t)) - len(under); level == 0 || d < -2 || d > 2 || strings.IndexFunc(t, isLetter) < 0 {
		return 0, "", 0
	}
	return level, t, 2
}

func (p *page) writeHeading(l line, level int, title, id string) {
	plain := p.expand(title)
	if id == "" {
		if m := trailingID().FindStringSubmatch(plain); m != nil {
			plain, id = strings.TrimSuffix(plain, m[0]), m[1]
		}
	}
	if id == "" && (level > 1 || p.titled) {
		id = p.autoID(plain)
	}
	p.ids[id]++
	p.placeLine(l)
	in := p.inline(plain)
	p.w.Heading(level, in, id)
	if !p.titled && level == 1 {
		p.titled = true
		p.w.Title(withoutMarks(in))
		p.manual = manualTitle().MatchString(plain)
	}
}

var trailingID = pattern.Lazy(`\s*\[\[([\w:.-]+)\]\]$`)

// sayTitle writes the title of a block.
func (p *page) sayTitle(l line, a ahead) {
	if a.title != "" {
		p.placeLine(l)
		p.w.Paragraph(build.Strong(p.inline(p.expand(a.title))))
	}
}

// readMacro reads a line that is a macro.
func (p *page) readMacro(l line, m []string, a ahead, depth int) {
	switch m[1] {
	case "image":
		p.sayTitle(l, a)
		p.placeLine(l)
		p.w.Paragraph(p.image(m[2], m[3]))
	case "include": // it was not found
		p.placeLine(l)
		p.w.Paragraph(build.CodeInline(l.text))
	}
}

// fenced writes the block between two delimiter lines.
func (p *page) fenced(open line, in []line, a ahead, depth int) {
	outer := p.outer
	p.outer = nil // lists around a block do not go on in it
	defer func() { p.outer = outer }()
	kind := open.text[:2]
	if strings.HasSuffix(open.text, "===") && open.text[0] != '=' {
		p.writeTable(open, in, a)
		return
	}
	if kind == "//" || depth >= maxDepth && kind != "--" && kind != ".." {
		return
	}
	if len(open.text) == 2 && a.style != "source" && a.style != "listing" { // --
		kind = "=="
	}
	switch kind {
	case "--", "..", "++", "``":
		if kind == "``" && a.lang == "" {
			a.lang = strings.Trim(open.text, "`")
		}
		p.writeCode(p.substituted(p.indented(in, a), a.subs), a.lang)
	case "__":
		p.placeLine(open)
		p.w.Open(build.Quote)
		p.blocks(in, depth+1)
		p.writeCredit(a)
		p.w.Close()
	default:
		switch a.style {
		case "NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION":
			p.placeLine(open)
			p.w.Open(build.NoteContainer(strings.ToLower(a.style), ""))
			p.blocks(in, depth+1)
			p.w.Close()
		default:
			p.blocks(in, depth+1)
		}
	}
}

var calloutMark = pattern.Lazy(`(?:(?://|#|--|;;)\s*)?(?:<(?:!--)?(?:\d{1,3}|\.)(?:--)?>\s*)+$`)

// writeCode writes lines as code. The numbers of callouts are left out, as they are from
// what a reader of the page copies.
func (p *page) writeCode(in []line, lang string) {
	out := make([]build.Line, 0, len(in))
	for _, l := range in {
		if strings.HasSuffix(l.text, ">") {
			l.text = strings.TrimRight(calloutMark().ReplaceAllString(l.text, ""), " ")
		}
		out = append(out, build.Line{Text: unescapeDirective(l.text), At: doc.Location{Line: l.num}})
	}
	p.w.Listing(lang, out)
}

// indented is code with the indentation that its block asks for: examples that are parts of files
// stand at the margin by indent=0.
func (p *page) indented(in []line, a ahead) []line {
	n, err := strconv.Atoi(cmp.Or(a.indent, p.attributes["source-indent"]))
	if err != nil || n < 0 || n > maxIndent {
		return in
	}
	out := dedent(in)
	for i := range out {
		if out[i].text != "" {
			out[i].text = strings.Repeat(" ", n) + out[i].text
		}
	}
	return out
}

// unescapeDirective takes the backslash from a directive that is shown.
func unescapeDirective(t string) string {
	if strings.HasPrefix(t, `\`) && directiveAt(t[1:]) != nil {
		return t[1:]
	}
	return t
}

// paragraph writes a paragraph, or what its style makes of it.
func (p *page) paragraph(ls []line, i int, a ahead, depth int) int {
	end := i + 1
	for end < len(ls) && strings.TrimSpace(ls[end].text) != "" && ls[end].text != "+" && !isFence(ls[end].text) &&
		(ls[end].text[0] != '[' || !styleLine().MatchString(ls[end].text) && !idLine().MatchString(ls[end].text)) {
		end++
	}
	run := ls[i:end]
	p.sayTitle(run[0], a)
	switch {
	case a.style == "source" || a.style == "listing" || a.style == "literal" || run[0].text[0] == ' ' && a.style == "":
		p.writeCode(p.substituted(p.indented(dedent(run), a), a.subs), a.lang)
		return end
	case a.style == "verse" || a.style == "quote":
		p.placeLine(run[0])
		if a.style == "quote" {
			p.w.Open(build.Quote)
			defer p.w.Close()
		}
		if a.style == "quote" {
			run = withoutComments(run)
		}
		p.writeText(run, a.style == "verse")
		p.writeCredit(a)
		return end
	}
	run = withoutComments(run)
	kind, first := a.style, run[0].text
	if m := noteLine().FindStringSubmatch(first); m != nil {
		kind, first = m[1], m[2]
	}
	switch kind {
	case "NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION":
		p.placeLine(run[0])
		p.w.Open(build.NoteContainer(strings.ToLower(kind), ""))
		p.writeText(append([]line{{text: first, num: run[0].num}}, run[1:]...), false)
		p.w.Close()
	default:
		p.writeText(run, false)
	}
	return end
}

// withoutComments are the lines of a paragraph without comments among them. The first line is
// none.
func withoutComments(ls []line) []line {
	if !slices.ContainsFunc(ls, func(l line) bool { return isComment(l.text) }) {
		return ls
	}
	return slices.DeleteFunc(slices.Clone(ls), func(l line) bool { return isComment(l.text) })
}

func dedent(ls []line) []line {
	least := 1000
	for _, l := range ls {
		if t := strings.TrimLeft(l.text, " "); t != "" {
			least = min(least, len(l.text)-len(t))
		}
	}
	out := make([]line, len(ls))
	for i, l := range ls {
		out[i] = line{l.text[min(least, len(l.text)):], l.num, l.offset}
	}
	return out
}

// writeText writes lines as one paragraph, with their ends where broken says so.
func (p *page) writeText(ls []line, broken bool) {
	var b strings.Builder
	follow := true
	for i, l := range ls {
		if i > 0 {
			b.WriteByte('\n')
			follow = follow && l.num == ls[i-1].num+1
		}
		b.WriteString(strings.TrimSpace(unescapeDirective(l.text)))
		if broken && i+1 < len(ls) {
			b.WriteString(" +")
		}
	}
	if p.placeLine(ls[0]); follow {
		p.w.FromLine(doc.Location{Line: ls[0].num})
	}
	p.w.Paragraph(p.withManualPages(p.inline(p.expand(withoutLastBreak(b.String())))))
}

// withoutLastBreak is a text without the mark of a line break behind its last line, where it breaks nothing.
func withoutLastBreak(text string) string {
	return strings.TrimRight(strings.TrimSuffix(text, " +"), " ")
}

// writeCredit writes whose words a quote is.
func (p *page) writeCredit(a ahead) {
	if len(a.credit) > 0 {
		p.w.Paragraph("— " + p.inline(p.expand(strings.Join(a.credit, ", "))))
	}
}
