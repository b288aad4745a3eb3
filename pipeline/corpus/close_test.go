package corpus_test

import (
	"sync"
	"testing"

	"docent/pipeline/corpus/corpustest"
)

// A library that is closed while somebody opens an index leaves none open.
func TestCloseWhileOpening(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", corpustest.MakePages(3))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				x, release, err := h.Corpus.Index(t.Context(), set)
				if err != nil {
					continue
				}
				if n := x.Statistics().Documents; n != 3 {
					t.Errorf("the index has %d documents", n)
				}
				release()
			}
		})
	}
	wg.Go(func() {
		if err := h.Corpus.Close(); err != nil {
			t.Error(err)
		}
	})
	wg.Wait()
}
