package library

import (
	"os"
	"path/filepath"
	"testing"

	"docent/pipeline/ingest"
	"docent/store"
)

// A page that its disk did not give at the last update is new when the disk does: the doc
// set once counted as fresh without it.
func TestReadable(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "wick.md"), []byte("# Wick\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path, stage string
		want        bool
	}{
		{"wick.md", ingest.StageRead, true},
		{"wick.md", ingest.StageParse, false}, // it would fail again
		{"gone.md", ingest.StageRead, false},
	} {
		if got := readable(store.Set{Root: root}, store.Failure{Path: tt.path, Stage: tt.stage}); got != tt.want {
			t.Errorf("%s at %s: %v", tt.path, tt.stage, got)
		}
	}
}
