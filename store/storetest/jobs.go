package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"docent/store"
	"docent/store/queue"
)

// Jobs is a store of uploads with the queue of their jobs.
type Jobs interface {
	store.Uploads
	UploadChanges(ctx context.Context, since int64) ([]store.UploadChange, int64, error)
	queue.Queue
}

// TestJobs holds uploads and their queue to what package store says of them. open
// opens an empty one; several calls of its result open the same one again.
func TestJobs(t *testing.T, open func(t *testing.T) (again func() Jobs)) {
	for name, test := range map[string]func(t *testing.T, again func() Jobs){
		"uploads":      testUploads,
		"pages":        testUploadPages,
		"duplicates":   testDuplicates,
		"changes":      testUploadChanges,
		"payload":      testPayload,
		"work":         testWork,
		"failures":     testFailures,
		"cancel":       testCancel,
		"stop":         testStop,
		"two workers":  testTwoWorkers,
		"purge":        testPurge,
		"removed work": testRemoved,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

// anUpload is an upload for tests.
func anUpload(n int) store.Upload {
	at := time.Date(2026, 11, 23, 10, 0, n, 0, time.UTC)
	return store.Upload{
		ID: fmt.Sprintf("00000000-0000-4000-8000-%012d", n), Filename: fmt.Sprintf("file %d.md", n), MimeType: "text/markdown",
		Bytes: int64(n), Format: "md",
		Lane: store.LaneFast, Status: store.UploadPending, Path: fmt.Sprintf("x/file-%d.md", n), MD5: fmt.Sprintf("%032d", n),
		OCRMode: "auto", OCRLanguages: []string{"en", "vi"},
		Created: at, Updated: at,
	}
}

func mustSucceed(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func oneUpload(t *testing.T, s Jobs, id string) store.Upload {
	t.Helper()
	got, n, err := s.ListUploads(t.Context(), store.UploadFilter{ID: id})
	mustSucceed(t, err)
	if n != 1 || len(got) != 1 {
		t.Fatalf("%d uploads have the id %s", n, id)
	}
	return got[0]
}

func jobsOf(t *testing.T, s Jobs, id string) []queue.Job {
	t.Helper()
	got, _, err := s.Jobs(t.Context(), queue.Filter{UploadID: id})
	mustSucceed(t, err)
	return got
}

func testUploads(t *testing.T, again func() Jobs) {
	s := again()
	u := anUpload(1)
	mustSucceed(t, s.AddUpload(t.Context(), u))
	mustSucceed(t, s.AddUpload(t.Context(), u)) // is there already
	got := oneUpload(t, again(), u.ID)
	got.Revision = 0
	if a, b := fmt.Sprint(got), fmt.Sprint(u); a != b {
		t.Errorf("the upload came back as\n%s, and was\n%s", a, b)
	}
	if n := len(jobsOf(t, s, u.ID)); n != 1 {
		t.Errorf("a pending upload has %d jobs", n)
	}
	done := anUpload(2)
	done.Status = store.UploadCompleted
	mustSucceed(t, s.AddUpload(t.Context(), done))
	if n := len(jobsOf(t, s, done.ID)); n != 0 {
		t.Errorf("a completed upload has %d jobs", n)
	}
	boom := errors.New("boom")
	if _, err := s.ChangeUpload(t.Context(), u.ID,
		func(u *store.Upload) (bool, error) { u.Status = store.UploadFailed; return true, boom }); !errors.Is(err, boom) {
		t.Errorf("the error of a change is %v", err)
	}
	if got := oneUpload(t, s, u.ID); got.Status != store.UploadPending {
		t.Errorf("a change that failed left the status %s", got.Status)
	}
	changed, err := s.ChangeUpload(t.Context(), u.ID, func(u *store.Upload) (bool, error) { u.FailReason = "why\nnot"; return true, nil })
	mustSucceed(t, err)
	if got := oneUpload(t, s, u.ID); got.FailReason != "why\nnot" || got.Revision != changed.Revision {
		t.Errorf("a change wrote %+v", got)
	}
	if n := len(jobsOf(t, s, u.ID)); n != 1 {
		t.Errorf("an upload with a job that waits got another: %d", n)
	}
	mustSucceed(t, s.RemoveUpload(t.Context(), u.ID))
	if n := len(jobsOf(t, s, u.ID)); n != 0 {
		t.Errorf("a removed upload left %d jobs", n)
	}
	if err := s.RemoveUpload(t.Context(), u.ID); !errors.Is(err, store.ErrNoUpload) {
		t.Errorf("removing nothing: %v", err)
	}
	if _, err := s.ChangeUpload(t.Context(), u.ID, nil); !errors.Is(err, store.ErrNoUpload) {
		t.Errorf("changing nothing: %v", err)
	}
}

func testUploadPages(t *testing.T, again func() Jobs) {
	s := again()
	for n := range 25 {
		u := anUpload(n)
		if n%5 == 0 {
			u.Status = store.UploadFailed
		}
		mustSucceed(t, s.AddUpload(t.Context(), u))
	}
	var seen []string
	for offset := 0; ; offset += 10 {
		got, total, err := s.ListUploads(t.Context(), store.UploadFilter{Limit: 10, Offset: offset})
		mustSucceed(t, err)
		if total != 25 {
			t.Fatalf("%d uploads in all", total)
		}
		if len(got) == 0 {
			break
		}
		for _, u := range got {
			seen = append(seen, u.ID)
		}
	}
	if len(seen) != 25 || seen[0] != anUpload(24).ID || seen[24] != anUpload(0).ID {
		t.Errorf("the pages have %d uploads: %v", len(seen), seen)
	}
	if got, total, err := s.ListUploads(t.Context(), store.UploadFilter{Status: store.UploadFailed, Limit: 2}); err != nil || total != 5 ||
		len(got) != 2 {
		t.Errorf("%d of %d failed ones, %v", len(got), total, err)
	}
	count, err := s.CountUploads(t.Context())
	mustSucceed(t, err)
	if count[store.UploadPending] != 20 || count[store.UploadFailed] != 5 || len(count) != 2 {
		t.Errorf("counted %v", count)
	}
}

func testDuplicates(t *testing.T, again func() Jobs) {
	s := again()
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(1)))
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() {
			u := anUpload(100 + i)
			u.MD5 = anUpload(1).MD5
			errs[i] = s.AddUpload(context.WithoutCancel(t.Context()), u)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if d, ok := errors.AsType[*store.DuplicateError](err); !ok || d.ID != anUpload(1).ID {
			t.Errorf("a duplicate: %v", err)
		}
	}
}

func testUploadChanges(t *testing.T, again func() Jobs) {
	s := again()
	_, start, err := s.UploadChanges(t.Context(), 0)
	mustSucceed(t, err)
	for n := 1; n <= 3; n++ {
		mustSucceed(t, s.AddUpload(t.Context(), anUpload(n)))
	}
	mustSucceed(t, s.RemoveUpload(t.Context(), anUpload(2).ID))
	_, err = s.ChangeUpload(t.Context(), anUpload(1).ID, func(u *store.Upload) (bool, error) { u.Chunks = 7; return false, nil })
	mustSucceed(t, err)
	got, newest, err := again().UploadChanges(t.Context(), start)
	mustSucceed(t, err)
	text := ""
	for _, c := range got {
		text += fmt.Sprintf("%s %v; ", c.Upload.ID[35:], c.Gone)
	}
	if text != "3 false; 2 true; 1 false; " {
		t.Errorf("changed: %s", text)
	}
	if got, n, err := s.UploadChanges(t.Context(), newest); err != nil || n != newest || len(got) != 0 {
		t.Errorf("nothing changed, and there are %v, %d, %v", got, n, err)
	}
}

func testPayload(t *testing.T, again func() Jobs) {
	s := again()
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(1)))
	var got map[string]any
	mustSucceed(t, json.Unmarshal(jobsOf(t, s, anUpload(1).ID)[0].Payload, &got))
	want := `{"config":{"ocrLanguages":["en","vi"],"ocrMode":"auto"},"documentId":"` + anUpload(1).ID +
		`","filePath":"x/file-1.md","format":"md"}`
	if raw, _ := json.Marshal(got); string(raw) != want {
		t.Errorf("the payload is\n%s, want\n%s", raw, want)
	}
}
