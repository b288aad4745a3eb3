package cite

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/pipeline/contract"
)

// replaced is a page with a text in place of its lines from first to last, between
// the lines that say so.
func replaced(page string, first, last int, text string) string {
	lines := strings.SplitAfter(page, "\n")
	begin, end := contract.SummaryLines(first, last)
	return strings.Join(lines[:first-1], "") + begin + "\n" + text + "\n" + end + "\n" + strings.Join(lines[last:], "")
}

// blockOf cites a content in the place of the lamp's page.
func blockOf(t failer, content string) (shelf, string) {
	t.Helper()
	var s shelf
	d := s.put("Lamps@2", "The lamp", "https://example.org/lamp", lamp)
	block, _, err := Builtin{}.Cite(map[string]string{d.Key: content}, []contract.Extracted{d})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s, block
}

// lineOf is the number of the first line of a block that is a text.
func lineOf(t failer, block, line string) int {
	t.Helper()
	i := slices.Index(strings.Split(block, "\n"), line)
	if i < 0 {
		t.Fatalf("%q is no line of\n%s", line, block)
	}
	return i + 1
}

// verdicts of the lines of a block from one to another, in short.
func verdicts(r Report, first, last int) string {
	var out []string
	for _, d := range r.Documents {
		for _, l := range d.Lines {
			if l.Line >= first && l.Line <= last {
				out = append(out, l.Verdict)
			}
		}
	}
	return strings.Join(out, " ")
}

// What a model wrote is unverified, line by line, and so is the block; all other
// lines must stand.
func TestVerifySummary(t *testing.T) {
	t.Parallel()
	content := replaced(lamp, 5, 7, "Turn it left.\n\nKeep it closed.")
	s, block := blockOf(t, content)
	rep := check(t, s, block)
	at := lineOf(t, block, "[… lines 5–7 summarized, not verbatim …]")
	if rep.State != StateUnverified || rep.Documents[0].State != StateUnverified || kinds(rep) != FindingSummary {
		t.Fatalf("%+v", rep)
	}
	if rep.Lines != 13 || rep.Verbatim != 8 || rep.Omissions != 2 || rep.Unverified != 3 || rep.Altered != 0 {
		t.Errorf("%+v", rep)
	}
	if got := verdicts(rep, at, at+4); got != "omission unverified unverified unverified omission" {
		t.Errorf("the verdicts are %s", got)
	}
	if f := rep.Findings[0]; f.Line != at || f.LastLine != at+4 || f.SourceLines != [2]int{5, 7} || !strings.Contains(f.Message, "a model wrote this in place of lines 5–7") {
		t.Errorf("%+v", f)
	}
	// Each line once, in order: those of the summary and those around it.
	for i, l := range rep.Documents[0].Lines {
		if l.Line != 4+i {
			t.Errorf("line %d is reported as %d", 4+i, l.Line)
		}
	}
	if text := rep.String(); !strings.HasPrefix(text, "unverified: 13 lines in 1 document: 8 verbatim, 2 omission lines, 3 unverified, 0 altered\n") {
		t.Errorf("the report is\n%s", text)
	}
	// Text around the block moves the lines and nothing else.
	around := check(t, s, "Here you are:\n\n"+strings.ReplaceAll(block, "\n", "\r\n")+"\nBye.\n")
	if around.State != StateUnverified || around.Findings[0].Line != at+2 || around.Unverified != 3 {
		t.Errorf("%+v", around)
	}
}

// Whatever else is done to a block with a summary is found all the same.
func TestAlteredBesideASummary(t *testing.T) {
	t.Parallel()
	s, block := blockOf(t, replaced(lamp, 5, 7, "Turn it left.\n\nKeep it closed."))
	begin, end := contract.SummaryLines(5, 7)
	for _, tt := range []struct {
		name, old, new string
		state          string
		kinds          string // one of them
	}{
		{"a line before it", "# The lamp", "# The lamb", StateAltered, FindingAltered},
		{"a line behind it", "lamp --on", "lamp --off", StateAltered, FindingAltered},
		{"a line more", "lamp --on\n", "lamp --on\nlamp --burn\n", StateAltered, FindingInserted},
		{"a line less", "lamp --on\n", "", StateAltered, FindingRemoved},
		{"another summary text", "Turn it left.", "Turn it right.", StateUnverified, FindingSummary},
		{"a longer summary", "Turn it left.", "Turn it left.\nOr right.", StateAltered, FindingLineCount},
		{"a wrong beginning", begin, "[… lines 4–7 summarized, not verbatim …]", StateAltered, FindingAltered},
		{"a wrong range", "5–7", "5–8", StateAltered, FindingInserted},
		{"a range of less", "5–7", "5–6", StateAltered, FindingOmission},
		{"a range elsewhere", "5–7", "1–3", StateAltered, FindingOmission},
		{"a range beyond the page", "5–7", "5–99", StateAltered, FindingOmission},
		{"no beginning", begin + "\n", "", StateAltered, FindingLineCount},
		{"no end", end + "\n", "", StateAltered, FindingLineCount},
		{"the end first", begin, end, StateAltered, FindingAltered},
		{"an omission line for the beginning", begin, "[… lines 5–7 omitted …]", StateAltered, FindingInserted},
		{"the source's line beside it", begin, "Turn the knob to the left.\n" + begin, StateAltered, FindingLineCount},
		{"the page", "The lamp/docContent.md", "The lump/docContent.md", StateSourceMissing, FindingMissing},
		{"the address", "**Source:** https://example.org/lamp", "**Source:** https://evil.example", StateAltered, FindingCitation},
		{"the number of lines", "lines=13", "lines=11", StateAltered, FindingLineCount},
		{"the block's end", "\n=== END-AOP-FINAL ===", "", StateAltered, FindingEnd},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(block, tt.old) {
				t.Fatalf("there is no %q in\n%s", tt.old, block)
			}
			n := 1
			if strings.Contains(tt.old, "–") && !strings.HasPrefix(tt.old, "[") || tt.name == "the page" {
				n = -1
			}
			rep := check(t, s, strings.Replace(block, tt.old, tt.new, n))
			worst := rep.State == tt.state || tt.state == StateSourceMissing && rep.State == StateAltered // its header is another's
			if !worst || !strings.Contains(kinds(rep)+" ", tt.kinds+" ") {
				t.Errorf("%s, findings %s\n%s", rep.State, kinds(rep), rep)
			}
		})
	}
}

// Several summaries, next to each other, over a whole page, and in two documents.
func TestVerifySeveralSummaries(t *testing.T) {
	t.Parallel()
	two := replaced(replaced(lamp, 9, 11, "Switch it on."), 5, 5, "Turn it.")
	s, block := blockOf(t, two)
	rep := check(t, s, block)
	if rep.State != StateUnverified || kinds(rep) != "summary summary" || rep.Unverified != 2 || rep.Altered != 0 || rep.Findings[0].SourceLines != [2]int{5, 5} || rep.Findings[1].SourceLines != [2]int{9, 11} {
		t.Errorf("%+v", rep)
	}
	// An altered line between two is altered, and both are unverified still.
	rep = check(t, s, strings.Replace(block, "Never open the case.", "Open the case.", 1))
	if rep.State != StateAltered || rep.Altered != 1 || rep.Unverified != 2 || kinds(rep) != "summary altered summary" {
		t.Errorf("%s: %+v", kinds(rep), rep)
	}
	next := replaced(replaced(lamp, 6, 11, "Switch it on."), 1, 5, "A lamp.")
	s, block = blockOf(t, next)
	if rep = check(t, s, block); rep.State != StateUnverified || rep.Verbatim != 0 || rep.Unverified != 2 {
		t.Errorf("%+v", rep)
	}
	// The same range twice is the page's once.
	begin, end := contract.SummaryLines(5, 5)
	again := strings.Replace(two, end+"\n", end+"\n"+begin+"\nTurn it again.\n"+end+"\n", 1)
	s, block = blockOf(t, again)
	if rep = check(t, s, block); rep.State != StateAltered {
		t.Errorf("%+v", rep)
	}

	var both shelf
	a := both.put("Lamps@2", "The lamp", "https://example.org/lamp", lamp)
	b := both.put("Lamps@2", "Another", "https://example.org/other", strings.ReplaceAll(lamp, "/lamp", "/other"))
	block, _, err := Builtin{}.Cite(map[string]string{a.Key: replaced(lamp, 5, 7, "Turn it."), b.Key: replaced(strings.ReplaceAll(lamp, "/lamp", "/other"), 5, 7, "Turn that.")}, []contract.Extracted{a, b})
	if err != nil {
		t.Fatal(err)
	}
	rep = check(t, both, block)
	if rep.State != StateUnverified || kinds(rep) != "summary summary" || len(rep.Documents) != 2 || rep.Documents[1].State != StateUnverified {
		t.Errorf("%+v", rep)
	}
	rep = check(t, both, strings.Replace(block, "lamp --on", "lamp --off", 1))
	if rep.State != StateAltered || rep.Documents[0].State != StateAltered || rep.Documents[1].State != StateUnverified {
		t.Errorf("%+v", rep)
	}
}

// A summary may say whatever it likes: it can neither end the block, nor cite
// another page, nor account for other lines.
func TestSummaryThatPretends(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"the block's end":      "Done.\n\n=== END-AOP-FINAL ===",
		"another block":        "=== AOP-FINAL | agent=doc-retriever | format=markdown | lines=1 | source=md_docs/Lamps:2/The lamp ===\nx",
		"citation lines":       "Done.\n\n---\n\n**Source:** https://example.org/lamp\n**Path:** md_docs/Lamps:2/The lamp/docContent.md\n**Document Set:** Lamps:2\n\nMore.",
		"another page's":       "Done.\n\n---\n\n**Source:** https://evil.example\n**Path:** md_docs/Evil:1/Page/docContent.md\n**Document Set:** Evil:1",
		"an omission line":     "[… lines 8–11 omitted …]",
		"another beginning":    "[… lines 8–11 summarized, not verbatim …]",
		"its own beginning":    "[… lines 5–7 summarized, not verbatim …]",
		"another one's end":    "[… end of the summary of lines 8–11 …]",
		"the page's own lines": "Turn the knob to the left.\n\nNever open the case.",
		"nothing":              "",
		"control sequences":    "\x1b]0;owned\x07",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, block := blockOf(t, replaced(lamp, 5, 7, text))
			rep := check(t, s, block)
			if rep.State != StateUnverified || rep.Altered != 0 || kinds(rep) != FindingSummary || len(rep.Documents) != 1 || rep.Unverified != strings.Count(text, "\n")+1 {
				t.Errorf("%s\n%s", rep, block)
			}
			if strings.Contains(rep.String(), "\x1b") {
				t.Errorf("the report is %q", rep.String())
			}
			// A fault behind it is found too.
			if rep = check(t, s, strings.Replace(block, "\nlamp --on", "\nlamp --burn", 1)); rep.State != StateAltered || rep.Altered != 1 {
				t.Errorf("an altered line behind it: %s", rep)
			}
		})
	}
	// A summary that ends too soon is no summary of what follows.
	begin, end := contract.SummaryLines(5, 7)
	s, block := blockOf(t, strings.Replace(replaced(lamp, 5, 7, "Turn it.\nAnd that."), "And that.", end+"\nAnd that.", 1))
	if rep := check(t, s, block); rep.State != StateAltered {
		t.Errorf("with two ends: %s", rep)
	}
	// Nothing of a page is left out by wrapping the whole of it.
	s, block = blockOf(t, begin+"\n"+lamp+end+"\n")
	if rep := check(t, s, block); rep.State != StateAltered {
		t.Errorf("a page in a summary of three lines of it: %s", rep)
	}
}

// A page about this format has such lines itself: they are its own.
func TestPageThatQuotesSummaries(t *testing.T) {
	t.Parallel()
	page := "# Summaries\n\nThey look so:\n\n[… lines 2–3 summarized, not verbatim …]\nShort.\n[… end of the summary of lines 2–3 …]\n\nThat is all.\n\nReally all.\n"
	var s shelf
	d := s.put("Lamps@2", "Summaries", "https://example.org/lamp", page)
	cited := func(content string) string {
		t.Helper()
		block, _, err := Builtin{}.Cite(map[string]string{d.Key: content}, []contract.Extracted{d})
		if err != nil {
			t.Fatal(err)
		}
		return block
	}
	if rep := check(t, s, cited(page)); rep.State != StateVerified {
		t.Errorf("verbatim: %s", rep)
	}
	rep := check(t, s, cited(strings.Replace(page, "That is all.\n\n", "[… lines 9–10 omitted …]\n", 1)))
	if rep.State != StateVerified {
		t.Errorf("with an omission: %s", rep)
	}
	if rep = check(t, s, cited(strings.Replace(page, "Short.", "Long.", 1))); rep.State != StateAltered {
		t.Errorf("altered between the lines that it quotes: %s", rep)
	}
	if rep = check(t, s, cited(strings.Replace(page, "That is all.", "That is it.", 1))); rep.State != StateAltered || rep.Altered != 1 {
		t.Errorf("altered elsewhere: %s", rep)
	}
	// Next to a real summary, too.
	rep = check(t, s, cited(replaced(page, 9, 11, "All of it.")))
	if rep.State != StateUnverified || rep.Altered != 0 || kinds(rep) != FindingSummary || rep.Findings[0].SourceLines != [2]int{9, 11} || rep.Unverified != 1 {
		t.Errorf("with a summary of other lines: %s", rep)
	}
	rep = check(t, s, cited(replaced(page, 3, 8, "They look short.")))
	if rep.State != StateUnverified || rep.Altered != 0 {
		t.Errorf("with a summary of those lines: %s", rep)
	}
}

// What a summary leaves of a page is what its citation quotes.
func TestCitedLinesOfASummary(t *testing.T) {
	t.Parallel()
	begin, end := contract.SummaryLines(1, 4)
	d := contract.Extracted{Title: "a", DocSet: "S@1", FilePath: "A/docContent.md"}
	for content, want := range map[string][2]int{
		begin + "\nx\n" + end + "\ny\nz\n":                     {5, 6},
		begin + "\nx\n" + end + "\n":                           {0, 0},
		begin + "\r\nx\r\n" + end + "\r\ny\r\n":                {5, 5},
		begin + "\nx\ny\n":                                     {1, 3}, // no end: it is text
		"w\n" + begin + "\nx\n" + end + "\n":                   {1, 4}, // not at its place: text
		begin + "\n[… lines 5–9 omitted …]\n" + end:            {0, 0},
		begin + "\nx\n" + end + "\n[… lines 5–9 omitted …]\ny": {10, 10},
	} {
		_, cs, err := Builtin{}.Cite(map[string]string{"a": content}, []contract.Extracted{d})
		if err != nil || len(cs) != 1 || cs[0].Lines != want {
			t.Errorf("%q: %+v, %v; want lines %v", content, cs, err, want)
		}
	}
}

// For any page and any text: a summary in place of any lines is unverified and nothing
// else, and an altered line next to it is altered.
func TestAnySummary(t *testing.T) {
	t.Parallel()
	lines := []string{"a", "b", "", "c", "---", "[… lines 2–3 omitted …]", "**Path:** md_docs/Lamps:2/The lamp/docContent.md", "=== END-AOP-FINAL ==="}
	rapid.Check(t, func(t *rapid.T) {
		page := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines[:5]), 3, 12).Draw(t, "page"), "\n") + "\n"
		n := strings.Count(page, "\n")
		first := rapid.IntRange(1, n).Draw(t, "first")
		last := rapid.IntRange(first, n).Draw(t, "last")
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 1, 6).Draw(t, "text"), "\n")
		var s shelf
		d := s.put("Lamps@2", "The lamp", "https://example.org/lamp", page)
		content := replaced(page, first, last, text)
		block, _, err := Builtin{}.Cite(map[string]string{d.Key: content}, []contract.Extracted{d})
		if err != nil {
			t.Fatalf("%v", err)
		}
		rep := check(t, s, strings.Replace(block, "**Source:** https://example.org/lamp", "**Source:** The lamp/docContent.md", 1))
		if rep.Altered != 0 || rep.State != StateUnverified && rep.State != StateAltered || rep.State == StateAltered && kinds(rep) != "citation summary" && kinds(rep) != "summary citation" {
			t.Fatalf("%s\n%s", rep, block)
		}
		rep = check(t, s, block)
		if rep.State != StateUnverified || rep.Altered != 0 || rep.Unverified != strings.Count(text, "\n")+1 {
			t.Fatalf("%s\n%s", rep, block)
		}
	})
}
