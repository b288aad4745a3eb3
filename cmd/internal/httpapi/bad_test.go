package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docent/cmd/internal/httpapi"
	"docent/pipeline/contract"
	"docent/pipeline/service"
)

// bodies are the operations with a body of JSON.
func bodies() []string {
	out := []string{"/api/ask", "/api/docs/search", "/api/verify", "/api/auth/login", "/api/auth/logout"}
	for _, p := range contract.Phases() {
		if p != contract.PhaseCite {
			out = append(out, "/api/phases/"+p)
		}
	}
	return out
}

// A server fetches nothing for others until its configuration names hosts, and says how.
func TestFetchingIsOffUntilHostsAreAllowed(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	r := s.post("/api/docsets", `{"source": "https://github.com/org/repo"}`, "Content-Type", "application/json")
	if r.status != 400 || r.json(t)["errorCode"] != "INVALID_REQUEST" || !strings.Contains(r.body, "fetches no documentation") {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// Bad input gets the specified error from every operation, in the form of its family.
func TestBadInput(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	deep := strings.Repeat(`{"query":`, 100_000)
	deepList := strings.Repeat("[", 200_000)
	for _, path := range bodies() {
		for name, body := range map[string]string{"nothing": "", "no JSON": "{", "a wrong type": `{"query": 5, "results": 5, "block": 5, "password": 5, "all": 5, "contents": 5, "page_titles": 5, "action": 5}`,
			"two values": "{} {}", "a list": "[]", "null": "null", "deep objects": deep, "deep lists": deepList, "no UTF-8": "\xff\xfe{", "an empty question": `{"query": ""}`} {
			if name == "an empty question" && (path == "/api/auth/logout" || strings.HasPrefix(path, "/api/phases/2")) {
				continue // they have no question
			}
			if name == "nothing" && path == "/api/auth/logout" {
				continue // the token says it all
			}
			r := s.post(path, body, "Content-Type", "application/json")
			if path == "/api/phases/0a" || path == "/api/phases/0b" {
				// Any other text than a JSON object is a question there, as on the
				// command line.
				if name != "nothing" && name != "a wrong type" && name != "an empty question" {
					if r.status != 200 && r.status != 400 {
						t.Errorf("%s, %s: %d %s", path, name, r.status, r.body)
					}
					continue
				}
			}
			code := "errorCode"
			if strings.HasPrefix(path, "/api/auth/") {
				code = "error"
			}
			got, _ := r.json(t)[code].(string)
			if r.status != 400 || got != "INVALID_REQUEST" && got != "SEARCH_QUERY_EMPTY" || r.json(t)["message"] == "" {
				t.Errorf("%s, %s: %d %.300s", path, name, r.status, r.body)
			}
		}
		if r := s.post(path, "query=x", "Content-Type", "application/x-www-form-urlencoded"); r.status != 400 || !strings.Contains(r.body, "application/json") {
			t.Errorf("%s, a form: %d %s", path, r.status, r.body)
		}
		if r := s.get(path); r.status != 405 || r.header.Get("Allow") != "POST" || !strings.Contains(r.body, "METHOD_NOT_ALLOWED") {
			t.Errorf("%s, GET: %d %s", path, r.status, r.body)
		}
	}
	if r := s.get("/nowhere"); r.status != 404 || r.json(t)["errorCode"] != "NOT_FOUND" {
		t.Errorf("%d %s", r.status, r.body)
	}
}

func TestFieldsAreChecked(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	for body, want := range map[string][2]string{
		`{"query": "x", "max_token": 5}`:                       {"max_token", "did you mean max_tokens?"},
		`{"query": "x", "zzz": 5}`:                             {"zzz", "the fields are"},
		`{"query": "x", "max_tokens": 0}`:                      {"max_tokens", ">= 1"},
		`{"query": "x", "max_tokens": 1.5}`:                    {"max_tokens", "whole number"},
		`{"query": "x", "threshold": 1.1}`:                     {"threshold", "<= 1"},
		`{"query": "x", "scene": "poem"}`:                      {"scene", "fact_lookup"},
		`{"query": "x", "extent": "all"}`:                      {"extent", "documents"},
		`{"query": "x", "lines": 5, "extent": "documents"}`:    {"lines", "sections"},
		`{"query": "x", "full": true, "extent": "sections"}`:   {"extent", "whole documents"},
		`{"query": "x", "doc_sets": "Docent_Manual"}`:          {"doc_sets", "an array"},
		`{"query": "x", "doc_sets": ["Dozent_Manual"]}`:        {"doc_sets", "did you mean Docent_Manual@0.1.0?"},
		`{"query": "x", "doc_sets": [5]}`:                      {"doc_sets[0]", "a string"},
		`{"query": "x", "fallback_mode": "x"}`:                 {"fallback_mode", "return_hybrid_candidates"},
		`{"extent": "sections"}`:                               {"query", "is missing"},
		`{"query": "x", "full": true, "compress": true}`:       {"", "exclude each other"},
		`{"query": "x", "lines": 2001}`:                        {"lines", "<= 2000"},
		`{"query": "x", "doc_sets": ["../../etc", "a@b@c/d"]}`: {"doc_sets", ""},
	} {
		r := s.post("/api/ask", body)
		var e struct {
			Code    string `json:"errorCode"`
			Message string
			Details struct{ Field string }
		}
		if err := json.Unmarshal([]byte(r.body), &e); err != nil || r.status != 400 || e.Code != "INVALID_REQUEST" || e.Details.Field != want[0] || !strings.Contains(e.Message, want[1]) {
			t.Errorf("%s: %d %s, want %q", body, r.status, r.body, want)
		}
	}
}

func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *httpapi.Options) { o.Limits = httpapi.Limits{Body: 1000, Phase: 100_000, Held: 80_000} })
	long := fmt.Sprintf(`{"query": %q}`, strings.Repeat("x ", 1000))
	if r := s.post("/api/ask", long); r.status != 413 || r.json(t)["errorCode"] != "INVALID_REQUEST" {
		t.Errorf("%d %s", r.status, r.body)
	}
	// A length that is not said is no way round.
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/api/ask", io.MultiReader(strings.NewReader(long)))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 413 {
		t.Errorf("%d", res.StatusCode)
	}
	if r := s.post("/api/phases/0a", long); r.status != 200 {
		t.Errorf("a phase takes more: %d %s", r.status, r.body)
	}
	if r := s.post("/api/phases/0a", fmt.Sprintf(`{"query": %q}`, strings.Repeat("x ", 45_000))); r.status != 429 || r.header.Get("Retry-After") == "" {
		t.Errorf("all bodies together: %d %s", r.status, r.body)
	}
	if r := s.post("/api/phases/0a", long); r.status != 200 {
		t.Errorf("what was held is not given back: %d %s", r.status, r.body)
	}
}

// What a body takes when it is decoded counts too: a short text may have millions of
// values.
func TestDecodedValuesAreBounded(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *httpapi.Options) {
		o.Limits = httpapi.Limits{Held: 2 << 20}
		o.MCP = func(func(context.Context) (func(), error)) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
		}
	})
	for _, path := range []string{"/api/ask", "/api/verify", "/api/phases/2", "/internal/callback", "/mcp"} {
		for name, body := range map[string]string{"objects": `{"query": [` + strings.Repeat("{},", 50_000) + "0]}", "numbers": `{"query": [` + strings.Repeat("0,", 100_000) + "0]}", "fields": `{"query": ` + strings.Repeat(`{"":`, 9_000) + "0" + strings.Repeat("}", 9_000) + "}"} {
			if r := s.post(path, body); path != "/internal/callback" && r.status != 413 {
				t.Errorf("%s, %s: %d %.200s", path, name, r.status, r.body)
			}
		}
		long := fmt.Sprintf(`{"query": %q}`, strings.Repeat(`[{\",`, 50_000))
		if r := s.post(path, long); r.status == 413 || r.status == 429 {
			t.Errorf("%s, a long text: %d %.200s", path, r.status, r.body)
		}
	}
	if r := s.post("/mcp", `{"a": 1}`); r.status != 200 || r.body != `{"a": 1}` {
		t.Errorf("a message is not handed on: %d %s", r.status, r.body)
	}
	if got := s.get("/metrics").body; !strings.Contains(got, "docent_body_bytes 0") {
		t.Errorf("what was held is not given back: %s", got)
	}
}

func TestParametersAreBounded(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	for path, want := range map[string]string{"/api/phases/2?max_docs=101": "from 1 to 100", "/api/phases/2?max_docs=0": "from 1 to 100", "/api/phases/2?max_docs=99999999999999999999": "from 1 to 100",
		"/api/phases/2.5?lines=2001": "from 1 to 2000", "/api/phases/2.5?max_tokens=-1": "from 1 to 10000000"} {
		if r := s.post(path, "{}"); r.status != 400 || !strings.Contains(r.body, want) {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	for path, status := range map[string]int{"/api/docsets/Docent_Manual/pages?offset=0": 200, "/api/docsets/Docent_Manual/pages?offset=-1": 400, "/api/docsets/Docent_Manual/pages?limit=0": 400,
		"/api/documents?limit=101": 400, "/api/documents?limit=100&offset=0": 200, "/api/documents?offset=x": 400} {
		if r := s.get(path); r.status != status {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
}

// raw sends bytes and gives the first line of the answer.
func (s *server) raw(send string, wait bool) (net.Conn, string) {
	s.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, send); err != nil {
		s.t.Fatal(err)
	}
	if !wait {
		return conn, ""
	}
	_ = conn.SetReadDeadline(time.Now().Add(30 * time.Second))
	line, _ := bufio.NewReader(conn).ReadString('\n')
	return conn, strings.TrimSpace(line)
}

func TestSlowAndBrokenClients(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *httpapi.Options) {
		o.Limits = httpapi.Limits{Read: 50 * time.Millisecond}
		o.MCP = func(func(context.Context) (func(), error)) http.Handler { return http.NotFoundHandler() }
	})
	head := "POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
	if _, line := s.raw(head+`{"query": "sl`, true); !strings.Contains(line, "408") {
		t.Errorf("a body that does not arrive: %q", line)
	}
	conn, _ := s.raw(head+`{"query": "br`, false)
	conn.Close()
	if _, line := s.raw(strings.Replace(head, "/api/ask", "/mcp", 1)+`{"json`, true); !strings.Contains(line, "408") {
		t.Errorf("a message that does not arrive: %q", line)
	}
	if r := s.post("/api/ask", `{"query": "oil"}`); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
}

func TestForeignPagesAreRefused(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	own := strings.TrimPrefix(s.url, "http://")
	_, port, _ := net.SplitHostPort(own)
	for _, c := range []struct {
		headers []string
		status  int
	}{
		{nil, 200},
		{[]string{"Host", "localhost:" + port}, 200},
		{[]string{"Host", "[::1]:" + port}, 200},
		{[]string{"Host", "evil.example"}, 403},
		{[]string{"Host", "evil.example:" + port}, 403},
		{[]string{"Host", "127.0.0.1.evil.example:" + port}, 403},
		{[]string{"Host", "localhost.evil.example"}, 403},
		{[]string{"Host", "192.168.1.5:" + port}, 403},
		{[]string{"Origin", s.url}, 200},
		{[]string{"Origin", "http://evil.example"}, 403},
		{[]string{"Origin", "null"}, 403},
		{[]string{"Origin", "http://localhost:3000"}, 403},
		{[]string{"Origin", "http://" + own + ".evil.example"}, 403},
		{[]string{"Origin", "chrome-extension://" + own}, 403},
		{[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{[]string{"Sec-Fetch-Site", "same-site"}, 403},
		{[]string{"Sec-Fetch-Site", "same-origin"}, 200},
		{[]string{"Sec-Fetch-Site", "none"}, 200},
	} {
		if r := s.get("/api/docsets", c.headers...); r.status != c.status || c.status == 403 && r.json(t)["errorCode"] != "FORBIDDEN" {
			t.Errorf("%q: %d %s", c.headers, r.status, r.body)
		}
	}
	r := s.get("/api/docsets")
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Access-Control-Allow-Origin": ""} {
		if got := r.header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if csp := r.header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
		t.Errorf("%q", csp)
	}
	named := serve(t, func(o *httpapi.Options) { o.Hosts, o.Loopback = []string{"docs.example.org"}, false })
	for host, status := range map[string]int{"docs.example.org": 200, "DOCS.example.org.:443": 200, "10.1.2.3": 200, "evil.example": 403} {
		if r := named.get("/api/docsets", "Host", host); r.status != status {
			t.Errorf("%s: %d %s", host, r.status, r.body)
		}
	}
	if r := named.get("/health", "Host", "10.1.2.3.probe"); r.status != 200 {
		t.Errorf("a load balancer's look: %d", r.status)
	}
}

func TestPassword(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	s := serve(t, func(o *httpapi.Options) {
		o.Matches, o.Now = func(p string) bool { return p == "open sesame" }, clock
	})
	closed := append(bodies()[:3:3], "/api/phases/0a", "/api/auth/logout")
	for _, path := range closed {
		for _, auth := range []string{"", "Bearer", "Bearer wrong", "Basic b3Blbg==", "Bearer " + strings.Repeat("x", 5000)} {
			r := s.post(path, `{"query": "oil"}`, "Authorization", auth)
			if r.status != 401 || r.header.Get("WWW-Authenticate") == "" || !strings.Contains(r.body, "UNAUTHORIZED") {
				t.Errorf("%s, %.20q: %d %s", path, auth, r.status, r.body)
			}
		}
	}
	for _, path := range []string{"/api/docsets", "/metrics", "/api/docsets/Docent_Manual/pages/lamps.md"} {
		if r := s.get(path); r.status != 401 {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	for _, path := range []string{"/health", "/ready", "/openapi.json"} {
		if r := s.get(path); r.status != 200 {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	if r := s.post("/api/auth/login", `{"password": "open barley"}`); r.status != 401 || r.json(t)["error"] != "UNAUTHORIZED" {
		t.Errorf("%d %s", r.status, r.body)
	}
	r := s.post("/api/auth/login", `{"password": "open sesame"}`)
	token, _ := r.json(t)["token"].(string)
	if ends, err := time.Parse(time.RFC3339, r.json(t)["expiresAt"].(string)); r.status != 200 || err != nil || !ends.After(clock()) || len(token) < 40 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	auth := []string{"Authorization", "Bearer " + token}
	if r := s.post("/api/ask", `{"query": "oil"}`, auth...); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
	mu.Lock()
	now = now.Add(13 * time.Hour)
	mu.Unlock()
	if r := s.get("/api/docsets", auth...); r.status != 401 {
		t.Errorf("a session goes on after its time: %d", r.status)
	}
	token, _ = s.post("/api/auth/login", `{"password": "open sesame"}`).json(t)["token"].(string)
	auth = []string{"Authorization", "Bearer " + token}
	if r := s.post("/api/auth/logout", "{}", auth...); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := s.get("/api/docsets", auth...); r.status != 401 {
		t.Errorf("a session goes on after its end: %d", r.status)
	}
	for range 10 {
		r = s.post("/api/auth/login", `{"password": "guess"}`)
	}
	if r.status != 429 || r.header.Get("Retry-After") == "" || r.json(t)["error"] == "" {
		t.Errorf("guessing goes on: %d %s", r.status, r.body)
	}
}

// held is a home whose first n users wait until they are let go.
func held(o *httpapi.Options, n int64) (came chan struct{}, letGo func()) {
	open, came, gate := o.Home, make(chan struct{}, n), make(chan struct{})
	var users atomic.Int64
	o.Home = func() (*service.Services, func(), error) {
		if users.Add(1) <= n {
			came <- struct{}{}
			<-gate
		}
		return open()
	}
	return came, sync.OnceFunc(func() { close(gate) })
}

// More requests than fit are turned away at once, and the others are answered.
func TestManyRequests(t *testing.T) {
	t.Parallel()
	var came chan struct{}
	var letGo func()
	s := serve(t, func(o *httpapi.Options) {
		came, letGo = held(o, 2)
		o.Limits = httpapi.Limits{Running: 2, Waiting: 3}
	})
	defer letGo()
	const n = 20
	replies := make(chan reply, n)
	for range n {
		go func() { replies <- s.post("/api/ask", `{"query": "oil"}`) }()
	}
	<-came
	<-came
	for range n - 5 {
		if r := <-replies; r.status != 429 || r.header.Get("Retry-After") != "1" || r.json(t)["errorCode"] != "DOCS_COLLECTION_UNAVAILABLE" {
			t.Errorf("%d %s", r.status, r.body)
		}
	}
	letGo()
	for range 5 {
		if r := <-replies; r.status != 200 {
			t.Errorf("%d %s", r.status, r.body)
		}
	}
}

// A request whose client has gone gives its turn to the next.
func TestClientsThatGo(t *testing.T) {
	t.Parallel()
	var came chan struct{}
	var letGo func()
	s := serve(t, func(o *httpapi.Options) {
		came, letGo = held(o, 1)
		o.Limits = httpapi.Limits{Running: 1, Waiting: 1}
	})
	defer letGo()
	first := make(chan reply, 1)
	go func() { first <- s.post("/api/ask", `{"query": "oil"}`) }()
	<-came
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/api/ask", strings.NewReader(`{"query": "oil"}`))
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() {
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			res.Body.Close()
		}
		gone <- err
	}()
	waiting := func(n string) {
		t.Helper()
		for !strings.Contains(s.get("/metrics").body, "docent_queue_waiting "+n) {
			if t.Context().Err() != nil {
				t.Fatal("the queue does not get there")
			}
			time.Sleep(time.Millisecond)
		}
	}
	waiting("1")
	cancel()
	if err := <-gone; err == nil {
		t.Error("a cancelled request was answered")
	}
	waiting("0")
	letGo()
	if r := <-first; r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
}

func TestAnswersTakeNoLongerThanTheyMay(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *httpapi.Options) { o.Limits = httpapi.Limits{Run: time.Nanosecond} })
	if r := s.post("/api/ask", `{"query": "oil"}`); r.status != 503 || r.json(t)["errorCode"] != "DOCS_COLLECTION_UNAVAILABLE" {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// A crash is the request's own.
func TestCrash(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *httpapi.Options) {
		o.Home = func() (*service.Services, func(), error) { return nil, func() {}, nil }
	})
	for range 2 {
		if r := s.post("/api/ask", `{"query": "oil"}`); r.status != 500 || r.json(t)["errorCode"] != "INTERNAL_ERROR" || strings.Contains(r.body, "nil pointer") {
			t.Errorf("%d %s", r.status, r.body)
		}
	}
	if !strings.Contains(strings.Join(s.log.lines(), "\n"), "nil pointer") {
		t.Error("the log does not say what crashed")
	}
	r := s.post("/api/ask", `{"query": "oil"}`, "Accept", "text/event-stream")
	if names, _ := events(r.body); len(names) != 1 || names[0] != "error" {
		t.Errorf("%q", r.body)
	}
}
