package home

import (
	"context"
	"errors"
	"sync"
	"time"

	"docent/pipeline/corpus"
	"docent/store"
	"docent/store/durable"
)

// abandoned is the age from which a temporary file belongs to no writer any more.
const abandoned = time.Hour

// sweepBlobs removes the kept documents that belong to no page of the catalog: their
// pages changed or went, or a newer parser reads them. A document of a folder that
// another process is about to publish may go too; it is made again from its source.
func (h *Home) sweepBlobs(ctx context.Context, cat WritableCatalog) error {
	// Asked for by the first blob: most homes have none.
	keys := sync.OnceValues(func() (map[string]bool, error) { return keptKeys(ctx, cat) })
	spare := time.Duration(0)
	if h.opt.Files != nil || h.UploadFolder().HasWaiting() {
		spare = abandoned // a worker has converted a file whose page is not in the catalog yet
	}
	_, err := h.opt.Blobs.Sweep(ctx, spare, func(key string) bool {
		known, err := keys()
		return err != nil || known[key] // without the keys of the catalog all are kept
	})
	return err
}

// keptKeys are the keys of the documents that are kept for the catalog's pages.
func keptKeys(ctx context.Context, cat WritableCatalog) (map[string]bool, error) {
	sets, err := cat.Sets(ctx)
	if err != nil {
		return nil, err
	}
	keys := map[string]bool{}
	for _, s := range sets {
		pages, err := cat.Files(ctx, s.ID)
		if err != nil {
			return nil, err
		}
		for _, p := range pages {
			keys[corpus.KeptKey(s, p)] = true
		}
	}
	return keys, nil
}

// afterWriting removes what a change left unused. A failure is a message to the person, not an error: the
// change itself is done.
func (h *Home) afterWriting(ctx context.Context, cat *changingCatalog) {
	if h.opt.Blobs != nil && cat.mayLeave(ctx, h.opt.Blobs) {
		if err := h.sweepBlobs(ctx, cat); err != nil && !errors.Is(err, context.Canceled) {
			h.Say("texts that no page needs any more could not be removed: %v", err)
		}
	}
	if err := h.Shared.sweep(ctx); err != nil && !errors.Is(err, context.Canceled) {
		h.Say("documents that are not needed any more could not be removed: %v", err)
	}
	// The next change tries to remove the rest.
	_, _ = durable.SweepTemporary(h.Dir, abandoned)
	_, _ = h.Indexes.SweepTemporary(abandoned)
}

// KeptDocument gives a document that parsers keep. The error is as store.Blobs has it.
func (h *Home) KeptDocument(ctx context.Context, key string) ([]byte, error) {
	if h.opt.Blobs == nil {
		return nil, store.ErrNoBlob
	}
	return h.opt.Blobs.Get(ctx, key)
}

// KeepDocument keeps a document that parsers made elsewhere.
func (h *Home) KeepDocument(ctx context.Context, key string, document []byte) error {
	if h.opt.Blobs == nil {
		return nil
	}
	return h.opt.Blobs.Put(ctx, key, document)
}
