package shelf_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docent/store/doc"
	"docent/tui/keymap"
	"docent/tui/pane/shelf"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// full is the pane with the canned doc sets.
func full(t testing.TB, w, h int) *shelf.Pane {
	t.Helper()
	p := shelf.New(style.New(true, true))
	p.SetSize(w, h)
	sets, err := (&tuitest.Backend{}).Library(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.SetSets(sets)
	return p
}

// wants is the intent that an action leads to, nil if none.
func wants(cmd tea.Cmd) shelf.Intent {
	if cmd == nil {
		return nil
	}
	return cmd().(shelf.Intent)
}

func tree(t testing.TB, set string) *shelf.Tree {
	t.Helper()
	pages, err := (&tuitest.Backend{}).PagesOf(t.Context(), set)
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	return shelf.NewTree(pages)
}

// Doc sets are grouped by name, their newest version first, the manual last.
func TestList(t *testing.T) {
	t.Parallel()
	p := shelf.New(style.New(true, true))
	p.SetSize(76, 14)
	tuitest.Golden(t, "reading", tuitest.View(t, p.View(), 76, 14))
	p.SetSets(nil)
	tuitest.Golden(t, "none", tuitest.View(t, p.View(), 76, 14))
	p = full(t, 76, 14)
	tuitest.Golden(t, "list", tuitest.View(t, p.View(), 76, 14))
	var order []string
	for _, s := range p.Sets() {
		order = append(order, s.Ref.String())
	}
	if want := []string{"harbour@0.9", "lantern@2.1", "lantern@1.10", "lantern@1.9", "灯笼@latest", "Docent_Manual@0.1.0"}; !slices.Equal(order,
		want) {
		t.Errorf("the order is %v, want %v", order, want)
	}
	p.Update(keymap.Bottom)
	if s, _ := p.Selected(); !shelf.IsManual(s) {
		t.Errorf("the last one is %s", s.Ref.String())
	}
	p.SetSize(40, 6)
	for _, a := range []keymap.Action{keymap.Top, keymap.Down, keymap.PageDown, keymap.HalfUp, keymap.PageUp, keymap.HalfDown, keymap.Up} {
		p.Update(a)
		view := tuitest.View(t, p.View(), 40, 6)
		if strings.Count(view, "▸") != 1 {
			t.Errorf("%s: the cursor is not seen:\n%s", a, view)
		}
	}
	// A new listing keeps the cursor, or goes to an added doc set.
	p.SelectDocSet("lantern@1.9")
	p.SetSets(slices.Clone(p.Sets()))
	if s, _ := p.Selected(); s.Ref.String() != "lantern@1.9" {
		t.Errorf("the cursor went to %s", s.Ref.String())
	}
	p.SetSets(append(slices.Clone(p.Sets()), shelf.Set{Ref: doc.Ref{Name: "anchor", Version: "1"}}))
	if s, _ := p.Selected(); s.Ref.String() != "anchor@1" {
		t.Errorf("the cursor is on %s, not on what is new", s.Ref.String())
	}
}

// What keys ask the root for.
func TestIntents(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		do   []keymap.Action
		want string
	}{
		{"open a doc set", []keymap.Action{keymap.Unfold}, "shelf.PagesWanted{Set:\"harbour@0.9\"}"},
		{"find in it", []keymap.Action{keymap.Down, keymap.FindPage}, "shelf.PagesWanted{Set:\"lantern@2.1\"}"},
		{"update one", []keymap.Action{keymap.UpdateSet}, "shelf.UpdateWanted{Sets:[]string{\"harbour@0.9\"}}"},
		{"update all", []keymap.Action{keymap.UpdateAll}, "shelf.UpdateWanted{Sets:[]string(nil)}"},
		{"forgetting is asked first", []keymap.Action{keymap.RemoveSet}, "<nil>"},
		{"and then done", []keymap.Action{keymap.RemoveSet, keymap.Confirm}, "shelf.RemoveWanted{Set:\"harbour@0.9\"}"},
		{"but not with the manual", []keymap.Action{keymap.Bottom, keymap.RemoveSet},
			"shelf.Said{Text:\"the manual is built in: it cannot be forgotten\"}"},
		{"add", []keymap.Action{keymap.AddSet}, "shelf.FoldersWanted{Seq:1, Text:\"\"}"},
		{"complete", []keymap.Action{keymap.AddSet, keymap.Complete}, "shelf.FoldersWanted{Seq:2, Text:\"\"}"},
		{"an empty folder is none", []keymap.Action{keymap.AddSet, keymap.Accept}, "<nil>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := full(t, 76, 14)
			var got shelf.Intent
			for _, a := range tt.do {
				got = wants(p.Update(a))
			}
			if text := fmt.Sprintf("%#v", got); text != tt.want {
				t.Errorf("%v wants %s, not %s", tt.do, text, tt.want)
			}
		})
	}
}

func TestForgettingIsConfirmed(t *testing.T) {
	t.Parallel()
	p := full(t, 76, 14)
	p.Update(keymap.RemoveSet)
	if p.Mode() != keymap.InConfirm {
		t.Errorf("the mode is %b", p.Mode())
	}
	tuitest.Golden(t, "confirm", tuitest.View(t, p.View(), 76, 14))
	if !p.Escape() || p.Mode() != keymap.InLibrary || p.Escape() {
		t.Error("escape does not lead back from the question, or leads too far")
	}
	p.SetWork(shelf.Work{What: "updating all doc sets"})
	if s, ok := wants(p.Update(keymap.RemoveSet)).(shelf.Said); !ok || !strings.Contains(s.Text, "being indexed") {
		t.Errorf("what is being indexed may be forgotten: %v", s)
	}
}

func TestTree(t *testing.T) {
	t.Parallel()
	p := full(t, 76, 14)
	p.Update(keymap.Unfold)
	tuitest.Golden(t, "tree-reading", tuitest.View(t, p.View(), 76, 14))
	p.SetTree("lantern@2.1", tree(t, "lantern@2.1"), nil) // another doc set's: dropped
	if strings.Contains(p.View(), "Wicks") {
		t.Error("the pages of another doc set are shown")
	}
	p.SetTree("harbour@0.9", tree(t, "harbour@0.9"), nil)
	tuitest.Golden(t, "tree-folded", tuitest.View(t, p.View(), 76, 14))
	if got := p.Title() + "|" + p.Info(); got != "Library › harbour@0.9|113 pages, 2 files not indexed" {
		t.Errorf("the frame says %q", got)
	}
	p.Update(keymap.Unfold)
	p.Update(keymap.Down)
	p.Update(keymap.Unfold)
	tuitest.Golden(t, "tree", tuitest.View(t, p.View(), 76, 14))
	p.Update(keymap.Down)
	if got := wants(p.Update(keymap.Unfold)); got != (shelf.Opened{Set: "harbour@0.9", Path: "content/en/piers/a/berth-000.md",
		Title: "Berth 0"}) {
		t.Errorf("a page opens as %#v", got)
	}
	p.Update(keymap.Down)
	p.Update(keymap.Down)
	if got, ok := wants(p.Update(keymap.Unfold)).(shelf.Said); !ok || !strings.Contains(got.Text, "gone") {
		t.Errorf("a page whose file is gone opens as %#v", got)
	}
	p.Update(keymap.Fold) // its folder
	p.Update(keymap.Fold) // the folder above
	tuitest.Golden(t, "tree-folded", tuitest.View(t, p.View(), 76, 14))
	p.Update(keymap.Fold)
	if p.Title() != "Library" {
		t.Errorf("folding at the top leads to %q", p.Title())
	}
	p.Update(keymap.Unfold)
	p.SetTree("harbour@0.9", nil, errors.New("the index is \x1b[31mgone"))
	if v := tuitest.View(t, p.View(), 76, 14); !strings.Contains(v, "✗ the index is gone") {
		t.Errorf("the error is not told:\n%s", v)
	}
	if got := wants(p.RequestPagesAgain()); got != (shelf.PagesWanted{Set: "harbour@0.9"}) {
		t.Errorf("a stale tree asks for %#v", got)
	}
	p.SetSets(nil) // forgotten before
	if p.Title() != "Library" || p.RequestPagesAgain() != nil {
		t.Error("the tree of a doc set that is gone is still open")
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	p := full(t, 76, 14)
	p.Update(keymap.FindPage)
	p.SetTree("harbour@0.9", tree(t, "harbour@0.9"), nil)
	typed := func(text string) string {
		p.Escape()
		p.Update(keymap.FindPage)
		for _, r := range text {
			if want, ok := wants(p.Update(tuitest.Key(string(r)))).(shelf.TextWanted); ok {
				p.SetInText(want.Seq, nil)
			}
		}
		return p.Info()
	}
	for text, want := range map[string]string{
		"berth":     "114 of 115 files",
		"/B/ berTH": "29 of 115 files",
		"brth-007":  "1 of 115 files", // by its letters
		"灯":         "0 of 115 files",
	} {
		if got := typed(text); got != want {
			t.Errorf("%q finds %s, not %s", text, got, want)
		}
	}
	typed("berth 4")
	tuitest.Golden(t, "found", tuitest.View(t, p.View(), 76, 14))
	if x, y, ok := p.Cursor(); !ok || x != 14 || y != 0 {
		t.Errorf("the cursor stands at %d, %d, %v", x, y, ok)
	}
	p.Update(keymap.FieldNext)
	if got, ok := wants(p.Update(keymap.Accept)).(shelf.Opened); !ok || got.Path != "content/en/piers/a/berth-040.md" {
		t.Errorf("enter opens %#v", got)
	}
	typed("灯")
	if v := tuitest.View(t, p.View(), 76, 14); !strings.Contains(v, "no page has that") {
		t.Errorf("nothing found says nothing:\n%s", v)
	}
	if p.Update(keymap.Accept) != nil {
		t.Error("enter opens what is not there")
	}
	p.Escape()
	if p.Mode() != keymap.InLibrary || p.Info() != "113 pages, 2 files not indexed" {
		t.Errorf("escape leads to mode %b, %s", p.Mode(), p.Info())
	}
}

// The form, step by step: folder, completion, proposal, names.
func TestForm(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{}
	p := full(t, 76, 14)
	var got shelf.Intent
	answer := func(cmd tea.Cmd) {
		switch got = wants(cmd); i := got.(type) {
		case shelf.FoldersWanted:
			f, _ := b.Folders(t.Context(), i.Text)
			p.SetFolders(i.Seq, f)
		case shelf.ProposalWanted:
			s, err := b.Propose(t.Context(), i.Path)
			p.SetProposal(i.Seq, s, err)
		}
	}
	key := func(text string) {
		for _, r := range text {
			answer(p.Update(tuitest.Key(string(r))))
		}
	}
	answer(p.Add())
	key("d")
	tuitest.Golden(t, "form", tuitest.View(t, p.View(), 76, 14))
	answer(p.Update(keymap.Complete)) // docs/ and downloads/: no further than "do"
	key("c")
	answer(p.Update(keymap.Complete))
	if v := ansi.Strip(p.View()); !strings.Contains(v, "▸ from      docs/") {
		t.Errorf("tab did not complete:\n%s", v)
	}
	stale := got.(shelf.FoldersWanted).Seq - 1
	p.SetFolders(stale, []string{"evil/"})
	if strings.Contains(p.View(), "evil") {
		t.Error("a stale answer is shown")
	}
	answer(p.Update(keymap.Accept))
	tuitest.Golden(t, "form-names", tuitest.View(t, p.View(), 76, 14))
	p.Update(tuitest.Key("ctrl+u"))
	answer(p.Update(keymap.Accept))
	if got != nil || !strings.Contains(p.View(), "needs a name and a version") {
		t.Errorf("without a name: %#v\n%s", got, p.View())
	}
	p.Update(tea.PasteMsg{Content: "Lan\ntern"})
	p.Update(keymap.FieldNext)
	p.Update(tuitest.Key("ctrl+u"))
	key("3")
	answer(p.Update(keymap.Accept))
	if got != (shelf.AddWanted{Path: "docs/", Name: "Lan tern", Version: "3"}) {
		t.Errorf("it is added as %#v", got)
	}
	if p.IsAdding() {
		t.Error("the form is still there")
	}
	p.AddFailed("Lan tern@3 is already /home/ana/lantern")
	tuitest.Golden(t, "form-failed", tuitest.View(t, p.View(), 76, 14))
	if !p.Escape() || !p.IsAdding() || !p.Escape() || p.IsAdding() {
		t.Error("escape does not lead from the names to the folder and out of the form")
	}
	answer(p.Add())
	key("nothing")
	answer(p.Update(keymap.Accept))
	if !strings.Contains(p.View(), "✗ no page was found in nothing") {
		t.Errorf("the reason is not told:\n%s", p.View())
	}
	p.Escape()
	answer(p.Add())
	key("many")
	answer(p.Update(keymap.Accept))
	tuitest.Golden(t, "form-many", tuitest.View(t, p.View(), 76, 14))
	answer(p.Update(keymap.Accept))
	if got != (shelf.AddWanted{Path: "many"}) {
		t.Errorf("several are added as %#v", got)
	}
	answer(p.Add())
	key("lamp.example/a.git")
	answer(p.Update(keymap.Accept))
	tuitest.Golden(t, "form-source", tuitest.View(t, p.View(), 76, 14))
	answer(p.Update(keymap.Accept)) // the source says its name and version
	if got != (shelf.AddWanted{Path: "lamp.example/a.git"}) {
		t.Errorf("a source is added as %#v", got)
	}
}

func TestWork(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		work shelf.Work
		chip string
		want []string
	}{
		{"none", shelf.Work{}, "", nil},
		{"begun", shelf.Work{What: "adding a@1"}, "adding a@1 …", []string{"● adding a@1", "starting …"}},
		{"a stage that counts nothing", shelf.Work{What: "adding a@1", At: shelf.Progress{Stage: "learning vectors",
			Elapsed: 2600 * time.Millisecond}},
			"adding a@1: learning vectors …", []string{"learning vectors …  3 s"}},
		{"too early for an estimate", shelf.Work{What: "adding a@1", At: shelf.Progress{Stage: "reading pages", Done: 1, Total: 100,
			Elapsed: time.Millisecond}},
			"adding a@1 ········ 1%", []string{"reading pages ··················· 1/100"}},
		{"an estimate", shelf.Work{What: "adding a@1", At: shelf.Progress{Stage: "reading pages", Done: 25, Total: 100,
			Elapsed: 30 * time.Second}},
			"adding a@1 ━━······ 25% 1 min 30 s left", []string{"25/100  1/s  1 min 30 s left"}},
		{"one of several", shelf.Work{What: "updating all doc sets", At: shelf.Progress{Nth: 2, Of: 5, Set: "b\x1b[31m@2",
			Stage: "looking for changes"}},
			"updating all doc sets: looking for changes …", []string{"● updating all doc sets (2 of 5: b@2)"}},
		{"cancelling", shelf.Work{What: "adding a@1", At: shelf.Progress{Cancelling: true}}, "adding a@1: cancelling …",
			[]string{"cancelling …"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := full(t, 76, 14)
			p.SetWork(tt.work)
			v := tuitest.View(t, p.View(), 76, 14)
			for _, w := range tt.want {
				if !strings.Contains(v, w) {
					t.Errorf("%q is not shown:\n%s", w, v)
				}
			}
			if got := tt.work.ShortText(); got != tt.chip {
				t.Errorf("the chip is %q, not %q", got, tt.chip)
			}
		})
	}
	for d, want := range map[time.Duration]string{0: "< 1 s", 59 * time.Second: "59 s", 61 * time.Second: "1 min 1 s",
		3661 * time.Second: "1 h 1 min"} {
		if got := shelf.DurationText(d); got != want {
			t.Errorf("%v is %q, not %q", d, got, want)
		}
	}
}

// A tree holds every page once, whatever the paths, and finding a page's own
// path finds it.
func TestTreeHoldsEveryPage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		paths := rapid.SliceOfNDistinct(rapid.StringMatching(`([ab灯]{1,2}/){0,3}[ab]{1,3}\.md|([ab]/){1,2}docContent\.md`), 1, 30,
			rapid.ID[string]).Draw(rt, "paths")
		pages := make([]shelf.Page, len(paths))
		for i, path := range paths {
			pages[i] = shelf.Page{Path: path, Title: fmt.Sprintf("title-%d-", i)}
		}
		p := shelf.New(style.New(true, true))
		p.SetSize(60, 4*len(paths)+10)
		p.SetSets([]shelf.Set{{Ref: doc.Ref{Name: "a", Version: "1"}}})
		p.Update(keymap.Unfold)
		p.SetTree("a@1", shelf.NewTree(pages), nil)
		for range 3 * len(paths) { // unfold all that is folded
			if p.Update(keymap.Top); !strings.Contains(p.View(), "+ ") {
				break
			}
			for range 4 * len(paths) {
				if line := cursorLine(p.View()); strings.Contains(line, "+ ") {
					p.Update(keymap.Unfold)
				}
				p.Update(keymap.Down)
			}
		}
		v := ansi.Strip(p.View())
		for i := range pages {
			if n := strings.Count(v, fmt.Sprintf("title-%d-", i)); n != 1 {
				rt.Fatalf("page %s is shown %d times:\n%s", paths[i], n, v)
			}
		}
	})
}

func cursorLine(view string) string {
	for l := range strings.Lines(ansi.Strip(view)) {
		if strings.HasPrefix(l, "▸") {
			return l
		}
	}
	return ""
}

// many is a tree of n pages.
func many(n int) []shelf.Page {
	pages := make([]shelf.Page, n)
	for i := range pages {
		pages[i] = shelf.Page{Path: fmt.Sprintf("content/en/%02d/%02d/page-%d.md", i%40, i/40%25, i),
			Title: fmt.Sprintf("The page number %d of a large documentation", i)}
	}
	return pages
}

func BenchmarkNewTree10000(b *testing.B) {
	pages := many(10_000)
	for b.Loop() {
		shelf.NewTree(pages)
	}
}

func BenchmarkFrame10000(b *testing.B) {
	p := large()
	for b.Loop() {
		p.Update(keymap.Down)
		p.View()
	}
}

func BenchmarkFind10000(b *testing.B) {
	p := large()
	p.Update(keymap.FindPage)
	for b.Loop() {
		p.Update(tuitest.Key("9"))
		p.View()
		p.Update(tuitest.Key("backspace"))
	}
}

func large() *shelf.Pane {
	p := shelf.New(style.New(true, false))
	p.SetSize(158, 39)
	p.SetSets([]shelf.Set{{Ref: doc.Ref{Name: "a", Version: "1"}}})
	p.Update(keymap.Unfold)
	p.SetTree("a@1", shelf.NewTree(many(10_000)), nil)
	p.Update(keymap.Unfold)
	return p
}
