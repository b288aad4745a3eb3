// Package phase has the panes of the phases whose result is a sheet of rows: the
// queries, the kind of the question, the scope, the pages that were read, the cuts and
// the answer.
//
// A pane is a function that writes the rows of a result, and the keys that it has
// besides scrolling. To add the pane of a phase, write that function in a file of its
// own, with a constructor that calls newPane; add a row to the table of phases in
// tui/running and a story to cmd/internal/dev/storybook. Where rows can be picked, a
// type that embeds Pane says what is under the cursor.
//
// It refuses to run anything, to change a setting, and to shorten or change a text: a
// change is an intent, sent as a message. The panes of hits and of reranking have
// shapes of their own; they are in tui/pane/hits and tui/pane/rerank.
package phase

import (
	"docent/pipeline"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Pane is the pane of one phase.
type Pane struct {
	widget.Sheet
	st    *style.Styles
	write writeRows
	keys  []keymap.Action // besides those that scroll
	res   pipeline.Result
	req   pipeline.Request
}

// writeRows writes the rows of a result; req is the request with a person's settings.
// It reports whether the phase has a result.
type writeRows func(w *widget.Writer, res pipeline.Result, req pipeline.Request) bool

// newPane returns a pane without a result.
func newPane(st *style.Styles, write writeRows, keys ...keymap.Action) Pane {
	p := Pane{st: st, write: write, keys: keys}
	p.SetStyles(st)
	return p
}

// SetResult shows the result of a run; req is the request with a person's settings.
func (p *Pane) SetResult(res pipeline.Result, req pipeline.Request) {
	p.res, p.req = res, req
	p.rewriteRows()
}

// rewriteRows makes the rows of the result again.
func (p *Pane) rewriteRows() {
	w := &widget.Writer{St: p.st, Lead: 16}
	if !p.write(w, p.res, p.req) {
		w.WriteTextIn(p.st.Dim, "nothing here yet")
	}
	p.SetRows(w.Rows)
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.BindingsOf(p.keys...)...)
}
