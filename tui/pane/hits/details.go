package hits

import (
	"fmt"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/widget"
)

// detailLines say why the hit under the cursor was found, and where it stands. They are
// shown below a short list. The figures are the ranking's.
func (p *Pane) detailLines() []string {
	r, ok := p.Selected()
	if !ok {
		return nil
	}
	const lead = 11
	var out []string
	field := func(label, value string, cut func(string, int) string) {
		if value == "" {
			return
		}
		out = append(out, "  "+p.st.Dim.Render(widget.Fit(label, lead))+cut(sanitize.Line(value), p.w-lead-3))
	}
	h := r.Heading
	field("why", r.why, widget.Cut)
	field("found in", contract.LevelName(r.Page.Level), widget.Cut)
	field("page", r.Page.DocSet+"/"+r.Page.FilePath, widget.CutStart)
	if d := h.Deprecated; d != nil {
		field("deprecated", fmt.Sprintf("line %d: %s", d.Line, d.Text), widget.Cut)
	}
	field("also in", strings.Join(r.Page.Also, ", "), widget.Cut)
	field("url", r.Page.URL, widget.CutStart)
	field("section", strings.Join(h.Path, " › "), widget.CutStart)
	field("lines", fmt.Sprintf("%d–%d, the best %d–%d", h.Section[0], h.Section[1], h.Lines[0], h.Lines[1]), widget.Cut)
	switch {
	case r.Out:
		field("state", "left out by you; space includes it again", widget.Cut)
	case r.Dropped && r.Copied:
		field("state", "under the threshold, in the answer because there was room for it", widget.Cut)
	case r.Dropped:
		field("state", "under the threshold, so not in the answer; - lowers the threshold", widget.Cut)
	case r.Page.BelowThreshold:
		field("state", "under the threshold, kept so that there is an answer", widget.Cut)
	case r.Unread:
		field("state", "kept, but not in the answer, which is full", widget.Cut)
	case r.Page.Changed:
		field("state", "the file changed since it was indexed; u in the library (L) updates it", widget.Cut)
	}
	return out
}

// deprecatedMark stands behind the heading of a hit that is deprecated, unless the heading
// says so, or there is no room for both.
func deprecatedMark(r Row, w int) string {
	const mark, least = " deprecated", 20
	if r.Heading.Deprecated == nil || w < len(mark)+least || strings.Contains(strings.ToLower(r.Label), "deprecated") {
		return ""
	}
	return mark
}
