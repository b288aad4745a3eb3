package route

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Questions with their scenes, of several fields of software documentation and seven
// languages. The cues were made while looking at the tuned ones. The held ones were
// written before anyone looked at how they come out; four times such a hundred was
// measured first (68, 80, 86, 87 right), then looked at, and became tuned ones. Of the
// present ones 87 were right at first sight.
func TestLabelledScenes(t *testing.T) {
	t.Parallel()
	for _, half := range []struct {
		file  string
		least float64
	}{{"scenes-tuned.jsonl", .95}, {"scenes-held.jsonl", .90}} {
		f, err := os.Open(filepath.Join("testdata", half.file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		right, n := 0, 0
		sure, sureRight := 0, 0
		for sc := bufio.NewScanner(f); sc.Scan(); {
			var q struct{ Query, Scene string }
			if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
				t.Fatal(err)
			}
			got := route(t, q.Query)
			n++
			if got.Scene == q.Scene {
				right++
			} else {
				t.Logf("%s: %q is %s (%.2f, %q), want %s", half.file, q.Query, got.Scene, got.Confidence, got.Evidence, q.Scene)
			}
			if got.Confidence >= .7 {
				sure++
				if got.Scene == q.Scene {
					sureRight++
				}
			}
		}
		if n < 50 {
			t.Fatalf("%s has %d questions", half.file, n)
		}
		t.Logf("%s: %d of %d right; of those with a confidence of at least .7: %d of %d", half.file, right, n, sureRight, sure)
		if float64(right) < half.least*float64(n) {
			t.Errorf("%s: %d of %d right", half.file, right, n)
		}
	}
}
