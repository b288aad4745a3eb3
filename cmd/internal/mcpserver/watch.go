package mcpserver

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/service"
	"docent/pipeline/service/locate"
)

// watched are the resources to which clients subscribed, and the pages that they are of.
type watched struct {
	mu    sync.Mutex
	uris  map[string]*subscription
	pages map[pageKey]string // SHA-256 of a page's file at the last look, "" where it is gone
}

type subscription struct {
	page pageKey
	by   map[*mcp.ServerSession]bool
}

// pageKey names a page by its canonical names.
type pageKey struct{ set, path string }

// The most watched pages: each is read at each check.
const (
	lookEvery      = 2 * time.Second
	mostSubscribed = 1000 // resources, of all clients
	mostOfOne      = 200  // of one client
	mostWatched    = 200  // pages
)

var errTooMany = errors.New("there are too many subscriptions; end some first")

// subscribe takes a subscription to a resource that is there.
func (s *Server) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	if len(uri) > maxURI {
		return mcp.ResourceNotFoundError(uri[:maxURI])
	}
	page, hash, err := s.pageOfResource(ctx, uri)
	if err != nil {
		return err
	}
	s.watched.mu.Lock()
	defer s.watched.mu.Unlock()
	return s.watched.addSubscription(uri, page, hash, req.Session)
}

// addSubscription notes a subscription. mu is held.
func (w *watched) addSubscription(uri string, page pageKey, hash string, by *mcp.ServerSession) error {
	if w.uris == nil {
		w.uris, w.pages = map[string]*subscription{}, map[pageKey]string{}
	}
	sub := w.uris[uri]
	if sub != nil && sub.by[by] {
		return nil
	}
	own := 0
	for _, other := range w.uris {
		if other.by[by] {
			own++
		}
	}
	_, seen := w.pages[page]
	if own >= mostOfOne || sub == nil && len(w.uris) >= mostSubscribed || !seen && len(w.pages) >= mostWatched {
		return errTooMany
	}
	if !seen {
		w.pages[page] = hash
	}
	if sub == nil {
		sub = &subscription{page: page, by: map[*mcp.ServerSession]bool{}}
		w.uris[uri] = sub
	}
	sub.by[by] = true
	return nil
}

// forgetUnused removes subscriptions of clients that have gone, and pages without a
// subscription. mu is held.
func (w *watched) forgetUnused(gone func(*mcp.ServerSession) bool) {
	used := map[pageKey]bool{}
	for uri, sub := range w.uris {
		maps.DeleteFunc(sub.by, func(by *mcp.ServerSession, _ bool) bool { return gone(by) })
		if len(sub.by) == 0 {
			delete(w.uris, uri)
			continue
		}
		used[sub.page] = true
	}
	maps.DeleteFunc(w.pages, func(page pageKey, _ string) bool { return !used[page] })
}

func (s *Server) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	s.watched.mu.Lock()
	defer s.watched.mu.Unlock()
	if sub := s.watched.uris[req.Params.URI]; sub != nil {
		delete(sub.by, req.Session)
		s.watched.forgetUnused(func(*mcp.ServerSession) bool { return false })
	}
	return nil
}

// pageOfResource is the page of a resource, and the hash of its file.
func (s *Server) pageOfResource(ctx context.Context, uri string) (page pageKey, hash string, err error) {
	docSet, path, _, err := parseURI(uri)
	if err != nil {
		return page, "", err
	}
	err = s.withServices(ctx, func(ctx context.Context, h *service.Services) error {
		sets, err := h.Home.Canonical(ctx, []string{docSet})
		if err != nil {
			return err
		}
		text, err := h.Pages.Read(ctx, locate.ReadRequest{Page: path, Sets: sets})
		page, hash = pageKey{text.DocSet, text.FilePath}, text.SHA256
		return err
	})
	return page, hash, err
}

// Watch tells subscribers of pages that changed, until ctx ends.
func (s *Server) Watch(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, uri := range s.changedResources(ctx) {
			if err := s.mcp.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
				s.opt.Log.Debug("subscription", "uri", uri, "error", err.Error())
			}
		}
	}
}

// watchedPages are the pages to which clients subscribed that are still there.
func (s *Server) watchedPages() []pageKey {
	there := map[*mcp.ServerSession]bool{}
	for session := range s.mcp.Sessions() {
		there[session] = true
	}
	s.watched.mu.Lock()
	defer s.watched.mu.Unlock()
	s.watched.forgetUnused(func(by *mcp.ServerSession) bool { return !there[by] })
	return slices.Collect(maps.Keys(s.watched.pages))
}

// changedResources are the resources whose pages are other ones than at the last look. A page
// that is gone has changed; one that could not be read is looked at again later.
func (s *Server) changedResources(ctx context.Context) []string {
	pages := s.watchedPages()
	if len(pages) == 0 {
		return nil
	}
	h, release, err := s.opt.Home()
	if err != nil {
		s.opt.Log.Debug("subscriptions", "error", err.Error())
		return nil
	}
	defer release()
	other := map[pageKey]bool{}
	for _, page := range pages {
		hash, err := h.Pages.PageHash(ctx, page.set, page.path)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			s.opt.Log.Debug("subscriptions", "page", page.set+"/"+page.path, "error", err.Error())
			continue
		}
		s.watched.mu.Lock()
		if was, ok := s.watched.pages[page]; ok && was != hash {
			s.watched.pages[page], other[page] = hash, true
		}
		s.watched.mu.Unlock()
	}
	s.watched.mu.Lock()
	defer s.watched.mu.Unlock()
	var out []string
	for uri, sub := range s.watched.uris {
		if other[sub.page] {
			out = append(out, uri)
		}
	}
	slices.Sort(out)
	return out
}
