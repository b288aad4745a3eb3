package inbox_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"docent/pipeline/service/inbox"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/servicetest"
	"docent/store"
)

const prose = "The wick of the lantern is trimmed every evening before the lamp is lit, and the oil is changed once a month.\n"

func upload(t *testing.T, h *servicetest.Home, name string) string {
	t.Helper()
	u, err := h.Intake.Upload(t.Context(), intake.UploadRequest{Name: name, From: strings.NewReader("# " + name + "\n\n" + prose)})
	if err != nil {
		t.Fatal(err)
	}
	return u.ID
}

// A home in which nothing was handed in has no store to read, and reading makes none.
func TestNothingWasHandedIn(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	s, release, err := h.Inbox.OpenForReading(t.Context())
	if err != nil || s != nil {
		t.Errorf("%v, %v", s, err)
	}
	if s != nil {
		_ = release()
	}
	if _, there, err := h.Inbox.UploadsSet(t.Context()); err != nil || there {
		t.Errorf("there is a doc set of uploads: %v", err)
	}
	counts, err := h.Inbox.CountDocuments(t.Context())
	for status, n := range counts {
		if n != 0 {
			t.Errorf("%d are %s", n, status)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

func TestWhatWasHandedInIsCounted(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	upload(t, h, "one.md")
	two := upload(t, h, "two.md")
	count := func(when string, pending, completed int) {
		t.Helper()
		counts, err := h.Inbox.CountDocuments(t.Context())
		if err != nil || counts[store.UploadPending] != pending || counts[store.UploadCompleted] != completed {
			t.Errorf("%s: %v, %v; want %d and %d", when, counts, err, pending, completed)
		}
	}
	count("before a worker came", 2, 0)
	if err := h.Intake.WorkOnce(t.Context(), intake.WorkRequest{}); err != nil {
		t.Fatal(err)
	}
	count("after it", 0, 2)
	set, there, err := h.Inbox.UploadsSet(t.Context())
	if err != nil || !there || set.Documents != 2 {
		t.Errorf("%+v, %v, %v", set, there, err)
	}
	s, release, err := h.Inbox.OpenForReading(t.Context())
	if err != nil || s == nil {
		t.Fatal(err)
	}
	defer release()
	u, err := h.Inbox.Upload(t.Context(), s, two)
	if err != nil || u.Filename != "two.md" {
		t.Errorf("%+v, %v", u, err)
	}
	if d := inbox.Document(u); d.ID != two || d.Status != store.UploadCompleted || d.Filename != "two.md" || d.FilePath == "" {
		t.Errorf("%+v", d)
	}
	if chunks, err := h.Inbox.UploadedPage(t.Context(), u.Path); err != nil || chunks == 0 {
		t.Errorf("%d chunks, %v", chunks, err)
	}
	for _, id := range []string{"", "nothing", "00000000-0000-4000-8000-000000000000"} {
		if _, err := h.Inbox.Upload(t.Context(), s, id); !errors.Is(err, store.ErrNoUpload) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// Writers of one process share the opened store, and each home closes its own.
func TestTheStoreIsOpenedOnce(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	var mu sync.Mutex
	opened := map[any]bool{}
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			s, err := h.Inbox.OpenForWriting(t.Context())
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			opened[s] = true
		})
	}
	all.Wait()
	if len(opened) != 1 {
		t.Errorf("it was opened %d times", len(opened))
	}
	other := h.Beside()
	id := upload(t, h, "one.md")
	if d, err := other.Intake.Document(t.Context(), id); err != nil || d.Filename != "one.md" {
		t.Errorf("another process sees %+v, %v", d, err)
	}
	h.Close()
	if d, err := other.Intake.Document(t.Context(), id); err != nil || d.ID != id {
		t.Errorf("after the first was closed: %+v, %v", d, err)
	}
}

func TestAnErrorOfReadingAFileKeepsItsCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("no such tentacle")
	err := error(&inbox.ParseError{Err: cause})
	if !errors.Is(err, cause) || err.Error() != "no such tentacle" {
		t.Errorf("%v", err)
	}
}
