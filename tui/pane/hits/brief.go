package hits

import (
	"fmt"
	"strings"

	"docent/pipeline/text/sanitize"
	"docent/tui/widget"
)

// Brief is the list in few columns, for the side of the answer: the sections that are kept
// or stand in the block, in their order below their pages, and how many others there are.
func (p *Pane) Brief(w, h int) string {
	var out []string
	dropped, full := 0, false
	for i, r := range p.rows {
		switch {
		case r.Out:
			continue
		case r.Dropped && !r.Copied:
			dropped++
			continue
		}
		lines := p.briefLines(i, w)
		if full = full || len(out)+len(lines) > h-2; !full {
			out = append(out, lines...)
		}
	}
	if dropped > 0 && len(out) < h {
		out = append(out, p.st.Dim.Render(widget.Cut("  "+belowThreshold(dropped), w)))
	}
	if len(out) > 0 && len(out)+1 < h {
		for len(out) < h-1 {
			out = append(out, "")
		}
		out = append(out, p.st.Dim.Render(widget.Cut(" "+copiedMark+" copied  "+keptMark+" kept, did not fit", w)))
	}
	return strings.Join(out, "\n")
}

// belowThreshold says how many sections are not kept.
func belowThreshold(n int) string { return fmt.Sprintf("%d below the threshold", n) }

// briefLines are a row in few columns: behind its page, where that is another one than
// above.
func (p *Pane) briefLines(i, w int) []string {
	r := p.rows[i]
	mark := p.st.Accent.Render(copiedMark)
	if !r.Copied {
		mark = p.st.Dim.Render(keptMark)
	}
	var out []string
	title := sanitize.Line(r.Page.PageTitle)
	set := ""
	if !p.oneSet {
		set = widget.Cut(docSetName(r.Page.DocSet, w/3), w/3)
	}
	if r.First || i > 0 && p.rows[i-1].Dropped != r.Dropped {
		lead := "  "
		if r.Label == "" {
			lead = mark + " "
		}
		room := max(1, w-4-widget.Width(set)-1)
		out = append(out, widget.Sides(" "+lead+p.st.Strong.Render(widget.Cut(title, room)), p.st.Dim.Render(set)+" ", w))
	}
	if r.Label != "" {
		out = append(out, "   "+mark+" "+widget.Cut(r.Label, max(1, w-5)))
	}
	return out
}

// SetName is the doc set of all rows, "" where they are of several.
func (p *Pane) SetName() string {
	if !p.oneSet || len(p.rows) == 0 {
		return ""
	}
	return sanitize.Line(p.rows[0].Page.DocSet)
}
