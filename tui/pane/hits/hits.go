// Package hits is the pane of the sections that were found: best first, each with its
// match; below them those under the threshold.
//
// It refuses to search, to rerank and to show a page's text. It tells which hit is
// under the cursor, and sends intents to open a hit or to exclude its page.
//
// Terms. A row is one heading; the first row of a page shows the page's title. A
// section is excluded alone, or with its page.
package hits

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Row is one heading of one page.
type Row struct {
	Page    contract.Result
	Heading contract.Heading
	Label   string // the heading, with the one above it where a page has two alike; clean; "" where it is the page's title
	First   bool   // the first row of its page
	Out     bool   // excluded by a person
	Dropped bool   // under the threshold
	Unread  bool   // kept, but it does not stand in the block
	Copied  bool   // it stands in the block

	n   int    // place among the best first
	why string // why it was found, in one sentence; "" before SetAll
}

// Hit names the row's page.
func (r Row) Hit() pipeline.Hit {
	return pipeline.PageOf(r.Page)
}

// Section names the row's section.
func (r Row) Section() pipeline.Hit { return pipeline.SectionOf(r.Page, r.Heading) }

// titleOfRow is the page and the heading, clean.
func (r Row) titleOfRow() string {
	title := sanitize.Line(r.Page.PageTitle)
	if name := HeadingName(r.Heading); name != title && name != "" {
		title += " › " + name
	}
	return title
}

func (r Row) isSameRow(o Row) bool {
	return r.Hit() == o.Hit() && r.Heading.Text == o.Heading.Text && r.Heading.Section == o.Heading.Section
}

// Toggled is the intent to exclude the row's section or page, or to include it again.
type Toggled struct {
	Row  Row
	Page bool // the page, whatever the extent of the block
}

// Opened is the intent to open the hit's section in the reader.
type Opened struct{}

// Pane is the pane.
type Pane struct {
	st      *style.Styles
	rows    []Row
	oneSet  bool    // all rows are of one doc set
	setW    int     // columns of the longest doc set's name
	best    float64 // highest first-stage score, for bars where nothing is reranked
	ranked  bool    // some rows have a match
	ran     bool
	begun   bool   // a run goes on that has no hits yet
	failed  bool   // a run failed before there were hits
	wrong   string // why; clean
	cursor  int
	top     int
	w, h    int
	focused bool
	sort    Order
	hint    string // shown before a question has been run
	folded  bool   // what is under the threshold and not in the block is one line
	notice  string // above the rows: probably no answer; clean
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st} }

// SetHint sets the text that is shown before the first question: lines of clean
// text, which are wrapped.
func (p *Pane) SetHint(text string) { p.hint = text }

// Begin marks the start of a run. Without hits of the question before, the pane says that
// sections are being looked for, until SetResult.
func (p *Pane) Begin() { p.begun = true }

// SetResult shows a run's hits. With keep the cursor stays on its hit, if that was
// found again; otherwise it goes to the best one.
func (p *Pane) SetResult(res pipeline.Result, exclude []pipeline.Hit, keep bool) {
	old, had := p.Selected()
	p.rows, p.best, p.setW, p.ranked = nil, 0, 7, false
	p.ran = res.Phases.Search != nil
	p.begun, p.failed, p.wrong = false, !p.ran && res.Query != "", ""
	p.notice = ""
	var kept []contract.Result
	switch {
	case res.Phases.Rerank != nil:
		kept = res.Phases.Rerank.Results
	case res.Phases.Search != nil:
		kept = res.Phases.Search.Results
	}
	seen := map[string]bool{}
	add := func(r contract.Result, dropped bool) {
		first := true
		for _, h := range r.Headings {
			id := placeText(r, h)
			if seen[id] {
				continue
			}
			seen[id] = true
			row := Row{Page: r, Heading: h, First: first, Dropped: dropped, n: len(p.rows)}
			row.Out = pipeline.Request{Exclude: exclude}.Excludes(row.Section())
			in := isInBlock(res, row)
			row.Unread = !dropped && !in
			row.Copied = in && res.Final != "" && (!dropped || res.Size().Sections > 0)
			p.rows = append(p.rows, row)
			p.best, p.ranked = max(p.best, h.Score), p.ranked || h.RerankSim != nil
			p.setW = max(p.setW, widget.Width(sanitize.Line(r.DocSet)))
			first = false
		}
	}
	for _, r := range kept {
		add(r, r.Listed)
	}
	if res.Phases.Rerank != nil && res.Phases.Search != nil {
		for _, r := range res.Phases.Search.Results {
			add(r, true)
		}
	}
	p.rankRows()
	p.sortRows()
	p.labelRows()
	p.folded = p.folded || !keep
	if r := res.Phases.Rerank; r != nil && r.Unanswered && len(p.rows) > 0 {
		p.notice = "! probably not in your documentation; nearest: " + p.rows[0].titleOfRow()
	}
	p.cursor = 0
	if keep && had {
		if i := slices.IndexFunc(p.rows, old.isSameRow); i >= 0 {
			p.cursor = i
		}
	}
	p.moveCursor(0)
}

// SetFailure says why the run failed. The whole message is shown where the hits would be.
func (p *Pane) SetFailure(text string) { p.wrong = sanitize.Line(text) }

// Rows are the rows in their order.
func (p *Pane) Rows() []Row { return p.rows }

// labelRows sets the rows' names. A heading that a page repeats ("Configuration" under
// every feature) is shown with the heading above it.
func (p *Pane) labelRows() {
	type place struct {
		hit  pipeline.Hit
		name string
	}
	count := map[place]int{}
	for _, r := range p.rows {
		count[place{r.Hit(), HeadingName(r.Heading)}]++
	}
	p.oneSet = len(p.rows) > 0
	for i := range p.rows {
		r := &p.rows[i]
		r.Label = HeadingName(r.Heading)
		if path := r.Heading.Path; count[place{r.Hit(), r.Label}] > 1 && len(path) > 1 {
			r.Label += " (" + sanitize.Line(path[len(path)-2]) + ")"
		}
		if r.First && r.Label == sanitize.Line(r.Page.PageTitle) {
			r.Label = "" // the page's own heading: once is enough
		}
		p.oneSet = p.oneSet && r.Page.DocSet == p.rows[0].Page.DocSet
	}
}

// Info is the right end of the frame: how many hits are kept, and the doc set if
// all hits are of one, which has no column then.
func (p *Pane) Info() string {
	if len(p.rows) == 0 {
		return ""
	}
	kept, all := p.Count()
	info, short := fmt.Sprintf("%d of %s kept", kept, widget.Count(all, "section")), fmt.Sprintf("%d of %d kept", kept, all)
	if p.isUnsure() {
		for _, r := range p.rows {
			if r.Dropped && r.Copied && !r.Out { // there was room for it
				kept++
			}
		}
		short = fmt.Sprintf("the best %d of %d", kept, all)
		info = "not sure: " + short
	}
	if r, ok := p.Selected(); ok && !p.oneSet && p.columnWidths().set == 0 {
		info = short + " · " + docSetName(r.Page.DocSet, max(9, p.w/3))
	}
	if p.sort != bestFirst {
		info += " · " + p.sort.String()
	}
	if p.oneSet {
		info += " · " + sanitize.Line(p.rows[0].Page.DocSet)
	}
	return info
}

// isUnsure reports whether all rows that are kept are under the threshold.
func (p *Pane) isUnsure() bool {
	return !slices.ContainsFunc(p.rows, func(r Row) bool { return !r.Out && !r.Dropped && !r.Page.BelowThreshold })
}

// Selected is the row under the cursor; false if none.
func (p *Pane) Selected() (Row, bool) {
	if p.cursor >= len(p.rows) {
		return Row{}, false
	}
	return p.rows[p.cursor], true
}

// Count says how many rows are kept and how many there are.
func (p *Pane) Count() (kept, all int) {
	for _, r := range p.rows {
		if !r.Out && !r.Dropped {
			kept++
		}
	}
	return kept, len(p.rows)
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.moveCursor(0)
}

// SetFocused reports whether the pane has the keyboard.
func (p *Pane) SetFocused(f bool) { p.focused = f }

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.BindingsOf(keymap.Toggle, keymap.TogglePage, keymap.Open, keymap.Sort)...)
}

// Click puts the cursor on the hit of a line, and reports whether there is one.
func (p *Pane) Click(y int) bool {
	i := p.top + y - p.headLineCount()
	if y < p.headLineCount() || i >= len(p.rows) {
		return false
	}
	if i >= p.seenRows() {
		p.folded = false
		return false
	}
	p.moveCursor(i - p.cursor)
	return true
}

// headLineCount is the number of lines above the rows: the notice and the column titles. A
// short list has neither.
func (p *Pane) headLineCount() int {
	switch {
	case p.h < 4:
		return 0
	case p.noticeLines():
		return 2
	}
	return 1
}

func (p *Pane) noticeLines() bool { return p.notice != "" && p.h >= 5 }

func (p *Pane) moveCursor(d int) {
	p.cursor = min(max(0, p.cursor+d), max(0, len(p.rows)-1))
	seen := p.seenRows()
	if p.cursor >= seen { // one goes on behind the last that is kept
		p.folded, seen = false, len(p.rows)
	}
	lines := seen
	if seen < len(p.rows) {
		lines++
	}
	n := max(1, p.h-p.headLineCount())
	p.top = min(p.top, p.cursor)
	p.top = max(p.top, p.cursor-n+1)
	p.top = max(0, min(p.top, lines-n))
}

// Update moves the cursor, or hands an intent to the root.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	a, ok := msg.(keymap.Action)
	if !ok {
		return nil
	}
	if d, ok := widget.CursorSteps(a, len(p.rows), p.h-p.headLineCount()); ok {
		p.moveCursor(d)
		return nil
	}
	switch a {
	case keymap.Toggle, keymap.TogglePage:
		if r, ok := p.Selected(); ok {
			return func() tea.Msg { return Toggled{Row: r, Page: a == keymap.TogglePage} }
		}
	case keymap.Open:
		if _, ok := p.Selected(); ok {
			return func() tea.Msg { return Opened{} }
		}
	}
	return nil
}

// columns are the widths of a row's parts; 0 leaves a part out.
type columns struct{ bar, match, text, set int }

func (p *Pane) columnWidths() columns {
	c := columns{bar: 6, match: 5}
	switch {
	case p.w >= 100:
		c.bar, c.set = 10, min(26, p.setW)
	case p.w >= 66:
		c.set = min(18, p.setW)
	case p.w < 44:
		c.bar = 0
	case p.w < 56:
		c.bar = 4
	}
	if p.oneSet {
		c.set = 0
	}
	used := 5 // cursor, mark, and a column free at the right
	for _, n := range []int{c.bar, c.match, c.set} {
		if n > 0 {
			used += n + 1
		}
	}
	c.text = max(1, p.w-used)
	return c
}

// View is the list.
func (p *Pane) View() string {
	if len(p.rows) == 0 {
		text, look := p.hint, p.st.Plain
		if p.failed || p.ran || p.begun {
			look = p.st.Dim
		}
		switch {
		case p.begun:
			text = "sections that answer are being looked for …"
		case p.failed:
			text = "there are no hits: the search did not come this far"
			if p.wrong != "" {
				text, look = p.wrong, p.st.Bad
			}
		case p.ran:
			text = "nothing was found: try other words, or more doc sets (d)"
		}
		var out []string
		for part := range strings.SplitSeq(text, "\n") {
			for _, l := range widget.Wrap(part, max(1, p.w-4)) {
				out = append(out, "  "+look.Render(l))
			}
		}
		out = out[:min(len(out), max(1, p.h))]
		return strings.Join(out, "\n")
	}
	c := p.columnWidths()
	title := widget.Spaces(4)
	if c.bar > 0 {
		title += widget.Spaces(c.bar + 1)
	}
	title += widget.Fit("match", c.match+1) + widget.Fit("page › section", c.text)
	if c.set > 0 {
		title += " " + widget.Fit("doc set", c.set)
	}
	var out []string
	if p.noticeLines() {
		out = append(out, p.st.Warn.Render(widget.Fit(" "+p.notice, p.w)))
	}
	if p.headLineCount() > 0 {
		out = append(out, p.st.Dim.Render(widget.Fit(title, p.w)))
	}
	seen := p.seenRows()
	for i := p.top; i < seen && len(out) < p.h; i++ {
		out = append(out, p.drawRow(i, c))
	}
	if n := len(p.rows) - seen; n > 0 && len(out) < p.h {
		out = append(out, p.st.Dim.Render(widget.Cut("    "+belowThreshold(n)+": ↓ shows them", p.w-1)))
	}
	if d := p.detailLines(); len(out)+len(d)+1 <= p.h {
		for len(out)+len(d) < p.h {
			out = append(out, "")
		}
		out = append(out, d...)
	}
	return strings.Join(out, "\n")
}

func (p *Pane) drawRow(i int, c columns) string {
	r := p.rows[i]
	none := style.Style{}
	markSt, barSt, simSt, pageSt, headSt, dim := p.st.Warn, p.st.Accent, p.st.Plain, p.st.Strong, p.st.Plain, p.st.Dim
	whole := none
	if r.Dropped {
		barSt, simSt, pageSt, headSt = p.st.Dim, p.st.Dim, p.st.Dim, p.st.Dim
	}
	if r.Out {
		markSt, barSt, simSt, pageSt, headSt = p.st.Bad, p.st.Dim, p.st.Dim, p.st.Struck, p.st.Struck
	}
	cursor := "  "
	if i == p.cursor {
		cursor, whole = "▸ ", p.st.Resting
		if p.focused {
			whole = p.st.Selected
		}
		markSt, barSt, simSt, pageSt, headSt, dim = none, none, none, none, none, none
	}

	// All bars have one scale: that of the match or, where nothing was ranked, of the
	// search's score.
	bar, sim := widget.Spaces(c.bar), "   –"
	if s := r.Heading.RerankSim; s != nil {
		bar, sim = widget.ScoreBar(*s, c.bar), fmt.Sprintf("%.2f", *s)
	} else if !p.ranked && p.best > 0 {
		bar = widget.ScoreBar(r.Heading.Score/p.best, c.bar)
	}
	var b strings.Builder
	b.WriteString(cursor)
	b.WriteString(markSt.Render(r.Mark()))
	b.WriteByte(' ')
	if c.bar > 0 {
		b.WriteString(barSt.Render(bar))
		b.WriteByte(' ')
	}
	b.WriteString(simSt.Render(widget.Fit(sim, c.match)))
	b.WriteByte(' ')
	mark := deprecatedMark(r, c.text)
	b.WriteString(p.textOfRow(r, i, c.text-widget.Width(mark), pageSt, headSt, dim))
	b.WriteString(markSt.Render(mark))
	if c.set > 0 {
		b.WriteByte(' ')
		b.WriteString(dim.Render(widget.Fit(docSetName(r.Page.DocSet, c.set), c.set)))
	}
	line := widget.Fit(b.String(), p.w)
	if whole != none {
		return whole.Render(line)
	}
	return line
}

// docSetName is a doc set's name in w columns. The version "latest", which a doc set
// without a version has, is cut off first.
func docSetName(name string, w int) string {
	name = sanitize.Line(name)
	if widget.Width(name) > w {
		name = strings.TrimSuffix(name, "@latest")
	}
	return name
}

// HeadingName is a heading's text without the marks of its level, clean.
func HeadingName(h contract.Heading) string {
	return strings.TrimSpace(strings.TrimLeft(sanitize.Line(h.Text), "#"))
}

// textOfRow is "Page › heading" on the first row of a page and at the top of the
// window, and the heading alone below.
func (p *Pane) textOfRow(r Row, i, w int, pageSt, headSt, dim style.Style) string {
	heading := r.Label
	if !r.First && i != p.top {
		return dim.Render("  └ ") + headSt.Render(widget.Fit(heading, max(0, w-4)))
	}
	title := sanitize.Line(r.Page.PageTitle)
	if heading == "" {
		return pageSt.Render(widget.Fit(title, w))
	}
	title = widget.TitleBeside(title, heading, w-3)
	left := w - widget.Width(title) - 3
	if left < 1 {
		return pageSt.Render(widget.Fit(title, w))
	}
	return pageSt.Render(title) + dim.Render(" › ") + headSt.Render(widget.Fit(heading, left))
}
