package rerank

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docent/pipeline/contract"
	"docent/pipeline/contract/contracttest"
)

// texts are the passages of a test, by document and first line; terms are all
// equally rare.
type texts struct {
	passages map[string]string
	lines    map[string]int   // of headings that are looked up, by document and heading
	fail     error            // of everything
	broken   map[string]error // of one page
}

func (x texts) Passages(_ context.Context, docSet, path string, lines [][2]int) ([]string, error) {
	if err := cmpErr(x.fail, x.broken[path]); err != nil {
		return nil, err
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = x.passages[fmt.Sprintf("%s/%s:%d", docSet, path, l[0])]
	}
	return out, nil
}

func (x texts) Headings(_ context.Context, docSet, path string, headings []string) ([][2]int, error) {
	if err := cmpErr(x.fail, x.broken[path]); err != nil {
		return nil, err
	}
	out := make([][2]int, len(headings))
	for i, h := range headings {
		if n, ok := x.lines[docSet+"/"+path+" "+h]; ok {
			out[i] = [2]int{n, n}
		}
	}
	return out, nil
}

func cmpErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (x texts) IDF(_ context.Context, _, terms []string) ([]float64, error) {
	out := make([]float64, len(terms))
	for i := range out {
		out[i] = 2
	}
	return out, nil
}

func ptr[T any](v T) *T { return &v }

func page(path, title string, headings ...contract.Heading) contract.Result {
	return contract.Result{DocSet: "A@1", FilePath: path, PageTitle: title, Headings: headings}
}

func head(text string, score float64, index int) contract.Heading {
	return contract.Heading{Level: 2, Text: "## " + text, Score: score, Path: []string{text}, ChunkIndex: index, Lines: [2]int{index + 1, index + 1},
		Signals: contract.Signals{Lexical: score}}
}

func input(question string, results ...contract.Result) contract.RerankInput {
	return contract.RerankInput{Results: results, Context: &contract.Context{Question: question}}
}

func TestTheAnswerComesFirst(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{"A@1/b.md:1": "Trim the wick level.", "A@1/a.md:1": "A wick is a wick is a wick."}}
	in := input("how do I trim the wick", page("a.md", "About wicks", head("History", 9, 0)), page("b.md", "Care", head("Trim the wick", 8, 0)),
		page("c.md", "Anchors", head("Ropes", 1, 0)))
	saved, _ := json.Marshal(in)
	out, tr, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
	if err != nil || len(tr.Degraded) > 0 {
		t.Fatal(err, tr)
	}
	if out.Results[0].FilePath != "b.md" || out.RerankedCount != 3 || out.State != contract.StateReranked || out.FallbackApplied || !out.Success {
		t.Errorf("out is %+v", out)
	}
	for _, r := range kept(out.Results) {
		for _, h := range r.Headings {
			if h.RerankSim == nil || *h.RerankSim < contract.DefaultThreshold || *h.RerankSim > 1 {
				t.Errorf("%s kept with %v", r.FilePath, h.RerankSim)
			}
		}
	}
	if out.Dropped == 0 || out.RerankStats.Threshold != contract.DefaultThreshold {
		t.Errorf("dropped %d at %v", out.Dropped, out.RerankStats.Threshold)
	}
	if now, _ := json.Marshal(in); string(now) != string(saved) {
		t.Error("the input was changed")
	}
	// A second rerank changes nothing.
	again, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), contract.RerankInput{Results: out.Results, Context: out.Context}, contract.DefaultRerankPolicy())
	if err != nil || !reflect.DeepEqual(again.Results, out.Results) || again.State != contract.StateReranked || again.RerankedCount != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
}

// Times have three digits, and none of the floating point's.
func TestTimeHasMicroseconds(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	b := &Builtin{Texts: texts{}, Now: func() time.Time {
		now = now.Add(23504999 * time.Nanosecond)
		return now
	}}
	out, _, err := b.Rerank(context.Background(), input("trim", page("a.md", "Wicks", head("Trim", 1, 0))), contract.DefaultRerankPolicy())
	if err != nil || out.RerankStats.RerankTimeMS != 23.504 {
		t.Errorf("%v ms, %v", out.RerankStats.RerankTimeMS, err)
	}
}

// Where the doc sets that a question implies answer it, pages of others that were searched
// too are left out; where only others answer, all stay.
func TestOtherDocSetsYield(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{"A@1/a.md:1": "Trim the wick level.", "B@1/b.md:1": "Trim the wick level, with scissors."}}
	other := page("b.md", "Trim the wick", head("Trim the wick", 8, 0))
	other.DocSet = "B@1"
	for _, tt := range []struct {
		name     string
		own      contract.Result
		sets     []string
		explicit bool
		want     string
	}{
		{"its own page leads", page("a.md", "Trim the wick", head("Trim the wick", 9, 0)), []string{"A@1"}, false, "A@1"},
		{"another one answers", page("a.md", "Anchors", head("Ropes", 1, 0)), []string{"A@1"}, false, "B@1"},
		{"another one leads, and its own answers", page("a.md", "Ropes", head("Trim the wick", 2, 0)), []string{"A@1"}, false, "A@1"},
		{"both are implied", page("a.md", "Trim the wick", head("Trim the wick", 9, 0)), []string{"A@1", "B@1"}, false, "A@1 B@1"},
		{"none is implied", page("a.md", "Trim the wick", head("Trim the wick", 9, 0)), nil, false, "A@1 B@1"},
		{"it is named", page("a.md", "Trim the wick", head("Trim the wick", 9, 0)), []string{"A@1"}, true, "A@1 B@1"},
	} {
		in := input("trim the wick", tt.own, other)
		in.Context.DocSets, in.Context.DocSetsExplicit = tt.sets, tt.explicit
		out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range kept(out.Results) {
			got = append(got, r.DocSet)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: kept are %q, want %s", tt.name, got, tt.want)
		}
		if left := len(out.Results) == 1; left != (out.SearchStats != nil && strings.Contains(strings.Join(out.SearchStats.Notes, ""), "A@1 answers")) {
			t.Errorf("%s: the notes of %d pages are %+v", tt.name, len(out.Results), out.SearchStats)
		}
	}
}

// Doc sets that answer alike are named, for a person means one of them.
func TestCompetingDocSets(t *testing.T) {
	t.Parallel()
	at := func(set string, sim float64, mark func(*contract.Result)) contract.Result {
		r := page("a.md", "Wicks", contract.Heading{Text: "## Trim", RerankSim: ptr(sim)})
		r.DocSet = set
		if mark != nil {
			mark(&r)
		}
		return r
	}
	for _, tt := range []struct {
		name    string
		results []contract.Result
		context *contract.Context
		want    string
	}{
		{"alike", []contract.Result{at("A@1", .9, nil), at("A@1", .89, nil), at("B@1", .88, nil), at("C@1", .7, nil)}, nil, "A@1 B@1"},
		{"one leads", []contract.Result{at("A@1", .9, nil), at("B@1", .8, nil)}, nil, ""},
		{"many", []contract.Result{at("A@1", .9, nil), at("B@1", .9, nil), at("C@1", .9, nil), at("D@1", .9, nil), at("E@1", .9, nil)}, nil, "A@1 B@1 C@1 D@1"},
		{"named", []contract.Result{at("A@1", .9, nil), at("B@1", .9, nil)}, &contract.Context{DocSetsExplicit: true}, ""},
		{"sides", []contract.Result{at("A@1", .9, func(r *contract.Result) { r.Side = true }), at("B@1", .9, nil)}, nil, ""},
		{"below", []contract.Result{at("A@1", .5, func(r *contract.Result) { r.BelowThreshold = true }),
			at("B@1", .5, func(r *contract.Result) { r.BelowThreshold = true })}, nil, ""},
		{"nothing", nil, nil, ""},
	} {
		if got := strings.Join(competing(tt.results, tt.context), " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Spec 2's states, with README's hybrid_selected → rejected.
func TestStates(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	gone := contract.Invalid("doc_sets", "there is no doc set A@1")
	results := []contract.Result{page("a.md", "Wick", head("Wick", 3, 0))}
	reranked := []contract.Result{page("a.md", "Wick", contract.Heading{Text: "## Wick", RerankSim: ptr(.9)})}
	policy := contract.DefaultRerankPolicy()
	with := func(alter func(*contract.RerankPolicy)) contract.RerankPolicy {
		p := policy
		alter(&p)
		return p
	}
	strict := with(func(p *contract.RerankPolicy) { p.FallbackMode = contract.FallbackError })
	ask := &contract.Context{Question: "wick"}
	tests := []struct {
		name     string
		in       contract.RerankInput
		policy   contract.RerankPolicy
		fail     error
		state    string
		fallback bool
		code     string
	}{
		{"reranked", contract.RerankInput{Results: results, Context: ask}, policy, nil, contract.StateReranked, false, ""},
		{"nothing found", contract.RerankInput{Context: ask}, policy, nil, contract.StateReranked, false, ""},
		{"nothing left to rerank, no question needed", contract.RerankInput{Results: reranked, NeedsRerank: ptr(false)}, policy, nil, contract.StateReranked, false, ""},
		{"the queries do for a question", contract.RerankInput{Results: results, Context: &contract.Context{Queries: []string{"wick"}}}, policy, nil, contract.StateReranked, false, ""},
		{"no question", contract.RerankInput{Results: results, NeedsRerank: ptr(true)}, policy, nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"a blank question", contract.RerankInput{Results: results, Context: &contract.Context{Question: " ", Queries: []string{""}}}, policy, nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"switched off by policy", contract.RerankInput{Results: results}, with(func(p *contract.RerankPolicy) { p.Enabled = false }), nil, contract.StateFallback, true, ""},
		{"switched off by the question", contract.RerankInput{Results: results, Context: &contract.Context{RerankerEnabled: ptr(false)}}, policy, nil, contract.StateFallback, true, ""},
		{"not needed", contract.RerankInput{Results: results, NeedsRerank: ptr(false)}, policy, nil, contract.StateFallback, true, ""},
		{"on by the question, off by policy", contract.RerankInput{Results: results, Context: &contract.Context{Question: "wick", RerankerEnabled: ptr(true)}},
			with(func(p *contract.RerankPolicy) { p.Enabled = false }), nil, contract.StateFallback, true, ""},
		{"unavailable, falls back", contract.RerankInput{Results: results, Context: ask}, policy, broken, contract.StateFallback, true, ""},
		{"unavailable, strict", contract.RerankInput{Results: results, Context: ask}, strict, broken, contract.StateRejected, false, contract.CodeRerankingUnavailable},
		{"its doc set was forgotten", contract.RerankInput{Results: results, Context: ask}, policy, gone, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"a bad threshold", contract.RerankInput{Results: results, Context: &contract.Context{Question: "x", RerankerThreshold: ptr(1.1)}}, policy, nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"a threshold that is none", contract.RerankInput{Results: results, Context: &contract.Context{Question: "x", RerankerThreshold: ptr(math.NaN())}}, policy, nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"another scope", contract.RerankInput{}, with(func(p *contract.RerankPolicy) { p.Scope = "all" }), nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"no candidates allowed", contract.RerankInput{}, with(func(p *contract.RerankPolicy) { p.CandidateLimit = 0 }), nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"another fallback", contract.RerankInput{}, with(func(p *contract.RerankPolicy) { p.FallbackMode = "none" }), nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"another tie-break", contract.RerankInput{}, with(func(p *contract.RerankPolicy) { p.TieBreakRule = "" }), nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"a sim of 0", input("x", page("a.md", "A", contract.Heading{RerankSim: ptr(0.)})), policy, nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"a sim over 1", input("x", page("a.md", "A", contract.Heading{RerankSim: ptr(1.01)})), policy, nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"a negative score", input("x", page("a.md", "A", contract.Heading{Score: -1})), policy, nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"an endless score", input("x", page("a.md", "A", contract.Heading{Score: math.Inf(1)})), policy, nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"a negative chunk", input("x", page("a.md", "A", contract.Heading{ChunkIndex: -1})), policy, nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"no path", input("x", page("", "A")), policy, nil, contract.StateRejected, false, contract.CodeInvalidRequest},
		{"no doc set", input("x", contract.Result{FilePath: "a"}), policy, nil, contract.StateRejected, false, contract.CodeInvalidRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, tr, err := (&Builtin{Texts: texts{fail: tt.fail}}).Rerank(context.Background(), tt.in, tt.policy)
			if out.State != tt.state || out.FallbackApplied != tt.fallback || out.Success != (tt.code == "") {
				t.Errorf("state %q, fallback %v, success %v", out.State, out.FallbackApplied, out.Success)
			}
			if (err == nil) != (tt.code == "") || err != nil && contracttest.ErrorOf(err).Code != tt.code {
				t.Errorf("error is %v", err)
			}
			if said := len(tr.Degraded) > 0; said != (tt.fail == broken && tt.fallback) {
				t.Errorf("degraded: %+v", tr.Degraded)
			}
			if tt.fallback && !reflect.DeepEqual(out.Results, tt.in.Results) {
				t.Errorf("the fallback is %+v", out.Results)
			}
		})
	}
}

// Where no page can be read, the first one is named, and the others are counted.
func TestNoPageCanBeRead(t *testing.T) {
	t.Parallel()
	x := texts{fail: errors.New("the doc set has no such page")}
	out, tr, err := (&Builtin{Texts: x}).Rerank(context.Background(), input("wick", page("a.md", "A", head("A", 3, 0)),
		page("b.md", "B", head("B", 2, 0)), page("c.md", "C", head("C", 1, 0))), contract.DefaultRerankPolicy())
	if err != nil || !out.FallbackApplied || len(tr.Degraded) != 1 ||
		tr.Degraded[0].Reason != "a.md of A@1: a candidate's text cannot be read: the doc set has no such page (and 2 other pages)" {
		t.Errorf("%+v, %+v, %v", out, tr, err)
	}
}

// One page that cannot be read is no total failure: the others are reranked.
func TestOneUnreadablePage(t *testing.T) {
	t.Parallel()
	x := texts{broken: map[string]error{"b.md": errors.New("permission denied")}}
	strict := contract.DefaultRerankPolicy()
	strict.FallbackMode = contract.FallbackError
	out, tr, err := (&Builtin{Texts: x}).Rerank(context.Background(),
		input("trim wick", page("a.md", "Trim the wick", head("Trim the wick", 3, 0)), page("b.md", "Trim the wick", head("Trim the wick", 3, 0))), strict)
	if err != nil || out.State != contract.StateReranked || out.RerankedCount != 2 || len(tr.Degraded) != 1 || !strings.Contains(tr.Degraded[0].Reason, "b.md") {
		t.Errorf("%+v, %+v, %v", out, tr, err)
	}
}

func TestCancelledRerank(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := (&Builtin{Texts: texts{fail: context.Canceled}}).Rerank(ctx, input("x", page("a.md", "A", head("A", 1, 0))), contract.DefaultRerankPolicy())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// results draws pages with headings, reranked and not, with many ties.
func drawResults(t *rapid.T) []contract.Result {
	var out []contract.Result
	for i := range rapid.IntRange(0, 8).Draw(t, "pages") {
		r := contract.Result{DocSet: rapid.SampledFrom([]string{"A@1", "B@1"}).Draw(t, "set"), FilePath: fmt.Sprintf("%d.md", i), PageTitle: "P"}
		for j := range rapid.IntRange(0, 4).Draw(t, "headings") {
			h := contract.Heading{Text: fmt.Sprint("## ", j), Score: float64(rapid.IntRange(0, 3).Draw(t, "score")), ChunkIndex: rapid.IntRange(0, 2).Draw(t, "chunk")}
			if rapid.Bool().Draw(t, "reranked") {
				h.RerankSim = ptr(float64(rapid.IntRange(1, 4).Draw(t, "sim")) / 4)
			}
			r.Headings = append(r.Headings, h)
		}
		out = append(out, r)
	}
	return out
}

// Order is a total order: the order of the input never shows.
func TestOrderIsTotal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := drawResults(t)
		b := cloneResults(rapid.Permutation(a).Draw(t, "order"))
		for i := range b {
			b[i].Headings = rapid.Permutation(b[i].Headings).Draw(t, "headings in order")
		}
		a = cloneResults(a)
		orderResults(a)
		orderResults(b)
		if x, y := dump(a), dump(b); x != y {
			t.Fatalf("two orders:\n%s\n%s", x, y)
		}
		orderResults(b)
		if dump(a) != dump(b) {
			t.Fatalf("ordering twice differs")
		}
	})
}

func dump(r []contract.Result) string {
	for i := range r {
		if len(r[i].Headings) == 0 {
			r[i].Headings = nil
		}
	}
	raw, _ := json.Marshal(r)
	return string(raw)
}

// kept are the results that are not listed only.
func kept(results []contract.Result) []contract.Result {
	return slices.DeleteFunc(slices.Clone(results), func(r contract.Result) bool { return r.Listed })
}

// cut keeps what reaches the threshold and nothing else, and never empties an
// answer in which something was found.
func TestCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := drawResults(t)
		orderResults(in)
		threshold := float64(rapid.IntRange(0, 5).Draw(t, "threshold")) / 4
		list, dropped, below := cutBelow(in, threshold, false)
		kept := kept(list)
		if pages := len(slices.DeleteFunc(slices.Clone(in), func(r contract.Result) bool { return len(r.Headings) == 0 })); len(list) < min(pages, listedPages) {
			t.Fatalf("%d of %d pages are listed", len(list), pages)
		}
		for _, r := range list[len(kept):] {
			if !r.Listed || !r.BelowThreshold || len(r.Headings) == 0 || similarityOf(r.Headings[0]) >= threshold {
				t.Fatalf("listed %+v", r)
			}
		}
		before, after, reach := 0, 0, 0
		for _, r := range in {
			before += len(r.Headings)
			for _, h := range r.Headings {
				if similarityOf(h) >= threshold {
					reach++
				}
			}
		}
		for _, r := range kept {
			after += len(r.Headings)
			if len(r.Headings) == 0 || r.BelowThreshold != below {
				t.Fatalf("kept %+v", r)
			}
			for _, h := range r.Headings {
				if !below && similarityOf(h) < threshold {
					t.Fatalf("kept %v under %v", similarityOf(h), threshold)
				}
			}
		}
		if list == nil || before-after != dropped || (before > 0) != (after > 0) {
			t.Fatalf("of %d headings %d were kept, %d dropped", before, after, dropped)
		}
		if below != (reach == 0 && before > 0) || !below && after != reach || below && (len(kept) < 1 || len(kept) > contract.DefaultMaxDocs) {
			t.Fatalf("%d reach the threshold, %d were kept, below is %v", reach, after, below)
		}
	})
}

// rerank_sim lies in (0,1] and its parts add up to its logit, whatever is asked
// of whatever text.
func TestExplainAddsUpToTheLogit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.SampledFrom([]string{"wick", "trim", "lantern", "--trim-wick", "trimWick", "灯塔", "the", "of"}), rapid.StringN(0, 8, 20))
		text := func(name string) string {
			return strings.Join(rapid.SliceOfN(word, 0, 12).Draw(t, name), " ")
		}
		x := texts{passages: map[string]string{"A@1/a.md:1": text("passage one"), "A@1/b.md:1": text("passage two")}}
		a, b := head(text("heading one"), rapid.Float64Range(0, 1e9).Draw(t, "score one"), 0), head(text("heading two"), rapid.Float64Range(0, 1e9).Draw(t, "score two"), 0)
		a.Explain, b.Explain = &contract.Explain{}, &contract.Explain{}
		if rapid.Bool().Draw(t, "bare") {
			a.Path = nil
		}
		in := input("wick "+text("question"), page("a.md", text("title one"), a), page("b.md", text("title two"), b))
		in.Context.Queries, in.Context.DomainNouns = []string{text("query")}, []string{text("nouns")}
		in.Context.RerankerThreshold = ptr(0.)
		for range rapid.IntRange(0, 3).Draw(t, "translations") {
			tr := contract.Translation{Word: text("word")}
			for range rapid.IntRange(0, 3).Draw(t, "renderings") {
				tr.Terms = append(tr.Terms, contract.Rendering{Text: text("rendering"), Weight: rapid.Float64Range(-1, 2).Draw(t, "weight")})
			}
			in.Context.Translations = append(in.Context.Translations, tr)
		}
		out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
		if err != nil || out.RerankedCount != 2 || len(out.Results) != 2 {
			t.Fatalf("%+v, %v", out, err)
		}
		for _, r := range out.Results {
			h := r.Headings[0]
			if s := *h.RerankSim; !(s > 0 && s <= 1) {
				t.Fatalf("rerank_sim is %v", s)
			}
			sum := 0.0
			for _, p := range h.Explain.Rerank {
				if p.Name == "" || math.Abs(p.Weight*p.Input-p.Value) > 1e-12 || !(p.Input >= 0 && p.Input <= 1+1e-9) {
					t.Fatalf("a part is %+v", p)
				}
				sum += p.Value
			}
			if s := 1 / (1 + math.Exp(-sum)); math.Abs(s-*h.RerankSim) > 1e-6 {
				t.Fatalf("the parts add up to %v, sim %v, not %v", sum, s, *h.RerankSim)
			}
		}
		if in.Results[0].Headings[0].Explain.Rerank != nil {
			t.Fatal("the input's explanation was changed")
		}
	})
}

// Only the best candidates are reranked; the others come last and have no sim.
func TestCandidateLimit(t *testing.T) {
	t.Parallel()
	policy := contract.DefaultRerankPolicy()
	policy.CandidateLimit = 2
	in := input("wick", page("a.md", "A", head("Wick", 50, 0), head("x", 2, 1)), page("b.md", "B", head("y", 9, 0)), page("c.md", "C", head("z", 7, 0)))
	in.Context.RerankerThreshold = ptr(0.)
	out, _, err := (&Builtin{Texts: texts{}}).Rerank(context.Background(), in, policy)
	if err != nil || out.RerankedCount != 2 {
		t.Fatal(out.RerankedCount, err)
	}
	var got []string
	docs := DocsResponse("wick", out)
	for _, it := range docs.Results {
		got = append(got, fmt.Sprint(it.DocumentPath, it.ChunkIndex, it.RankingSignals.Rerank > 0))
	}
	// A score of the first stage is of another kind: 7 is not more than .9.
	want := []string{"A@1/a.md 0 true", "A@1/b.md 0 true", "A@1/c.md 0 false", "A@1/a.md 1 false"}
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], " ", "")
		got[i] = strings.ReplaceAll(got[i], " ", "")
	}
	if !slices.Equal(got, want) {
		t.Errorf("items are %v, want %v", got, want)
	}
}

func TestDocsResponse(t *testing.T) {
	t.Parallel()
	sim := func(h contract.Heading, s float64) contract.Heading { h.RerankSim = &s; return h }
	out := contract.RerankOutput{Results: []contract.Result{
		page("b.md", "B", sim(head("one", 5, 3), .7), sim(head("two", 5, 1), .7)),
		page("a.md", "A", sim(head("three", 5, 0), .7), sim(head("four", 1, 1), .9)),
	}}
	out.Results[0].Headings[0].Signals.Semantic = -.2 // a cosine may be negative, a signal not
	r := DocsResponse("wick", out)
	var got []string
	for _, it := range r.Results {
		got = append(got, fmt.Sprintf("%s#%d %v", it.DocumentPath, it.ChunkIndex, it.Score))
		if it.SourceType != "documentation" || it.RankingSignals.Semantic < 0 || it.RankingSignals.Rerank != it.Score {
			t.Errorf("item %+v", it)
		}
	}
	if want := []string{"A@1/a.md#1 0.9", "A@1/a.md#0 0.7", "A@1/b.md#1 0.7", "A@1/b.md#3 0.7"}; !slices.Equal(got, want) {
		t.Errorf("items are %v", got)
	}
	if r.Total != 4 || r.AppliedStrategy != "bm25_plus_vector_rerank_docs_only" || r.FallbackApplied || r.Query != "wick" {
		t.Errorf("response is %+v", r)
	}
	out.FallbackApplied = true
	r = DocsResponse("wick", out)
	if !r.FallbackApplied || r.Results[0].Score != 5 || r.Results[0].RankingSignals.Rerank != 0 || r.Results[3].Score != 1 {
		t.Errorf("the fallback is %+v", r)
	}
	raw, err := json.Marshal(DocsResponse("nothing", contract.RerankOutput{}))
	if want := `{"query":"nothing","total":0,"appliedStrategy":"bm25_plus_vector_rerank_docs_only","fallbackApplied":false,"results":[]}`; err != nil || string(raw) != want {
		t.Errorf("the empty response is %s", raw)
	}
}

// Pages without the question's words are marked as no answer; a page with the question
// itself is an answer.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{"A@1/a.md:1": "Trim the wick of the lantern level with the burner. Trimming the wick takes a knife."}}
	results := []contract.Result{page("a.md", "Trimming the wick", head("Trim the wick of the lantern", 20, 0))}
	results[0].Headings[0].Signals.Semantic = .9
	for question, unanswered := range map[string]bool{
		"how do I trim the wick of the lantern":            false,
		"which zebra paints the quarterly tax harpsichord": true,
	} {
		in := input(question, results...)
		if unanswered {
			in.Results = []contract.Result{page("a.md", "Trimming the wick", head("Trim the wick of the lantern", .2, 0))}
		}
		out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
		if err != nil {
			t.Fatal(err)
		}
		if p := out.RerankStats.Answerable; p == nil || *p < 0 || *p > 1 || out.Unanswered != unanswered {
			t.Errorf("%q: answerable %v, unanswered %v", question, *p, out.Unanswered)
		}
		if len(out.Results) == 0 {
			t.Errorf("%q: the nearest headings are not shown", question)
		}
	}
}

// A word that is looked up is in the documentation where a section has it, however little
// the section says about it.
func TestAWordThatStandsThereIsDocumented(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{"A@1/a.md:1": "Ship 0 Its mark is flagship."}}
	for question, unanswered := range map[string]bool{"flagship": false, "what is the best flagship zebra": true, "zebra": true} {
		in := input(question, page("a.md", "Ship 0", head("Ship 0", .2, 0)))
		in.Context.RerankerThreshold = ptr(0.)
		out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
		if err != nil || out.Unanswered != unanswered {
			t.Errorf("%q: %v, unanswered %v of %v", question, err, out.Unanswered, *out.RerankStats.Answerable)
		}
	}
}

// All the renderings of a word are one term: a text with any of them has it.
func TestTranslatedQuestions(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{"A@1/a.md:1": "Remove the burner.", "A@1/b.md:1": "Paint the door."}}
	in := input("删除灯头", page("a.md", "Burners", head("Removing", 5, 0)), page("b.md", "Doors", head("Painting", 5, 0)))
	in.Context.Queries = []string{"delete lamp head"}
	in.Context.Translations = []contract.Translation{
		{Word: "删除", Terms: []contract.Rendering{{Text: "delete", Weight: 1}, {Text: "remove", Weight: .7}}},
		{Word: "灯头", Terms: []contract.Rendering{{Text: "lamp head", Weight: 1}, {Text: "burner", Weight: .5}}},
	}
	in.Context.RerankerThreshold = ptr(0.)
	out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
	if err != nil || out.Results[0].FilePath != "a.md" || *out.Results[0].Headings[0].RerankSim <= 2**out.Results[1].Headings[0].RerankSim {
		t.Errorf("%+v, %v", out, err)
	}
	in.Context.Translations = nil
	none, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
	if err != nil || *none.Results[0].Headings[0].RerankSim >= *out.Results[0].Headings[0].RerankSim {
		t.Errorf("the translations change nothing: %v, %v", err, none)
	}
}

// What the documentation says of an abbreviation counts as the question's words.
func TestAbbreviatedQuestions(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{"A@1/a.md:1": "Lamp volume claims bind oil.", "A@1/b.md:1": "The LVC gate is open."}}
	for _, tt := range []struct{ question, words, also, page string }{
		{"binding an LVC", "LVC", "LampVolumeClaim", "a.md"},
		{"lamp volume claim gate", "lamp volume claim", "LVC", "b.md"},
	} {
		sims := map[bool]float64{}
		for _, with := range []bool{false, true} {
			in := input(tt.question, page("a.md", "Lamp volume claims", head("Binding", 5, 0)), page("b.md", "Gates", head("Beta", 5, 0)))
			in.Context.RerankerThreshold = ptr(0.)
			if with {
				in.Context.Abbreviations = []contract.Abbreviation{{Words: tt.words, Also: tt.also}, {Words: "", Also: "x"}, {Words: "y", Also: "the"}}
			}
			out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range out.Results {
				if r.FilePath == tt.page {
					sims[with] = *r.Headings[0].RerankSim
				}
			}
		}
		if sims[true] <= sims[false] {
			t.Errorf("%q: %v with its abbreviation, %v without", tt.question, sims[true], sims[false])
		}
	}
}

func TestWrittenAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"When should you use a probe?", "when should you use a probe", 1},
		{"use a probe", "use the probe", .5},
		{"use a probe", "lamps", 0},
		{"", "", 0},
		{"", "x", 0},
		{"--dry-run", "dry run", 1},
	} {
		if got := pairsOf(c.a).diceSimilarity(pairsOf(c.b)); math.Abs(got-c.want) > 1e-9 || got != pairsOf(c.b).diceSimilarity(pairsOf(c.a)) {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestReaches(t *testing.T) {
	t.Parallel()
	for logit, want := range map[float64]bool{-10: false, 0: false, .5: false, .6: true, 10: true} {
		if got := Reaches([]float64{1, 1, logit}); got != want {
			t.Errorf("a logit of %v: %v", logit, got)
		}
	}
}

// What lies below the threshold is handed on for blocks of sections: the best headings that
// were not kept, each once, by page.
func TestNearThreshold(t *testing.T) {
	t.Parallel()
	page := func(path string, sims ...float64) contract.Result {
		r := contract.Result{DocSet: "A@1", FilePath: path}
		for i, s := range sims {
			r.Headings = append(r.Headings, contract.Heading{Text: fmt.Sprintf("## %d", i), RerankSim: &s, Section: [2]int{10 * i, 10*i + 9}})
		}
		return r
	}
	all := []contract.Result{page("a", .9, .5, .03), page("b", .4), page("c", .04)}
	kept, _, _ := cutBelow(cloneResults(all), .63, false)
	near := nearThreshold(all, kept)
	var got []string
	for _, r := range near {
		for _, h := range r.Headings {
			got = append(got, fmt.Sprintf("%s %v", r.FilePath, *h.RerankSim))
		}
		if !r.BelowThreshold || r.Listed {
			t.Errorf("%+v", r)
		}
	}
	if want := []string{"a 0.5", "b 0.4"}; !slices.Equal(got, want) {
		t.Errorf("near are %v, want %v", got, want)
	}
	many := make([]float64, 60)
	for i := range many {
		many[i] = .2 + float64(i)/300
	}
	if near := nearThreshold([]contract.Result{page("d", many...)}, kept); len(near) != 1 || len(near[0].Headings) != nearMost || *near[0].Headings[0].RerankSim < .26 {
		t.Errorf("of many: %+v", near)
	}
}
