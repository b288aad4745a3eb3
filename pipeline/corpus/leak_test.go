package corpus_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"docent/pipeline/corpus/corpustest"
	"docent/store"
)

// Over many updates with questions under way, no file of a generation that was
// replaced stays open or mapped. Not parallel: the files of other tests would be
// counted.
func TestNoFilesAreLeaked(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("open files are listed in /proc")
	}
	h := corpustest.New(t)
	set := h.Add("Lantern@1", corpustest.MakePages(30))
	use := func() (release func()) {
		x, one, err := h.Corpus.Index(t.Context(), set)
		if err != nil {
			t.Error(err)
			return func() {}
		}
		if _, err := x.Frequencies(t.Context(), []string{"lantern"}); err != nil {
			t.Error(err)
		}
		v, two, err := h.Corpus.Vectors(t.Context(), set)
		if err != nil {
			t.Error(err)
			return one
		}
		if _, err := v.Search(t.Context(), make([]float32, v.Info().Dims), 3); err != nil {
			t.Error(err)
		}
		if _, err := v.Similarities(t.Context(), make([]float32, v.Info().Dims), []store.Key{{Doc: 1}}); err != nil {
			t.Error(err)
		}
		return func() { one(); two() }
	}
	use()()
	first := openFiles(t, h.Dir)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					use()()
				}
			}
		})
	}
	slow := use() // a question that takes as long as many updates
	for i := range 12 {
		h.Write(set, map[string]string{"new.md": fmt.Sprintf("# New\n\nzeppelin number %d\n", i)})
		h.Update(set, false)
	}
	close(stop)
	wg.Wait()
	slow()
	use()()                                                  // the newest generation takes the place of the last
	if now := openFiles(t, h.Dir); len(now) > len(first)+3 { // an index of two segments, vectors in two files
		t.Errorf("%d files are open:\n%s\nat first there were\n%s", len(now), strings.Join(now, "\n"), strings.Join(first, "\n"))
	}
	for _, f := range openFiles(t, h.Dir) {
		if strings.Contains(f, "(deleted)") {
			t.Errorf("still open or mapped: %s", f)
		}
	}
}

// openFiles are the files under a folder that this process has open or mapped,
// but for the catalog's.
func openFiles(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if to, err := os.Readlink(filepath.Join("/proc/self/fd", e.Name())); err == nil {
			out = append(out, to)
		}
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	defer maps.Close()
	s := bufio.NewScanner(maps)
	for s.Scan() {
		if _, path, ok := strings.Cut(s.Text(), " /"); ok {
			out = append(out, "/"+path)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	var mine []string
	for _, f := range out {
		if strings.HasPrefix(f, filepath.Join(dir, "index")) {
			mine = append(mine, f)
		}
	}
	return mine
}
