package search_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/llm"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/phase/search"
	"docent/store"
	"docent/store/embeddings"
)

// concepts makes vectors of what words mean: one dimension a concept, whatever
// word stands for it.
type concepts struct {
	fails error
	asked *[]string
}

func (c concepts) vector(text string) []float32 {
	v := make([]float32, 8)
	v[7] = 0.1
	text = strings.ToLower(text)
	for i, words := range [][]string{{"car", "automobile", "vehicle", "汽车"}, {"repair", "mend", "fix", "修理"}, {"boat", "vessel"}, {"paint", "colour"}, {"sail"}} {
		for _, w := range words {
			v[i] += float32(strings.Count(text, w))
		}
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x * x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

// Embed is model.Embedder's, for passages.
func (c concepts) Embed(_ context.Context, r llm.EmbedRequest) ([][]float32, error) {
	out := make([][]float32, len(r.Texts))
	for i, t := range r.Texts {
		out[i] = c.vector(t)
	}
	return out, nil
}

// Question is search.QuestionEmbedder's.
func (c concepts) Question(_ context.Context, by embed.By, text string) ([]float32, error) {
	if c.asked != nil {
		*c.asked = append(*c.asked, by.Model+": "+text)
	}
	return c.vector(text), c.fails
}

// embedded has concepts make the vectors of doc sets.
func embedded(t *testing.T, h *corpustest.Home, sets ...store.Set) {
	t.Helper()
	cache, err := embeddings.OpenCache(ctx, filepath.Join(h.Dir, "vectors.db"))
	if err != nil {
		t.Fatal(err)
	}
	e := embed.Embedder{Catalog: h.Catalog, Parsers: h.Parsers, Indexes: h.Indexes(), Cache: cache, Lock: func(context.Context) (func() error, error) { return func() error { return nil }, nil }, Now: time.Now}
	for _, s := range sets {
		if _, err := e.Update(ctx, s, model.Vectors{Embed: concepts{}, Name: "concepts-multilingual", Engine: "test:concepts", ID: "test:concepts/1"}, false, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := cache.Close(); err != nil {
		t.Fatal(err)
	}
}

func weight(w float64) func(store.Set, embed.By) float64 {
	return func(store.Set, embed.By) float64 { return w }
}

// garage has a page that answers the question in other words.
func garage(t *testing.T) (*corpustest.Home, store.Set) {
	h := corpustest.New(t)
	set := h.Add("Garage@1", map[string]string{
		"wheels.md":  "# Wheels\n\nHow to mend an automobile with two spanners.\n",
		"harbour.md": "# Harbour\n\nA vessel lies here until it is painted.\n",
		"sails.md":   "# Sails\n\nFold the sail twice. The car park is behind the hall.\n",
		"tea.md":     "# Tea\n\nBoil the water.\n",
	})
	return h, set
}

// A model's vectors find a page without the question's words, and a heading shows the
// similarity; without the vectors, or with weight 0, it is not found.
func TestModelVectorsFind(t *testing.T) {
	t.Parallel()
	h, set := garage(t)
	in := contract.SearchInput{Query: []string{"fix vehicle"}, Context: &contract.Context{Question: "fix vehicle", Language: "en"}}
	with := func(dense float64, c concepts) *search.Builtin {
		b := searcher(h)
		b.Embedder, b.Dense = c, weight(dense)
		return b
	}
	ask := func(b *search.Builtin) (contract.SearchOutput, contract.Trace) {
		t.Helper()
		out, trace, err := b.Search(ctx, in, contract.SearchOptions{Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		check(t, out)
		return out, trace
	}
	if out, trace := ask(with(.5, concepts{})); len(out.Results) > 0 && !out.SearchStats.Nearest || trace.Engine != "" || out.Context.DenseWeight != 0 {
		t.Errorf("without vectors %s was found by %q", paths(out), trace.Engine)
	}
	embedded(t, h, set)
	// Not a word of it stands anywhere, nor one that is spelled like it.
	in.Query, in.Context.Question, in.Context.Language = []string{"修理汽车"}, "修理汽车", "zh"
	if out, trace := ask(with(.5, concepts{})); len(out.Results) == 0 || out.Results[0].FilePath != "wheels.md" || trace.Engine == "" {
		t.Errorf("a question of another language finds %s by %q", paths(out), trace.Engine)
	}
	in.Query, in.Context.Question, in.Context.Language = []string{"fix vehicle hall"}, "fix vehicle hall", "en"
	out, trace := ask(with(.5, concepts{}))
	if !strings.Contains(paths(out), "wheels.md") || trace.Engine != "test:concepts" || out.Context.DenseWeight != .5 {
		t.Fatalf("by meaning %s was found by %q, weight %v", paths(out), trace.Engine, out.Context.DenseWeight)
	}
	for _, r := range out.Results {
		for _, head := range r.Headings {
			sum := 0.0
			for _, p := range head.Explain.Parts {
				sum += p.Value
			}
			if math.Abs(sum-head.Score) > 1e-9 {
				t.Errorf("%s: the parts add up to %v, the score is %v", head.Text, sum, head.Score)
			}
		}
	}
	for _, r := range out.Results {
		if m := r.Headings[0].Signals.Model; r.FilePath == "wheels.md" && !(m > .9) {
			t.Errorf("the cosine of the answer is %v", m)
		}
	}
	again, _ := ask(with(.5, concepts{}))
	if marshal(t, again) != marshal(t, out) {
		t.Error("the same question has another answer")
	}
	if out, trace := ask(with(0, concepts{})); strings.Contains(paths(out), "wheels.md") || trace.Engine != "" {
		t.Errorf("with no weight %s was found by %q", paths(out), trace.Engine)
	}
}

// If the question has no vector, the words answer, with a note if a model was requested;
// an error that ends a run ends it.
func TestQuestionWithoutVector(t *testing.T) {
	t.Parallel()
	h, set := garage(t)
	embedded(t, h, set)
	in := contract.SearchInput{Query: []string{"fold the sail"}}
	for _, tt := range []struct {
		err      error
		degraded int
		fatal    bool
	}{
		{model.ErrNone, 0, false},
		{&llm.Error{Kind: llm.TimedOut, Engine: "ollama"}, 1, false},
		{&contract.Error{Code: "MODELS_UNAVAILABLE"}, 0, true},
	} {
		b := searcher(h)
		b.Embedder, b.Dense = concepts{fails: tt.err}, weight(.5)
		out, trace, err := b.Search(ctx, in, contract.SearchOptions{})
		if e, ok := errors.AsType[*contract.Error](err); tt.fatal != ok || ok && e.Code != "MODELS_UNAVAILABLE" {
			t.Errorf("%v: %v", tt.err, err)
		}
		if tt.fatal {
			continue
		}
		if len(out.Results) == 0 || out.Results[0].FilePath != "sails.md" || len(trace.Degraded) != tt.degraded || trace.Engine != "" {
			t.Errorf("%v: %s, %+v", tt.err, paths(out), trace)
		}
		for _, d := range trace.Degraded {
			if d.Phase != contract.PhaseSearch || d.Wanted != "vectors by test:concepts" || !strings.Contains(d.Reason, "does not answer") {
				t.Errorf("%+v", d)
			}
		}
	}
}

// The embedded texts: the question as asked; its translation too where it is not English;
// and the passage that a model thought up.
func TestWhatIsEmbedded(t *testing.T) {
	t.Parallel()
	h, set := garage(t)
	embedded(t, h, set)
	for _, tt := range []struct {
		in   contract.SearchInput
		want []string
	}{
		{contract.SearchInput{Query: []string{"fold sail"}, Context: &contract.Context{Question: "how do I fold a sail?", Language: "en"}}, []string{"how do I fold a sail?"}},
		{contract.SearchInput{Query: []string{"repair car"}, Context: &contract.Context{Question: "修理汽车", Language: "zh"}}, []string{"repair car", "修理汽车"}},
		{contract.SearchInput{Query: []string{"fold sail"}, Context: &contract.Context{Question: "fold sail", Language: "en", Hypothetical: "Sails are folded."}}, []string{"fold sail", "Sails are folded."}},
		{contract.SearchInput{Query: []string{"fold sail"}}, []string{"fold sail"}},
	} {
		var asked []string
		b := searcher(h)
		b.Embedder, b.Dense = concepts{asked: &asked}, weight(.5)
		if _, _, err := b.Search(ctx, tt.in, contract.SearchOptions{}); err != nil {
			t.Fatal(err)
		}
		want := "test:concepts/1: " + strings.Join(tt.want, "|test:concepts/1: ")
		if got := strings.Join(asked, "|"); got != want {
			t.Errorf("%v: %q was embedded, not %q", tt.in.Query, got, want)
		}
	}
}

// Damaged vectors of a model are left out, and that is said; where there never were any,
// nothing is.
func TestModelVectorsDamaged(t *testing.T) {
	t.Parallel()
	h, set := garage(t)
	in := contract.SearchInput{Query: []string{"fix vehicle hall"}, Context: &contract.Context{Question: "fix vehicle hall", Language: "en"}}
	ask := func() []contract.Degraded {
		t.Helper()
		b := searcher(h)
		b.Embedder, b.Dense = concepts{}, weight(.5)
		_, trace, err := b.Search(ctx, in, contract.SearchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return trace.Degraded
	}
	if d := ask(); len(d) > 0 {
		t.Errorf("without vectors it says %v", d)
	}
	embedded(t, h, set)
	if d := ask(); len(d) > 0 {
		t.Errorf("with vectors it says %v", d)
	}
	h.Reopen()
	manifests, err := filepath.Glob(filepath.Join(filepath.Dir(h.IndexDir(set.ID)), "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	harmed := 0
	for _, m := range manifests {
		if dir := filepath.Dir(m); dir != h.IndexDir(set.ID) && dir != h.IndexDir(set.ID)+".vectors" {
			harmed++
			if err := os.WriteFile(m, []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if harmed != 1 {
		t.Fatalf("the model's manifest is not among %q", manifests)
	}
	if d := ask(); len(d) != 1 || !strings.Contains(d[0].Reason, "those of Garage@1 are damaged") || d[0].Remedy == nil {
		t.Errorf("damaged, it says %v", d)
	}
	embedded(t, h, set)
	if d := ask(); len(d) > 0 {
		t.Errorf("made again, it says %v", d)
	}
}
