package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"docent/cmd/internal/dashboard"
	"docent/cmd/internal/httpapi"
	"docent/pipeline/service"
)

func withDashboard(t *testing.T) func(*httpapi.Options) {
	t.Helper()
	page, err := dashboard.Handler()
	if err != nil {
		t.Fatal(err)
	}
	return func(o *httpapi.Options) {
		o.Dashboard = page
		o.Matches = func(p string) bool { return p == "open sesame" }
	}
}

// The page comes without a login, with nothing of anybody's in it; what it asks for
// does not.
func TestTheDashboardIsServed(t *testing.T) {
	t.Parallel()
	s := serve(t, withDashboard(t))
	r := s.get("/")
	if r.status != 200 || r.header.Get("Content-Type") != "text/html; charset=utf-8" || r.header.Get("Content-Security-Policy") != dashboard.Policy ||
		r.header.Get("X-Frame-Options") != "DENY" || r.header.Get("X-Content-Type-Options") != "nosniff" || strings.Contains(r.body, "Lamps") {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
	if again := s.get("/", "If-None-Match", r.header.Get("ETag")); again.status != 304 || again.body != "" {
		t.Errorf("asked for again: %d, %d bytes", again.status, len(again.body))
	}
	for _, path := range []string{"/api/docsets", "/api/docsets/Docent_Manual/html/lamps.md", "/api/documents", "/api/documents/events", "/api/documents?details=true"} {
		if r := s.get(path); r.status != 401 || strings.Contains(r.body, "lamp") {
			t.Errorf("%s without a login: %d %s", path, r.status, r.body)
		}
	}
	if r := s.post("/api/html", `{"markdown": "# x"}`); r.status != 401 {
		t.Errorf("HTML without a login: %d %s", r.status, r.body)
	}
	for path, status := range map[string]int{"/assets/nothing.js": 404, "/assets/../httpapi.go": 404, "/assets/%2e%2e/dashboard.go": 404, "/index.html": 404} {
		if r := s.get(path); r.status != status {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	if r := s.post("/", "{}"); r.status != 405 {
		t.Errorf("POST: %d", r.status)
	}
	for _, header := range [][]string{{"Host", "evil.example"}, {"Origin", "http://evil.example"}, {"Sec-Fetch-Site", "cross-site"}} {
		if r := s.get("/", header...); r.status != 403 {
			t.Errorf("%v: %d", header, r.status)
		}
	}
	link := []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}
	if r := s.get("/", link...); r.status != 200 {
		t.Errorf("a link of elsewhere: %d", r.status)
	}
	for _, other := range [][]string{append(link, "Origin", "http://evil.example"), append(link, "Host", "evil.example"), {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}} {
		if r := s.get("/", other...); r.status != 403 {
			t.Errorf("%v: %d", other, r.status)
		}
	}
	if r := s.get("/api/docsets", link...); r.status != 403 {
		t.Errorf("a link of elsewhere to the doc sets: %d", r.status)
	}
	if r := serve(t, nil).get("/"); r.status != 404 {
		t.Errorf("a server without the dashboard: %d", r.status)
	}
}

// A page comes as HTML in a field of JSON, with its links, its headings and neighbours.
func TestPagesAreShown(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	v := s.get("/api/docsets/Docent_Manual/html/lamps.md?at=filling").json(t)
	html, _ := v["html"].(string)
	if !strings.Contains(html, `<section id="s-filling" data-from="9" data-to="11">`) || v["page_title"] != "Lamps" || v["part"] != 1.0 || v["parts"] != 1.0 || v["before"] == nil || v["after"] != nil {
		t.Errorf("%v", v)
	}
	if v := s.get("/api/docsets/Docent_Manual/html/CI%2FCD.md").json(t); !strings.Contains(fmt.Sprint(v["html"]), "&amp; tests .") {
		t.Errorf("%v", v)
	}
	for path, status := range map[string]int{"/api/docsets/Docent_Manual/html/nothing.md": 404, "/api/docsets/Nowhere/html/lamps.md": 404, "/api/docsets/Docent_Manual/html/lamps.md?part=2": 400,
		"/api/docsets/Docent_Manual/html/lamps.md?line=x": 400, "/api/docsets/Docent_Manual/html/lamps.md?what=x": 400, "/api/docsets/Docent_Manual/html/..%2f..%2fetc%2fpasswd": 400, "/api/docsets/Docent_Manual/html/lamps.md?at=nowhere&line=900": 200} {
		if r := s.get(path); r.status != status {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	r := s.post("/api/html", `{"markdown": "See [glass](glass.md#cleaning) <script>x</script>[bad](javascript:x)", "doc_set": "Docent_Manual", "file_path": "lamps.md"}`)
	got := fmt.Sprint(r.json(t)["html"])
	if !strings.Contains(got, `href="#/read/Docent_Manual@`) || !strings.Contains(got, `/glass.md?at=cleaning"`) || strings.Contains(got, "script") {
		t.Errorf("%s", got)
	}
	if r := s.post("/api/html", `{"markdown": "x", "doc_set": "Nowhere", "file_path": "x"}`); r.status != 400 {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// follow opens the stream of changes and gives its events as "name data".
func (s *server) follow(ctx context.Context, headers ...string) (<-chan string, int) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/documents/events", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	out := make(chan string, 100)
	go func() {
		defer close(out)
		defer res.Body.Close()
		name := ""
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if n, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = n
			} else if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				out <- name + " " + data
			}
		}
	}()
	return out, res.StatusCode
}

func next(t *testing.T, events <-chan string) string {
	t.Helper()
	select {
	case e := <-events:
		return e
	case <-time.After(time.Minute):
		t.Fatal("no event in a minute")
		return ""
	}
}

// A client that follows documents gets an event for a new one, a finished one and a
// removed one.
func TestChangesOfDocumentsAreTold(t *testing.T) {
	t.Parallel()
	l := openLibrary(t)
	ctx, leave := context.WithCancel(t.Context())
	events, status := l.follow(ctx)
	if e := next(t, events); status != 200 || e != "ready {}" {
		t.Fatalf("%d, %s", status, e)
	}
	id, _ := l.upload([]string{"file", "whales.md", whales}).json(t)["id"].(string)
	until := func(what func(d map[string]any, gone bool) bool) {
		t.Helper()
		for {
			var v struct {
				Document map[string]any
				Gone     bool
			}
			if err := json.Unmarshal([]byte(strings.TrimPrefix(next(t, events), "document ")), &v); err != nil || v.Document["id"] != id {
				t.Fatalf("%v: %v", err, v)
			}
			if what(v.Document, v.Gone) {
				return
			}
		}
	}
	until(func(d map[string]any, _ bool) bool {
		return d["status"] == "PENDING" && d["filename"] == "whales.md" && d["lane"] == "fast"
	})
	l.work()
	until(func(d map[string]any, _ bool) bool { return d["status"] == "COMPLETED" && d["page"] != "" })
	l.do("DELETE", "/api/documents/"+id, "")
	until(func(_ map[string]any, gone bool) bool { return gone })
	leave()
	for range events {
	}
}

// After a logout the client gets no more events.
func TestAStreamEndsWithItsSession(t *testing.T) {
	t.Parallel()
	l := openLibrary(t)
	s := serve(t, func(o *httpapi.Options) {
		withDashboard(t)(o)
		o.Home = func() (*service.Services, func(), error) {
			a, release, err := l.home.Use()
			if err != nil {
				return nil, nil, err
			}
			return a.Services, release, nil
		}
	})
	token, _ := s.post("/api/auth/login", `{"password": "open sesame"}`).json(t)["token"].(string)
	events, _ := s.follow(t.Context(), "Authorization", "Bearer "+token)
	if e := next(t, events); e != "ready {}" {
		t.Fatal(e)
	}
	if r := s.post("/api/auth/logout", `{}`, "Authorization", "Bearer "+token); r.status != 200 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	l.upload([]string{"file", "whales.md", whales})
	if e := next(t, events); e != "" {
		t.Errorf("told after the logout: %s", e)
	}
}

// There are no more streams than the catalog can be asked for.
func TestStreamsOfChangesAreFew(t *testing.T) {
	t.Parallel()
	s := serve(t, withDashboard(t))
	token, _ := s.post("/api/auth/login", `{"password": "open sesame"}`).json(t)["token"].(string)
	auth := []string{"Authorization", "Bearer " + token}
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	const most = 32
	for i := range most {
		if events, status := s.follow(ctx, auth...); status != 200 || next(t, events) != "ready {}" {
			t.Fatalf("stream %d: %d", i, status)
		}
	}
	if r := s.get("/api/documents/events", auth...); r.status != 429 || r.header.Get("Retry-After") == "" {
		t.Errorf("one more: %d %v", r.status, r.header)
	}
}
