package page

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docent/tui/style"
)

// A dash at the right margin stays with the text behind it, at every width.
func TestADashIsNoLine(t *testing.T) {
	t.Parallel()
	const text = "Alternatively, you can use an empty string instead of nothing where this makes sense - such as on a field - of text.\n\n- An item of a list that is long enough - or nearly - to be broken - more than once.\n\n| a - b | c |\n| --- | --- |\n| one - two | `x - y` |\n\n## Head - line\n\n> quote - text"
	for w := 30; w <= 110; w++ {
		out, err := (&Renderer{}).renderMarkdown(text, w, style.Dark, false)
		if err != nil {
			t.Fatal(err)
		}
		if text := ansi.Strip(strings.Join(out.lines, "\n")); strings.Contains(text, "_") || !strings.Contains(text, "one - two") ||
			!strings.Contains(text, "x - y") || !strings.Contains(text, "Head - line") {
			t.Errorf("at %d columns the text is\n%s", w, text)
		}
		for _, l := range out.lines {
			if strings.TrimSpace(ansi.Strip(l)) == "-" {
				t.Errorf("at %d columns a dash stands alone:\n%s", w, strings.Join(out.lines, "\n"))
			}
		}
	}
}

// A note says what it is in a word, both on the screen and in the text that is searched; a
// label of another page is no address.
func TestNotesAndLabels(t *testing.T) {
	t.Parallel()
	const text = "> [!NOTE]\n> Mind *the* wick.\n\n> [!WARNING] Hot\n\n> [!CAUTION]\n>\n> Burns.\n\nSee [the list](label:genindex) and [the site](https://example.org/).\n\n```\n> [!NOTE]\n```\n"
	out, err := (&Renderer{}).renderMarkdown(text, 60, style.Dark, false)
	if err != nil {
		t.Fatal(err)
	}
	got := ansi.Strip(strings.Join(out.lines, "\n"))
	for _, want := range []string{"Note: Mind the wick.", "[!WARNING] Hot", "Caution:", "Burns.",
		"See the list and the site https://example.org/", "> [!NOTE]"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "label:") {
		t.Errorf("a label is shown:\n%s", got)
	}
}
