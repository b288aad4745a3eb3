package vectors_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"docent/llm"
	"docent/llm/llmtest"
	"docent/pipeline"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/servicetest"
	"docent/pipeline/service/vectors"
	"docent/store"
)

// lamps are so many pages on lamps of a make.
func lamps(brand string, pages int) map[string]string {
	out := map[string]string{}
	for i := range pages {
		out[fmt.Sprintf("%02d.md", i)] = fmt.Sprintf("# Lamp %d\n\nLamp %d of %s burns oil.\n", i, i, brand)
	}
	return out
}

// opened opens a home with doc sets of 60 pages, whose vectors a model can make.
func opened(t *testing.T, names ...string) (*servicetest.Home, *servicetest.Models) {
	t.Helper()
	models, _ := servicetest.Fake()
	h := servicetest.Open(t, servicetest.Options{Models: models})
	for _, name := range names {
		h.Add(name+"@1", lamps(name, 60))
	}
	models.Embedding = "tiny-embed"
	return h, models
}

// serving is by which model each doc set has how many vectors.
func serving(t *testing.T, a *servicetest.Home) (out []string) {
	t.Helper()
	sets, err := a.Home.Corpus.Sets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sets {
		switch v, release, err := a.Home.Corpus.ModelVectors(t.Context(), s); {
		case errors.Is(err, store.ErrVectorsDamaged):
			out = append(out, "none")
		case err != nil:
			t.Fatal(err)
		default:
			out = append(out, fmt.Sprintf("%s %d", v.By.Engine, v.Info().Vectors))
			release()
		}
	}
	return out
}

// A program that runs on makes what is missing while it does other work, leaves a doc set
// to another process that is at work on it, and can be ended at any time.
func TestKeepEmbedded(t *testing.T) {
	t.Parallel()
	a, models := opened(t, "One", "Two")
	if got := serving(t, a); !slices.Equal(got, []string{"none", "none"}) {
		t.Errorf("at first: %q", got)
	}

	// It ends with its context, and the vectors that it made stay.
	ctx, cancel := context.WithCancel(t.Context())
	err := a.Vectors.KeepEmbedded(ctx, home.Watch{Events: func(e pipeline.Event) {
		if e.Phase == embed.Phase && e.Done == 50 {
			cancel()
		}
	}})
	if !errors.Is(err, vectors.ErrUnembedded) || !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}

	// Another process is at work on the second doc set.
	sets, err := a.Home.Corpus.Sets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	held, err := a.Home.Indexes.LockSet(t.Context(), sets[1].ID, store.Embedding, "embed", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	var first string
	if err := a.Vectors.KeepEmbedded(t.Context(), home.Watch{Events: func(e pipeline.Event) {
		if first == "" && e.Kind == pipeline.PhaseProgress {
			first = e.Text
		}
	}}); err != nil {
		t.Error(err)
	}
	if got := serving(t, a); !slices.Equal(got, []string{"fake:tiny-embed 60", "none"}) || !strings.HasPrefix(first, "tiny-embed: 50 of 60 passages") {
		t.Errorf("while another process is at work: %q, beginning with %q", got, first)
	}
	// A person who asks for that doc set waits for the other process, and can end the wait.
	waiting := false
	ctx, cancel = context.WithCancel(t.Context())
	_, err = a.Vectors.Embed(ctx, sets, false, home.Watch{Note: func(format string, _ ...any) {
		waiting = waiting || strings.HasPrefix(format, "waiting for ")
		cancel()
	}})
	if !waiting || !errors.Is(err, vectors.ErrUnembedded) {
		t.Errorf("waiting %v: %v", waiting, err)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	if err := a.Vectors.KeepEmbedded(t.Context(), home.Watch{}); err != nil {
		t.Error(err)
	}
	if got := serving(t, a); !slices.Equal(got, []string{"fake:tiny-embed 60", "fake:tiny-embed 60"}) {
		t.Errorf("in the end: %q", got)
	}

	// The server goes: where nothing is missing, that is no error. Where something is, it
	// is an error of the process that asked, and not of the home.
	models.Client = llm.New(llmtest.NewFake(llmtest.Exchange{Op: llm.OpEmbed, Fails: llm.Unreachable}), llm.Options{})
	if err := a.Vectors.KeepEmbedded(t.Context(), home.Watch{}); err != nil {
		t.Error(err)
	}
	a.Write("One@1", map[string]string{"00.md": "# Lamp 0\n\nAnother.\n"})
	var notes []string
	out, err := a.Library.Update(t.Context(), library.UpdateRequest{}, home.Watch{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }})
	if err != nil || len(out.Sets) != 2 || len(notes) != 1 || !strings.Contains(notes[0], "One@1 answers by its words") {
		t.Errorf("%+v, %v, %q", out, err, notes)
	}
	if err := a.Vectors.KeepEmbedded(t.Context(), home.Watch{}); llm.KindOf(err) != llm.Unreachable {
		t.Errorf("without a server: %v", err)
	}
	if st, err := a.Vectors.ModelVectors(t.Context(), sets[0]); err != nil || st.Missing != 1 || st.Complete() {
		t.Errorf("%+v, %v", st, err)
	}
}
