package shelf

import (
	"strings"
	"testing"

	"docent/pipeline/service/library"
)

// A page that failed is not read: enter says why.
func TestFailedPagesSayWhy(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]string{library.PageGone: "file is gone", library.PageFailed: "it is no page: no text",
		library.PageWaiting: "waits for docent worker: no text"} {
		if ok, why := canBeRead(Page{State: state, Reason: "no text"}); ok || !strings.Contains(why, want) {
			t.Errorf("state %s: %v, %q", state, ok, why)
		}
	}
	if ok, _ := canBeRead(Page{}); !ok {
		t.Error("a fresh page cannot be read")
	}
}
