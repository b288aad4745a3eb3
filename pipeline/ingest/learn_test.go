package ingest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/ingest"
	"docent/store"
	"docent/store/lexical"
)

// learned are the vectors of a doc set by page and passage, and the model's bytes.
// The numbers of documents depend on history and are left out.
func learned(t *testing.T, h *corpustest.Home, set store.Set) (map[string][]float32, []byte) {
	t.Helper()
	paths := map[int64]string{}
	for path, id := range ids(t, h, set) {
		paths[id] = path
	}
	words, err := lexical.OpenReader(h.IndexDir(set.ID))
	if err != nil {
		t.Fatal(err)
	}
	defer words.Close()
	keys, err := words.Keys(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r, err := h.Indexes().OpenVectors(context.Background(), set.ID, store.LearnedVectors)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	vectors, err := r.Vectors(context.Background(), keys)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]float32{}
	for i, k := range keys {
		// A passage of which the model knows no term has none.
		if vectors[i] != nil {
			out[fmt.Sprintf("%s %d.%d", paths[k.Doc], k.Chunk, k.Part)] = vectors[i]
		}
	}
	if n := r.Info().Vectors; n != len(out) || n < len(keys)*9/10 {
		t.Errorf("%d vectors, %d of the %d passages", n, len(out), len(keys))
	}
	raw, err := r.Attachment(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	_, model, err := ingest.ReadBasis(raw)
	if err != nil {
		t.Fatal(err)
	}
	return out, bytes.Clone(model.Encode())
}

func learning(t *testing.T, h *corpustest.Home, set store.Set) ingest.Learning {
	t.Helper()
	l, err := h.Ingester().Learning(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The vectors of changed pages are folded into the model that is there. Settled,
// they are to the last bit those of a home to which the same pages were added at
// once, whatever the history of updates.
func TestSettledVectorsDoNotDependOnHistory(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	pages := corpustest.MakePages(200)
	paths := slices.Sorted(maps.Keys(pages))

	one := corpustest.New(t)
	first := one.Add("A@1", pages)
	before, model := learned(t, one, first)
	if l := learning(t, one, first); !l.Settled || l.Due != "" || l.Passages != len(before) {
		t.Fatalf("after adding: %+v", l)
	}
	changed := paths[7]
	one.Write(first, map[string]string{changed: pages[changed] + "\n\n## Later\n\nThe keeper of the lantern trims a wick.\n"})
	one.Update(first, false)
	folded, same := learned(t, one, first)
	if !bytes.Equal(model, same) {
		t.Error("a plain update trained the model again")
	}
	unlike := 0
	for key, v := range folded {
		if !reflect.DeepEqual(v, before[key]) {
			unlike++
		}
	}
	l := learning(t, one, first)
	if l.Settled || l.Folded == 0 || l.Removed == 0 || unlike == 0 || unlike > l.Folded || len(folded) != len(before)+1 {
		t.Errorf("after an update: %+v, %d vectors of %d are others", l, unlike, len(folded))
	}
	one.Delete(first, paths[3])
	one.Update(first, false)
	one.Write(first, map[string]string{"new.md": "# A new page\n\nOf beacons and tides.\n", changed: pages[changed]})
	one.Update(first, false)

	// Another home, in another order, and the pages there too are those in the end.
	two := corpustest.New(t)
	two.Add("Other@1", map[string]string{"x.md": "# X\n"})
	half := map[string]string{}
	for _, p := range paths[60:] {
		half[p] = pages[p]
	}
	second := two.Add("A@1", half)
	rest := map[string]string{"new.md": "# A new page\n\nOf beacons and tides.\n"}
	for _, p := range paths[:60] {
		if p != paths[3] {
			rest[p] = pages[p]
		}
	}
	two.Write(second, rest)
	two.Update(second, false)

	// And one that never knew anything else.
	three := corpustest.New(t)
	maps.Copy(rest, half)
	third := three.Add("A@1", rest)

	if x, _ := learned(t, one, first); reflect.DeepEqual(x, func() map[string][]float32 { y, _ := learned(t, two, second); return y }()) {
		t.Error("before settling both homes have the same vectors: nothing is proved")
	}
	for _, h := range []struct {
		*corpustest.Home
		set store.Set
	}{{one, first}, {two, second}, {three, third}} {
		if err := h.Ingester().Settle(ctx, h.set, nil); err != nil {
			t.Fatal(err)
		}
		if l := learning(t, h.Home, h.set); !l.Settled || l.Due != "" || l.Folded+l.Removed != 0 {
			t.Errorf("after settling: %+v", l)
		}
	}
	want, model := learned(t, three, third)
	for i, got := range []func() (map[string][]float32, []byte){
		func() (map[string][]float32, []byte) { return learned(t, one, first) },
		func() (map[string][]float32, []byte) { return learned(t, two, second) },
	} {
		vectors, m := got()
		if !reflect.DeepEqual(vectors, want) || !bytes.Equal(m, model) {
			t.Errorf("home %d: settled vectors are not those of the same pages added at once", i+1)
		}
	}
	// Settling a settled doc set does nothing.
	events := 0
	if err := one.Ingester().Settle(ctx, first, func(pipeline.Event) { events++ }); err != nil || events > 0 {
		t.Errorf("%d events, %v", events, err)
	}
}

// An update that ends behind its publish step leaves vectors that are older than the
// pages. The next one folds everything in, though no page changed.
func TestVectorsCatchUp(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	pages := corpustest.MakePages(150)
	set := h.Add("A@1", pages)
	_, model := learned(t, h, set)
	paths := slices.Sorted(maps.Keys(pages))
	h.Write(set, map[string]string{paths[0]: pages[paths[0]] + "\nAnd more.\n"})
	h.Delete(set, paths[1])
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err := h.Ingester().Update(ctx, set, false, func(e pipeline.Event) {
		if e.Phase == ingest.PhaseLearn {
			cancel()
		}
	})
	if !errors.Is(err, ingest.ErrUnlearned) {
		t.Fatal(err)
	}
	if l := learning(t, h, set); l.Settled || l.Due == "" {
		t.Errorf("%+v", l)
	}
	if rep := h.Update(set, false); rep.Touched() {
		t.Errorf("%+v", rep)
	}
	_, same := learned(t, h, set)
	if l := learning(t, h, set); l.Settled || l.Due != "" || l.Folded == 0 || l.Removed == 0 || !bytes.Equal(model, same) {
		t.Errorf("%+v", l)
	}
}

// Pages about something else make training due before there are many of them, and more pages of the
// same do not.
func TestOtherSubjectsMakeTrainingDue(t *testing.T) {
	t.Parallel()
	page := func(subject string, n int) string {
		var text strings.Builder
		for section := range 4 {
			fmt.Fprintf(&text, "# Section %d\n\n", section)
			for word := range 60 {
				fmt.Fprintf(&text, "%s%d ", subject, (n+7*section+word*word)%90)
			}
			text.WriteString("\n\n")
		}
		return text.String()
	}
	for _, subject := range []string{"pump", "tern"} {
		h := corpustest.New(t)
		pages, more := map[string]string{}, map[string]string{}
		for i := range 120 {
			pages[fmt.Sprintf("pump%d.md", i)] = page("pump", i)
		}
		for i := range 20 {
			more[fmt.Sprintf("more%d.md", i)] = page(subject, 1000+i)
		}
		set := h.Add("A@1", pages)
		h.Write(set, more)
		h.Update(set, false)
		if l := learning(t, h, set); l.Folded < 50 || strings.Contains(l.Due, "is new") != (subject == "tern") {
			t.Errorf("%s: %+v", subject, l)
		}
	}
}

// The vectors of a small doc set are always settled: training takes no longer than
// the rest of an update.
func TestSmallDocSetsAreSettled(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", corpustest.MakePages(15))
	h.Write(set, map[string]string{"new.md": "# New\n\nOf lanterns.\n"})
	h.Update(set, false)
	if l := learning(t, h, set); !l.Settled || l.Due != "" {
		t.Errorf("%+v", l)
	}
	tiny := h.Add("B@1", map[string]string{"a.md": "# A\n"})
	if l := learning(t, h, tiny); !l.Settled || l.Due != "" {
		t.Errorf("%+v", l)
	}
}

// How long an update of a small doc set takes with training: what trainInline is
// chosen by.
func BenchmarkTrainInline(b *testing.B) {
	for _, n := range []int{20, 60, 100, 200, 400} {
		b.Run(fmt.Sprint(n, " pages"), func(b *testing.B) {
			h := corpustest.New(b)
			set := h.Add("Bench@1", corpustest.MakePages(n))
			in := h.Ingester()
			l, err := in.Learning(context.Background(), set)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(l.Passages), "passages")
			for b.Loop() {
				if err := in.Train(context.Background(), set); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
