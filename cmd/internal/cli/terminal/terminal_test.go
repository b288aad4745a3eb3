package terminal

import (
	"slices"
	"strings"
	"testing"

	"docent/cmd/internal/config"
)

// The configuration checks themes and keys as the terminal app takes them.
func TestAppSettings(t *testing.T) {
	t.Parallel()
	app := AppSettings()
	cfg, _, err := config.Load(t.TempDir()+"/none.toml", false, app)
	if err != nil || !slices.Contains(app.Themes, cfg.Theme) {
		t.Errorf("the default theme %q is none of %q: %v", cfg.Theme, app.Themes, err)
	}
	for _, tt := range []struct {
		action, key, says string
	}{
		{"copy-final", "r", "rerank"},
		{"copy-finl", "z", "copy-final"},
		{"help", "esc", "way out"},
		{"copy-final", "ctrl+y", ""},
	} {
		faults := app.CheckKeys(map[string][]string{tt.action: {tt.key}})
		if good := len(faults) == 0; good != (tt.says == "") || !good && (faults[0].Key != tt.action ||
			!strings.Contains(faults[0].Message, tt.says)) {
			t.Errorf("%s = %s: %v, want %q", tt.action, tt.key, faults, tt.says)
		}
	}
}
