package cli

import (
	"slices"
	"strings"
	"testing"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/backend"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/config"
)

// The app offers the operations that take nothing and answer at once, and shows the text
// that the command prints.
func TestAppAsksOperations(t *testing.T) {
	t.Parallel()
	c := &invocation.Call{IO: console.IO{Env: func(string) string { return "" }}, Operations: app.Operations()}
	b := backend.New(app.Options{Home: t.TempDir(), Engine: config.EngineBuiltin})
	if _, err := b.Ready(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	want := map[string]string{"sets": "FRESHNESS", "jobs": "there are no jobs", "status": "doc sets"}
	var names []string
	for _, q := range driver.Questions(c.Operations, viewsOf(c)) {
		names = append(names, q.Name)
		if q.OnPage {
			continue
		}
		lines, err := b.Asks(q.Ask)(t.Context(), "")
		if text := strings.Join(lines, "\n"); err != nil || !strings.Contains(text, want[q.Name]) {
			t.Errorf("%s: %v\n%s", q.Name, err, text)
		}
	}
	for name := range want {
		if !slices.Contains(names, name) {
			t.Errorf("the app offers %q, not %s", names, name)
		}
	}
}
