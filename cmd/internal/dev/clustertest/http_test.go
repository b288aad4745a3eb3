package clustertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/cmd/internal/dev/served"
)

// hit is a passage that a search gives.
type hit struct {
	DocumentPath string
	ChunkIndex   int
	Snippet      string
}

// search asks a server for passages.
func search(s *served.Server, question, set string) ([]hit, error) {
	raw, err := json.Marshal(map[string]any{"query": question, "limit": 50, "threshold": 0, "docSets": []string{set}})
	if err != nil {
		return nil, err
	}
	status, body, err := readBody(http.Post(s.URL+"/api/docs/search", "application/json", bytes.NewReader(raw)))
	if err != nil || status != http.StatusOK {
		return nil, fmt.Errorf("%q: %d %s", question, status, textOr(body, err))
	}
	var answer struct{ Results []hit }
	err = json.Unmarshal([]byte(body), &answer)
	return answer.Results, err
}

// findOnce requires that a mark is found in one page alone, whose path ends so, and each passage once.
func findOnce(s *served.Server, mark, set, path string) error {
	hits, err := search(s, mark, set)
	if err != nil {
		return err
	}
	if len(hits) == 0 || !strings.HasSuffix(hits[0].DocumentPath, path) {
		return fmt.Errorf("%s finds %v, not %s", mark, hits, path)
	}
	var seen []hit
	for _, h := range hits {
		h.Snippet, seen = strings.ToLower(h.Snippet), append(seen, hit{h.DocumentPath, h.ChunkIndex, ""})
		if strings.Contains(h.Snippet, strings.ToLower(mark)) && h.DocumentPath != hits[0].DocumentPath {
			return fmt.Errorf("%s is in %s and in %s", mark, hits[0].DocumentPath, h.DocumentPath)
		}
	}
	slices.SortFunc(seen, func(a, b hit) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	if n := len(seen); len(slices.Compact(seen)) != n {
		return fmt.Errorf("%s: a passage is found twice: %v", mark, hits)
	}
	return nil
}

// atOnce is how many marks one question has.
const atOnce = 10

// findAll requires that each of so many marks is found in its file, and in no other one. A question has
// several marks, so that fewer questions are asked.
func findAll(t *testing.T, s *served.Server, set string, n int, page func(i int) (mark, file string)) {
	t.Helper()
	each(t, 2, (n+atOnce-1)/atOnce, func(batch int) error {
		files := map[string]string{} // by mark
		for i := batch * atOnce; i < min(n, (batch+1)*atOnce); i++ {
			mark, file := page(i)
			files[mark] = file
		}
		hits, err := search(s, strings.Join(slices.Sorted(maps.Keys(files)), " "), set)
		if err != nil {
			return err
		}
		for mark, file := range files {
			var found []string
			for _, h := range hits {
				if strings.Contains(h.Snippet, mark) {
					found = append(found, fmt.Sprintf("%s %d", h.DocumentPath, h.ChunkIndex))
				}
			}
			if len(found) != 1 || !strings.Contains(found[0], file) {
				return fmt.Errorf("%s of %s is found in %v", mark, file, found)
			}
		}
		return nil
	})
}

// holds reports whether the passages that a mark finds have it.
func holds(s *served.Server, mark, set string) (bool, error) {
	hits, err := search(s, mark, set)
	return slices.ContainsFunc(hits, func(h hit) bool { return strings.Contains(h.Snippet, mark) }), err
}

// noteName and noteMark are the file and the word of its own of a note that is handed in.
func noteName(i int) string { return fmt.Sprintf("note-%03d.md", i) }
func noteMark(i int) string { return fmt.Sprintf("note%dx%d", i, 7919*(i+1)) }

// handIn hands a note in, and gives the status of the answer.
func handIn(s *served.Server, i int) (status int, body string, err error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", noteName(i))
	if err != nil {
		return 0, "", err
	}
	fmt.Fprintf(part, "# Note %d\n\nThe cargo %s tells of whales and of lanterns that were lost in the harbour at night.\n", i, noteMark(i))
	if err := w.Close(); err != nil {
		return 0, "", err
	}
	return readBody(http.Post(s.URL+"/api/documents", w.FormDataContentType(), &form))
}

// documents gives the status of each file that was handed in, by its name.
func documents(s *served.Server) (map[string]string, error) {
	out := map[string]string{}
	for offset := 0; ; offset += 100 {
		status, body, err := readBody(http.Get(fmt.Sprintf("%s/api/documents?limit=100&details=true&offset=%d", s.URL, offset)))
		if err != nil || status != http.StatusOK {
			return nil, fmt.Errorf("%d %s", status, textOr(body, err))
		}
		var list struct {
			Documents []struct{ Filename, Status, FailReason string }
			Total     int
		}
		if err := json.Unmarshal([]byte(body), &list); err != nil {
			return nil, err
		}
		for _, d := range list.Documents {
			if _, twice := out[d.Filename]; twice {
				return nil, fmt.Errorf("%s is there twice", d.Filename)
			}
			out[d.Filename] = strings.TrimSpace(d.Status + " " + d.FailReason)
		}
		if offset+100 >= list.Total {
			return out, nil
		}
	}
}

// completed waits until so many files that were handed in are pages, and no other ones are there.
func completed(t *testing.T, s *served.Server, n int) {
	t.Helper()
	eventually(t, func() string {
		all, err := documents(s)
		if err != nil {
			return err.Error()
		}
		done := 0
		for name, status := range all {
			if strings.HasPrefix(status, "FAILED") {
				t.Fatalf("%s: %s", name, status)
			}
			if status == "COMPLETED" {
				done++
			}
		}
		if done != n || len(all) != n {
			return fmt.Sprintf("%d of %d files are pages, and should be %d", done, len(all), n)
		}
		return ""
	})
}

// pagesOf gives the number of pages of each doc set.
func pagesOf(t *testing.T, s *served.Server) map[string]int {
	t.Helper()
	status, body, err := readBody(http.Get(s.URL + "/api/docsets"))
	var list struct {
		Sets []struct {
			Name  string
			Pages int
		}
	}
	if err == nil {
		err = json.Unmarshal([]byte(body), &list)
	}
	if err != nil || status != http.StatusOK {
		t.Fatal(status, body, err)
	}
	out := map[string]int{}
	for _, x := range list.Sets {
		out[x.Name] += x.Pages
	}
	return out
}

// percentiles gives the 50th and the 95th percentile of some times.
func percentiles(took []time.Duration) string {
	slices.Sort(took)
	at := func(p int) time.Duration { return took[min(len(took)-1, len(took)*p/100)].Round(time.Millisecond) }
	return fmt.Sprintf("p50 %v, p95 %v of %d questions", at(50), at(95), len(took))
}
