package mcpserver

import (
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Subscriptions are bounded: of a client, of all, and in pages, which are looked at once
// however many of their sections are subscribed to.
func TestSubscriptionsAreBounded(t *testing.T) {
	t.Parallel()
	w := &watched{}
	page := func(n int) pageKey { return pageKey{"Lamps@1", fmt.Sprint(n)} }
	one := &mcp.ServerSession{}
	for i := range mostOfOne {
		if err := w.addSubscription(fmt.Sprint("one", i), page(0), "a", one); err != nil {
			t.Fatal(i, err)
		}
	}
	if len(w.pages) != 1 {
		t.Errorf("a page is looked at %d times", len(w.pages))
	}
	if err := w.addSubscription("one more", page(0), "a", one); !errors.Is(err, errTooMany) {
		t.Errorf("one client has more than %d: %v", mostOfOne, err)
	}
	if err := w.addSubscription("one0", page(0), "a", one); err != nil {
		t.Errorf("the same once more: %v", err)
	}
	two := &mcp.ServerSession{}
	for i := 1; i < mostWatched; i++ {
		if err := w.addSubscription(fmt.Sprint("two", i), page(i), "a", two); err != nil {
			t.Fatal(i, err)
		}
	}
	three := &mcp.ServerSession{}
	if err := w.addSubscription("another page", page(mostWatched), "a", three); !errors.Is(err, errTooMany) {
		t.Errorf("more than %d pages are looked at: %v", mostWatched, err)
	}
	for n := 0; len(w.uris) < mostSubscribed; n++ {
		by := &mcp.ServerSession{}
		for i := 0; i < mostOfOne && len(w.uris) < mostSubscribed; i++ {
			if err := w.addSubscription(fmt.Sprint("more", n, "/", i), page(0), "a", by); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.addSubscription("the last", page(0), "a", three); !errors.Is(err, errTooMany) {
		t.Errorf("more than %d in all: %v", mostSubscribed, err)
	}
	w.forgetUnused(func(by *mcp.ServerSession) bool { return by == two })
	if len(w.pages) != 1 {
		t.Errorf("%d pages are looked at after a client went", len(w.pages))
	}
	w.forgetUnused(func(*mcp.ServerSession) bool { return true })
	if len(w.pages) != 0 || len(w.uris) != 0 {
		t.Errorf("%d pages and %d resources are left", len(w.pages), len(w.uris))
	}
}
