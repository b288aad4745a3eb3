package tui_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docent/pipeline"
	"docent/tui"
	"docent/tui/keymap"
	"docent/tui/pane/stepper"
	"docent/tui/tuitest"
)

const question = "how do I trim a wick"

// asked is the app behind a run, with its hits on a screen of w by h.
func asked(t testing.TB, opt tui.Options, w, h int) *tuitest.Driver {
	t.Helper()
	d := answered(t, opt, w, h)
	d.Keys("4")
	return d
}

// answered is the app behind a run, on a screen of w by h.
func answered(t testing.TB, opt tui.Options, w, h int) *tuitest.Driver {
	t.Helper()
	d := tuitest.Start(t, opt, w, h)
	d.Ask(question)
	return d
}

func contains(t *testing.T, screen string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(screen, p) {
			t.Errorf("%q is not on the screen:\n%s", p, screen)
		}
	}
}

func lacks(t *testing.T, screen string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(screen, p) {
			t.Errorf("%q is on the screen:\n%s", p, screen)
		}
	}
}

// colours matches the parameters of an SGR sequence that set a colour.
var colours = regexp.MustCompile(`\x1b\[(?:[0-9;:]*;)?(?:[349][0-8]|10[0-7])(?:[;:][0-9;:]*)?m`)

// Without colours the screen has none, and with them there are some.
func TestColours(t *testing.T) {
	t.Parallel()
	for _, none := range []bool{false, true} {
		opt := tuitest.Options(&tuitest.Backend{})
		opt.NoColor = none
		d := asked(t, opt, 120, 40)
		for i := range stepper.Count {
			d.Keys(fmt.Sprint(i + 1))
			if found := colours.FindString(d.Styled()); (found != "") == none {
				t.Errorf("phase %d: no colours %v, colours: %q", i+1, none, found)
			}
		}
	}
}

func TestFirstFrame(t *testing.T) {
	t.Parallel()
	m := tui.New(tuitest.Options(&tuitest.Backend{}))
	v := m.View()
	if err := tuitest.Size(v.Content, 80, 24); err != "" {
		t.Error(err)
	}
	if v.Cursor == nil || v.Cursor.Y != 1 || v.Cursor.X != 3 {
		t.Errorf("the cursor does not stand in the question line: %+v", v.Cursor)
	}
	tuitest.Golden(t, "screen-first", ansi.Strip(v.Content))
}

// Keys, as stories: keys, then what must be on the screen.
func TestKeys(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want []string
		not  []string
	}{
		{"the run ends on the best hit", nil, []string{"▸4 Hits", "▸ ● ━━━━━╸ 0.93  Wicks › Trim a wick", "7 of 9 sections kept"}, nil},
		{"down", []string{"j"}, []string{"› Refilling ─"}, nil},
		{"what is under the threshold is one line", nil, []string{"copied; heading has “wick”"}, []string{"Signals"}},
		{"which is unfolded by going there", []string{"G"}, []string{"Signals", "harbour@0.9"}, []string{"below the threshold:"}},
		{"leave a page out", []string{"x"}, []string{"✗", "left out: Wicks", "1 left out", "4 of 9 sections kept"}, nil},
		{"and take it in again", []string{"space", "space"}, []string{"included again: Wicks", "7 of 9 sections kept"}, []string{"1 left out"}},
		{"what is dropped cannot be left out", []string{"G", "x"}, []string{"under the threshold already"}, nil},
		{"sections", []string{"v"}, []string{"the answer: the sections that fit", "v: 125 lines"}, nil},
		{"the block of sections", []string{"v", "8"}, []string{"▸8 Answer: sections", "119 lines of 6 sections",
			"y copies 119 lines of 6 sections · v: 125 lines"}, nil},
		{"whole documents again", []string{"8", "v", "v"}, []string{"▸8 Answer: whole pages", "the answer: whole pages"}, nil},
		{"the switch is undone", []string{"8", "v", "u"}, []string{"▸8 Answer: whole pages", "undone: the answer: the sections"}, nil},
		{"and done again", []string{"8", "v", "u", "U"}, []string{"▸8 Answer: sections"}, nil},
		{"sections are no full text", []string{"f", "v", "8"}, []string{"▸8 Answer: sections"}, []string{" full "}},
		{"a section is left out", []string{"v", "space", "u", "U"}, []string{"✗", "redone: left out: Wicks › Trim a wick", "1 left out",
			"6 of 9 sections kept"}, nil},
		{"and its page", []string{"v", "x"}, []string{"left out: Wicks ", "4 of 9 sections kept"}, nil},
		{"of whole documents it is the page", []string{"space"}, []string{"left out: Wicks ", "4 of 9 sections kept"}, nil},
		{"a section of the rerank pane", []string{"v", "5", "j", "space"}, []string{"left out: Oil and fuel", "✗ Oil and fuel"}, nil},
		{"what is dropped there cannot be", []string{"v", "5", "G", "space"}, []string{"under the threshold already"}, nil},
		{"a section of the documents", []string{"v", "6", "j", "space"}, []string{"left out: Wicks › Trim a wick", "  ✗  Trim a wick"}, nil},
		{"which is taken in again there", []string{"v", "6", "j", "space", "j", "j", "space"},
			[]string{"included again: Wicks › Trim a wick", "copies 119 lines"}, []string{"✗"}},
		{"a section of the block", []string{"v", "8", "B", "j", "j", "j", "j", "j", "j", "space"},
			[]string{"left out: Wicks › Trim a wick", "99 lines of 5 sections"}, nil},
		{"a page of the block", []string{"v", "8", "B", "j", "j", "j", "j", "j", "j", "x"}, []string{"left out: Wicks ", "1 left out"}, nil},
		{"the block's own line is no section", []string{"v", "8", "B", "space"}, []string{"no line of a document under the cursor"}, nil},
		{"the reader copies what is read", []string{"enter", "y"}, []string{"✓ copied the section “Trim a wick”, "}, nil},
		{"its citation", []string{"enter", "]", "Y"}, []string{"✓ copied the source of “Replace a wick”"}, nil},
		{"its text", []string{"enter", "t"}, []string{"✓ copied the section “Trim a wick”, "}, nil},
		{"scene", []string{"s"}, []string{"kind of question: a fact", "a fact "}, nil},
		{"all scenes, and back to the router's", []string{"s", "s", "s", "s", "s"}, []string{"kind of question: docent's choice"}, nil},
		{"raise the threshold", []string{"+"}, []string{"threshold: 0.45", "≥ 0.45"}, nil},
		{"the other keys of the threshold", []string{">", ">", "<"}, []string{"threshold: 0.45"}, nil},
		{"lower the threshold", []string{"-", "-", "-", "-", "-"}, []string{"threshold: 0.15", "9 of 9 sections kept"}, nil},
		{"the threshold has an end", slices.Repeat([]string{"-"}, 9), []string{"is 0.00 already"}, nil},
		{"no reranking", []string{"r", "5"}, []string{"not ranked", "not ranked: the pages stand"}, nil},
		{"reranking again", []string{"r", "r"}, []string{"ranking: on"}, []string{"not ranked"}},
		{"compress", []string{"7", "c"}, []string{"shortened, for this question: on", "12 of 125 lines, and 3 lines for", "Left out (113 lines)"}, nil},
		{"full text takes compression back", []string{"c", "f"}, []string{"whole pages, however long: on", "however long "},
			[]string{"shortened ·"}},
		{"phases by number", []string{"8"}, []string{"▸8 Answer", "likely the answer"}, []string{"=== AOP-FINAL"}},
		{"the block as it is copied", []string{"8", "B"}, []string{"=== AOP-FINAL"}, []string{"likely the answer"}},
		{"and as it reads", []string{"8", "B", "B"}, []string{"likely the answer"}, []string{"=== AOP-FINAL"}},
		{"phases by arrows", []string{"right", "]", "left"}, []string{"▸5 Ranking"}, nil},
		{"the first phase is the first", []string{"1", "[", "left"}, []string{"▸1 Queries"}, nil},
		{"the block scrolls", []string{"8", "B", "G"}, []string{"Sources (3)"}, nil},
		{"open and back", []string{"enter", "j", "esc"}, []string{"▸4 Hits"}, nil},
		{"the reader", []string{"l"}, []string{"▸Wicks › Trim a wick"}, []string{"4 Hits"}},
		{"the answer by tab", []string{"tab", "tab", "tab"}, []string{"▸8 Answer"}, []string{"4 Hits"}},
		{"and the hits behind it", []string{"tab", "tab", "tab", "tab"}, []string{"▸4 Hits"}, nil},
		{"tab goes round", []string{"tab"}, []string{"▸Wicks › Trim a wick"}, []string{"▸4 Hits"}},
		{"tab to the question", []string{"tab", "tab", "end", "q", "q"}, []string{question + "qq"}, nil},
		{"back by shift and tab", []string{"shift+tab", "shift+tab", "end", "!"}, []string{question + "!"}, nil},
		{"the preview has keys of its own", []string{"tab", "j", "j", "j", "j", "j", "j", "j", "j", "j"},
			[]string{"▸ ● ━━━━━╸ 0.93  Wicks › Trim a wick"}, nil},
		{"the preview scrolls from the list", []string{"J", "J", "J", "K"}, []string{"Let the lantern cool"}, []string{"## Trim"}},
		{"the passage behind a hit", []string{"n"}, []string{"passage 3 of 4 · lines "}, nil},
		{"and back over the hit to the one before", []string{"n", "N", "N"}, []string{"passage 1 of 4 · lines 1–3", "▎ Everything about wicks"},
			nil},
		{"the first passage is the first", []string{"N", "N"}, []string{"this is the first passage of its page"}, nil},
		{"another hit begins at itself", []string{"N", "j", "k"}, []string{"Wicks › Trim a wick"}, []string{"passage 1 of"}},
		{"a short passage is not folded", []string{"Z"}, []string{"nothing of this passage is folded"}, nil},
		{"help and back", []string{"?", "G", "esc"}, []string{"▸4 Hits"}, []string{"Marks"}},
		{"help from the question", []string{"/", "f1"}, []string{"▸Help", "Here: the question line"}, nil},
		{"q closes the help, not the program", []string{"?", "q"}, []string{"▸4 Hits"}, []string{"▸Help"}},
		{"q closes the reader", []string{"enter", "q"}, []string{"▸4 Hits"}, nil},
		{"the help leads to the manual", []string{"?", "m", "q"}, []string{"in Docent_Manual@0.1.0", "❯ q "}, []string{"▸Help"}},
		{"and back to one's own docs", []string{"d", "space", "enter", "?", "m", "f1", "m"}, []string{"in lantern@2.1", "your own doc sets"},
			[]string{"in Docent_Manual"}},
		{"escape takes that back too", []string{"?", "m", "esc"}, []string{"▸4 Hits", "❯ " + question + " ", "3 doc sets"},
			[]string{"in Docent_Manual"}},
		{"there is no manual key outside the help", []string{"m"}, []string{"m does nothing here"}, nil},
		{"another question begins empty", []string{"/", "q", "q"}, []string{"❯ qq "}, []string{question}},
		{"what was asked stands there until then", []string{"/"}, []string{"❯ " + question + " "}, nil},
		{"escape takes another question back", []string{"tab", "/", "q", "esc", "j"}, []string{"❯ " + question + " ", "▸Wicks › Trim a wick"},
			nil},
		{"the question can be edited", []string{"i", "end", "!"}, []string{question + "!"}, nil},
		{"an arrow keeps it", []string{"i", "left", "space", "x"}, []string{"❯ " + question[:len(question)-1] + " x" + question[len(question)-1:]}, nil},
		{"typing replaces the question", []string{"i", "o", "i", "l"}, []string{"❯ oil "}, []string{question}},
		{"a blank, too", []string{"i", "space", "o", "i", "l"}, []string{"❯  oil "}, []string{question}},
		{"tab leads to it in the same way", []string{"shift+tab", "shift+tab", "o", "i", "l"}, []string{"❯ oil "}, []string{question + "oil"}},
		{"escape leaves it", []string{"i", "o", "i", "l", "esc"}, []string{"❯ " + question + " "}, nil},
		{"sets: escape changes nothing", []string{"d", "space", "esc"}, []string{"3 doc sets"}, []string{"in lantern"}},
		{"sets: enter narrows", []string{"d", "space", "enter"}, []string{"in lantern@2.1", "narrowed to lantern@2.1", "6 of 6 sections kept"},
			nil},
		{"sets: nothing picked means all", []string{"d", "space", "enter", "d", "space", "enter"},
			[]string{"3 doc sets", "all doc sets are searched", "7 of 9 sections kept"}, nil},
		{"escape at the top does nothing", []string{"esc", "esc", "j"}, []string{"❯ " + question + " ", "› Refilling ─"}, nil},
		{"a question that was left is kept", []string{"/", "o", "i", "l", "esc", "j", "/"}, []string{"❯ oil "}, nil},
		{"typing replaces it", []string{"/", "o", "i", "l", "esc", "/", "f", "o", "g"}, []string{"❯ fog "}, []string{"oilfog"}},
		{"or goes on with it", []string{"/", "o", "i", "l", "esc", "/", "end", "s"}, []string{"❯ oils "}, nil},
		{"and stands behind another answer", []string{"/", "o", "i", "l", "esc", "i", "x", "enter", "/"}, []string{"❯ oil "}, nil},
		{"what is typed behind enter comes after it", []string{"enter", "j", "esc"}, []string{"▸ ● ━━━━━╸ 0.93  Wicks › Trim a wick"}, nil},
		{"a key that does nothing says so", []string{"z"}, []string{"z does nothing here"}, nil},
		{"also one with control", []string{"ctrl+o"}, []string{"ctrl+o does nothing here"}, nil},
		{"a query is dropped, and the drop taken back", []string{"1", "x", "u"}, []string{"undone: query dropped", "3  修剪灯芯"},
			[]string{"set by you"}},
		{"and made again", []string{"1", "x", "u", "U"}, []string{"redone: query dropped", "set by you"}, []string{"3  修剪灯芯"}},
		{"queries change places", []string{"1", "J"}, []string{"query moved down", "▸ 2  how do I trim"}, nil},
		{"docent's own queries", []string{"1", "x", "o"}, []string{"docent's own queries", "3  修剪灯芯"}, []string{"set by you"}},
		{"the last query stays", []string{"1", "x", "x", "x"}, []string{"cannot be dropped", "3  修剪灯芯"}, nil},
		{"a query is edited", []string{"1", "e", "!", "enter"}, []string{"query 1: how do I trim a wick!", "   edited"}, nil},
		{"more than five are not", []string{"1", "a", "o", "enter", "a", "p", "enter", "a"}, []string{"there are 5 queries already"},
			[]string{"another query ❯"}},
		{"a query is added", []string{"1", "a", "o", "i", "l", "enter"}, []string{"query added: oil", "   edited"}, nil},
		{"a prompt that is left changes nothing", []string{"1", "a", "o", "esc"}, []string{"nothing was changed"}, []string{"set by you"}},
		{"nothing to take back", []string{"u"}, []string{"nothing was changed since"}, nil},
		{"the intent", []string{"2", "j", "enter"}, []string{"asked about: ", "(set by you)"}, nil},
		{"the confidence", []string{"2", "j", "j", "+"}, []string{"confidence: 0."}, nil},
		{"the line goes up past a heading", []string{"5", "K"}, []string{"threshold: 0.44", "── threshold 0.44"}, nil},
		{"and down", []string{"5", "J"}, []string{"threshold: 0.28", "── threshold 0.28"}, nil},
		{"why a heading scored so", []string{"5"}, []string{"why Trim a wick", "e shows the figures"}, nil},
		{"a document at its top", []string{"6", "enter"}, []string{"▸Wicks"}, nil},
		{"a line of the block in its page", []string{"8", "B", "j", "j", "j", "enter"}, []string{"▸Wicks"}, nil},
		{"the block's own line", []string{"8", "B", "enter"}, []string{"no line of a document under the cursor"}, nil},
		{"the palette", []string{"ctrl+p", "c", "o", "p", "y", "f", "i", "n", "a", "l", "enter"},
			[]string{"✓ copied the answer, 125 lines of 3 pages"}, nil},
		{"the palette is left", []string{"ctrl+p", "esc"}, []string{"9 sections"}, []string{"Actions"}},
		{"the palette says why not", []string{"ctrl+p", "u", "n", "d", "o", "enter"}, []string{"nothing was changed since"}, nil},
		{"the command", []string{"+", "$"}, []string{"copied the command (terminal"}, nil},
		{"the section", []string{"t"}, []string{"copied the section, "}, nil},
		{"sorted", []string{"o", "o"}, []string{"by page"}, nil},
		{"another theme", []string{"T"}, []string{"colours: dark"}, nil},
		{"no home, nothing kept", []string{"ctrl+s"}, []string{"nothing can be saved"}, nil},
		{"the citation", []string{"Y"}, []string{"copied the source (terminal)"}, nil},
		{"no citation of a page that is not in the block", []string{"G", "Y"}, []string{"not in the answer"}, nil},
		{"all citations", []string{"2", "Y"}, []string{"copied the 3 sources (terminal)"}, nil},
		{"copy", []string{"y"}, []string{"✓ copied the answer, 125 lines of 3 pages (terminal)"}, nil},
		{"not the one that stands there", []string{"i", "up"}, []string{"❯ " + question + " "}, nil},
		{"the question before", []string{"/", "x", "up", "up"}, []string{"❯ " + question + " "}, []string{question + "x"}},
		{"and what was typed", []string{"/", "x", "up", "down"}, []string{"❯ x "}, nil},
		{"run again", []string{"R"}, []string{"7 of 9 sections kept"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
			d.Keys(tt.keys...)
			contains(t, d.Screen(), tt.want...)
			lacks(t, d.Screen(), tt.not...)
		})
	}
}

// A disabled key says why, and nothing happens.
func TestDisabledKeys(t *testing.T) {
	t.Parallel()
	for key, why := range map[string]string{"s": "no question has been run", "y": "no question has been run", "x": "x does nothing here"} {
		d := tuitest.Start(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
		d.Keys("tab", key)
		contains(t, d.Screen(), why)
	}
	d := asked(t, tuitest.Options(&tuitest.Backend{Nothing: true}), 80, 24)
	d.Keys("tab", "y")
	contains(t, d.Screen(), "there is no answer to take")
	d.Keys("/", "enter")
	contains(t, d.Screen(), "the question is empty")
}

func TestQuit(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Keys("/", "q")
	if d.Quit {
		t.Error("q quits in the question line")
	}
	d.Keys("ctrl+c")
	if !d.Quit {
		t.Error("ctrl+c does not quit")
	}
	d = asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Keys("q")
	if !d.Quit {
		t.Error("q does not quit")
	}
}

// Pasted text goes into the question line, clean. Where letters are keys it begins a question.
func TestPaste(t *testing.T) {
	t.Parallel()
	d := tuitest.Start(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Send(tea.PasteMsg{Content: "trim\n\x1b[31ma wick\x1b]0;x\x07"})
	contains(t, d.Screen(), "❯ trim a wick ")
	d.Keys("tab")
	d.Send(tea.PasteMsg{Content: " for good"})
	contains(t, d.Screen(), "❯  for good ")
	d.Keys("enter")
	d.Send(tea.PasteMsg{Content: "what is oil"})
	contains(t, d.Screen(), "❯ what is oil ")
	d.Keys("esc", "L")
	d.Send(tea.PasteMsg{Content: "q"})
	contains(t, d.Screen(), "esc leads back, then /")
}

// Of a text that is longer than a question its beginning is kept, and that is said.
func TestPasteOfAWholeLog(t *testing.T) {
	t.Parallel()
	d := tuitest.Start(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Send(tea.PasteMsg{Content: strings.Repeat("the wick smokes\n", 500)})
	contains(t, d.Screen(), "longer than a question can be: its first 4000 characters are kept")
}

// A question that is given at the start runs when the doc sets are open.
func TestQuestionAtStart(t *testing.T) {
	t.Parallel()
	opt := tuitest.Options(&tuitest.Backend{})
	opt.Question = question
	d := tuitest.Start(t, opt, 80, 24)
	contains(t, d.Screen(), "▸8 Answer", "7 of 9 sections kept")
}

// While the doc sets are opened one can type; the run waits for them.
func TestOpeningTakesTime(t *testing.T) {
	t.Parallel()
	b := &slowBackend{Backend: &tuitest.Backend{}, gate: make(chan struct{})}
	d := async(t, tuitest.Options(b), 80, 24)
	d.Until(func(s string) bool { return strings.Contains(s, "indexing lantern@2.1") })
	contains(t, d.Screen(), "━━━━━━━╸·· 3/4")
	d.Ask(question)
	contains(t, d.Screen(), "runs as soon as the doc sets are open")
	close(b.gate)
	d.Until(func(s string) bool {
		return strings.Contains(s, "7 of 9 sections kept") && strings.Contains(s, "3 doc sets")
	})
}

type slowBackend struct {
	*tuitest.Backend
	gate chan struct{}
}

func (b *slowBackend) Ready(ctx context.Context, progress func(int, int, string)) ([]string, error) {
	progress(3, 4, "indexing lantern@2.1")
	select {
	case <-b.gate:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// async is the app with commands that run at the same time.
func async(t *testing.T, opt tui.Options, w, h int) *tuitest.Driver {
	t.Helper()
	d := tuitest.New(t, opt)
	d.Async = true
	d.Resize(w, h)
	d.Init()
	return d
}

func ready(s string) bool { return strings.Contains(s, "3 doc sets") }

// Mid-run: the phases show it, a resize and typing lose nothing, escape
// cancels, and the cancelled question can be run to its end.
func TestCancelAndResizeMidRun(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{Gate: make(chan struct{}), Reached: make(chan struct{})}
	d := async(t, tuitest.Options(b), 80, 24)
	d.Until(ready)
	d.Ask(question)
	d.Until(func(s string) bool { return strings.Contains(s, "[4 Hits●]") })
	contains(t, d.Screen(), "1 Queries✓", "2 Kind✓", "3 Scope✓", "5 Ranking·", "● running, esc cancels")
	d.Resize(150, 40)
	contains(t, d.Screen(), "▸ ● 4 Hits", question)
	d.Resize(20, 5)
	d.Resize(80, 24)
	contains(t, d.Screen(), "[4 Hits●]", question)
	d.Keys("esc")
	d.Until(func(s string) bool { return strings.Contains(s, "cancelled; R goes on") })
	contains(t, d.Screen(), "[4 Hits~]", question)
	close(b.Gate)
	d.Keys("tab", "R")
	d.Until(func(s string) bool {
		return strings.Contains(s, "7 of 9 sections kept") && !strings.Contains(s, "running")
	})
	contains(t, d.Screen(), "[4 Hits✓]", "8 Answer✓")
}

// A new run overtakes the one before: the old answer never shows.
func TestANewRunOvertakes(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{Gate: make(chan struct{}), Reached: make(chan struct{})}
	d := async(t, tuitest.Options(b), 80, 24)
	d.Until(ready)
	d.Ask("first")
	d.Until(func(s string) bool { return strings.Contains(s, "[4 Hits●]") })
	d.Keys("/")
	d.Ask("second")
	close(b.Gate)
	d.Until(func(s string) bool {
		return strings.Contains(s, "7 of 9 sections kept") && strings.Contains(s, "▸8 Answer")
	})
	d.Keys("1") // waits in the app where the run is not over yet
	d.Until(func(s string) bool { return strings.Contains(s, "1  second") })
	lacks(t, d.Screen(), "1  first")
}

// An error leaves the typed text and the earlier hits; another question
// goes on.
func TestErrorKeepsTheQuestion(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{SearchErr: errors.New("the index cannot be read")}
	d := asked(t, tuitest.Options(b), 80, 24)
	contains(t, d.Screen(), question, "✗ Hits: the index cannot be read", "[4 Hits✗]")
	b.SearchErr = nil
	d.Keys("enter")
	contains(t, d.Screen(), "7 of 9 sections kept")
	lacks(t, d.Screen(), "cannot be read")
}

func TestOpeningFailsAndIsTriedAgain(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{ReadyErr: errors.New("the home is locked")}
	d := tuitest.Start(t, tuitest.Options(b), 80, 24)
	contains(t, d.Screen(), "✗ the doc sets cannot be opened: the home is locked", "not open")
	d.Ask(question)
	contains(t, d.Screen(), "✗ the doc sets cannot be opened: the home is locked", "not open")
	b.ReadyErr = nil
	d.Keys("enter")
	contains(t, d.Screen(), "7 of 9 sections kept")
}

// The fault of a configuration stands at the beginning of its error, the file and the key,
// and in its middle, the value. The status line of 80 columns shows neither: it cuts the
// middle. The start screen has room for all of it, also with questions asked before.
func TestWhyOpeningFailedIsReadOnASmallScreen(t *testing.T) {
	t.Parallel()
	why := `/home/ada/.local/share/docent/docent.toml:12: answer.extent: "everything" is none of documents, sections; ` +
		"docent config lint lists all faults"
	for _, size := range [][2]int{{80, 24}, {60, 20}, {120, 40}} {
		for _, before := range []*memory{{}, returning()} {
			d := back(t, before, &tuitest.Backend{ReadyErr: errors.New(why)}, size[0], size[1])
			text := strings.Join(strings.Fields(strings.ReplaceAll(d.Screen(), "│", " ")), " ")
			if !strings.Contains(text, why) {
				t.Errorf("%dx%d, %d questions before: the screen has not the whole error:\n%s", size[0], size[1], len(before.questions), d.Screen())
			}
		}
	}
}

// y takes the block along byte for byte, but for what a terminal would obey.
func TestCopy(t *testing.T) {
	t.Parallel()
	var tmux, native string
	opt := tuitest.Options(&tuitest.Backend{})
	opt.InTmux = true
	opt.TmuxLoad = func(_ context.Context, text string) error { tmux = text; return nil }
	opt.CopyNative = func(_ context.Context, text string) (string, error) { native = text; return "xclip", nil }
	d := asked(t, opt, 100, 30)
	d.Keys("y")
	contains(t, d.Screen(), "copied the answer, 125 lines of 3 pages (terminal, tmux, xclip)")
	var osc string
	for _, m := range d.Seen {
		if strings.HasSuffix(fmt.Sprintf("%T", m), "setClipboardMsg") {
			osc = fmt.Sprint(m)
		}
	}
	want := tuitest.Result(t, &tuitest.Backend{}, pipeline.Request{Question: question}).Final
	if osc != want || tmux != want || native != want {
		t.Errorf("copied\n%q\n%q\n%q\nwant\n%q", osc, tmux, native, want)
	}

	// Without a native clipboard of this machine, and with a tmux that fails.
	opt.SSH = true
	opt.TmuxLoad = func(context.Context, string) error { return errors.New("no server \x1b[31mrunning") }
	opt.CopyNative = func(context.Context, string) (string, error) { t.Error("copied on the other machine"); return "", nil }
	d = asked(t, opt, 120, 30)
	d.Keys("y")
	contains(t, d.Screen(), "! tmux may not have copied the answer, 125 lines of 3 pages: w writes a file")
}

// The terminal's answer about its background changes the styles, not the text.
func TestBackgroundColour(t *testing.T) {
	t.Parallel()
	opt := tuitest.Options(&tuitest.Backend{})
	opt.Dark = nil
	d := asked(t, opt, 80, 24)
	dark, text := d.Styled(), d.Screen()
	d.Send(tea.BackgroundColorMsg{Color: ansi.HexColor("#ffffff")})
	d.Settle()
	if d.Styled() == dark {
		t.Error("a light background changes nothing")
	}
	if d.Screen() != text {
		t.Errorf("the text changed:\n%s\n%s", text, d.Screen())
	}
}

// Whatever keys are pressed on whatever screen, the app lives, every frame has
// the right size, and nothing hostile reaches the terminal.
func TestRandomKeys(t *testing.T) {
	t.Parallel()
	keys := []string{"enter", "esc", "tab", "shift+tab", "up", "down", "left", "right", "space", "pgup", "pgdown", "ctrl+d", "ctrl+u", "home",
		"end",
		"backspace", "/", "i", "?", "j", "k", "g", "G", "h", "l", "x", "s", "+", "-", "<", ">", "r", "f", "c", "R", "d", "y", "Y", "J", "K", "[", "]",
		"1", "2", "3", "4", "5", "6", "7", "7", "9", "z", "灯", "ctrl+o", "f1", "ctrl+w",
		"L", "L", "ctrl+l", "a", "u", "U", "delete", "n", "m", "t", "ctrl+x", "ctrl+t"}
	rapid.Check(t, func(rt *rapid.T) {
		opt := tuitest.Options(&tuitest.Backend{Nothing: rapid.IntRange(0, 9).Draw(rt, "nothing") == 0,
			Shelf: tuitest.Shelf{Newcomer: rapid.Bool().Draw(rt, "newcomer")}})
		opt.NoColor = rapid.Bool().Draw(rt, "nocolor")
		d := tuitest.Start(t, opt, 80, 24)
		if rapid.Bool().Draw(rt, "asked") {
			d.Ask(question)
		}
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			if rapid.IntRange(0, 5).Draw(rt, "resize") == 0 {
				d.Resize(rapid.IntRange(0, 220).Draw(rt, "w"), rapid.IntRange(0, 70).Draw(rt, "h"))
				d.Settle()
			} else {
				d.Keys(rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			frame := d.Styled()
			if d.W > 0 && d.H > 0 {
				if err := tuitest.Size(frame, d.W, d.H); err != "" {
					rt.Fatalf("%s\n%s", err, ansi.Strip(frame))
				}
			}
			if strings.ContainsAny(ansi.Strip(frame), "\x1b\x07\u202e\r\t") || strings.Contains(frame, "owned") {
				rt.Fatalf("hostile text on the screen:\n%q", frame)
			}
		}
	})
}

// The newest state of every phase has a mark of its own: no two look the same
// without colours.
func TestMarksDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]stepper.State{}
	for _, s := range []stepper.State{stepper.Waiting, stepper.Running, stepper.Done, stepper.Stale, stepper.Skipped, stepper.Failed} {
		if old, ok := seen[s.Mark()]; ok {
			t.Errorf("%s and %s have the mark %s", old, s, s.Mark())
		}
		seen[s.Mark()] = s
	}
}

func BenchmarkFrame(b *testing.B) {
	d := asked(b, tuitest.Options(&tuitest.Backend{}), 200, 60)
	b.ResetTimer()
	for b.Loop() {
		d.Styled()
	}
}

func BenchmarkFirstFrame(b *testing.B) {
	opt := tuitest.Options(&tuitest.Backend{})
	for b.Loop() {
		tui.New(opt).View()
	}
}

// A key that was taken away is not in the footer, and the size of the answer stands
// there without one.
func TestFooterWithoutAKey(t *testing.T) {
	t.Parallel()
	keys, problems := keymap.Rebind(map[string][]string{"rerank": {}, "copy-final": {}, "extent": {}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	opt := tuitest.Options(&tuitest.Backend{})
	opt.Keys = keys
	d := asked(t, opt, 200, 60)
	contains(t, d.Screen(), " 125 lines of 3 pages ", "c shorten")
	lacks(t, d.Screen(), "(none)", "copies", " ranking  ", "· sections: ")
	d.Keys("ctrl+p")
	d.Type("ranking")
	contains(t, d.Screen(), "ranking on or off")
	lacks(t, d.Screen(), "(none)")
}

// The doc sets that the first line counts are counted again when the terminal comes
// back to the app and when the library is opened: another program may have changed
// them.
func TestTheCountsAreNotStale(t *testing.T) {
	t.Parallel()
	for _, come := range []func(*tuitest.Driver){
		func(d *tuitest.Driver) { d.Send(tea.FocusMsg{}) },
		func(d *tuitest.Driver) { d.Keys("ctrl+l") },
	} {
		b := &tuitest.Backend{Shelf: tuitest.Shelf{Newcomer: true, Added: []string{"x"}}}
		d := tuitest.Start(t, tuitest.Options(b), 80, 24)
		contains(t, d.Screen(), "3 doc sets · 118 pages")
		b.Shelf.Added = nil
		come(d)
		d.Settle()
		contains(t, d.Screen(), "1 doc set · 26 pages")
	}
}

// The settings of one question do not leak into the next.
func TestShorteningBelongsToOneQuestion(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Keys("c", "r", "v")
	contains(t, d.Screen(), "shortened", "not ranked")
	d.Keys("/")
	d.Ask("how is oil kept")
	lacks(t, d.Screen(), "shortened", "not ranked")
	contains(t, d.Screen(), "v: ")
}
