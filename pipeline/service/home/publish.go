package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"docent/pipeline/ingest"
	"docent/pipeline/text/sanitize"
	"docent/store"
	"docent/store/doc"
)

// publisher makes files pages of the doc set of uploads. Files that arrive during an
// update wait for the next one, so that many files cost few updates.
type publisher struct {
	home      *Home
	asked     chan publication
	published func() // is called after each update
}

type publication struct {
	ctx  context.Context // the caller's
	path string
	done chan error // has room for the answer
}

// cancelled reports whether a person ended the job of a publication.
func (q publication) cancelled() bool { return errors.Is(context.Cause(q.ctx), store.ErrJobCancelled) }

func newPublisher(h *Home, published func()) *publisher {
	return &publisher{home: h, asked: make(chan publication, 1024), published: published}
}

// publish makes a file a page, and returns when that is done.
func (p *publisher) publish(ctx context.Context, path string) error {
	q := publication{ctx: ctx, path: path, done: make(chan error, 1)}
	select {
	case p.asked <- q:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-q.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run publishes until ctx ends.
func (p *publisher) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case first := <-p.asked:
			p.publishAll(ctx, p.waiting(first))
		}
	}
}

// waiting is a publication with all that wait behind it.
func (p *publisher) waiting(first publication) []publication {
	all := []publication{first}
	for {
		select {
		case next := <-p.asked:
			all = append(all, next)
		default:
			return all
		}
	}
}

func (p *publisher) publishAll(ctx context.Context, all []publication) {
	moved := all[:0]
	for _, q := range all {
		if err := q.ctx.Err(); err != nil {
			q.done <- err // its caller has gone
			continue
		}
		if err := p.home.uploadFolder().Publish(q.path); err != nil {
			q.done <- err
			continue
		}
		moved = append(moved, q)
	}
	if len(moved) == 0 {
		return
	}
	err := p.home.updateUploads(ctx)
	withdrawn := false
	for _, q := range moved {
		if q.cancelled() { // while the update ran
			err := p.home.uploadFolder().Withdraw(q.path)
			withdrawn = withdrawn || err == nil
		}
	}
	if withdrawn {
		err = errors.Join(err, p.home.updateUploads(ctx))
	}
	for _, q := range moved {
		q.done <- err
	}
	p.published()
}

// vectorsBehind has a model make the vectors of the doc set of uploads, behind the pages:
// until it has, they answer by their words, and a search says so.
type vectorsBehind struct {
	home  *Home
	asked chan struct{} // has room for one
	said  map[string]bool
}

func newVectorsBehind(h *Home) *vectorsBehind {
	return &vectorsBehind{home: h, asked: make(chan struct{}, 1), said: map[string]bool{}}
}

// ask has the vectors made that are missing, soon.
func (v *vectorsBehind) ask() {
	select {
	case v.asked <- struct{}{}:
	default: // it was asked for already
	}
}

// run makes vectors when it is asked to, until ctx ends.
func (v *vectorsBehind) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.asked:
		}
		if err := v.home.embedUploads(ctx, true, Watch{Note: v.note}); err != nil && ctx.Err() == nil {
			v.note("%v", err)
		}
	}
}

// note says a thing once: a model that is away is away for every file.
func (v *vectorsBehind) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !v.said[text] {
		v.said[text] = true
		v.home.Say("%s", text)
	}
}

// embedUploads has a model make the vectors of the doc set of uploads. In the background
// it does not say that it waits, nor that it was not done when ctx ended.
func (h *Home) embedUploads(ctx context.Context, background bool, w Watch) error {
	set, ok, err := h.uploadsSet(ctx)
	if err != nil || !ok {
		return err
	}
	e := &embedding{home: h, watch: w, failed: map[string]bool{}, wait: forever, background: background}
	return e.close(e.all(ctx, []store.Set{set}, false))
}

// updateUploads brings the doc set of uploads up to date with its folder; a missing doc
// set is made. It does not wait for a model: see vectorsBehind.
func (h *Home) updateUploads(ctx context.Context) error {
	if err := h.uploadsFree(ctx); err != nil {
		return err
	}
	out, _, err := h.indexWords(ctx, "uploads", UpdateRequest{}, Watch{Note: h.Say}, nil, func(w *Writer) ([]store.Set, error) {
		set, ok, err := h.uploadsSet(ctx)
		if err != nil || ok {
			return []store.Set{set}, err
		}
		return w.Add(ctx, []store.Set{{Ref: UploadsRef(), Root: h.uploadFolder().Pages(), Layout: doc.LayoutUploads, Domain: h.Settings.Domain}})
	})
	if errors.Is(err, ingest.ErrUnlearned) || errors.Is(err, ingest.ErrUnreferred) {
		h.Say("%v", err) // the pages are there
		return nil
	}
	if err == nil && len(out.Missing) > 0 {
		err = fmt.Errorf("the folder %s: %w", h.uploadFolder().Pages(), out.Missing[0])
	}
	return err
}

// dropStray removes files of no document: of those that were deleted while a worker had
// them, and of uploads that were killed.
func (h *Home) dropStray(ctx context.Context, s UploadStore) (err error) {
	held, err := h.lockUploads(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	rows, _, err := s.ListUploads(ctx, store.UploadFilter{})
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, u := range rows {
		known[filepath.ToSlash(filepath.Dir(filepath.FromSlash(u.Path)))] = true
	}
	// A document may have its record and no row: another process is making the catalog
	// again.
	ids, err := h.uploadFolder().Records()
	if err != nil {
		return err
	}
	for _, id := range ids {
		u, gone, err := h.uploadFolder().Load(id)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil // the owners of the files are unknown
		}
		if err == nil && !gone {
			known[filepath.ToSlash(filepath.Dir(filepath.FromSlash(u.Path)))] = true
		}
	}
	removed, err := h.uploadFolder().RemoveOthers(known)
	if err != nil || !removed {
		return err
	}
	return h.updateUploads(ctx)
}

// mostReason is the greatest length of a failure's reason, in bytes.
const mostReason = 500

// oneLine makes one short line of an error, whatever a parser put into it.
func oneLine(text string) string {
	text = sanitize.Line(text)
	if len(text) > mostReason {
		text = text[:mostReason] + "…"
	}
	return sanitize.Line(text)
}
