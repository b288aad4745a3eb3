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

// SetAsides shows the asides of the answer between the block and its sources. The cursor
// stays where it is.
func (p *Final) SetAsides(asides []Aside) {
	p.asides = asides
	p.rewriteRows()
}

// writeAsides writes the asides, by their kinds.
func (p *Final) writeAsides(w *widget.Writer) {
	for _, kind := range []struct {
		of   func(Aside) bool
		head string
		mark string
	}{
		{func(a Aside) bool { return a.Newer }, "A newer version differs", "~"},
		{func(a Aside) bool { return !a.Warns && !a.Newer }, "It requires", "•"},
		{func(a Aside) bool { return a.Warns }, "It warns of", "!"},
	} {
		n := 0
		for _, a := range p.asides {
			if kind.of(a) {
				n++
			}
		}
		if n == 0 {
			continue
		}
		w.WriteHead(fmt.Sprintf("%s (%d)", kind.head, n))
		for _, a := range p.asides {
			if kind.of(a) {
				w.WriteItem(kind.mark, sanitize.Line(a.Text))
				w.Rows = append(w.Rows, widget.Row{Lead: "  ", Body: sanitize.Line(a.Where), Style: p.st.Dim})
			}
		}
	}
}
