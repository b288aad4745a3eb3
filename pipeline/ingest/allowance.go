package ingest

import (
	"context"
	"sync"
)

// bytesUnderway and batchBytes bound the sizes of the pages, in bytes, that are between
// reading and storing, and that wait to be staged. A page in memory takes ten to twenty
// times its size, with all of its terms. A larger page goes alone.
const (
	bytesUnderway = 1 << 20
	batchBytes    = 512 << 10
)

// allowance bounds how many pages are underway, and their bytes.
type allowance struct {
	mu    sync.Mutex
	pages int
	bytes int64
	most  int64
	limit int
	freed chan struct{} // holds one token after give
}

func newAllowance(pages int, bytes int64) *allowance {
	return &allowance{limit: pages, most: bytes, freed: make(chan struct{}, 1)}
}

// awaitRoom waits until a page of so many bytes may begin; false where ctx ends before. One
// goroutine takes, in the pages' order.
func (a *allowance) awaitRoom(ctx context.Context, bytes int64) bool {
	for {
		a.mu.Lock()
		ok := a.pages == 0 || a.pages < a.limit && a.bytes+bytes <= a.most
		if ok {
			a.pages++
			a.bytes += bytes
		}
		a.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-a.freed:
		case <-ctx.Done():
			return false
		}
	}
}

// endPage ends a page.
func (a *allowance) endPage(bytes int64) {
	a.mu.Lock()
	a.pages--
	a.bytes -= bytes
	a.mu.Unlock()
	select {
	case a.freed <- struct{}{}:
	default:
	}
}
