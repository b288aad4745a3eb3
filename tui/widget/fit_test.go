package widget

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docent/pipeline/text/sanitize"
	"docent/tui/style"
)

// text draws clean lines with wide, combining, joined and plain characters.
func text() *rapid.Generator[string] {
	pieces := []string{"a", "word ", " ", "灯", "芯", "👩\u200d🔧", "e\u0301", "हि", "क्षि", "ก็", "…", "❤", "한", "ﷺ", "🇩🇪",
		"supercalifragilistic"}
	return rapid.Custom(func(t *rapid.T) string {
		return sanitize.Line(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "pieces"), ""))
	})
}

// A page's title is cut for that of its section, which is cut only where it takes more
// than two thirds, and for the info only where that can stand.
func TestSection(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		page, section, info string
		w                   int
		want                string
	}{
		{"Probes", "Define one", "lines 1–9", 60, "Probes › Define one"},
		{"Configure Liveness Probes", "Define a command", "lines 1–9", 50, "Configure Live… › Define a command"},
		{"Configure Liveness Probes", "Define a command", "lines 201–299 of 571", 50, "Configure Liveness Probes › Define a command"},
		{"Configure Liveness Probes", "Protect slow starting containers with probes", "", 48,
			"Configure Li… › Protect slow starting containers with probes"},
	} {
		if got := SectionTitle(tt.page, tt.section, tt.info, tt.w); got != tt.want {
			t.Errorf("%d columns: %q, want %q", tt.w, got, tt.want)
		}
	}
}

func TestFitIsExact(t *testing.T) {
	t.Parallel()
	st := style.New(true, false)
	rapid.Check(t, func(t *rapid.T) {
		s, w := text().Draw(t, "text"), rapid.IntRange(0, 40).Draw(t, "width")
		if rapid.Bool().Draw(t, "styled") {
			s = st.Accent.Render(s) + s
		}
		for name, got := range map[string]string{"Fit": Fit(s, w), "FitLeft": FitLeft(s, w), "Sides": Sides(s, s, w)} {
			if Width(got) != w || ansi.StringWidth(got) > w {
				t.Fatalf("%s(%q, %d) = %q has %d columns", name, s, w, got, Width(got))
			}
		}
		for name, got := range map[string]string{"Cut": Cut(s, w), "CutStart": CutStart(ansi.Strip(s), w)} {
			if Width(got) > w {
				t.Fatalf("%s(%q, %d) = %q has %d columns", name, s, w, got, Width(got))
			}
		}
	})
}

func TestWrapKeepsWidthAndWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, w := text().Draw(t, "text"), rapid.IntRange(8, 40).Draw(t, "width")
		lines := Wrap(s, w)
		for _, l := range lines {
			if Width(l) > w {
				t.Fatalf("Wrap(%q, %d): %q has %d columns", s, w, l, Width(l))
			}
		}
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if squeeze(strings.Join(lines, "")) != squeeze(s) {
			t.Fatalf("Wrap(%q, %d) lost text: %q", s, w, lines)
		}
	})
}

func TestCutTables(t *testing.T) {
	t.Parallel()
	tests := []struct{ got, want string }{
		{Cut("lantern", 4), "lan…"},
		{Cut("灯芯指南", 5), "灯芯…"},
		{Cut("灯芯指南", 4), "灯…"},
		{CutStart("docs/guides/wicks.md", 9), "…wicks.md"},
		{CutMiddle("the index cannot be opened: the disk is full", 30), "the index  …: the disk is full"},
		{CutMiddle("the disk is full", 30), "the disk is full"},
		{FirstParts("6 sections kept; left out: 1 page; of 50", 34), "6 sections kept; left out: 1 page"},
		{FirstParts("6 sections kept; left out: 1 page; of 50", 20), "6 sections kept"},
		{FirstParts("the index cannot be opened: the disk is full", 30), "the index  …: the disk is full"},
		{CutMiddle("the disk is full", 9), "the disk…"},
		{EndOfMessage("Cuts: the text in place of a summary: there is no model", 26), "there is no model"},
		{EndOfMessage("Cuts: there is no model", 26), "Cuts: there is no model"},
		{EndOfMessage("the index cannot be opened", 24), "the inde …nnot be opened"},
		{Fit("灯", 3), "灯 "},
		{FitLeft("7", 3), "  7"},
		{Sides("left", "right", 12), "left   right"},
		{Sides("left", "right", 6), "left  "},
		{ScoreBar(0, 4), "····"},
		{ScoreBar(0.5, 4), "━━··"},
		{ScoreBar(1, 4), "━━━━"},
		{ScoreBar(0.2, 4), "━···"},
		{ScoreBar(0.4, 4), "━╸··"},
		{ScoreBar(7, 2), "━━"},
		{ScoreBar(-1, 2), "··"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func TestCarryClosesAndReopensStyles(t *testing.T) {
	t.Parallel()
	got := CarryStyles([]string{"a \x1b[31mred", "still", "end\x1b[0m plain", "plain"})
	want := []string{"a \x1b[31mred\x1b[m", "\x1b[31mstill\x1b[m", "\x1b[31mend\x1b[0m plain\x1b[m", "plain"}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d: %q, want %q", i, got[i], want[i])
		}
	}
}

func TestFramesAreExact(t *testing.T) {
	t.Parallel()
	st := style.New(true, true)
	rapid.Check(t, func(t *rapid.T) {
		panel := func(n string) Panel {
			return Panel{Title: text().Draw(t, "title"+n), Info: text().Draw(t, "info"+n), W: rapid.IntRange(1, 60).Draw(t, "w"+n),
				H: rapid.IntRange(1, 5).Draw(t, "h"+n), View: strings.Join(rapid.SliceOf(text()).Draw(t, "view"+n), "\n"),
				Focused: rapid.Bool().Draw(t, "focused"+n)}
		}
		a, b := panel("1"), panel("2")
		check := func(lines []string, w, h int) {
			if len(lines) != h {
				t.Fatalf("%d lines, want %d", len(lines), h)
			}
			for _, l := range lines {
				if Width(l) != w {
					t.Fatalf("%q has %d columns, want %d", l, Width(l), w)
				}
			}
		}
		check(Stack(st, a, b), a.W+2, a.H+b.H+3)
		check(SideBySide(st, a, b), a.W+b.W+3, a.H+2)
	})
}

// The quick way of counting must count as the general one does.
func TestNarrowCharactersTakeOneColumn(t *testing.T) {
	t.Parallel()
	n := 0
	for r := rune(0x80); r < 0x3000; r++ {
		if !isNarrow(r) {
			continue
		}
		n++
		s := string(r)
		if ansi.StringWidth(s) != 1 || ansi.StringWidthWc(s) != 1 || ansi.StringWidth(s+s+"a") != 3 {
			t.Errorf("%U has the widths %d and %d", r, ansi.StringWidth(s), ansi.StringWidthWc(s))
		}
	}
	if n < 500 {
		t.Errorf("only %d characters are narrow", n)
	}
}

func BenchmarkWidth(b *testing.B) {
	line := style.New(true, false).Accent.Render(strings.Repeat("│ lantern ", 20))
	for b.Loop() {
		Width(line)
	}
}
