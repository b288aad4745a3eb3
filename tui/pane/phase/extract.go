package phase

import (
	"fmt"
	"strconv"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// bound is the total number of lines above which phase 3 is needed.
const bound = 2100

// Extract is the pane of the pages that were read: the number of their lines, whether
// these are too many, and the sections that were kept. It does not show the pages'
// text; the answer does.
type Extract struct {
	Pane
	docs []contract.Extracted
}

// NewExtract returns the pane without a result.
func NewExtract(st *style.Styles) *Extract {
	p := &Extract{}
	p.Pane = newPane(st, p.writePages, keymap.OpenSource, keymap.Toggle, keymap.TogglePage)
	return p
}

// Selected is the document under the cursor, or that of the section there.
func (p *Extract) Selected() (contract.Extracted, bool) {
	id, ok := p.Picked()
	of, _, _ := strings.Cut(id, sectionOf)
	i, err := strconv.Atoi(of)
	if !ok || err != nil || i >= len(p.docs) {
		return contract.Extracted{}, false
	}
	return p.docs[i], true
}

// Section is the section under the cursor: its name as pipeline.Hit has it, its
// heading, and its line, 0 where a person left it out; false on a document's own row.
func (p *Extract) Section() (name, heading string, line int, ok bool) {
	d, ok := p.Selected()
	id, _ := p.Picked()
	_, n, is := strings.Cut(id, sectionOf)
	i, err := strconv.Atoi(n)
	switch {
	case !ok || !is || err != nil:
	case i >= 0 && i < len(d.Headings):
		h := d.Headings[i]
		return contract.PathName(h.Path), headingText(h.Text), h.Lines[0], true
	case i < 0 && -i <= len(d.LeftOut):
		name := d.LeftOut[-i-1]
		return name, lastHeading(name), 0, true
	}
	return "", "", 0, false
}

// sectionOf parts a document's number from that of its section, in a row's ID. The
// sections that are left out have the numbers -1, -2 and so on.
const sectionOf = "/"

func headingText(text string) string {
	return strings.TrimSpace(strings.TrimLeft(sanitize.Line(text), "#"))
}

// lastHeading is the last heading of a section's name.
func lastHeading(name string) string {
	names := strings.Split(name, contract.SectionPath)
	return sanitize.Line(names[len(names)-1])
}

func (p *Extract) writePages(w *widget.Writer, res pipeline.Result, _ pipeline.Request) bool {
	e := res.Phases.Extract
	p.docs = nil
	if e == nil {
		return false
	}
	st := p.st
	sections := res.Phases.Check != nil && res.Phases.Check.Extent == contract.ExtentSections
	w.Draw(func(width int) []string {
		bar := min(30, max(6, width-44))
		verdict, vs := "fits", st.Good
		switch {
		case sections:
			return []string{widget.Cut(st.Strong.Render(widget.Count(e.TotalLineCount, "line"))+
				", of which the answer takes the sections that fit",
				width)}
		case e.RequiresProcessing:
			verdict, vs = "too long: it is cut", st.Warn
		}
		return []string{widget.Cut(st.Strong.Render(strconv.Itoa(e.TotalLineCount)+" lines")+" of "+strconv.Itoa(bound)+"  "+
			st.Accent.Render(widget.ScoreBar(float64(e.TotalLineCount)/bound, bar))+"  "+vs.Render(verdict), width)}
	})
	head := fmt.Sprintf("Pages (%d)", len(e.Documents))
	if r := res.Phases.Rerank; r != nil && len(r.Results) > len(e.Documents) {
		head = fmt.Sprintf("Pages (the best %d of %d)", len(e.Documents), len(r.Results))
	}
	w.WriteHead(head)
	w.WriteTextIn(st.Dim, "lines        page")
	p.docs = e.Documents
	for i, d := range e.Documents {
		w.Rows = append(w.Rows, widget.Row{Pick: true, ID: strconv.Itoa(i), Draw: documentRow(st, d, e.TotalLineCount)})
		place := d.DocSet + "/" + d.FilePath
		w.Rows = append(w.Rows, widget.Row{Lead: widget.Spaces(14), Body: sanitize.Line(place), Style: st.Dim})
		if d.URL != "" {
			w.Rows = append(w.Rows, widget.Row{Lead: widget.Spaces(14), Body: sanitize.Line(d.URL), Style: st.Dim})
		}
		if d.Changed {
			w.Rows = append(w.Rows, widget.Row{Lead: widget.Spaces(12) + "~ ", LeadStyle: st.Warn,
				Body: "the file changed since it was indexed; u in the library (L) updates it", Style: st.Warn})
		}
		if sections {
			for k, h := range d.Headings {
				w.Rows = append(w.Rows, widget.Row{Pick: true, ID: strconv.Itoa(i) + sectionOf + strconv.Itoa(k), Draw: sectionRow(h)})
			}
			for k, name := range d.LeftOut {
				w.Rows = append(w.Rows, widget.Row{Pick: true, ID: strconv.Itoa(i) + sectionOf + strconv.Itoa(-k-1),
					Draw: leftOutRow(st, name)})
			}
		}
	}
	if len(e.NotFound) > 0 {
		w.WriteHead("Not found")
		for _, t := range e.NotFound {
			w.WriteItem("✗", t)
		}
	}
	return true
}

// sectionRow is a section that phase 1.5 kept.
func sectionRow(h contract.Heading) func(int) []string {
	return func(width int) []string {
		sim := "   –"
		if h.RerankSim != nil {
			sim = fmt.Sprintf("%.2f", *h.RerankSim)
		}
		return []string{widget.Spaces(14) + sim + "  " + widget.Cut(headingText(h.Text), max(0, width-20))}
	}
}

// leftOutRow is a section that a person left out.
func leftOutRow(st *style.Styles, name string) func(int) []string {
	return func(width int) []string {
		return []string{widget.Spaces(14) + st.Bad.Render("   ✗") + "  " +
			st.Struck.Render(widget.Cut(lastHeading(name), max(0, width-20)))}
	}
}

func documentRow(st *style.Styles, d contract.Extracted, total int) func(int) []string {
	return func(width int) []string {
		share := 0.0
		if total > 0 {
			share = float64(d.Lines) / float64(total)
		}
		head := widget.FitLeft(strconv.Itoa(d.Lines), 5) + " " + st.Accent.Render(widget.ScoreBar(share, 6)) + "  "
		return []string{head + st.Strong.Render(widget.Cut(sanitize.Line(d.Title), max(0, width-14)))}
	}
}
