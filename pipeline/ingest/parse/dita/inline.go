package dita

import (
	"path"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// paragraph writes elements and text within a line as a paragraph.
func (p *page) paragraph(nodes []*node) {
	raw := p.rawInline(nodes)
	text, line := inlineLines(raw)
	if text == "" {
		return
	}
	if line > 0 {
		p.placeText(line, false)
	} else { // all of it was taken from elsewhere
		p.placeText(nodes[0].line, true)
	}
	p.w.Paragraph(text)
}

// placeText sets the place of the text that is written next.
func (p *page) placeText(line int, fixed bool) {
	at := doc.Location{Line: line, Element: p.element}
	if fixed {
		p.w.At(at)
	} else {
		p.w.FromLine(at)
	}
}

// inlineLines makes an inline of a raw one: with as many line breaks as the source has, so
// that each line of it stands where it is counted to stand.
func inlineLines(raw string) (text string, first int) {
	var b strings.Builder
	line, space, now := 0, false, 0
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case build.BreakMark, build.LineMark:
			end := strings.IndexByte(raw[i+1:], c)
			if end < 0 {
				return b.String(), first
			}
			line, _ = strconv.Atoi(raw[i+1 : i+1+end])
			space = space || c == build.BreakMark
			i += end + 1
		case ' ', '\n', '\t':
			space = true
		default:
			switch {
			case b.Len() == 0 || now == 0: // the line was not known before
				if space && b.Len() > 0 {
					b.WriteByte(' ')
				}
				first, now = line, line
			case space && line > now:
				b.WriteString(strings.Repeat("\n", min(line-now, 1000)))
				now = line
			case space:
				b.WriteByte(' ')
			}
			space = false
			b.WriteByte(c)
		}
	}
	return b.String(), first
}

// inlineOnOneLine is an inline on one line.
func (p *page) inlineOnOneLine(nodes []*node) string {
	text, _ := inlineLines(p.rawInline(nodes))
	return spacing.Single(text)
}

// rawInline is the raw inline of elements.
func (p *page) rawInline(nodes []*node) string {
	var b strings.Builder
	for i, n := range nodes {
		if i > 0 && areVariants(nodes[i-1], n) {
			b.WriteString(" / ")
		}
		p.addRaw(&b, n)
	}
	return b.String()
}

// conditions are the attributes by which a publication keeps or drops an element.
var conditions = [...]string{"product", "platform", "audience", "props", "otherprops", "deliveryTarget", "rev"}

// areVariants reports whether two elements without anything between them are the same text for
// two publications. All of them are shown, and their words must not run together.
func areVariants(a, b *node) bool {
	if a.name == "" || b.name == "" || isHidden[a.name] || isHidden[b.name] {
		return false
	}
	for _, name := range conditions {
		if one, other := a.attribute(name), b.attribute(name); one != "" && other != "" && one != other {
			return true
		}
	}
	return false
}

// addRaw adds the raw inline of an element or text.
func (p *page) addRaw(b *strings.Builder, n *node) {
	name := n.name
	if name != "" && !n.fixed && n.line > 0 && !isHidden[name] {
		build.MarkLine(b, n.line, false)
	}
	switch {
	case name == "":
		if !n.fixed {
			build.MarkLine(b, n.line, false)
		}
		build.AddText(b, n.text, n.line, !n.fixed)
		return
	case name == "image" || name == "hazardsymbol":
		if alt := p.imageText(n); alt != "" {
			b.WriteString(build.ImageInline(alt, p.linkAddress(n, n.attribute("href"))))
		}
		return
	case isHidden[name]:
		return
	case name == "xref" || name == "link":
		p.addLink(b, n)
		return
	case name == "menucascade":
		var parts []string
		for _, k := range n.childrenNamed("uicontrol") {
			parts = append(parts, p.plainWords(k))
		}
		b.WriteString(build.Strong(build.TextInline(strings.Join(parts, " > "))))
		return
	case name == "fn":
		if text := p.inlineOnOneLine(n.kids); text != "" {
			b.WriteString(" (" + text + ")")
		}
		return
	}
	kids := n.kids
	if ref := n.attribute("keyref"); ref != "" {
		kids = p.keyedContent(n, ref)
	}
	if isCode[name] {
		addCode(b, name, p.wordsOf(kids))
		return
	}
	inner := p.rawInline(kids)
	switch {
	case isStrong[name]:
		wrapInline(b, inner, build.Strong)
	case isEmphasis[name]:
		wrapInline(b, inner, build.Emphasis)
	case name == "q":
		wrapInline(b, inner, func(s string) string { return "“" + s + "”" })
	case name == "tm":
		wrapInline(b, inner, func(s string) string { return s + trademark(n) })
	case name == "sup":
		wrapInline(b, inner, func(s string) string { return build.TextInline("^") + s })
	case name == "line-through":
		wrapInline(b, inner, func(s string) string { return "~~" + s + "~~" })
	case name == "state":
		b.WriteString(build.CodeInline(n.attribute("name") + "=" + n.attribute("value")))
	case name == "boolean":
		b.WriteString(build.CodeInline(n.attribute("state")))
	case isBlock(name) && !isBlank(inner): // a block where none belongs
		b.WriteString(" " + inner + " ")
	default:
		b.WriteString(inner)
	}
}

// wrapInline wraps an inline, but not the blanks around it: Markdown reads no "** bold**".
func wrapInline(b *strings.Builder, inner string, f func(string) string) {
	text, first := inlineLines(inner)
	if text == "" {
		if inner != "" {
			b.WriteByte(' ')
		}
		return
	}
	if first > 0 {
		build.MarkLine(b, first, false)
	}
	start := inner
	for start[0] == build.LineMark {
		start = start[2+strings.IndexByte(start[1:], build.LineMark):]
	}
	if start[0] == ' ' || start[0] == build.BreakMark {
		b.WriteByte(' ')
	}
	b.WriteString(f(spacing.Single(text)))
	if last := inner[len(inner)-1]; last == ' ' || last == build.BreakMark {
		b.WriteByte(' ')
	}
}

// addCode adds code within a line.
func addCode(b *strings.Builder, name, text string) {
	if text == "" {
		return
	}
	switch name {
	case "xmlelement":
		text = "<" + text + ">"
	case "xmlatt":
		text = "@" + text
	case "xmlpi":
		text = "<?" + text + "?>"
	case "numcharref":
		text = "&#" + text + ";"
	case "parameterentity":
		text = "%" + text + ";"
	case "textentity":
		text = "&" + text + ";"
	}
	s := strings.TrimRight(b.String()[max(0, b.Len()-24):], "\x010123456789")
	if strings.HasSuffix(s, "`") { // two spans without a blank between them would be one
		b.WriteByte(' ')
	}
	b.WriteString(build.CodeInline(text))
}

func trademark(n *node) string {
	switch n.attribute("tmtype") {
	case "reg":
		return "®"
	case "service":
		return "℠"
	case "tm", "":
		return "™"
	}
	return ""
}

// plainWords is the text of an element on one line, keys included.
func (p *page) plainWords(n *node) string { return p.wordsOf([]*node{n}) }

func (p *page) wordsOf(nodes []*node) string {
	var b strings.Builder
	var add func(n *node)
	add = func(n *node) {
		switch {
		case n.name == "":
			b.WriteString(n.text)
			return
		case isHidden[n.name]:
			return
		}
		kids := n.kids
		if ref := n.attribute("keyref"); ref != "" {
			kids = p.keyedContent(n, ref)
		}
		for _, k := range kids {
			add(k)
		}
		if n.name == "tm" {
			b.WriteString(trademark(n))
		}
	}
	for _, n := range nodes {
		add(n)
	}
	return spacing.Single(b.String())
}

// keyedContent gives the content of an element with a keyref: its own, else what the key
// stands for.
func (p *page) keyedContent(n *node, ref string) []*node {
	if n.plainText() != "" {
		return n.kids
	}
	text := ""
	name, id, _ := strings.Cut(ref, "/")
	k, err := p.s.keys.findKey(name)
	if err == nil {
		if text = k.text; text == "" || id != "" {
			if t := p.titleOf(k.file, addressOfKey(k, id)); t != "" {
				text = t
			}
		}
		if text == "" && k.scope == "external" {
			text = k.href
		}
	} else {
		p.unresolved(n.line, err, "the key %s is not resolved", name)
	}
	if text == "" {
		text = "[" + ref + "]"
		if n.name == "image" {
			return nil
		}
	}
	return []*node{{text: text, line: n.line, fixed: true, file: n.file}}
}

// addressOfKey is the address of a key, or of an element in the topic that it names.
func addressOfKey(k key, id string) string {
	if id == "" || k.href == "" {
		return k.href
	}
	base, fragment, _ := strings.Cut(k.href, "#")
	topic, _, _ := strings.Cut(fragment, "/")
	return base + "#" + topic + "/" + id
}

// imageText is the text of an image.
func (p *page) imageText(n *node) string {
	if a := n.firstChild("alt"); a != nil {
		return p.plainWords(a)
	}
	return spacing.Single(n.attribute("alt"))
}

func isBlank(s string) bool {
	text, _ := inlineLines(s)
	return text == ""
}

// baseName is the name of a file without its ending.
func baseName(href string) string {
	href, _, _ = strings.Cut(href, "#")
	base := path.Base(href)
	return strings.TrimSuffix(base, path.Ext(base))
}
