package shelf

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"docent/pipeline"
	"docent/pipeline/service/library"
	"docent/pipeline/text/sanitize"
	"docent/tui/widget"
)

// headLines are the lines above the list or the tree.
const headLines = 2

// belowLines are the lines at the foot of the pane: the work and the confirmation.
func belowLines(p *Pane) []string {
	out := p.work.Lines(p.st, p.w)
	if p.confirm != "" {
		text := "forget " + sanitize.Line(p.confirm) + "? Only docent's index of it is removed, its files stay."
		var asked []string
		for _, l := range widget.Wrap(text, max(1, p.w-2)) {
			asked = append(asked, " "+p.st.Warn.Render(l))
		}
		if p.h < headLines+len(out)+len(asked)+3 { // the question matters more than the list; the footer has the keys
			return asked[:min(len(asked), max(0, p.h-1))]
		}
		out = append(out, asked...)
		out = append(out, " "+p.st.Key.Render("y")+p.st.Dim.Render(" forgets it, ")+p.st.Key.Render("esc")+p.st.Dim.Render(" leaves it"))
	}
	if len(out) > 0 {
		out = append([]string{""}, out...)
	}
	return out[:min(len(out), max(0, p.h-headLines-1))]
}

// listHeight is the number of lines of the list or the tree.
func (p *Pane) listHeight() int { return max(1, p.h-headLines-len(belowLines(p))) }

// Title is the frame's title.
func (p *Pane) Title() string {
	if p.open != "" {
		return "Library › " + sanitize.Line(p.open)
	}
	return "Library"
}

// Info is the frame's right end.
func (p *Pane) Info() string {
	switch {
	case p.open != "" && p.tree != nil && p.finding && p.find.Value() != "":
		what := "pages"
		if p.tree.Pages() < len(p.tree.pages) {
			what = "files"
		}
		info := fmt.Sprintf("%d of %d %s", len(p.rows)+len(p.browser().looseRows()), len(p.tree.pages), what)
		if n := len(p.inText); n > 0 {
			info += fmt.Sprintf(", %d in the text", n)
		}
		return info
	case p.open != "" && p.tree != nil:
		info := widget.Count(p.tree.Pages(), "page")
		if n := len(p.tree.pages) - p.tree.Pages(); n > 0 {
			info += fmt.Sprintf(", %s not indexed", widget.Count(n, "file"))
		}
		return info
	case p.open != "":
		return ""
	}
	return CountText(len(p.sets), slices.ContainsFunc(p.sets, IsManual))
}

// CountText is how many doc sets there are, the manual apart from a person's own: that is how
// the header counts, which says what a question searches.
func CountText(n int, manual bool) string {
	if manual && n > 1 {
		return widget.Count(n-1, "doc set") + " and the manual"
	}
	return widget.Count(n, "doc set")
}

// Cursor is the place of the text cursor; false where nothing is typed in.
func (p *Pane) Cursor() (x, y int, ok bool) {
	switch {
	case p.confirm != "":
	case p.form != nil:
		_, x, y = p.addForm().formLines(p.h)
		return x, y, x >= 0 && y < p.h-len(belowLines(p))
	case p.finding:
		_, at := p.find.View(max(1, p.w-8))
		return 7 + at, 0, true
	}
	return 0, 0, false
}

// View is the list, the tree or the form.
func (p *Pane) View() string {
	foot := belowLines(p)
	h := max(1, p.h-len(foot))
	var lines []string
	switch {
	case p.form != nil:
		lines, _, _ = p.addForm().formLines(h)
	case p.open != "":
		lines = p.browser().treeLines()
	default:
		lines = p.setList().listLines()
	}
	if len(lines) > h {
		lines = lines[:h]
	}
	for len(foot) > 0 && len(lines) < h {
		lines = append(lines, "")
	}
	return strings.Join(append(lines, foot...), "\n")
}

// narrowW is the width below which the list does without the times.
const narrowW = 60

func (l setList) listLines() []string {
	p := l.p
	st := p.st
	if !p.loaded {
		return []string{" " + st.Dim.Render("reading the doc sets …")}
	}
	nameW, pagesW, freshW, indexed := max(8, min(44, p.w-53)), 8, 24, "indexed"
	if p.w < narrowW { // the names matter more than when they were indexed
		pagesW, freshW, indexed = 6, 10, ""
		nameW = max(8, p.w-2-pagesW-2-freshW)
	}
	out := []string{st.Dim.Render(widget.Cut("  "+widget.Fit("doc set", nameW)+widget.FitLeft("pages", pagesW)+"  "+widget.Fit("freshness",
		freshW)+indexed, p.w)), ""}
	if len(p.sets) == 0 {
		return append(out, "   "+st.Dim.Render(widget.Cut("no doc sets yet: a adds a folder of documentation", p.w-4)))
	}
	var list []string
	for i, s := range p.sets {
		name := sanitize.Line(s.Ref.Name)
		if IsManual(s) {
			name += ", built in"
		}
		if p.setList().hasNameLine(i) {
			list = append(list, "  "+st.Strong.Render(widget.Cut(name, p.w-3)))
		}
		fresh, look := "✓ fresh", st.Dim
		switch s.Fresh {
		case library.Stale:
			fresh, look = "~ "+ChangesText(s), st.Warn
		case library.Missing:
			fresh, look = "✗ folder missing", st.Bad
			if indexed == "" {
				fresh = "✗ missing"
			}
		}
		if t := troublesText(s); s.Fresh != library.Missing && t != "" {
			fresh, look = "~ "+strings.TrimPrefix(ChangesText(s)+", "+t, ", "), st.Warn
		}
		when := "–"
		switch {
		case indexed == "":
			when = ""
		case !s.Indexed.IsZero():
			when = s.Indexed.Format("2006-01-02 15:04")
		}
		mark := "  "
		if i == p.cursor {
			mark = "▸ "
		}
		switch {
		case p.setList().hasVersions(i):
			name = "  @" + sanitize.Line(s.Ref.Version)
		case !IsManual(s):
			name = sanitize.Line(s.Ref.String())
		}
		name = widget.Fit(widget.Cut(name, nameW), nameW)
		pages := widget.FitLeft(fmt.Sprint(s.Pages), pagesW) + "  "
		fresh = widget.Fit(widget.Cut(sanitize.Line(fresh), freshW-1), freshW)
		if i == p.cursor {
			list = append(list, st.Selected.Render(widget.Fit(mark+name+pages+fresh+when, p.w)))
			continue
		}
		list = append(list, widget.Cut(mark+name+pages+look.Render(fresh)+st.Dim.Render(when), p.w))
	}
	top := min(p.top, max(0, len(list)-1))
	list = list[top:min(len(list), top+p.listHeight())]
	// The path of the doc set under the cursor is shown if a line is left.
	if s, ok := p.Selected(); ok && len(list)+2 <= p.listHeight() {
		list = append(list, "", "   "+st.Dim.Render("folder ")+widget.CutStart(sanitize.Line(s.Root), max(1, p.w-12)))
	}
	return append(out, list...)
}

func (b browser) treeLines() []string {
	p := b.p
	st := p.st
	var head string
	switch {
	case p.finding:
		text, _ := p.find.View(max(1, p.w-8))
		head = " " + st.Dim.Render("find: ") + st.Strong.Render(text)
	default:
		head = " " + st.Dim.Render(widget.Cut("enter reads, l unfolds, h folds, / finds, m marks, esc goes back", p.w-2))
	}
	out := []string{head, ""}
	switch {
	case p.treeErr != "":
		return append(out, p.addForm().errorLines(p.treeErr)...)
	case p.tree == nil:
		return append(out, "   "+st.Dim.Render("reading the pages …"))
	case p.rowCount() == 0 && p.looking:
		return append(out, "   "+st.Dim.Render("looking in the texts …"))
	case p.rowCount() == 0 && p.finding:
		return append(out, "   "+st.Dim.Render(widget.Cut("no page has that in its title, its path or its text", p.w-4)))
	case p.rowCount() == 0:
		return append(out, "   "+st.Dim.Render("it has no pages"))
	}
	flat := p.finding && p.find.Value() != ""
	for k := p.rowTop; k < p.rowCount() && k < p.rowTop+p.listHeight(); k++ {
		if find, ok := b.findAt(k); ok {
			out = append(out, b.textLine(find, k == p.row))
			continue
		}
		out = append(out, b.rowLine(b.nodeAt(k), k == p.row, flat))
	}
	return out
}

// rowLine is one row of the tree. A flat row, of a found page, shows its folder at
// the right.
func (b browser) rowLine(i int, on, flat bool) string {
	p := b.p
	n, st := p.tree.nodes[i], p.st
	indent := 2 * n.depth
	if flat {
		indent = 0
	}
	mark := "  "
	if on {
		mark = "▸ "
	}
	left, right := mark+widget.Spaces(min(indent, p.w/3)), ""
	state, name, look := "", "", st.Plain
	if n.page < 0 && !flat {
		sign := "+ "
		if p.folds[i] {
			sign = "- "
		}
		left += sign
		name = sanitize.Line(n.name)
		if n.index < 0 {
			name += "/"
		}
		right = fmt.Sprint(n.count)
	}
	if n.pageIndex() >= 0 {
		pg := p.tree.pages[n.pageIndex()]
		switch pg.State {
		case library.PageChanged:
			state = "~ changed  "
		case library.PageGone:
			state = "✗ gone  "
		case library.PageFailed:
			state = "✗ failed  "
		case library.PageWaiting:
			state = "… waiting  "
			if pg.BeingRead() {
				state = "… being read  "
			}
		}
		read, marked := p.familiar(p.open, pg.Path)
		if marked {
			state = "★  " + state
		}
		if read {
			look = st.Dim
			state = "read  " + state
		}
		if n.page >= 0 || flat {
			left += "  "
			name = sanitize.Line(pg.Title)
			right = sanitize.Line(path.Base(pg.Path))
			if flat {
				right = sanitize.Line(path.Dir(pg.Path)) // the title names the page
			} else if path.Base(path.Dir(pg.Path)) == pg.Title {
				right = "" // the folder's name is the title
			} else if folder := path.Base(path.Dir(pg.Path)); folder != "." && isIndexFile(pg.Path) {
				right = folder + "/" // the file's name says nothing
			}
			right = widget.CutStart(right, max(0, p.w/2-widget.Width(state)))
			if about := noPageText(pg); about != "" { // it says more than the file's name
				right = widget.Cut(sanitize.Line(about), max(0, p.w/2-widget.Width(state)))
			}
		}
	}
	if on {
		return st.Selected.Render(widget.Sides(left+name, state+right+" ", p.w))
	}
	return widget.Sides(left+look.Render(name), st.Warn.Render(state)+st.Dim.Render(right+" "), p.w)
}

// textLine is a section whose text has the typed text.
func (b browser) textLine(s pipeline.Place, on bool) string {
	p := b.p
	st := p.st
	title, head := sanitize.Line(s.Title), ""
	if n := len(s.Path); n > 0 && s.Path[n-1] != s.Title {
		head = sanitize.Line(s.Path[n-1])
		title = widget.TitleBeside(title, head, p.w-len("in the text ")-9)
	}
	if on {
		if head != "" {
			title += " › " + head
		}
		return st.Selected.Render(widget.Sides("▸   "+title, "in the text ", p.w))
	}
	left := "    " + title
	if head != "" {
		left += st.Dim.Render(" › ") + head
	}
	return widget.Sides(left, st.Dim.Render("in the text "), p.w)
}
