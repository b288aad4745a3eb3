package mcpserver

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/home"
)

// watched are the resources to which clients subscribed, with the hashes of their
// pages' files.
type watched struct {
	mu   sync.Mutex
	uris map[string]*subscription
}

type subscription struct {
	by   map[*mcp.ServerSession]bool
	hash string // "": the page is gone
}

const (
	lookEvery      = 2 * time.Second
	mostSubscribed = 1000
)

var errTooMany = errors.New("there are too many subscriptions; end some first")

// subscribe takes a subscription to a resource that is there.
func (s *Server) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	hash, err := s.hashOf(ctx, uri)
	if err != nil {
		return err
	}
	s.watched.mu.Lock()
	defer s.watched.mu.Unlock()
	if s.watched.uris == nil {
		s.watched.uris = map[string]*subscription{}
	}
	if sub := s.watched.uris[uri]; sub != nil {
		sub.by[req.Session] = true
		return nil
	}
	if len(s.watched.uris) >= mostSubscribed {
		return errTooMany
	}
	s.watched.uris[uri] = &subscription{by: map[*mcp.ServerSession]bool{req.Session: true}, hash: hash}
	return nil
}

func (s *Server) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	s.watched.mu.Lock()
	defer s.watched.mu.Unlock()
	if sub := s.watched.uris[req.Params.URI]; sub != nil {
		if delete(sub.by, req.Session); len(sub.by) == 0 {
			delete(s.watched.uris, req.Params.URI)
		}
	}
	return nil
}

// hashOf is the hash of the file of a resource's page.
func (s *Server) hashOf(ctx context.Context, uri string) (string, error) {
	docSet, page, _, err := parseURI(uri)
	if err != nil {
		return "", err
	}
	h, release, err := s.opt.Home()
	if err != nil {
		return "", err
	}
	defer release()
	sets, err := h.Canonical(ctx, []string{docSet})
	if err != nil {
		return "", s.told(err)
	}
	text, err := h.Read(ctx, home.ReadRequest{Page: page, Sets: sets})
	return text.SHA256, s.told(err)
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
		for _, uri := range s.changed(ctx) {
			if err := s.mcp.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
				s.opt.Log.Debug("subscription", "uri", uri, "error", err.Error())
			}
		}
	}
}

// subscribed are the resources to which clients subscribed that are still there.
func (s *Server) subscribed() []string {
	there := map[*mcp.ServerSession]bool{}
	for session := range s.mcp.Sessions() {
		there[session] = true
	}
	s.watched.mu.Lock()
	defer s.watched.mu.Unlock()
	var uris []string
	for uri, sub := range s.watched.uris {
		maps.DeleteFunc(sub.by, func(by *mcp.ServerSession, _ bool) bool { return !there[by] })
		if len(sub.by) == 0 {
			delete(s.watched.uris, uri)
			continue
		}
		uris = append(uris, uri)
	}
	return uris
}

// changed are the resources whose pages are other ones than at the last look.
func (s *Server) changed(ctx context.Context) []string {
	var out []string
	for _, uri := range s.subscribed() {
		hash, err := s.hashOf(ctx, uri)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			hash = "" // the page is gone: that is a change too
		}
		s.watched.mu.Lock()
		if sub := s.watched.uris[uri]; sub != nil && sub.hash != hash {
			sub.hash = hash
			out = append(out, uri)
		}
		s.watched.mu.Unlock()
	}
	return out
}
