package reader_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docent/pipeline/contract"
	"docent/pipeline/knowledge/graph"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/reader"
	"docent/tui/style"
	"docent/tui/tuitest"
)

const set = "lantern@1"

// docs are the pages that the tests read.
var docs = map[string]string{
	"a.md": "# Lamps\n\nSee [the wick](b.md#trim), [the shop](https://shop.example/x), [odds](c.md#gone), [below](#care).\n\n" +
		"## Fuel\n\n" + paragraphs(20, "Oil number") + "## Care\n\nA Wick and a wick and a WICK.\n\n" +
		"| name | what it is |\n| --- | --- |\n| wick | " + strings.Repeat("very ", 30) + "long |\n\n" + paragraphs(20, "Care number") +
		"## Last\n\nThe end.\n",
	"b.md": "# Wicks\n\n" + paragraphs(10, "Wick number") + "## Trim\n\nTrim the wick. 修剪灯芯。\n\n" + paragraphs(30, "Trim number"),
	"c.md": "# Odds\n\nSee [nothing](gone.md).\n",
}

func paragraphs(n int, what string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n\n", what, i)
	}
	return b.String()
}

// desk is a reader and what the root would do for it.
type desk struct {
	t      *testing.T
	p      *reader.Pane
	w, h   int
	said   string
	edited string
	browse string
	noList bool

	references []reader.Reference
	refErr     error
}

func sit(t *testing.T, w, h int) *desk {
	d := &desk{t: t, p: reader.New(style.New(true, true)), w: w, h: h}
	d.p.SetSize(w, h)
	d.p.SetHits([]reader.HitPage{
		{Target: target("a.md"), Headings: []contract.Heading{{Text: "## Care"}, {Text: "## Fuel"}}},
		{Target: target("b.md"), Headings: []contract.Heading{{Text: "## Trim"}}},
	})
	to := target("a.md")
	to.Heading = contract.Heading{Text: "## Fuel"}
	d.run(d.p.Open(to))
	return d
}

func target(path string) page.Target {
	return page.Target{DocSet: set, FilePath: path, Title: strings.ToUpper(path)}
}

func (d *desk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case reader.PageWanted:
		src, ok := docs[msg.Target.FilePath]
		if !ok {
			d.p.SetError(msg.Target.ID(), errors.New("it is gone"))
			return
		}
		doc := tuitest.Parse(msg.Target.FilePath, src)
		if msg.Target.FilePath != "c.md" {
			doc.URL = "https://lantern.example/" + msg.Target.FilePath
		}
		d.run(d.p.SetPage(msg.Target.ID(), page.PreparePage(page.Page{Doc: doc, Source: []byte(src)})))
	case reader.ListWanted:
		if d.noList {
			d.run(d.p.SetList(msg.DocSet, nil, errors.New("the catalog is locked")))
			return
		}
		var refs []reader.Ref
		for _, name := range []string{"a.md", "b.md", "c.md"} {
			refs = append(refs, reader.Ref{Path: name, Title: strings.ToUpper(name)})
		}
		d.run(d.p.SetList(msg.DocSet, graph.NewList(refs), nil))
	case reader.ReferencesWanted:
		d.run(d.p.SetReferences(msg.Target.ID(), d.references, d.refErr))
	case reader.EditWanted:
		d.edited = fmt.Sprintf("%s:%d", msg.Target.FilePath, msg.Line)
	case reader.BrowseWanted:
		d.browse = msg.URL
	case reader.Said:
		d.said = msg.Text
	default:
		d.run(d.p.Update(msg))
	}
}

// keys presses keys as the root does: by the table, in the reader's mode.
func (d *desk) keys(names ...string) *desk {
	d.t.Helper()
	for _, name := range names {
		d.said = ""
		k := tuitest.Key(name)
		mode := d.p.Mode()
		b, ok := keymap.DefaultMap().Find(mode, name)
		switch {
		case mode.TakesText() && (!ok || k.Text != ""):
			d.run(d.p.Type(k))
		case !ok:
			d.t.Fatalf("no key %q in mode %b", name, mode)
		case b.Action == keymap.Back:
			d.p.Escape()
		case b.Action == keymap.LinkDigit:
			d.run(d.p.TypeDigit(name))
		default:
			d.run(d.p.Update(b.Action))
		}
		tuitest.View(d.t, d.p.View(), d.w, d.h)
	}
	return d
}

func (d *desk) typing(text string) *desk {
	for _, r := range text {
		d.keys(string(r))
	}
	return d
}

func (d *desk) screen() string {
	return d.p.Title() + " [" + d.p.Info() + "]\n" + tuitest.View(d.t, d.p.View(), d.w, d.h) + "\n" + d.said
}

// What keys do, told as stories; "/" and more letters are typed.
func TestKeys(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		keys []string
		want []string
		not  []string
	}{
		{"it begins at the section", nil, []string{"A.MD › Fuel", "▎ ## Fuel", "▎ Oil number 0"}, []string{"Lamps"}},
		{"the next section", []string{"]"}, []string{"A.MD › Care", "▎ ## Care"}, nil},
		{"the last section does not reach the top", []string{"]", "]"}, []string{"A.MD › Last", "▎ ## Last", "Care number 19"}, nil},
		{"and has none behind it", []string{"]", "]", "]"}, []string{"this is the last section"}, nil},
		{"back from there", []string{"]", "]", "["}, []string{"A.MD › Care"}, nil},
		{"first to the section's own beginning", []string{"j", "j", "["}, []string{"A.MD › Fuel", "▎ ## Fuel"}, nil},
		{"then to the section before", []string{"[", "["}, []string{"this is the first section", "# Lamps"}, nil},
		{"the next hit of the page", []string{"}"}, []string{"A.MD › Care"}, nil},
		{"then that of the next page", []string{"}", "}"}, []string{"B.MD › Trim", "▎ ## Trim"}, nil},
		{"then none", []string{"}", "}", "}"}, []string{"the last section that was found"}, nil},
		{"the hit before, on the page before", []string{"}", "}", "{"}, []string{"A.MD › Care"}, nil},
		{"the first hit has none before it", []string{"{"}, []string{"the first section that was found"}, nil},
		{"the next page", []string{")"}, []string{"B.MD", "# Wicks"}, nil},
		{"the page before", []string{")", "("}, []string{"A.MD", "# Lamps"}, nil},
		{"the first page has none before it", []string{"("}, []string{"the doc set's first page"}, nil},
		{"the last page has none behind it", []string{")", ")", ")"}, []string{"C.MD", "the doc set's last page"}, nil},
		{"back after a jump", []string{"j", "j", ")", "H"}, []string{"A.MD › Fuel", "Oil number 0"}, []string{"## Fuel"}},
		{"and forward again", []string{")", "H", "L"}, []string{"B.MD"}, nil},
		{"no jump yet", []string{"H"}, []string{"there was no jump before"}, nil},
		{"nothing forward", []string{"L"}, []string{"nothing to go forward to"}, nil},
		{"a jump ends what is forward", []string{")", "H", "}", "L"}, []string{"nothing to go forward to"}, nil},

		{"links are numbered", []string{"g", "f"}, []string{"1he wick, 2he shop", "3dds,", "4elow"}, nil},
		{"a link to another page", []string{"g", "f", "1"}, []string{"B.MD › Trim", "Trim the wick"}, nil},
		{"and back", []string{"g", "f", "1", "backspace"}, []string{"A.MD", "# Lamps"}, []string{"1he"}},
		{"a link on the same page", []string{"g", "f", "4"}, []string{"A.MD › Care"}, nil},
		{"a link to a heading that is not there", []string{"g", "f", "3"}, []string{"C.MD", "the page has no heading #gone"}, nil},
		{"a link that leads nowhere", []string{"g", "f", "3", "f", "1"}, []string{"“gone.md” leads to no page of lantern@1", "# Odds"}, nil},
		{"a link out is offered", []string{"g", "f", "2"}, []string{"open in the browser? enter https://shop.example/x"}, nil},
		{"and refused", []string{"g", "f", "2", "esc"}, []string{"# Lamps"}, []string{"open in the browser"}},
		{"a number that is none", []string{"g", "f", "7"}, []string{"there is no link 7"}, nil},
		{"no links are seen", []string{"f"}, []string{"no link is seen here"}, nil},
		{"the numbers can be left", []string{"g", "f", "esc"}, []string{"the wick, the shop"}, []string{"1he"}},
		{"enter wants a number", []string{"g", "f", "enter"}, []string{"type the number of a link"}, nil},

		{"the outline", []string{"o"}, []string{"4 headings", "Lamps", "▸▎  Fuel", "    Care"}, []string{"Oil number"}},
		{"moves", []string{"o", "down", "enter"}, []string{"A.MD › Care", "▎ ## Care"}, nil},
		{"filters", []string{"o", "l", "a", "s", "enter"}, []string{"A.MD › Last"}, nil},
		{"a capital letter makes case count", []string{"o", "C"}, []string{"1 heading", "Care"}, nil},
		{"filters all away", []string{"o", "x", "enter"}, []string{"no heading has that"}, nil},
		{"is left", []string{"o", "down", "esc"}, []string{"A.MD › Fuel", "Oil number 0"}, []string{"headings"}},
		{"is a jump", []string{"o", "down", "enter", "H"}, []string{"A.MD › Fuel"}, nil},

		{"a search goes to the first match from here", []string{"/", "w", "i", "c", "k"}, []string{"[2/5 ·", "/wick", "▸ A Wick and a wick"},
			nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := sit(t, 60, 12).keys(tt.keys...)
			screen := d.screen()
			for _, w := range tt.want {
				if !strings.Contains(screen, w) {
					t.Errorf("%q is not on the screen:\n%s", w, screen)
				}
			}
			for _, w := range tt.not {
				if strings.Contains(screen, w) {
					t.Errorf("%q is on the screen:\n%s", w, screen)
				}
			}
		})
	}
}

// The story of a search.
func TestSearch(t *testing.T) {
	t.Parallel()
	d := sit(t, 60, 12)
	expect := func(parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(d.screen(), part) {
				t.Errorf("%q is not on the screen:\n%s", part, d.screen())
			}
		}
	}
	d.keys("n")
	expect("no search yet")
	d.keys("/").typing("wick")
	expect("2/5", "/wick", "▸ A Wick") // the first one stands above, in the first section
	if x, y, ok := d.p.Cursor(); !ok || y != 11 || x != 6 {
		t.Errorf("the cursor stands at %d, %d, %v", x, y, ok)
	}
	d.keys("enter")
	if strings.Contains(d.screen(), "/wick") || d.p.Mode() != keymap.InReader {
		t.Errorf("the search line is still there:\n%s", d.screen())
	}
	d.keys("n", "n", "n")
	expect("5/5")
	d.keys("n")
	expect("1/5", "from the top again", "the wick,")
	d.keys("N")
	expect("5/5", "from the end again")

	// The current match looks other than the rest, and not by colour.
	for _, want := range []string{"\x1b[1;7mwick", "\x1b[1;4mWick"} {
		d.keys("g")
		for range 6 {
			if d.keys("n"); strings.Contains(d.p.View(), want) {
				break
			}
		}
		if !strings.Contains(d.p.View(), want) {
			t.Errorf("%q is nowhere:\n%q", want, d.p.View())
		}
	}

	d.keys("/").typing("WICK").keys("enter")
	expect("1/1")
	d.keys("/", "esc") // forgets it
	if strings.Contains(d.screen(), "/1") {
		t.Errorf("the search is still there:\n%s", d.screen())
	}
	d.keys("/").typing("nothing of that kind").keys("enter", "n")
	expect("no match", "is not on this page")

	// Typing goes back to where the search began when nothing has the text.
	d.keys("g", "/").typing("care number 9")
	expect("1/1", "▸ Care number 9")
	d.typing("x")
	expect("no match", "# Lamps")
	d.keys("backspace", "esc")
	expect("# Lamps")

	// The same again, and on the next page.
	d.keys("/").typing("灯芯").keys("enter")
	expect("no match")
	d.keys(")")
	expect("B.MD", "1 matches")
	d.keys("n")
	expect("1/1", "▸ Trim the wick. 修剪灯芯。")
	d.keys("/", "enter")
	expect("1/1")
	d.run(d.p.Paste("x"))
	d.keys("/")
	d.run(d.p.Paste("Trim number 29"))
	expect("1/1", "▸ Trim number 29")
}

// An answer to a search that is not the newest one is dropped.
func TestStaleAnswersAreDropped(t *testing.T) {
	t.Parallel()
	d := sit(t, 60, 12)
	d.keys("/")
	first := d.p.Type(tuitest.Key("w"))
	second := d.p.Type(tuitest.Key("x"))
	d.run(second)
	d.run(first)
	if !strings.Contains(d.p.Info(), "no match") {
		t.Errorf("the answer for w is taken for one for wx: %s", d.p.Info())
	}
	d.keys("esc", "/")
	late := d.p.Type(tuitest.Key("w"))
	d.p.Escape()
	d.keys(")")
	d.run(late)
	if strings.Contains(d.p.Info(), "match") || !strings.Contains(d.p.Title(), "B.MD") {
		t.Errorf("an answer for another page is taken: %s", d.p.Info())
	}
}

// Wide lines are reached sideways, and the view comes back by itself.
func TestSideways(t *testing.T) {
	t.Parallel()
	d := sit(t, 60, 12).keys("]")
	if !strings.Contains(d.p.View(), "›") || strings.Contains(d.screen(), "very long") {
		t.Fatalf("nothing says that there is more at the right:\n%s", d.screen())
	}
	for range 10 {
		d.keys("l")
	}
	if !strings.Contains(d.screen(), "‹") || !strings.Contains(d.screen(), "very long") || strings.Contains(d.p.View(), "›") || d.said == "" {
		t.Errorf("the end of the table is not seen:\n%s", d.screen())
	}
	if !strings.Contains(d.screen(), "A Wick and a wick") {
		t.Errorf("prose has moved too:\n%s", d.screen())
	}
	tuitest.Golden(t, "sideways", d.screen())
	d.keys("]")
	if !strings.Contains(d.screen(), "Care number 19") {
		t.Errorf("prose stays hidden:\n%s", d.screen())
	}
	d.keys("[")
	for range 10 {
		d.keys("left")
	}
	if strings.Contains(d.screen(), "‹") || d.said != "nothing is hidden at the left" {
		t.Errorf("it does not come back:\n%s", d.screen())
	}
	// A match beyond the edge is gone to.
	d.keys("/").typing("very long").keys("enter")
	if !strings.Contains(d.screen(), "very long") || !strings.Contains(d.screen(), "1/1") {
		t.Errorf("the match is not seen:\n%s", d.screen())
	}
}

func TestOutside(t *testing.T) {
	t.Parallel()
	d := sit(t, 60, 12)
	line := 1 + strings.Count(docs["a.md"][:strings.Index(docs["a.md"], "## Fuel")], "\n")
	for _, tt := range []struct {
		keys []string
		want string
	}{
		{nil, fmt.Sprintf("a.md:%d", line)},
		{[]string{"j", "j", "j", "j"}, fmt.Sprintf("a.md:%d", line+4)},
		{[]string{"/", "3", "enter"}, fmt.Sprintf("a.md:%d", line+8)},
	} {
		if d.keys(append(slices.Clone(tt.keys), "e")...); d.edited != tt.want {
			t.Errorf("%v: the editor opens %s, want %s", tt.keys, d.edited, tt.want)
		}
	}
	if d.keys("u"); d.browse != "https://lantern.example/a.md" || d.p.URL() != d.browse {
		t.Errorf("the browser opens %q", d.browse)
	}
	if d.keys("g", "f", "2", "enter"); d.browse != "https://shop.example/x" || d.p.Mode() != keymap.InReader {
		t.Errorf("the browser opens %q", d.browse)
	}

	// An edited page is read again, at the same lines.
	d.keys("]", "j", "j")
	before := d.screen()
	d.run(d.p.Reload(set + "/a.md"))
	if !strings.Contains(before, "Oil") || !strings.Contains(d.screen(), "Oil") {
		t.Errorf("after editing:\n%s", d.screen())
	}
	if d.p.Reload(set+"/b.md") != nil {
		t.Error("a page that is not read is read again")
	}

	d.noList = true
	d.p.ForgetLists()
	if d.keys(")"); !strings.Contains(d.said, "the catalog is locked") {
		t.Errorf("it says %q", d.said)
	}
}

func TestEmptyAndErrors(t *testing.T) {
	t.Parallel()
	p := reader.New(style.New(true, true))
	p.SetSize(60, 6)
	for _, b := range keymap.Table() {
		if b.In&keymap.InReader != 0 {
			p.Update(b.Action)
			_ = p.View()
		}
	}
	if p.Escape() || p.Title() != "Reader" || p.Info() != "" {
		t.Error("an empty reader is something")
	}
	gone := page.Target{DocSet: set, FilePath: "gone.md", Title: "Gone \x1b[31m"}
	p.Open(gone)
	if !strings.Contains(p.View(), "reading the page") {
		t.Errorf("it shows %q", p.View())
	}
	p.SetError(gone.ID(), errors.New("it is \x1b[31mgone"))
	if !strings.Contains(p.View(), "it is gone") || strings.Contains(p.Title(), "\x1b") {
		t.Errorf("it shows %q, %q", p.Title(), p.View())
	}
	if p.SetPage("x/other.md", page.PreparePage(page.Page{Source: []byte("x")})) != nil {
		t.Error("another page is taken")
	}
	p.SetPage(gone.ID(), page.PreparePage(page.Page{}))
	for _, b := range keymap.Table() {
		if b.In&keymap.InReader != 0 {
			p.Update(b.Action)
			_ = p.View()
		}
	}
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{
		"links":   {"g", "f"},
		"outline": {"o", "down"},
		"search":  {"]", "/", "w", "i", "c", "k"},
		"offer":   {"g", "f", "2"},
	} {
		for _, size := range [][2]int{{40, 10}, {100, 14}} {
			d := sit(t, size[0], size[1]).keys(keys...)
			tuitest.Golden(t, fmt.Sprintf("%s-%d", name, size[0]), d.screen())
		}
	}
}

// Whatever keys are pressed at whatever size: the view fits, and escape leads
// out.
func TestAnyKeys(t *testing.T) {
	t.Parallel()
	var names []string
	for _, b := range keymap.Table() {
		if b.In&(keymap.InReader|keymap.InFind|keymap.InOutline|keymap.InLinks) != 0 {
			names = append(names, b.Keys...)
		}
	}
	names = append(names, "a", "w", "灯")
	rapid.Check(t, func(rt *rapid.T) {
		d := sit(t, rapid.IntRange(8, 120).Draw(rt, "w"), rapid.IntRange(1, 40).Draw(rt, "h"))
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 40).Draw(rt, "keys") {
			if rapid.IntRange(0, 9).Draw(rt, "resize") == 0 {
				d.w, d.h = rapid.IntRange(8, 120).Draw(rt, "w"), rapid.IntRange(1, 40).Draw(rt, "h")
				d.p.SetSize(d.w, d.h)
			}
			mode := d.p.Mode()
			if _, ok := keymap.DefaultMap().Find(mode, name); ok || mode.TakesText() {
				d.keys(name)
			}
			if lines := strings.Count(ansi.Strip(d.p.View()), "\n") + 1; lines > d.h {
				rt.Fatalf("%d lines in a view of %d", lines, d.h)
			}
		}
		d.p.Escape()
		if d.p.Mode() != keymap.InReader {
			rt.Fatalf("escape leads to mode %b", d.p.Mode())
		}
	})
}
