package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docent/tui/style"
	"docent/tui/tuitest"
	"docent/tui/widget"
)

// A new pane needs stories: an entry in stories.
func TestEveryPaneHasStories(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(filepath.Join("..", "..", "..", "..", "tui", "pane"))
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]int{}
	names := map[string]bool{}
	for _, s := range stories() {
		has[s.pane]++
		if names[s.pane+"/"+s.name] {
			t.Errorf("two stories are called %s/%s", s.pane, s.name)
		}
		names[s.pane+"/"+s.name] = true
	}
	n := 0
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if n++; has[e.Name()] == 0 {
			t.Errorf("the pane %s has no story: add one to stories() in stories.go", e.Name())
		}
		delete(has, e.Name())
	}
	if n < 10 {
		t.Errorf("only %d panes were found", n)
	}
	for pane := range has {
		t.Errorf("there is no pane %s", pane)
	}
}

// Every story at every size keeps to its columns and lines, from the smallest
// that the root gives a pane (on 40x10) to a very large one; it styles text and does nothing else to the terminal, and
// has colours only where there may be some.
func TestStoriesKeepToTheirSize(t *testing.T) {
	t.Parallel()
	for _, s := range stories() {
		t.Run(s.pane+"/"+s.name, func(t *testing.T) {
			t.Parallel()
			all := s.at()
			if s.sizes == nil {
				all = append(slices.Clone(all), [2]int{38, 3}, [2]int{47, 4}, [2]int{49, 10}, [2]int{300, 90})
			}
			for _, k := range kinds {
				for _, wh := range all {
					w, h := wh[0], wh[1]
					v, err := s.make(style.StylesOfKind(k), w, h)
					if err != nil {
						t.Fatal(err)
					}
					// Whatever the size was before: the app makes panes before it
					// knows its own.
					for _, before := range [][2]int{{0, 0}, {77, 33}} {
						v.SetSize(before[0], before[1])
						v.View()
					}
					v.SetSize(w, h)
					fits(t, v.View(), w, h, k)
				}
			}
		})
	}
}

func fits(t *testing.T, view string, w, h int, k style.Kind) {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) > h {
		t.Errorf("%s %dx%d: the view has %d lines", k, w, h, len(lines))
	}
	for _, l := range lines {
		if n := max(widget.Width(l), ansi.StringWidth(l)); n > w {
			t.Errorf("%s %dx%d: a line has %d columns: %q", k, w, h, n, ansi.Strip(l))
			break
		}
	}
	if bad := tuitest.Unclean(view); bad != "" {
		t.Errorf("%s %dx%d: the view has %s", k, w, h, bad)
	}
	if k == style.NoColor && (strings.Contains(view, "38;") || strings.Contains(view, "48;")) {
		t.Errorf("%dx%d: no colours, but %q", w, h, view)
	}
}

// The file of a story has the text that the pane shows.
func TestFiles(t *testing.T) {
	t.Parallel()
	pages, err := choose("hits", "dark", "78x15")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, want := range map[string][]string{
		"book.txt":  {"hits · a run · dark · 78x15", "Trim a wick", "╭─▸hits"},
		"book.html": {"<h1>hits</h1>", "Trim a wick", "font-weight:bold"},
	} {
		file := filepath.Join(dir, name)
		if err := show(pages, file); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(raw), w) {
				t.Errorf("%s lacks %q", name, w)
			}
		}
		if strings.ContainsAny(string(raw), "\x1b\x07") {
			t.Errorf("%s has control characters", name)
		}
	}
	for _, bad := range [][3]string{{"nosuch", "", ""}, {"", "pink", ""}, {"", "", "78"}, {"", "", "0x5"}} {
		if _, err := choose(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("%q is chosen", bad)
		}
	}
}
