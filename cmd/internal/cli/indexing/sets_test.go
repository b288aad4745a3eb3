package indexing

import (
	"strings"
	"testing"

	"docent/cmd/internal/cli/driver"
	"docent/pipeline/service/library"
	"docent/tui/widget"
)

// The table fits a terminal: a folder is cut in its middle, and sections and sizes go where it has
// no room. In a pipe all of it stands whole.
func TestSetsFitTheTerminal(t *testing.T) {
	t.Parallel()
	const folder = "/home/ada/documentation/of/others/harbour/lanterns-and-beacons/docs"
	written := func(set string, width int) string {
		var b strings.Builder
		writeSets(library.SetsAnswer{Sets: []library.SetInfo{{Set: set, Pages: 12, Sections: 340, Bytes: 1 << 20, Fresh: "fresh", Root: folder}}},
			driver.Paper{Width: width, Line: func(text string) { b.WriteString(text + "\n") }})
		return b.String()
	}
	for _, tt := range []struct {
		set   string
		width int
		want  string
	}{
		{"Lantern@2.1", 0, "DOC SET      PAGES  SECTIONS  SIZE    FRESHNESS  FOLDER\nLantern@2.1  12     340       1.0 MB  fresh      " + folder + "\n"},
		{"Lantern@2.1", 80, "DOC SET      PAGES  SECTIONS  SIZE    FRESHNESS  FOLDER\nLantern@2.1  12     340       1.0 MB  fresh      /home/ada/…rns-and-beacons/docs\n"},
		{"lanterns-of-the-harbour@latest", 80, "DOC SET                         PAGES  FRESHNESS  FOLDER\nlanterns-of-the-harbour@latest  12     fresh      /home/ada/…ns-and-beacons/docs\n"},
	} {
		got := written(tt.set, tt.width)
		if got != tt.want {
			t.Errorf("%s at %d:\n%s\nwant\n%s", tt.set, tt.width, got, tt.want)
		}
		if w := widget.Width(strings.Split(got, "\n")[1]); tt.width > 0 && w > tt.width {
			t.Errorf("%s at %d: a line of %d", tt.set, tt.width, w)
		}
	}
}
