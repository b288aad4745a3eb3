// Package shelf is the pane of the doc sets: which there are, in which
// versions, how fresh; their pages as a tree; and the questions that have to be
// answered before one is added, updated or forgotten.
//
// It refuses to read the disk and to index. It asks the root with intents, and
// is given what came of them: pages, names of folders, progress. What it asked
// for and no longer wants is dropped when it comes.
//
// Terms. The list is the doc sets; a tree is the pages of one, as folders that
// can be folded. The form is where a folder is typed that is to be added. Work
// is what goes on in the background: adding or updating, one at a time.
package shelf

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/sanitize"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Freshness is how a doc set on disk stands to the index.
type Freshness int

// The states of a doc set.
const (
	Fresh Freshness = iota
	Changed
	Missing // its folder is not there
)

// Set is one doc set.
type Set struct {
	Name, Version string
	Pages         int
	State         Freshness
	Changes       string // what changed: "2 new, 1 changed"
	Root          string
	Indexed       time.Time // the zero time: unknown
	Manual        bool      // built in
}

// Ref is the doc set's full name.
func (s Set) Ref() string { return s.Name + "@" + s.Version }

// Intents, for the root.
type (
	// Intent is what the pane asks the root for.
	Intent interface{ intent() }
	// PagesWanted asks for the pages of a doc set: SetTree answers.
	PagesWanted struct{ Set string }
	// Opened asks for a page in the reader.
	Opened struct{ Set, Path, Title string }
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
	// Said is something that a person should know.
	Said struct{ Text string }
)

func (PagesWanted) intent()    {}
func (Opened) intent()         {}
func (FoldersWanted) intent()  {}
func (ProposalWanted) intent() {}
func (AddWanted) intent()      {}
func (UpdateWanted) intent()   {}
func (RemoveWanted) intent()   {}
func (Said) intent()           {}

func ask(i Intent) tea.Cmd { return func() tea.Msg { return i } }

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

	finding bool
	find    widget.Input

	form    *form
	last    *form  // as it was accepted
	seq     int    // of the newest question of the form
	confirm string // the doc set that may be forgotten
	work    Work
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st} }

// SetSets gives the doc sets, in any order; newer says which of two versions is
// newer. The cursor stays with its doc set, or goes to one that is new.
func (p *Pane) SetSets(sets []Set, newer func(a, b string) bool) {
	at := ""
	if s, ok := p.Selected(); ok {
		at = s.Ref()
	}
	if p.loaded && p.open == "" {
		for _, s := range sets {
			if !slices.ContainsFunc(p.sets, func(o Set) bool { return o.Ref() == s.Ref() }) {
				at = s.Ref()
			}
		}
	}
	p.sets = slices.Clone(sets)
	slices.SortStableFunc(p.sets, func(a, b Set) int {
		switch {
		case a.Manual != b.Manual: // the manual is not what one came for
			if a.Manual {
				return 1
			}
			return -1
		case a.Name != b.Name:
			return cmp.Compare(a.Name, b.Name)
		case newer(a.Version, b.Version):
			return -1
		case newer(b.Version, a.Version):
			return 1
		}
		return cmp.Compare(a.Version, b.Version)
	})
	p.loaded = true
	if i := slices.IndexFunc(p.sets, func(s Set) bool { return s.Ref() == at }); i >= 0 {
		p.cursor = i
	}
	if p.open != "" && !slices.ContainsFunc(p.sets, func(s Set) bool { return s.Ref() == p.open }) {
		p.closeTree() // it was forgotten
	}
	p.move(0)
}

// Sets are the doc sets as the pane shows them.
func (p *Pane) Sets() []Set { return p.sets }

// Select puts the cursor on a doc set.
func (p *Pane) Select(ref string) {
	if i := slices.IndexFunc(p.sets, func(s Set) bool { return s.Ref() == ref }); i >= 0 {
		p.cursor = i
		p.move(0)
	}
}

// Selected is the doc set under the cursor, or whose tree is shown.
func (p *Pane) Selected() (Set, bool) {
	if p.cursor < len(p.sets) {
		return p.sets[p.cursor], true
	}
	return Set{}, false
}

// SetTree gives the pages of a doc set, or says why there are none.
func (p *Pane) SetTree(set string, t *Tree, err error) {
	if set != p.open {
		return
	}
	p.tree, p.treeErr = t, ""
	if err != nil {
		p.treeErr = sanitize.Line(err.Error())
	}
	p.folds = map[int]bool{}
	if t != nil && len(t.nodes) <= unfolded {
		for i := range t.nodes {
			p.folds[i] = true
		}
	}
	p.look()
}

// unfolded is up to how many nodes a tree is shown with all its folders open.
const unfolded = 40

// Stale says that pages may have changed: an open tree asks for them again.
func (p *Pane) Stale() tea.Cmd {
	if p.open == "" {
		return nil
	}
	p.tree, p.treeErr, p.rows = nil, "", nil
	return ask(PagesWanted{Set: p.open})
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.move(0)
}

// Mode is what of the pane has the keyboard.
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
	return append(keymap.Scrolling(), keymap.Of(keymap.Unfold, keymap.Fold, keymap.FindPage, keymap.AddSet, keymap.UpdateSet,
		keymap.UpdateAll, keymap.RemoveSet, keymap.Accept, keymap.Complete, keymap.FieldPrev, keymap.FieldNext, keymap.Confirm)...)
}

// Back leaves the innermost thing; false when there is nothing left to leave.
func (p *Pane) Back() bool {
	switch {
	case p.confirm != "":
		p.confirm = ""
	case p.form != nil:
		if p.form.proposed() {
			p.form.sets, p.form.err = nil, ""
			return true
		}
		p.form = nil
		p.seq++
	case p.finding:
		p.finding = false
		p.find.SetValue("")
		p.look()
	case p.open != "":
		p.closeTree()
	default:
		return false
	}
	return true
}

func (p *Pane) closeTree() {
	p.open, p.tree, p.treeErr, p.rows, p.finding = "", nil, "", nil, false
	p.row, p.rowTop = 0, 0
	p.find.SetValue("")
}

// Update moves, opens, and asks the root for what a key wants.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return p.typed(func(in *widget.Input) { in.Key(msg) })
	case tea.PasteMsg:
		return p.typed(func(in *widget.Input) { in.Insert(msg.Content) })
	case keymap.Action:
		return p.do(msg)
	}
	return nil
}

func (p *Pane) typed(edit func(*widget.Input)) tea.Cmd {
	switch {
	case p.form != nil:
		before := p.form.line().Value()
		edit(p.form.line())
		if p.form.line().Value() == before {
			return nil
		}
		return p.formTyped()
	case p.finding:
		before := p.find.Value()
		edit(&p.find)
		if p.find.Value() != before {
			p.row, p.rowTop = 0, 0
			p.look()
		}
	}
	return nil
}

func (p *Pane) do(a keymap.Action) tea.Cmd {
	if d, ok := widget.Steps(a, p.count(), p.room()); ok {
		p.move(d)
		return nil
	}
	switch a {
	case keymap.Unfold:
		return p.unfold()
	case keymap.Fold:
		p.fold()
	case keymap.FindPage:
		cmd := p.openSet()
		p.finding = true
		return cmd
	case keymap.AddSet:
		return p.Add()
	case keymap.UpdateSet:
		if s, ok := p.Selected(); ok {
			return ask(UpdateWanted{Sets: []string{s.Ref()}})
		}
	case keymap.UpdateAll:
		return ask(UpdateWanted{})
	case keymap.RemoveSet:
		return p.remove()
	case keymap.Confirm:
		set := p.confirm
		p.confirm = ""
		return ask(RemoveWanted{Set: set})
	case keymap.Accept, keymap.Complete, keymap.FieldPrev, keymap.FieldNext:
		if p.form != nil {
			return p.formDo(a)
		}
		switch a {
		case keymap.Accept:
			return p.unfold()
		case keymap.FieldPrev:
			p.move(-1)
		default:
			p.move(1)
		}
	}
	return nil
}

func (p *Pane) remove() tea.Cmd {
	s, ok := p.Selected()
	switch {
	case !ok:
	case s.Manual:
		return ask(Said{"the manual is built in: it cannot be forgotten"})
	case p.work.On() && p.work.Touches(s.Ref()):
		return ask(Said{s.Ref() + " is being indexed: ctrl+x cancels that"})
	default:
		p.confirm = s.Ref()
	}
	return nil
}

// openSet shows the tree of the doc set under the cursor.
func (p *Pane) openSet() tea.Cmd {
	s, ok := p.Selected()
	if !ok || p.open != "" {
		return nil
	}
	p.open = s.Ref()
	p.row, p.rowTop = 0, 0
	return ask(PagesWanted{Set: p.open})
}

// unfold opens what is under the cursor.
func (p *Pane) unfold() tea.Cmd {
	if p.open == "" {
		return p.openSet()
	}
	if p.row >= len(p.rows) {
		return nil
	}
	i := p.rows[p.row]
	n := p.tree.nodes[i]
	if n.page < 0 {
		p.folds[i] = !p.folds[i]
		p.look()
		return nil
	}
	pg := p.tree.pages[n.page]
	if pg.State == PageGone {
		return ask(Said{"the page's file is gone: u brings the doc set up to date"})
	}
	return ask(Opened{Set: p.open, Path: pg.Path, Title: pg.Title})
}

// fold closes the folder under the cursor, or the one that holds the row; at the
// top it goes back to the list.
func (p *Pane) fold() {
	if p.open == "" {
		return
	}
	if p.row >= len(p.rows) {
		p.closeTree()
		return
	}
	i := p.rows[p.row]
	n := p.tree.nodes[i]
	if n.page >= 0 || !p.folds[i] {
		if i = n.up; i < 0 {
			p.closeTree()
			return
		}
	}
	delete(p.folds, i)
	p.look()
	p.row = max(0, slices.Index(p.rows, i))
	p.move(0)
}

// look makes the rows of the tree anew.
func (p *Pane) look() {
	p.rows = nil
	if p.tree != nil {
		if text := p.find.Value(); p.finding && text != "" {
			p.rows = p.tree.find(text)
		} else {
			p.rows = p.tree.visible(p.folds)
		}
	}
	p.move(0)
}

func (p *Pane) count() int {
	if p.open != "" {
		return len(p.rows)
	}
	return len(p.sets)
}

func (p *Pane) move(d int) {
	if p.open != "" {
		p.row = min(max(0, p.row+d), max(0, len(p.rows)-1))
		p.rowTop = window(p.rowTop, p.row, p.room(), len(p.rows))
		return
	}
	p.cursor = min(max(0, p.cursor+d), max(0, len(p.sets)-1))
	at := p.lineOf(p.cursor)
	from := at
	if at > 0 && (p.cursor == 0 || p.sets[p.cursor-1].Name != p.sets[p.cursor].Name) {
		from-- // its name's line, too
	}
	p.top = min(p.top, from)
	p.top = window(p.top, at, p.room(), p.lineOf(len(p.sets)))
}

// window moves a window of n lines of all as little as shows line at.
func window(top, at, n, all int) int {
	top = min(top, at)
	top = max(top, at-n+1)
	return max(0, min(top, all-n))
}

// lineOf is the line of the list on which a doc set stands; names have a line of
// their own.
func (p *Pane) lineOf(set int) int {
	line := set
	for i := range p.sets {
		if i > set || i == set && set == len(p.sets) {
			break
		}
		if i == 0 || p.sets[i].Name != p.sets[i-1].Name {
			line++
		}
	}
	return line
}
