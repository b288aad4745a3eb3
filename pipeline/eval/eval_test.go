package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// answers is a Searcher with fixed answers for each question.
type answers struct {
	stages map[string][]Stage
	took   map[string]time.Duration
	fail   error
	asked  []string
}

func (a *answers) Ask(_ context.Context, q string) ([]Stage, time.Duration, error) {
	a.asked = append(a.asked, q)
	return a.stages[q], a.took[q], a.fail
}

// hits parses hits: "page" or "page#Heading" or "page#Heading#anchor".
func hits(in ...string) []Hit {
	var out []Hit
	for _, s := range in {
		f := append(strings.Split(s, "#"), "", "")
		out = append(out, Hit{Doc: f[0], Heading: f[1], Anchor: f[2]})
	}
	return out
}

func TestRun(t *testing.T) {
	t.Parallel()
	a := &answers{
		stages: map[string][]Stage{
			"trim":    {{"lexical", hits("b.md", "c.md", "a.md")}, {"reranked", hits("a.md#One", "a.md#Two", "b.md")}},
			"oil":     {{"lexical", hits("c.md")}, {"reranked", hits("b.md", "c.md")}},
			"nothing": {{"lexical", nil}, {"reranked", nil}},
		},
		took: map[string]time.Duration{"trim": 10 * time.Millisecond, "oil": 30 * time.Millisecond, "nothing": time.Millisecond},
	}
	queries := []Query{
		{ID: "1", Text: "trim", Kind: "how", Documents: map[string]int{"a.md": 2, "b.md": 1}},
		{ID: "2", Text: "oil", Kind: "what", Documents: map[string]int{"c.md": 1}},
		{ID: "3", Text: "nothing", Kind: "what", Documents: map[string]int{"c.md": 1}},
	}
	var progress []string
	rep, err := RunQueries(context.Background(), queries, a, Options{Progress: func(done, total int) { progress = append(progress, fmt.Sprint(done, "/", total)) }})
	if err != nil {
		t.Fatal(err)
	}
	// Calculated by hand. The ranking of "trim" is perfect, the right page of "oil"
	// is second, and "nothing" has no hits.
	want := Metrics{Queries: 3, Recall10: 0.6667, Recall100: 0.6667, MRR10: 0.5, NDCG10: roundToFourPlaces((1 + 0.63093) / 3), ZeroHits: 1}
	if rep.Metrics != want || rep.By != "page" {
		t.Errorf("by %s: %+v, want %+v", rep.By, rep.Metrics, want)
	}
	if len(rep.Stages) != 2 || rep.Stages[0].Stage != "lexical" || rep.Stages[1] != (StageMetrics{"reranked", want}) {
		t.Errorf("stages are %+v", rep.Stages)
	}
	// In the first stage the pages of "trim" are at 1 and 3, in the wrong order, and
	// the page of "oil" is first.
	lexical := Metrics{Queries: 3, Recall10: 0.6667, Recall100: 0.6667, MRR10: 0.6667, NDCG10: roundToFourPlaces(((1+2*.5)/(2+0.63093) + 1) / 3), ZeroHits: 1}
	if rep.Stages[0].Metrics != lexical {
		t.Errorf("the first stage has %+v, want %+v", rep.Stages[0].Metrics, lexical)
	}
	if k := rep.ByKind; len(k) != 2 || k["how"] != (Metrics{1, 1, 1, 1, 1, 0}) || k["what"] != (Metrics{2, .5, .5, .25, .3155, 1}) {
		t.Errorf("kinds are %+v", k)
	}
	if rep.Latency != (Latency{10, 30}) {
		t.Errorf("latency is %+v", rep.Latency)
	}
	var ranks []int
	for _, o := range rep.Outcomes {
		ranks = append(ranks, o.Rank)
	}
	if !slices.Equal(ranks, []int{1, 2, 0}) || !slices.Equal(rep.Outcomes[0].ranked, []string{"a.md", "b.md"}) {
		t.Errorf("outcomes are %+v", rep.Outcomes)
	}
	if want := []string{"0/3", "1/3", "2/3", "3/3"}; !slices.Equal(progress, want) {
		t.Errorf("progress is %v", progress)
	}
	raw, err := json.Marshal(rep)
	for _, field := range []string{`"queries":3`, `"recall@10":`, `"recall@100":`, `"mrr@10":0.5`, `"ndcg@10":`, `"zero_hits":1`, `"latency_ms":{"p50":10,"p95":30}`, `"by_kind":{"how":`} {
		if err != nil || !strings.Contains(string(raw), field) {
			t.Errorf("the JSON lacks %s: %s", field, raw)
		}
	}
}

// Documents in Except are ignored in the ranking, unless they are relevant.
func TestExceptions(t *testing.T) {
	t.Parallel()
	a := &answers{stages: map[string][]Stage{"q": {{"reranked", hits("src.md", "a.md", "src.md", "both.md")}}}}
	q := Query{ID: "1", Text: "q", Documents: map[string]int{"both.md": 1}, Except: []string{"src.md", "both.md"}}
	rep, err := RunQueries(context.Background(), []Query{q}, a, Options{})
	if err != nil || rep.Outcomes[0].Rank != 2 || !slices.Equal(rep.Outcomes[0].ranked, []string{"a.md", "both.md"}) {
		t.Errorf("%+v, %v", rep.Outcomes, err)
	}
	// A ranking with ignored documents only counts as empty.
	a.stages["q"] = []Stage{{"first", hits("src.md")}, {"reranked", hits("src.md")}}
	if rep, err = RunQueries(context.Background(), []Query{q}, a, Options{}); !errors.Is(err, ErrAllZero) || rep.ZeroHits != 1 {
		t.Errorf("%+v, %v", rep, err)
	}
}

func TestBySection(t *testing.T) {
	t.Parallel()
	section := func(s ...Section) []Query {
		q := Query{ID: "1", Text: "q", Documents: map[string]int{}, Sections: s}
		for _, s := range s {
			q.Documents[s.Doc] = max(q.Documents[s.Doc], s.Grade)
		}
		return []Query{q, {ID: "2", Text: "without a section", Documents: map[string]int{"a.md": 1}}}
	}
	for name, c := range map[string]struct {
		found  []Hit
		asked  []Query
		rank   int
		ndcg   float64
		ranked []string
	}{
		"by its text, whatever the case and the spaces": {
			hits("a.md#Other#other", "a.md#trim  the WICK#trim"), section(Section{Doc: "a.md", Heading: "Trim the wick", Grade: 1}), 2, 0.6309, []string{"a.md#other", "a.md#trim"}},
		"by its anchor": {
			hits("a.md#`lines=`#lines"), section(Section{Doc: "a.md", Heading: "lines=", Anchor: "lines", Grade: 1}), 1, 1, []string{"a.md#lines"}},
		"of the right page": {
			hits("b.md#Trim#trim", "a.md#Trim#trim"), section(Section{Doc: "a.md", Heading: "Trim", Grade: 1}), 2, 0.6309, []string{"b.md#trim", "a.md#trim"}},
		"an anchor alone is not the nameless top of a page": {
			hits("a.md", "a.md#Trim#trim"), section(Section{Doc: "a.md", Anchor: "trim", Grade: 1}), 2, 0.6309, []string{"a.md#", "a.md#trim"}},
		"a page's top has no anchor": {
			hits("a.md#Wicks", "a.md#Trim#trim"), section(Section{Doc: "a.md", Heading: "Wicks", Grade: 1}), 1, 1, []string{"a.md#wicks", "a.md#trim"}},
		// Two spellings of one heading were counted as two sections.
		"a section counts once": {
			hits("a.md#`x`#x", "a.md#x#x", "a.md#Trim#trim"), section(Section{Doc: "a.md", Heading: "Trim", Grade: 1}), 2, 0.6309, []string{"a.md#x", "a.md#trim"}},
		"two of one name are two places, and one of them is right": {
			hits("a.md#Try it#try-it", "a.md#Try it#try-it-1"), section(Section{Doc: "a.md", Heading: "Try it", Grade: 1}), 1, 1, []string{"a.md#try-it", "a.md#try-it-1"}},
		"by grade": {
			hits("a.md#B#b", "a.md#A#a"), section(Section{Doc: "a.md", Heading: "A", Grade: 3}, Section{Doc: "a.md", Heading: "B", Grade: 1}), 1, 0.7967, []string{"a.md#b", "a.md#a"}},
	} {
		a := &answers{stages: map[string][]Stage{"q": {{"reranked", c.found}}}}
		rep, err := RunQueries(context.Background(), c.asked, a, Options{BySection: true})
		if err != nil || rep.By != "section" || rep.Queries != 1 || !slices.Equal(a.asked, []string{"q"}) {
			t.Errorf("%s: %+v, asked %v, %v", name, rep, a.asked, err)
			continue
		}
		if o := rep.Outcomes[0]; o.Rank != c.rank || o.NDCG != c.ndcg || !slices.Equal(o.ranked, c.ranked) {
			t.Errorf("%s: %+v, want %d, %v, %v", name, o, c.rank, c.ndcg, c.ranked)
		}
		if !slices.ContainsFunc(c.found, c.asked[0].HasSection) || c.asked[0].HasSection(Hit{Doc: "z.md", Heading: "Trim"}) {
			t.Errorf("%s: HasSection says otherwise", name)
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	q := []Query{{ID: "1", Text: "q", Documents: map[string]int{"a.md": 1}}}
	found := &answers{stages: map[string][]Stage{"q": {{"reranked", hits("b.md")}}}}
	deep := make([]Hit, 0, 101)
	for i := range 100 {
		deep = append(deep, Hit{Doc: fmt.Sprint(i)})
	}
	broken := errors.New("disk on fire")
	for name, c := range map[string]struct {
		queries []Query
		s       Searcher
		by      bool
		is      error
		text    string
	}{
		"no queries":                   {nil, found, false, ErrEmpty, ""},
		"no query names a section":     {q, found, true, ErrEmpty, ""},
		"nothing relevant":             {q, found, false, ErrAllZero, ""},
		"nothing found":                {q, &answers{stages: map[string][]Stage{"q": {{"reranked", nil}}}}, false, ErrAllZero, ""},
		"relevant below the hundredth": {q, &answers{stages: map[string][]Stage{"q": {{"reranked", append(deep, Hit{Doc: "a.md"})}}}}, false, ErrAllZero, ""},
		"relevant in the first alone":  {q, &answers{stages: map[string][]Stage{"q": {{"lexical", hits("a.md")}, {"reranked", hits("b.md")}}}}, false, ErrAllZero, ""},
		"a search that fails":          {q, &answers{fail: broken}, false, broken, `query 1 ("q"): disk on fire`},
		"no stage":                     {q, &answers{}, false, nil, "query 1: no stage was reported"},
		"nothing can be relevant":      {[]Query{{ID: "7", Text: "q"}}, found, false, nil, `query 7 ("q"): nothing is relevant to it`},
		"a long question is cut in the error": {[]Query{{ID: "1", Text: strings.Repeat("灯", 90), Documents: map[string]int{"a": 1}}}, &answers{fail: broken}, false, broken,
			`("` + strings.Repeat("灯", 60) + `…")`},
	} {
		_, err := RunQueries(context.Background(), c.queries, c.s, Options{BySection: c.by})
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// Run does not change the queries, and the same queries give the same report.
func TestRunIsRepeatable(t *testing.T) {
	t.Parallel()
	a := &answers{stages: map[string][]Stage{"q": {{"reranked", hits("b.md#B#b", "a.md#A#a")}}}}
	queries := []Query{{ID: "0", Text: "x", Documents: map[string]int{"a.md": 1}},
		{ID: "1", Text: "q", Documents: map[string]int{"a.md": 3, "b.md": 1, "c.md": 2}, Sections: []Section{{Doc: "a.md", Heading: "A", Grade: 3}}}}
	before := fmt.Sprintf("%+v", queries)
	first, err := RunQueries(context.Background(), queries, a, Options{BySection: true})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := RunQueries(context.Background(), queries, a, Options{BySection: true})
		if err != nil || !reflect.DeepEqual(first, again) {
			t.Fatalf("%+v\n%+v\n%v", first, again, err)
		}
	}
	if after := fmt.Sprintf("%+v", queries); after != before {
		t.Errorf("the queries became %s", after)
	}
}
