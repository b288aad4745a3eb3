package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/contract/contracttest"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/phase/search"
	"docent/store"
	"docent/store/bm25f"
)

var ctx = context.Background()

func searcher(h *corpustest.Home) *search.Builtin {
	return &search.Builtin{Corpus: h.Corpus, Params: bm25f.Defaults()}
}

func find(t *testing.T, h *corpustest.Home, in contract.SearchInput) contract.SearchOutput {
	t.Helper()
	out, _, err := searcher(h).Search(ctx, in, contract.SearchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, out)
	return out
}

// check is what holds of every answer.
func check(t *testing.T, out contract.SearchOutput) {
	t.Helper()
	headings, last := 0, math.Inf(1)
	for _, r := range out.Results {
		if len(r.Headings) == 0 {
			t.Errorf("%s has no headings", r.FilePath)
			continue
		}
		if r.Headings[0].Score > last {
			t.Errorf("%s comes after a page of a lower score", r.FilePath)
		}
		last = r.Headings[0].Score
		for i, h := range r.Headings {
			headings++
			if !(h.Score > 0) || math.IsInf(h.Score, 0) || h.RerankSim != nil || h.Signals.Lexical < 0 || h.Signals.Semantic < 0 {
				t.Errorf("%s: scores of %+v", r.FilePath, h)
			}
			if h.Level < 1 || h.Level > 6 || !strings.HasPrefix(h.Text, "#") || h.Lines[0] < 1 || h.Lines[1] < h.Lines[0] {
				t.Errorf("%s: heading %+v", r.FilePath, h)
			}
			if i > 0 && h.Score > r.Headings[i-1].Score {
				t.Errorf("%s: headings are not in order", r.FilePath)
			}
		}
	}
	if headings > out.TotalHits || headings > 50 || !out.Success || out.Results == nil {
		t.Errorf("%d headings, total_hits %d, success %v", headings, out.TotalHits, out.Success)
	}
	if len(out.Results) > 0 && out.SearchStats.Level != out.Results[0].Level {
		t.Errorf("level %q, of the top hit %q", out.SearchStats.Level, out.Results[0].Level)
	}
}

func paths(out contract.SearchOutput) string {
	var p []string
	for _, r := range out.Results {
		p = append(p, r.DocSet+"/"+r.FilePath)
	}
	return strings.Join(p, " ")
}

// levels is one doc set of every kind of evidence, and a second one.
func levels(t *testing.T) *corpustest.Home {
	h := corpustest.New(t)
	h.Add("Lantern@1", map[string]string{
		"Wick trimming/docContent.md": "# Wick trimming\n\nCut it level.\n",
		"Storage/docContent.md":       "# Storage\n\nKeep it dry.\n\n## Folding bellows\n\nThey fold in three.\n\n## Shelf\n\nAny shelf of oak, never pine.\n",
		"Storage/docTOC.md":           "# Storage\n\n### 1. Folding bellows：https://lantern.example/s#1\n",
		"Signals/docContent.md":       "# Signals\n\nThree long flashes, semaphore only by daylight.\n",
		"Signals/docTOC.md":           "# Signals\n\n## 1. Semaphore daylight rules：https://lantern.example/s#rules\n",
	})
	h.Add("Harbour@2", map[string]string{
		"mooring.md": "# Mooring ropes\n\nHemp or manila.\n",
		"pilots.md":  "# Pilots\n\nThe zenith lamp is theirs.\n",
	})
	return h
}

func TestLevels(t *testing.T) {
	t.Parallel()
	h := levels(t)
	implied := func(set string) *contract.Context { return &contract.Context{DocSets: []string{set}} }
	explicit := func(set string) *contract.Context {
		return &contract.Context{DocSets: []string{set}, DocSetsExplicit: true}
	}
	tests := []struct {
		name, query, sets string
		c                 *contract.Context
		level, top        string
	}{
		{"a title", "wick trimming", "", nil, "1", "Lantern@1/Wick trimming/docContent.md"},
		{"a heading that was found", "folding bellows", "", nil, "1", "Lantern@1/Storage/docContent.md"},
		{"another heading of the page", "oak shelf bellows", "", nil, "2", "Lantern@1/Storage/docContent.md"},
		{"the TOC file alone", "semaphore daylight", "", nil, "2", "Lantern@1/Signals/docContent.md"},
		{"the text alone", "zenith lamp", "", nil, "3.2", "Harbour@2/pilots.md"},
		{"another doc set's title", "mooring ropes", "Lantern@1", implied("Lantern@1"), "3.1", "Harbour@2/mooring.md"},
		{"another doc set's TOC file", "semaphore daylight", "Harbour@2", implied("Harbour@2"), "3.1", "Lantern@1/Signals/docContent.md"},
		{"another doc set's text", "zenith lamp", "Lantern@1", implied("Lantern@1"), "3.2", "Harbour@2/pilots.md"},
		{"named: never left", "mooring ropes", "Lantern@1", explicit("Lantern@1"), "", ""},
		{"bare input that names: never left", "mooring ropes", "Lantern@1", nil, "", ""},
		{"named after phase 0a: never left", "mooring ropes", "Lantern:1", implied("Harbour@2"), "", ""},
		{"the context's doc sets", "mooring ropes", "", explicit("Lantern@1"), "", ""},
		{"nothing at all", "qqqq xxxx", "", nil, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := find(t, h, contract.SearchInput{Query: []string{tt.query}, DocSets: tt.sets, Context: tt.c})
			top := ""
			if out.SearchStats.Nearest { // by spelling: no answer
				out.SearchStats.Level = ""
			} else if len(out.Results) > 0 {
				top = out.Results[0].DocSet + "/" + out.Results[0].FilePath
			}
			if out.SearchStats.Level != tt.level || top != tt.top {
				t.Errorf("level %q of %q, want %q of %q", out.SearchStats.Level, top, tt.level, tt.top)
			}
			if noted := len(out.SearchStats.Notes) > 0; noted != (tt.level == "3.1" || tt.name == "another doc set's text") {
				t.Errorf("notes are %q", out.SearchStats.Notes)
			}
		})
	}
}

// The TOC is read when it is needed: a change of it needs no update, and
// without it the page is still found.
func TestTOCAsItIsNow(t *testing.T) {
	t.Parallel()
	h := levels(t)
	sets, err := h.Corpus.Resolve(ctx, []string{"Lantern"})
	if err != nil {
		t.Fatal(err)
	}
	in := contract.SearchInput{Query: []string{"flashes semaphore"}}
	if out := find(t, h, in); out.SearchStats.Level != "3.2" || out.SearchStats.TOCPath != "Signals/docTOC.md" {
		t.Errorf("before: %+v", out.SearchStats)
	}
	h.Write(sets[0], map[string]string{"Signals/docTOC.md": "## Flashes and semaphore\n"})
	if out := find(t, h, in); out.SearchStats.Level != "2" {
		t.Errorf("after a change: %+v", out.SearchStats)
	}
	h.Delete(sets[0], "Signals/docTOC.md")
	if out := find(t, h, in); out.SearchStats.Level != "3.2" {
		t.Errorf("without it: %+v", out.SearchStats)
	}
}

// Spec 1's bare input must chain: what reads the output finds the question and
// all else in the context.
func TestContextIsHandedOn(t *testing.T) {
	t.Parallel()
	h := levels(t)
	off := false
	half := 0.5
	tests := []struct {
		name string
		in   contract.SearchInput
		want contract.Context
	}{
		{"bare", contract.SearchInput{Query: []string{" ", "wick trimming", "wicks"}, DocSets: "lantern:1", DomainNouns: []string{"wick"},
			RerankerThreshold: .5, Scene: contract.SceneTutorial, Reranker: &off},
			contract.Context{Question: "wick trimming", Queries: []string{"wick trimming", "wicks"}, DocSets: []string{"Lantern@1"}, DocSetsExplicit: true,
				DomainNouns: []string{"wick"}, RerankerThreshold: &half, RerankerEnabled: &off, Scene: contract.SceneTutorial}},
		{"a context is kept", contract.SearchInput{Query: []string{"wick"}, Context: &contract.Context{Question: "which wick?", Language: "en", Intent: contract.IntentGeneral,
			Confidence: .4, RerankerThreshold: &half, Scene: contract.SceneFactLookup}},
			contract.Context{Question: "which wick?", Queries: []string{"wick"}, Language: "en", Intent: contract.IntentGeneral, Confidence: .4,
				RerankerThreshold: &half, Scene: contract.SceneFactLookup}},
		{"spec 1's fields win", contract.SearchInput{Query: []string{"wick"}, Reranker: &off, RerankerThreshold: .5, Context: &contract.Context{Question: "which wick?"}},
			contract.Context{Question: "which wick?", Queries: []string{"wick"}, RerankerEnabled: &off, RerankerThreshold: &half}},
	}
	for _, tt := range tests {
		out := find(t, h, tt.in)
		got, _ := json.Marshal(out.Context)
		want, _ := json.Marshal(tt.want)
		if string(got) != string(want) {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	h := levels(t)
	empty := corpustest.New(t)
	for _, tt := range []struct {
		name string
		h    *corpustest.Home
		in   contract.SearchInput
		code string
	}{
		{"no query", h, contract.SearchInput{}, contract.CodeQueryEmpty},
		{"blank queries", h, contract.SearchInput{Query: []string{"", " \n"}, DomainNouns: []string{"wick"}}, contract.CodeQueryEmpty},
		{"an unknown doc set", h, contract.SearchInput{Query: []string{"wick"}, DocSets: "Lantern@1,Nobody@3"}, contract.CodeInvalidRequest},
		{"a bad scene", h, contract.SearchInput{Query: []string{"wick"}, Scene: "general"}, contract.CodeInvalidRequest},
		{"a bad threshold", h, contract.SearchInput{Query: []string{"wick"}, RerankerThreshold: math.NaN()}, contract.CodeInvalidRequest},
		{"no doc sets", empty, contract.SearchInput{Query: []string{"wick"}}, contract.CodeCollectionUnavailable},
	} {
		_, _, err := searcher(tt.h).Search(ctx, tt.in, contract.SearchOptions{})
		if err == nil || contracttest.ErrorOf(err).Code != tt.code {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := searcher(h).Search(cancelled, contract.SearchInput{Query: []string{"wick"}}, contract.SearchOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search gives %v", err)
	}
}

// The current files count: missing pages are not served, changed pages are marked and
// answered from the file.
func TestDiskCounts(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{
		"gone.md": "# Wick one\n\nold words\n", "link.md": "# Wick two\n\nold words\n",
		"changed.md": "# Wick three\n\nold words\n\n## Trim\n\nTrim the old wick.\n\n## Lost wick\n\nwill go\n", "same.md": "# Wick four\n\nold words\n",
	})
	h.Delete(set, "gone.md")
	h.Delete(set, "link.md")
	if err := os.Symlink("/etc/passwd", filepath.Join(set.Root, "link.md")); err != nil {
		t.Fatal(err)
	}
	h.Write(set, map[string]string{"changed.md": "# Wick reborn\n\n> **Source**: https://lantern.example/3\n\nA new line.\n\n## Trim\n\nTrim the brand new wick.\n"})
	out := find(t, h, contract.SearchInput{Query: []string{"wick"}})
	got := map[string]contract.Result{}
	for _, r := range out.Results {
		got[r.FilePath] = r
	}
	if len(got) != 2 || got["same.md"].Changed {
		t.Fatalf("found %s", paths(out))
	}
	r := got["changed.md"]
	if !r.Changed || r.PageTitle != "Wick reborn" || r.URL != "https://lantern.example/3" {
		t.Errorf("the changed page is %+v", r)
	}
	for _, head := range r.Headings {
		if strings.Contains(head.Text, "Lost") || strings.Contains(head.Snippet, "old") {
			t.Errorf("served from the past: %+v", head)
		}
		if head.Text == "## Trim" && (head.Lines[0] != 7 || !strings.Contains(head.Snippet, "brand new")) {
			t.Errorf("the heading that moved is %+v", head)
		}
	}
	if notes := strings.Join(out.SearchStats.Notes, "\n"); !strings.Contains(notes, "gone: 2 of the pages") {
		t.Errorf("notes are %q", notes)
	}
}

func TestUnreadableFilesAreSaid(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"a.md": "# Wick\n", "b.md": "# Wick\n"})
	if err := os.Chmod(filepath.Join(set.Root, "a.md"), 0); err != nil {
		t.Fatal(err)
	}
	out := find(t, h, contract.SearchInput{Query: []string{"wick"}})
	if paths(out) != "Lantern@1/b.md" || !strings.Contains(strings.Join(out.SearchStats.Notes, ""), "cannot be read: 1") {
		t.Errorf("found %s, notes %q", paths(out), out.SearchStats.Notes)
	}
}

// Equal scores are ordered by documentPath, then chunkIndex, whatever the order
// in which they were indexed.
func TestTies(t *testing.T) {
	t.Parallel()
	page := "# Wick\n\ntrim\n"
	var want string
	for i, order := range [][]string{{"a.md", "b/a.md", "b.md", "z.md"}, {"z.md", "b.md", "b/a.md", "a.md"}} {
		h := corpustest.New(t)
		set := h.Add("Lantern@1", map[string]string{order[0]: page})
		h.Add("Beacon@1", map[string]string{"y.md": page})
		for _, p := range order[1:] {
			h.Write(set, map[string]string{p: page})
			h.Update(set, false)
		}
		got := paths(find(t, h, contract.SearchInput{Query: []string{"wick"}}))
		if i == 0 {
			want = "Beacon@1/y.md Lantern@1/a.md Lantern@1/b.md Lantern@1/b/a.md Lantern@1/z.md"
		}
		if got != want {
			t.Errorf("order %v gives %s", order, got)
		}
	}
}

// A score is no oracle: what explain says adds up to it.
func TestExplainAddsUp(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Lantern@1", corpustest.MakePages(60))
	h.Add("Harbour@1", map[string]string{"wick.md": "# The wick and the lantern\n\nlantern wick `--lantern-wick` lantern\n"})
	for _, in := range []contract.SearchInput{
		{Query: []string{"how do I set the lantern wick", "lantern wick settings", "--lantern-wick"}, DomainNouns: []string{"lantern", "wick"}},
		{Query: []string{"set lantern wick", "如何设置灯芯"}, Context: &contract.Context{Question: "如何设置灯芯", Translations: translations()}},
	} {
		explained(t, h, in)
	}
	pages := corpustest.MakePages(60)
	pages["order.md"] = "# Orders\n\nThe lantern wick (LW) is set.\n\n## More\n\nA lantern wick (LW).\n\n## Names\n\nBM (burner mantle) and burner mantle (BM), LW too.\n\n## Again\n\nThe burner mantle (BM) is new.\n"
	h = corpustest.New(t)
	h.Add("Lantern@1", pages)
	explained(t, h, contract.SearchInput{Query: []string{"set the lantern wick with a BM", "lantern BM settings"}})
}

// translations are those of 设置 and 灯芯, a word of two meanings.
func translations() []contract.Translation {
	return []contract.Translation{
		{Word: "设置", Terms: []contract.Rendering{{Text: "set", Weight: 1}, {Text: "settings", Weight: .7}}},
		{Word: "灯芯", Terms: []contract.Rendering{{Text: "lantern wick", Weight: 1}, {Text: "wick", Weight: .8}, {Text: "rush", Weight: .3}}},
	}
}

func explained(t *testing.T, h *corpustest.Home, in contract.SearchInput) {
	t.Helper()
	out, _, err := searcher(h).Search(ctx, in, contract.SearchOptions{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	check(t, out)
	n := 0
	for _, r := range out.Results {
		for _, head := range r.Headings {
			sum := 0.0
			for _, p := range head.Explain.Parts {
				if !(p.Value > 0) || p.Field == "" || p.Term == "" || p.Query == "" || !(p.Weight > 0) {
					t.Errorf("a part is %+v", p)
				}
				sum += p.Value
			}
			if n++; math.Abs(sum-head.Score) > 1e-9*head.Score || head.Explain.Score != head.Score {
				t.Errorf("%s %s: the parts add up to %v, the score is %v", r.FilePath, head.Text, sum, head.Score)
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d headings were looked at", n)
	}
	plain, _, err := searcher(h).Search(ctx, in, contract.SearchOptions{})
	for i := range out.Results {
		for j := range out.Results[i].Headings {
			out.Results[i].Headings[j].Explain = nil
		}
	}
	if a, b := marshal(t, plain), marshal(t, out); err != nil || a != b {
		t.Errorf("explaining changes the answer (%v)", err)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Lantern@1", corpustest.MakePages(120))
	in := contract.SearchInput{Query: []string{"lantern"}}
	all := find(t, h, in)
	if all.TotalHits <= 120 || all.SearchStats.TotalDocsSearched != 120 {
		t.Errorf("%d hits of %d pages", all.TotalHits, all.SearchStats.TotalDocsSearched)
	}
	for _, n := range []int{1, 3, 1000} {
		out, _, err := searcher(h).Search(ctx, in, contract.SearchOptions{Limit: n})
		if err != nil || len(out.Results) != min(n, len(all.Results)) || out.Results[0].FilePath != all.Results[0].FilePath {
			t.Errorf("limit %d: %d results, %v", n, len(out.Results), err)
		}
	}
	more := searcher(h)
	more.Headings = 80
	out, _, err := more.Search(ctx, in, contract.SearchOptions{})
	headings := 0
	for _, r := range out.Results {
		headings += len(r.Headings)
	}
	if err != nil || headings != 80 || out.TotalHits != all.TotalHits {
		t.Errorf("80 headings: %d of %d, %v", headings, out.TotalHits, err)
	}
}

// Passages are counted that have a word of the first query or of its renderings, each
// once, whatever the other queries have.
func TestTotalHits(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Quay@1", map[string]string{
		"a.md": "# Quay\n\nthe crane\n\n## Mooring\n\na rope and a crane\n\n## Tides\n\nebb\n",
		"b.md": "# Boats\n\na hull\n",
	})
	h.Add("Yard@1", map[string]string{"c.md": "# Yard\n\na rope\n"})
	translated := &contract.Context{Question: "grue", Translations: []contract.Translation{
		{Word: "grue", Terms: []contract.Rendering{{Text: "crane", Weight: 1}}}}}
	for _, tt := range []struct {
		in   contract.SearchInput
		want int
	}{
		{contract.SearchInput{Query: []string{"crane"}}, 2},
		{contract.SearchInput{Query: []string{"crane rope"}}, 3},
		{contract.SearchInput{Query: []string{"crane", "rope hull"}}, 2},
		{contract.SearchInput{Query: []string{"crane rope"}, DocSets: "Quay@1"}, 2},
		{contract.SearchInput{Query: []string{"quay"}}, 3}, // the title is a field of every passage
		{contract.SearchInput{Query: []string{"grue"}, Context: translated}, 2},
	} {
		one := searcher(h)
		one.Headings = 1 // the count is of the index, not of the headings
		out, _, err := one.Search(t.Context(), tt.in, contract.SearchOptions{})
		if err != nil || out.TotalHits != tt.want || len(out.Results) != 1 {
			t.Errorf("%q in %q: %d hits, %d pages, %v; want %d hits", tt.in.Query, tt.in.DocSets, out.TotalHits, len(out.Results), err, tt.want)
		}
	}
}

func TestCoverageAndEmptyQuestions(t *testing.T) {
	t.Parallel()
	h := levels(t)
	out := find(t, h, contract.SearchInput{Query: []string{"trimming the wick of a dirigible"}})
	if c := out.SearchStats.Coverage; !slices.Equal(c.Covered, []string{"trimming", "wick"}) || !slices.Equal(c.Missing, []string{"dirigible"}) ||
		!strings.Contains(c.Note, "dirigible") {
		t.Errorf("coverage is %+v", c)
	}
	// The answer to "how often" is an amount, and has not the word.
	out = find(t, h, contract.SearchInput{Query: []string{"how often is trimming the wick"}})
	if c := out.SearchStats.Coverage; len(c.Missing) > 0 || slices.Contains(c.Terms, "often") {
		t.Errorf("coverage is %+v", c)
	}
	// Expansions alone ("guide", "overview") answer nothing.
	out = find(t, h, contract.SearchInput{Query: []string{"dirigible", "dirigible guide", "dirigible overview"}})
	if len(out.Results) > 0 {
		t.Errorf("found %s", paths(out))
	}
	out = find(t, h, contract.SearchInput{Query: []string{"how is the of"}})
	if len(out.Results) > 0 || !strings.Contains(strings.Join(out.SearchStats.Notes, ""), "stand everywhere") {
		t.Errorf("stop words: %s, %q", paths(out), out.SearchStats.Notes)
	}
	out = find(t, h, contract.SearchInput{Query: []string{"???"}})
	if notes := strings.Join(out.SearchStats.Notes, ""); len(out.Results) > 0 || !strings.Contains(notes, "only signs") ||
		strings.Contains(notes, "stand everywhere") {
		t.Errorf("signs: %s, %q", paths(out), notes)
	}
}

// A name may hold what a terminal or a line-based format would trip over. It is
// data, found like any other page and given back as it is.
func TestOddNames(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	name := "two\nlines \x1b[31m\u202e.md"
	h.Add("Lantern@1", map[string]string{name: "wick without a heading \x1b]52;c;AA\x07\u009b31m end\n"})
	out := find(t, h, contract.SearchInput{Query: []string{"wick"}})
	if len(out.Results) != 1 || out.Results[0].FilePath != name {
		t.Fatalf("found %q", paths(out))
	}
	if s := out.Results[0].Headings[0].Snippet; strings.ContainsAny(s, "\x1b\x07\n\u009b") {
		t.Errorf("the snippet is %q", s)
	}
}

func marshal(t *testing.T, out contract.SearchOutput) string {
	t.Helper()
	out.SearchStats.QueryTimeMS = 0
	raw, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// The same pages give the same bytes, whatever the number of workers and the
// updates that led to them.
func TestSameBytesWhateverTheHistory(t *testing.T) {
	t.Parallel()
	pages := corpustest.MakePages(80)
	names := make([]string, 0, len(pages))
	for p := range pages {
		names = append(names, p)
	}
	slices.Sort(names)
	part := func(keep func(i int) bool) map[string]string {
		out := map[string]string{}
		for i, p := range names {
			if keep(i) {
				out[p] = pages[p]
			}
		}
		return out
	}
	histories := map[string]func(*corpustest.Home) store.Set{
		"one worker": func(h *corpustest.Home) store.Set {
			h.Workers = 1
			return h.Add("Lantern@1", pages)
		},
		"eight workers": func(h *corpustest.Home) store.Set {
			h.Workers = 8
			return h.Add("Lantern@1", pages)
		},
		"backwards in pieces": func(h *corpustest.Home) store.Set {
			set := h.Add("Lantern@1", part(func(i int) bool { return i >= 50 }))
			for _, from := range []int{30, 10, 0} {
				h.Write(set, part(func(i int) bool { return i >= from }))
				h.Update(set, false)
			}
			return set
		},
		"changed, deleted, brought back": func(h *corpustest.Home) store.Set {
			set := h.Add("Lantern@1", pages)
			for i, p := range names {
				switch i % 4 {
				case 0:
					h.Write(set, map[string]string{p: "# Lantern wick\n\nsomething else\n"})
				case 1:
					h.Delete(set, p)
				}
			}
			h.Write(set, map[string]string{"more.md": "# Lantern lantern lantern\n"})
			h.Update(set, false)
			h.Delete(set, "more.md")
			h.Write(set, pages)
			h.Update(set, false)
			return set
		},
		"rebuilt": func(h *corpustest.Home) store.Set {
			set := h.Add("Lantern@1", part(func(i int) bool { return i%2 == 0 }))
			h.Write(set, pages)
			h.Update(set, true)
			return set
		},
	}
	inputs := []contract.SearchInput{
		{Query: []string{"lantern wick"}},
		{Query: []string{"how do I configure the burner", "burner configuration", "burner settings"}, DomainNouns: []string{"burner"}},
		{Query: []string{"--lantern-wick"}},
		{Query: []string{"quota retry backoff limit"}},
		{Query: []string{"set lantern wick", "如何设置灯芯"}, Context: &contract.Context{Question: "如何设置灯芯", Translations: translations()}},
		{Query: []string{"the lanetrn burnr"}},
	}
	var mu sync.Mutex
	first := map[int]string{}
	for name, build := range histories {
		t.Run(name, func(t *testing.T) {
			h := corpustest.New(t)
			// The vectors depend on history until they are settled.
			if err := h.Ingester().Settle(ctx, build(h), nil); err != nil {
				t.Fatal(err)
			}
			for i, in := range inputs {
				out, _, err := searcher(h).Search(ctx, in, contract.SearchOptions{Explain: true})
				if err != nil {
					t.Fatal(err)
				}
				check(t, out)
				if len(out.Results) == 0 {
					t.Errorf("nothing was found for %q", in.Query)
				}
				got := marshal(t, out)
				mu.Lock()
				if first[i] == "" {
					first[i] = got
				}
				if got != first[i] {
					t.Errorf("%q has other bytes than another history gave", in.Query)
				}
				mu.Unlock()
			}
		})
	}
}

// Somebody updates while somebody searches: every answer is of one state or the
// other, none is an error.
func TestSearchDuringUpdates(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", corpustest.MakePages(30))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				out, _, err := searcher(h).Search(ctx, contract.SearchInput{Query: []string{"lantern zeppelin"}}, contract.SearchOptions{})
				if err != nil || len(out.Results) == 0 {
					t.Errorf("search %d: %d results, %v", n, len(out.Results), err)
					return
				}
			}
		})
	}
	for i := range 6 {
		h.Write(set, map[string]string{"new.md": fmt.Sprintf("# Zeppelin %d\n\n%s\n", i, strings.Repeat("text ", i*10))})
		h.Update(set, false)
	}
	close(stop)
	wg.Wait()
	out := find(t, h, contract.SearchInput{Query: []string{"zeppelin"}})
	if !strings.HasPrefix(paths(out), "Lantern@1/new.md") || out.Results[0].PageTitle != "Zeppelin 5" {
		t.Errorf("in the end: %s", paths(out))
	}
}

func BenchmarkSearch(b *testing.B) {
	h := corpustest.New(b)
	h.Add("Bench@1", corpustest.MakePages(2000))
	s := searcher(h)
	in := contract.SearchInput{Query: []string{"how do I configure the burner", "burner configuration", "burner settings"}, DomainNouns: []string{"burner"}}
	for b.Loop() {
		if _, _, err := s.Search(ctx, in, contract.SearchOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// A question that is a heading word for word finds it, though all its words are
// such as stand everywhere, and finds it first among those that share them.
func TestWholeHeading(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Lantern@1", map[string]string{
		"why.md":  "# Wicks\n\nA wick burns.\n\n## What is it, and why?\n\nWithout one there is no flame.\n",
		"burn.md": "# Burning\n\nWhen is the wick burning, when is it not?\n\n## The burning wick\n\nThe wick is burning, burning.\n",
		"is.md":   "# Checks\n\n## Is the wick burning?\n\nLook.\n",
		"get.md":  "# Getting started\n\nGetting started is easy.\n",
	})
	for question, want := range map[string]string{
		"What is it and why?":   "why.md What is it, and why?",
		"is the *wick* burning": "is.md Is the wick burning?",
	} {
		in := contract.SearchInput{Query: []string{"getting started"}, Context: &contract.Context{Question: question}}
		if strings.Contains(question, "wick") {
			in.Query[0] = question
		}
		out, _, err := searcher(h).Search(ctx, in, contract.SearchOptions{Explain: true})
		if err != nil || len(out.Results) == 0 {
			t.Fatalf("%s: %v, %+v", question, err, out)
		}
		best := out.Results[0].Headings[0]
		if got := out.Results[0].FilePath + " " + strings.TrimLeft(best.Text, "# "); got != want {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
		if strings.HasPrefix(question, "What") && (len(out.Results) != 1 || len(out.Results[0].Headings) != 1) {
			t.Errorf("%s: %d pages are found, the first with %d headings", question, len(out.Results), len(out.Results[0].Headings))
		}
		if !slices.ContainsFunc(best.Explain.Parts, func(p contract.ExplainPart) bool { return p.Field == "name" }) {
			t.Errorf("%s: its name says nothing: %+v", question, best.Explain.Parts)
		}
	}
	out, _, err := searcher(h).Search(ctx, contract.SearchInput{Query: []string{"getting started"}, Context: &contract.Context{Question: "why not all of it then"}}, contract.SearchOptions{})
	if err != nil || len(out.Results) > 0 {
		t.Errorf("a question of small words alone that is no heading finds %+v, %v", out.Results, err)
	}
}

// Vectors of one doc set that may not be read once ended every question over all of them.
// The doc set is searched by its words, and the answer says so, in notes and as data.
func TestUnreadableVectorsEndNoSearch(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"a.md": "# Wick\n\nTrim it.\n"})
	h.Reopen()
	files, err := filepath.Glob(h.IndexDir(set.ID) + ".vectors/*/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if err := os.Chmod(f, 0); err != nil {
			t.Fatal(err)
		}
	}
	b := &search.Builtin{Corpus: h.Corpus, Params: bm25f.Defaults()}
	out, trace, err := b.Search(t.Context(), contract.SearchInput{Query: []string{"wick"}}, contract.SearchOptions{})
	if err != nil || paths(out) != "Lantern@1/a.md" {
		t.Fatalf("%+v, %v", out, err)
	}
	if notes := strings.Join(out.SearchStats.Notes, ""); !strings.Contains(notes, "may not be read") || len(trace.Degraded) != 1 {
		t.Errorf("%q, %+v", notes, trace)
	}
}
