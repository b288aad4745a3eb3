package intake_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/service/home"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
	"docent/pipeline/service/servicetest"
	"docent/store/doc"
)

// fakePDF reads PDFs: the text says how scanned pages were to be read. It waits for what
// hold says, if anything.
type fakePDF struct {
	mu    sync.Mutex
	reads int
	hold  func(ctx context.Context, n int)
}

func (f *fakePDF) Info() parse.Info {
	return parse.Info{Format: doc.FormatPDF, Version: 1, Name: "PDF", Extensions: []string{".pdf"}}
}

func (f *fakePDF) Parse(ctx context.Context, src []byte, _ parse.Options) (doc.Document, error) {
	f.mu.Lock()
	f.reads++
	n := f.reads
	f.mu.Unlock()
	if f.hold != nil {
		f.hold(ctx, n)
	}
	d, err := markdown.ParseMarkdown(fmt.Appendf(nil, "# A book\n\nIts pages are read %q. %s", parse.OCRFrom(ctx), prose), parse.Options{})
	d.Source = src
	return d, err
}

func (f *fakePDF) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return markdown.ParseMarkdown(text, parse.Options{})
}

func (f *fakePDF) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reads
}

func openWith(t *testing.T, dir string, p parse.Parser) *servicetest.Home {
	t.Helper()
	parsers := &parse.Registry{}
	for _, p := range []parse.Parser{markdown.Parser{}, p} {
		if err := parsers.Register(p); err != nil {
			t.Fatal(err)
		}
	}
	return servicetest.Open(t, servicetest.Options{Dir: dir, Parsers: parsers})
}

// The way in which a person wants scanned pages read stays with the file: the update
// takes the text that the worker made, and what reads the file again reads it so.
func TestOCRStaysWithTheFile(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	dir := t.TempDir()
	pdf := &fakePDF{}
	a := openWith(t, dir, pdf)
	work(t, a)
	u, err := a.Intake.Upload(t.Context(), intake.UploadRequest{Name: "book.pdf", OCRMode: "force", OCRLanguages: []string{"de"}, From: strings.NewReader("%PDF-1.7\n" + prose)})
	if err != nil {
		t.Fatal(err)
	}
	if d := settle(t, a, u.ID); d.Status != "COMPLETED" {
		t.Fatalf("%+v", d)
	}
	if n := pdf.count(); n != 1 {
		t.Errorf("the file was read %d times, want once", n)
	}
	const want = `Its pages are read "force de".`
	look := func(when string, reads int) {
		t.Helper()
		text, err := a.Intake.Markdown(t.Context(), u.ID)
		if err != nil || !strings.Contains(string(text.Text), want) {
			t.Errorf("%s its text is %q, %v", when, text.Text, err)
		}
		if n := pdf.count(); n != reads {
			t.Errorf("%s the file was read %d times, want %d", when, n, reads)
		}
	}
	look("as it was kept", 1)
	other := upload(t, a, "note.md", "# Note\n\n"+prose) // whose update removes unused texts
	settle(t, a, other.ID)
	look("after an update", 1)
	if err := os.RemoveAll(filepath.Join(dir, "blobs")); err != nil {
		t.Fatal(err)
	}
	look("when the kept text is gone", 2)
	if _, err := a.Library.Update(t.Context(), library.UpdateRequest{Sets: []string{"Uploads"}, Rebuild: true}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	text, err := a.Intake.Markdown(t.Context(), u.ID)
	if err != nil || !strings.Contains(string(text.Text), want) {
		t.Errorf("rebuilt its text is %q, %v", text.Text, err)
	}
}

// Files of one lane do not keep those of the other waiting, and the time for a file
// begins when it is read, not when its job was taken.
func TestLanes(t *testing.T) {
	t.Parallel()
	const most = time.Hour
	started, free := make(chan struct{}), make(chan struct{})
	deadline := make(chan time.Time, 1)
	pdf := &fakePDF{hold: func(ctx context.Context, n int) {
		if n == 1 {
			close(started)
			<-free
			return
		}
		at, _ := ctx.Deadline()
		deadline <- at
	}}
	a := openWith(t, t.TempDir(), pdf)
	ctx, end := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- a.Intake.WorkOnJobs(ctx, intake.WorkRequest{Workers: 1, Timeout: most}) }()
	first := upload(t, a, "first.pdf", "%PDF-1.7\nfirst "+prose)
	<-started
	second := upload(t, a, "second.pdf", "%PDF-1.7\nsecond "+prose)
	for running := 0; running < 2; time.Sleep(10 * time.Millisecond) {
		jobs, err := a.Intake.Jobs(t.Context(), intake.JobsRequest{States: []string{"running"}})
		if err != nil {
			t.Fatal(err)
		}
		running = jobs.Total
	}
	if d := settle(t, a, upload(t, a, "note.md", "# Note\n\n"+prose).ID); d.Status != "COMPLETED" {
		t.Errorf("a note behind books: %+v", d)
	}
	before := time.Now()
	close(free)
	if at := <-deadline; at.Before(before.Add(most)) {
		t.Errorf("the second book has until %v, and its turn came after %v", at, before)
	}
	for _, id := range []string{first.ID, second.ID} {
		if d := settle(t, a, id); d.Status != "COMPLETED" || d.RetryCount != 0 {
			t.Errorf("%+v", d)
		}
	}
	end()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
