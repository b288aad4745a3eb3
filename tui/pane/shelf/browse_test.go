package shelf_test

import (
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/service/library"
	"docent/store"
	"docent/store/doc"
	"docent/tui/keymap"
	"docent/tui/pane/shelf"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// site is a doc set as site generators lay it out.
func site() []shelf.Page {
	return []shelf.Page{
		{Path: "README.md", Title: "The handbook"},
		{Path: "docs/concepts/_index.md", Title: "Concepts"},
		{Path: "docs/concepts/pods.md", Title: "Pods"},
		{Path: "docs/concepts/storage/index.md", Title: "Storage"},
		{Path: "docs/setup/README.md", Title: "Setup"},
		{Path: "docs/setup/index.md", Title: "Begin here"},
	}
}

func browsed(t *testing.T, pages []shelf.Page, w, h int) *shelf.Pane {
	t.Helper()
	p := shelf.New(style.New(true, true))
	p.SetSize(w, h)
	p.SetSets([]shelf.Set{{Ref: doc.Ref{Name: "a", Version: "1"}}})
	p.Update(keymap.Open)
	p.SetTree("a@1", shelf.NewTree(pages), nil)
	return p
}

// A folder with one index page bears its title, and is that page where it holds
// nothing else; the doc set's own page comes first. Two index pages are pages.
func TestIndexPages(t *testing.T) {
	t.Parallel()
	p := browsed(t, site(), 70, 16)
	tuitest.Golden(t, "index-pages", tuitest.View(t, p.View(), 70, 16))
	if at, ok := p.Target(); !ok || at.FilePath != "README.md" {
		t.Errorf("the first is %+v, %v", at, ok)
	}
	p.Update(keymap.Down)
	if _, ok := p.Target(); ok {
		t.Error("a folder without a page is one")
	}
	p.Update(keymap.Down) // Concepts, unfolded: it can be read
	at, ok := p.Target()
	if got := wants(p.Update(keymap.Open)); !ok || at.FilePath != "docs/concepts/_index.md" ||
		got != (shelf.Opened{Set: "a@1", Path: "docs/concepts/_index.md", Title: "Concepts"}) {
		t.Errorf("it is %+v, and opens as %#v", at, got)
	}
	p.Update(keymap.Fold)
	if got := p.Update(keymap.Open); got != nil || !strings.Contains(p.View(), "Pods") {
		t.Errorf("a folded folder is not unfolded first: %#v", got)
	}
	// Found by its name, it is a page like any other.
	p.Update(keymap.FindPage)
	for _, r := range "concepts" {
		p.Update(tuitest.Key(string(r)))
	}
	if got := wants(p.Update(keymap.Accept)); got != (shelf.Opened{Set: "a@1", Path: "docs/concepts/_index.md", Title: "Concepts"}) {
		t.Errorf("found, it opens as %#v", got)
	}
}

// A lone folder is open, however many pages there are.
func TestLoneRootsAreOpen(t *testing.T) {
	t.Parallel()
	var pages []shelf.Page
	for i := range 60 {
		dir := "content/en/docs/a/"
		if i%2 > 0 {
			dir = "content/en/docs/b/"
		}
		pages = append(pages, shelf.Page{Path: dir + strings.Repeat("x", i+1) + ".md", Title: "Page"})
	}
	p := browsed(t, pages, 60, 12)
	if v := tuitest.View(t, p.View(), 60, 12); !strings.Contains(v, "- content/en/docs/") || !strings.Contains(v, "+ a/") ||
		!strings.Contains(v, "+ b/") {
		t.Errorf("it shows\n%s", v)
	}
}

// Sections found in the texts stand below pages found by name; an older answer is
// dropped. Pages that were read and marked say so.
func TestFindInText(t *testing.T) {
	t.Parallel()
	p := browsed(t, site(), 70, 14)
	p.SetFamiliar(func(set, path string) (read, marked bool) {
		return set == "a@1" && path == "docs/concepts/pods.md", path == "README.md"
	})
	if v := p.View(); !strings.Contains(v, "★") || !strings.Contains(v, "read") {
		t.Errorf("it shows\n%s", v)
	}
	p.Update(keymap.FindPage)
	first := wants(p.Update(tuitest.Key("p"))).(shelf.TextWanted)
	second := wants(p.Update(tuitest.Key("o"))).(shelf.TextWanted)
	if second.Set != "a@1" || second.Text != "po" || p.StillFinds(first.Seq) {
		t.Errorf("it asks for %+v", second)
	}
	place := pipeline.Place{DocSet: "a@1", FilePath: "docs/setup/README.md", Title: "Setup", Path: []string{"Setup", "Ports"}, Anchor: "ports"}
	p.SetInText(first.Seq, []pipeline.Place{place, place})
	p.SetInText(second.Seq, []pipeline.Place{place})
	tuitest.Golden(t, "found-in-text", tuitest.View(t, p.View(), 70, 14))
	if p.Info() != "1 of 6 pages, 1 in the text" {
		t.Errorf("the frame says %q", p.Info())
	}
	p.Update(keymap.FieldNext)
	if at, ok := p.Target(); !ok || at.Heading.Anchor != "ports" {
		t.Errorf("under the cursor is %+v", at)
	}
	if got, ok := wants(p.Update(keymap.Accept)).(shelf.SectionOpened); !ok || got.Place.Anchor != "ports" {
		t.Errorf("it opens as %#v", got)
	}
	// Enter that is pressed before the texts are searched opens what is found first.
	third := wants(p.Update(tuitest.Key("q"))).(shelf.TextWanted)
	if v := p.View(); !strings.Contains(v, "looking in the texts") || wants(p.Update(keymap.Accept)) != nil {
		t.Errorf("meanwhile it shows\n%s", v)
	}
	if got, ok := wants(p.SetInText(third.Seq, []pipeline.Place{place})).(shelf.SectionOpened); !ok || got.Place.Anchor != "ports" {
		t.Errorf("enter opens %#v", got)
	}
	fourth := wants(p.Update(tuitest.Key("q"))).(shelf.TextWanted)
	p.Update(keymap.Accept)
	fifth := wants(p.Update(tuitest.Key("q"))).(shelf.TextWanted)
	if p.SetInText(fourth.Seq, []pipeline.Place{place}) != nil || p.SetInText(fifth.Seq, []pipeline.Place{place}) != nil {
		t.Error("enter opens what other words find")
	}
	p.Escape()
	p.SetInText(second.Seq, []pipeline.Place{place})
	if strings.Contains(p.View(), "in the text") {
		t.Error("finds are shown when nobody looks for them")
	}
}

// Names with the typed letters within their words, or only in that order, stand below finds in
// the texts and wait for them.
func TestLettersStandBelowFindsInTheText(t *testing.T) {
	t.Parallel()
	p := browsed(t, site(), 70, 14)
	p.Update(keymap.FindPage)
	place := pipeline.Place{DocSet: "a@1", FilePath: "docs/concepts/pods.md", Title: "Pods", Path: []string{"Pods", "Settings"}, Anchor: "settings"}
	for text, loose := range map[string]string{"stup": "letters in order", "etup": "within a word"} {
		for range 4 {
			p.Update(tuitest.Key("backspace"))
		}
		var want shelf.TextWanted
		for _, r := range text {
			want = wants(p.Update(tuitest.Key(string(r)))).(shelf.TextWanted)
		}
		if v := p.View(); !strings.Contains(v, "looking in the texts") || wants(p.Update(keymap.Accept)) != nil {
			t.Errorf("%s: meanwhile it shows\n%s", loose, v)
		}
		got, ok := wants(p.SetInText(want.Seq, []pipeline.Place{place})).(shelf.SectionOpened)
		if !ok || got.Place.Anchor != "settings" || got.Text != text {
			t.Errorf("%s: enter opens %#v", loose, got)
		}
		v := tuitest.View(t, p.View(), 70, 14)
		if at := strings.Index(v, "in the text"); at < 0 || !strings.Contains(v[at:], "Setup") {
			t.Errorf("%s: it shows\n%s", loose, v)
		}
		p.Update(keymap.FieldNext)
		if got, ok := wants(p.Update(keymap.Accept)).(shelf.Opened); !ok || got.Title != "Setup" {
			t.Errorf("%s: enter opens %#v", loose, got)
		}
	}
}

// A click puts the cursor on a line, a second one opens it.
func TestClicks(t *testing.T) {
	t.Parallel()
	p := browsed(t, site(), 70, 16)
	if p.Click(0) != nil || p.Click(15) != nil || p.Click(4) != nil {
		t.Error("a first click opens something")
	}
	if at, ok := p.Target(); !ok || at.Title != "Concepts" {
		t.Errorf("it is on %+v", at)
	}
	if got, ok := wants(p.Click(4)).(shelf.Opened); !ok || got.Title != "Concepts" {
		t.Errorf("a second click gives %#v", got)
	}
	q := full(t, 76, 14)
	q.Click(2 + 3)
	if s, _ := q.Selected(); s.Ref.String() == q.Sets()[0].Ref.String() {
		t.Error("a click on a doc set does nothing")
	}
	s, _ := q.Selected()
	if got, ok := wants(q.Click(2 + 3)).(shelf.PagesWanted); !ok || got.Set != s.Ref.String() {
		t.Errorf("a second click gives %#v", got)
	}
}

// Pages in the index are counted. A file that was handed in and is no page says why
// and in which lane it waits; it can be read now, and one that waits can be cancelled.
func TestFilesThatAreNoPages(t *testing.T) {
	t.Parallel()
	p := browsed(t, []shelf.Page{
		{Path: "a/book.pdf", Title: "book.pdf", State: library.PageWaiting, Document: "1", Lane: "heavy", Reason: "TIMEOUT: it took too long"},
		{Path: "b/scan.pdf", Title: "scan.pdf", State: library.PageFailed, Document: "2", Lane: "heavy", Reason: "CORRUPT_FILE: it is damaged"},
		{Path: "c/note.md", Title: "note.md", State: library.PageWaiting, Document: "3", Lane: "fast", Status: store.UploadProcessing},
		{Path: "d/wick.md", Title: "Wick"},
	}, 100, 16)
	if got := p.Info(); got != "1 page, 3 files not indexed" {
		t.Errorf("the frame says %q", got)
	}
	for _, want := range []string{"… waiting  heavy lane: TIMEOUT", "✗ failed  CORRUPT_FILE", "… being read  fast lane"} {
		if !strings.Contains(p.View(), want) {
			t.Errorf("%q is missing in\n%s", want, p.View())
		}
	}
	p.Update(keymap.Top)
	said := func(i any) string {
		s, _ := i.(shelf.Said)
		return s.Text
	}
	for _, tt := range []struct {
		name          string
		retry, cancel any
	}{
		{"book.pdf", shelf.RetryWanted{Document: "1", Name: "book.pdf"}, shelf.CancelWanted{Document: "1", Name: "book.pdf"}},
		{"scan.pdf", shelf.RetryWanted{Document: "2", Name: "scan.pdf"}, "nothing waits: scan.pdf failed"},
		{"note.md", "note.md is being read: C cancels that", shelf.CancelWanted{Document: "3", Name: "note.md"}},
	} {
		for range 8 { // to the file
			if f, ok := p.FileUnderCursor(); ok && f.Title == tt.name {
				break
			}
			p.Update(keymap.Down)
		}
		for a, want := range map[keymap.Action]any{keymap.RetryFile: tt.retry, keymap.CancelFile: tt.cancel} {
			if got := wants(p.Update(a)); got != want && said(got) != want {
				t.Errorf("%s of %s is %#v, want %v", a, tt.name, got, want)
			}
		}
	}
	p.Update(keymap.Bottom)
	if f, ok := p.FileUnderCursor(); ok {
		t.Errorf("a page is the file %+v", f)
	}
}
