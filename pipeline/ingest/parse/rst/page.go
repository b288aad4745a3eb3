package rst

import (
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/decode"
	"docent/pipeline/text/spacing"
)

// page is what all parts of a page know of each other: names, addresses,
// substitutions.
type page struct {
	opt           parse.Options
	names         map[string]named         // targets by folded name
	labels        map[string]*node         // headings by the labels before them; nil: another block
	substitutions map[string]*substitution // by name
	folded        map[string]*substitution // by folded name
	anonymous     []string                 // addresses of anonymous references, in order
	nextAnon      int
	footnotes     int             // numbered automatically so far
	references    int             // to such footnotes so far
	numbered      map[string]int  // numbers of footnotes with a name, "#name"
	given         map[string]bool // numbers that footnotes have in the source
	expanded      int             // bytes of substitutions that were put in
	highlight     string          // language of literal blocks
	about         []string
	warnings      []string
}

// named is what a name stands for: an address, another name ("name_"), or a place of
// the page.
type named struct {
	address string
	id      string
	weak    bool // a title, which gives way to a label
}

type substitution struct {
	text    string
	literal bool // no markup in it
	open    bool // it is being put in
}

// Limits of substitutions in substitutions.
const (
	maxSubstitutions = 8
	maxExpanded      = 1 << 20 // bytes on one page
	maxIndirect      = 8       // names that stand for names
)

func newPage(opt parse.Options) *page {
	return &page{opt: opt, names: map[string]named{}, labels: map[string]*node{}, substitutions: map[string]*substitution{},
		folded: map[string]*substitution{}, numbered: map[string]int{}, given: map[string]bool{}}
}

// define gives a name an address, unless it has one.
func (p *page) define(name, address string) {
	if name == "" || address == "" {
		return
	}
	if have, ok := p.names[name]; !ok || have.weak {
		p.names[name] = named{address: address}
	}
}

func (p *page) substitute(name, text string, literal bool) {
	s := &substitution{text: text, literal: literal}
	if _, ok := p.substitutions[name]; !ok {
		p.substitutions[name] = s
	}
	if _, ok := p.folded[spacing.Folded(name)]; !ok {
		p.folded[spacing.Folded(name)] = s
	}
}

// substituted is the text of a substitution; false if it is not defined.
func (p *page) substituted(name string, depth int) ([]inline, bool) {
	s := p.substitutions[name]
	if s == nil {
		s = p.folded[spacing.Folded(name)]
	}
	if s == nil || s.open || depth >= maxSubstitutions || p.expanded > maxExpanded {
		return nil, false
	}
	p.expanded += len(s.text) + 1
	if s.literal {
		return []inline{{text: s.text}}, true
	}
	s.open = true
	defer func() { s.open = false }()
	return p.inlines(s.text, depth+1), true
}

// findTarget is where a name leads: an address, or "#id" on the page.
func (p *page) findTarget(name string) (string, bool) {
	name = spacing.Folded(unescape(name))
	for range maxIndirect {
		n, ok := p.names[name]
		switch {
		case !ok:
			return "", false
		case n.id != "":
			return "#" + n.id, true
		}
		next, indirect := strings.CutSuffix(n.address, "_")
		if !indirect || strings.HasSuffix(next, "\\") {
			return n.address, true
		}
		if _, ok := p.names[spacing.Folded(strings.Trim(next, "`"))]; !ok {
			return n.address, true // an address that ends in "_"
		}
		name = spacing.Folded(strings.Trim(next, "`"))
	}
	return "", false
}

// nextAnonymous is the address of the next anonymous reference.
func (p *page) nextAnonymous() (string, bool) {
	if p.nextAnon >= len(p.anonymous) {
		return "", false
	}
	p.nextAnon++
	to := p.anonymous[p.nextAnon-1]
	if name, ok := strings.CutSuffix(to, "_"); ok {
		if found, ok := p.findTarget(strings.Trim(name, "`")); ok {
			return found, true
		}
	}
	return to, true
}

// plainInline is the text of an inline without markup. It uses no anonymous address up.
func (p *page) plainInline(text string) string {
	anon, refs := p.nextAnon, p.references
	defer func() { p.nextAnon, p.references = anon, refs }()
	var b strings.Builder
	for _, in := range p.inlines(text, 0) {
		b.WriteString(in.text)
	}
	return spacing.Single(b.String())
}

// plainLines is as plain, line by line, with its blanks: of a literal block with
// markup.
func (p *page) plainLines(text string) string {
	var b strings.Builder
	for _, in := range p.inlines(text, 0) {
		b.WriteString(in.text)
	}
	return b.String()
}

// footnoteLabel is the label of a footnote as it is shown, or that of a reference to
// one: "[1]". Those that are numbered automatically get their numbers in order.
func (p *page) footnoteLabel(label string, note bool) string {
	name, auto := strings.CutPrefix(label, "#")
	switch {
	case label == "*":
		return "[*]"
	case !auto:
		return "[" + label + "]"
	}
	count := &p.references
	if note {
		count = &p.footnotes
	}
	if name != "" {
		if n, ok := p.numbered[name]; ok {
			return "[" + strconv.Itoa(n) + "]"
		}
	}
	for *count++; p.given[strconv.Itoa(*count)]; *count++ {
	}
	if name != "" {
		p.numbered[name] = *count
	}
	return "[" + strconv.Itoa(*count) + "]"
}

// nameSections gives sections, labels and objects their ids, as docutils does, and
// says what the names of the page stand for.
func (p *page) nameSections(nodes []*node) {
	ids := ids{taken: map[string]bool{}}
	var waiting []*node // labels that name what follows
	walkNodes(nodes, func(n *node) {
		if n.kind != code && n.kind != math && n.kind != footnote && n.kind != field {
			ids.inText(n.text)
		}
		switch n.kind {
		case meta:
			if n.name == "" {
				ids.next()
			} else {
				ids.takeID(makeID(n.name))
			}
			return
		case footnote:
			p.given[n.text] = true
			if makeID(n.text) == "" {
				ids.next()
			} else {
				ids.takeID(makeID(n.text))
			}
		case target:
			if n.name != "" {
				n.ids = []string{ids.takeID(makeID(n.name))}
				p.names[n.name] = named{id: n.ids[0]}
				p.labels[n.name] = nil
				waiting = append(waiting, n)
			}
			return
		case heading:
			plain := p.plainInline(n.text)
			n.ids = []string{ids.takeID(makeID(plain))}
			if name := spacing.Folded(plain); p.names[name] == (named{}) {
				p.names[name] = named{id: n.ids[0], weak: true}
			}
			for _, w := range waiting {
				p.labels[w.name] = n
			}
		case rubric:
			for _, w := range waiting {
				p.labels[w.name] = n
			}
		case object:
			if len(n.kids) == 0 && len(waiting) > 0 {
				return // labels go past what names the same place
			}
		}
		waiting = nil
	})
	p.pointAtSections(nodes)
}

// pointAtSections makes names lead to the anchors that sections have: a section before
// which labels stand has the last of them.
func (p *page) pointAtSections(nodes []*node) {
	last := map[string]string{} // from ids to the anchor of their section
	var waiting []string
	for _, n := range nodes {
		switch {
		case n.kind == meta:
			continue
		case n.kind == target || n.kind == object && len(n.kids) == 0:
			waiting = append(waiting, n.ids...)
			continue
		case n.kind == heading:
			anchor := n.ids[0]
			for _, id := range waiting {
				if !strings.HasPrefix(id, "module-") && id != "" {
					anchor = id
				}
			}
			for _, id := range append(waiting, n.ids[0]) {
				last[id] = anchor
			}
		}
		waiting = nil
	}
	for name, n := range p.names {
		if to, ok := last[n.id]; ok && n.id != "" {
			n.id = to
			p.names[name] = n
		}
	}
}

// toUTF8 makes text of bytes: UTF-8, or UTF-16 with a byte order mark.
func toUTF8(src []byte) string {
	if wide, _, ok := decode.DecodeUTF16(src); ok {
		return string(wide)
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(src), "\ufeff"), "\ufffd")
}

// mostQuoted is the most bytes of a text that a warning quotes.
const mostQuoted = 80
