package docbook

import (
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// writeRoot writes an outermost element of a file.
func (p *page) writeRoot(n *node) {
	switch {
	case n.name == "":
		if strings.TrimSpace(n.text) != "" && !strings.HasPrefix(strings.TrimSpace(n.text), "]") {
			p.writeParagraph([]*node{n})
		}
	case isDivision[n.name]:
		p.writeDivision(n, 1)
	default:
		// An element of a project's own is named by an attribute, where it has no title.
		if name := n.attribute("name"); name != "" && !p.titled && n.child("title") == nil && len(name) <= mostTitle {
			p.place(n)
			p.w.Heading(1, build.TextInline(spacing.Single(name)), n.id())
			p.titled = true
			p.w.Title(spacing.Single(name))
		}
		p.writeFlow(n.kids, 1)
	}
}

// place sets the place of the text that is written next.
func (p *page) place(n *node) { p.w.At(doc.Location{Line: n.line, Element: elementID(n)}) }

// placeTitle sets the place of a division's heading: that of its title.
func (p *page) placeTitle(n *node) {
	at := n.line
	if t := n.child("title"); t != nil && !n.fixed {
		at = t.line
	}
	p.w.At(doc.Location{Line: at, Element: elementID(n)})
}

func elementID(n *node) string {
	if id := n.id(); len(id) < 300 {
		return id
	}
	return ""
}

// fixedTitles are the titles of divisions that have none of their own.
var fixedTitles = map[string]string{"refsynopsisdiv": "Synopsis", "refnamediv": "Name", "glossary": "Glossary",
	"bibliography": "Bibliography",
	"preface":      "Preface", "dedication": "Dedication", "colophon": "Colophon", "acknowledgements": "Acknowledgements"}

// writeDivision writes a division: its title as a heading, and its content.
func (p *page) writeDivision(n *node, level int) {
	if n.name == "legalnotice" && level > 1 {
		return
	}
	title := p.divisionTitle(n)
	if title != "" {
		p.placeTitle(n)
		p.w.Heading(level, title, n.id())
		if !p.titled {
			p.titled = true
			p.w.Title(withoutMarkup(n))
		}
		level++
	}
	p.writeMetadata(n)
	if n.name == "refnamediv" {
		p.writeNames(n)
		return
	}
	p.writeFlow(n.kids, level)
}

// withoutMarkup is the title of a division in plain text.
func withoutMarkup(n *node) string {
	if t := titleOf(n); t != "" {
		return t
	}
	return fixedTitles[n.name]
}

// divisionTitle is the title of a division as an inline, "" where it has none.
func (p *page) divisionTitle(n *node) string {
	if n.name == "refentry" {
		if name := refentryName(n); name != "" {
			return build.TextInline(name)
		}
	}
	for _, k := range n.kids {
		t := k
		if k.name != "title" {
			if !strings.HasSuffix(k.name, "info") {
				continue
			}
			if t = k.child("title"); t == nil {
				continue
			}
		}
		title := p.oneLine(t.kids)
		if sub := n.child("subtitle"); sub != nil && title != "" {
			title += build.TextInline(": ") + p.oneLine(sub.kids)
		}
		return title
	}
	if n.name == "refentry" {
		return build.TextInline(titleOf(n))
	}
	if title := entityTitle(n); title != "" {
		return title
	}
	return fixedTitles[n.name]
}

// titleEntity is the name of an entity that stands for a title, as PHP's manual names them.
var titleEntity = pattern.Lazy(`^\s*reftitle\.([a-z]+)\s*$`)

// entityTitle takes a title that an entity of another file stands for off a division.
func entityTitle(n *node) string {
	for _, k := range n.kids {
		if m := titleEntity().FindStringSubmatch(k.text); m != nil {
			k.text = ""
			title := strings.NewReplacer("returnvalues", "return values", "seealso", "see also").Replace(m[1])
			return build.TextInline(strings.ToUpper(title[:1]) + title[1:])
		}
		if strings.TrimSpace(k.text) != "" || k.name != "" && !isHidden[k.name] {
			break
		}
	}
	return ""
}

// writeMetadata takes what a division says for search, and its abstract.
func (p *page) writeMetadata(n *node) {
	for _, k := range n.kids {
		if k.name != "info" && !strings.HasSuffix(k.name, "info") {
			continue
		}
		for _, m := range k.kids {
			switch m.name {
			case "keywordset", "subjectset", "titleabbrev":
				p.w.AddMetadata(m.plainText())
			case "abstract":
				p.writeFlow(m.kids, 6)
			}
		}
	}
	for _, k := range n.kids {
		if k.name == "titleabbrev" {
			p.w.AddMetadata(k.plainText())
		}
	}
}

// writeNames writes the names and the purpose of a reference page.
func (p *page) writeNames(n *node) {
	var names []string
	purpose := ""
	for _, k := range n.kids {
		switch k.name {
		case "refname":
			names = append(names, p.oneLine(k.kids))
		case "refpurpose":
			purpose = p.oneLine(k.kids)
			p.w.AddMetadata(k.plainText())
		}
	}
	text := strings.Join(names, ", ")
	if purpose != "" {
		text += " — " + purpose
	}
	p.place(n)
	p.w.Paragraph(text)
}

// headedEntry is the least size of an entry, on average, of a list whose entries become
// sections, in bytes of text.
const headedEntry = 300

// entriesAreSections reports whether the terms of a list become headings: it ends its division,
// its entries have ids, and they are long.
func (p *page) entriesAreSections(n *node, rest []*node, level int) bool {
	if n.name != "variablelist" || p.inside > 0 || level > 5 || p.notes > 0 {
		return false
	}
	for _, k := range rest {
		if k.name != "" && !isDivision[k.name] && !isHidden[k.name] || strings.TrimSpace(k.text) != "" {
			return false
		}
	}
	entries, size := 0, 0
	for _, k := range n.kids {
		if k.name == "varlistentry" {
			entries++
			size += len(k.plainText())
			if k.id() == "" {
				return false
			}
		}
	}
	return entries > 1 && size >= headedEntry*entries
}

// writeEntries writes a list whose terms are headings.
func (p *page) writeEntries(n *node, level int) {
	for _, k := range n.kids {
		if k.name != "varlistentry" {
			if !isHidden[k.name] {
				p.writeFlow([]*node{k}, level)
			}
			continue
		}
		p.place(k)
		p.w.Heading(level, p.termsOf(k), k.id())
		if item := k.child("listitem"); item != nil {
			p.writeFlow(item.kids, level+1)
		}
	}
}

// termsOf are the terms of an entry as an inline.
func (p *page) termsOf(n *node) string {
	var terms []string
	for _, k := range n.kids {
		if k.name == "term" || k.name == "glossterm" || k.name == "segtitle" {
			if t := p.oneLine(k.kids); t != "" {
				terms = append(terms, t)
			}
		}
	}
	return strings.Join(terms, ", ")
}
