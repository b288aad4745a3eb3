package tui_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"docent/tui"
	"docent/tui/tuitest"
)

// screen is a state of the app that is kept as a golden.
type screen struct {
	name    string
	backend *tuitest.Backend
	ask     string   // asked first; "" for nothing
	keys    []string // pressed then
	sizes   [][2]int // in place of the usual ones
	keeper  func() *memory
}

// goldenSizes are the sizes of every golden screen.
var goldenSizes = [][2]int{{80, 24}, {120, 40}, {200, 60}}

// goldenScreens are the states of the app that a person comes through. Adding
// a screen adds a row.
var goldenScreens = []screen{
	{name: "before"},
	{name: "start", keeper: returning},
	{name: "suggestion", backend: &tuitest.Backend{Suggests: true}, keys: []string{"w", "i", "c", "down", "down"}},
	{name: "go-to", keys: []string{"ctrl+k", "w", "i", "c", "down"}},
	{name: "go-to-known", keeper: returning, ask: question, keys: []string{"ctrl+k"}},
	{name: "library-find", backend: &tuitest.Backend{Suggests: true}, keeper: returning, ask: question,
		keys: []string{"4", "L", "j", "enter", "/", "w", "i"}},
	{name: "marks", keeper: returning, ask: question, keys: []string{"4", "'"}},
	{name: "typing", backend: &tuitest.Backend{Suggests: true}, keys: []string{"t", "r", "i", "m", "space", "w"}},
	{name: "hits", ask: question, keys: []string{"4"}},
	{name: "queries", ask: question, keys: []string{"4", "1"}},
	{name: "kind", ask: question, keys: []string{"4", "2"}},
	{name: "scope", ask: question, keys: []string{"4", "3"}},
	{name: "ranking", ask: question, keys: []string{"4", "5"}},
	{name: "figures", ask: question, keys: []string{"4", "j", "e"}},
	{name: "pages", ask: question, keys: []string{"4", "6"}},
	{name: "cuts-none", ask: question, keys: []string{"4", "7"}},
	{name: "cuts", ask: question, keys: []string{"4", "c", "7"}},
	{name: "answer", ask: question},
	{name: "answer-sections", ask: question, keys: []string{"v", "n"}},
	{name: "answer-block", ask: question, keys: []string{"B"}},
	{name: "answer-search", ask: question, keys: []string{"F", "w", "i", "c", "k", "enter", "n"}},
	{name: "answer-doubt", backend: &tuitest.Backend{Unanswered: true}, ask: question},
	{name: "answer-narrow", ask: question, sizes: [][2]int{{40, 10}, {79, 15}, {99, 12}}},
	{name: "sections", ask: question, keys: []string{"4", "v", "space"}},
	{name: "sections-2", ask: question, keys: []string{"4", "v", "6", "j", "space"}},
	{name: "sections-final", ask: question, keys: []string{"4", "v", "8"}},
	{name: "unanswered", backend: &tuitest.Backend{Unanswered: true}, ask: question, keys: []string{"4"}},
	{name: "reader-cited", ask: question, keys: []string{"4", "enter", "y"}},
	{name: "left-out", ask: question, keys: []string{"4", "x", "j", "s", "+", "f"}},
	{name: "preview", ask: question, keys: []string{"4", "tab", "j", "j"}},
	{name: "passage", ask: question, keys: []string{"4", "n"}},
	{name: "hostile", ask: question, keys: []string{"4", "j", "j", "j", "j", "j", "j"}},
	{name: "reader", ask: question, keys: []string{"4", "enter"}},
	{name: "reader-search", ask: question, keys: []string{"4", "enter", "/", "w", "i", "c", "k", "enter"}},
	{name: "reader-outline", ask: question, keys: []string{"4", "enter", "o", "w"}},
	{name: "reader-links", ask: question, keys: []string{"4", "enter", "g", "f"}},
	{name: "library", ask: question, keys: []string{"4", "L", "j", "enter"}},
	{name: "palette", ask: question, keys: []string{"4", "ctrl+p", "c", "o", "p", "y"}},
	{name: "query-edited", ask: question, keys: []string{"4", "1", "j", "e", "灯"}},
	{name: "threshold-moved", ask: question, keys: []string{"4", "5", "K", "K"}},
	{name: "sorted", ask: question, keys: []string{"4", "o", "o"}},
	{name: "sets", ask: question, keys: []string{"4", "d", "space", "j", "space"}},
	{name: "help", ask: question, keys: []string{"4", "?"}},
	{name: "help-reader", ask: question, keys: []string{"4", "enter", "?"}},
	{name: "help-search", ask: question, keys: []string{"4", "?", "/", "c", "o", "p", "y"}},
	{name: "copied", ask: question, keys: []string{"4", "y"}},
	{name: "disabled-key", keys: []string{"tab", "y"}},
	{name: "nothing-found", backend: &tuitest.Backend{Nothing: true}, ask: question},
	{name: "degraded", backend: &tuitest.Backend{Degraded: true}, ask: question, keys: []string{"4"}},
	{name: "search-error", backend: &tuitest.Backend{SearchErr: errors.New("the index cannot be read; run docent update --rebuild")},
		ask: question},
	{name: "page-error", backend: &tuitest.Backend{PageErr: errors.New("the file is \x1b[31mgone: run docent update")}, ask: question, keys: []string{"4"}},
	{name: "not-ready", backend: &tuitest.Backend{ReadyErr: errors.New("the home is locked")}, ask: question},
	{name: "narrow", ask: question, keys: []string{"4"}, sizes: [][2]int{{40, 10}, {79, 15}, {99, 12}}},
	{name: "too-small", ask: question, sizes: [][2]int{{39, 10}, {80, 9}, {5, 2}}},
}

// families are the families of styles, and how the app learns of each.
var families = []struct {
	name string
	set  func(*tui.Options)
}{
	{"dark", func(*tui.Options) {}},
	{"light", func(o *tui.Options) { light := false; o.Dark = &light }},
	{"no colour", func(o *tui.Options) { o.NoColor = true }},
}

// Every state at every size in every family of styles, as a virtual terminal
// shows it.
func TestGoldenScreens(t *testing.T) {
	t.Parallel()
	for _, s := range goldenScreens {
		sizes := s.sizes
		if sizes == nil {
			sizes = goldenSizes
		}
		for _, size := range sizes {
			w, h := size[0], size[1]
			t.Run(fmt.Sprintf("%s-%dx%d", s.name, w, h), func(t *testing.T) {
				t.Parallel()
				var sheet []tuitest.Family
				for _, f := range families {
					backend := s.backend
					if backend == nil {
						backend = &tuitest.Backend{}
					}
					opt := tuitest.Options(backend)
					f.set(&opt)
					if s.keeper != nil {
						opt.Keeper = s.keeper()
					}
					d := tuitest.Start(t, opt, w, h)
					if s.ask != "" {
						d.Ask(s.ask)
					}
					d.Keys(s.keys...)
					frame := d.Styled()
					if err := tuitest.Size(frame, w, h); err != "" {
						t.Error(err)
					}
					drawn := tuitest.Draw(frame, w, h)
					// What the terminal shows is what the app meant.
					if got, want := drawn.Text(), trimmed(d.Screen()); got != want {
						t.Errorf("%s: the terminal shows\n%s\nthe frame is\n%s", f.name, got, want)
					}
					if found := colours.FindString(frame); (found != "") == (f.name == "no colour") && s.name != "too-small" {
						t.Errorf("%s: colours: %q", f.name, found)
					}
					sheet = append(sheet, tuitest.Family{Name: f.name, Screen: drawn})
				}
				tuitest.Golden(t, fmt.Sprintf("screens/%s-%dx%d", s.name, w, h), tuitest.Sheet(sheet...))
			})
		}
	}
}

func trimmed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text + "\n") {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}
