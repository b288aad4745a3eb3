package rst

import (
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/rst/inline"
	"docent/pipeline/text/spacing"
)

// call is a directive as it was written.
type call struct {
	name    string // in lower case
	domain  string // "py" of "py:function"
	line    int
	args    []string // lines of its argument
	options map[string]string
	lines   map[string]int // where each option stands in the source
	content view
}

func (c call) argument() string { return strings.TrimSpace(strings.Join(c.args, " ")) }

func (c call) option(name string) (string, bool) {
	v, ok := c.options[name]
	return v, ok
}

// hasOption reports whether a directive has one of some options.
func (c call) hasOption(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return c.options[n] != "" })
}

// directive reads the directive whose mark takes the first bytes of line i.
func (r *reader) directive(b *run, i, end, mark int, name string) {
	c := call{name: strings.ToLower(name), line: r.lineNumber(b.view, i), options: map[string]string{}, lines: map[string]int{}}
	if domain, rest, ok := strings.Cut(c.name, ":"); ok {
		c.domain, c.name = domain, rest
	}
	v, _ := b.linesBetween(i, end).hangingText(mark)
	k := 0
	if !v.isBlank(0) {
		for ; k < v.lineCount() && !v.isBlank(k) && !isOption(v.lineAt(k)); k++ {
			c.args = append(c.args, strings.TrimSpace(v.lineAt(k)))
		}
	} else {
		for k < v.lineCount() && v.isBlank(k) {
			k++
		}
		if k > 1 { // a blank line before: no options, all of it is content
			c.content = v.linesBetween(k, v.lineCount())
			r.called(b, i, c, v)
			return
		}
		for needsArgument(c) && k < v.lineCount() && !v.isBlank(k) && !isOption(v.lineAt(k)) {
			c.args = append(c.args, strings.TrimSpace(v.lineAt(k)))
			k++
		}
	}
	for k < v.lineCount() && !v.isBlank(k) {
		t := v.lineAt(k)
		if o, column := fieldMark(t); o != "" {
			value := strings.TrimSpace(t[column:])
			c.lines[o] = r.lineNumber(v, k)
			for k++; k < v.lineCount() && !v.isBlank(k) && v.lineAt(k)[0] == ' '; k++ {
				if len(value) < maxOption {
					value += "\n" + strings.TrimSpace(v.lineAt(k))
				}
			}
			c.options[o] = strings.TrimSpace(value)
			continue
		}
		break
	}
	c.content = v.linesBetween(k, v.lineCount())
	r.called(b, i, c, v)
}

// needsArgument reports whether a directive cannot be without an argument: docutils takes
// it from the lines directly below the mark where none stands behind it.
func needsArgument(c call) bool {
	switch c.name {
	case "admonition", "topic", "sidebar", "rubric", "centered", "include", "literalinclude", "image", "figure", "only", "module",
		"currentmodule", "program", "versionadded", "versionchanged", "deprecated", "versionremoved":
		return true
	}
	return isObject(c)
}

func isOption(t string) bool {
	name, _ := fieldMark(t)
	return name != "" && !strings.ContainsAny(name, " ")
}

// bodyOf is what a directive without arguments says: the text behind its mark and its
// content. all is the whole of it.
func (c call) bodyOf(all view) view {
	if len(c.args) == 0 {
		return c.content
	}
	if len(c.options) == 0 {
		return all
	}
	lines := append([]line{}, all.lines[:len(c.args)]...)
	lines = append(lines, line{})
	return view{append(lines, c.content.lines...), all.indent}
}

// called makes nodes of a directive.
func (r *reader) called(b *run, i int, c call, all view) {
	n := &node{line: c.line, still: r.at > 0}
	r.objectReader().setDefaultDomain(&c)
	if isOfProject(c) && r.objectReader().describe(b, n, c, all) { // whatever Sphinx has by the name
		return
	}
	for _, read := range []func(*run, *node, call, view) bool{r.admonition, r.literal, r.tableReader().tables, r.tableReader().readMedia,
		r.tableReader().listing, r.objectReader().module, r.objectReader().describe, r.readFrame} {
		if read(b, n, c, all) {
			return
		}
	}
	if c.name == "default-role" && len(c.args) > 0 {
		r.page.SetDefaultRole(strings.TrimSpace(c.args[0]))
	}
	if c.name == "default-domain" {
		r.page.domain = strings.TrimSpace(c.argument())
	}
	if silent(c.name) {
		return
	}
	if own := (call{domain: r.page.defaultDomain()}); c.domain == "" && isOfProject(own) && len(c.args) > 0 && !plainFrame(c.name) {
		c.domain = own.domain
		r.objectReader().describe(b, n, c, all)
		return
	}
	if name := c.argument(); !plainFrame(c.name) && len(c.args) == 1 && len(c.options) == 0 && c.content.trimBlank().lineCount() == 0 &&
		b.nextLineNames(i, name) {
		// A project's own directive that names what follows.
		n.kind, n.name, n.args, n.ids = object, c.name, []string{name}, []string{inline.ObjectID(c.name + "-" + name)}
		b.out = append(b.out, n)
		return
	}
	if !plainFrame(c.name) && c.isWord() && b.titleFollows(i) {
		return // a project's own label: its name is no text
	}
	n.kind = group
	for _, k := range r.blocks(c.bodyOf(all), false) {
		if k.kind == quote { // the directive's indentation, and no quotation
			n.kids = append(n.kids, k.kids...)
		} else {
			n.kids = append(n.kids, k)
		}
	}
	if !plainFrame(c.name) {
		r.warnAt(c.line, "the directive %q is not known: its text is shown as it stands", c.name)
	} else if len(c.args) > 0 {
		n.kids = r.blocks(c.content, false)
	}
	b.out = append(b.out, n)
}

func (r *reader) blocksInto(n *node, v view) { n.kids = append(n.kids, r.blocks(v, false)...) }

// isWord reports whether a directive has a word as its argument, and nothing else.
func (c call) isWord() bool {
	return len(c.args) == 1 && len(c.options) == 0 && c.content.trimBlank().lineCount() == 0 && !strings.ContainsAny(c.argument(), " \t")
}

// titleFollows reports whether the first line after that of a directive is a title. Other marks
// may stand between them.
func (b *run) titleFollows(i int) bool {
	for i++; i < b.lineCount(); i++ {
		if t := b.lineAt(i); t != "" && !beginsWithMark(t, "..") {
			return b.underlined(i) || adornment(t) != 0 && b.underlined(i+1)
		}
	}
	return false
}

// nextLineNames reports whether the first line after that of a directive has a name in it.
func (b *run) nextLineNames(i int, name string) bool {
	for i++; i < b.lineCount(); i++ {
		if t := b.lineAt(i); t != "" && !beginsWithMark(t, "..") {
			return strings.Contains(t, name)
		}
	}
	return false
}

// silent are directives of which nothing is shown: what they say concerns the layout,
// the index, the makers of the page, or what other programs insert.
func silent(name string) bool {
	switch name {
	case "contents", "index", "sectionauthor", "codeauthor", "moduleauthor", "tabularcolumns", "default-role", "role", "sectnum",
		"section-numbering", "target-notes", "header", "footer", "title", "todolist", "default-domain", "raw", "testsetup", "testcleanup",
		"namespace", "namespace-push", "namespace-pop", "audit-event-table", "audit-event", "inheritance-diagram", "bibliography", "date",
		"nosearch", "ipython-setup", "minigallery", "tags", "article-info", "highlightlang", "local",
		"automodule", "kernel-doc", "changelog_imports", "footer_topic", "redirect-from":
		return true
	}
	return false
}

// plainFrame are directives that lay their content out. Their arguments say how.
func plainFrame(name string) bool {
	switch name {
	case "class", "rst-class", "cssclass", "hlist", "acks", "grid", "tab-set", "tabs", "sphinx-tabs", "card-carousel", "cards",
		"cardlayout",
		"steps", "try_examples", "columns", "column", "row", "panels", "subfigure", "container", "div", "compound", "center", "left",
		"right":
		return true
	}
	return false
}

// admonition reads notes of every kind, and notes of added, changed and deprecated
// things.
func (r *reader) admonition(b *run, n *node, c call, all view) bool {
	n.kind, n.name = note, c.name
	for _, v := range []string{"-versionadded", "-versionchanged", "-versionremoved"} { // of one part of a project
		if strings.HasSuffix(c.name, v) {
			n.name = v[1:]
		}
	}
	switch n.name {
	case "note", "tip", "warning", "important", "caution", "danger", "attention", "hint", "error", "seealso", "todo", "fixme", "remark":
		n.kids = r.blocks(c.bodyOf(all), false)
	case "admonition", "topic", "sidebar", "dropdown", "details", "collapse", "toggle", "callout":
		n.name = noteClass(c)
		n.text = c.argument()
		n.kids = r.blocks(c.content, false)
		if n.text == "" && len(n.kids) == 0 {
			return true
		}
	case "impl-detail", "availability":
		n.name = "note"
		n.text = map[string]string{"impl-detail": "Implementation detail", "availability": "Availability"}[c.name]
		n.kids = r.blocks(c.bodyOf(all), false)
	case "versionadded", "versionchanged", "deprecated", "versionremoved", "deprecated-removed", "soft-deprecated", "version-added",
		"version-changed", "version-deprecated", "version-removed":
		n.kind = version
		first := ""
		if len(c.args) > 0 {
			v, rest, _ := strings.Cut(c.args[0], " ")
			n.args = []string{v}
			first = strings.TrimSpace(strings.Join(append([]string{rest}, c.args[1:]...), "\n"))
			if c.name == "deprecated-removed" {
				removed, text, _ := strings.Cut(first, " ")
				n.args, first = append(n.args, removed), text
			}
		}
		n.text = first
		n.kids = r.blocks(c.content, false)
	default:
		n.kind, n.name = 0, ""
		return false
	}
	b.out = append(b.out, n)
	return true
}

// noteClass is the kind of an admonition by its class: ".. admonition:: X" with
// ":class: warning".
func noteClass(c call) string {
	class, _ := c.option("class")
	for f := range strings.FieldsSeq(strings.ToLower(class)) {
		switch f {
		case "note", "tip", "warning", "important", "caution", "danger", "attention", "hint", "error":
			return f
		}
	}
	return "note"
}

// readFrame reads directives whose content is read like the text around it: tabs, cards,
// conditions, blocks with a title of their own.
func (r *reader) readFrame(b *run, n *node, c call, all view) bool {
	n.kind = group
	switch c.name {
	case "only", "ifconfig", "ifconf":
		// As in Sphinx, adornments that are new in it mean nothing after it.
		styles, level := slices.Clip(r.styles), r.level
		b.out = append(b.out, r.blocks(c.content, b.titles)...)
		r.styles, r.level = styles, min(level, r.level)
		return true
	case "tab", "tab-item", "group-tab", "card", "grid-item-card", "grid-item", "step", "tabitem":
		if t := c.argument(); t != "" {
			n.kids = append(n.kids, &node{kind: rubric, line: n.line, text: t})
		}
		if !strings.Contains(c.name, "card") && c.name != "grid-item" {
			r.blocksInto(n, c.content)
		} else {
			r.card(n, c.content)
		}
	case "button-ref", "button-link":
		n.kind, n.text = paragraph, buttonText(c)
	case "rubric", "centered":
		n.kind, n.text, n.name = rubric, c.argument(), c.name
	case "epigraph", "highlights", "pull-quote", "block-quote":
		n.kind = quote
		n.kids = r.blocks(c.bodyOf(all), false)
	case "line-block":
		n.kind, n.text = lineBlock, c.bodyOf(all).commonText()
	case "glossary":
		r.glossary(n, c.content)
	case "include":
		r.fileReader().include(b, c)
		return true
	case "cmake-module":
		r.fileReader().includeModule(b, c)
		return true
	case "changelog":
		r.changelog(n, c)
	case "change":
		r.change(n, c)
	case "meta":
		for _, k := range r.blocks(c.bodyOf(all), false) {
			if name, _, _ := strings.Cut(k.name, " "); k.kind == field && (name == "description" || name == "keywords") {
				r.page.about = append(r.page.about, k.text)
			}
		}
		return true
	default:
		n.kind = 0
		return false
	}
	b.out = append(b.out, n)
	return true
}

// changelog reads the changes of one version.
func (r *reader) changelog(n *node, c call) {
	if v, ok := c.option("version"); ok && v != "" {
		n.kids = append(n.kids, &node{kind: rubric, line: c.lines["version"], still: n.still, name: "rubric", text: v})
	}
	if v, ok := c.option("released"); ok && v != "" {
		n.kids = append(n.kids, &node{kind: paragraph, line: c.lines["released"], still: n.still, text: "Released: " + v})
	}
	r.blocksInto(n, c.content)
}

// change reads one change: what it concerns stands before its text, its tickets behind.
func (r *reader) change(n *node, c call) {
	n.kind = bullets
	it := &node{kind: item, line: n.line, still: n.still, kids: r.blocks(c.content, false)}
	if tags, ok := c.option("tags"); ok && tags != "" {
		label := "**" + spacing.Single(tags) + "**:"
		if len(it.kids) > 0 && it.kids[0].kind == paragraph {
			it.kids[0].text = label + " " + it.kids[0].text
		} else {
			it.kids = append([]*node{{kind: paragraph, line: c.lines["tags"], still: n.still, text: label}}, it.kids...)
		}
	}
	if tickets, ok := c.option("tickets"); ok && tickets != "" {
		text := "References: #" + strings.ReplaceAll(spacing.Single(tickets), ", ", ", #")
		it.kids = append(it.kids, &node{kind: paragraph, line: c.lines["tickets"], still: n.still, text: text})
	}
	n.kids = []*node{it}
}

// glossary reads terms with their definitions. Several terms may share one.
func (r *reader) glossary(n *node, v view) {
	v = v.trimBlank()
	v = v.inner(v.margin())
	for i := 0; i < v.lineCount(); {
		if t := v.lineAt(i); t == "" || t[0] == ' ' || beginsWithMark(t, "..") {
			i++
			continue
		}
		from := i
		for i < v.lineCount() && !v.isBlank(i) && v.lineAt(i)[0] != ' ' {
			i++
		}
		d := &node{kind: definition, line: r.lineNumber(v, from), name: "term"}
		for k := from; k < i; k++ {
			term, _, _ := strings.Cut(v.lineAt(k), " : ")
			d.args = append(d.args, term)
			d.ids = append(d.ids, "term-"+inline.ObjectID(term))
		}
		d.text = strings.Join(d.args, ", ")
		end := v.indented(i, 1)
		w := v.linesBetween(i, max(i, end))
		d.kids = r.blocks(w.inner(w.margin()), false)
		n.kids = append(n.kids, d)
		i = max(i, end)
	}
}
