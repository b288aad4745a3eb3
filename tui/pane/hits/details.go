package hits

import (
	"fmt"
	"strings"

	"docent/pipeline/sanitize"
	"docent/tui/widget"
)

// maxParts bounds the parts of a score that are listed.
const maxParts = 6

// details are the place of the hit under the cursor and the parts of its scores.
// They are shown below a short list.
func (p *Pane) details() []string {
	r, ok := p.Selected()
	if !ok {
		return nil
	}
	const lead = 11
	var out []string
	field := func(label, value string) {
		if value == "" {
			return
		}
		out = append(out, "  "+p.st.Dim.Render(widget.Fit(label, lead))+widget.CutStart(sanitize.Line(value), p.w-lead-3))
	}
	h := r.Heading
	field("path", r.Page.DocSet+"/"+r.Page.FilePath)
	field("url", r.Page.URL)
	field("under", strings.Join(h.Path, " › "))
	field("lines", fmt.Sprintf("%d–%d of the section %d–%d", h.Lines[0], h.Lines[1], h.Section[0], h.Section[1]))
	score := fmt.Sprintf("%.3f", h.Score)
	if h.Signals.Lexical > 0 || h.Signals.Semantic > 0 {
		model := ""
		if h.Signals.Model > 0 {
			model = fmt.Sprintf(", model %.3f", h.Signals.Model)
		}
		score += fmt.Sprintf("  (lexical %.3f, semantic %.3f%s)", h.Signals.Lexical, h.Signals.Semantic, model)
	}
	field("score", score)
	if h.RerankSim != nil {
		field("similarity", fmt.Sprintf("%.3f", *h.RerankSim))
	}
	switch {
	case r.Out:
		field("state", "left out by you; space takes it in again")
	case r.Dropped:
		field("state", "under the threshold; - lowers it")
	case r.Page.BelowThreshold:
		field("state", "below the threshold, kept so that there is an answer")
	case r.Unread:
		field("state", "kept, and not in the block: others are better, and it is full")
	case r.Page.Changed:
		field("state", "the file changed since it was indexed; run docent update")
	}
	if e := h.Explain; e != nil {
		for i, part := range e.Rerank {
			if i == maxParts {
				break
			}
			label := ""
			if i == 0 {
				label = "why"
			}
			out = append(out, "  "+p.st.Dim.Render(widget.Fit(label, lead))+
				widget.Cut(fmt.Sprintf("%+.3f  %s", part.Value, sanitize.Line(part.Name)), p.w-lead-3))
		}
	}
	return out
}
