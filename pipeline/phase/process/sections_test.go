package process

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/contract/contracttest"
	"docent/store/doc"
)

// kept15 marks headings of the extracted pages as kept by phase 1.5.
func kept15(ex contract.Extraction, sims map[string]float64) contract.Extraction {
	for i, d := range ex.Documents {
		page, _ := blocks([]byte(ex.Contents[d.Title]))
		for _, s := range page.Sections {
			if sim, ok := sims[s.Text]; ok {
				ex.Documents[i].Headings = append(ex.Documents[i].Headings, contract.Heading{Level: s.Level, Text: s.Heading(), Path: s.Path,
					RerankSim: &sim, Section: [2]int{s.Span.StartLine, s.Span.EndLine}, Lines: [2]int{s.Span.StartLine, s.Span.EndLine}})
			}
		}
	}
	return ex
}

func bySections(lines int) contract.Preferences {
	return contract.Preferences{Extent: contract.ExtentSections, Lines: lines}
}

// A block of sections is what phase 1.5 kept, and says what it quotes.
func TestSectionsThatAnswer(t *testing.T) {
	t.Parallel()
	page := manual(30) + gasket
	ex := kept15(extraction("how do I replace the gasket", page, manual(40)), map[string]float64{"Replacing the gasket": .9})
	b := builtin(0)
	out := run(t, b, ex, bySections(0))
	sound2 := out.Contents["a"]
	if !strings.Contains(sound2, strings.TrimRight(gasket[:strings.Index(gasket, "### Torque")], "\n")) || strings.Contains(sound2, "## Part 12\n") {
		t.Errorf("not the section:\n%s", sound2)
	}
	if out.LineCount > contract.DefaultLines || len(out.Documents) != 1 || out.Documents[0].Title != "a" {
		t.Fatalf("%d lines of %d documents", out.LineCount, len(out.Documents))
	}
	q := out.Documents[0].Quoted
	if i := slices.IndexFunc(q, func(q contract.Quote) bool {
		return slices.Equal(q.Path, []string{"Pump manual", "Replacing the gasket"})
	}); i < 0 || !q[i].Whole || q[i].Anchor != "replacing-the-gasket" {
		t.Errorf("quoted: %+v", q)
	}
	for _, q := range q {
		lines := strings.Split(page, "\n")
		if !strings.Contains(sound2, lines[q.Lines[0]-1]) || !strings.Contains(sound2, lines[q.Lines[1]-1]) {
			t.Errorf("lines %v are not quoted", q.Lines)
		}
	}
	if back, err := expand(page, sound2, omissions(out, "a")); err != nil || back != page {
		t.Errorf("the block cannot be expanded: %v", err)
	}
	if !dropped(out, "b", manual(40)) {
		t.Error("a page of which nothing is quoted is in the block")
	}
}

// The full text wins over sections; an extent that does not exist is an error.
func TestExtents(t *testing.T) {
	t.Parallel()
	ex := extraction("gasket", manual(30)+gasket)
	b := builtin(0)
	if ck, err := b.Check(ex, contract.Preferences{Extent: contract.ExtentSections, Full: true}); err != nil || ck.Extent != "" {
		t.Errorf("full: %q, %v", ck.Extent, err)
	}
	for _, w := range []contract.Preferences{{Extent: "pages"}, {Lines: -1}, {Lines: contract.MaxLines + 1}} {
		if _, err := b.Check(ex, w); contracttest.ErrorOf(err).Code != contract.CodeInvalidRequest {
			t.Errorf("%+v: %v", w, err)
		}
	}
	ex.Context.Unanswered = true
	for extent, want := range map[string]string{"": contract.ExtentSections, contract.ExtentDocuments: ""} {
		if ck, err := b.Check(ex, contract.Preferences{Extent: extent}); err != nil || ck.Extent != want {
			t.Errorf("unanswered, %q: %q, %v", extent, ck.Extent, err)
		}
	}
}

// options is a page with a table of n options, in Markdown or in HTML, as generated
// references have them: the name in one row, its description in the next.
func options(n int, html bool) string {
	var b strings.Builder
	b.WriteString("# Options\n\n## Flags\n\nThe flags are:\n\n")
	if html {
		b.WriteString("<table>\n<thead><tr><th>Field</th><th>Description</th></tr></thead>\n<tbody>\n")
	} else {
		b.WriteString("| Name | Meaning |\n|---|---|\n")
	}
	for i := range n {
		if html {
			fmt.Fprintf(&b, "\n<tr>\n<td colspan=\"2\">--pump-slot%d int</td>\n</tr>\n<tr>\n<td></td><td>Which slot%d the pump\ntakes. Default: %d</td>\n</tr>\n", i, i, i)
		} else {
			fmt.Fprintf(&b, "| `--pump-slot%d` | Which slot%d the pump takes. Default: %d |\n", i, i, i)
		}
	}
	if html {
		b.WriteString("</tbody>\n</table>\n")
	}
	return b.String() + "\nThat is all.\n"
}

// A table that is larger than the budget is cut at its rows: the row that documents a
// name is there at every budget, and is never dropped with its table.
func TestTheRowIsThereAtEveryBudget(t *testing.T) {
	t.Parallel()
	for _, html := range []bool{false, true} {
		page := options(400, html)
		for _, w := range []contract.Preferences{{MaxTokens: 200}, {MaxTokens: 300}, {MaxTokens: 800}, {MaxTokens: 2000}, {Compress: true}, bySections(0), bySections(20), {}} {
			b := builtin(500)
			ex := kept15(extraction("what does --pump-slot217 do", page), map[string]float64{"Flags": .8})
			out := run(t, b, ex, w)
			text := out.Contents["a"]
			if !strings.Contains(text, "Which slot217 the pump") {
				t.Errorf("html %v, %+v: the row is not there\n%s", html, w, text)
			}
			if back, err := expand(page, text, omissions(out, "a")); err != nil || back != page {
				t.Errorf("html %v, %+v: %v", html, w, err)
			}
			if w.MaxTokens > 300 || w.Extent != "" && w.Lines == 0 {
				head := "| Name | Meaning |"
				if html {
					head = "<th>Field</th>"
				}
				if !strings.Contains(text, head) {
					t.Errorf("html %v, %+v: the header is not there\n%s", html, w, text)
				}
			}
		}
	}
}

// Rows and items that belong together are one unit.
func TestRows(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		page  string
		units []string // the first words of each unit below the heading
	}{
		"pipes":    {options(9, false), []string{"The flags", "| Name", "| `--pump-slot0`", "| `--pump-slot1`"}},
		"html":     {options(9, true), []string{"The flags", "<table>", "<tr>", "<tr>"}},
		"items":    {"## L\n\n- one\n  more\n\n- two\n\n  ```\n  - no item\n  ```\n- three\n- four\n- five\n\n1. a\n2. b\n", []string{"- one", "- two", "- three", "- four", "- five", "1. a"}},
		"short":    {"## L\n\n- one\n- two\n", []string{"- one"}},
		"one line": {"## T\n\n<table><tr><td>a</td></tr><tr><td>b</td></tr><tr><td>c</td></tr></table>\n", []string{"<table>"}},
	} {
		p := newPage("a", tt.page, blocks, budget{unlimited, unlimited})
		var got []string
		for _, u := range p.units {
			if u.kind != doc.HeadingRow {
				got = append(got, p.linesText(u.first, u.last))
			}
		}
		for i, want := range tt.units {
			if i >= len(got) || !strings.HasPrefix(got[i], want) {
				t.Errorf("%s: unit %d of %q is not %q", name, i, got, want)
				break
			}
		}
	}
}

// Each side of a question has its place, also if the other one has more words.
func TestSides(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("Diaphragm pumps move. A diaphragm pump is a pump.\n\n", 40)
	page := "# Pumps\n\n## Diaphragm pumps\n\nA diaphragm pump has a membrane.\n\n" + filler + "## Gears\n\nA gear pump has two wheels.\n\n" + filler
	ex := kept15(extraction("difference between diaphragm pump and gear pump", page), map[string]float64{"Diaphragm pumps": .9, "Gears": .4})
	ex.Context.Kind, ex.Context.Subjects = contract.KindComparison, []string{"diaphragm pump", "gear pump"}
	for _, w := range []contract.Preferences{bySections(30), {MaxTokens: 400}} {
		text := run(t, builtin(0), ex, w).Contents["a"]
		for _, want := range []string{"A diaphragm pump has a membrane.", "A gear pump has two wheels."} {
			if !strings.Contains(text, want) {
				t.Errorf("%+v: %q is not there\n%s", w, want, text)
			}
		}
	}
}

// The first hit leads a comparison where it speaks of both sides, though other sections say more
// of each.
func TestTheFirstHitSpeaksOfBothSides(t *testing.T) {
	t.Parallel()
	talk := func(of string) string {
		return "## All about " + of + "\n\n" + strings.Repeat("The "+of+" is a "+of+".\n\n", 12)
	}
	page := "# Pumps\n\n" + talk("diaphragm") + "## Choosing a pump\n\nBoth lift water. A diaphragm is quieter than a gear.\n\n" +
		"A note for both: neither runs dry.\n\n" + talk("gear")
	ex := kept15(extraction("is a diaphragm the same as a gear", page),
		map[string]float64{"Choosing a pump": .8, "All about diaphragm": .6, "All about gear": .6})
	ex.Context.Kind, ex.Context.Subjects = contract.KindComparison, []string{"diaphragm", "gear"}
	for _, lines := range []int{20, 40} {
		text := run(t, builtin(0), ex, bySections(lines)).Contents["a"]
		for _, want := range []string{"quieter than a gear", "neither runs dry"} {
			if !strings.Contains(text, want) {
				t.Errorf("%d lines: %q is not there:\n%s", lines, want, text)
			}
		}
	}
}

// A comparison of two commands shows what each does, which their manual pages say under DESCRIPTION, with
// few of the question's words. The pages stand in the order of phase 1.5, before one that names both.
func TestAComparisonOfManualPages(t *testing.T) {
	t.Parallel()
	page := func(name, does, of string) string {
		return "# pump-" + name + "(8)\n\n## NAME\n\npump-" + name + " - " + of + "\n\n## SYNOPSIS\n\npump-" + name + " [options]\n\n## DESCRIPTION\n\n" + does +
			"\n\n## EXAMPLES\n\n" + strings.Repeat("Call pump "+name+" so: pump "+name+" 7.\n\n", 20) + "## NOTES\n\nThe end.\n"
	}
	ex := kept15(extraction("difference between pump prime and pump drain",
		"# Valves\n\n## Priming, draining\n\n"+strings.Repeat("To prime or drain a pump turn the prime or drain valve.\n\n", 6),
		page("drain", "Everything runs out at the lowest tap.", "empty it"), page("prime", "Water is filled in until no air is left.", "make it ready")),
		map[string]float64{"EXAMPLES": .9, "Priming, draining": .7})
	for i, title := range map[int]string{1: "pump-drain(8)", 2: "pump-prime(8)"} {
		d := &ex.Documents[i]
		ex.Contents[title], ex.IndividualCounts[title] = ex.Contents[d.Title], ex.IndividualCounts[d.Title]
		delete(ex.Contents, d.Title)
		d.Title, d.DocSet = title, "Pump@1"
	}
	ex.Context.Kind, ex.Context.Subjects = contract.KindComparison, []string{"prime", "drain"}
	out := run(t, builtin(0), ex, bySections(40))
	text := out.Contents["pump-drain(8)"] + out.Contents["pump-prime(8)"]
	for _, want := range []string{"lowest tap", "no air is left", "empty it", "make it ready"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not there:\n%s", want, text)
		}
	}
	if len(out.Documents) < 2 || out.Documents[0].Title == "a" || out.Documents[1].Title == "a" {
		t.Errorf("the pages of the sides are not first: %+v", out.Documents)
	}
}

// A question for a measure gets the sentence that states one, whatever words it has.
func TestMeasures(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("The pump hose is a hose. Clean the pump hose.\n\n", 40)
	page := "# Pumps\n\n## The pump hose\n\n" + filler + "## Buying a pump hose\n\n" + filler + "A pump hose cannot be longer than 12 metres.\n\n" + filler
	ex := kept15(extraction("maximum length of a pump hose", page), map[string]float64{"The pump hose": .9, "Buying a pump hose": .85})
	if text := run(t, builtin(0), ex, bySections(40)).Contents["a"]; !strings.Contains(text, "longer than 12 metres") {
		t.Errorf("the limit is not there:\n%s", text)
	}
}

// What an abbreviation stands for is looked for too.
func TestAbbreviationsAreWords(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("Oil the pump.\n\n", 40)
	page := "# Pumps\n\n## Upkeep\n\n" + filler + "The revolutions per minute stand on the plate.\n\n" + filler
	ex := kept15(extraction("rpm", page), map[string]float64{"Upkeep": .9})
	ex.Context.Abbreviations = []contract.Abbreviation{{Words: "rpm", Also: "revolutions per minute"}}
	if text := run(t, builtin(0), ex, bySections(20)).Contents["a"]; !strings.Contains(text, "on the plate") {
		t.Errorf("the sentence is not there:\n%s", text)
	}
}

// The rest of a short block has sections that are far below the best one, unless that one is sure.
func TestAThinBlockGoesOn(t *testing.T) {
	t.Parallel()
	ex := kept15(extraction("gasket", manual(30)+"## Gaskets\n\nA gasket seals.\n\n"+gasket), map[string]float64{"Gaskets": .9, "Replacing the gasket": .6})
	if text := run(t, builtin(0), ex, bySections(0)).Contents["a"]; !strings.Contains(text, "A gasket seals.") || !strings.Contains(text, "Replacing the gasket") {
		t.Errorf("the second section is not there:\n%s", text)
	}
}

// A section that another page has too is quoted once.
func TestRepeatedSections(t *testing.T) {
	t.Parallel()
	ex := kept15(extraction("replace the gasket", "# One\n\n"+gasket, "# Two\n\n"+gasket), map[string]float64{"Replacing the gasket": .9})
	if out := run(t, builtin(0), ex, bySections(0)); len(out.Documents) != 1 {
		t.Errorf("%d documents quote the same section", len(out.Documents))
	}
}

// Bare contents keep the order of their JSON.
func TestContentsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	var ck contract.Check
	if err := contract.Decode([]byte(`{"extraction": {"contents": {"z": "one\n", "a": "two\n", "m": "three\n"}}}`), &ck); err != nil {
		t.Fatal(err)
	}
	out := run(t, builtin(0), ck.Extraction, contract.Preferences{Full: true})
	var order []string
	for _, d := range out.Documents {
		order = append(order, d.Title)
	}
	if strings.Join(order, "") != "zam" {
		t.Errorf("order %v", order)
	}
}

// Hostile sizes: a table of 100 000 rows, one line of 5 MB, a block of one line.
func TestHostileSizes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs on one goroutine: the race detector has nothing to find")
	}
	line := "# L\n\n## Line\n\n" + strings.Repeat("pump gasket ", 5<<20/12) + "\n\n## Other\n\nA gasket.\n"
	for name, page := range map[string]string{"table": options(100_000, false), "line": line} {
		for _, w := range []contract.Preferences{bySections(0), bySections(1), {MaxTokens: 500}, {Compress: true}} {
			b := builtin(0)
			ex := kept15(extraction("gasket --pump-slot9999", page), map[string]float64{"Flags": .8, "Line": .9, "Other": .7})
			out := run(t, b, ex, w)
			if w.MaxTokens > 0 && b.o.Overhead(out.Documents)+Tokens(out.Contents["a"]) > w.MaxTokens {
				t.Errorf("%s, %+v: the budget is exceeded", name, w)
			}
			if w.Extent != "" && (out.LineCount > contract.DefaultLines || len(out.Contents["a"]) > 4*tokensPerLine*contract.DefaultLines) {
				t.Errorf("%s, %+v: %d lines, %d bytes", name, w, out.LineCount, len(out.Contents["a"]))
			}
		}
	}
}

// The first hit leads the block, whatever words the others have, and pages stand in the order
// of their best section.
func TestTheFirstHitLeads(t *testing.T) {
	t.Parallel()
	wordy := "# Valves\n\n## Valve seats\n\n" + strings.Repeat("Grind the valve seat of a leaking valve.\n\n", 8)
	ex := kept15(extraction("grind the seat of a leaking valve", wordy, "# Leaks\n\n## Drips\n\nReface it with a lapping tool.\n\n"+manual(20)),
		map[string]float64{"Valve seats": .72, "Drips": .74})
	out := run(t, builtin(0), ex, bySections(0))
	if len(out.Documents) != 2 || out.Documents[0].Title != "b" || !strings.Contains(out.Contents["b"], "lapping tool") {
		t.Errorf("%d documents, first\n%s", len(out.Documents), out.Contents["b"])
	}
}

// An omission line stands for at least four lines and has no blank line next to it.
func TestGapsOfSectionsAreCompact(t *testing.T) {
	t.Parallel()
	ex := kept15(extraction("how do I replace the gasket", manual(30)+gasket), map[string]float64{"Replacing the gasket": .9})
	for _, lines := range []int{0, 10, 14, 20, 30} {
		out := run(t, builtin(0), ex, bySections(lines))
		text := strings.Split(strings.TrimSuffix(out.Contents["a"], "\n"), "\n")
		for i, line := range text {
			first, last, ok := contract.ParseOmission(line)
			if !ok {
				continue
			}
			if last-first+1 < leastGap && i > 0 && i < len(text)-1 {
				t.Errorf("%d lines: %q stands for fewer than %d lines", lines, line, leastGap)
			}
			if i > 0 && text[i-1] == "" || i < len(text)-1 && text[i+1] == "" {
				t.Errorf("%d lines: a blank line next to %q", lines, line)
			}
		}
	}
}

// The table that a row of an earlier section brings with it does not stand before the first hit.
func TestNothingLongStandsBeforeTheFirstHit(t *testing.T) {
	t.Parallel()
	table := "| gasket | size |\n| --- | --- |\n" + strings.Repeat("| gasket ring | 4 mm |\n", 12)
	page := "# Pump\n\n## Sizes\n\nThe gaskets that there are, and their sizes:\n\n" + table + "\n" + manual(3) +
		"## Changing it\n\nPull the gasket off by hand.\n\n" + manual(30)
	ex := kept15(extraction("how do I pull the gasket off", page), map[string]float64{"Sizes": .8, "Changing it": .94})
	for _, lines := range []int{0, 20} {
		text := run(t, builtin(0), ex, bySections(lines)).Contents["a"]
		at := strings.Index(text, "Pull the gasket off")
		if at < 0 || strings.Count(text[:at], "|") > 0 {
			t.Errorf("%d lines: the first hit does not lead\n%s", lines, text)
		}
	}
}

// A first hit that phase 1.5 is sure of, and that is whole in the block, is the answer: units that
// are worth much less do not follow it.
func TestASureAnswerIsNotFilledUp(t *testing.T) {
	t.Parallel()
	page := "# Pump\n\n## Renaming\n\nTake the pump off the list and put it on again.\n\n" + manual(20) + "## As JSON\n\n```json\n" +
		strings.Repeat("{\"lift\": 1, \"hose\": \"long\"}\n", 12) + "```\n\n" + manual(20)
	for sim, filled := range map[float64]bool{.97: false, .8: true} {
		ex := kept15(extraction("how do I rename a pump", page), map[string]float64{"Renaming": sim, "As JSON": .5})
		text := run(t, builtin(0), ex, bySections(0)).Contents["a"]
		if !strings.Contains(text, "put it on again") || strings.Contains(text, "json") != filled {
			t.Errorf("of a first hit at %v, filled up should be %v:\n%s", sim, filled, text)
		}
	}
}

// A short block is filled: a section that fits is there whole.
func TestAShortBlockIsFilled(t *testing.T) {
	t.Parallel()
	steps := "1. Stop the pump.\n2. Open the valve.\n3. Wait for the pressure to fall.\n4. Take the old filter out.\n5. Close the valve.\n"
	page := "# Runbook\n\n## Going back to the old filter\n\nWhen the new filter leaks, go back to the old one.\n\nAsk the engineer first.\n\n" +
		steps + "\n" + manual(30)
	ex := kept15(extraction("new filter leaks, go back", page), map[string]float64{"Going back to the old filter": .8})
	if text := run(t, builtin(0), ex, bySections(13)).Contents["a"]; !strings.Contains(text, "5. Close the valve.") {
		t.Errorf("13 lines lack the steps:\n%s", text)
	}
}
