package phase

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

// QueriesChanged is the intent to search by these queries instead; none means those of
// phase 0a.
type QueriesChanged struct {
	Queries []contract.OptimizedQuery
	What    string
}

// own is the reason of a query that a person wrote.
const own = "edited"

// Optimize is the pane of the queries: the text that is searched for, each query with
// its reason, and how the question was understood. A person can edit, add, drop and
// reorder the queries.
type Optimize struct {
	Pane
	queries []contract.OptimizedQuery
	changed bool // the queries are a person's
}

// NewOptimize returns the pane without a result.
func NewOptimize(st *style.Styles) *Optimize {
	p := &Optimize{}
	p.Pane = newPane(st, p.writeQueries, keymap.EditQuery, keymap.AddQuery, keymap.DropQuery,
		keymap.QueryUp, keymap.QueryDown, keymap.OwnQueries)
	return p
}

func (p *Optimize) writeQueries(w *widget.Writer, res pipeline.Result, req pipeline.Request) bool {
	o := res.Phases.Optimize
	p.queries, p.changed = nil, false
	if o == nil {
		return false
	}
	p.queries, p.changed = o.OptimizedQueries, len(req.Queries) > 0
	a := o.QueryAnalysis
	head := "Queries, best first"
	if p.changed {
		head += "  (set by you; o brings docent's own back)"
	}
	w.WriteHead(head)
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
	w.WriteHead("How the question was understood")
	sets := strings.Join(a.DocSet, ", ")
	if sets == "" {
		sets = "none is named: all are searched"
	}
	w.Field("doc sets", sets)
	w.Field("subject", strings.Join(a.DomainNouns, ", "))
	w.Field("what to do", strings.Join(a.PredicateVerbs, ", "))
	w.Field("language", languageName(a.Language))
	return true
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
	case "pt":
		return "Portuguese"
	case "it":
		return "Italian"
	case "ko":
		return "Korean"
	}
	return code
}

// Selected is the query under the cursor and its index.
func (p *Optimize) Selected() (q contract.OptimizedQuery, i int, ok bool) {
	id, ok := p.Picked()
	if i, err := strconv.Atoi(id); ok && err == nil && i < len(p.queries) {
		return p.queries[i], i, true
	}
	return contract.OptimizedQuery{}, 0, false
}

// EditQuery sends the intent to change the text of a query; an empty text drops it.
func (p *Optimize) EditQuery(i int, text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if i >= len(p.queries) || text == p.queries[i].Query {
		return nil
	}
	if text == "" {
		return p.dropQuery(i)
	}
	qs := slices.Clone(p.queries)
	qs[i] = contract.OptimizedQuery{Query: text, Strategy: qs[i].Strategy, Reason: own}
	return queriesChanged(qs, "query "+strconv.Itoa(i+1)+": "+text)
}

// Add sends the intent to add a query behind the cursor.
func (p *Optimize) Add(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	_, i, ok := p.Selected()
	if ok {
		i++
	}
	qs := slices.Insert(slices.Clone(p.queries), i, contract.OptimizedQuery{Query: text, Strategy: "expansion", Reason: own})
	return queriesChanged(qs, "query added: "+text)
}

func (p *Optimize) dropQuery(i int) tea.Cmd {
	if len(p.queries) == 1 {
		return queriesChanged(nil, "docent's own queries: the last one cannot be dropped")
	}
	return queriesChanged(slices.Delete(slices.Clone(p.queries), i, i+1), "query dropped: "+p.queries[i].Query)
}

func queriesChanged(qs []contract.OptimizedQuery, what string) tea.Cmd {
	for i := range qs {
		qs[i].Rank = i + 1
	}
	return func() tea.Msg { return QueriesChanged{qs, what} }
}

// Update moves the cursor, and sends the intents of the changes that need no
// typing.
func (p *Optimize) Update(msg tea.Msg) tea.Cmd {
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
		return queriesChanged(qs, "query moved "+how+": "+q.Query)
	}
	switch a {
	case keymap.DropQuery:
		return p.dropQuery(i)
	case keymap.QueryUp:
		return move(i-1, "up")
	case keymap.QueryDown:
		return move(i+1, "down")
	case keymap.OwnQueries:
		if !p.changed {
			return nil
		}
		return queriesChanged(nil, "docent's own queries")
	}
	return p.Sheet.Update(msg)
}
