// Package embed has a model make the vectors of doc sets' passages, and stores them next
// to their indexes.
//
// The missing vectors of a doc set are found by comparing its word index with its store.
// Texts that the model has embedded before, for any doc set, come from the cache
// (store/embeddings). The other texts go to the model in batches. Each batch is in the
// cache before the next is sent, so that after a crash the next run continues there. When
// all vectors are complete, the store is switched to them at once: until then the old
// vectors, perhaps of another model, are used. The home's lock is held for that last step
// only, since the rest may take hours.
//
// A text that the model cannot read whole is cut between lines or words, and its
// vector is the mean of those of its parts, weighted by their lengths. No text is
// shortened in silence.
//
// It refuses to choose the model, to wait for one that is away, and to search.
package embed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/chunk"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/store"
	"docent/store/floats"
	"docent/store/parallel"
)

// Phase is the phase of the events. The text of the first event is the doc set's name, of
// the others the progress, in passages.
const Phase = "ingest-embed"

// ErrChanged means that a model is not the one that it was, though its identity
// is the same: servers that do not say what a model is made of cannot be asked.
var ErrChanged = errors.New("the model is another one than before")

// ErrGone means that a doc set was removed during the work.
var ErrGone = errors.New("the doc set was removed")

// form is the version of Text. Vectors of texts of another form are made again.
const form = 1

// PassageText is a passage as a model reads it: the page's titles and the headings, each once,
// and the text under them. The model's prefix for passages is not included. It is "" for
// a passage without any text.
func PassageText(p store.Passage) string {
	var names []string
	for _, field := range []store.Field{store.Title, store.Heading} {
		for name := range strings.SplitSeq(p.Fields[field], "\n") {
			if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	body := strings.TrimSpace(p.Fields[store.Body])
	if first, rest, _ := strings.Cut(body, "\n"); slices.Contains(names, strings.TrimSpace(first)) {
		body = rest // the passage begins with its heading
	}
	var parts []string
	for _, part := range []string{strings.Join(names, " > "), body, p.Fields[store.Code]} {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.ToValidUTF8(strings.Join(parts, "\n\n"), "\uFFFD")
}

// Embedder makes and stores vectors. The home's lock is not held.
type Embedder struct {
	Catalog Catalog
	Indexes Indexes
	Parsers *parse.Registry
	Cache   Cache
	// Lock takes the home's lock, for the moment in which a store is written.
	Lock func(context.Context) (release func() error, err error)
	Now  func() time.Time // for the rate
}

// Report is the outcome for a doc set.
type Report struct {
	Set       string `json:"set"`
	Model     string `json:"model"` // its name in traces
	Dimension int    `json:"dimension"`
	Passages  int    `json:"passages"` // of the doc set
	Embedded  int    `json:"embedded"` // texts that the model was sent
	Written   bool   `json:"written"`  // something was different
	// Skipped are pages that changed since they were indexed, or are gone: the next
	// update has them.
	Skipped int `json:"skipped"`
}

// rounds is how often the vectors of a doc set are written again because its index
// changed during the work. Each round embeds only the new passages.
const rounds = 5

// Update brings a doc set's vectors up to its word index. With again, all are
// stored anew, from the cache where that has them; and if the model is another
// one than before under the same identity, then by it.
//
// After an error the store is unchanged, and the cache has the new vectors. It wraps
// model.ErrDimension where the model's vectors have not the dimension that they had, or
// ErrChanged; an *llm.Error is the model's.
func (e *Embedder) Update(ctx context.Context, set store.Set, m model.Vectors, again bool, sink contract.Sink) (rep Report, err error) {
	rep = Report{Set: set.Ref.String(), Model: m.Engine, Dimension: m.Dimension}
	w := &work{e: e, set: set, m: m, again: again, sink: sink, rep: &rep, batch: mostBatch}
	for range rounds {
		done, err := w.updateRound(ctx)
		if err != nil {
			w.endEvents(contract.PhaseFailed)
			if gone := w.goneError(ctx); gone != nil {
				return rep, gone
			}
			return rep, fmt.Errorf("the vectors of %s: %w", set.Ref, err)
		}
		if done {
			w.endEvents(contract.PhaseDone)
			return rep, nil
		}
	}
	w.endEvents(contract.PhaseFailed)
	return rep, contract.Remedied(fmt.Errorf("the vectors of %s: its index changed %d times while they were written", set.Ref, rounds),
		contract.RunDocent("update", set.Ref.String()).To("tries again"))
}

// goneError is ErrGone where the doc set is not in the catalog any more.
func (w *work) goneError(ctx context.Context) error {
	sets, err := w.e.Catalog.Sets(ctx)
	if err != nil || slices.ContainsFunc(sets, func(s store.Set) bool { return s.ID == w.set.ID }) {
		return nil
	}
	return fmt.Errorf("%s: %w", w.set.Ref, ErrGone)
}

// work is an update of one doc set.
type work struct {
	e     *Embedder
	set   store.Set
	m     model.Vectors
	again bool
	sink  contract.Sink
	rep   *Report

	folder *files.Folder
	model  store.CachedModel // of the cache, once it is known
	batch  int               // texts that are sent at once
	meter  meter
	seq    int
}

// plan is what a doc set lacks.
type plan struct {
	wanted map[int64]indexed
	old    stored
	keep   bool // build on the stored vectors
	pages  []*page
}

// page is one whose vectors are not stored.
type page struct {
	indexed
	passages []passage
	skipped  bool
}

type passage struct {
	chunk, part int
	key         store.TextKey
}

// updateRound brings the store up to the current index. It returns false if the index changed
// during the round.
func (w *work) updateRound(ctx context.Context) (bool, error) {
	p, err := w.planUpdate(ctx)
	if err != nil || p == nil {
		return err == nil, err
	}
	if err := w.makeVectors(ctx, p); err != nil {
		return false, err
	}
	if p.isIdle() || w.model.Dimension == 0 {
		return true, nil // without a text the dimension is unknown
	}
	return w.storeVectors(ctx, p)
}

// planUpdate compares the index with the store; nil if they agree.
func (w *work) planUpdate(ctx context.Context) (*plan, error) {
	p := &plan{}
	var err error
	if p.wanted, _, err = pagesOfDocSet(ctx, w.e.Catalog, w.e.Indexes, w.set); err != nil {
		return nil, err
	}
	p.old, err = readStored(ctx, w.e.Indexes, w.set.ID)
	if err != nil && !errors.Is(err, store.ErrVectorsDamaged) {
		return nil, err
	}
	p.keep = err == nil && !w.again && p.old.by.Form == form && p.old.by.Model == w.m.ID
	if p.keep {
		if p.keep, err = w.isSameModel(ctx, p.old.by); err != nil {
			return nil, err
		}
	}
	for _, i := range p.wanted {
		if have, ok := p.old.pages[i.file.ID]; !p.keep || !ok || have.sum != i.content.Sum {
			p.pages = append(p.pages, &page{indexed: i})
		}
	}
	w.rep.Passages = countPassages(maps.Values(p.wanted))
	if p.keep && len(p.pages) == 0 && len(p.old.pages) == len(p.wanted) {
		w.rep.Dimension = p.old.by.Dimension
		return nil, nil
	}
	slices.SortFunc(p.pages, func(a, b *page) int { return strings.Compare(a.file.Path, b.file.Path) })
	w.folder = files.InFolder(w.set.Root, func() []string {
		paths := make([]string, 0, len(p.wanted))
		for _, i := range p.wanted {
			paths = append(paths, i.file.Path)
		}
		slices.Sort(paths)
		return paths
	})
	parallel.Do(len(p.pages), func(mine iter.Seq[int]) {
		for i := range mine {
			if ctx.Err() == nil {
				p.pages[i].readPassages(ctx, w.e.Parsers, w.set, w.folder, nil)
			}
		}
	})
	return p, ctx.Err()
}

// isSameModel reports whether stored vectors are of the model, as far as possible without a
// request. If the cache has other vectors of the same identity, all were made anew.
func (w *work) isSameModel(ctx context.Context, by By) (bool, error) {
	probe, err := floats.Decode(by.Probe)
	if err != nil {
		return false, nil
	}
	cached, err := w.e.Cache.Model(ctx, w.m.ID)
	switch {
	case errors.Is(err, store.ErrUnknownModel):
	case err != nil:
		return false, err
	case cosineOfUnitVectors(probe, cached.Probe) < leastAlike:
		return false, nil
	}
	if w.m.Dimension > 0 && w.m.Dimension != by.Dimension {
		return false, w.dimension(w.m.Dimension, by.Dimension)
	}
	return true, nil
}

// isIdle reports whether a plan leaves the store as it is: all that it lacks are pages
// that are not as they were indexed.
func (p *plan) isIdle() bool {
	if !p.keep || slices.ContainsFunc(p.pages, func(pg *page) bool { return !pg.skipped }) {
		return false
	}
	for id := range p.old.pages {
		if i, ok := p.wanted[id]; !ok || i.content.Sum != p.old.pages[id].sum {
			return false
		}
	}
	return true
}

func countPassages(pages iter.Seq[indexed]) (n int) {
	for p := range pages {
		n += p.content.Passages
	}
	return n
}

// readPassages finds a page's passages, as they were indexed, and hands on their texts.
func (p *page) readPassages(ctx context.Context, parsers *parse.Registry, set store.Set, folder *files.Folder,
	text func(store.TextKey, string)) {
	p.passages, p.skipped = nil, true
	src, err := files.ReadInside(set.Root, p.file.Path)
	if err != nil {
		return // whatever it is, the next update tells of it
	}
	if sum := sha256.Sum256(src); hex.EncodeToString(sum[:]) != p.file.SHA256 {
		return
	}
	if _, same := parse.Present(p.file.Uses, folder); !same {
		return
	}
	d, err := parsers.Parse(ctx, src, parse.File{Path: p.file.Path, Layout: set.Layout, Files: folder,
		OCR: files.OCRSettings(set.Root, set.Layout, p.file.Path)})
	if err != nil {
		return
	}
	p.skipped = false
	chunks, _ := chunk.ByDomain(p.file.Domain, d)
	for _, ps := range ingest.Passages(d, chunks, nil) {
		t := PassageText(ps)
		if t == "" {
			continue // it has no vector
		}
		key := store.TextKey(sha256.Sum256([]byte(t)))
		p.passages = append(p.passages, passage{ps.Chunk, ps.Part, key})
		if text != nil {
			text(key, t)
		}
	}
}

// makeVectors has the model make what neither the store nor the cache has.
func (w *work) makeVectors(ctx context.Context, p *plan) error {
	var keys []store.TextKey
	count := map[store.TextKey]int{} // passages of a text
	w.rep.Skipped = 0
	for _, pg := range p.pages {
		if pg.skipped {
			w.rep.Skipped++
		}
		for _, ps := range pg.passages {
			keys = append(keys, ps.key)
			count[ps.key]++
		}
	}
	missing, err := w.identifyModel(ctx, p, keys)
	if err != nil {
		return err
	}
	w.rep.Dimension = w.model.Dimension
	if len(missing) == 0 {
		return nil
	}
	todo := make(map[store.TextKey]int, len(missing))
	left := 0
	for _, k := range missing {
		todo[k] = count[k]
		left += count[k]
	}
	total := 0
	for _, pg := range p.pages {
		total += len(pg.passages)
	}
	w.beginMeter(max(total, w.rep.Passages)-left, max(total, w.rep.Passages), len(missing))
	return w.sendBatches(ctx, p, todo)
}

// identifyModel finds out what the model is, and which texts it has yet to read. It is
// asked only if there are some, or if it may be another one than before.
func (w *work) identifyModel(ctx context.Context, p *plan, keys []store.TextKey) (missing []store.TextKey, err error) {
	if missing, err = w.e.Cache.Missing(ctx, w.m.ID, keys); err != nil {
		return nil, err
	}
	if len(missing) > 0 || w.again && len(keys) > 0 {
		if err := w.probeModel(ctx, p); err != nil {
			return nil, err
		}
		// The probe may have dropped what another model made.
		return w.e.Cache.Missing(ctx, w.m.ID, keys)
	}
	w.model, err = w.e.Cache.Model(ctx, w.m.ID)
	if !errors.Is(err, store.ErrUnknownModel) {
		return nil, err
	}
	if !p.keep {
		return nil, nil // there is no text
	}
	// All vectors are stored, and the cache is new.
	w.model = store.CachedModel{ID: w.m.ID, Dimension: p.old.by.Dimension}
	w.model.Probe, err = floats.Decode(p.old.by.Probe)
	return nil, err
}

// sendBatches reads the pages again for the texts that are to be made, a batch at a
// time, so that few are in memory.
func (w *work) sendBatches(ctx context.Context, p *plan, todo map[store.TextKey]int) error {
	var queue, long []text
	for _, pg := range p.pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !slices.ContainsFunc(pg.passages, func(ps passage) bool { _, ok := todo[ps.key]; return ok }) {
			continue
		}
		pg.readPassages(ctx, w.e.Parsers, w.set, w.folder, func(k store.TextKey, t string) {
			n, ok := todo[k]
			if !ok {
				return
			}
			delete(todo, k)
			if next := (text{k, t, n}); w.likelyFits(t) {
				queue = append(queue, next)
			} else {
				long = append(long, next)
			}
		})
		var err error
		for err == nil && len(queue) >= w.batch {
			queue, err = w.flush(ctx, queue)
		}
		for _, t := range long {
			if err == nil {
				err = w.flushLong(ctx, t)
			}
		}
		if err != nil {
			return err
		}
		long = long[:0]
	}
	for len(queue) > 0 {
		var err error
		if queue, err = w.flush(ctx, queue); err != nil {
			return err
		}
	}
	return nil
}
