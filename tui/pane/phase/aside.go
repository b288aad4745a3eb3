package phase

import (
	"fmt"

	"docent/pipeline/text/sanitize"
	"docent/tui/widget"
)

// Aside is something that a cited part of the answer requires or warns of, or that is not
// the same in a newer version of its doc set.
type Aside struct {
	Warns bool
	Newer bool
	Text  string
	Where string // the page that says so
}

// AsideKind is a kind of asides.
type AsideKind struct {
	Of   func(Aside) bool
	Head string
	Mark string
}

// AsideKinds are the kinds, in the order in which they are shown.
func AsideKinds() []AsideKind {
	return []AsideKind{
		{func(a Aside) bool { return a.Newer }, "A newer version differs", "~"},
		{func(a Aside) bool { return !a.Warns && !a.Newer }, "It requires", "•"},
		{func(a Aside) bool { return a.Warns }, "It warns of", "!"},
	}
}

// SetAsides shows the asides of the answer between the block and its sources. The cursor
// stays where it is.
func (p *Final) SetAsides(asides []Aside) {
	p.asides = asides
	p.rewriteRows()
}

// writeAsides writes the asides, by their kinds.
func (p *Final) writeAsides(w *widget.Writer) {
	for _, kind := range AsideKinds() {
		n := 0
		for _, a := range p.asides {
			if kind.Of(a) {
				n++
			}
		}
		if n == 0 {
			continue
		}
		w.WriteHead(fmt.Sprintf("%s (%d)", kind.Head, n))
		for _, a := range p.asides {
			if kind.Of(a) {
				w.WriteItem(kind.Mark, sanitize.Line(a.Text))
				w.Rows = append(w.Rows, widget.Row{Lead: "  ", Body: sanitize.Line(a.Where), Style: p.st.Dim})
			}
		}
	}
}
