package phase

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// The settings that can be changed: the rows on which the cursor can stand.
const (
	Scene      = "scene"
	Intent     = "intent"
	Confidence = "confidence"
	Threshold  = "threshold"
	Reranking  = "reranking"
)

// SettingChanged is the intent to give a setting its next value.
type SettingChanged struct{ What string }

// Route is the pane of the kind of question: the kind, the subject of the question, how sure
// that is and why, the threshold, and whether the hits are ranked. The setting under
// the cursor can be changed.
type Route struct{ Pane }

// NewRoute returns the pane without a result.
func NewRoute(st *style.Styles) *Route {
	return &Route{newPane(st, writeRoute, keymap.NextValue, keymap.RaiseThreshold, keymap.LowerThreshold)}
}

// Update moves the cursor, or sends the intent to change the setting under it.
func (p *Route) Update(msg tea.Msg) tea.Cmd {
	if what, ok := p.Picked(); ok && msg == tea.Msg(keymap.NextValue) {
		return func() tea.Msg { return SettingChanged{what} }
	}
	return p.Sheet.Update(msg)
}

func writeRoute(w *widget.Writer, res pipeline.Result, req pipeline.Request) bool {
	r := res.Phases.Route
	if r == nil {
		return false
	}
	yours := func(set bool) string {
		if set {
			return "  (set by you)"
		}
		return ""
	}
	w.WriteHead("What kind of question it is")
	pick := func(id string) {
		last := &w.Rows[len(w.Rows)-1]
		last.Pick, last.ID = true, id
	}
	w.WriteFieldIn(w.St.Strong, "kind", contract.SceneName(r.Scene)+yours(req.Scene != ""))
	pick(Scene)
	w.Field("asked about", contract.IntentName(r.Intent)+yours(req.Intent != ""))
	pick(Intent)
	st := w.St
	w.Draw(func(width int) []string {
		return gaugeLines(st, "how sure", r.Confidence, yours(req.Confidence != nil), width)
	})
	pick(Confidence)
	w.Draw(func(width int) []string {
		return gaugeLines(st, "threshold", r.RerankerThreshold, yours(req.Threshold != nil), width)
	})
	pick(Threshold)
	on := "on"
	if !r.RerankerEnabled {
		on = "off"
	}
	w.Field("ranking", on+yours(req.Reranker != nil))
	pick(Reranking)
	w.WriteHead("Why")
	if len(r.Evidence) == 0 {
		w.WriteTextIn(w.St.Dim, "no word of the question tells its kind")
	}
	for _, e := range r.Evidence {
		w.WriteItem("•", evidenceText(e))
	}
	return true
}

// evidenceText is a cue and the kind that it tells, in words: "configure: tutorial".
func evidenceText(text string) string {
	cue, kind, ok := strings.Cut(text, ": ")
	if !ok {
		return text
	}
	return "“" + cue + "”: " + contract.SceneName(kind)
}

func gaugeLines(st *style.Styles, label string, v float64, note string, width int) []string {
	bar := min(20, max(4, width-30))
	return []string{widget.Cut(st.Dim.Render(widget.Fit(label, 16))+st.Accent.Render(widget.ScoreBar(v, bar))+
		fmt.Sprintf("  %.2f", v)+st.Dim.Render(note), width)}
}
