package synonyms_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/pipeline/question/synonym"
	"docent/pipeline/service/home"
	"docent/pipeline/service/servicetest"
	"docent/pipeline/service/synonyms"
	"docent/store"
)

// known reports whether the lists of a home know another word for lantern.
func known(t *testing.T, h *servicetest.Home, sets []store.Set, word string) bool {
	t.Helper()
	book, _ := h.Synonyms.Synonyms(t.Context(), sets)
	for _, f := range book.In("lantern", []string{"lantern"}) {
		if slices.Contains(f.Also, word) {
			return true
		}
	}
	return false
}

func TestListsOfTheHomeAndOfADocSet(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	set := h.Add("Lantern@1", map[string]string{"a.md": "# A\n\nText.\n"})
	other := h.Add("Other@1", map[string]string{"a.md": "# A\n\nText.\n"})
	servicetest.WriteFile(t, filepath.Join(h.Dir, "synonyms", "all.txt"), "lantern, lucerna\n")
	servicetest.WriteFile(t, filepath.Join(h.Root("Lantern@1"), "synonyms", "own.txt"), "lantern, fanal\n")
	for _, tt := range []struct {
		what string
		sets []store.Set
		word string
		want bool
	}{
		{"the home's list counts everywhere", []store.Set{other}, "lucerna", true},
		{"the home's list counts without doc sets", nil, "lucerna", true},
		{"a doc set's list counts in it", []store.Set{set}, "fanal", true},
		{"a doc set's list counts in it alone", []store.Set{other}, "fanal", false},
		{"several doc sets have theirs", []store.Set{other, set}, "fanal", true},
	} {
		if got := known(t, h, tt.sets, tt.word); got != tt.want {
			t.Errorf("%s: %v", tt.what, got)
		}
	}
}

// A list that changed is read again, and one that went counts no more; the home need not
// be opened again.
func TestAListThatChanges(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	path := filepath.Join(h.Dir, "synonyms", "a.txt")
	if known(t, h, nil, "lucerna") {
		t.Error("known before there is a list")
	}
	servicetest.WriteFile(t, path, "lantern, lucerna\n")
	if !known(t, h, nil, "lucerna") {
		t.Error("a new list is not read")
	}
	first, _ := h.Synonyms.Synonyms(t.Context(), nil)
	if again, _ := h.Synonyms.Synonyms(t.Context(), nil); again != first {
		t.Error("a list that did not change is read again")
	}
	time.Sleep(5 * time.Millisecond) // another time of the file
	servicetest.WriteFile(t, path, "lantern, fanale, pharos\n")
	if known(t, h, nil, "lucerna") || !known(t, h, nil, "pharos") {
		t.Error("a changed list is not read")
	}
	h.RemoveAll("synonyms")
	if known(t, h, nil, "pharos") {
		t.Error("a list that is gone counts")
	}
}

func TestFaultsOfListsNameTheirFiles(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, servicetest.Options{Settings: func(s *home.Settings) { s.SynonymFile = "mine.txt" }})
	set := h.Add("Lantern@1", map[string]string{"a.md": "# A\n\nText.\n"})
	servicetest.WriteFile(t, filepath.Join(h.Root("Lantern@1"), "synonyms", "bad.txt"), "one\n")
	servicetest.WriteFile(t, filepath.Join(h.Dir, "synonyms", "large.txt"), strings.Repeat("# long\n", synonym.MaxBytes/7+1))
	servicetest.WriteFile(t, filepath.Join(h.Dir, "synonyms", "notes.md"), "no list")
	servicetest.WriteFile(t, filepath.Join(h.Dir, "synonyms", "good.txt"), "lantern, lucerna\n")
	_, faults := h.Synonyms.Synonyms(t.Context(), []store.Set{set})
	var said []string
	for _, f := range faults {
		said = append(said, f.Error())
	}
	all := strings.Join(said, "\n")
	for _, part := range []string{"mine.txt", "it cannot be read", "Lantern@1/synonyms/bad.txt", "synonyms/large.txt", "at most"} {
		if !strings.Contains(all, part) {
			t.Errorf("%q is not among the faults:\n%s", part, all)
		}
	}
	if strings.Contains(all, "notes.md") || strings.Contains(all, h.Dir) {
		t.Errorf("the faults name another file, or a path:\n%s", all)
	}
	if !known(t, h, nil, "lucerna") {
		t.Error("a good list does not count next to bad ones")
	}
}

func TestTooManyLists(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	for i := range 55 {
		servicetest.WriteFile(t, filepath.Join(h.Dir, "synonyms", fmt.Sprintf("%02d.txt", i)), fmt.Sprintf("lamp%02d, word%02d\n", i, i))
	}
	book, faults := h.Synonyms.Synonyms(t.Context(), nil)
	if len(faults) != 1 || !strings.Contains(faults[0].Error(), "55 lists; only the first 50 count: join some") {
		t.Errorf("%v", faults)
	}
	if len(book.In("lamp49", []string{"lamp49"})) != 1 || len(book.In("lamp50", []string{"lamp50"})) != 0 {
		t.Error("others than the first 50 count")
	}
}

func TestCheckingListsOfAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if faults, there := synonyms.CheckSynonyms(dir, ""); len(faults) != 0 || there {
		t.Errorf("no list: %v, %v", faults, there)
	}
	if faults, there := synonyms.CheckSynonyms(dir, "nothing.txt"); len(faults) != 1 || !there {
		t.Errorf("a list that is not there: %v, %v", faults, there)
	}
	servicetest.WriteFile(t, filepath.Join(dir, "synonyms", "a.txt"), "lantern, lamp\n")
	if faults, there := synonyms.CheckSynonyms(dir, ""); len(faults) != 0 || !there {
		t.Errorf("a good list: %v, %v", faults, there)
	}
	servicetest.WriteFile(t, filepath.Join(dir, "synonyms", "b.txt"), "alone\n")
	if faults, there := synonyms.CheckSynonyms(dir, "synonyms/a.txt"); len(faults) != 1 || !there || !strings.Contains(faults[0].Error(), "b.txt") {
		t.Errorf("a bad list: %v, %v", faults, there)
	}
}

func TestManySearchesReadTheListsAtOnce(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	servicetest.WriteFile(t, filepath.Join(h.Dir, "synonyms", "a.txt"), "lantern, lucerna\n")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if book, faults := h.Synonyms.Synonyms(t.Context(), nil); book == nil || len(faults) != 0 {
				t.Errorf("%v, %v", book, faults)
			}
		})
	}
	all.Wait()
	if book, faults := h.Synonyms.Synonyms(servicetest.Cancelled(t), nil); book != nil || faults != nil {
		t.Errorf("with a context that has ended: %v, %v", book, faults)
	}
}
