package dita

import (
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
)

// blockWriter writes the blocks of a topic.
type blockWriter struct{ *page }

func (x *page) blockWriter() blockWriter { return blockWriter{x} }

// writeFlow writes children that are blocks, text, or both.
func (p blockWriter) writeFlow(kids []*node) {
	var run []*node
	for _, k := range kids {
		if k.name != "" {
			k.name = baseElement(event{name: k.name, attrs: k.attrs})
		}
		if k.name == "" || k.name != "image" && !isBlock(k.name) && (isInline(k.name) || !hasBlock(k)) {
			run = append(run, k)
			continue
		}
		p.flush(run)
		run = nil
		p.writeBlock(k)
	}
	p.flush(run)
}

// writeBlock writes a block.
func (p blockWriter) writeBlock(n *node) {
	p.writeWithinElement(n.attrs, func() { p.blockOf(n) })
}

func (p blockWriter) blockOf(n *node) {
	name := baseElement(event{name: n.name, attrs: n.attrs})
	switch {
	case isPre[name]:
		p.writeCode(n)
	case isInline(name) && name != "image":
		p.flush([]*node{n})
	case isTopic[name] || isSection[name] || name == "fig" || name == "equation-figure":
		p.captioned(n, labels[name])
	default:
		p.writeOther(n, name)
	}
}

func (p blockWriter) writeOther(n *node, name string) {
	switch name {
	case "ul", "sl", "choices", "steps-unordered", "steps-informal":
		p.writeList(n, false)
	case "ol", "steps", "substeps":
		p.writeList(n, true)
	case "li", "sli", "choice", "step", "substep":
		p.writeItem(n, build.Bullet)
	case "note":
		kind := n.attribute("type")
		if kind == "other" && n.attribute("othertype") != "" {
			kind = n.attribute("othertype")
		}
		if kind == "" {
			kind = "note"
		}
		p.writeInContainer(n.line, build.NoteContainer(kind, ""), n.kids)
	case "hazardstatement":
		p.writeHazard(n)
	case "dl", "parml":
		p.tableWriter().definitions(n)
	case "lq":
		p.writeInContainer(n.line, build.Quote, n.kids)
	case "table":
		p.tableWriter().writeTable(n)
	case "simpletable", "properties", "choicetable":
		p.tableWriter().simpleTable(n)
	case "image":
		p.flush([]*node{n})
	case "related-links", "linklist":
		p.writeRelatedLinks(n)
	case "object", "video", "audio":
		if d := n.firstChild("desc", "fallback"); d != nil {
			p.writeFlow(d.kids)
		}
	case "title":
		p.writeBoldLine(n.line, p.inlineOnOneLine(n.kids))
	case "steptroubleshooting":
		p.writeBoldLine(n.line, build.TextInline(labels[name]))
		p.writeFlow(n.kids)
	case "glossAcronym", "glossAbbreviation", "glossSynonym", "glossShortForm", "glossSurfaceForm":
		p.w.AddMetadata(p.plainWords(n))
		p.paragraph(append([]*node{{text: glossNames[name] + ": ", line: n.line, file: n.file, fixed: n.fixed}}, n.kids...))
	case "glossPartOfSpeech", "glossStatus":
	default:
		p.writeFlow(n.kids)
	}
}

var glossNames = map[string]string{"glossAcronym": "Acronym", "glossAbbreviation": "Abbreviation", "glossSynonym": "Synonym",
	"glossShortForm": "Short form", "glossSurfaceForm": "In full"}

// writeBoldLine writes a line in bold, for a title without a section.
func (p blockWriter) writeBoldLine(line int, inline string) {
	if inline != "" {
		p.placeText(line, true)
		p.w.Paragraph(build.Strong(inline))
	}
}

// writeInContainer writes blocks in a container.
func (p blockWriter) writeInContainer(line int, c build.Container, kids []*node) {
	p.placeText(line, true)
	p.w.Open(c)
	p.writeFlow(kids)
	p.w.Close()
}

// captioned writes an element with a title, within which there are no sections.
func (p blockWriter) captioned(n *node, label string) {
	var rest []*node
	for _, k := range n.kids {
		if k.name == "title" && label != "\x00" {
			p.writeBoldLine(k.line, p.inlineOnOneLine(k.kids))
			label = "\x00"
			continue
		}
		rest = append(rest, k)
	}
	if label != "" && label != "\x00" {
		p.writeBoldLine(n.line, build.TextInline(label))
	}
	p.writeFlow(rest)
}

// writeList writes a list.
func (p blockWriter) writeList(n *node, numbered bool) {
	number := 0
	for _, k := range n.kids {
		name := baseElement(event{name: k.name, attrs: k.attrs})
		switch {
		case name == "" || isHidden[name]:
		case name == "li" || name == "sli" || name == "choice" || name == "step" || name == "substep":
			c := build.Bullet
			if numbered {
				number++
				c = build.Number(number)
			}
			p.writeItem(k, c)
		default:
			p.writeBlock(k)
		}
	}
}

// writeItem writes an item of a list, or a step.
func (p blockWriter) writeItem(n *node, c build.Container) {
	p.writeWithinElement(n.attrs, func() {
		p.placeText(n.line, true)
		p.w.Open(c)
		kids := n.kids
		if word := importance(n); word != "" {
			for i, k := range kids {
				if k.name == "cmd" {
					k.kids = append([]*node{{text: word + ": ", line: k.line, file: k.file, fixed: k.fixed}}, k.kids...)
					kids[i] = k
					break
				}
			}
		}
		p.writeFlow(kids)
		p.w.Close()
	})
}

// importance is the word for a step that need not, or must, be done.
func importance(n *node) string {
	switch n.attribute("importance") {
	case "optional":
		return "Optional"
	case "required":
		return "Required"
	}
	return ""
}

// writeSteps writes the steps of a task as one list.
func (p blockWriter) writeSteps(e event) {
	number := 0
	for {
		c := p.s.next()
		switch c.kind {
		case closes, atEnd:
			return
		case opens:
			n := p.s.gatherRest(c)
			switch name := baseElement(c); {
			case name == "step" && e.name == "steps":
				number++
				p.writeItem(n, build.Number(number))
			case name == "step":
				p.writeItem(n, build.Bullet)
			default:
				p.writeBlock(n)
			}
		}
	}
}

// writeCode writes a block whose line breaks count.
func (p blockWriter) writeCode(n *node) {
	var b strings.Builder
	if t := n.firstChild("title"); t != nil {
		p.writeBoldLine(t.line, p.inlineOnOneLine(t.kids))
	}
	line := n.line
	if n.name == "syntaxdiagram" {
		b.WriteString(p.syntaxDiagramText(n))
	} else {
		if k := n.kids; len(k) > 0 {
			line = k[0].line
		}
		p.addCodeText(&b, n)
	}
	fixed := n.fixed || n.firstChild("coderef") != nil || n.name == "syntaxdiagram"
	p.placeText(line, fixed)
	p.w.WriteCode(codeLanguage(n), strings.TrimRight(b.String(), " \t\n"))
}

func (p blockWriter) addCodeText(b *strings.Builder, n *node) {
	for _, k := range n.kids {
		switch {
		case k.name == "":
			b.WriteString(k.text)
		case k.name == "coderef" || k.name == "include":
			b.WriteString(p.textOfCodeFile(k))
		case k.name == "title" || isHidden[k.name]:
		case k.attribute("keyref") != "":
			b.WriteString(p.plainWords(k))
		default:
			p.addCodeText(b, k)
		}
	}
}

// languages are classes of code blocks that name a language.
var languages = spacing.WordSet(`xml html css java javascript js json yaml yml bash sh shell console python py go c cpp csharp ruby perl
	php sql properties ini toml xslt xquery groovy kotlin swift rust typescript ts powershell batch dockerfile markdown`)

// codeLanguage is the language of a code block by its class.
func codeLanguage(n *node) string {
	for c := range strings.FieldsSeq(n.attribute("outputclass")) {
		if l, ok := strings.CutPrefix(c, "language-"); ok {
			return l
		}
		if l := strings.ToLower(c); languages[l] {
			return l
		}
	}
	return ""
}

// syntaxDiagramText is a syntax diagram on lines of text.
func (p blockWriter) syntaxDiagramText(n *node) string {
	var parts []string
	for _, k := range n.kids {
		switch k.name {
		case "":
			if t := strings.TrimSpace(k.text); t != "" {
				parts = append(parts, t)
			}
			continue
		case "title":
			continue
		}
		if isHidden[k.name] {
			continue
		}
		s := p.syntaxDiagramText(k)
		switch {
		case s == "":
			continue
		case k.name == "var":
			s = "<" + s + ">"
		case k.name == "groupchoice" && len(k.kids) > 1:
			s = "(" + s + ")"
		}
		if k.attribute("importance") == "optional" {
			s = "[" + s + "]"
		}
		parts = append(parts, s)
	}
	switch n.name {
	case "groupchoice":
		return strings.Join(parts, " | ")
	case "groupcomp":
		return strings.Join(parts, "")
	case "syntaxdiagram", "synblk":
		return strings.Join(parts, "\n")
	}
	return strings.Join(parts, " ")
}

// writeHazard writes a statement of a hazard as one warning.
func (p blockWriter) writeHazard(n *node) {
	kind := n.attribute("type")
	if kind == "" || kind == "other" {
		kind = "caution"
	}
	p.placeText(n.line, true)
	p.w.Open(build.NoteContainer(kind, ""))
	for _, k := range n.kids {
		if k.name != "messagepanel" {
			p.writeFlow([]*node{k})
			continue
		}
		for _, m := range k.kids {
			p.writeBlock(&node{name: "p", kids: []*node{m}, line: m.line, file: m.file, fixed: m.fixed})
		}
	}
	p.w.Close()
}

// writeRelatedLinks writes the links behind a topic as a list.
func (p blockWriter) writeRelatedLinks(n *node) {
	if t := n.firstChild("title"); t != nil {
		p.writeBoldLine(t.line, p.inlineOnOneLine(t.kids))
	}
	for _, k := range n.kids {
		switch k.name {
		case "link":
			p.placeText(k.line, true)
			p.w.Open(build.Bullet)
			p.flush([]*node{k})
			if d := k.firstChild("desc"); d != nil {
				p.writeFlow(d.kids)
			}
			p.w.Close()
		case "linklist", "linkpool":
			p.writeRelatedLinks(k)
		case "", "title":
		default:
			p.writeFlow([]*node{k})
		}
	}
}
