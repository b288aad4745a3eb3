//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// serving is a docent serve that runs.
type serving struct {
	t    *testing.T
	cmd  *exec.Cmd
	url  string
	errs *lockedBuffer
}

// lockedBuffer is written by a process and read by a test.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func startServe(t *testing.T, r runner, args ...string) *serving {
	t.Helper()
	s := &serving{t: t, cmd: r.command(t, "", append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...), errs: &lockedBuffer{}}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stderr = s.errs
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, s.errs)
	}
	s.url = strings.TrimSpace(line)
	return s
}

// stop ends the server as a service manager does, and requires that it ends well.
func (s *serving) stop() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("%v: %s", err, s.errs)
	}
}

func (s *serving) post(path, body string, headers ...string) (int, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, string(raw)
}

// measured are the fields that comparisons leave out.
var measured = regexp.MustCompile(`"[a-z_]*_ms":(\{[^}]*\}|[-+0-9.e]+)`)

func unmeasured(s string) string { return measured.ReplaceAllString(s, `"_ms":0`) }

// The answers over HTTP are those of the command line, to the byte.
func TestServeAnswersAsTheCommandLineDoes(t *testing.T) {
	t.Parallel()
	r := runnerWithManual(t)
	s := startServe(t, r)
	code := 0
	same := func(path, body string, args ...string) string {
		t.Helper()
		want, _ := r.run(t, code, "", args...)
		status, got := s.post(path, body)
		if status != 200 || unmeasured(got) != unmeasured(want) {
			t.Errorf("%s %s: %d\n%.2000s\n%q:\n%.2000s", path, body, status, unmeasured(got), args, unmeasured(want))
		}
		return got
	}
	for _, q := range []string{"what is the threshold", "how do I add a doc set", "--sections", "ドキュメントセットを追加する", "quantum chromodynamics of lattices"} {
		raw, _ := json.Marshal(q)
		if code = 0; strings.HasPrefix(q, "quantum") {
			code = 1 // nothing is found
		}
		same("/api/ask", fmt.Sprintf(`{"query": %s, "explain": true}`, raw), "ask", "--json", "--explain", "--documents", "--", q)
		same("/api/docs/search", fmt.Sprintf(`{"query": %s}`, raw), "search", "--contract", "docs", "--", q)
	}
	code = 0
	answer := same("/api/ask", `{"query": "verify a block", "extent": "sections", "max_tokens": 300, "explain": true, "threshold": 0.3, "max_docs": 2}`,
		"ask", "--json", "--sections", "--max-tokens", "300", "--explain", "--threshold", "0.3", "--max-docs", "2", "verify a block")
	same("/api/ask", `{"query": "verify a block", "explain": true, "lines": 20, "reranker": false, "top": 3, "fallback_mode": "error_on_total_failure"}`,
		"ask", "--json", "--explain", "--lines", "20", "--no-rerank", "--top", "3", "--fallback-mode", "error_on_total_failure", "verify a block")
	var whole struct{ Final string }
	if err := json.Unmarshal([]byte(answer), &whole); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "block.md")
	if err := os.WriteFile(file, []byte(whole.Final), 0o600); err != nil {
		t.Fatal(err)
	}
	block, _ := json.Marshal(map[string]string{"block": whole.Final})
	same("/api/verify", string(block), "verify", "--json", file)
	two, _ := json.Marshal(map[string]string{"block": whole.Final + "\n\ntext between\n\n" + strings.Replace(whole.Final, "block", "flock", 1)})
	if status, got := s.post("/api/verify", string(two)); status != 200 || !strings.HasPrefix(got, `{"blocks":[`) {
		t.Errorf("two blocks: %d %.200s", status, got)
	}
	get := func(path string, args ...string) {
		t.Helper()
		want, _ := r.run(t, 0, "", args...)
		res, err := http.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		got, err := io.ReadAll(res.Body)
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%.500s\n%q:\n%.500s", path, err, got, args, want)
		}
	}
	get("/api/docsets", "sets", "--json")
	get("/api/docsets/Docent_Manual/pages/verify.md", "read", "--json", "Docent_Manual/verify.md")
	get("/api/docsets/Docent_Manual/toc/verify.md", "read", "--json", "--toc", "Docent_Manual/verify.md")
	for phase, in := range map[string]string{"0a": `{"query": "configure <hooks> & more"}`, "0b": `{"query": "what is the threshold"}`} {
		out, _ := r.run(t, 0, in, "phase", phase)
		if _, got := s.post("/api/phases/"+phase, in); got != out {
			t.Errorf("phase %s:\n%s\n%s", phase, got, out)
		}
	}
	s.stop()
	if !strings.Contains(s.errs.String(), `"path":"/api/ask"`) {
		t.Errorf("the log has no line for a request: %s", s.errs)
	}
}

// The server finds pages that are indexed while it runs.
func TestServeFollowsUpdates(t *testing.T) {
	t.Parallel()
	r, docs := runnerWithManual(t), filepath.Join(t.TempDir(), "lantern")
	page := func(text string) {
		t.Helper()
		if err := os.MkdirAll(docs, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(docs, "wicks.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := startServe(t, r)
	search := func() string {
		t.Helper()
		_, body := s.post("/api/docs/search", `{"query": "zorkmid"}`)
		return body
	}
	if strings.Contains(search(), "wicks.md") {
		t.Fatal("it is found before it is there")
	}
	page("# Wicks\n\nA zorkmid buys a wick.\n")
	r.run(t, 0, "", "add", docs)
	if got := search(); !strings.Contains(got, "A zorkmid buys a wick") {
		t.Errorf("a doc set that was added meanwhile: %s", got)
	}
	page("# Wicks\n\nTwo zorkmid buy a wick, says the newer page.\n")
	r.run(t, 0, "", "update")
	if got := search(); !strings.Contains(got, "Two zorkmid") {
		t.Errorf("a page that was updated meanwhile: %s", got)
	}
	r.run(t, 0, "", "rm", "lantern")
	if got := search(); strings.Contains(got, "wicks.md") {
		t.Errorf("a doc set that was forgotten meanwhile: %s", got)
	}
	s.stop()
}

// Others than this machine get in with a password alone, which is kept as a hash.
func TestServeAsksForAPassword(t *testing.T) {
	t.Parallel()
	r := runnerWithManual(t)
	_, errs := r.run(t, 2, "", "serve", "--listen", "0.0.0.0:0")
	checkOutput(t, errs, "can be reached from other machines, and there is no password; make one with: docent serve --set-password")
	_, errs = r.run(t, 2, "short\n", "serve", "--set-password")
	checkOutput(t, errs, "at least 8; nothing was changed")
	r.run(t, 0, "open sesame\n", "serve", "--set-password")
	file := filepath.Join(r.home, "password")
	raw, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(raw), "$argon2id$") || strings.Contains(string(raw), "sesame") {
		t.Fatalf("%s, %v", raw, err)
	}
	if st, err := os.Stat(file); err != nil || st.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the hash: %v, %v", st.Mode(), err)
	}
	s := startServe(t, r)
	if status, body := s.post("/api/ask", `{"query": "threshold"}`); status != 401 {
		t.Errorf("without a token: %d %s", status, body)
	}
	if status, body := s.post("/api/auth/login", `{"password": "open barley"}`); status != 401 || !strings.Contains(body, `"error":"UNAUTHORIZED"`) {
		t.Errorf("%d %s", status, body)
	}
	status, body := s.post("/api/auth/login", `{"password": "open sesame"}`)
	var login struct{ Token, ExpiresAt string }
	if err := json.Unmarshal([]byte(body), &login); err != nil || status != 200 || login.Token == "" {
		t.Fatalf("%d %s", status, body)
	}
	if status, body := s.post("/api/docs/search", `{"query": "threshold"}`, "Authorization", "Bearer "+login.Token); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	s.stop()
	// The hash may stand in the configuration, which does not show it.
	config := "[server]\npassword_hash = '" + strings.TrimSpace(string(raw)) + "'\n"
	if err := os.WriteFile(filepath.Join(r.home, "docent.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	out, _ := r.run(t, 0, "", "config", "show")
	checkOutput(t, out, `server\.password_hash.*\(set\)`)
	if strings.Contains(out, "argon2id$") {
		t.Errorf("config show prints the hash:\n%s", out)
	}
	s = startServe(t, r)
	if status, _ := s.post("/api/auth/login", `{"password": "open sesame"}`); status != 200 {
		t.Errorf("the configuration's password: %d", status)
	}
	s.stop()
	_, errs = r.run(t, 2, "", "serve", "--listen", "127.0.0.1:0", "--password-file", filepath.Join(r.home, "nowhere"))
	checkOutput(t, errs, "docent serve --set-password --password-file")
}

func TestServeSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	r := runnerWithManual(t)
	s := startServe(t, r)
	_, errs := r.run(t, 3, "", "serve", "--listen", strings.TrimPrefix(s.url, "http://"))
	checkOutput(t, errs, "cannot listen on .*; choose another address with --listen, port 0 takes any that is free")
	for _, address := range []string{"7717", "127.0.0.1:x", "127.0.0.1:70000", "127.0.0.1"} {
		r.run(t, 2, "", "serve", "--listen", address)
	}
	s.stop()
}

// A request that runs when the server receives SIGTERM is finished.
func TestServeFinishesWhatRuns(t *testing.T) {
	t.Parallel()
	s := startServe(t, runnerWithManual(t))
	// The body arrives in two parts; in between the server receives SIGTERM.
	first, second := io.Pipe()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/api/ask", first)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	done := make(chan string, 1)
	go func() {
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			done <- err.Error()
			return
		}
		defer res.Body.Close()
		raw, _ := io.ReadAll(res.Body)
		done <- fmt.Sprint(res.StatusCode, " ", string(raw))
	}()
	if _, err := io.WriteString(second, `{"query": `); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the request to run", func() bool {
		res, err := http.Get(s.url + "/metrics")
		if err != nil {
			return false
		}
		defer res.Body.Close()
		raw, _ := io.ReadAll(res.Body)
		return strings.Contains(string(raw), "docent_http_requests_running 2") // this look is the other one
	})
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the server to take no more", func() bool {
		res, err := http.Get(s.url + "/health")
		if err == nil {
			res.Body.Close()
		}
		return err != nil
	})
	if _, err := io.WriteString(second, `"what is the threshold"}`); err != nil {
		t.Fatal(err)
	}
	second.Close()
	if got := <-done; !strings.HasPrefix(got, "200 ") || !strings.Contains(got, "AOP-FINAL") {
		t.Errorf("%.300s", got)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, s.errs)
	}
}

func waitFor(t *testing.T, what string, ready func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !ready(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited too long for %s", what)
		}
	}
}
