package docbook

import (
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// writeParagraph writes nodes within a line as a paragraph.
func (p *page) writeParagraph(nodes []*node) {
	if len(nodes) == 0 {
		return
	}
	text, places := build.RawLines(p.rawInline(nodes))
	if text == "" {
		return
	}
	p.w.At(doc.Location{Line: nodes[0].line})
	p.w.Places(places)
	p.w.Paragraph(text)
}

// oneLine is an inline on one line.
func (p *page) oneLine(nodes []*node) string {
	text, _ := build.RawLines(p.rawInline(nodes))
	return spacing.Single(text)
}

func (p *page) rawInline(nodes []*node) string {
	var b strings.Builder
	for i, n := range nodes {
		if i > 0 && isNamePart[n.name] && isNamePart[nodes[i-1].name] {
			b.WriteByte(' ') // the parts of a name may stand without blanks
		}
		p.addInline(&b, n)
	}
	return b.String()
}

// addInline adds an element or a text within a line.
func (p *page) addInline(b *strings.Builder, n *node) {
	switch name := n.name; {
	case name == "":
		build.MarkLine(b, n.line, false)
		build.AddText(b, n.text, n.line, !n.fixed)
	case isHidden[name]:
	case isCode[name]:
		p.addCode(b, n)
	case isStrong[name], name == "emphasis" && isBoldRole(n), name == "strong", name == "b":
		build.WrapRaw(b, p.rawInline(n.kids), build.Strong)
	case isEmphasis[name], name == "emphasis", name == "em", name == "i":
		build.WrapRaw(b, p.rawInline(n.kids), build.Emphasis)
	case name == "ulink" || name == "link" || name == "olink" || name == "a":
		p.addLink(b, n)
	case name == "xref" || name == "biblioref":
		p.addReference(b, n)
	default:
		p.addOther(b, n)
	}
}

func isBoldRole(n *node) bool {
	role := n.attribute("role")
	return role == "bold" || role == "strong"
}

func (p *page) addOther(b *strings.Builder, n *node) {
	switch n.name {
	case "quote":
		build.WrapRaw(b, p.rawInline(n.kids), func(s string) string { return "“" + s + "”" })
	case "superscript":
		build.WrapRaw(b, p.rawInline(n.kids), func(s string) string { return build.TextInline("^") + s })
	case "citerefentry":
		text := ""
		if t := n.child("refentrytitle"); t != nil {
			text = t.plainText()
		}
		if v := n.child("manvolnum"); v != nil && v.plainText() != "" {
			text += "(" + v.plainText() + ")"
		}
		build.MarkLine(b, n.line, false)
		if file := p.docSet().pageOther(text, p.opt.Path); file != "" {
			b.WriteString(build.LinkInline(build.CodeInline(text), build.RelativePath(p.opt.Path, file)))
			return
		}
		b.WriteString(build.CodeInline(text))
	case "manvolnum": // behind a refentrytitle without a citerefentry around both
		if text := n.plainText(); text != "" {
			b.WriteString(build.TextInline("(" + text + ")"))
		}
	case "footnote":
		if p.notes > 2 {
			return
		}
		p.notes++
		if text := p.oneLine(n.kids); text != "" {
			b.WriteString(" (" + text + ")")
		}
		p.notes--
	case "email":
		text := n.plainText()
		b.WriteString(build.LinkInline(build.TextInline(text), "mailto:"+text))
	case "keycombo", "menuchoice":
		text := keysOf(n)
		if n.name == "menuchoice" {
			text = choiceOf(n)
		}
		if text == "" {
			return
		}
		if strings.HasSuffix(b.String(), "**") {
			b.WriteByte(' ') // else two bold texts would be one
		}
		build.MarkLine(b, n.line, false)
		b.WriteString(build.Strong(build.TextInline(text)))
	case "inlinemediaobject", "inlinegraphic":
		if alt := pictureText(n); alt != "" {
			b.WriteString(build.TextInline(alt))
		}
	case "optional":
		b.WriteString(build.TextInline("[") + p.rawInline(n.kids) + build.TextInline("]"))
	case "br":
		b.WriteByte(' ')
	case "arg", "group", "cmdsynopsis":
		b.WriteString(build.CodeInline(synopsisLines(n)))
	default:
		if name := ownName(n); name != "" {
			build.MarkLine(b, n.line, false)
			b.WriteString(build.CodeInline(name))
			return
		}
		inner := p.rawInline(n.kids)
		if isOwnInline(n) && !isInlineElement(n) {
			b.WriteString(inner)
			return
		}
		if !isInlineElement(n) { // a block where a line is read: in a cell, a footnote
			inner = " " + inner + " "
		}
		b.WriteString(inner)
	}
}

// keysOf are keys that are pressed together, "Ctrl+Home", or some of such combinations. In
// KDE's manuals keys are entities of its document type, which stand for their names here.
func keysOf(n *node) string {
	var keys []string
	sign := " "
	if n.name == "keycombo" {
		sign = "+"
	}
	for _, k := range n.kids {
		switch {
		case k.name == "":
			keys = append(keys, strings.Fields(k.text)...)
		case k.name == "keycombo" || k.name == "shortcut":
			if text := keysOf(k); text != "" {
				keys = append(keys, text)
			}
		default:
			if text := k.plainText(); text != "" {
				keys = append(keys, text)
			}
		}
	}
	return strings.Join(keys, sign)
}

// choiceOf is a way through menus, with the keys that lead there too: "File > Open (Ctrl+O)".
func choiceOf(n *node) string {
	var parts []string
	keys := ""
	for _, k := range n.kids {
		if k.name == "shortcut" {
			keys = keysOf(k)
		} else if text := k.plainText(); text != "" {
			parts = append(parts, text)
		}
	}
	text := strings.Join(parts, " > ")
	if keys != "" && text != "" {
		return text + " (" + keys + ")"
	}
	return text + keys
}

// addCode adds code within a line.
func (p *page) addCode(b *strings.Builder, n *node) {
	text := n.plainText()
	switch n.name {
	case "tag", "sgmltag":
		switch n.attribute("class") {
		case "attribute", "attvalue", "genentity", "paramentity":
		case "endtag":
			text = "</" + text + ">"
		case "emptytag":
			text = "<" + text + "/>"
		default:
			text = "<" + text + ">"
		}
	case "function":
		if !strings.Contains(text, "(") && text != "" {
			text += "()"
		}
	}
	code := build.CodeInline(text)
	if code == "" {
		return
	}
	build.MarkLine(b, n.line, false)
	if link := findNamed(n, "ulink", "link"); link != nil {
		if target := p.targetOf(link); target != "" {
			code = build.LinkInline(code, target)
		}
	}
	b.WriteString(code)
}

// targetOf is the address to which a link leads, "" if it is not known.
func (p *page) targetOf(n *node) string {
	for _, name := range []string{"url", "href"} {
		if url := n.attribute(name); url != "" {
			return url
		}
	}
	if id := n.attribute("linkend"); id != "" {
		if l, ok := p.labelOf(id); ok {
			return p.addressOf(l, id)
		}
	}
	return ""
}

func (p *page) addressOf(l label, id string) string {
	if l.file == "" {
		return "#" + id
	}
	return build.RelativePath(p.opt.Path, l.file) + "#" + id
}

func (p *page) addLink(b *strings.Builder, n *node) {
	target, inner := p.targetOf(n), p.rawInline(n.kids)
	if text, _ := build.RawLines(inner); text == "" {
		if target == "" {
			return
		}
		shown := target
		if l, ok := p.labelOf(n.attribute("linkend")); ok && l.title != "" {
			shown = l.title
		}
		build.MarkLine(b, n.line, false)
		b.WriteString(build.LinkInline(build.TextInline(shown), target))
		return
	}
	build.WrapRaw(b, inner, func(s string) string { return build.LinkInline(s, target) })
}

// addReference adds a cross-reference: the title of what it leads to.
func (p *page) addReference(b *strings.Builder, n *node) {
	id := n.attribute("linkend")
	l, ok := p.labelOf(id)
	shown, target := l.title, ""
	if ok {
		target = p.addressOf(l, id)
	} else {
		target = n.attribute("href")
	}
	if end, has := p.labels[n.attribute("endterm")]; has && end.title != "" {
		shown = end.title
	}
	if shown == "" {
		shown = id + n.attribute("href")
	}
	build.MarkLine(b, n.line, false)
	b.WriteString(build.LinkInline(build.TextInline(shown), target))
}
