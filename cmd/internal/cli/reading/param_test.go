package reading

import (
	"strings"
	"testing"

	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/params"
	"docent/tui/widget"
)

// Rows that were wider than the terminal broke in the middle of a path: there the place
// stands below the row, a path on one line.
func TestParametersFitTheTerminal(t *testing.T) {
	t.Parallel()
	all := []params.ParameterPlace{
		{Name: "--trim-the-wick-of-the-lamp", Type: "whole number of millimetres", Default: "the length that the manual gives", DocSet: "Lantern@2", FilePath: "reference/long-lamps/wicks.md", Section: "Options", Lines: [2]int{7, 7}, Description: "How much of the wick stays."},
		{Name: "oil", DocSet: "Lantern@2", FilePath: "oil.md", Lines: [2]int{3, 3}},
	}
	for _, tt := range []struct {
		width int
		want  string
	}{
		{40, "NAME              TYPE        DEFAULT\n--trim-the-wick…  whole num…  the lengt…\n    Lantern@2/reference/long-lamps/wicks.md:7\n    (Options)\n    How much of the wick stays.\noil\n    Lantern@2/oil.md:3\n"},
		{140, "NAME                         TYPE                      DEFAULT                   WHERE\n--trim-the-wick-of-the-lamp  whole number of millime…  the length that the man…  Lantern@2/reference/long-lamps/wicks.md:7 (Options)\n    How much of the wick stays.\noil                                                                              Lantern@2/oil.md:3\n"},
	} {
		c := &invocation.Call{}
		c.IO.OutTTY, c.IO.Screen = true, func() (int, int) { return tt.width, 24 }
		got := parameterTable(c, all)
		if got != tt.want {
			t.Errorf("%d columns:\n%s\nwant\n%s", tt.width, got, tt.want)
		}
		for l := range strings.Lines(got) {
			if w := widget.Width(strings.TrimSuffix(l, "\n")); w > tt.width && strings.Contains(strings.TrimSpace(l), " ") {
				t.Errorf("%d columns: a line of %d: %q", tt.width, w, l)
			}
		}
	}
}

// Descriptions wrap at blanks, so that a flag stays whole; a text without blanks wraps anywhere.
func TestDescriptionsDoNotPartFlags(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Without it, --which-oil-burns-best decides.": "Without it,|--which-oil-burns-best|decides.",
		"灯芯灯芯灯芯灯芯灯芯灯芯灯芯灯芯":                            "灯芯灯芯灯芯灯芯灯芯灯芯|灯芯灯芯",
	} {
		if got := strings.Join(wrapped(text, 24), "|"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
