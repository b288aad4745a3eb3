package sessions_test

import (
	"os"
	"path/filepath"
	"testing"

	"docent/cmd/internal/sessions"
	"docent/pipeline"
)

// The app's state comes back as it was kept; a damaged file is none, and an empty
// state leaves no file.
func TestState(t *testing.T) {
	t.Parallel()
	k := sessions.Keeper{Home: filepath.Join(t.TempDir(), "home")}
	if s := k.State(); s != (pipeline.AppState{}) {
		t.Errorf("a new home has %+v", s)
	}
	if err := k.KeepState(t.Context(), pipeline.AppState{}); err != nil {
		t.Error(err)
	}
	want := pipeline.AppState{Theme: "light", Draft: "how do I trim\x1b[31m"}
	if err := k.KeepState(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if s := k.State(); s != want {
		t.Errorf("it kept %+v", s)
	}
	file := filepath.Join(k.Home, "app.json")
	if err := os.WriteFile(file, []byte(`{"theme": 7`), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := k.State(); s != (pipeline.AppState{}) {
		t.Errorf("a damaged file has %+v", s)
	}
	if err := k.KeepState(t.Context(), pipeline.AppState{}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("an empty state leaves a file: %v", err)
	}
	if err := (sessions.Keeper{Home: filepath.Join(file, "x")}).KeepState(t.Context(), want); err == nil {
		if _, err := os.Stat(filepath.Join(file, "x")); err == nil {
			return // a folder could be made there
		}
		t.Error("a home that cannot be made is no error")
	}
}
