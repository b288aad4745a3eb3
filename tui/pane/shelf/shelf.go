// Package shelf is the pane of all doc sets, which a person knows as the library: a
// list of them with versions and freshness, the pages of one as a tree, a form for
// adding a folder, and the confirmation before one is forgotten.
//
// It refuses to read the disk and to index. It sends intents; the answers (pages,
// folders, progress) are passed in, and dropped when they are out of date.
//
// Terms. The list is the list of doc sets. A tree is the pages of one doc set in
// folders that can be folded. The form is for adding a folder. Work is an addition
// or an update while it goes on, one at a time.
package shelf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/text/sanitize"
	"docent/store/doc"
	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/style"
	"docent/tui/widget"
)

// Set is one doc set.
type Set = library.ListedSet

// IsManual reports whether a doc set is the manual, which is built in.
func IsManual(s Set) bool { return s.Ref == home.ManualRef() }

// ChangesText names the files that differ from the index: "2 new, 1 changed"; "" where
// none does.
func ChangesText(s Set) string {
	if s.Fresh != library.Stale || s.Changes == nil {
		return ""
	}
	return s.Changes.String()
}

// troublesText counts the files that are no pages: "2 failed, 1 waiting".
func troublesText(s Set) string {
	var parts []string
	if s.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", s.Failed))
	}
	if s.Waiting > 0 {
		parts = append(parts, fmt.Sprintf("%d waiting", s.Waiting))
	}
	return strings.Join(parts, ", ")
}

// Intents, for the root.
type (
	// Intent is what the pane asks the root for.
	Intent interface{ intent() }
	// PagesWanted asks for the pages of a doc set: SetTree answers.
	PagesWanted struct{ Set string }
	// Opened asks for a page in the reader.
	Opened struct{ Set, Path, Title string }
	// TextWanted asks for the sections of a doc set that have a text: SetInText
	// answers.
	TextWanted struct {
		Seq       int
		Set, Text string
	}
	// SectionOpened asks for a section in the reader, where it has the words of Text.
	SectionOpened struct {
		Place pipeline.Place
		Text  string
	}
	// FoldersWanted asks for the folders whose paths begin with a text:
	// SetFolders answers.
	FoldersWanted struct {
		Seq  int
		Text string
	}
	// ProposalWanted asks what a folder would be added as: SetProposal answers.
	ProposalWanted struct {
		Seq  int
		Path string
	}
	// AddWanted asks for a folder to be added. Empty names are the folder's.
	AddWanted struct{ Path, Name, Version string }
	// UpdateWanted asks for doc sets to be brought up to date; none means all.
	UpdateWanted struct{ Sets []string }
	// RemoveWanted asks for a doc set to be forgotten.
	RemoveWanted struct{ Set string }
	// RetryWanted asks for a file that was handed in to be read now, CancelWanted for its
	// job to be ended.
	RetryWanted  struct{ Document, Name string }
	CancelWanted struct{ Document, Name string }
	// Said is a message for the status line.
	Said struct{ Text string }
)

func (PagesWanted) intent()    {}
func (Opened) intent()         {}
func (TextWanted) intent()     {}
func (SectionOpened) intent()  {}
func (FoldersWanted) intent()  {}
func (ProposalWanted) intent() {}
func (AddWanted) intent()      {}
func (UpdateWanted) intent()   {}
func (RemoveWanted) intent()   {}
func (RetryWanted) intent()    {}
func (CancelWanted) intent()   {}
func (Said) intent()           {}

func sendIntent(i Intent) tea.Cmd { return func() tea.Msg { return i } }

// Pane is the pane.
type Pane struct {
	st   *style.Styles
	w, h int

	sets   []Set // by name, newest version first
	loaded bool
	cursor int // in sets
	top    int // line of the list

	open    string // the doc set whose tree is shown, "" for the list
	tree    *Tree
	treeErr string
	folds   map[int]bool // folders that are open
	rows    []int
	row     int // in rows
	rowTop  int

	finding  bool
	find     widget.Input
	findSeq  int              // of the newest text
	inText   []pipeline.Place // sections whose texts have it
	loose    []int            // nodes that have it within words, or only its letters: below inText
	looking  bool             // the texts are searched for it
	awaited  bool             // enter was pressed meanwhile: what is found first is opened
	familiar func(set, path string) (read, marked bool)

	form    *form
	last    *form  // as it was accepted
	seq     int    // of the newest question of the form
	confirm string // the doc set that may be forgotten
	work    Work
}

// New is an empty pane.
func New(st *style.Styles) *Pane {
	return &Pane{st: st, familiar: func(string, string) (bool, bool) { return false, false }}
}

// SetFamiliar sets what says of a page whether it was read, and whether it is marked.
func (p *Pane) SetFamiliar(f func(set, path string) (read, marked bool)) { p.familiar = f }

// SetSets sets the doc sets, in any order. The cursor stays on its doc set, or goes to an
// added one.
func (p *Pane) SetSets(sets []Set) {
	at := ""
	if s, ok := p.Selected(); ok {
		at = s.Ref.String()
	}
	if p.loaded && p.open == "" {
		for _, s := range sets {
			if !slices.ContainsFunc(p.sets, func(o Set) bool { return o.Ref.String() == s.Ref.String() }) {
				at = s.Ref.String()
			}
		}
	}
	p.sets = slices.Clone(sets)
	slices.SortStableFunc(p.sets, func(a, b Set) int {
		switch {
		case IsManual(a) != IsManual(b): // the manual comes last
			if IsManual(a) {
				return 1
			}
			return -1
		case a.Ref.Name != b.Ref.Name:
			return cmp.Compare(a.Ref.Name, b.Ref.Name)
		}
		return cmp.Or(doc.CompareVersions(b.Ref.Version, a.Ref.Version), cmp.Compare(a.Ref.Version, b.Ref.Version))
	})
	p.loaded = true
	if i := slices.IndexFunc(p.sets, func(s Set) bool { return s.Ref.String() == at }); i >= 0 {
		p.cursor = i
	}
	if p.open != "" && !slices.ContainsFunc(p.sets, func(s Set) bool { return s.Ref.String() == p.open }) {
		p.browser().close() // it was forgotten
	}
	p.moveCursor(0)
}

// Sets are the doc sets as the pane shows them.
func (p *Pane) Sets() []Set { return p.sets }

// SelectDocSet puts the cursor on a doc set.
func (p *Pane) SelectDocSet(ref string) {
	if i := slices.IndexFunc(p.sets, func(s Set) bool { return s.Ref.String() == ref }); i >= 0 {
		p.cursor = i
		p.moveCursor(0)
	}
}

// Selected is the doc set under the cursor, or whose tree is shown.
func (p *Pane) Selected() (Set, bool) {
	if p.cursor < len(p.sets) {
		return p.sets[p.cursor], true
	}
	return Set{}, false
}

// SetTree sets the pages of a doc set, or why they cannot be listed.
func (p *Pane) SetTree(set string, t *Tree, err error) {
	if set != p.open {
		return
	}
	p.tree, p.treeErr = t, ""
	if err != nil {
		p.treeErr = sanitize.Line(err.Error())
	}
	p.folds = map[int]bool{}
	if t != nil {
		for _, i := range t.loneFolders() {
			p.folds[i] = true
		}
		for i := 0; len(t.nodes) <= unfolded && i < len(t.nodes); i++ {
			p.folds[i] = true
		}
	}
	p.browser().makeRows()
}

// unfolded is the number of nodes up to which a tree is shown with all folders
// open.
const unfolded = 40

// RequestPagesAgain tells that pages may have changed. An open tree asks for them again.
func (p *Pane) RequestPagesAgain() tea.Cmd {
	if p.open == "" {
		return nil
	}
	p.tree, p.treeErr, p.rows, p.loose = nil, "", nil, nil
	return sendIntent(PagesWanted{Set: p.open})
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.moveCursor(0)
}

// Mode is the part of the pane that has the keyboard.
func (p *Pane) Mode() keymap.Mode {
	switch {
	case p.confirm != "":
		return keymap.InConfirm
	case p.form != nil || p.finding:
		return keymap.InEntry
	}
	return keymap.InLibrary
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.BindingsOf(keymap.Open, keymap.Unfold, keymap.Fold, keymap.Mark, keymap.FindPage,
		keymap.AddSet,
		keymap.UpdateSet,
		keymap.UpdateAll, keymap.RemoveSet, keymap.RetryFile, keymap.CancelFile,
		keymap.Accept, keymap.Complete, keymap.FieldPrev, keymap.FieldNext, keymap.Confirm)...)
}

// Escape closes the confirmation, the form, the search or the tree, whichever is
// innermost. It returns false when none is open.
func (p *Pane) Escape() bool {
	switch {
	case p.confirm != "":
		p.confirm = ""
	case p.form != nil:
		if p.form.showsProposal() {
			p.form.sets, p.form.err = nil, ""
			return true
		}
		p.form = nil
		p.seq++
	case p.finding:
		p.browser().stopFinding()
	case p.open != "":
		p.browser().close()
	default:
		return false
	}
	return true
}

func (b browser) close() {
	p := b.p
	p.open, p.tree, p.treeErr, p.rows, p.inText, p.finding = "", nil, "", nil, nil, false
	p.row, p.rowTop = 0, 0
	p.find.SetValue("")
}

// Update does an action or types a key; it may send an intent.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return typeInto(p, func(in *widget.Input) { in.Key(msg) })
	case tea.PasteMsg:
		return typeInto(p, func(in *widget.Input) { in.Insert(msg.Content) })
	case overlay.Click:
		return p.Click(msg.Y)
	case keymap.Action:
		return doAction(p, msg)
	}
	return nil
}

// Described is what the help calls the pane.
func (p *Pane) Described() string { return "the library" }

// Claims reports which actions mean something else here than in the rest of the app.
func (p *Pane) Claims(a keymap.Action) bool { return a == keymap.Open || a == keymap.AddSet }

// Footer names what enter does in the form and in the search, and leaves out the keys
// that do nothing there.
func (p *Pane) Footer(b keymap.Binding) (keymap.Binding, bool) {
	switch {
	case p.IsAdding():
	case b.Action == keymap.Accept:
		b.Short = "open" // the page that was found
	case b.Action == keymap.Complete: // there is nothing to complete
		return b, false
	}
	return b, true
}

func typeInto(p *Pane, edit func(*widget.Input)) tea.Cmd {
	switch {
	case p.form != nil:
		before := p.form.currentField().Value()
		edit(p.form.currentField())
		if p.form.currentField().Value() == before {
			return nil
		}
		return p.addForm().fieldChanged()
	case p.finding:
		before := p.find.Value()
		edit(&p.find)
		if p.find.Value() != before {
			return p.browser().searchTyped()
		}
	}
	return nil
}

func doAction(p *Pane, a keymap.Action) tea.Cmd {
	if d, ok := widget.CursorSteps(a, p.rowCount(), p.listHeight()); ok {
		p.moveCursor(d)
		return nil
	}
	switch a {
	case keymap.Open:
		return p.browser().readUnderCursor()
	case keymap.Unfold:
		return p.browser().unfoldFolder()
	case keymap.Fold:
		p.browser().foldFolder()
	case keymap.FindPage:
		cmd := p.browser().openDocSet()
		p.finding = true
		return cmd
	case keymap.AddSet:
		return p.Add()
	case keymap.UpdateSet:
		if s, ok := p.Selected(); ok {
			return sendIntent(UpdateWanted{Sets: []string{s.Ref.String()}})
		}
	case keymap.UpdateAll:
		return sendIntent(UpdateWanted{})
	case keymap.RemoveSet:
		return p.setList().confirmRemoval()
	case keymap.RetryFile, keymap.CancelFile:
		return p.browser().actOnFile(a)
	case keymap.Confirm:
		set := p.confirm
		p.confirm = ""
		return sendIntent(RemoveWanted{Set: set})
	case keymap.Accept, keymap.Complete, keymap.FieldPrev, keymap.FieldNext:
		if p.form != nil {
			return p.addForm().doAction(a)
		}
		switch a {
		case keymap.Accept:
			return p.browser().readUnderCursor()
		case keymap.FieldPrev:
			p.moveCursor(-1)
		default:
			p.moveCursor(1)
		}
	}
	return nil
}

func (l setList) confirmRemoval() tea.Cmd {
	p := l.p
	s, ok := p.Selected()
	switch {
	case !ok:
	case IsManual(s):
		return sendIntent(Said{"the manual is built in: it cannot be forgotten"})
	case p.work.isRunning() && p.work.worksOn(s.Ref.String()):
		return sendIntent(Said{s.Ref.String() + " is being indexed: ctrl+x cancels that"})
	default:
		p.confirm = s.Ref.String()
	}
	return nil
}

func (p *Pane) rowCount() int {
	if p.open != "" {
		return len(p.rows) + len(p.inText) + len(p.browser().looseRows())
	}
	return len(p.sets)
}

func (p *Pane) moveCursor(d int) {
	if p.open != "" {
		p.row = min(max(0, p.row+d), max(0, p.rowCount()-1))
		p.rowTop = windowTop(p.rowTop, p.row, p.listHeight(), p.rowCount())
		return
	}
	p.cursor = min(max(0, p.cursor+d), max(0, len(p.sets)-1))
	at := p.setList().lineOfDocSet(p.cursor)
	from := at
	if p.setList().hasNameLine(p.cursor) {
		from-- // its name's line, too
	}
	p.top = min(p.top, from)
	p.top = windowTop(p.top, at, p.listHeight(), p.setList().lineOfDocSet(len(p.sets)))
}

// setList is the list of doc sets.
type setList struct{ p *Pane }

func (p *Pane) setList() setList { return setList{p} }

// windowTop gives the first line of a window of n of all lines, moved as little as
// possible to show line at.
func windowTop(top, at, n, all int) int {
	top = min(top, at)
	top = max(top, at-n+1)
	return max(0, min(top, all-n))
}

// lineOfDocSet is the line of a doc set in the list.
func (l setList) lineOfDocSet(set int) int {
	p := l.p
	line := set
	for i := range p.sets[:min(set+1, len(p.sets))] {
		if p.setList().hasNameLine(i) {
			line++
		}
	}
	return line
}

// hasVersions reports whether a doc set is there in several versions: these stand below
// their name.
func (l setList) hasVersions(set int) bool {
	p := l.p
	same := func(i int) bool { return i >= 0 && i < len(p.sets) && p.sets[i].Ref.Name == p.sets[set].Ref.Name }
	return same(set-1) || same(set+1)
}

// hasNameLine reports whether a line with the name stands above a doc set.
func (l setList) hasNameLine(set int) bool {
	p := l.p
	return set < len(p.sets) && p.setList().hasVersions(set) && (set == 0 || p.sets[set-1].Ref.Name != p.sets[set].Ref.Name)
}
