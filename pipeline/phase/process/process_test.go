package process

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/contract/contracttest"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/question"
	"docent/store/doc"
)

func blocks(src []byte) (doc.Document, error) { return markdown.ParseMarkdown(src, parse.Options{}) }

func structure(_ context.Context, text []byte, _ doc.Format) (doc.Document, error) {
	return blocks(text)
}

func builtin(limit int) *Builtin {
	return New(Options{Preference: question.Preference, Structure: structure, Limit: limit})
}

// extraction of pages "a", "b", … in this order.
func extraction(ask string, pages ...string) contract.Extraction {
	ex := contract.Extraction{Contents: map[string]string{}, IndividualCounts: map[string]int{}, Documents: []contract.Extracted{}, NotFound: []string{},
		Context: &contract.Context{Question: ask}}
	for i, text := range pages {
		key := string(rune('a' + i))
		n := doc.CountLines([]byte(text))
		ex.Contents[key] = text
		ex.IndividualCounts[key] = n
		ex.TotalLineCount += n
		ex.Documents = append(ex.Documents, contract.Extracted{Title: key, DocSet: "S@1", FilePath: key + "/docContent.md", Lines: n})
	}
	ex.RequiresProcessing = ex.TotalLineCount > contract.ExtractThreshold
	return ex
}

func run(t failer, b *Builtin, ex contract.Extraction, w contract.Preferences) contract.Processed {
	t.Helper()
	ck, err := b.Check(ex, w)
	if err != nil {
		t.Fatalf("Check: %v", err)
	}
	ck.Action = contract.ActionProcess
	out, _, err := b.Process(context.Background(), ck)
	if err != nil {
		t.Fatalf("Process: %v", err)
	}
	return out
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// dropped reports whether a document is left out of the block, as one omission.
func dropped(out contract.Processed, key, src string) bool {
	_, there := out.Contents[key]
	o := omissions(out, key)
	n := doc.CountLines([]byte(src))
	return !there && (n == 0 && len(o) == 0 || len(o) == 1 && o[0] == [2]int{1, n})
}

// expand puts the source's lines back in the place of the omission lines.
func expand(src, out string, omitted [][2]int) (string, error) {
	lines := strings.SplitAfter(src, "\n")
	var b strings.Builder
	at := 1 // source line
	for i, line := range strings.SplitAfter(out, "\n") {
		if line == "" {
			continue
		}
		first, last, ok := contract.ParseOmission(strings.TrimRight(line, "\r\n"))
		if ok && len(omitted) > 0 && omitted[0] == [2]int{first, last} && at == first {
			omitted = omitted[1:]
			b.WriteString(strings.Join(lines[first-1:last], ""))
			at = last + 1
			continue
		}
		if at > len(lines) || lines[at-1] != line {
			return "", fmt.Errorf("line %d of the result is %q, not the source's line %d", i+1, line, at)
		}
		b.WriteString(line)
		at++
	}
	if len(omitted) > 0 {
		return "", fmt.Errorf("omissions without a line: %v", omitted)
	}
	return b.String(), nil
}

func omissions(out contract.Processed, key string) [][2]int {
	var list [][2]int
	for _, o := range out.Omitted {
		if o.Title == key {
			list = append(list, o.Lines)
		}
	}
	return list
}

// sound checks what holds for every result.
func sound(t failer, b *Builtin, ex contract.Extraction, out contract.Processed) {
	t.Helper()
	soundWithin(t, ex, out, budget{b.o.Limit - 2, unlimited})
}

// soundWithin is sound for a budget below which no block is cut.
func soundWithin(t failer, ex contract.Extraction, out contract.Processed, most budget) {
	t.Helper()
	n := 0
	for key, src := range ex.Contents {
		if dropped(out, key, src) {
			continue
		}
		text := out.Contents[key]
		n += doc.CountLines([]byte(text))
		back, err := expand(src, text, omissions(out, key))
		if err != nil {
			t.Fatalf("%s: %v\nsource:\n%s\nresult:\n%s", key, err, src, text)
		}
		if back != src {
			t.Fatalf("%s: expanding does not give the source back\nsource:\n%q\nresult:\n%q", key, src, text)
		}
		wholeUnits(t, key, src, omissions(out, key), most)
	}
	if n != out.LineCount {
		t.Fatalf("line_count %d, counted %d", out.LineCount, n)
	}
}

// wholeUnits checks that no unit is cut and that no kept unit lacks a heading.
func wholeUnits(t failer, key, src string, omitted [][2]int, most budget) {
	t.Helper()
	gone := map[int]bool{}
	for _, o := range omitted {
		for l := o[0]; l <= o[1]; l++ {
			gone[l] = true
		}
	}
	p := newPage(key, src, blocks, most)
	for i, u := range p.units {
		for l := u.first; l <= u.last; l++ {
			if gone[l] != gone[u.first] {
				t.Fatalf("%s: the %s in lines %d–%d is cut at %d", key, u.kind, u.first, u.last, l)
			}
		}
		// A single line may stay alone where an omission line saves nothing.
		alone := u.first == u.last && (i == 0 || gone[p.units[i-1].last] || i+1 == len(p.units) || gone[p.units[i+1].first])
		if gone[u.first] || u.top || alone || most.lines < 30 || most.quarters < unlimited { // the best line may stand alone
			continue
		}
		for _, h := range p.newChooser().headingsOfSection(u.section) {
			if gone[p.units[h].first] {
				t.Fatalf("%s: lines %d–%d are kept, their heading in line %d is not", key, u.first, u.last, p.units[h].first)
			}
		}
	}
}

// manual is a page with n sections of filler; section k has words of its own.
func manual(n int) string {
	var b strings.Builder
	b.WriteString("# Pump manual\n\n> **Source**: https://example.org/pump\n\nHow to keep pumps running.\n\n")
	for k := range n {
		fmt.Fprintf(&b, "## Part %d\n\nThis part%d is about nothing much. It has two sentences.\n\n", k, k)
		fmt.Fprintf(&b, "Run it like this:\n\n```sh\npump --slot %d\npump --check\n\n```\n\n", k)
		fmt.Fprintf(&b, "- one of %d\n- two\n  - inner\n\n| a | b |\n|---|---|\n| %d | x |\n\n", k, k)
	}
	return b.String()
}

const gasket = `## Replacing the gasket

The gasket wears out after a year.

> [!WARNING]
> Release the pressure before you
> open the housing.

1. Close the valve.

   ` + "```sh" + `
   pump --close-valve
   ` + "```" + `

2. Take the old gasket out.

The exit code is printed by:

` + "```sh" + `
pump --gasket-status

exit
` + "```" + `

### Torque

Tighten to 4 Nm.

`

func TestCheck(t *testing.T) {
	t.Parallel()
	small, big := manual(3), manual(200)
	for _, tt := range []struct {
		name        string
		ex          contract.Extraction
		preferences contract.Preferences
		action      string
		full        bool
		comp        bool
	}{
		{"small", extraction("pump slots", small), contract.Preferences{}, "skip", false, false},
		{"big", extraction("pump slots", big), contract.Preferences{}, "process", false, false},
		{"asked", extraction("summarize pump slots", small), contract.Preferences{}, "process", false, true},
		{"asked in Chinese", extraction("总结一下 pump", small), contract.Preferences{}, "process", false, true},
		{"negated", extraction("pump slots, don't summarize", small), contract.Preferences{}, "skip", true, false},
		{"不要压缩", extraction("pump, 不要压缩", big), contract.Preferences{}, "process", true, false},
		{"flag", extraction("pump slots", small), contract.Preferences{Compress: true}, "process", false, true},
		{"full wins", extraction("summarize pump slots", small), contract.Preferences{Full: true, Compress: true}, "skip", true, false},
		{"budget", extraction("pump slots", small), contract.Preferences{MaxTokens: 300}, "process", false, false},
		{"budget enough", extraction("pump slots", small), contract.Preferences{MaxTokens: 3000}, "skip", false, false},
		{"nothing", extraction("pump slots"), contract.Preferences{MaxTokens: 1}, "skip", false, false},
	} {
		ck, err := builtin(0).Check(tt.ex, tt.preferences)
		if err != nil || ck.Action != tt.action || ck.FullRequested != tt.full || ck.CompressionRequested != tt.comp || ck.Reason == "" {
			t.Errorf("%s: %s (%s) full %v compress %v, %v", tt.name, ck.Action, ck.Reason, ck.FullRequested, ck.CompressionRequested, err)
		}
		if ck.TotalLineCount != tt.ex.TotalLineCount || ck.MaxTokens != tt.preferences.MaxTokens || !reflect.DeepEqual(ck.Extraction, tt.ex) || ck.Context != tt.ex.Context {
			t.Errorf("%s: lost something: %+v", tt.name, ck)
		}
	}
	if _, err := builtin(0).Check(extraction("x", small), contract.Preferences{MaxTokens: -1}); contracttest.ErrorOf(err).Code != contract.CodeInvalidRequest {
		t.Errorf("error %v", err)
	}
}

func TestProcessActions(t *testing.T) {
	t.Parallel()
	page := manual(10) // 186 lines
	lines := doc.CountLines([]byte(page))
	b := builtin(lines)
	for _, tt := range []struct {
		name        string
		ask         string
		pages       []string
		preferences contract.Preferences
		action      string
		most        int
	}{
		{"just the limit", "slots", []string{page}, contract.Preferences{}, "unchanged", lines},
		{"one more", "slots", []string{page, "x\n"}, contract.Preferences{}, "compressed", lines},
		{"full", "slots", []string{page, page}, contract.Preferences{Full: true}, "full", 2 * lines},
		{"full by words", "full content please", []string{page, page}, contract.Preferences{Compress: true}, "full", 2 * lines},
		{"wish", "part7", []string{page}, contract.Preferences{Compress: true}, "compressed", lines / 2},
		{"wish for what is everywhere", "pump slot part", []string{page}, contract.Preferences{Compress: true}, "compressed", lines / 2},
		{"wish by words", "give me a summary of part7", []string{page}, contract.Preferences{}, "compressed", lines / 2},
		{"big wish", "part7", []string{page, page, page}, contract.Preferences{Compress: true}, "compressed", lines},
		{"budget", "part7", []string{page}, contract.Preferences{MaxTokens: 500}, "compressed", lines},
	} {
		ex := extraction(tt.ask, tt.pages...)
		out := run(t, b, ex, tt.preferences)
		if out.Action != tt.action || out.LineCount > tt.most {
			t.Errorf("%s: %s, %d lines", tt.name, out.Action, out.LineCount)
		}
		sound(t, b, ex, out)
		if tt.action != "compressed" && (!reflect.DeepEqual(out.Contents, ex.Contents) || out.LineCount != ex.TotalLineCount) {
			t.Errorf("%s: contents changed", tt.name)
		}
		if tt.action == "compressed" && len(out.Omitted) == 0 {
			t.Errorf("%s: nothing omitted", tt.name)
		}
		if len(out.Documents) != len(out.Contents) || out.Omitted == nil || out.Context != ex.Context {
			t.Errorf("%s: %+v", tt.name, out)
		}
	}
}

func TestSkippedAndBareInput(t *testing.T) {
	t.Parallel()
	b := builtin(50)
	ex := extraction("part2", manual(20))
	out, tr, err := b.Process(context.Background(), contract.Check{Action: contract.ActionSkip, Extraction: ex})
	if err != nil || out.Action != contract.ActionUnchanged || !reflect.DeepEqual(out.Contents, ex.Contents) || tr.Engine != contract.EngineBuiltin {
		t.Errorf("skip: %s %v", out.Action, err)
	}
	// Contents alone, as JSON, no question: structure and beginnings stay.
	js, _ := json.Marshal(map[string]any{"extraction": map[string]any{"contents": map[string]string{"z": manual(20), "b": "hi\n"}}})
	var ck contract.Check
	if err := json.Unmarshal(js, &ck); err != nil {
		t.Fatal(err)
	}
	out, _, err = b.Process(context.Background(), ck)
	if err != nil || out.Action != contract.ActionCompressed || out.LineCount > 50 || len(out.Documents) != 2 || out.Documents[0].Title != "b" {
		t.Fatalf("bare: %+v %v", out, err)
	}
	if out.Contents["b"] != "hi\n" || !strings.HasPrefix(out.Contents["z"], "# Pump manual\n") || !strings.Contains(out.Contents["z"], "\n## Part 3\n") {
		t.Errorf("bare: %q", out.Contents)
	}
	ck.Extraction.Documents = []contract.Extracted{{Title: "none"}}
	if _, _, err := b.Process(context.Background(), ck); contracttest.ErrorOf(err).Code != contract.CodeInvalidRequest {
		t.Errorf("document without content: %v", err)
	}
	// The extraction handed in is not changed.
	before := manual(20)
	ex = extraction("part2", before)
	run(t, b, ex, contract.Preferences{})
	if ex.Contents["a"] != before {
		t.Error("the input was changed")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := b.Process(ctx, contract.Check{Extraction: ex}); err == nil {
		t.Error("a cancelled context is not noticed")
	}
}

func TestKeepsWhatTheQuestionIsAbout(t *testing.T) {
	t.Parallel()
	page := manual(30) + gasket + strings.ReplaceAll(manual(30), "# Pump", "## Old pump")
	for _, tt := range []struct {
		limit int
		ask   string
		want  []string
		not   []string
	}{
		{60, "how do I replace the gasket", []string{"# Pump manual\n", "> **Source**: https://example.org/pump\n", gasket}, nil},
		{200, "how do I replace the gasket", []string{gasket, "## Part 12\n"}, nil},
		{40, "what does --gasket-status print", []string{"## Replacing the gasket\n", "The exit code is printed by:\n\n```sh\npump --gasket-status\n\nexit\n```\n"}, nil},
		{30, "torque", []string{"## Replacing the gasket\n", "### Torque\n\nTighten to 4 Nm.\n"}, nil},
		// Too little for the section: its warning and its best units come first.
		{20, "gasket", []string{"## Replacing the gasket\n", "Release the pressure", "The gasket wears out"}, []string{"pump --close-valve"}},
	} {
		ex := extraction(tt.ask, page)
		b := builtin(tt.limit)
		out := run(t, b, ex, contract.Preferences{})
		sound(t, b, ex, out)
		if out.LineCount > tt.limit {
			t.Errorf("%d, %q: %d lines", tt.limit, tt.ask, out.LineCount)
		}
		for _, w := range tt.want {
			if !strings.Contains(out.Contents["a"], w) {
				t.Errorf("%d, %q: lacks %q\n%s", tt.limit, tt.ask, w, out.Contents["a"])
			}
		}
		for _, w := range tt.not {
			if strings.Contains(out.Contents["a"], w) {
				t.Errorf("%d, %q: has %q\n%s", tt.limit, tt.ask, w, out.Contents["a"])
			}
		}
	}
	// A preference for compression drops the parts that have nothing to do with the
	// question.
	out := run(t, builtin(0), extraction("how do I replace the gasket? summarize", page), contract.Preferences{})
	if text := out.Contents["a"]; !strings.Contains(text, gasket) || strings.Contains(text, "## Part 3\n") {
		t.Errorf("wish:\n%s", text)
	}
	// Even where the best section is more than half.
	out = run(t, builtin(0), extraction("gasket", "# P\n\n"+gasket+"## Other\n\nNothing.\n"), contract.Preferences{Compress: true})
	if !strings.Contains(out.Contents["a"], gasket[:strings.Index(gasket, "### Torque")]) {
		t.Errorf("wish, half:\n%s", out.Contents["a"])
	}
	// Queries count, and so does Chinese.
	ex := extraction("如何更换垫圈", page+"## 更换垫圈\n\n先关闭阀门。\n\n")
	out = run(t, builtin(30), ex, contract.Preferences{})
	if !strings.Contains(out.Contents["a"], "先关闭阀门。") {
		t.Errorf("Chinese:\n%s", out.Contents["a"])
	}
	ex = extraction("换密封", page)
	ex.Context.Queries = []string{"replace gasket"}
	if out = run(t, builtin(60), ex, contract.Preferences{}); !strings.Contains(out.Contents["a"], gasket) {
		t.Errorf("queries:\n%s", out.Contents["a"])
	}
}

// Related units are kept together if a section is not kept whole.
func TestUnitsBringWhatTheyNeed(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("The valve is a valve of a valve.\n\n", 30)
	for _, tt := range []struct{ name, ask, unit, want, not string }{
		{"warning", "gasket", "A gasket gasket.\n\n> [!WARNING]\n> Hot.\n\n", "> [!WARNING]\n> Hot.\n", ""},
		{"note", "gasket", "A gasket gasket.\n\n> [!NOTE]\n> Cold.\n\n", "A gasket gasket.", "Cold"},
		{"code", "gasket", "Then it is done.\n\nRun it.\n\n```\ngasket\n```\n\n", "Run it.\n\n```\ngasket\n```\n", "Then"},
		{"code with its file", "gasket", "Then it is done.\n\nRun it.\n\nfile.toml\n\n```\ngasket\n```\n\n", "Run it.\n\nfile.toml\n\n```\ngasket\n```\n", "Then"},
		{"second tab", "gasket", "Run it.\n\n```\nold\n```\n\n```\ngasket\n```\n\n", "Run it.\n\n[… ", ""},
		{"colon", "gasket", "A gasket has:\n\n- this\n- that\n\n", "A gasket has:\n\n- this\n- that\n", ""},
		{"list", "gasket", "It has:\n\n- a gasket\n- that\n\n", "It has:\n\n- a gasket\n- that\n", ""},
		{"list without", "gasket", "It has.\n\n- a gasket\n- that\n\n", "- a gasket\n- that\n", "It has"},
	} {
		page := "# P\n\n## Valve\n\n" + filler + tt.unit + filler
		out := run(t, builtin(20), extraction(tt.ask, page), contract.Preferences{})
		text := out.Contents["a"]
		// The filler of a blind fill must not hide an omission.
		if !strings.HasPrefix(text, "# P\n\n## Valve\n") || !strings.Contains(text, tt.want) || tt.not != "" && strings.Contains(text, tt.not) {
			t.Errorf("%s:\n%s", tt.name, text)
		}
	}
}

// Where compression is asked for, sections that hardly have to do with the question are left out.
func TestCompressionLeavesOutWeakSections(t *testing.T) {
	t.Parallel()
	page := "# P\n\n## Gasket torque\n\nGasket torque of the gasket.\n\n## Valve\n\nA valve with a gasket among very many other things, and so on and on.\n\n" +
		strings.Repeat("## Pipe\n\nPipes are pipes.\n\n", 20)
	out := run(t, builtin(0), extraction("gasket torque values", page), contract.Preferences{Compress: true})
	if text := out.Contents["a"]; !strings.Contains(text, "Gasket torque of") || strings.Contains(text, "## Valve") {
		t.Errorf("%s", text)
	}
}

func TestCodeLongerThanTheLimit(t *testing.T) {
	t.Parallel()
	code := "```sh\n" + strings.Repeat("gasket\n", 40) + "```\n"
	page := "# P\n\nIntro.\n\n## Gasket\n\nThe gasket script:\n\n" + code + "\n## Other\n\n" + strings.Repeat("Nothing.\n\n", 40)
	out := run(t, builtin(30), extraction("gasket", page), contract.Preferences{})
	// Longer than the whole budget: cut at its lines, between its fences.
	if text := out.Contents["a"]; !strings.Contains(text, "The gasket script:\n\n```sh\ngasket\n") || !strings.Contains(text, " omitted …]\n```\n") {
		t.Errorf("too long:\n%s", text)
	}
	out = run(t, builtin(60), extraction("gasket", page), contract.Preferences{})
	if !strings.Contains(out.Contents["a"], "The gasket script:\n\n"+code) {
		t.Errorf("fits:\n%s", out.Contents["a"])
	}
}

// The best sections of all pages come first: no page has a share by its place.
func TestTheBestSectionsOfAllPagesComeFirst(t *testing.T) {
	t.Parallel()
	about := strings.ReplaceAll(manual(100), "nothing much", "gaskets and a gasket ring")
	little := manual(60) + gasket
	none := manual(100)
	ex := extraction("gasket ring", none, about, little)
	for _, limit := range []int{60, 150, 400, 1500} {
		b := builtin(limit)
		out := run(t, b, ex, contract.Preferences{})
		sound(t, b, ex, out)
		n := func(key string) int { return doc.CountLines([]byte(out.Contents[key])) }
		t.Logf("limit %d: none %d, about %d, little %d", limit, n("a"), n("b"), n("c"))
		if out.LineCount > limit || n("b") <= n("a") {
			t.Errorf("limit %d: lines %d %d %d", limit, n("a"), n("b"), n("c"))
		}
		for key, text := range out.Contents {
			if !strings.HasPrefix(text, "# Pump manual\n") {
				t.Errorf("limit %d: %s has no title\n%s", limit, key, text)
			}
		}
		if !strings.Contains(out.Contents["c"], gasket[:strings.Index(gasket, "### Torque")]) {
			t.Errorf("limit %d: the best section of c is not there", limit)
		}
		var keys []string
		for _, d := range out.Documents {
			keys = append(keys, d.Title)
		}
		if !slices.IsSorted(keys) || len(keys) != len(out.Contents) {
			t.Errorf("order %v", keys)
		}
	}
}

func TestMaxTokens(t *testing.T) {
	t.Parallel()
	ex := extraction("how do I replace the gasket", manual(30)+gasket, manual(50))
	b := builtin(0)
	for _, most := range []int{260, 400, 800, 2000, 5000} {
		out := run(t, b, ex, contract.Preferences{MaxTokens: most})
		sound(t, b, ex, out)
		spent := b.o.Overhead(out.Documents)
		for _, text := range out.Contents {
			spent += Tokens(text)
		}
		t.Logf("budget %d: %d tokens, %d lines", most, spent, out.LineCount)
		if spent > most {
			t.Errorf("budget %d: %d tokens", most, spent)
		}
		if most >= 800 && !strings.Contains(out.Contents["a"], "Release the pressure") {
			t.Errorf("budget %d:\n%s", most, out.Contents["a"])
		}
	}
	for _, w := range []contract.Preferences{{MaxTokens: 20}, {MaxTokens: 800, Full: true}} {
		ck, err := b.Check(ex, w)
		if err != nil || ck.Action != contract.ActionProcess {
			t.Fatalf("%+v: %s %v", w, ck.Action, err)
		}
		if _, _, err := b.Process(context.Background(), ck); contracttest.ErrorOf(err).Code != contract.CodeInvalidRequest {
			t.Errorf("%+v: %v", w, err)
		}
	}
}

// longPages have 50 000 lines, flat or divided.
func longPages() map[string]string {
	flat := "# Long\n\n" + strings.Repeat("A line about a pump that goes on.\n\n", 25_000)
	return map[string]string{"divided": manual(2900), "flat": flat, "lines": strings.Repeat("pump\n", 50_000)}
}

// Long pages are cut to the limit. Quadratic work on them would not end before
// the tests' own time limit; BenchmarkLongPages says how long they take.
func TestLongPages(t *testing.T) {
	t.Parallel()
	for name, page := range longPages() {
		for _, ask := range []string{"pump slots and line", "", "zzz"} {
			ex := extraction(ask, page)
			if out := run(t, New(Options{Preference: question.Preference}), ex, contract.Preferences{}); out.LineCount > contract.ProcessLimit {
				t.Errorf("%s, %q: %d lines", name, ask, out.LineCount)
			}
		}
	}
}

// BenchmarkLongPages is well under a second for each.
func BenchmarkLongPages(b *testing.B) {
	for name, page := range longPages() {
		b.Run(name, func(b *testing.B) {
			ex := extraction("pump slots and line", page)
			for b.Loop() {
				p := New(Options{Preference: question.Preference})
				ck, err := p.Check(ex, contract.Preferences{})
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := p.Process(b.Context(), ck); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The numbers of an extraction agree with its contents and with each other,
// whatever the input says; its lists are lists.
func TestCheckCountsAgain(t *testing.T) {
	t.Parallel()
	b := New(Options{})
	in := contract.Extraction{
		Contents: map[string]string{"A": "one\n", "B": "one\ntwo"}, TotalLineCount: 3000, IndividualCounts: map[string]int{"A": 2999, "C": 1},
		Documents: []contract.Extracted{{Title: "A", Lines: 2999}, {Title: "B", Lines: 2}}, Summary: "lines in all: 3000", RequiresProcessing: true,
	}
	ck, err := b.Check(in, contract.Preferences{})
	if err != nil {
		t.Fatal(err)
	}
	ex := ck.Extraction
	if ck.TotalLineCount != 3 || ex.TotalLineCount != 3 || !maps.Equal(ex.IndividualCounts, map[string]int{"A": 1, "B": 2}) ||
		ex.Documents[0].Lines != 1 || ex.Documents[1].Lines != 2 || strings.Contains(ex.Summary, "3000") {
		t.Errorf("%+v", ck)
	}
	if in.Documents[0].Lines != 2999 || in.IndividualCounts["A"] != 2999 {
		t.Errorf("the input was changed: %+v", in)
	}
	if ck.Action != contract.ActionProcess || ck.Reason != "phase 2 asks for processing (3 lines)" {
		t.Errorf("%s: %s", ck.Action, ck.Reason)
	}
	bare, err := b.Check(contract.Extraction{Contents: map[string]string{"A": "one\n"}, TotalLineCount: 1, IndividualCounts: map[string]int{"A": 1}}, contract.Preferences{})
	if err != nil || bare.Extraction.Documents == nil || bare.Extraction.NotFound == nil {
		t.Errorf("%+v, %v", bare, err)
	}
	for field, ex := range map[string]contract.Extraction{
		"total_line_count":    {TotalLineCount: -3},
		"individual_counts.A": {IndividualCounts: map[string]int{"A": -1}},
		"documents[0].lines":  {Contents: map[string]string{"A": ""}, Documents: []contract.Extracted{{Title: "A", Lines: -1}}},
	} {
		if _, err := b.Check(ex, contract.Preferences{}); err == nil || contracttest.ErrorOf(err).Details["field"] != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
