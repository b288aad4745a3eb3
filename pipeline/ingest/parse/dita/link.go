package dita

import (
	"bytes"
	"path"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
)

// addLink adds a link: its own text, or the title of what it leads to.
func (p *page) addLink(b *strings.Builder, n *node) {
	from, href := n.file, n.attribute("href")
	keyText := ""
	if ref := n.attribute("keyref"); ref != "" {
		name, id, _ := strings.Cut(ref, "/")
		if k, err := p.s.keys.findKey(name); err == nil {
			from, href = k.file, addressOfKey(k, id)
			if id == "" {
				keyText = k.text
			}
		} else if href == "" {
			p.unresolved(n.line, err, "the key %s is not resolved", name)
		}
	}
	own := n.kids
	if t := n.firstChild("linktext"); t != nil {
		own = t.kids
	}
	inner := p.rawInline(notNamed(own, "desc"))
	if isBlank(inner) {
		text := keyText
		if text == "" {
			text = p.titleOf(from, href)
		}
		switch {
		case text == "" && href != "":
			text = linkName(href)
		case text == "" && n.attribute("keyref") != "":
			text = "[" + n.attribute("keyref") + "]"
		}
		inner = build.TextInline(text)
	}
	wrapInline(b, inner, func(text string) string {
		if href == "" {
			return text
		}
		return build.LinkInline(text, p.linkAddress(&node{file: from}, href))
	})
}

// linkName is the text of a link to a target without a title.
func linkName(href string) string {
	if isRemote(href) {
		return href
	}
	if _, fragment, _ := strings.Cut(href, "#"); strings.Contains(fragment, "/") {
		return fragment[strings.LastIndexByte(fragment, '/')+1:]
	}
	if name := baseName(href); name != "." && name != "/" {
		return name
	}
	return href
}

func notNamed(nodes []*node, name string) []*node {
	var out []*node
	for _, n := range nodes {
		if n.name != name {
			out = append(out, n)
		}
	}
	return out
}

func isRemote(href string) bool {
	scheme, _, ok := strings.Cut(href, ":")
	return ok && scheme != "" && !strings.ContainsAny(scheme, "/#?.")
}

// linkAddress is the address of a reference as a link of this page: a path relative to it,
// and the anchor that DITA-OT gives the element.
func (p *page) linkAddress(n *node, href string) string {
	if isRemote(href) || strings.HasPrefix(href, "/") {
		return href
	}
	target, fragment := resolveReference(n.file, href)
	if target != p.file.path && strings.HasPrefix(fragment, "./") { // the topic is that file's, not the page's
		fragment = fragment[1:]
	}
	if strings.HasPrefix(fragment, "/") { // an element of the first topic
		if f, err := p.fileAt(target); err == nil {
			f.index()
			fragment = f.first + fragment
		}
	}
	anchor := p.anchorOfElement(fragment)
	if target == p.file.path {
		if anchor == "" {
			return path.Base(target)
		}
		return "#" + anchor
	}
	if anchor != "" {
		anchor = "#" + anchor
	}
	return build.RelativePath(p.file.path, target) + anchor
}

// anchorOfElement is the anchor of an element: "topic/element" becomes "topic__element".
func (p *page) anchorOfElement(fragment string) string {
	if rest, ok := strings.CutPrefix(fragment, "./"); ok {
		fragment = p.s.topicID() + "/" + rest
	}
	return strings.Replace(strings.TrimPrefix(fragment, "/"), "/", "__", 1)
}

// maxTitles is the most titles that a page takes from what its links lead to.
const maxTitles = 5000

// titleOf is the title of a reference's target, or "".
func (p *page) titleOf(from *file, href string) string {
	if href == "" || isRemote(href) || from == nil {
		return ""
	}
	target, fragment := resolveReference(from, href)
	if p.deep > maxKeyChain || len(p.titles) >= maxTitles {
		return ""
	}
	id := target + "#" + fragment
	if t, ok := p.titles[id]; ok {
		return t
	}
	p.deep++
	t := spacing.Single(p.readTitle(target, fragment))
	p.deep--
	p.titles[id] = t
	return t
}

func (p *page) readTitle(target, fragment string) string {
	switch strings.ToLower(path.Ext(target)) {
	case ".md", ".markdown":
		return p.markdownTitle(target)
	}
	f, err := p.fileAt(target)
	if err != nil {
		return ""
	}
	if target != p.file.path && strings.HasPrefix(fragment, "./") {
		fragment = fragment[1:]
	}
	if rest, ok := strings.CutPrefix(fragment, "/"); ok {
		f.index()
		fragment = f.first + "/" + rest
	}
	if at, ok := f.findElement(fragment, p.s.topicID()); ok {
		return p.firstTitle(f, at)
	}
	return ""
}

// fileAt is this page, or another DITA file of its doc set.
func (p *page) fileAt(target string) (*file, error) {
	if target == p.file.path {
		return p.file, nil
	}
	switch strings.ToLower(path.Ext(target)) {
	case ".dita", ".xml", ".ditamap", ".bookmap":
		return p.library.getFile(target)
	}
	return nil, errNotDITA
}

// firstTitle is the title of an element: of a definition its term.
func (p *page) firstTitle(f *file, at place) string {
	events := plainEvents{readFrom(f, at.offset, at.line)}
	for depth := 0; ; {
		switch e := events.next(); e.kind {
		case atEnd:
			return ""
		case closes:
			if depth--; depth <= 0 {
				return ""
			}
		case opens:
			switch e.name {
			case "title", "glossterm", "dt", "pt", "mainbooktitle", "cmd":
				return p.plainWords(gatherElement(events, e))
			}
			if depth++; depth > 3 {
				return ""
			}
		}
	}
}

// markdownTitle is the first heading of a Markdown file.
func (p *page) markdownTitle(target string) string {
	f, err := p.library.getFile(target)
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(f.text) {
		if title, ok := bytes.CutPrefix(line, []byte("# ")); ok {
			return string(title)
		}
	}
	return ""
}
