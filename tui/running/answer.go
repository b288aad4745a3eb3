package running

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse/markdown/legible"
	"docent/pipeline/text/sanitize"
	"docent/store/doc"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/phase"
	"docent/tui/pane/reader"
	"docent/tui/widget"
)

// Answering shows the answer as it reads, or the block as it is copied.
type Answering struct {
	c       *Controller
	reads   *reader.Answer
	block   bool // the block is shown
	id      int  // changes with every question
	version int  // changes with every result
	made    int  // the version that is shown
	busy    bool // one is being made
	asides  []phase.Aside
}

// madeMsg is an answer cut into pieces.
type madeMsg struct {
	id, version int
	page        *page.Prepared
	places      []reader.Source
}

func (madeMsg) running() {}

// feed takes a result.
func (a *Answering) feed(keep bool) {
	a.c.asPanes().resultOf(a.c.final)(keep)
	a.version++
	a.asides = nil
	if !keep {
		a.id++
		a.block = false
	}
	if a.c.res.Final == "" || a.c.res.Phases.Extract == nil {
		a.reads.Clear()
		a.made = a.version
	}
}

// setAsides shows what the answer requires and warns of below it.
func (a *Answering) setAsides(all []phase.Aside) {
	a.c.final.SetAsides(all)
	if len(all) > 0 {
		a.asides = all
		a.version++
	}
}

// takeMade shows an answer that was cut into pieces, unless a newer one waits.
func (a *Answering) takeMade(msg madeMsg) tea.Cmd {
	a.busy = false
	if msg.page == nil || msg.version != a.version {
		return nil
	}
	a.made = msg.version
	return a.reads.SetParts(fmt.Sprint(msg.id), msg.page, msg.places)
}

// Render is the command that makes what is seen of the answer next, nil where that is all
// there or not on the screen.
func (a *Answering) Render() tea.Cmd {
	switch {
	case !a.Selected():
		return nil
	case a.made == a.version:
		return a.reads.Render()
	case a.busy:
		return nil
	}
	a.busy = true
	id, version, res, asides := a.id, a.version, a.c.res, a.asides
	return func() tea.Msg {
		msg := makeAnswer(res, asides)
		msg.id, msg.version = id, version
		return msg
	}
}

// makeAnswer makes an answer. It reads all of it: call it in a command.
func makeAnswer(res pipeline.Result, asides []phase.Aside) madeMsg {
	if res.Final == "" || res.Phases.Extract == nil {
		return madeMsg{}
	}
	w := answerWriter{res: res}
	w.writeAnswer(asides)
	return madeMsg{page: page.Parted(w.parts), places: w.places}
}

// takeAnswer shows the answer that was made with a result, so that the keys typed behind the
// question find it.
func (a *Answering) takeAnswer(msg madeMsg) tea.Cmd {
	if msg.page == nil {
		return nil
	}
	busy := a.busy
	msg.id, msg.version = a.id, a.version
	cmd := a.takeMade(msg)
	a.busy = busy
	return cmd
}

// Selected reports whether the answer is.
func (a *Answering) Selected() bool { return a.c.Steps.Selected() == contract.PhaseCite }

// There reports whether there is one.
func (a *Answering) There() bool { return a.c.res.Final != "" }

// Read is the answer as it reads; nil where something else is on the screen.
func (a *Answering) Read() *reader.Answer {
	if !a.Selected() || a.block || !a.reads.Shown() {
		return nil
	}
	return a.reads
}

// selectIt goes to the answer, or to the hits where there is none: they say why.
func (a *Answering) selectIt() {
	a.c.Steps.SelectPhase(contract.PhaseCite)
	if a.c.res.Final == "" {
		a.c.Steps.SelectPhase(contract.PhaseSearch)
	}
}

// ToggleBlock changes between the answer as it reads and the block as it is copied.
func (a *Answering) ToggleBlock() {
	c := a.c
	switch a.block = !a.block; {
	case a.block:
		c.status.Say("the block as it is copied; once more: as it reads")
	default:
		c.status.Say("the answer as it reads")
	}
}

// Update passes an action to what is shown.
func (a *Answering) Update(msg tea.Msg) tea.Cmd {
	if a.Read() != nil {
		return a.reads.Update(msg)
	}
	return a.c.final.Update(msg)
}

// SetSize sets the columns and lines of both.
func (a *Answering) SetSize(w, h int) {
	a.c.final.SetSize(w, h)
	a.reads.SetSize(w, h)
}

// View is what is shown.
func (a *Answering) View() string {
	switch {
	case a.Read() != nil:
		return a.reads.View()
	case !a.block && a.c.res.Final != "":
		return "" // it is being made
	}
	return a.c.final.View()
}

// Bindings are the keys that it knows.
func (a *Answering) Bindings() []keymap.Binding { return a.reads.Bindings() }

// Click puts the cursor on a line of the block.
func (a *Answering) Click(y int) bool { return a.block && a.c.final.Click(y) }

// source is the place of the line that is read, or that is under the cursor of the block.
func (a *Answering) source() (reader.Source, bool) {
	if a.Read() != nil {
		return a.reads.Place()
	}
	s, ok := a.c.final.Source()
	return reader.Source(s), ok
}

// infoText is how sure the answer is, or the matches of what is searched for, and where the view
// is in it; of the block its size. How much is copied stands above the keys.
func (a *Answering) infoText() string {
	switch {
	case a.c.final.Lines() == 0:
		return a.c.final.Share()
	case a.Read() == nil:
		return strings.TrimSuffix(a.c.res.Size().String()+" · "+a.c.final.Share(), " · ")
	}
	info := certainty(a.c.res)
	if found := a.reads.Matches(); found != "" {
		info = found
	}
	return strings.Trim(info+" · "+a.reads.Share(), " ·")
}

// unsure is the certainty of an answer whose sections are all under the threshold.
const unsure = "not sure"

// certainty is how sure an answer is, in a few words.
func certainty(res pipeline.Result) string {
	r := res.Phases.Rerank
	switch {
	case res.Phases.Search != nil && res.Phases.Search.SearchStats.Nearest:
		return "not in your documentation: the nearest by spelling"
	case r == nil || r.State != contract.StateReranked:
		return ""
	case r.Unanswered:
		return "probably not in your documentation"
	case r.BelowThreshold:
		return unsure
	}
	return "likely the answer"
}

// answerWriter makes the parts of an answer.
type answerWriter struct {
	res    pipeline.Result
	parts  []page.Part
	places []reader.Source
	lines  []string // of the part that is being written
}

func (w *answerWriter) writeAnswer(asides []phase.Aside) {
	switch sure := certainty(w.res); {
	case sure == unsure:
		w.writeRemark("", page.PartWarn, "! not sure: nothing reaches the threshold; this is the best there is"+
			sanitize.Line(w.res.Phases.Search.LackedWords(w.res.Phases.Rerank)))
	case strings.HasSuffix(sure, "documentation"):
		w.writeRemark("", page.PartWarn, "! probably not in your documentation; these are the nearest sections")
	case strings.HasPrefix(sure, "not in"):
		w.writeRemark("", page.PartWarn, "! no word of the question stands in your documentation; these are the nearest by spelling")
	}
	contents, docs := w.res.Phases.Extract.Contents, w.res.Phases.Extract.Documents
	if p := w.res.Phases.Process; p != nil {
		contents, docs = p.Contents, p.Documents
	}
	for _, d := range docs {
		w.writeDocument(d, contents[d.ContentKey()])
	}
	for _, kind := range phase.AsideKinds() {
		var lines []string
		for _, a := range asides {
			if kind.Of(a) {
				lines = append(lines, kind.Mark+" "+sanitize.Line(a.Text), "  "+sanitize.Line(a.Where))
			}
		}
		if len(lines) > 0 {
			w.writeRemark(kind.Head, page.PartDim, lines...)
		}
	}
	var lines []string
	for _, c := range w.res.Citations {
		lines = append(lines, sanitize.Line(c.DocSet+"/"+c.FilePath)+" "+widget.LineSpan(c.Lines))
	}
	w.writeRemark("Sources", page.PartDim, lines...)
	for i, c := range w.res.Citations {
		s := &w.places[len(w.places)-len(lines)+i]
		*s = reader.Source{DocSet: c.DocSet, FilePath: c.FilePath, Title: c.PageTitle, Line: max(1, c.Lines[0])}
		if w.res.Size().Sections > 0 {
			s.Section = contract.PathName(c.HeadingPath)
		}
	}
}

// writeRemark writes lines that the program says.
func (w *answerWriter) writeRemark(head string, look page.PartLook, lines ...string) {
	w.parts = append(w.parts, page.Part{Name: head, Text: strings.Join(lines, "\n") + "\n", Look: look})
	w.places = append(w.places, make([]reader.Source, len(lines))...)
}

// begin begins a part; the lines of the one before are done.
func (w *answerWriter) begin(part page.Part) {
	w.endPart()
	w.parts = append(w.parts, part)
}

func (w *answerWriter) endPart() {
	if len(w.lines) > 0 {
		w.parts[len(w.parts)-1].Text = strings.Join(w.lines, "\n") + "\n"
		w.lines = nil
	}
}

// writeDocument writes what the block has of a page.
func (w *answerWriter) writeDocument(d contract.Extracted, content string) {
	look := page.PartMarkdown
	if d.Format == doc.FormatText || d.Format == doc.FormatProse {
		look = page.PartPlain
	}
	var read readLines
	if e := w.res.Phases.Extract; e != nil && look == page.PartMarkdown {
		read = readLinesOf(e.Contents[d.ContentKey()])
	}
	next, quote, begun, cut, opening := 1, -1, false, false, false
	lines := strings.Split(strings.TrimSuffix(content, "\n"), "\n")
	if look == page.PartMarkdown { // metadata at the top of a page would be shown as a heading
		front := min(legible.FrontMatterLines(content), len(lines))
		lines, next = lines[front:], 1+front
	}
	heading := 0 // lines of a section's heading that are not written
	for i, l := range lines {
		if from, to, ok := contract.ParseOmission(l); ok && from == next {
			next, cut = to+1, true
			continue
		}
		from, to, summary := contract.ParseSummary(l)
		if summary && from == next {
			next = to + 1
		}
		place := phase.PlaceOfLine(d, next)
		if now := quoteOfLine(d, next); !begun || now >= 0 && now != quote {
			name, path := sanitize.Line(d.Title), []string{d.Title}
			if now >= 0 && len(d.Quoted[now].Path) > 0 {
				path = d.Quoted[now].Path
				if last := sanitize.Line(path[len(path)-1]); last != name {
					name += " › " + last
				}
			}
			inside := quote >= 0 && !d.Quoted[quote].Whole
			if cut && begun && inside {
				w.begin(page.Part{Look: look, Cut: true})
			}
			w.begin(page.Part{Look: look, Name: name, Path: path, Where: sanitize.Line(d.DocSet)})
			begun, quote, opening = true, now, true
		} else if cut {
			w.begin(page.Part{Look: look, Cut: true})
		}
		cut = false
		if opening && look == page.PartMarkdown && quote >= 0 && d.Quoted[quote].Lines[0] == next {
			heading = headingLines(lines[i:])
		}
		said := []string{l}
		if !summary {
			said = read.lineAs(next, l)
			next++
		}
		if heading--; heading >= 0 || opening && (strings.TrimSpace(l) == "" || isHeading(l, w.parts[len(w.parts)-1].Path)) {
			continue // the name of the part says it
		}
		opening = false
		for _, l := range said {
			w.lines = append(w.lines, l)
			w.places = append(w.places, reader.Source(place))
		}
	}
	if cut && begun && (quote < 0 || !d.Quoted[quote].Whole) {
		w.begin(page.Part{Look: look, Cut: true})
	}
	w.endPart()
}

// quoteOfLine is the innermost quoted section that has a line, -1 if none.
func quoteOfLine(d contract.Extracted, line int) int {
	at := -1
	for i, q := range d.Quoted {
		if q.Lines[0] <= line && line <= q.Lines[1] {
			at = i
		}
	}
	return at
}

// headingLines counts the lines of the heading that a section in Markdown begins with, however it is
// written: its path has it without markup, so the two may differ.
func headingLines(lines []string) int {
	const marks = 6
	text := strings.TrimLeft(lines[0], "#")
	if n := len(lines[0]) - len(text); n > 0 && n <= marks && (text == "" || text[0] == ' ' || text[0] == '\t') {
		return 1
	}
	if len(lines) > 1 && strings.TrimSpace(lines[0]) != "" && !strings.ContainsAny(lines[0][:1], "-*+>|`~=") {
		under := strings.TrimRight(lines[1], " \t")
		if under != "" && (strings.Trim(under, "-") == "" || strings.Trim(under, "=") == "") {
			return 2
		}
	}
	return 0
}

// isHeading reports whether a line is the heading that a path ends with. Of one that a macro names,
// ## {{% heading "examples" %}}, the path has the words.
func isHeading(line string, path []string) bool {
	text := strings.TrimLeft(line, "#")
	if text == line || len(path) == 0 {
		return false
	}
	if strings.HasPrefix(strings.TrimSpace(text), "{{") {
		return true
	}
	text, _, _ = strings.Cut(text, "{#")
	return strings.TrimSpace(strings.TrimRight(text, "# ")) == strings.TrimSpace(path[len(path)-1])
}
