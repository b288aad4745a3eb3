package intake_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/servicetest"
)

const prose = "The wick of the lantern is trimmed every evening before the lamp is lit, and the oil is changed once a month.\n"

func openUploads(t *testing.T, dir string) *servicetest.Home {
	t.Helper()
	return servicetest.Open(t, servicetest.Options{Dir: dir})
}

// work has a worker work until the test ends or stop is called.
func work(t *testing.T, a *servicetest.Home) (stop func()) {
	t.Helper()
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- a.Intake.WorkOnJobs(ctx, intake.WorkRequest{Workers: 2}) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			end()
			if err := <-done; err != nil {
				t.Errorf("the worker ended: %v", err)
			}
		})
	}
	t.Cleanup(stop)
	return stop
}

func upload(t *testing.T, a *servicetest.Home, name, text string) contract.UploadResponse {
	t.Helper()
	u, err := a.Intake.Upload(t.Context(), intake.UploadRequest{Name: name, From: strings.NewReader(text)})
	if err != nil {
		t.Fatalf("upload %s: %v", name, err)
	}
	return u
}

// patience is how long a test waits for what happens in time on a machine that is not busy.
const patience = 4 * time.Minute

// settle waits for documents to be completed or to have failed.
func settle(t *testing.T, a *servicetest.Home, id string) contract.Document {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		d, err := a.Intake.Document(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if d.Status == "COMPLETED" || d.Status == "FAILED" {
			return d
		}
		if time.Now().After(end) {
			t.Fatalf("document %s is %s for %v", id, d.Status, patience)
		}
	}
}

func code(err error) string {
	e, _ := errors.AsType[*contract.Error](err)
	if e == nil {
		return fmt.Sprint(err)
	}
	return e.Code
}

// A file is handed in, becomes a page, is found, tried a second time, and deleted.
func TestDocumentsLife(t *testing.T) {
	t.Parallel()
	a := openUploads(t, t.TempDir())
	u := upload(t, a, "C:\\docs\\Wick Care.md", "# Wick care\n\n"+prose)
	if u.Status != "PENDING" || u.Format != "md" || u.Lane != "fast" || u.Filename != "Wick Care.md" {
		t.Errorf("the upload is answered with %+v", u)
	}
	if _, err := a.Intake.Upload(t.Context(), intake.UploadRequest{Name: "other.md", From: strings.NewReader("# Wick care\n\n" + prose)}); code(err) != contract.CodeDuplicate {
		t.Errorf("the same file again: %v", err)
	} else if e, _ := errors.AsType[*contract.Error](err); e.Details["id"] != u.ID {
		t.Errorf("a duplicate of %v, want %s", e.Details, u.ID)
	}
	work(t, a)
	d := settle(t, a, u.ID)
	if d.Status != "COMPLETED" || d.ChunkCount == nil || *d.ChunkCount == 0 || d.RetryCount != 0 || !strings.HasSuffix(d.Page, "/Wick-Care.md") {
		t.Fatalf("the document is %+v", d)
	}
	text, err := a.Intake.Markdown(t.Context(), u.ID)
	if err != nil || string(text.Text) != "# Wick care\n\n"+prose || text.Name != "Wick Care.md" {
		t.Errorf("its text is %q in %s, %v", text.Text, text.Name, err)
	}
	sets, err := a.Library.Sets(t.Context(), []string{"Uploads"})
	if err != nil || sets.Sets[0].Pages != 1 {
		t.Errorf("the doc set is %+v, %v", sets, err)
	}
	if _, err := a.Intake.RetryDocument(t.Context(), u.ID); code(err) != contract.CodeConflict {
		t.Errorf("retrying what is completed: %v", err)
	}
	if deleted, err := a.Intake.DeleteDocuments(t.Context(), u.ID, "nothing"); len(deleted) != 1 || code(err) != contract.CodeNotFound {
		t.Errorf("deleted %v, %v", deleted, err)
	}
	if _, err := a.Intake.Document(t.Context(), u.ID); code(err) != contract.CodeNotFound {
		t.Errorf("a deleted document: %v", err)
	}
	if sets, err := a.Library.Sets(t.Context(), []string{"Uploads"}); err != nil || sets.Sets[0].Pages != 0 {
		t.Errorf("the doc set is %+v, %v", sets, err)
	}
	again := upload(t, a, "Wick Care.md", "# Wick care\n\n"+prose)
	if d := settle(t, a, again.ID); d.Status != "COMPLETED" {
		t.Errorf("handed in again: %+v", d)
	}
}

// Invalid documents fail with their code and do not stop the others.
func TestDocumentsThatFail(t *testing.T) {
	t.Parallel()
	a := openUploads(t, t.TempDir())
	for name, text := range map[string]string{
		"a.pdf": "this is no PDF", "b.txt": "%PDF-1.7\n" + prose, "c.md": "\x89PNG\r\n\x1a\n\x00\x00", "d.exe": "MZ\x90\x00", "e.json": "<html>", "f.md": "", "g.html": "<p>" + prose,
	} {
		if _, err := a.Intake.Upload(t.Context(), intake.UploadRequest{Name: name, From: strings.NewReader(text)}); code(err) != contract.CodeInvalidFormat {
			t.Errorf("%s: %v", name, err)
		}
	}
	short := upload(t, a, "short.txt", "too short\n")
	noise := upload(t, a, "noise.txt", strings.Repeat("=-+#*~|. ", 100))
	good := upload(t, a, "good.txt", prose)
	data := upload(t, a, "data.json", `{"lanterns": [{"name": "storm lantern", "oil": "colza oil"}, {"name": "dark lantern", "oil": "whale oil"}]}`)
	work(t, a)
	for _, id := range []string{short.ID, noise.ID} {
		if d := settle(t, a, id); d.Status != "FAILED" || !strings.HasPrefix(d.FailReason, "UNSUPPORTED_FORMAT: ") || d.RetryCount != 0 || d.ChunkCount != nil {
			t.Errorf("%+v", d)
		}
	}
	for _, id := range []string{good.ID, data.ID} {
		if d := settle(t, a, id); d.Status != "COMPLETED" {
			t.Errorf("%+v", d)
		}
	}
	if _, err := a.Intake.Markdown(t.Context(), short.ID); code(err) != contract.CodeConflict {
		t.Errorf("the text of a document that failed: %v", err)
	}
	if _, err := a.Intake.RetryDocument(t.Context(), short.ID); err != nil {
		t.Error(err)
	}
	if d := settle(t, a, short.ID); d.Status != "FAILED" {
		t.Errorf("tried again: %+v", d)
	}
	list, err := a.Intake.Documents(t.Context(), intake.DocumentsRequest{Status: "FAILED", Limit: 1})
	if err != nil || list.Total != 2 || len(list.Documents) != 1 {
		t.Errorf("the list of failures: %+v, %v", list, err)
	}
}
