package reader

import (
	"fmt"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/knowledge/graph"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/widget"
)

// Reference is a relation of the section that is read to another place.
type Reference struct {
	Here bool   // it leads here, and not from here
	Says string // how: "requires", "referred to by"
	Text string // of the other end
	// Target is the other end, without a page where it is not in the doc set; Line is
	// of its page, 0 for the page itself.
	Target page.Target
	Line   int
	URL    string // of a target on another site, "" otherwise
}

// ReferencesWanted asks what leads to a section and from there, by its number:
// SetReferences answers.
type ReferencesWanted struct {
	Target  page.Target
	Section int
}

func (ReferencesWanted) intent() {}

// references is the list of what leads to a section and from there.
type references struct {
	p     *Pane
	on    bool
	input widget.Input
	all   []Reference
	rows  []int // of all
	list  widget.Rows
}

func (r *references) requestReferences() tea.Cmd {
	p := r.p
	p.closeLines()
	return sendIntent(ReferencesWanted{p.now, max(0, p.sections().currentSection())})
}

// SetReferences lists what leads to a section and from there, if its page is still read
// and nothing else was opened before that.
func (p *Pane) SetReferences(id string, all []Reference, err error) tea.Cmd {
	switch {
	case !p.has || p.now.ID() != id || p.win.Page() == nil || p.Mode() != keymap.InReader:
		return nil
	case err != nil:
		return sayMessage("what leads here cannot be told: %s", sanitize.Line(err.Error()))
	case len(all) == 0:
		return sayMessage("nothing leads to this section or from it")
	}
	p.references = references{p: p, on: true, all: all}
	p.references.filterReferences()
	return nil
}

// filterReferences lists what contains the typed text. A capital letter in it makes case
// count.
func (r *references) filterReferences() {
	p := r.p
	want := strings.TrimSpace(r.input.Value())
	exact := strings.IndexFunc(want, unicode.IsUpper) >= 0
	r.rows = nil
	for i, x := range r.all {
		text := x.Says + " " + x.Text + " " + x.Target.Title
		if !exact {
			text = strings.ToLower(text)
		}
		if strings.Contains(text, want) {
			r.rows = append(r.rows, i)
		}
	}
	r.list.Reset(len(r.rows))
	r.list.SetLines(p.h - outlineHead)
}

func (r *references) doAction(a keymap.Action) tea.Cmd {
	p := r.p
	if p.references.list.Update(a) || a != keymap.OutlineGo {
		return nil
	}
	i, ok := p.references.list.Cursor()
	if !ok {
		return sayMessage("nothing has that")
	}
	to := p.references.all[p.references.rows[i]]
	switch {
	case to.Target.FilePath != "":
		p.closeLines()
		p.travel().rememberPlace()
		return p.travel().visitTarget(to.Target, goal{line: max(1, to.Line)})
	case graph.WebURL(to.URL) != "":
		p.closeLines()
		p.links = links{p: p, on: true, offer: graph.WebURL(to.URL)}
		p.textArea().layOutWindow()
		return nil
	}
	return sayMessage("%s is no page of %s", quotedText(to.Text), sanitize.Line(p.now.DocSet))
}

func (r *references) drawReferences() string {
	p := r.p
	r.list.SetLines(p.h - outlineHead)
	typed, _ := r.input.View(max(1, p.w-5))
	count := fmt.Sprintf("%d to and from here", len(r.rows))
	if len(r.rows) == 1 {
		count = "1 leads here or from here"
	}
	out := []string{widget.Sides(" "+p.st.Accent.Render("❯")+" "+typed, p.st.Dim.Render(count)+" ", p.w), ""}
	says := 0
	for _, x := range r.all {
		says = max(says, widget.Width(x.Says))
	}
	for i, to := r.list.VisibleRows(); i < to; i++ {
		x := r.all[r.rows[i]]
		arrow := "→"
		if x.Here {
			arrow = "←"
		}
		how := widget.Fit(x.Says, says)
		text := sanitize.Line(x.Text)
		at := ""
		if x.Target.FilePath != "" && x.Target.ID() != p.now.ID() {
			at = sanitize.Line(x.Target.Title)
		}
		if at == text {
			at = ""
		}
		if r.list.OnCursor(i) {
			out = append(out, p.st.Selected.Render(widget.Fit(widget.Sides("▸"+arrow+" "+how+"  "+text, at+" ", p.w), p.w)))
			continue
		}
		out = append(out, widget.Sides(" "+p.st.Accent.Render(arrow)+" "+p.st.Dim.Render(how)+"  "+text, p.st.Dim.Render(at)+" ", p.w))
	}
	if len(r.rows) == 0 {
		out = append(out, "  "+p.st.Dim.Render(widget.Cut("nothing has that", p.w-2)))
	}
	return strings.Join(out[:min(len(out), p.h)], "\n")
}
