package embed_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/llm"
	"docent/llm/llmtest"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/corpus"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/ingest/embed"
	"docent/store"
	"docent/store/embedded"
	"docent/store/embeddings"
	"docent/store/vector"
)

// bench is a home with a cache and a model that is a fake.
type bench struct {
	*corpustest.Home
	t     *testing.T
	fake  *llmtest.Fake
	cache *embeddings.Cache
	e     *embed.Embedder

	mu     sync.Mutex
	events []pipeline.Event
	// watch is called with every event.
	watch func(pipeline.Event)
}

func newBench(t *testing.T, exchanges ...llmtest.Exchange) *bench {
	t.Helper()
	b := &bench{Home: corpustest.New(t), t: t, fake: llmtest.NewFake(exchanges...)}
	b.open(filepath.Join(b.Dir, "vectors.db"))
	return b
}

func (b *bench) open(path string) {
	b.t.Helper()
	var err error
	if b.cache, err = embeddings.OpenCache(b.t.Context(), path); err != nil {
		b.t.Fatal(err)
	}
	cache := b.cache
	b.t.Cleanup(func() { _ = cache.Close() })
	b.e = &embed.Embedder{Catalog: b.Catalog, Parsers: b.Parsers, Indexes: b.Indexes(), Cache: b.cache, Now: time.Now,
		Lock: func(ctx context.Context) (func() error, error) { return func() error { return nil }, ctx.Err() }}
}

// model is the fake as a model.
func (b *bench) model(id string) model.Vectors { return vectors(b.fake, id) }

func vectors(s llm.Server, id string) model.Vectors {
	return model.Vectors{Embed: llm.New(s, llm.Options{}), Name: "fake-embed:latest", Engine: "fake:fake-embed", ID: id, ForPassage: "passage: "}
}

func (b *bench) update(set store.Set, m model.Vectors, again bool) (embed.Report, error) {
	return b.e.Update(b.t.Context(), set, m, again, func(e pipeline.Event) {
		b.mu.Lock()
		b.events = append(b.events, e)
		b.mu.Unlock()
		if b.watch != nil {
			b.watch(e)
		}
	})
}

func (b *bench) mustUpdate(set store.Set, m model.Vectors, again bool) embed.Report {
	b.t.Helper()
	rep, err := b.update(set, m, again)
	if err != nil {
		b.t.Fatal(err)
	}
	return rep
}

const probe = "passage: A liveness probe restarts a container that does not answer any more."

// sent are the texts that a fake was sent since the last time, but for the probe.
func (b *bench) sent(calls *int) []string {
	var out []string
	all := b.fake.RecordedCalls()
	for _, c := range all[*calls:] {
		for _, t := range c.Texts {
			if t != probe {
				out = append(out, t)
			}
		}
	}
	*calls = len(all)
	return out
}

// vectors are a doc set's, until the end of the test.
func (b *bench) vectors(set store.Set) (*corpus.ModelVectors, error) {
	v, release, err := b.Corpus.ModelVectors(context.WithoutCancel(b.t.Context()), set)
	if err == nil {
		b.t.Cleanup(release)
	}
	return v, err
}

// modelDir is where they lie.
func (b *bench) modelDir(set store.Set) string {
	return embedded.VectorDir(b.IndexDir(set.ID), store.ModelVectors)
}

// check compares every vector of a doc set with the one that its text has.
func (b *bench) check(set store.Set, by string, want map[string]string) {
	b.t.Helper()
	v, err := b.vectors(set)
	if err != nil {
		b.t.Fatal(err)
	}
	if v.By.Model != by || v.Info().Vectors != len(want) {
		b.t.Fatalf("%d vectors by %s, want %d by %s", v.Info().Vectors, v.By.Model, len(want), by)
	}
	docs, err := b.Catalog.Documents(b.t.Context(), set.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	seen := 0
	for _, d := range docs {
		for chunk := range 10 {
			got, err := v.Vectors.Vectors(b.t.Context(), []store.Key{{Doc: d.ID, Chunk: chunk}})
			if err != nil {
				b.t.Fatal(err)
			}
			if got[0] == nil {
				continue
			}
			seen++
			text := want[fmt.Sprintf("%s#%d", d.Path, chunk)]
			if c := cosineOfUnitVectors(got[0], llmtest.Vector("passage: "+text, v.Info().Dims)); text == "" || c < 0.999 {
				b.t.Errorf("%s, passage %d: its vector is not that of %q: %v", d.Path, chunk, text, c)
			}
		}
	}
	if seen != len(want) {
		b.t.Errorf("%d passages have vectors, want %d", seen, len(want))
	}
}

func cosineOfUnitVectors(a, b []float32) float64 {
	sum, x, y := 0.0, 0.0, 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	return sum / math.Sqrt(x*y)
}

func TestText(t *testing.T) {
	t.Parallel()
	p := func(title, heading, body, code string) (out store.Passage) {
		out.Fields[store.Title], out.Fields[store.Heading], out.Fields[store.Body], out.Fields[store.Code] = title, heading, body, code
		return out
	}
	for _, tt := range []struct {
		in   store.Passage
		want string
	}{
		{p("Pods", "Pods\nLifecycle\nPhases", "A pod is born.\n", "kubectl get pods"), "Pods > Lifecycle > Phases\n\nA pod is born.\n\nkubectl get pods"},
		{p("Pods\nAll about pods", "", " A pod. ", ""), "Pods > All about pods\n\nA pod."},
		{p("", "", " \n\t", ""), ""},
		{p("Pods", "Empty", "", " "), "Pods > Empty"},
		{p("Pods", "Pods\nPhases", "Phases\nPending.", ""), "Pods > Phases\n\nPending."},
		{p("Pods", "Pods", "Pods", ""), "Pods"},
		{p("Pods", "", "no\xfftext", ""), "Pods\n\nno\uFFFDtext"},
	} {
		if got := embed.PassageText(tt.in); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// The life of a doc set's vectors: only new texts are ever sent to the model.
func TestUpdates(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	pods := "# Pods\n\nA pod is a group.\n\n## Phases\n\nPending and running.\n"
	set := b.Add("Lantern@1", map[string]string{"a.md": pods, "b.md": "# Nodes\n\nA node is a machine.\n"})
	want := map[string]string{"a.md#0": "Pods\n\nA pod is a group.", "a.md#1": "Pods > Phases\n\nPending and running.", "b.md#0": "Nodes\n\nA node is a machine."}
	calls := 0
	m := b.model("m1")

	rep := b.mustUpdate(set, m, false)
	if got := b.sent(&calls); len(got) != 3 || rep.Embedded != 3 || rep.Passages != 3 || !rep.Written || rep.Dimension != 8 {
		t.Errorf("first: %q were sent, %+v", got, rep)
	}
	b.check(set, "m1", want)
	v, err := b.vectors(set)
	if err != nil || v.By.Engine != "fake:fake-embed" || v.By.Dimension != 8 || v.By.Length != "unit" || v.By.ForPassage != "passage: " || v.By.Passages != 3 || v.By.Pages != 2 || v.By.Generation == "" {
		t.Errorf("recorded is %+v, %v", v.By, err)
	}

	// Nothing changed: nothing is requested, and nothing is written.
	if rep := b.mustUpdate(set, m, false); rep.Written || rep.Embedded != 0 || rep.Passages != 3 || rep.Dimension != 8 || len(b.fake.RecordedCalls()) != calls {
		t.Errorf("nothing: %+v, %d calls", rep, len(b.fake.RecordedCalls())-calls)
	}

	// One passage of one page changed, and a page has the text of another.
	b.Write(set, map[string]string{"a.md": strings.Replace(pods, "Pending", "Waiting", 1), "c.md": "# Nodes\n\nA node is a machine.\n"})
	b.Home.Update(set, false)
	b.mustUpdate(set, m, false)
	if got := b.sent(&calls); !slices.Equal(got, []string{"passage: Pods > Phases\n\nWaiting and running."}) {
		t.Errorf("a change: %q were sent", got)
	}
	want["a.md#1"], want["c.md#0"] = "Pods > Phases\n\nWaiting and running.", want["b.md#0"]
	b.check(set, "m1", want)

	// A page is gone: no model is needed.
	b.Delete(set, "b.md")
	b.Home.Update(set, false)
	b.mustUpdate(set, m, false)
	delete(want, "b.md#0")
	b.check(set, "m1", want)
	// A rebuilt index, and all stored anew: everything is in the cache.
	b.Home.Update(set, true)
	if rep := b.mustUpdate(set, m, false); rep.Written {
		t.Errorf("the index was rebuilt: %+v", rep)
	}
	if rep := b.mustUpdate(set, m, true); !rep.Written || rep.Embedded != 0 {
		t.Errorf("again: %+v", rep)
	}
	if got := b.sent(&calls); len(got) != 0 {
		t.Errorf("again: %q were sent", got)
	}
	b.check(set, "m1", want)

	// Another version of the documentation shares most texts.
	next := b.Add("Lantern@2", map[string]string{"a.md": pods, "d.md": "# New\n\nIt is new.\n"})
	b.mustUpdate(next, m, false)
	if got := b.sent(&calls); len(got) != 1 { // the old passage is still in the cache
		t.Errorf("the next version: %q were sent", got)
	}
	// Passages that no doc set has any more are dropped: one passage, and one that is
	// only in the second version.
	if err := errors.Join(b.forget(next), vector.Remove(b.modelDir(next))); err != nil {
		t.Fatal(err)
	}
	if n, err := b.e.Prune(t.Context(), nil); n != 2 || err != nil {
		t.Errorf("%d vectors were dropped, %v", n, err)
	}
	if n, err := b.e.Prune(t.Context(), []string{"m1"}); n != 0 || err != nil {
		t.Errorf("then %d vectors were dropped, %v", n, err)
	}
}

func (b *bench) forget(set store.Set) error {
	tx, err := b.Catalog.Begin(b.t.Context())
	if err == nil {
		err = errors.Join(tx.RemoveSet(b.t.Context(), set.ID), tx.Commit())
	}
	return err
}

// A model takes another's place: the old vectors serve until the new ones are
// whole, and no vector of either is lost on the way.
func TestChangeOfModel(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	set := b.Add("Lantern@1", pages(120))
	b.mustUpdate(set, b.model("old"), false)
	ctx, cancel := context.WithCancel(t.Context())
	served := 0
	b.watch = func(e pipeline.Event) {
		v, err := b.vectors(set)
		if err != nil || v.By.Model != "old" || v.Info().Vectors != 120 {
			t.Errorf("at %d of %d the vectors are by %v: %v", e.Done, e.Total, v, err)
		}
		served++
		if e.Done == 100 {
			cancel()
		}
	}
	_, err := b.e.Update(ctx, set, b.model("new"), false, b.watch)
	if !errors.Is(err, context.Canceled) || served < 3 {
		t.Errorf("%d events, %v", served, err)
	}
	// Pruning now keeps both.
	if n, err := b.e.Prune(t.Context(), []string{"new"}); n != 0 || err != nil {
		t.Errorf("%d vectors were dropped, %v", n, err)
	}
	b.watch = nil
	if rep := b.mustUpdate(set, b.model("new"), false); rep.Embedded != 20 {
		t.Errorf("%d texts were sent after 100 of 120", rep.Embedded)
	}
	if v, err := b.vectors(set); err != nil || v.By.Model != "new" || v.Info().Vectors != 120 {
		t.Errorf("%+v, %v", v, err)
	}
	if n, err := b.e.Prune(t.Context(), []string{"new"}); n != 120 || err != nil {
		t.Errorf("%d vectors of the old model were dropped, %v", n, err)
	}
}

// pages are so many of one passage each.
func pages(n int) map[string]string {
	out := map[string]string{}
	for i := range n {
		out[fmt.Sprintf("p%03d.md", i)] = fmt.Sprintf("# Page %d\n\nIt is number %d of many.\n", i, i)
	}
	return out
}

// Batches are of 50, and the numbers of the progress agree.
func TestBatchesAndProgress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	set := b.Add("Lantern@1", pages(120))
	at := time.Unix(0, 0)
	b.e.Now = func() time.Time { at = at.Add(250 * time.Millisecond); return at }
	b.mustUpdate(set, b.model("m"), false)
	var sizes []int
	for _, c := range b.fake.RecordedCalls() {
		if c.Op == llm.OpEmbed {
			sizes = append(sizes, len(c.Texts))
		}
	}
	if !slices.Equal(sizes, []int{1, 50, 50, 20}) {
		t.Errorf("the batches are %v", sizes)
	}
	var got []string
	for i, e := range b.events {
		if e.Phase != embed.Phase || e.Seq != i+1 || e.Engine != "fake:fake-embed" {
			t.Errorf("%+v", e)
		}
		if told := strings.HasSuffix(e.Text, " left"); told != (e.Left > 0) {
			t.Errorf("%q, and %v are left", e.Text, e.Left)
		}
		got = append(got, fmt.Sprintf("%s %d/%d %s", e.Kind, e.Done, e.Total, e.Text))
	}
	want := []string{
		"started 0/0 Lantern@1",
		"progress 0/120 fake-embed: 0 of 120 passages",
		"progress 50/120 fake-embed: 50 of 120 passages, 100 a second, 1s left",
		"progress 100/120 fake-embed: 100 of 120 passages, 100 a second, 1s left",
		"progress 120/120 fake-embed: 120 of 120 passages, 80 a second",
		"done 120/120 Lantern@1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// slow takes a second for a text, and does not finish what takes more than 20.
type slow struct {
	*llmtest.Fake
	sizes []int
}

func (s *slow) Embed(ctx context.Context, r llm.EmbedRequest) ([][]float32, error) {
	s.sizes = append(s.sizes, len(r.Texts))
	if len(r.Texts) > 20 {
		return nil, &llm.Error{Kind: llm.TimedOut}
	}
	return s.Fake.Embed(ctx, r)
}

// On a slow machine batches become smaller, so that each has its time.
func TestSlowServer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	set := b.Add("Lantern@1", pages(70))
	s := &slow{Fake: b.fake}
	if rep, err := b.update(set, vectors(s, "m"), false); err != nil || rep.Embedded != 70 {
		t.Errorf("%+v, %v", rep, err)
	}
	if !slices.Equal(s.sizes[:3], []int{1, 50, 12}) {
		t.Errorf("the batches are %v", s.sizes)
	}
}

// reader reads so many letters and no more.
type reader struct {
	*llmtest.Fake
	most  int
	calls [][]string
}

func (r *reader) Embed(ctx context.Context, req llm.EmbedRequest) ([][]float32, error) {
	r.calls = append(r.calls, req.Texts)
	for _, t := range req.Texts {
		if len(t) > r.most {
			return nil, &llm.Error{Kind: llm.TooLong, Reason: "the input length exceeds the context length"}
		}
	}
	return r.Fake.Embed(ctx, req)
}

// A text that is too long is cut, nothing of it is left out, and its vector is
// that of its parts.
func TestTooLong(t *testing.T) {
	t.Parallel()
	var words []string
	for i := range 300 {
		words = append(words, fmt.Sprintf("word%d", i))
	}
	long := "# Long\n\n" + strings.Join(words, " ") + "\n"
	for _, tt := range []struct {
		name   string
		tokens int
		cuts   bool
	}{{"the limit is not known", 0, false}, {"it is known", 300, false}, {"it reads less than it says", 5000, false}, {"the server would cut", 100, true}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			set := b.Add("Lantern@1", map[string]string{"long.md": long, "short.md": "# Short\n\nIt is short.\n"})
			r := &reader{Fake: b.fake, most: 400}
			m := vectors(r, "m")
			m.Tokens, m.Cuts = tt.tokens, tt.cuts
			b.mustUpdate(set, m, false)
			if tt.cuts {
				for _, c := range r.calls {
					if slices.ContainsFunc(c, func(t string) bool { return len(t) > 3*100 }) {
						t.Errorf("a text that may be cut was sent: %q", c)
					}
				}
			}
			var read strings.Builder
			want := make([]float32, 8)
			for _, c := range b.fake.RecordedCalls() {
				for _, text := range c.Texts {
					rest, ok := strings.CutPrefix(text, "passage: ")
					if !ok {
						t.Errorf("%q has no prefix", text)
					}
					read.WriteString(rest)
					if text == probe || strings.HasPrefix(rest, "Short") {
						continue
					}
					for i, x := range llmtest.Vector(text, len(want)) {
						want[i] += x * float32(len(rest))
					}
				}
			}
			if !strings.Contains(read.String(), strings.Join(words, " ")) {
				t.Errorf("the model read %q", read.String())
			}
			v, err := b.vectors(set)
			if err != nil || v.Info().Vectors != 2 {
				t.Fatalf("%v, %v", v, err)
			}
			docs, err := b.Catalog.Documents(t.Context(), set.ID)
			if err != nil {
				t.Fatal(err)
			}
			got, err := v.Vectors.Vectors(t.Context(), []store.Key{{Doc: docs[0].ID}})
			if err != nil {
				t.Fatal(err)
			}
			if c := cosineOfUnitVectors(got[0], want); c < 0.999 {
				t.Errorf("its vector is not the mean of those of its parts: %v", c)
			}
		})
	}
	t.Run("it reads nothing", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		set := b.Add("Lantern@1", map[string]string{"long.md": long})
		_, err := b.update(set, vectors(&reader{Fake: b.fake, most: len(probe)}, "m"), false)
		if err != nil {
			t.Errorf("a model that reads as much as the probe: %v", err)
		}
		_, err = b.update(set, vectors(&reader{Fake: b.fake, most: 5}, "n"), false)
		if llm.KindOf(err) != llm.TooLong {
			t.Errorf("one that reads less: %v", err)
		}
	})
}

// Pages of blanks, of nothing, and a doc set without any page.
func TestNothingToEmbed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	empty := b.Add("Empty@1", map[string]string{})
	if rep := b.mustUpdate(empty, b.model("m"), false); rep.Embedded != 0 || len(b.fake.RecordedCalls()) != 0 {
		t.Errorf("%+v, %v", rep, b.fake)
	}
	set := b.Add("Blank@1", map[string]string{"a.md": "", "b.md": " \n\n\t\n", "c.md": "# C\n\nsea\n"})
	b.mustUpdate(set, b.model("m"), false)
	st, err := embed.LookUpState(t.Context(), b.Catalog, b.Indexes(), set)
	if err != nil || !st.Complete() || st.Pages != 3 {
		t.Errorf("%+v, %v", st, err)
	}
	for _, c := range b.fake.RecordedCalls() {
		if slices.ContainsFunc(c.Texts, func(s string) bool { return strings.TrimSpace(strings.TrimPrefix(s, "passage:")) == "" }) {
			t.Errorf("a blank text was sent: %q", c.Texts)
		}
	}
	if rep := b.mustUpdate(set, b.model("m"), false); rep.Written {
		t.Errorf("again: %+v", rep)
	}
}

// A page that changed since it was indexed is left for the next update, which is
// no reason to write the store anew each time.
func TestPageChangedMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	set := b.Add("Lantern@1", map[string]string{"a.md": "# A\n\nalpha\n", "b.md": "# B\n\nbeta\n"})
	b.Write(set, map[string]string{"b.md": "# B\n\nanother\n"})
	rep := b.mustUpdate(set, b.model("m"), false)
	st, err := embed.LookUpState(t.Context(), b.Catalog, b.Indexes(), set)
	if err != nil || rep.Skipped != 1 || st.Missing != 1 || st.Complete() {
		t.Errorf("%+v, %+v, %v", rep, st, err)
	}
	if rep := b.mustUpdate(set, b.model("m"), false); rep.Written || rep.Skipped != 1 {
		t.Errorf("again: %+v", rep)
	}
	b.Home.Update(set, false)
	if rep := b.mustUpdate(set, b.model("m"), false); !rep.Written || rep.Embedded != 1 {
		t.Errorf("after the update: %+v", rep)
	}
	b.check(set, "m", map[string]string{"a.md#0": "A\n\nalpha", "b.md#0": "B\n\nanother"})
}

// The index moves on while the model works: the new passages are embedded too, and none
// twice.
func TestIndexMovesOn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	set := b.Add("Lantern@1", pages(60))
	once := sync.OnceFunc(func() {
		b.Write(set, map[string]string{"p000.md": "# Page 0\n\nIt is another now.\n", "new.md": "# New\n\nIt is new.\n"})
		b.Delete(set, "p001.md")
		b.Home.Update(set, false)
	})
	b.watch = func(e pipeline.Event) {
		if e.Done == 50 {
			once()
		}
	}
	rep := b.mustUpdate(set, b.model("m"), false)
	st, err := embed.LookUpState(t.Context(), b.Catalog, b.Indexes(), set)
	if err != nil || !st.Complete() || st.Pages != 60 || rep.Embedded != 62 {
		t.Errorf("%+v, %+v, %v", rep, st, err)
	}
}

// What another process dropped from the cache, or forgot with the model, between
// the last batch and the store, is made again.
func TestCacheLosesMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	set := b.Add("Lantern@1", pages(60))
	once := sync.OnceFunc(func() {
		if err := b.cache.Forget(t.Context(), "m"); err != nil {
			t.Error(err)
		}
	})
	b.watch = func(e pipeline.Event) {
		if e.Done == 50 {
			once()
		}
	}
	if rep := b.mustUpdate(set, b.model("m"), false); rep.Embedded != 110 {
		t.Errorf("%+v", rep)
	}
}

// A doc set that is removed while the model works leaves nothing behind.
func TestRemovedMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	set := b.Add("Lantern@1", pages(60))
	b.watch = func(e pipeline.Event) {
		if e.Done == 50 {
			if err := errors.Join(b.forget(set), b.Indexes().Remove(set.ID)); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := b.update(set, b.model("m"), false); !errors.Is(err, embed.ErrGone) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(b.modelDir(set)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// The server dies midway: the finished batches stay.
func TestServerDies(t *testing.T) {
	t.Parallel()
	b := newBench(t, llmtest.Exchange{Op: llm.OpEmbed, Times: 2}, llmtest.Exchange{Op: llm.OpEmbed, Times: 1},
		llmtest.Exchange{Op: llm.OpEmbed, Fails: llm.Denied})
	set := b.Add("Lantern@1", pages(120))
	rep, err := b.update(set, b.model("m"), false)
	if llm.KindOf(err) != llm.Denied || rep.Embedded != 100 || rep.Written || !strings.Contains(err.Error(), "Lantern@1") {
		t.Errorf("%+v, %v", rep, err)
	}
	if last := b.events[len(b.events)-1]; last.Kind != pipeline.PhaseFailed {
		t.Errorf("the last event is %+v", last)
	}
	if _, _, err := b.Corpus.ModelVectors(t.Context(), set); !errors.Is(err, store.ErrVectorsDamaged) {
		t.Errorf("there are vectors: %v", err)
	}
	b.fake = llmtest.NewFake()
	if rep := b.mustUpdate(set, b.model("m"), false); rep.Embedded != 20 {
		t.Errorf("%+v", rep)
	}
}

// The model behind a name becomes another one. It is said, and a rebuild of one
// doc set has the others follow.
func TestModelIsAnotherOne(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		after func(*bench) model.Vectors
		is    error
		dims  int
	}{
		{"another dimension", func(b *bench) model.Vectors { b.fake = &llmtest.Fake{Dimension: 12}; return b.model("m") }, model.ErrDimension, 12},
		{"another dimension, and the server says so", func(b *bench) model.Vectors {
			b.fake = &llmtest.Fake{Dimension: 12}
			m := b.model("m")
			m.Dimension = 12
			return m
		}, model.ErrDimension, 12},
		{"other vectors", func(b *bench) model.Vectors { return vectors(&turned{b.fake}, "m") }, embed.ErrChanged, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			one := b.Add("One@1", map[string]string{"a.md": "# A\n\nalpha\n"})
			two := b.Add("Two@1", map[string]string{"b.md": "# B\n\nbeta\n"})
			b.mustUpdate(one, b.model("m"), false)
			b.mustUpdate(two, b.model("m"), false)
			m := tt.after(b)
			b.Write(one, map[string]string{"a.md": "# A\n\nanother\n"})
			b.Home.Update(one, false)
			if _, err := b.update(one, m, false); !errors.Is(err, tt.is) || !slices.Equal(contract.RemedyOf(err).Command, []string{"update", "--rebuild", one.Ref.String()}) {
				t.Errorf("%v", err)
			}
			if v, err := b.vectors(one); err != nil || v.Info().Dims != 8 || v.Info().Vectors != 1 {
				t.Errorf("what was stored: %v, %v", v, err)
			}
			if rep := b.mustUpdate(one, m, true); rep.Embedded != 1 || rep.Dimension != tt.dims {
				t.Errorf("a rebuild: %+v", rep)
			}
			if rep := b.mustUpdate(two, m, false); rep.Embedded != 1 || rep.Dimension != tt.dims || !rep.Written {
				t.Errorf("the other doc set: %+v", rep)
			}
			if rep := b.mustUpdate(two, m, false); rep.Written {
				t.Errorf("the other doc set again: %+v", rep)
			}
		})
	}
}

// turned is another model of the same dimension.
type turned struct{ *llmtest.Fake }

func (s *turned) Embed(ctx context.Context, r llm.EmbedRequest) ([][]float32, error) {
	vs, err := s.Fake.Embed(ctx, r)
	for _, v := range vs {
		slices.Reverse(v)
	}
	return vs, err
}

// A profile asks for a dimension that the model does not have.
func TestDimensionOfTheProfile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	set := b.Add("Lantern@1", map[string]string{"a.md": "# A\n\nalpha\n"})
	m := b.model("m")
	m.Dimension = 1024
	if _, err := b.update(set, m, false); !errors.Is(err, model.ErrDimension) || !strings.Contains(err.Error(), "dimension to 8") {
		t.Errorf("%v", err)
	}
}

// A model that cannot embed.
func TestIncapable(t *testing.T) {
	t.Parallel()
	b := newBench(t, llmtest.Exchange{Op: llm.OpEmbed, Fails: llm.Incapable, Reason: "this model does not support embeddings"})
	set := b.Add("Lantern@1", map[string]string{"a.md": "# A\n\nalpha\n"})
	if _, err := b.update(set, b.model("m"), false); llm.KindOf(err) != llm.Incapable {
		t.Errorf("%v", err)
	}
}

// Damage in any stored file is noticed, and the file is made anew from the cache.
func TestDamagedStore(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	set := b.Add("Lantern@1", map[string]string{"a.md": "# A\n\nalpha\n"})
	want := map[string]string{"a.md#0": "A\n\nalpha"}
	b.mustUpdate(set, b.model("m"), false)
	dir := b.modelDir(set)
	// The state next to the vectors is of another store.
	for _, tt := range []struct {
		name  string
		spoil func() error
	}{
		{"the basis says another model", func() error {
			up, err := vector.BeginUpdate(dir, "somebody else", 8, true)
			if err != nil {
				return err
			}
			r, err := vector.OpenReader(dir)
			if err != nil {
				return err
			}
			basis, err := r.BasisBytes()
			up.Attach(basis)
			return errors.Join(err, r.Close(), up.Prepare(t.Context()), up.Commit())
		}},
		{"another dimension", func() error {
			up, err := vector.BeginUpdate(dir, "m", 9, true)
			if err != nil {
				return err
			}
			up.Attach([]byte("\x0f\x00\x00\x00" + `{"model":"m"  }`))
			return errors.Join(up.Prepare(t.Context()), up.Commit())
		}},
		{"no basis", func() error {
			up, err := vector.BeginUpdate(dir, "m", 8, true)
			if err != nil {
				return err
			}
			return errors.Join(up.Prepare(t.Context()), up.Commit())
		}},
		{"a file is gone", func() error {
			return os.RemoveAll(filepath.Join(dir, "manifest.json"))
		}},
	} {
		if err := tt.spoil(); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if _, _, err := b.Corpus.ModelVectors(t.Context(), set); !errors.Is(err, store.ErrVectorsDamaged) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if rep := b.mustUpdate(set, b.model("m"), false); !rep.Written || rep.Embedded != 0 {
			t.Errorf("%s: %+v", tt.name, rep)
		}
		b.check(set, "m", want)
	}
}
