package keeping

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/cmd/internal/app"
	"docent/pipeline/service/intake"
)

// The catalog may be deleted, and another process that finds it damaged makes it again. The
// worker of a server that went on kept the old list of doc sets, and each document that was
// handed in failed with "doc set Uploads@latest: not in the catalog".
func TestAWorkerTakesUpANewCatalog(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "home")
	shared, err := app.OpenShared(t.Context(), app.Options{Home: dir})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		Keeper{Shared: shared, Log: slog.New(slog.DiscardHandler)}.WorkOnFiles(ctx, 1)
	}()
	defer func() {
		end()
		<-done
		if err := shared.Close(); err != nil {
			t.Error(err)
		}
	}()
	handIn(t, shared, "wick.md")
	files, _ := filepath.Glob(filepath.Join(dir, "catalog.db*"))
	for _, f := range files {
		if err := os.Remove(f); err != nil {
			t.Skip("an open catalog cannot be removed here:", err)
		}
	}
	other, err := app.Open(t.Context(), app.Options{Home: dir}) // makes it again
	if err == nil {
		err = other.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	handIn(t, shared, "oil.md")
}

// handIn hands a file in and waits until it is a page.
func handIn(t *testing.T, shared *app.Shared, name string) {
	t.Helper()
	id := ""
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		a, release, err := shared.Use()
		if err != nil {
			t.Fatal(err)
		}
		if id == "" {
			u, err := a.Intake.Upload(t.Context(), intake.UploadRequest{Name: name, From: strings.NewReader(
				"# " + name + "\n\nIt is looked after every evening before the lamp of the lantern is lit.\n")})
			if err != nil {
				t.Fatal(err)
			}
			id = u.ID
		}
		d, err := a.Intake.Document(t.Context(), id)
		release()
		switch {
		case err != nil:
			t.Fatal(err)
		case d.Status == "COMPLETED" && d.RetryCount == 0:
			return
		case d.RetryCount > 0 || time.Now().After(end):
			t.Fatalf("%s: %+v", name, d)
		}
	}
}
