package embed

import (
	"context"
	"fmt"
	"strings"
	"time"

	"docent/llm"
	"docent/store"
)

// text is one that the model has yet to read.
type text struct {
	key      store.TextKey
	text     string
	passages int // that have it
}

// A batch is of mostBatch texts, and of fewer on a machine on which it would take
// longer than longBatch: a batch is what a crash loses, and what a time limit
// holds for.
const (
	mostBatch = 50 // specification 4's batchSize
	longBatch = 30 * time.Second
)

// special is room for the tokens that a model puts around a text.
const special = 8

// tokenRoom is how many tokens a text may have; 0: it is not known.
func (w *work) tokenRoom() int {
	if w.m.Tokens == 0 {
		return 0
	}
	return max(leastRoom, w.m.Tokens-special-estimateTokens(w.m.ForPassage))
}

// leastRoom is the number of tokens under which a text is not cut further: a
// model that cannot read them reads nothing.
const leastRoom = 8

// likelyFits reports whether a text is probably short enough.
func (w *work) likelyFits(t string) bool {
	return w.m.Tokens == 0 || estimateTokens(t) <= w.tokenRoom()
}

// flush makes the vectors of the first texts of the queue, which are probably
// short enough, keeps them, and gives the rest.
func (w *work) flush(ctx context.Context, queue []text) ([]text, error) {
	n := min(w.batch, len(queue))
	begun := w.e.Now()
	texts := make([]string, n)
	for i := range texts {
		texts[i] = queue[i].text
	}
	vectors, err := w.askModel(ctx, texts)
	switch kind := llm.KindOf(err); {
	case kind == llm.TooLong:
		vectors, err = w.embedEach(ctx, texts)
	case kind == llm.TimedOut && n > 1 && ctx.Err() == nil:
		w.batch = max(1, n/4)
		return queue, nil
	}
	if err != nil {
		return queue, err
	}
	return queue[n:], w.keepVectors(ctx, queue[:n], vectors, begun)
}

// flushLong is as flush for a text that is probably too long.
func (w *work) flushLong(ctx context.Context, t text) error {
	begun := w.e.Now()
	v, err := w.embedLong(ctx, t.text)
	if err != nil {
		return err
	}
	return w.keepVectors(ctx, []text{t}, [][]float32{v}, begun)
}

// keepVectors puts vectors into the cache and tells how far it is.
func (w *work) keepVectors(ctx context.Context, texts []text, vectors [][]float32, begun time.Time) error {
	entries := make([]store.TextVector, len(texts))
	passages := 0
	for i, t := range texts {
		entries[i] = store.TextVector{Key: t.key, Vector: vectors[i]}
		passages += t.passages
	}
	if err := w.e.Cache.Put(ctx, w.model, entries); err != nil {
		return err
	}
	w.rep.Embedded += len(texts)
	now := w.e.Now()
	if took := now.Sub(begun); took > 0 {
		w.batch = min(mostBatch, max(1, int(int64(len(texts))*int64(longBatch)/int64(took))))
	}
	w.meter.addProgress(now, len(texts), passages)
	w.reportProgress(now)
	return nil
}

// embedEach makes the vectors of texts of which one is too long.
func (w *work) embedEach(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		v, err := w.embedLong(ctx, t)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// embedLong makes the vector of a text that may be too long: of the whole, where the
// server refuses what it cannot read, or else of its parts.
func (w *work) embedLong(ctx context.Context, t string) ([]float32, error) {
	room := w.tokenRoom()
	if w.likelyFits(t) || !w.m.Cuts {
		vs, err := w.askModel(ctx, []string{t})
		if err == nil {
			return vs[0], nil
		}
		if llm.KindOf(err) != llm.TooLong {
			return nil, err
		}
	}
	if n := estimateTokens(t) / 2; room == 0 || room > n {
		room = n // it has more than it is reckoned with
	}
	vectors, weights, err := w.embedParts(ctx, t, room)
	if err != nil {
		return nil, err
	}
	return weightedMean(vectors, weights), nil
}

// embedParts makes the vectors of a text's parts, of at most so many tokens, or of
// smaller ones where the model cannot read those, with their lengths.
func (w *work) embedParts(ctx context.Context, t string, room int) (vectors [][]float32, weights []int, err error) {
	var parts []string
	for _, p := range splitText(t, max(room, leastRoom)) {
		if strings.TrimSpace(p) != "" {
			parts, weights = append(parts, p), append(weights, len(p))
		}
	}
	vectors, err = w.askModel(ctx, parts)
	if llm.KindOf(err) != llm.TooLong {
		return vectors, weights, err
	}
	if room <= leastRoom {
		return nil, nil, fmt.Errorf("%s cannot read even %d characters: %w", w.m.Engine, len([]rune(parts[0])), err)
	}
	vectors, weights = nil, nil
	for _, p := range parts {
		vs, lengths := [][]float32(nil), []int{len(p)}
		vs, err = w.askModel(ctx, []string{p})
		if llm.KindOf(err) == llm.TooLong {
			vs, lengths, err = w.embedParts(ctx, p, min(room, estimateTokens(p))/2)
		}
		if err != nil {
			return nil, nil, err
		}
		vectors, weights = append(vectors, vs...), append(weights, lengths...)
	}
	return vectors, weights, nil
}
