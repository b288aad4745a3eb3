package intake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/text/sanitize"
	"docent/store"
	"docent/store/doc"
	"docent/store/queue"
)

// publisher makes files pages of the doc set of uploads. Files that arrive during an
// update wait for the next one, so that many files cost few updates.
type publisher struct {
	svc       *Service
	asked     chan publication
	published func() // is called after each update
}

type publication struct {
	ctx  context.Context // the caller's
	path string
	done chan error // has room for the answer
}

// cancelled reports whether a person ended the job of a publication.
func (q publication) cancelled() bool { return errors.Is(context.Cause(q.ctx), queue.ErrJobCancelled) }

func newPublisher(h *Service, published func()) *publisher {
	return &publisher{svc: h, asked: make(chan publication, 1024), published: published}
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

// runPublisher publishes until ctx ends.
func (p *publisher) runPublisher(ctx context.Context) {
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
		if err := p.svc.move(ctx, q.path, p.svc.home.UploadFolder().Publish); err != nil {
			q.done <- err
			continue
		}
		moved = append(moved, q)
	}
	if len(moved) == 0 {
		return
	}
	err := p.svc.updateUploads(ctx)
	withdrawn := false
	for _, q := range moved {
		if q.cancelled() { // while the update ran
			err := p.svc.move(ctx, q.path, p.svc.home.UploadFolder().Withdraw)
			withdrawn = withdrawn || err == nil
		}
	}
	if withdrawn {
		err = errors.Join(err, p.svc.updateUploads(ctx))
	}
	for _, q := range moved {
		q.done <- err
	}
	p.published()
}

// move moves the file of a document, here and for all machines.
func (svc *Service) move(ctx context.Context, path string, move func(string) error) error {
	return svc.home.Shared.ChangeUpload(ctx, store.Upload{Path: path}, func() error { return move(path) })
}

// vectorsBehind has a model make the vectors of the doc set of uploads, behind the pages:
// until it has, they answer by their words, and a search says so.
type vectorsBehind struct {
	svc   *Service
	asked chan struct{} // has room for one
	said  map[string]bool
}

func newVectorsBehind(h *Service) *vectorsBehind {
	return &vectorsBehind{svc: h, asked: make(chan struct{}, 1), said: map[string]bool{}}
}

// askForVectors has the vectors made that are missing, soon.
func (v *vectorsBehind) askForVectors() {
	select {
	case v.asked <- struct{}{}:
	default: // it was asked for already
	}
}

// runBehind makes vectors when it is asked to, until ctx ends.
func (v *vectorsBehind) runBehind(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.asked:
		}
		if err := v.svc.embedUploads(ctx, true, home.Watch{Note: v.note}); err != nil && ctx.Err() == nil {
			v.note("%v", err)
		}
	}
}

// note prints each message once: a model that is away would be reported for every file.
func (v *vectorsBehind) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !v.said[text] {
		v.said[text] = true
		v.svc.home.Say(format, args...)
	}
}

// embedUploads has a model make the vectors of the doc set of uploads. In the background
// it does not say that it waits, nor that it was not done when ctx ended.
func (svc *Service) embedUploads(ctx context.Context, background bool, w home.Watch) error {
	set, ok, err := svc.inbox.UploadsSet(ctx)
	if err != nil || !ok {
		return err
	}
	return svc.vectors.EmbedQuietly(ctx, set, background, w)
}

// updateUploads brings the doc set of uploads up to date with its folder; a missing doc
// set is made. It does not wait for a model: see vectorsBehind.
func (svc *Service) updateUploads(ctx context.Context) error {
	if err := svc.uploadsFree(ctx); err != nil {
		return err
	}
	out, _, err := svc.library.IndexWords(ctx, "uploads", library.UpdateRequest{}, home.Watch{Note: svc.home.Say}, nil,
		func(w *home.Writer) ([]store.Set, error) {
			set, ok, err := svc.inbox.UploadsSet(ctx)
			if err != nil || ok {
				return []store.Set{set}, err
			}
			return w.Add(ctx, []store.Set{{Ref: home.UploadsRef(), Root: svc.home.UploadFolder().Pages(), Layout: doc.LayoutUploads,
				Domain: svc.home.Settings.Domain}})
		})
	if errors.Is(err, ingest.ErrUnlearned) || errors.Is(err, ingest.ErrUnreferred) {
		svc.home.Say("%v", err) // the pages are there
		return nil
	}
	if err == nil && len(out.Missing) > 0 {
		err = fmt.Errorf("the folder %s: %w", svc.home.UploadFolder().Pages(), out.Missing[0])
	}
	return err
}

// dropDeleted removes the files of a document that was deleted while a worker had them.
func (svc *Service) dropDeleted(ctx context.Context, s home.UploadStore, u store.Upload) (err error) {
	held, err := svc.inbox.LockUploads(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	rows, _, err := s.ListUploads(ctx, store.UploadFilter{})
	if err != nil || slices.ContainsFunc(rows, func(o store.Upload) bool { return path.Dir(o.Path) == path.Dir(u.Path) }) {
		return err // it was handed in again
	}
	folder := svc.home.UploadFolder()
	_, page, _ := folder.FindFile(u.Path)
	err = svc.home.Shared.ChangeUpload(ctx, u, func() error { return folder.Remove(u.Path) })
	if err != nil || !page {
		return err
	}
	return svc.updateUploads(ctx)
}

// adoptStrays makes documents again of files that have no record, as those of uploads that
// were killed, and of records that were damaged.
func (svc *Service) adoptStrays(ctx context.Context, s home.UploadStore) (err error) {
	held, err := svc.inbox.LockUploads(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	removed, err := svc.inbox.AdoptStrays(ctx, s)
	if err != nil || !removed {
		return err
	}
	return svc.updateUploads(ctx)
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
