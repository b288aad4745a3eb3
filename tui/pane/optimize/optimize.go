// Package optimize is the pane of the queries: what is searched for, each query with
// its reason, and how the question was understood. A person can edit, add,
// drop and reorder the queries.
//
// It refuses to run anything: a change is an intent.
package optimize

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Changed is the intent to search by these queries instead; none means those of
// phase 0a.
type Changed struct {
	Queries []contract.OptimizedQuery
	What    string
}

// own is the reason of a query that a person wrote.
const own = "edited"

// Pane is the pane.
type Pane struct {
	widget.Sheet
	st      *style.Styles
	queries []contract.OptimizedQuery
	changed bool // the queries are a person's
}

// New is an empty pane.
func New(st *style.Styles) *Pane {
	p := &Pane{st: st}
	p.SetStyles(st)
	return p
}

// SetResult shows the result of a run; req is the request with a person's
// settings.
func (p *Pane) SetResult(res pipeline.Result, req pipeline.Request) {
	w := &widget.Writer{St: p.st, Lead: 16}
	o := res.Phases.Optimize
	p.queries, p.changed = nil, false
	if o == nil {
		w.TextIn(p.st.Dim, "nothing here yet")
		p.SetRows(w.Rows)
		return
	}
	p.queries, p.changed = o.OptimizedQueries, len(req.Queries) > 0
	a := o.QueryAnalysis
	head := "Queries, best first"
	if p.changed {
		head += "  (set by you; o brings docent's own back)"
	}
	w.Head(head)
	for i, q := range p.queries {
		why := cmp.Or(q.Reason, q.Strategy)
		st, dim, text := p.st.Strong, p.st.Dim, sanitize.Line(q.Query)
		lead := p.st.Accent.Render(widget.FitLeft(strconv.Itoa(i+1), 2)) + "  "
		why = sanitize.Line(why)
		w.Rows = append(w.Rows, widget.Row{Pick: true, ID: strconv.Itoa(i), Draw: func(width int) []string {
			var out []string
			for k, l := range widget.Wrap(text, max(1, width-4)) {
				if k == 0 {
					out = append(out, lead+st.Render(l))
				} else {
					out = append(out, "    "+st.Render(l))
				}
			}
			for _, l := range widget.Wrap(why, max(1, width-4)) {
				out = append(out, "    "+dim.Render(l))
			}
			return out
		}})
	}
	w.Head("How the question was understood")
	sets := strings.Join(a.DocSet, ", ")
	if sets == "" {
		sets = "none is named: all are searched"
	}
	w.Field("doc sets", sets)
	w.Field("subject", strings.Join(a.DomainNouns, ", "))
	w.Field("what to do", strings.Join(a.PredicateVerbs, ", "))
	w.Field("language", languageName(a.Language))
	p.SetRows(w.Rows)
}

// languageName is a language's name; others than those that are translated keep their
// code.
func languageName(code string) string {
	switch code {
	case "en":
		return "English"
	case "zh":
		return "Chinese"
	case "ja":
		return "Japanese"
	case "de":
		return "German"
	case "ru":
		return "Russian"
	case "fr":
		return "French"
	case "es":
		return "Spanish"
	}
	return code
}

// Selected is the query under the cursor and its index.
func (p *Pane) Selected() (q contract.OptimizedQuery, i int, ok bool) {
	id, ok := p.Picked()
	if i, err := strconv.Atoi(id); ok && err == nil && i < len(p.queries) {
		return p.queries[i], i, true
	}
	return contract.OptimizedQuery{}, 0, false
}

// Edit sends the intent to change the text of a query; an empty text drops it.
func (p *Pane) Edit(i int, text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if i >= len(p.queries) || text == p.queries[i].Query {
		return nil
	}
	if text == "" {
		return p.drop(i)
	}
	qs := slices.Clone(p.queries)
	qs[i] = contract.OptimizedQuery{Query: text, Strategy: qs[i].Strategy, Reason: own}
	return changed(qs, "query "+strconv.Itoa(i+1)+": "+text)
}

// Add sends the intent to add a query behind the cursor.
func (p *Pane) Add(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	_, i, ok := p.Selected()
	if ok {
		i++
	}
	qs := slices.Insert(slices.Clone(p.queries), i, contract.OptimizedQuery{Query: text, Strategy: "expansion", Reason: own})
	return changed(qs, "query added: "+text)
}

func (p *Pane) drop(i int) tea.Cmd {
	if len(p.queries) == 1 {
		return changed(nil, "docent's own queries: the last one cannot be dropped")
	}
	return changed(slices.Delete(slices.Clone(p.queries), i, i+1), "query dropped: "+p.queries[i].Query)
}

func changed(qs []contract.OptimizedQuery, what string) tea.Cmd {
	for i := range qs {
		qs[i].Rank = i + 1
	}
	return func() tea.Msg { return Changed{qs, what} }
}

// Update moves the cursor, and sends the intents of the changes that need no
// typing.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	a, ok := msg.(keymap.Action)
	q, i, has := p.Selected()
	if !ok || !has {
		return p.Sheet.Update(msg)
	}
	move := func(to int, how string) tea.Cmd {
		if to < 0 || to >= len(p.queries) {
			return nil
		}
		qs := slices.Clone(p.queries)
		qs[i], qs[to] = qs[to], qs[i]
		p.Pick(strconv.Itoa(to)) // the cursor goes along
		return changed(qs, "query moved "+how+": "+q.Query)
	}
	switch a {
	case keymap.DropQuery:
		return p.drop(i)
	case keymap.QueryUp:
		return move(i-1, "up")
	case keymap.QueryDown:
		return move(i+1, "down")
	case keymap.OwnQueries:
		if !p.changed {
			return nil
		}
		return changed(nil, "docent's own queries")
	}
	return p.Sheet.Update(msg)
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.Of(keymap.EditQuery, keymap.AddQuery, keymap.DropQuery, keymap.QueryUp, keymap.QueryDown, keymap.OwnQueries)...)
}
