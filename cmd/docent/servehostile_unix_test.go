//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// uploadForm is a form with one file.
func uploadForm(t *testing.T, name, content string) (body []byte, kind string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = io.WriteString(part, content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), w.FormDataContentType()
}

// documentsOf lists what the server has.
func (s *serving) documentsOf(t *testing.T) (ids map[string]string) {
	t.Helper()
	ids = map[string]string{}
	for offset := 0; ; offset += 100 {
		res, err := http.Get(fmt.Sprintf("%s/api/documents?limit=100&offset=%d", s.url, offset))
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Documents []struct{ ID, Filename string }
			Total     int
		}
		err = json.NewDecoder(res.Body).Decode(&list)
		res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list.Documents {
			if other, twice := ids[d.Filename]; twice {
				t.Errorf("%s is there twice, as %s and %s", d.Filename, other, d.ID)
			}
			ids[d.Filename] = d.ID
		}
		if offset+len(list.Documents) >= list.Total || len(list.Documents) == 0 {
			return ids
		}
	}
}

// The server is killed at random moments while files are handed in, again and again:
// what it said it took is there, whole and once, and nothing is there by half.
func TestServeIsKilledUnderUploads(t *testing.T) {
	t.Parallel()
	r := runnerWithManual(t)
	home := r.home
	kills := 3
	if testing.Short() {
		kills = 2
	}
	content := func(name string) string {
		return fmt.Sprintf("# %s\n\n%s\n", name, strings.Repeat("The lantern "+name+" burns oil, and its wick is trimmed once a week. ", 400))
	}
	taken := map[string]string{} // what the server said it took
	var mu sync.Mutex
	for k := range kills {
		s := startServe(t, r, "--workers", "2")
		var all sync.WaitGroup
		for n := range 4 {
			all.Go(func() {
				for i := range 200 {
					name := fmt.Sprintf("lantern-%d-%d-%d.md", k, n, i)
					body, kind := uploadForm(t, name, content(name))
					res, err := http.Post(s.url+"/api/documents", kind, bytes.NewReader(body))
					if err != nil {
						return // it was killed
					}
					var done struct{ ID string }
					err = json.NewDecoder(res.Body).Decode(&done)
					res.Body.Close()
					if err == nil && res.StatusCode == 201 {
						mu.Lock()
						taken[name] = done.ID
						mu.Unlock()
					}
				}
			})
		}
		time.Sleep(time.Duration(100+rand.IntN(500)) * time.Millisecond) // the moment is random
		for deadline := time.Now().Add(time.Minute); k%2 == 1 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			mu.Lock() // every second time not before it took a file, however busy the machine is
			n := len(taken)
			mu.Unlock()
			if n > 0 {
				break
			}
		}
		_ = s.cmd.Process.Signal(syscall.SIGKILL)
		_ = s.cmd.Wait()
		all.Wait()
	}
	r.run(t, 0, "", "worker", "--once")
	s := startServe(t, r, "--workers", "0")
	defer s.stop()
	there := s.documentsOf(t)
	if len(taken) == 0 || len(there) < len(taken) || len(there) > len(taken)+4*kills {
		t.Errorf("%d documents were taken, %d are there", len(taken), len(there))
	}
	for name, id := range taken {
		if there[name] != id {
			t.Errorf("%s was taken as %s and is there as %q", name, id, there[name])
		}
	}
	for name, id := range there {
		res, err := http.Get(s.url + "/api/documents/" + id + "/content")
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != 200 || string(raw) != content(name) {
			t.Errorf("%s is not whole: %d, %d bytes, %v", name, res.StatusCode, len(raw), err)
		}
	}
	for _, dir := range []string{"uploads/waiting", "uploads/incoming"} {
		if left, _ := os.ReadDir(filepath.Join(home, dir)); len(left) > 0 {
			t.Errorf("%s has %d files left, such as %s", dir, len(left), left[0].Name())
		}
	}
	r.run(t, 0, "", "doctor")
}

// endless is a body that goes on for so many bytes.
type endless struct {
	unit string
	left int
}

func (e *endless) Read(p []byte) (n int, err error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	for n < len(p) && n < e.left {
		n += copy(p[n:], e.unit)
	}
	e.left -= n
	return n, nil
}

// Bodies of 50 MB of nesting, uploads that break off, files that are not what they say,
// and clients that send a byte at a time: each gets its error, the log has a line for
// it, and the server goes on with the memory it had.
func TestServeOfHostileClients(t *testing.T) {
	t.Parallel()
	r := runnerWithManual(t)
	s := startServe(t, r)
	const size = 50 << 20
	for _, path := range []string{"/api/ask", "/api/docs/search", "/api/verify", "/api/phases/0a", "/api/phases/2", "/api/query", "/api/auth/login", "/api/documents/delete", "/mcp"} {
		for _, unit := range []string{"[", `{"a":`} {
			for _, length := range []int64{size, -1} { // said before, and not
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, &endless{unit, size})
				if err != nil {
					t.Fatal(err)
				}
				req.ContentLength = length
				req.Header.Set("Content-Type", "application/json")
				res, err := http.DefaultClient.Do(req)
				if err != nil {
					if !strings.Contains(err.Error(), "reset") && !strings.Contains(err.Error(), "broken pipe") {
						t.Errorf("%s: %v", path, err)
					}
					continue // it was answered before it was all sent
				}
				res.Body.Close()
				if res.StatusCode != 413 {
					t.Errorf("%s, %q, length %d: %d", path, unit, length, res.StatusCode)
				}
			}
		}
	}
	// Forms that break off, and a file that is no PDF.
	whole, kind := uploadForm(t, "lantern.md", strings.Repeat("A lantern burns oil. ", 5000))
	for _, n := range []int{0, 1, 60, 200, len(whole) / 2, len(whole) - 3} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST /api/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, len(whole), whole[:n])
		conn.Close()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/api/documents", bytes.NewReader(whole[:n])) // and one whose length says so
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", kind)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != 400 || !strings.Contains(string(raw), "INVALID_REQUEST") {
			t.Errorf("cut at %d: %d %s", n, res.StatusCode, raw)
		}
	}
	for name, content := range map[string]string{"x.pdf": "this is no PDF", "x.md": "%PDF-1.7\n\x00\x01", "x.json": "{", "x.exe": "MZ"} {
		body, kind := uploadForm(t, name, content)
		res, err := http.Post(s.url+"/api/documents", kind, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != 400 && (res.StatusCode != 201 || name != "x.json") { // JSON is read by the worker
			t.Errorf("%s: %d %s", name, res.StatusCode, raw)
		}
	}
	if there := s.documentsOf(t); len(there) > 1 {
		t.Errorf("there are documents by half: %v", there)
	}
	// Clients that hang about while others are answered.
	var slow []net.Conn
	for i := range 200 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		slow = append(slow, conn)
		_, _ = io.WriteString(conn, []string{"P", "POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\n", "POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n{"}[i%3])
	}
	for range 5 {
		if status, body := s.post("/api/docs/search", `{"query": "threshold"}`); status != 200 {
			t.Errorf("beside %d slow clients: %d %s", len(slow), status, body)
		}
	}
	for _, conn := range slow {
		conn.Close()
	}
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err == nil { // Linux
		_, peak, _ := strings.Cut(string(raw), "VmHWM:")
		var kb int
		if _, err := fmt.Sscan(peak, &kb); err != nil || kb > 400<<10 && !underRace {
			t.Errorf("the memory at its peak: %d KB, %v", kb, err)
		}
	}
	s.stop()
	if log := s.errs.String(); strings.Contains(log, "crash") || strings.Contains(log, `"status":500`) || !strings.Contains(log, `"status":413`) {
		t.Errorf("the log: %.2000s", log)
	}
}
