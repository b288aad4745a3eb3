package rst

import (
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/decode"
	"docent/pipeline/ingest/parse/rst/inline"
	"docent/pipeline/ingest/parse/rst/sphinx"
	"docent/pipeline/text/spacing"
)

// page is what all parts of a page know of each other.
type page struct {
	*inline.Names
	opt       parse.Options
	highlight string // language of literal blocks
	about     []string
	warnings  []string
	project   *sphinx.Project // nil: not read yet
	domain    string          // of directives without one, by the page

	aroundRead bool // of the project
}

func newPage(opt parse.Options) *page {
	p := &page{opt: opt}
	p.Names = inline.NewNames(p)
	return p
}

// nameSections gives sections, labels and objects their ids, as docutils does, and
// says what the names of the page stand for.
func (p *page) nameSections(nodes []*node) {
	ids := inline.NewIDs()
	var waiting []*node // labels that name what follows
	walkNodes(nodes, func(n *node) {
		if n.kind != code && n.kind != math && n.kind != footnote && n.kind != field {
			ids.TakeInText(n.text, func(name, id string) { p.Define(spacing.Folded(inline.Unescape(name)), "#"+id) })
		}
		switch n.kind {
		case meta:
			if n.name == "" {
				ids.Next()
			} else {
				ids.Take(inline.MakeID(n.name))
			}
			return
		case footnote:
			p.ReserveFootnote(n.text)
			if inline.MakeID(n.text) == "" {
				ids.Next()
			} else {
				ids.Take(inline.MakeID(n.text))
			}
		case target:
			if n.name != "" {
				n.ids = []string{ids.Take(inline.MakeID(n.name))}
				p.DefinePlace(n.name, n.ids[0])
				waiting = append(waiting, n)
			}
			return
		case heading:
			plain := p.PlainText(n.text)
			n.ids = []string{ids.Take(inline.MakeID(plain))}
			p.DefineTitle(plain, n.ids[0])
			for _, w := range waiting {
				p.TitleLabel(w.name, n.text)
			}
		case rubric:
			for _, w := range waiting {
				p.TitleLabel(w.name, n.text)
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
	p.MoveTargets(last)
}

// toUTF8 makes text of bytes: UTF-8, or UTF-16 with a byte order mark.
func toUTF8(src []byte) string {
	text, _, _ := decode.ToUTF8(src)
	return withoutMark(text)
}

// withoutMark removes the byte order mark from a text and replaces invalid bytes by U+FFFD.
func withoutMark(text []byte) string {
	return strings.ToValidUTF8(strings.TrimPrefix(string(text), "\ufeff"), "\ufffd")
}

// mostQuoted is the most bytes of a text that a warning quotes.
const mostQuoted = 80
