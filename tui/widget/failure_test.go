package widget_test

import (
	"errors"
	"fmt"
	"testing"

	"docent/pipeline/contract"
	"docent/tui/widget"
)

// An error is shown with the key that removes its cause, or with the command where there is no
// key.
func TestErrorsNameTheirKey(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, tt := range []struct {
		remedy *contract.Remedy
		want   string
	}{
		{nil, "page a.md: broken"},
		{contract.RunDocent("update", "Lantern@1").To("reads it again"), "page a.md: broken; u in the library (L) reads it again"},
		{contract.RunDocent("update", "--rebuild", "Lantern@1"), "page a.md: broken; docent update --rebuild Lantern@1"},
		{contract.RunDocent("search", "wick").To("finds pages"), "page a.md: broken"},
		{contract.RunDocent("models", "allow").To("has it asked"), "page a.md: broken; A has it asked"},
		{contract.Change("max_tokens").To("raise"), "page a.md: broken; raise max tokens"},
	} {
		if got := widget.ErrorText(fmt.Errorf("page a.md: %w", contract.Remedied(broken, tt.remedy))); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
