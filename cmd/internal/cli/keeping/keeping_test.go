package keeping

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/cmd/internal/app"
	"docent/pipeline"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/home"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
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

// A server that had lost the index of one doc set answered no request until it was made again. Now it
// opens without the doc set, makes the index in the background and searches it from then on. A repair
// is done once.
func TestAServerMendsBehindItsAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := filepath.Join(dir, "home")
	opt := app.Options{Home: at, MendsLater: true}
	a, err := app.Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lamps", "boats"} {
		folder := filepath.Join(dir, name)
		if err := errors.Join(os.Mkdir(folder, 0o700),
			os.WriteFile(filepath.Join(folder, "page.md"), []byte("# "+name+"\n\nAll about "+name+".\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
		plan, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{folder}}, a.Home.Parsers, home.Watch{})
		if err == nil {
			_, err = a.Library.Add(t.Context(), plan, home.Watch{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(a.Close(), os.RemoveAll(filepath.Join(at, "index", "1"))); err != nil {
		t.Fatal(err)
	}

	shared, err := app.OpenShared(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	a, release, err := shared.Use()
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Home.Behind.Names(); !slices.Equal(got, []string{"lamps@latest"}) {
		t.Errorf("left for later: %q", got)
	}
	ctx, end := context.WithCancel(t.Context())
	done := make(chan struct{})
	var said strings.Builder
	go func() {
		defer close(done)
		Keeper{Shared: shared, Log: slog.New(slog.NewTextHandler(&said, nil))}.MendBehind(ctx)
	}()
	for stop := time.Now().Add(time.Minute); len(a.Home.Behind.Names()) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(stop) {
			t.Fatal("it is never mended")
		}
	}
	answer, err := a.Answers.Search(t.Context(), answers.SearchRequest{Request: pipeline.Request{Question: "all about lamps"}}, nil)
	if err != nil || len(answer.Page.Results) == 0 || answer.Page.Results[0].DocSet != "lamps@latest" || len(answer.Result.Notes()) > 0 {
		t.Errorf("after it was mended: %+v, %v", answer.Page, err)
	}
	release()
	end()
	<-done
	if err := shared.Close(); err != nil {
		t.Error(err)
	}
	if got := said.String(); !strings.Contains(got, "not searched until they are made again: lamps@latest") ||
		strings.Contains(got, "ERROR") {
		t.Errorf("it said %s", got)
	}
}
