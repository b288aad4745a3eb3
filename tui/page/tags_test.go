package page

import (
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/tui/style"
)

// A table in HTML with a line for each cell is shown as a table, however many lines that makes:
// with more than a piece has it was shown as its tags.
func TestALongTableInHTMLIsATable(t *testing.T) {
	t.Parallel()
	table := "<div id=\"left\">\n    <div class=\"part\">\n        <h2 id=\"oil\">Oil</h2>\n    <table>\n        <tr>\n            <th>Lamp</th>\n            <th>Cups</th>\n        </tr>\n"
	for i := range 40 {
		table += fmt.Sprintf("        <tr>\n            <td>lamp-%d</td>\n            <td>%d cups</td>\n        </tr>\n", i, i)
	}
	page := []byte("# Lamps\n\n" + table + "    </table>\n    </div>\n</div>\n\nThat is all.\n")
	d, err := markdown.ParseMarkdown(page, parse.Options{Path: "lamps.md", FallbackTitle: "Lamps"})
	if err != nil {
		t.Fatal(err)
	}
	p := PreparePage(Page{Source: page, Doc: &d})
	var lines []string
	for i := range p.pieces {
		if !p.pieces[i].markdown { // it is shown as its source
			lines = append(lines, p.rawLines(i, 60)...)
			continue
		}
		lines = append(lines, (&Renderer{}).renderPiece(p, i, 60, style.NoColor, false).lines...)
	}
	shown := strings.Join(lines, "\n")
	if strings.Contains(shown, "<t") || !strings.Contains(shown, "lamp-39") || !strings.Contains(shown, "That is all.") {
		t.Errorf("the table is shown so:\n%s", shown)
	}
}
