package code

import (
	"html"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

// writeProse writes what a comment says: paragraphs, lists, code, and tags as items of a list.
func (p *page) writeProse(docs []docLine) {
	if p.file.lang.docs == tagDocs || p.file.lang.name == "typescript" {
		docs = withoutTags(docs)
	}
	r := proseReader{p: p, docs: docs, dialect: p.file.lang.docs}
	for r.at < len(r.docs) {
		r.writeBlock()
	}
}

// proseReader reads a comment.
type proseReader struct {
	p       *page
	docs    []docLine
	at      int
	dialect dialect
}

func (r *proseReader) lineText(i int) string { return r.docs[i].text }

func (r *proseReader) isBlank(i int) bool { return strings.TrimSpace(r.docs[i].text) == "" }

var (
	docTag = pattern.Lazy(`^\s*(?:@[a-z]\w*\b|\\(?:[a-z]+)\b(?:\[\w+(?:,\w+)?\])?|` +
		`:(?:param|type|return|returns|rtype|raises|raise|var|ivar|cvar|keyword|arg|meta)\b[^:]*:|` +
		`- (?:Parameter|Parameters|Returns|Throws)\b)`)
	docItem  = pattern.Lazy(`^\s*(?:[-*+•]|\d{1,3}[.)])\s+`)
	docField = pattern.Lazy(`^\s+\*{0,2}[\pL_$][\w$.*]*(?:\s*\([^)]*\))?:(?:\s|$)`)
	docRule  = pattern.Lazy(`^\s*(?:[-=~*#/_+]\s?){4,}$`)
)

// writeBlock writes the block at the place.
func (r *proseReader) writeBlock() {
	l := r.lineText(r.at)
	trimmed := strings.TrimSpace(l)
	switch {
	case trimmed == "" || docRule().MatchString(l):
		r.at++
	case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
		r.writeFencedCode(trimmed)
	case strings.HasPrefix(trimmed, ">>> "):
		r.writeSession()
	case r.isIndentedCode(r.at):
		r.writeIndentedCode()
	case strings.HasPrefix(trimmed, "@example") && r.dialect != goDocs:
		r.writeExample(trimmed)
	case docTag().MatchString(l) || docItem().MatchString(l) || r.isFieldWithText(r.at):
		r.writeItem()
	case r.dialect != plainDocs && strings.HasPrefix(l, "#") && strings.HasPrefix(strings.TrimLeft(l, "#"), " "):
		r.p.placeLine(r.docs[r.at].line)
		r.p.w.Paragraph(build.Strong(r.commentAsMarkdown(strings.Trim(l, "# "))))
		r.at++
	default:
		r.paragraph()
	}
}

// isFieldWithText reports whether a line is a parameter with its text, as Google's style for Python
// has it: "  name (int): text".
func (r *proseReader) isFieldWithText(i int) bool {
	return (r.dialect == plainDocs || r.dialect == markdownDocs) && docField().MatchString(r.lineText(i))
}

// isIndentedCode reports whether a line belongs to code that is indented: behind a blank line, or, in
// Go, anywhere but in a list.
func (r *proseReader) isIndentedCode(i int) bool {
	l := r.lineText(i)
	n := indentColumns(l)
	if n == 0 || strings.TrimSpace(l) == "" || docItem().MatchString(l) && r.dialect == goDocs || r.isFieldWithText(i) {
		return false
	}
	if r.dialect == goDocs {
		return true
	}
	return n >= 4 && (i == 0 || r.isBlank(i-1)) && !docItem().MatchString(l) && !docTag().MatchString(l)
}

// indentColumns is how far a line is indented; a tab counts four.
func indentColumns(l string) int {
	n := 0
	for _, c := range l {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

func (r *proseReader) writeListing(lang string, from, to int) {
	var lines []build.Line
	least := 1000
	for i := from; i < to; i++ {
		if !r.isBlank(i) {
			least = min(least, indentOfLine(r.lineText(i)))
		}
	}
	for i := from; i < to; i++ {
		l := r.lineText(i)
		lines = append(lines, build.Line{Text: l[min(least, len(l)):], At: lineLocation(r.docs[i].line)})
	}
	r.p.w.Listing(lang, lines)
}

func (r *proseReader) writeFencedCode(open string) {
	mark := open[:3]
	from := r.at + 1
	for r.at++; r.at < len(r.docs) && !strings.HasPrefix(strings.TrimSpace(r.lineText(r.at)), mark); r.at++ {
	}
	lang, _, _ := strings.Cut(strings.TrimLeft(open, "`~"), ",")
	if lang == "" || lang == "ignore" || lang == "no_run" || lang == "should_panic" {
		lang = r.p.file.lang.name
	}
	r.writeListing(lang, from, r.at)
	r.at = min(r.at+1, len(r.docs))
}

// writeExample writes the code behind the tag for it, up to the next tag.
func (r *proseReader) writeExample(tag string) {
	if title := strings.TrimSpace(strings.TrimPrefix(tag, "@example")); title != "" {
		r.p.placeLine(r.docs[r.at].line)
		r.p.w.Paragraph(r.commentAsMarkdown(title))
	}
	from := r.at + 1
	for r.at++; r.at < len(r.docs); r.at++ {
		l := r.lineText(r.at)
		if docTag().MatchString(l) {
			break
		}
		if strings.HasPrefix(strings.TrimSpace(l), "```") { // code with marks of its own
			return
		}
	}
	r.writeListing(r.p.file.lang.name, from, r.at)
}

// writeSession writes an interactive session with an interpreter.
func (r *proseReader) writeSession() {
	from := r.at
	for r.at < len(r.docs) && !r.isBlank(r.at) {
		r.at++
	}
	r.writeListing(r.p.file.lang.name, from, r.at)
}

func (r *proseReader) writeIndentedCode() {
	from := r.at
	for i := r.at; i < len(r.docs); i++ {
		if r.isBlank(i) {
			continue
		}
		if indentColumns(r.lineText(i)) == 0 || r.dialect != goDocs && indentColumns(r.lineText(i)) < 4 {
			break
		}
		r.at = i + 1
	}
	r.writeListing("", from, r.at)
}

// endsParagraph reports whether a line ends the paragraph or item before it.
func (r *proseReader) endsParagraph(i int) bool {
	l := r.lineText(i)
	return r.isBlank(i) || docTag().MatchString(l) || docItem().MatchString(l) || r.isFieldWithText(i) || docRule().MatchString(l) ||
		strings.HasPrefix(strings.TrimSpace(l), "```") ||
		r.dialect == goDocs && indentColumns(l) > 0
}

func (r *proseReader) paragraph() {
	from := r.at
	for r.at++; r.at < len(r.docs) && !r.endsParagraph(r.at); r.at++ {
	}
	r.writeText(from, "")
}

// writeText writes the lines from an index up to the place as a paragraph, without a mark.
func (r *proseReader) writeText(from int, mark string) {
	var lines []string
	for i := from; i < r.at; i++ {
		l := r.lineText(i)
		if i == from {
			l = strings.TrimPrefix(l, mark)
		}
		lines = append(lines, strings.TrimSpace(l))
	}
	if last := &lines[len(lines)-1]; r.dialect == plainDocs && strings.HasSuffix(*last, "::") {
		*last = strings.TrimSuffix(*last, ":")
	}
	r.p.w.FromLine(lineLocation(r.docs[from].line))
	r.p.w.Paragraph(r.commentAsMarkdown(strings.Join(lines, "\n")))
}

// writeItem writes an item of a list, with the lines that are indented further.
func (r *proseReader) writeItem() {
	from := r.at
	mark := docItem().FindString(r.lineText(from))
	if docTag().MatchString(r.lineText(from)) {
		mark = ""
	}
	indent := indentColumns(r.lineText(from))
	for r.at++; r.at < len(r.docs) && !r.isBlank(r.at) &&
		(!r.endsParagraph(r.at) || indentColumns(r.lineText(r.at)) > indent && !docItem().MatchString(r.lineText(r.at)) &&
			!docTag().MatchString(r.lineText(r.at)) && !r.isFieldWithText(r.at)); r.at++ {
	}
	r.p.placeLine(r.docs[from].line)
	r.p.w.Open(build.Bullet)
	r.writeText(from, mark)
	r.p.w.Close()
}

var (
	inlineTag = pattern.Lazy(`\{@(?:code|literal|link|linkplain|value|see)\s+([^{}]*)\}`)
	oldQuote  = pattern.Lazy(`^[\w.-]+'`) // `so'
	special   = pattern.Lazy(`[\w.]*\b_{1,2}\w*__(?:\.\w+)*(?:\(\))?`)
	roleMark  = pattern.Lazy("(?:^|[^\\w`:]):(?:[a-z]+:)?[a-z]+:`")
)

// commentAsMarkdown is a comment's text as Markdown. Text between backticks is code.
func (r *proseReader) commentAsMarkdown(s string) string {
	if strings.Contains(s, "{@") {
		s = inlineTag().ReplaceAllString(s, "`$1`")
	}
	if strings.Contains(s, ":`") && r.dialect == plainDocs {
		s = roleMark().ReplaceAllStringFunc(s, func(m string) string { return strings.TrimLeft(m[:1], ":") + "`" })
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '`')
		if i < 0 {
			break
		}
		n := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		end := strings.Index(s[i+n:], s[i:i+n])
		if end <= 0 || strings.Contains(s[i+n:i+n+end], "\n") || n == 1 && oldQuote().MatchString(s[i+n:i+n+end]) {
			b.WriteString(r.escapeWords(s[:i+n]))
			s = s[i+n:]
			continue
		}
		b.WriteString(r.escapeWords(s[:i]))
		b.WriteString(build.CodeInline(s[i+n : i+n+end]))
		s = s[i+2*n+end:]
	}
	return b.String() + r.escapeWords(s)
}

var emphasis = strings.NewReplacer(`\*`, "*", `\_`, "_", `\[`, "[", `\]`, "]")

// escapeWords is text without code. Where comments are Markdown, its emphasis and links are
// kept.
func (r *proseReader) escapeWords(s string) string {
	if strings.Contains(s, "__") { // names such as __init__, which Markdown would show in bold
		var b strings.Builder
		last := 0
		for _, at := range special().FindAllStringIndex(s, -1) {
			b.WriteString(r.plainText(s[last:at[0]]) + build.CodeInline(s[at[0]:at[1]]))
			last = at[1]
		}
		return b.String() + r.plainText(s[last:])
	}
	return r.plainText(s)
}

func (r *proseReader) plainText(s string) string {
	text := build.TextInline(s)
	if r.dialect == markdownDocs {
		return emphasis.Replace(text)
	}
	return text
}

var (
	xmlParam = pattern.Lazy(`<(?:param|typeparam)\s+name="([^"<>]*)"\s*>`)
	xmlThrow = pattern.Lazy(`<exception\s+cref="(?:\w:)?([^"<>]*)"\s*>`)
	xmlRef   = pattern.Lazy(`<(?:see|seealso|paramref|typeparamref)\s+(?:cref|name|langword|href)="(?:\w:)?([^"<>]*)"\s*/>`)
	codeTag  = pattern.Lazy(`</?(?:c|code|tt|kbd|samp)>`)
	itemTag  = pattern.Lazy(`^\s*<li>\s*`)
	anyTag   = pattern.Lazy(`</?(?:p|b|i|u|em|strong|a|br|hr|ul|ol|li|dl|dt|dd|h[1-6]|div|span|pre|code|tt|table|thead|tbody|tr|td|th|` +
		`blockquote|sup|sub|img|cite|var|summary|remarks|para|returns|value|list|listheader|item|term|description|example|` +
		`inheritdoc|param|typeparam|exception|permission|include|see|seealso|paramref)\b[^<>]{0,200}>`)
)

// withoutTags reads the HTML of Javadoc and the XML of C#, line by line.
func withoutTags(docs []docLine) []docLine {
	out := make([]docLine, len(docs))
	pre := false
	for i, d := range docs {
		out[i] = d
		if !strings.ContainsRune(d.text, '<') && !pre && !strings.ContainsRune(d.text, '&') {
			continue
		}
		t := d.text
		opens, closes := strings.Contains(t, "<pre") || strings.TrimSpace(t) == "<code>", strings.Contains(t, "</pre>") ||
			strings.TrimSpace(t) == "</code>"
		if !pre && !opens {
			t = xmlParam().ReplaceAllString(t, "@param $1 ")
			t = xmlThrow().ReplaceAllString(t, "@throws $1 ")
			t = xmlRef().ReplaceAllString(t, "`$1`")
			t = strings.ReplaceAll(t, "<returns>", "@returns ")
			t = codeTag().ReplaceAllString(t, "`")
			t = itemTag().ReplaceAllString(t, "- ")
		}
		t = html.UnescapeString(anyTag().ReplaceAllString(t, ""))
		switch {
		case opens && closes:
		case opens:
			pre = true
			if strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(t), "{@code")) == "" {
				t = "```"
			}
		case closes:
			pre = false
			t = "```"
		}
		out[i].text = t
	}
	return out
}

// lineLocation is the place of a line that is counted from 0.
func lineLocation(line int) doc.Location { return doc.Location{Line: line + 1} }
