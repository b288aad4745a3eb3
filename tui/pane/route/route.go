// Package route is the pane of the kind of question: the kind, what is asked about,
// how sure that is and what tells it, the threshold, and whether the hits are ranked.
// The setting under the cursor can be changed.
//
// It refuses to change a setting itself: that is an intent.
package route

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

// Changed is the intent to give a setting its next value.
type Changed struct{ What string }

// Pane is the pane.
type Pane struct {
	widget.Sheet
	st *style.Styles
}

// New is an empty pane.
func New(st *style.Styles) *Pane {
	p := &Pane{st: st}
	p.SetStyles(st)
	return p
}

// Update moves the cursor, or sends the intent to change the setting under it.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	if what, ok := p.Picked(); ok && msg == tea.Msg(keymap.NextValue) {
		return func() tea.Msg { return Changed{what} }
	}
	return p.Sheet.Update(msg)
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.Of(keymap.NextValue, keymap.RaiseThreshold, keymap.LowerThreshold)...)
}

// SetResult shows the result of a run; req is the request with a person's
// settings.
func (p *Pane) SetResult(res pipeline.Result, req pipeline.Request) {
	w := &widget.Writer{St: p.st, Lead: 16}
	r := res.Phases.Route
	if r == nil {
		w.TextIn(p.st.Dim, "nothing here yet")
		p.SetRows(w.Rows)
		return
	}
	yours := func(set bool) string {
		if set {
			return "  (set by you)"
		}
		return ""
	}
	w.Head("What kind of question it is")
	pick := func(id string) {
		last := &w.Rows[len(w.Rows)-1]
		last.Pick, last.ID = true, id
	}
	w.FieldIn(p.st.Strong, "kind", contract.SceneName(r.Scene)+yours(req.Scene != ""))
	pick(Scene)
	w.Field("asked about", contract.IntentName(r.Intent)+yours(req.Intent != ""))
	pick(Intent)
	st := p.st
	w.Draw(func(width int) []string {
		return gauge(st, "how sure", r.Confidence, yours(req.Confidence != nil), width)
	})
	pick(Confidence)
	w.Draw(func(width int) []string {
		return gauge(st, "threshold", r.RerankerThreshold, yours(req.Threshold != nil), width)
	})
	pick(Threshold)
	on := "on"
	if !r.RerankerEnabled {
		on = "off"
	}
	w.Field("ranking", on+yours(req.Reranker != nil))
	pick(Reranking)
	w.Head("Why")
	if len(r.Evidence) == 0 {
		w.TextIn(p.st.Dim, "no word of the question tells its kind")
	}
	for _, e := range r.Evidence {
		w.Item("•", evidence(e))
	}
	p.SetRows(w.Rows)
}

// evidence is a cue and the kind that it tells, in words: "configure: tutorial".
func evidence(text string) string {
	cue, kind, ok := strings.Cut(text, ": ")
	if !ok {
		return text
	}
	return "“" + cue + "”: " + contract.SceneName(kind)
}

func gauge(st *style.Styles, label string, v float64, note string, width int) []string {
	bar := min(20, max(4, width-30))
	return []string{widget.Cut(st.Dim.Render(widget.Fit(label, 16))+st.Accent.Render(widget.Bar(v, bar))+
		fmt.Sprintf("  %.2f", v)+st.Dim.Render(note), width)}
}
