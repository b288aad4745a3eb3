package running

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	xansi "github.com/charmbracelet/x/ansi"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/reader"
	"docent/tui/style"
)

// viewOfAnswer is an answer as the pane shows it, 78 columns wide.
func viewOfAnswer(t *testing.T, res pipeline.Result) string {
	t.Helper()
	return xansi.Strip(shownAnswer(t, res).View())
}

// shownAnswer is the pane with an answer, 78 columns wide.
func shownAnswer(t *testing.T, res pipeline.Result) *reader.Answer {
	t.Helper()
	msg := makeAnswer(res, nil)
	a := reader.NewAnswer(style.New(true, false))
	a.SetSize(78, 400)
	a.SetParts("answer", msg.page, msg.places)
	for cmd := a.Render(); cmd != nil; {
		made, ok := cmd().(page.Rendered)
		if !ok {
			t.Fatal("the answer was not rendered")
		}
		cmd = a.Update(made)
	}
	return a
}

// A part of a page that was cut from a block of HTML shows what it says: a row of a table, an item,
// and a metric of a list that a program wrote were shown as their tags, since they are indented as
// code is. Code that shows HTML stays code.
func TestPartsOfHTMLInAnAnswer(t *testing.T) {
	t.Parallel()
	lines := []string{
		"# Lamps", "",
		"<div class=\"metrics\"><div class=\"metric\">",
		"\t<div class=\"name\">lamp_oil_cups</div>",
		"\t<div class=\"help\">Cups of oil that are left.</div>",
		"\t<ul>", "\t<li><label>Kind:</label> <span>Gauge</span></li>", "\t</ul>",
		"</div></div>", "",
		"<table>", "    <tr>", "        <td>big</td>", "        <td>nine cups</td>", "    </tr>", "</table>", "",
		"A page for it:", "",
		"    <ul>", "      <li>oil</li>", "    </ul>",
	}
	cut := func(ranges ...[2]int) string {
		var out []string
		next := 1
		for _, r := range append(ranges, [2]int{len(lines) + 1, len(lines)}) {
			if r[0] > next {
				out = append(out, fmt.Sprintf("[… lines %d–%d omitted …]", next, r[0]-1))
			}
			out, next = append(out, lines[r[0]-1:r[1]]...), r[1]+1
		}
		return strings.Join(out, "\n") + "\n"
	}
	d := contract.Extracted{Title: "Lamps", DocSet: "lantern@2.1", FilePath: "lamps.md", Lines: len(lines)}
	res := pipeline.Result{Final: "=== AOP-FINAL"}
	res.Phases.Extract = &contract.Extraction{Contents: map[string]string{"Lamps": strings.Join(lines, "\n") + "\n"}, Documents: []contract.Extracted{d}}
	res.Phases.Process = &contract.Processed{Contents: map[string]string{"Lamps": cut([2]int{4, 7}, [2]int{12, 14}, [2]int{18, 22})},
		Documents: []contract.Extracted{d}}
	view := viewOfAnswer(t, res)
	for _, want := range []string{"lamp_oil_cups", "Cups of oil that are left.", "• Kind: Gauge", "nine cups", "<li>oil</li>"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not in the answer:\n%s", want, view)
		}
	}
	for _, not := range []string{"<div", "<td>", "</ul>\n  ⋯", "<label"} {
		if strings.Contains(view, not) {
			t.Errorf("%q is in the answer:\n%s", not, view)
		}
	}
}

// A table that is wider than the pane is scrolled sideways, as in the reader: the end of each row was
// out of reach.
func TestAWideTableInAnAnswerIsScrolledSideways(t *testing.T) {
	t.Parallel()
	answer := func(row string) pipeline.Result {
		text := "# Lamps\n\n| lamp | use |\n| --- | --- |\n| brass | " + row + " |\n"
		d := contract.Extracted{Title: "Lamps", DocSet: "Lamps@1", FilePath: "lamps.md", Lines: 5}
		res := pipeline.Result{Final: "=== AOP-FINAL"}
		res.Phases.Extract = &contract.Extraction{Contents: map[string]string{"Lamps": text}, Documents: []contract.Extracted{d}}
		res.Phases.Process = &contract.Processed{Contents: map[string]string{"Lamps": text}, Documents: []contract.Extracted{d}}
		return res
	}
	a := shownAnswer(t, answer(strings.Repeat("it burns in the dark ", 6)+"until dawn"))
	before := xansi.Strip(a.View())
	if !a.IsWide() || !strings.Contains(before, "›") || strings.Contains(before, "until dawn") {
		t.Fatalf("the table is not cut at first:\n%s", before)
	}
	if !slices.ContainsFunc(a.Bindings(), func(b keymap.Binding) bool { return b.Action == keymap.Rightward && b.In&keymap.InFinal != 0 }) {
		t.Error("no key scrolls the answer to the right")
	}
	for range 6 {
		a.Update(keymap.Rightward)
	}
	if got := xansi.Strip(a.View()); !strings.Contains(got, "until dawn") || !strings.Contains(got, "‹") {
		t.Errorf("scrolled to the right:\n%s", got)
	}
	for range 6 {
		a.Update(keymap.Leftward)
	}
	if got := xansi.Strip(a.View()); got != before {
		t.Errorf("scrolled back:\n%s", got)
	}
	if narrow := shownAnswer(t, answer("reading")); narrow.IsWide() {
		t.Errorf("a table that fits is taken for wide:\n%s", narrow.View())
	}
}
