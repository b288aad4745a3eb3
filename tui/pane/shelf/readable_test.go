package shelf

import (
	"strings"
	"testing"
)

// A page that failed is not read: enter says why.
func TestFailedPagesSayWhy(t *testing.T) {
	t.Parallel()
	for state, want := range map[PageState]string{PageGone: "file is gone", PageFailed: "it is no page: no text", PageWaiting: "waits for docent worker: no text"} {
		if ok, why := (Page{State: state, Reason: "no text"}).readable(); ok || !strings.Contains(why, want) {
			t.Errorf("state %d: %v, %q", state, ok, why)
		}
	}
	if ok, _ := (Page{}).readable(); !ok {
		t.Error("a fresh page cannot be read")
	}
}
