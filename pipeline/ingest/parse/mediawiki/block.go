package mediawiki

import (
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// mostNested is how deep blocks and parts are read in each other; deeper ones are text.
const mostNested = 12

// writeText writes the blocks of a text whose first line is first.
func (p *page) writeText(text string, first int) {
	lines := splitLines(text, first)
	ends := tableEnds(lines)
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		trimmed := strings.TrimSpace(l.text)
		switch {
		case trimmed == "":
			p.endParagraph()
			p.closeItems(0)
		case p.isHeading(trimmed):
			p.writeHeading(l.at, trimmed)
		case strings.IndexByte("*#:;", l.text[0]) >= 0 && !strings.HasPrefix(trimmed, ":{|"):
			p.writeItem(l)
		case strings.HasPrefix(strings.TrimLeft(trimmed, ":"), "{|"):
			end, closed := ends[i], true
			if end == 0 {
				end, closed = p.openTableEnd(lines, i), false
			}
			p.endParagraph()
			p.closeItems(0)
			p.writeTable(lines[i:end])
			i = end
			if !closed {
				i--
			}
		case strings.HasPrefix(trimmed, "----"):
			p.endParagraph()
			p.closeItems(0)
			p.place(l.at)
			p.w.WriteRule()
			if rest := strings.TrimLeft(trimmed, "-"); rest != "" {
				p.addText(line{rest, l.at})
			}
		case l.text[0] == ' ' && len(p.para) == 0 && !p.hasBlocks(trimmed):
			i = p.writeIndented(lines, i)
		default:
			p.closeItems(0)
			p.addText(l)
		}
	}
	p.endParagraph()
}

// tableEnds are the last lines of tables by their first ones.
func tableEnds(lines []line) map[int]int {
	ends := map[int]int{}
	var open []int
	for i, l := range lines {
		t := strings.TrimSpace(l.text)
		switch {
		case strings.HasPrefix(strings.TrimLeft(t, ":"), "{|"):
			open = append(open, i)
		case strings.HasPrefix(t, "|}") && !strings.HasPrefix(t, "|}}") && len(open) > 0:
			ends[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return ends
}

// openTableEnd is the line before which a table without an end ends: a heading, or two
// empty lines.
func (u *markup) openTableEnd(lines []line, i int) int {
	for i++; i < len(lines); i++ {
		t := strings.TrimSpace(lines[i].text)
		if u.isHeading(t) || t == "" && i+1 < len(lines) && strings.TrimSpace(lines[i+1].text) == "" {
			return i
		}
	}
	return i
}

// isHeading reports whether a line is a heading; a part or a comment may follow it.
func (u *markup) isHeading(trimmed string) bool {
	if trimmed == "" || trimmed[0] != '=' {
		return false
	}
	text := u.withoutTail(trimmed)
	return len(text) > 2 && strings.HasSuffix(text, "=") && strings.Trim(text, "= ") != ""
}

// withoutTail is a line without parts at its end that show nothing.
func (u *markup) withoutTail(s string) string {
	for strings.HasSuffix(s, string(partSign)) {
		i := strings.LastIndexByte(s[:len(s)-1], partSign)
		if i < 0 {
			break
		}
		e, _ := u.partAt(s[i:])
		if e == nil || e.kind != '{' && e.tag != "nowiki" {
			break
		}
		s = strings.TrimSpace(s[:i])
	}
	return s
}

func (p *page) writeHeading(at int, trimmed string) {
	p.endParagraph()
	p.closeItems(0)
	text := p.withoutTail(trimmed)
	level := 0
	for level < 6 && level < (len(text)-1)/2 && text[level] == '=' && text[len(text)-1-level] == '=' {
		level++
	}
	text = strings.TrimSpace(text[level : len(text)-level])
	p.place(at)
	inline, _ := build.RawLines(p.inline(text))
	p.w.Heading(level, inline, p.sectionID(p.plain(text)))
	if level == 1 {
		p.w.Title(p.plain(text))
	}
}

// writeIndented writes the lines that begin with a blank as code; it returns the last one.
func (p *page) writeIndented(lines []line, i int) int {
	p.closeItems(0)
	var code []build.Line
	for ; i < len(lines); i++ {
		if raw := lines[i].text; !strings.HasPrefix(raw, " ") || strings.TrimSpace(raw) == "" || p.hasBlocks(raw) {
			break
		}
		text := strings.ReplaceAll(p.codeOf(lines[i].text[1:]), "\n", " ")
		code = append(code, build.Line{Text: text, At: doc.Location{Line: lines[i].at}})
	}
	if len(code) == 0 {
		p.addText(lines[i])
		return i
	}
	p.w.Listing("", code)
	return i - 1
}

// endParagraph writes the paragraph that is collected.
func (p *page) endParagraph() {
	if len(p.para) == 0 {
		return
	}
	var b strings.Builder
	for i, l := range p.para {
		build.MarkLine(&b, l.at, i > 0)
		b.WriteString(l.text)
	}
	first := p.para[0].at
	p.para = p.para[:0]
	text, places := build.RawLines(p.inline(b.String()))
	if text == "" {
		return
	}
	p.place(first)
	p.w.Places(places)
	p.w.Paragraph(text)
}

// blockTag is a tag of HTML that begins or ends a block.
var blockTag = pattern.Lazy(`(?i)</?(?:p|div|center|blockquote|ul|ol|li|dl|dt|dd|table|tr|td|th|caption|h[1-6]|hr|section)(?:\s[^<>]*)?/?>`)

// hasBlocks reports whether a line has a tag or a part that is a block.
func (u *markup) hasBlocks(s string) bool {
	if blockTag().MatchString(s) {
		return true
	}
	for i := strings.IndexByte(s, partSign); i >= 0 && i < len(s); {
		e, n := u.partAt(s[i:])
		if n == 0 {
			return false
		}
		if u.isBlock(e) {
			return true
		}
		i += n
		next := strings.IndexByte(s[i:], partSign)
		if next < 0 {
			return false
		}
		i += next
	}
	return false
}

// isBlock reports whether a part is a block by itself.
func (u *markup) isBlock(e *part) bool {
	switch e.kind {
	case '{':
		return u.isBlockTemplate(e)
	case '<':
		switch e.tag {
		case "pre", "gallery", "poem", "score", "timeline", "graph":
			return true
		case "source", "syntaxhighlight":
			return !strings.Contains(e.attrs, "inline") && (strings.Contains(e.body, "\n") || e.tag == "syntaxhighlight")
		case "math":
			return strings.Contains(e.attrs, "block")
		}
	}
	return false
}

// addText adds a line of text to the paragraph, and writes the blocks that stand in it.
func (p *page) addText(l line) {
	rest := l.text
	var run strings.Builder
	end := func() {
		if strings.TrimSpace(run.String()) != "" {
			p.para = append(p.para, line{run.String(), l.at})
		}
		run.Reset()
	}
	for rest != "" {
		n := strings.IndexAny(rest, "<\x01\x02")
		if n < 0 {
			n = len(rest)
		}
		run.WriteString(rest[:n])
		if rest = rest[n:]; rest == "" {
			break
		}
		switch e, size := p.partAt(rest); {
		case size > 0 && p.isBlock(e):
			end()
			p.endParagraph()
			p.writePart(e)
			rest = rest[size:]
		case size > 0:
			run.WriteString(rest[:size])
			rest = rest[size:]
		case rest[0] == build.LineMark:
			stop := strings.IndexByte(rest[1:], build.LineMark) + 2
			if stop < 2 {
				stop = 1
			} else if strings.TrimSpace(run.String()) == "" {
				l.at = numberOr(rest[1:stop-1], l.at)
			} else {
				run.WriteString(rest[:stop])
			}
			rest = rest[stop:]
		default:
			if tag := blockTag().FindString(rest[:min(len(rest), 2100)]); tag != "" && strings.HasPrefix(rest, tag) {
				end()
				p.writeTag(tag, l.at)
				rest = rest[len(tag):]
				continue
			}
			run.WriteByte(rest[0])
			rest = rest[1:]
		}
	}
	end()
}

// writeTag begins or ends the block of a tag of HTML.
func (p *page) writeTag(tag string, at int) {
	p.endParagraph()
	closes := strings.HasPrefix(tag, "</")
	switch name := tagName(tag); name {
	case "hr":
		p.place(at)
		p.w.WriteRule()
	case "blockquote":
		if closes {
			p.closeTag('q')
		} else {
			p.openTag('q', at, build.Quote)
		}
	case "ul", "ol", "dl":
		if closes {
			p.closeTag(name[0])
		} else {
			p.items = append(p.items, item{sign: name[0]})
		}
	case "li", "dd", "dt":
		p.closeTag('i')
		if closes {
			return
		}
		c := build.Bullet
		for i := len(p.items) - 1; i >= 0; i-- {
			if p.items[i].sign == 'o' {
				p.items[i].number++
				c = build.Number(p.items[i].number)
			}
			if strings.IndexByte("oud", p.items[i].sign) >= 0 {
				break
			}
		}
		p.openTag('i', at, c)
	case "td", "th", "caption": // of a table that is not read as one
		p.endParagraph()
	}
}

// openTag opens the container of a tag.
func (p *page) openTag(sign byte, at int, c build.Container) {
	p.place(at)
	p.w.Open(c)
	p.items = append(p.items, item{sign: sign, open: true})
}

// closeTag closes the innermost container of a tag, if it is open in its list.
func (p *page) closeTag(sign byte) {
	for n := len(p.items) - 1; n >= 0; n-- {
		if s := p.items[n].sign; s == sign {
			p.dropItems(n)
			return
		} else if sign == 'i' && strings.IndexByte("oud", s) >= 0 {
			return
		}
	}
}

// writePart writes a part that is a block.
func (p *page) writePart(e *part) {
	p.place(e.at)
	if e.kind == '{' {
		p.writeTemplate(e)
		return
	}
	switch e.tag {
	case "gallery":
		p.writeGallery(e)
	case "poem":
		p.para = append(p.para, splitLines(e.body, e.from)...)
		p.endParagraph()
	case "math":
		p.writeCode("latex", e.body, e.from)
	default:
		p.writeCode(attribute(e.attrs, "lang"), e.body, e.from)
	}
}

// writeCode writes raw text as code.
func (p *page) writeCode(lang, body string, from int) {
	var code []build.Line
	for i, text := range strings.Split(body, "\n") {
		code = append(code, build.Line{Text: rawText(text), At: doc.Location{Line: from + i}})
	}
	p.w.Listing(strings.ToLower(lang), code)
}

// writeGallery writes the texts of pictures.
func (p *page) writeGallery(e *part) {
	for _, l := range splitLines(e.body, e.from) {
		if _, caption, ok := strings.Cut(l.text, "|"); ok && strings.TrimSpace(caption) != "" {
			p.place(l.at)
			p.w.Open(build.Bullet)
			p.para = append(p.para, line{caption, l.at})
			p.endParagraph()
			p.w.Close()
		}
	}
}

var attributeValue = pattern.Lazy(`(?i)\b([a-z]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'|]+))`)

// attribute is the value of an attribute.
func attribute(attrs, name string) string {
	for _, m := range attributeValue().FindAllStringSubmatch(attrs, 20) {
		if strings.EqualFold(m[1], name) {
			return m[2] + m[3] + m[4]
		}
	}
	return ""
}
