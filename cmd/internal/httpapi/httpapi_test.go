package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"docent/cmd/internal/app"
	"docent/cmd/internal/httpapi"
	"docent/pipeline/service"
	"docent/pipeline/service/home"
)

// manual is the doc set of these tests.
var manual = fstest.MapFS{
	"grades.md": {Data: []byte("# Options\n\n| Option | Default |\n| --- | --- |\n| `--oil-grade` | `rye` |\n")},
	"lamps.md":  {Data: []byte("# Lamps\n\nA lamp burns oil.\n\n## Trimming the wick\n\nTrim the wick once a week with sharp scissors.\n\n## Filling\n\nFill the lamp with whale oil, never to the brim.\n")},
	"CI/CD.md":  {Data: []byte("# CI/CD\n\n## Pipelines\n\nA pipeline builds the lantern & tests <it>.\n")},
	"glass.md":  {Data: []byte("# Glass\n\n## Cleaning\n\nClean the glass with vinegar. The `--soot` flag removes soot.\n")},
}

// shared is one home for all tests: they only read it.
var shared = sync.OnceValues(func() (*app.Shared, error) {
	dir, err := os.MkdirTemp("", "docent-httpapi")
	if err != nil {
		return nil, err
	}
	return app.OpenShared(context.Background(), app.Options{Home: dir, Manual: fs.FS(manual)})
})

func TestMain(m *testing.M) {
	code := m.Run()
	if s, err := shared(); err == nil {
		a, release, err := s.Use()
		if err == nil {
			dir := a.Home.Dir
			release()
			_ = s.Close()
			_ = os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// records are the lines of a log.
type records struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (r *records) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.Write(p)
}

func (r *records) lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Split(strings.TrimSpace(r.buf.String()), "\n")
}

// server is a server on a loopback port.
type server struct {
	t   *testing.T
	url string
	log *records
	api *httpapi.Server
}

func serve(t *testing.T, change func(*httpapi.Options)) *server {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	log := &records{}
	opt := httpapi.Options{Loopback: true, Operations: app.Operations(), Log: slog.New(slog.NewJSONHandler(log, nil)), Home: func() (*service.Services, func(), error) {
		a, release, err := s.Use()
		if err != nil {
			return nil, nil, err
		}
		return a.Services, release, nil
	}}
	if change != nil {
		change(&opt)
	}
	api := httpapi.New(opt)
	srv := httptest.NewServer(api.Handler())
	t.Cleanup(srv.Close)
	return &server{t, srv.URL, log, api}
}

// reply is an answer.
type reply struct {
	status int
	header http.Header
	body   string
}

func (r reply) json(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(r.body), &v); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	return v
}

func (s *server) do(method, path, body string, headers ...string) reply {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
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
	return reply{res.StatusCode, res.Header, string(raw)}
}

func (s *server) get(path string, headers ...string) reply {
	s.t.Helper()
	return s.do(http.MethodGet, path, "", headers...)
}

func (s *server) post(path, body string, headers ...string) reply {
	s.t.Helper()
	return s.do(http.MethodPost, path, body, headers...)
}

func TestAsk(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	r := s.post("/api/ask", `{"query": "how do I trim the wick", "extent": "sections"}`)
	if r.status != 200 || r.header.Get("Content-Type") != "application/json" || !strings.HasSuffix(r.body, "}\n") {
		t.Fatalf("%d %v: %s", r.status, r.header, r.body)
	}
	v := r.json(t)
	final, _ := v["final"].(string)
	if !strings.Contains(final, "=== AOP-FINAL") || !strings.Contains(final, "Trim the wick once a week") || strings.Contains(final, "whale oil") {
		t.Errorf("the block: %s", final)
	}
	if v["hybridCandidateSet"] == nil {
		t.Error("the trace has no candidates")
	}
	// What only HTML needs escaped is not.
	if r := s.post("/api/ask", `{"query": "pipeline builds"}`); !strings.Contains(r.body, "& tests <it>") {
		t.Errorf("%s", r.body)
	}
	// The block that came is proved.
	raw, _ := json.Marshal(map[string]string{"block": final})
	if r := s.post("/api/verify", string(raw)); r.status != 200 || r.json(t)["state"] != "verified" {
		t.Errorf("verify: %s", r.body)
	}
	if r := s.post("/api/verify", final, "Content-Type", "text/plain; charset=utf-8"); r.status != 200 || r.json(t)["state"] != "verified" {
		t.Errorf("verify of text: %s", r.body)
	}
	if r := s.post("/api/verify", strings.Replace(final, "sharp", "blunt", 1), "Content-Type", "text/plain"); r.json(t)["state"] != "altered" {
		t.Errorf("verify of an altered text: %s", r.body)
	}
}

// events reads server-sent events.
func events(body string) (names []string, data []string) {
	for block := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		name, text := "", ""
		for line := range strings.SplitSeq(block, "\n") {
			if v, ok := strings.CutPrefix(line, "event: "); ok {
				name = v
			}
			if v, ok := strings.CutPrefix(line, "data: "); ok {
				text = v
			}
		}
		names, data = append(names, name), append(data, text)
	}
	return names, data
}

func TestEvents(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	const question = `{"query": "how do I trim the wick"}`
	r := s.post("/api/ask", question, "Accept", "text/event-stream")
	names, data := events(r.body)
	if r.status != 200 || r.header.Get("Content-Type") != "text/event-stream" || len(names) < 10 || names[0] != "phase" || names[len(names)-1] != "result" {
		t.Fatalf("%d, %q: %s", r.status, names, r.body)
	}
	var first struct {
		Seq   int
		Phase string
		Kind  string
	}
	if err := json.Unmarshal([]byte(data[0]), &first); err != nil || first.Seq != 1 || first.Phase != "0a" || first.Kind != "started" {
		t.Errorf("the first event: %s, %v", data[0], err)
	}
	var streamed, plain map[string]any
	whole := s.post("/api/ask", question)
	if json.Unmarshal([]byte(data[len(data)-1]), &streamed) != nil || json.Unmarshal([]byte(whole.body), &plain) != nil || streamed["final"] != plain["final"] || plain["final"] == "" {
		t.Errorf("the result of the events is another one:\n%v\n%v", streamed["final"], plain["final"])
	}
	r = s.post("/api/ask", `{"query": "x", "doc_sets": ["Nowhere"]}`, "Accept", "text/event-stream")
	names, data = events(r.body)
	if len(names) != 1 || names[0] != "error" || !strings.Contains(data[0], `"errorCode":"INVALID_REQUEST"`) {
		t.Errorf("%q %q", names, data)
	}
}

func TestDocsSearch(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	r := s.post("/api/docs/search", `{"query": "oil lamp", "limit": 1}`)
	v := r.json(t)
	results, _ := v["results"].([]any)
	if r.status != 200 || v["appliedStrategy"] != "bm25_plus_vector_rerank_docs_only" || v["fallbackApplied"] != false || len(results) != 1 || v["total"].(float64) < 2 {
		t.Fatalf("%d: %s", r.status, r.body)
	}
	cursor, _ := v["next_cursor"].(string)
	next := s.post("/api/docs/search", fmt.Sprintf(`{"query": "oil lamp", "limit": 1, "cursor": %q}`, cursor)).json(t)
	if more, _ := next["results"].([]any); len(more) != 1 || fmt.Sprint(more[0]) == fmt.Sprint(results[0]) || next["total"] != v["total"] {
		t.Errorf("the next page: %v", next)
	}
	explained := s.post("/api/docs/search", `{"query": "oil lamp", "explain": true}`).json(t)
	set, _ := explained["hybridCandidateSet"].(map[string]any)
	if set["collectionScope"] != "docs_markdown" || set["candidateCount"].(float64) < 2 {
		t.Errorf("the candidates: %v", set)
	}
	for mode, status := range map[string]int{"return_hybrid_candidates": 200, "error_on_total_failure": 200, "give_up": 400} {
		if r := s.post("/api/docs/search", fmt.Sprintf(`{"query": "oil", "fallbackMode": %q}`, mode)); r.status != status {
			t.Errorf("%s: %d %s", mode, r.status, r.body)
		}
	}
	for _, empty := range []string{`{"query": ""}`, `{"query": " \t"}`, `{"query": "???"}`} {
		if r := s.post("/api/docs/search", empty); r.status != 400 || r.json(t)["errorCode"] != "SEARCH_QUERY_EMPTY" {
			t.Errorf("%s: %d %s", empty, r.status, r.body)
		}
	}
}

// The phases chained over HTTP give what the whole pipeline gives.
func TestPhases(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	phase := func(name, in string, headers ...string) string {
		t.Helper()
		r := s.post("/api/phases/"+name, in, headers...)
		if r.status != 200 || r.header.Get("Docent-Engine") != "builtin" {
			t.Fatalf("phase %s: %d %s", name, r.status, r.body)
		}
		return strings.TrimSpace(r.body)
	}
	a := phase("0a", `{"query": "trim the wick"}`)
	if plain := phase("0a", "trim the wick", "Content-Type", "text/plain"); plain != a {
		t.Errorf("as text:\n%s\n%s", a, plain)
	}
	b := phase("0b", `{"query": "trim the wick"}`)
	merged := phase("merge", fmt.Sprintf(`[{"phase": "0a", "output": %s}, {"phase": "0b", "output": %s}]`, a, b))
	found := phase("1?explain=true", merged)
	if !strings.Contains(found, `"explain":`) {
		t.Error("phase 1 does not explain")
	}
	reranked := phase("1.5?fallback_mode=error_on_total_failure", found)
	extracted := phase("2?max_docs=1", reranked)
	checked := phase("2.5?extent=sections", extracted)
	done := phase("3", checked)
	if !strings.Contains(done, "Trim the wick once a week") {
		t.Errorf("%s", done)
	}
	if r := s.post("/api/phases/4", "{}"); r.status != 404 || !strings.Contains(r.body, "0a 0b merge 1 1.5 2 2.5 3") {
		t.Errorf("%d %s", r.status, r.body)
	}
	// An error of an earlier phase is handed on.
	if r := s.post("/api/phases/1.5", `{"errorCode": "SEARCH_QUERY_EMPTY", "message": "empty"}`); r.status != 400 || r.json(t)["errorCode"] != "SEARCH_QUERY_EMPTY" {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// No path of a request is looked up on this machine.
func TestPhase1DoesNotFollowLinks(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	h, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	a, release, err := h.Use()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	link := t.TempDir() + "/link"
	if err := os.Symlink(a.Home.Dir, link); err != nil {
		t.Skip(err)
	}
	note := func(base string) string {
		raw, _ := json.Marshal(map[string]any{"query": []string{"oil"}, "doc_sets": "", "base_dir": base})
		return s.post("/api/phases/1", string(raw)).body
	}
	if out := note(a.Home.Dir); strings.Contains(out, "base_dir was not used") {
		t.Errorf("the folder itself: %s", out)
	}
	if out := note(link); !strings.Contains(out, "base_dir was not used") {
		t.Errorf("a link to it was followed: %s", out)
	}
}

func TestDocSetsAndPages(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	set := home.ManualRef().String()
	if r := s.get("/api/docsets"); r.status != 200 || !strings.Contains(r.body, fmt.Sprintf(`"set":%q`, set)) {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := s.get("/api/docsets/Docent_Manual"); r.status != 200 || !strings.Contains(r.body, fmt.Sprintf(`"set":%q`, set)) {
		t.Errorf("%d %s", r.status, r.body)
	}
	pages := s.get("/api/docsets/" + set + "/pages?limit=2&offset=1").json(t)
	if list, _ := pages["pages"].([]any); len(list) != 2 || pages["total"] != 4.0 || pages["doc_set"] != set {
		t.Errorf("%v", pages)
	}
	for _, path := range []string{"lamps.md", "lamps", "Lamps"} {
		if r := s.get("/api/docsets/" + set + "/pages/" + path); r.status != 200 || !strings.Contains(r.body, "whale oil") {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	for _, path := range []string{"CI/CD.md", "CI%2FCD.md", "CI/CD"} {
		if r := s.get("/api/docsets/Docent_Manual/pages/" + path); r.status != 200 || !strings.Contains(r.body, "lantern") {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	if r := s.get("/api/docsets/Docent_Manual/pages/lamps.md?section=Filling", "Accept", "text/markdown"); r.status != 200 || r.header.Get("Content-Type") != "text/plain; charset=utf-8" ||
		r.body != "## Filling\n\nFill the lamp with whale oil, never to the brim.\n" {
		t.Errorf("%d %v %q", r.status, r.header, r.body)
	}
	if r := s.get("/api/docsets/Docent_Manual/toc/lamps.md"); r.status != 200 || !strings.Contains(r.body, `"anchor":"trimming-the-wick"`) {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := s.get("/api/docsets/Docent_Manual/references/lamps.md?section=%23trimming-the-wick&threshold=0.5&limit=3"); r.status != 200 || !strings.Contains(r.body, `"section_path":"Lamps > Trimming the wick"`) || !strings.Contains(r.body, `"threshold":0.5`) {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := s.get("/api/parameters/--oil-grade?doc_set=Docent_Manual&limit=1"); r.status != 200 || !strings.Contains(r.body, `"name":"--oil-grade"`) || !strings.Contains(r.body, `"total":`) {
		t.Errorf("%d %s", r.status, r.body)
	}
	for _, path := range []string{"/api/parameters/--", "/api/parameters/oil?limit=0", "/api/parameters/oil?doc_set=Nowhere", "/api/docsets/Docent_Manual/references/", "/api/docsets/Docent_Manual/references/lamps.md?threshold=2", "/api/docsets/Docent_Manual/references/lamps.md?threshold=NaN",
		"/api/docsets/Docent_Manual/references/lamps.md?limit=0", "/api/docsets/Docent_Manual/references/lamps.md?section=Gone", "/api/docsets/Docent_Manual/pages/lamps.md?section=Nothing",
		"/api/docsets/Docent_Manual/pages/lamps.md?sektion=Filling", "/api/docsets/Docent_Manual/pages?limit=-1", "/api/docsets/Docent_Manual/pages?offset=x", "/api/docsets?x=1",
		"/api/docsets/Docent_Manual/pages/", "/api/docsets/Docent_Manual/toc/"} {
		if r := s.get(path); r.status != 400 || r.json(t)["errorCode"] != "INVALID_REQUEST" {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
}

// A path that names a doc set or a page that is not there is 404, with the message that says what
// is near.
func TestWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	for path, want := range map[string]string{
		"/api/docsets/Nowhere": `there is no doc set "Nowhere"`, "/api/docsets/Nowhere/pages": `there is no doc set "Nowhere"`,
		"/api/docsets/Docent_Manul/pages":              `there is no doc set "Docent_Manul"; did you mean Docent_Manual`,
		"/api/docsets/Nowhere/references/lamps.md":     `there is no doc set "Nowhere"`,
		"/api/docsets/Nowhere/pages/lamps.md":          `there is no doc set "Nowhere"`,
		"/api/docsets/Nowhere/toc/lamps.md":            `there is no doc set "Nowhere"`,
		"/api/docsets/Nowhere/html/lamps.md":           `there is no doc set "Nowhere"`,
		"/api/docsets/Docent_Manual/pages/nothing":     `there is no page "nothing"`,
		"/api/docsets/Docent_Manual/toc/nothing":       `there is no page "nothing"`,
		"/api/docsets/Docent_Manual/pages/lamp/lights": `there is no page "lamp/lights"`,
	} {
		r := s.get(path)
		if message, _ := r.json(t)["message"].(string); r.status != 404 || r.json(t)["errorCode"] != "NOT_FOUND" || !strings.Contains(message, want) {
			t.Errorf("%s: %d %s, want %s", path, r.status, r.body, want)
		}
	}
	// A doc set in a field of the request is a fault of the request.
	if r := s.get("/api/parameters/oil?doc_set=Nowhere"); r.status != 400 || r.json(t)["errorCode"] != "INVALID_REQUEST" {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// Paths that lead out of a doc set lead nowhere.
func TestPathTricks(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, path := range []string{"../../../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "%2Fetc%2Fpasswd", "..\\..\\etc\\passwd",
		"lamps.md%00.txt", "lamps.md/..", "./lamps.md/../../../catalog.db", "~/x", "file:%2F%2F%2Fetc%2Fpasswd", "CON", "%ff%fe"} {
		for _, set := range []string{"Docent_Manual", "..", "%2e%2e", "..%2f.."} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/api/docsets/"+set+"/pages/"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			raw, _ := io.ReadAll(res.Body)
			res.Body.Close()
			if res.StatusCode == 200 || res.StatusCode >= 500 || strings.Contains(string(raw), "root:") {
				t.Errorf("%s: %d %s", path, res.StatusCode, raw)
			}
		}
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	if r := s.get("/health"); r.status != 200 || r.json(t)["status"] != "ok" {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := s.get("/ready"); r.status != 200 || r.json(t)["doc_sets"] != 1.0 {
		t.Errorf("%d %s", r.status, r.body)
	}
	s.post("/api/ask", `{"query": "what is the --soot flag"}`)
	r := s.get("/metrics")
	for _, want := range []string{`docent_http_requests_total{method="POST",path="/api/ask",status="200"} 1`, `docent_phase_seconds_count{phase="1.5"} 1`, `query_intent{intent="api_parameter"} 1`,
		`chunks_per_doc{doc_set="Docent_Manual@0.1.0"} `, `avg_tokens_per_chunk{doc_set="Docent_Manual@0.1.0"} `, `docent_documents{status="FAILED"} 0`, `docent_jobs{state="waiting"} 0`,
		"enrichment_truncations_total 0", `enrichment_rejections_total{reason="unknown_key"} 0`, "docent_queue_waiting 0", "go_goroutines "} {
		if !strings.Contains(r.body, want) {
			t.Errorf("the metrics lack %s:\n%s", want, r.body)
		}
	}
}

func TestOneLineARequest(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	r := s.post("/api/ask", `{"query": "secret question"}`, "X-Request-Id", "abc-1")
	bad := s.post("/api/ask", `{"query": 5}`, "X-Request-Id", "not plain\"")
	if r.header.Get("X-Request-Id") != "abc-1" || len(bad.header.Get("X-Request-Id")) != 16 {
		t.Errorf("%q, %q", r.header.Get("X-Request-Id"), bad.header.Get("X-Request-Id"))
	}
	deadline := time.Now().Add(10 * time.Second)
	for len(s.log.lines()) < 2 && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond) // the line is written after the answer
	}
	lines := s.log.lines()
	if len(lines) != 2 {
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	var line struct {
		ID, Method, Path, Code string
		Status                 int
	}
	if err := json.Unmarshal([]byte(lines[0]), &line); err != nil || line.ID != "abc-1" || line.Method != "POST" || line.Path != "/api/ask" || line.Status != 200 {
		t.Errorf("%s, %v", lines[0], err)
	}
	if err := json.Unmarshal([]byte(lines[1]), &line); err != nil || line.Code != "INVALID_REQUEST" || line.Status != 400 {
		t.Errorf("%s, %v", lines[1], err)
	}
	if strings.Contains(lines[0], "secret") {
		t.Errorf("the question stands in the log: %s", lines[0])
	}
}
