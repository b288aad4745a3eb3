package files_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"docent/pipeline/ingest/parse/files"
	"docent/store/doc"
)

// A file that was hashed is not read again while its size and time are the same, and is
// read again once they are not.
func TestMemo(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	path := filepath.Join(root, "a.txt")
	then := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	var memo files.Memo
	use := func() doc.Use { return files.InFolder(root, nil).Remember(&memo).Use("a.txt") }
	if u := use(); u.SHA256 != "" {
		t.Errorf("a file that is not there: %+v", u)
	}
	write("one", then)
	first := use()
	if first.SHA256 == "" || first.Bytes != 3 || first.ModTime != then.UnixNano() {
		t.Errorf("%+v", first)
	}
	write("two", then) // the same size and time: not looked into
	if again := use(); again.SHA256 != first.SHA256 {
		t.Errorf("it was read again: %+v", again)
	}
	if other := files.InFolder(root, nil).Use("a.txt"); other.SHA256 == first.SHA256 {
		t.Error("without a memo it was not read")
	}
	write("two", then.Add(time.Second))
	if changed := use(); changed.SHA256 == first.SHA256 {
		t.Error("a change was not seen")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if gone := use(); gone.SHA256 != "" {
		t.Errorf("it is gone: %+v", gone)
	}
}
