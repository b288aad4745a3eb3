package rerank

import (
	"context"
	"testing"

	"docent/pipeline/contract"
)

// vocabularies are texts of doc sets whose words are not equally rare.
type vocabularies struct {
	texts
	idf map[string]map[string]float64 // by doc set and term; 8 where it is not there
}

func (x vocabularies) IDF(_ context.Context, docSets, terms []string) ([]float64, error) {
	out := make([]float64, len(terms))
	for i, t := range terms {
		out[i] = 8
		for _, s := range docSets {
			if idf, ok := x.idf[s][t]; ok {
				out[i] = min(out[i], idf)
			}
		}
	}
	return out, nil
}

// Of two doc sets that say the same in the same words, the one whose pages are about the
// question's words comes first.
func TestTheDocSetThatSpeaksOfIt(t *testing.T) {
	t.Parallel()
	x := vocabularies{texts{passages: map[string]string{"A@1/a.md:1": "Trim the wick.", "B@1/a.md:1": "Trim the wick."}},
		map[string]map[string]float64{"A@1": {"trim": 5, "wick": 6}, "B@1": {"trim": 5, "wick": 1}}}
	other := page("a.md", "Care", head("Daily", 5, 0))
	other.DocSet = "B@1"
	in := input("trimming a wick", page("a.md", "Care", head("Daily", 5, 0)), other)
	in.Context.RerankerThreshold = new(float64)
	out, _, err := (&Builtin{Texts: x}).Rerank(t.Context(), in, contract.DefaultRerankPolicy())
	if err != nil {
		t.Fatal(err)
	}
	sims := map[string]float64{}
	for _, r := range out.Results {
		sims[r.DocSet] = *r.Headings[0].RerankSim
	}
	if sims["B@1"] <= sims["A@1"] {
		t.Errorf("A is surer than B, whose pages are about wicks: %v", sims)
	}
}

func TestCompareDocSets(t *testing.T) {
	t.Parallel()
	x := vocabularies{texts{}, map[string]map[string]float64{"A@1": {"wick": 1}, "B@1": {"wick": 3}, "C@1": {"docht": 1}}}
	for _, tt := range []struct {
		name, question string
		sets           []string
		translations   []contract.Translation
		best           string // "": they are not compared
	}{
		{"the commoner word", "wick", []string{"A@1", "B@1"}, nil, "A@1"},
		{"one doc set", "wick", []string{"A@1"}, nil, ""},
		{"no words", "the", []string{"A@1", "B@1"}, nil, ""},
		{"the renderings, where the own word is nowhere", "Lunte", []string{"A@1", "B@1"},
			[]contract.Translation{{Word: "Lunte", Terms: []contract.Rendering{{Text: "wick", Weight: 1}}}}, "A@1"},
		{"the own word, where it is there", "Docht", []string{"B@1", "C@1"},
			[]contract.Translation{{Word: "Docht", Terms: []contract.Rendering{{Text: "fuse", Weight: 1}}}}, "C@1"},
	} {
		in := input(tt.question)
		in.Context.Translations = tt.translations
		var results []contract.Result
		for _, s := range tt.sets {
			results = append(results, contract.Result{DocSet: s})
		}
		q, err := (&Builtin{Texts: x}).readQuery(t.Context(), in.Context, results)
		if err != nil {
			t.Fatal(err)
		}
		if tt.best == "" {
			if q.docSets != nil {
				t.Errorf("%s: %v", tt.name, q.docSets)
			}
			continue
		}
		for s, fit := range q.docSets {
			if s == tt.best && fit != 0 || s != tt.best && !(fit < 0) {
				t.Errorf("%s: %v, the best is %s", tt.name, q.docSets, tt.best)
			}
		}
		if len(q.docSets) != len(tt.sets) {
			t.Errorf("%s: %v", tt.name, q.docSets)
		}
	}
}
