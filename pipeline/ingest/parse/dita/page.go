package dita

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/plural"
	"docent/pipeline/text/shorten"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// maxWarned is the most different warnings.
const maxWarned = 1000

// page is a page while it is written.
type page struct {
	w       *build.Writer
	s       *stream
	file    *file
	library *library
	titles  map[string]string // of what links lead to
	deep    int               // titles that are read for titles
	element string            // id of the innermost element that has one
	label   string            // of a section that has no title, until it has text
	labeled int               // the line of the label
	depth   int               // its level, where it must be a heading
	headed  bool              // a section of this topic had a title: what follows needs one too
	titled  bool              // the page's title is known
	warned  map[string]bool
	lost    map[missing]*lost
	order   []missing // of lost
	meta    doc.Metadata
	prereqs [][2]int // of the text: where prerequisites of the first topic were written
}

// Bounds of what a page says of itself.
const (
	maxPrereqs = 20
	maxPrereq  = 500 // bytes of one
)

// topicMetadata are what the first topic says of itself. d is the page.
func (p *page) topicMetadata(d *doc.Document) doc.Metadata {
	m := p.meta
	for _, b := range d.Blocks {
		within := slices.ContainsFunc(p.prereqs, func(at [2]int) bool { return b.Span.Start >= at[0] && b.Span.End <= at[1] })
		if !within || b.Kind == doc.HeadingRow {
			continue
		}
		for line := range strings.SplitSeq(b.Text, "\n") {
			line = spacing.Single(line)
			if line == "" || line == labels["prereq"] || len(m.Prereqs) >= maxPrereqs {
				continue
			}
			line = shorten.Bytes(line, maxPrereq)
			m.Prereqs = append(m.Prereqs, line)
		}
	}
	return m
}

// lost is what a page refers to in a file that is missing.
type lost struct {
	warning string // of the first reference
	more    int
}

// warnOnce adds a warning, each only once. Of references to a missing file the first is said,
// and how many there are.
func (p *page) warnOnce(what string, err error) {
	var file missing
	if errors.As(err, &file) {
		if l := p.lost[file]; l != nil {
			l.more++
		} else if len(p.lost) < maxWarned {
			p.lost[file] = &lost{warning: what}
			p.order = append(p.order, file)
		}
		return
	}
	if !p.warned[what] && len(p.warned) < maxWarned {
		p.warned[what] = true
		p.w.Warn("%s", what)
	}
}

// sayLost adds the warnings about missing files.
func (p *page) sayLost() {
	for _, file := range p.order {
		l := p.lost[file]
		if l.more > 0 {
			l.warning += fmt.Sprintf("; %s to it", plural.Count(l.more, "more reference leads", "more references lead"))
		}
		p.w.Warn("%s", l.warning)
	}
}

// unresolved adds a warning about a reference on a line.
func (p *page) unresolved(line int, err error, format string, args ...any) {
	p.warnOnce(fmt.Sprintf("line %d: %s: %v", line, fmt.Sprintf(format, args...), err), err)
}

// writePage writes the whole page.
func (p *page) writePage() {
	var run []*node
	for {
		e := p.s.next()
		switch e.kind {
		case atEnd:
			p.flush(run)
			p.sayLost()
			return
		case says:
			run = append(run, textNode(e))
		case opens:
			p.flush(run)
			run = nil
			switch {
			case isTopic[e.name]:
				p.writeTopic(e, 1)
			case isMap[e.name]:
				p.mapWriter().readMap(e)
			case e.name == "dita":
				// A file of several topics: they are read one by one.
			default:
				p.structure(e, 2)
			}
		}
	}
}

func textNode(e event) *node {
	return &node{text: e.text, line: e.line, file: e.from, fixed: e.fixed}
}

// flush writes the collected nodes of a line.
func (p *page) flush(run []*node) {
	for _, n := range run {
		if n.name != "" && !isHidden[n.name] || strings.TrimSpace(n.text) != "" {
			p.sayLabel()
			p.paragraph(run)
			return
		}
	}
}

// writeWithinElement runs f with the id of an element as the place of what it writes.
func (p *page) writeWithinElement(attrs []attr, f func()) {
	before := p.element
	if id := attrOf(attrs, "id"); id != "" {
		p.element = p.anchorOf(id)
	}
	f()
	p.element = before
}

// anchorOf is the anchor of an element of this topic.
func (p *page) anchorOf(id string) string {
	if topic := p.s.topicID(); topic != "" {
		return topic + "__" + id
	}
	return id
}

// writeTopic writes a topic, with the topics in it.
func (p *page) writeTopic(e event, level int) {
	id := attrOf(e.attrs, "id")
	p.s.topics = append(p.s.topics, id)
	before := p.element
	p.element, p.headed = id, false
	defer func() {
		p.s.topics = p.s.topics[:len(p.s.topics)-1]
		p.element = before
	}()
	root := len(p.s.topics) == 1 && !p.titled
	if root {
		p.noteKind(e)
	}
	p.writeChildren(level+1, func(e event) bool {
		switch {
		case e.name == "title" || e.name == "glossterm":
			n := p.s.gatherRest(e)
			p.setTitle(n, root)
			p.writeHeading(level, n, id)
		case e.name == "titlealts" || e.name == "prolog" || e.name == "metadata":
			if n := p.s.gatherRest(e); root {
				p.readMetadata(n)
			}
		case isTopic[e.name]:
			p.writeTopic(e, level+1)
		case isBody[e.name] || e.name == "abstract" || e.name == "glossdef":
			p.writeWithinElement(e.attrs, func() { p.writeChildren(level+1, nil) })
		case e.name == "related-links":
			p.blockWriter().writeRelatedLinks(p.s.gatherRest(e))
		default:
			return false
		}
		return true
	})
}

// writeHeading writes a heading and its place.
func (p *page) writeHeading(level int, title *node, anchor string) {
	p.placeText(title.line, true)
	p.w.Heading(level, p.inlineOnOneLine(title.kids), anchor)
}

// setTitle sets the page's title from that of its first topic.
func (p *page) setTitle(n *node, root bool) {
	if !root || p.titled {
		return
	}
	if t := p.plainWords(n); t != "" {
		p.w.Title(t)
		p.titled = true
	}
}

// writeChildren writes the children of an element that has opened, up to its end. special
// writes those that it returns true of.
func (p *page) writeChildren(level int, special func(event) bool) {
	var run []*node
	for {
		e := p.s.next()
		switch e.kind {
		case says:
			run = append(run, textNode(e))
		case closes, atEnd:
			p.flush(run)
			return
		case opens:
			e.name = baseElement(e)
			if special == nil || !isInline(e.name) || e.name == "prolog" || e.name == "titlealts" || e.name == "metadata" {
				if special != nil && special(e) {
					continue
				}
			}
			if isInline(e.name) && e.name != "image" {
				run = append(run, p.s.gatherRest(e))
				continue
			}
			if !isBlock(e.name) && e.name != "image" {
				n := p.s.gatherRest(e)
				if !hasBlock(n) {
					run = append(run, n)
					continue
				}
				p.flush(run)
				run = nil
				p.blockWriter().writeBlock(n)
				continue
			}
			if len(run) > 0 {
				p.flush(run)
				run = nil
			}
			p.structure(e, level)
		}
	}
}

// hasBlock reports whether an element has blocks in it.
func hasBlock(n *node) bool {
	for _, k := range n.kids {
		if isBlock(k.name) || k.name != "" && hasBlock(k) {
			return true
		}
	}
	return false
}

// structure writes an element of a body.
func (p *page) structure(e event, level int) {
	e.name = baseElement(e)
	switch {
	case isTopic[e.name]:
		p.writeTopic(e, level)
	case isSection[e.name]:
		p.sayLabel()
		from := p.w.Len()
		p.writeSection(e, level)
		if e.name == "prereq" && len(p.s.topics) == 1 && len(p.prereqs) < maxPrereqs {
			p.prereqs = append(p.prereqs, [2]int{from, p.w.Len()})
		}
	case isDivision[e.name] || isBody[e.name]:
		p.writeWithinElement(e.attrs, func() { p.writeChildren(level, nil) })
	case e.name == "steps" || e.name == "steps-unordered" || e.name == "steps-informal":
		p.sayLabel()
		p.writeWithinElement(e.attrs, func() { p.blockWriter().writeSteps(e) })
	case e.name == "parml" || e.name == "dl":
		p.sayLabel()
		p.tableWriter().writeEntries(p.s.gatherRest(e), level)
	default:
		p.sayLabel()
		p.blockWriter().writeBlock(p.s.gatherRest(e))
	}
}

// writeSection writes a section: a titled one has a heading, of others the text says what
// they are.
func (p *page) writeSection(e event, level int) {
	id := attrOf(e.attrs, "id")
	p.label, p.labeled, p.depth = labels[e.name], e.line, level
	p.writeWithinElement(e.attrs, func() {
		inner, begun := level, false
		p.writeChildren(level+1, func(c event) bool {
			if c.name == "title" && !begun {
				anchor := ""
				if id != "" {
					anchor = p.anchorOf(id)
				}
				n := p.s.gatherRest(c)
				p.label, p.headed, begun, inner = "", true, true, level+1
				p.writeHeading(level, n, anchor)
				return true
			}
			if isInline(c.name) || !isBlock(c.name) {
				return false
			}
			begun = true
			p.structure(c, inner)
			return true
		})
	})
	p.label = ""
}

// sayLabel writes the label of a section that begins with other things than a title.
func (p *page) sayLabel() {
	if p.label != "" {
		label := p.label
		p.label = ""
		if p.placeText(p.labeled, true); p.headed {
			p.w.Heading(p.depth, build.TextInline(label), "")
			return
		}
		p.blockWriter().writeBoldLine(p.labeled, build.TextInline(label))
	}
}

// noteKind notes what kind of topic the page is.
func (p *page) noteKind(e event) {
	p.w.AddMetadata("topic type: " + e.name)
	p.meta.TopicType, p.meta.TopicID, p.meta.TopicRev = e.name, attrOf(e.attrs, "id"), attrOf(e.attrs, "rev")
	if rev := attrOf(e.attrs, "rev"); rev != "" {
		p.w.AddMetadata("revision: " + rev)
	}
}

// readMetadata takes what the metadata of a topic say for search.
func (p *page) readMetadata(meta *node) {
	seen := map[string]bool{}
	var walk func(n *node, within string)
	say := func(s string) {
		if s != "" && !seen[s] {
			seen[s] = true
			p.w.AddMetadata(s)
		}
	}
	walk = func(n *node, within string) {
		for _, k := range n.kids {
			switch k.name {
			case "navtitle", "searchtitle", "linktitle", "keyword", "author", "category", "audience", "component", "prodname", "vrm",
				"revised":
				words := p.plainWords(k)
				if k.name == "vrm" {
					words = strings.TrimSpace(k.attribute("version") + " " + k.attribute("release"))
				}
				say(words)
			case "indexterm":
				words := p.indexWords(k)
				if within != "" && words != "" {
					words = within + ": " + words
				}
				if k.firstChild("indexterm") == nil {
					say(words)
				}
				walk(k, words)
			case "titlealt", "metadata", "keywords", "prodinfo", "vrmlist", "critdates", "bookmeta", "topicmeta":
				walk(k, "")
			}
		}
	}
	walk(meta, "")
}

// indexWords are the words of an index term without those in it.
func (p *page) indexWords(n *node) string {
	var own []*node
	for _, k := range n.kids {
		if !strings.HasPrefix(k.name, "index") {
			own = append(own, k)
		}
	}
	return p.wordsOf(own)
}
