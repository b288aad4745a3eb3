package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/cmd/internal/config"
	"docent/llm"
	"docent/llm/llmtest"
	"docent/pipeline"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/vectors"
	"docent/store"
)

// opened opens a home with doc sets, without asking a model, and then again with
// the model server at address.
func opened(t *testing.T, address string, names ...string) *App {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "home")
	a, err := Open(t.Context(), Options{Home: dir, Engine: config.EngineBuiltin})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		docs := filepath.Join(t.TempDir(), name+"@1")
		if err := os.MkdirAll(docs, 0o700); err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			if err := os.WriteFile(filepath.Join(docs, fmt.Sprintf("%02d.md", i)), fmt.Appendf(nil, "# Lamp %d\n\nLamp %d of %s burns oil.\n", i, i, name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		found, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{docs}}, a.Home.Parsers, home.Watch{})
		if err == nil {
			_, err = a.Library.Add(t.Context(), found, home.Watch{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if a, err = Open(t.Context(), Options{Home: dir, Env: func(name string) string {
		if name == "OLLAMA_HOST" {
			return address
		}
		return ""
	}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// serving is by which model each doc set has how many vectors.
func serving(t *testing.T, a *App) (out []string) {
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

// A program that runs on makes what is missing beside its other work, leaves what
// another is at work on to it, and can be ended at any time.
func TestKeepEmbedded(t *testing.T) {
	t.Parallel()
	s := llmtest.Ollama(t)
	a := opened(t, llmtest.NewProxy(t, s.URL).URL, "One", "Two")
	if got := serving(t, a); !slices.Equal(got, []string{"none", "none"}) {
		t.Errorf("at first: %q", got)
	}

	// It ends when it is told to, and what it did stays.
	ctx, cancel := context.WithCancel(t.Context())
	err := a.Vectors.KeepEmbedded(ctx, home.Watch{Events: func(e pipeline.Event) {
		if e.Phase == embed.Phase && e.Done == 50 {
			cancel()
		}
	}})
	if !errors.Is(err, vectors.ErrUnembedded) || !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}

	// Somebody else is at work on the second doc set.
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
	if got := serving(t, a); !slices.Equal(got, []string{"ollama:tiny-embed 60", "none"}) || !strings.HasPrefix(first, "tiny-embed: 50 of 60 passages") {
		t.Errorf("while somebody else is at work: %q, beginning with %q", got, first)
	}
	// Whoever was asked for that doc set waits for them, and can be told not to.
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
	if got := serving(t, a); !slices.Equal(got, []string{"ollama:tiny-embed 60", "ollama:tiny-embed 60"}) {
		t.Errorf("in the end: %q", got)
	}

	// The server goes: nothing is to be done, so nobody misses it. And with
	// something to do, it is an error of what asked, not of the home.
	s.Kill()
	if err := a.Vectors.KeepEmbedded(t.Context(), home.Watch{}); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(sets[0].Root, "00.md"), []byte("# Lamp 0\n\nAnother.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
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
