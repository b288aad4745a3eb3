package rst

import (
	"cmp"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/rst/objects"
	"docent/store/doc"
)

// writer writes the rendition of nodes.
type writer struct {
	*build.Writer
	page   *page
	lines  int      // of the source
	level  int      // of the section that is open
	ids    []string // of the places named since the last block
	hidden []link   // of tables of contents that are not shown
	named  []string // names that directives give what follows
}

// placeNode says where a node stands in the source.
func (w *writer) placeNode(n *node) {
	at := doc.Location{Line: min(n.line, w.lines)}
	if n.still {
		w.At(at)
		return
	}
	w.FromLine(at)
}

// document writes the blocks of a page.
func (w *writer) document(nodes []*node) {
	i := 0
	for ; i < len(nodes) && (nodes[i].kind == field || nodes[i].kind == target ||
		nodes[i].kind == meta); i++ { // file-wide metadata, not shown
		switch n := nodes[i]; n.name {
		case "description", "keywords", "abstract", "summary", "tags", "category":
			w.page.about = append(w.page.about, w.page.PlainText(n.text))
		}
	}
	if i == len(nodes) || nodes[i].kind != heading {
		i = 0
		for i < len(nodes) && nodes[i].kind == field && metadata(nodes[i].name) {
			i++
		}
	}
	for _, n := range nodes[:i] {
		if n.kind == target {
			w.ids = append(w.ids, n.ids...)
		}
	}
	nodes = nodes[i:]
	titled := false
	for _, n := range nodes {
		if n.kind == heading && n.level == 1 && !titled {
			w.Title(w.page.PlainText(n.text))
			titled = true
		}
	}
	w.writeFlow(nodes, 0)
}

// metadata reports whether a field at the beginning of a page speaks to Sphinx.
func metadata(name string) bool {
	switch name {
	case "orphan", "tocdepth", "nocomments", "nosearch", "no-search", "description", "keywords", "abstract", "summary", "tags", "category",
		"slug", "date", "author":
		return true
	}
	return false
}

// writeFlow writes blocks outside of all containers, where objects may be sections. deeper
// is how many objects are around.
func (w *writer) writeFlow(nodes []*node, deeper int) {
	nodes = stackObjects(nodes)
	level, title := w.level, ""
	as := arrange(nodes, title)
	below := 0 // 1 below a rubric
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		switch {
		case n.kind == heading:
			w.heading(n)
			level, title, below = w.level, w.page.PlainText(n.text), 0
		case n.kind == meta:
			continue
		case n.kind == target || as[i] == asLabel:
			w.ids = append(w.ids, n.ids...)
			if n.kind == object {
				w.named = append(w.named, n.args...)
			}
		case n.kind == rubric && n.name == "rubric":
			w.placeNode(n)
			w.Heading(min(6, level+1+deeper), w.inlineText(n.text), "")
			below = 1
		case as[i] == asSection:
			w.section(n, min(6, level+1+deeper+below), deeper+below)
		case as[i] == asSignature:
			w.placeNode(n)
			w.signatures(n, title)
			w.writeFlow(n.kids, deeper+below)
		case as[i] == asPart:
			w.placeNode(n)
			w.signatures(n, title)
			w.blocks(n.kids)
		case n.kind == group:
			w.writeFlow(n.kids, deeper)
		case (n.kind == definition || n.kind == option || n.kind == field) && w.runLength(nodes[i:], n.kind) > 0:
			k := w.runLength(nodes[i:], n.kind)
			w.blocks(nodes[i : i+k])
			i += k - 1
		default:
			w.writeBlock(n)
		}
		if n.kind != target && as[i] != asLabel {
			w.ids, w.named = nil, nil
		}
	}
}

// runLength is how many nodes of a kind follow each other: one list.
func (w *writer) runLength(nodes []*node, k kind) int {
	n := 0
	for n < len(nodes) && nodes[n].kind == k {
		n++
	}
	return n
}

// heading writes a section title. Its anchor is the last label before it.
func (w *writer) heading(n *node) {
	w.level = n.level
	anchor := n.ids[0]
	for _, id := range w.ids {
		if id != "" && !strings.HasPrefix(id, "module-") {
			anchor = id
		}
	}
	w.placeNode(n)
	w.Heading(n.level, w.inlineText(n.text), anchor)
	title := w.page.PlainText(n.text)
	for _, name := range w.named {
		if name != title { // the index has it, so search must find it
			w.Paragraph(build.CodeInline(name))
		}
	}
	w.ids, w.named = nil, nil
}

// longHeading is the length of the longest heading of several signatures, in bytes.
const longHeading = 80

// section writes an object as a section. The heading has the first of its signatures,
// and others as long as it stays short.
func (w *writer) section(n *node, level, deeper int) {
	w.placeNode(n)
	anchor := ""
	for _, id := range append(n.ids, w.ids...) {
		if anchor = id; id != "" {
			break
		}
	}
	w.ids = nil
	all, rest := signature(n.name, n.args[0]), n.args[1:]
	for len(rest) > 0 && len(all)+len(rest[0]) <= longHeading {
		all, rest = all+", "+signature(n.name, rest[0]), rest[1:]
	}
	w.Heading(level, all, anchor)
	for _, s := range rest {
		w.Paragraph(signature(n.name, s))
	}
	outer := w.level
	w.writeFlow(n.kids, deeper+1)
	w.level = outer
}

// signatures writes what an object is called, but for what the title above says.
func (w *writer) signatures(n *node, title string) {
	for _, s := range n.args {
		if s != title {
			w.Paragraph(signature(n.name, s))
		}
	}
}

// signature is a signature with the word that says what it is of.
func signature(kind, s string) string {
	if p := objects.Prefix(kind); p != "" {
		return p + " " + build.CodeInline(s)
	}
	return build.CodeInline(s)
}

// blocks writes blocks within a container, or ones that are no sections.
func (w *writer) blocks(nodes []*node) {
	for _, n := range nodes {
		w.writeBlock(n)
	}
}

// writeBlock writes one block.
func (w *writer) writeBlock(n *node) {
	w.placeNode(n)
	switch n.kind {
	case paragraph:
		w.Paragraph(w.inlineText(n.text))
	case heading, rubric:
		w.Paragraph(build.Strong(w.inlineText(n.text)))
	case code:
		w.WriteCode(n.name, n.text)
	case math:
		w.WriteCode("math", n.text)
	case bullets, numbers:
		for i, it := range n.kids {
			if n.kind == bullets {
				w.Open(build.Bullet)
			} else {
				w.Open(build.Number(n.level + i))
			}
			w.placeNode(it)
			w.blocks(it.kids)
			w.Close()
		}
	case item, group:
		w.blocks(n.kids)
	case quote:
		w.Open(build.Quote)
		w.blocks(n.kids)
		w.Close()
	case definition:
		w.Definition(w.termInline(n.text))
		w.blocks(n.kids)
		w.Close()
	case option:
		w.Definition(build.CodeInline(n.text))
		w.blocks(n.kids)
		w.Close()
	case field:
		w.writeField(n)
	case lineBlock:
		lines := strings.Split(strings.TrimRight(w.inlineText(n.text), "\n"), "\n")
		w.Paragraph(strings.Join(lines, build.Break))
	case table:
		w.writeTable(n)
	case note:
		w.Open(build.NoteContainer(n.name, w.inlineText(n.text)))
		w.blocks(n.kids)
		w.Close()
	case version:
		w.version(n)
	case object:
		w.object(n)
	case transition:
		w.WriteRule()
	case image:
		w.writeImage(n)
	case links:
		w.writeLinks(n)
	case footnote:
		w.footnote(n)
	}
}

// termInline is the term of a definition; what follows " : " says of what kind it is.
func (w *writer) termInline(text string) string {
	term, kinds, ok := strings.Cut(text, " : ")
	if !ok {
		return w.inlineText(text)
	}
	return w.inlineText(term) + " : " + w.inlineText(kinds)
}

// longDefinition is the number of lines of the longest object that is written as a
// definition. A list is never cut, so that a longer one would be one large passage.
const longDefinition = 40

// object writes an object that is no section: a definition, so that one sees where it
// ends, or, where that would be too long, a line in bold before its text.
func (w *writer) object(n *node) {
	last, nested := n.line, false
	walkNodes(n.kids, func(k *node) {
		last = max(last, k.line)
		nested = nested || k.kind == object && len(k.kids) > 0
	})
	if len(n.kids) > 0 && !nested && last-n.line <= longDefinition {
		var all []string
		for _, s := range n.args {
			all = append(all, signature(n.name, s))
		}
		w.Definition(strings.Join(all, ", "))
		w.blocks(n.kids)
		w.Close()
		return
	}
	for _, s := range n.args {
		w.Paragraph(build.Strong(signature(n.name, s)))
	}
	for _, k := range n.kids {
		w.writeBlock(k)
	}
}

// version writes since when something is so.
func (w *writer) version(n *node) {
	v := ""
	if len(n.args) > 0 {
		v = " " + n.args[0]
	}
	head := map[string]string{"versionadded": "New in version" + v, "version-added": "New in version" + v,
		"versionchanged": "Changed in version" + v, "version-changed": "Changed in version" + v,
		"versionremoved": "Removed in version" + v, "version-removed": "Removed in version" + v,
		"soft-deprecated": "Soft deprecated since version" + v}[n.name]
	if head == "" {
		head = "Deprecated since version" + v
	}
	if len(n.args) > 1 {
		head += ", will be removed in version " + n.args[1]
	}
	head = build.Emphasis(build.TextInline(head))
	kids := n.kids
	switch {
	case n.text != "":
		w.Paragraph(head + ": " + w.inlineText(n.text))
	case len(kids) > 0 && kids[0].kind == paragraph:
		w.placeNode(kids[0])
		w.Paragraph(head + ": " + w.inlineText(kids[0].text))
		kids = kids[1:]
	default:
		w.Paragraph(head + ".")
	}
	for _, k := range kids {
		w.writeBlock(k)
	}
}

// writeField writes a field: of a function's parameter, of what a page says of itself.
func (w *writer) writeField(n *node) {
	kind, name, _ := strings.Cut(n.name, " ")
	label := build.Strong(w.inlineText(n.name))
	switch kind {
	case "param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "kwparam", "var", "ivar", "cvar", "raises", "raise", "except",
		"exception", "throws", "type", "vartype":
		words := strings.Fields(name)
		if len(words) > 0 {
			label = build.CodeInline(words[len(words)-1])
			if len(words) > 1 {
				label += " (" + build.TextInline(strings.Join(words[:len(words)-1], " ")) + ")"
			}
			switch kind {
			case "raises", "raise", "except", "exception", "throws":
				label = "Raises " + label
			case "type", "vartype":
				label = "Type of " + label
			}
		}
	case "returns", "return":
		label = "Returns"
	case "rtype":
		label = "Return type"
	}
	w.Open(build.Bullet)
	kids := n.kids
	if len(kids) > 0 && kids[0].kind == paragraph {
		w.placeNode(kids[0])
		w.Paragraph(label + ": " + w.inlineText(kids[0].text))
		kids = kids[1:]
	} else {
		w.Paragraph(label)
	}
	w.blocks(kids)
	w.Close()
}

// writeImage writes the description of a picture.
func (w *writer) writeImage(n *node) {
	if n.text != "" {
		w.Paragraph(build.ImageInline(n.text, n.name))
	}
	for _, k := range n.kids {
		w.writeBlock(k)
	}
}

// writeLinks writes a table of contents as a list of links.
func (w *writer) writeLinks(n *node) {
	if n.name == "hidden" {
		w.hidden = append(w.hidden, n.links...)
		return
	}
	if n.text != "" {
		w.Paragraph(build.Strong(w.inlineText(n.text)))
	}
	for _, l := range n.links {
		w.At(doc.Location{Line: min(l.line, w.lines)})
		text := cmp.Or(l.text, w.page.ReadTitle(w.page.PageTitle(l.target)), strings.TrimPrefix(l.target, "/"))
		w.Open(build.Bullet)
		w.Paragraph(linked(build.TextInline(text), text, l.target))
		w.Close()
	}
}

// footnote writes a footnote where it stands.
func (w *writer) footnote(n *node) {
	label := w.page.FootnoteLabel(n.text, true)
	kids := n.kids
	if len(kids) > 0 && kids[0].kind == paragraph {
		w.placeNode(kids[0])
		w.Paragraph(build.TextInline(label+" ") + w.inlineText(kids[0].text))
		kids = kids[1:]
	} else {
		w.Paragraph(build.TextInline(label))
	}
	for _, k := range kids {
		w.writeBlock(k)
	}
}

// addHidden adds the links of tables of contents that are not shown, where they stand
// in the source.
func (w *writer) addHidden(d *doc.Document) {
	line := 1
	for _, l := range w.hidden {
		for line < len(d.Map) && d.Map[line-1].Line < l.line {
			line++
		}
		section := 0
		for section+1 < len(d.Sections) && d.Sections[section+1].Span.StartLine <= line {
			section++
		}
		if len(d.Sections) > 0 {
			d.Links = append(d.Links, doc.Link{Text: l.text, Target: l.target, Section: section, Line: line})
		}
	}
	slices.SortStableFunc(d.Links, func(a, b doc.Link) int { return a.Line - b.Line })
}
