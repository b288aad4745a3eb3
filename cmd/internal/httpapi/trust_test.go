package httpapi_test

import (
	"context"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docent/cmd/internal/httpapi"
	"docent/pipeline/service"
)

// script is a server's check of the token of one script, which can be removed.
type script struct{ removed atomic.Bool }

func (s *script) name(_ context.Context, token string) (string, bool, error) {
	return "nightly", token == "docent_nightly" && !s.removed.Load(), nil
}

var asScript = []string{"Authorization", "Bearer docent_nightly"}

// followAsScript opens the stream of documents with a script's token.
func followAsScript(t *testing.T) (*library, *script, <-chan string) {
	t.Helper()
	l, s := openLibrary(t), &script{}
	door := serve(t, func(o *httpapi.Options) {
		withDashboard(t)(o)
		o.Token, o.Home = s.name, l.services
	})
	events, status := door.follow(t.Context(), asScript...)
	if e := next(t, events); status != 200 || e != "ready {}" {
		t.Fatalf("%d %q", status, e)
	}
	return l, s, events
}

// The stream of documents asked for a session alone: with a script's token it answered 200 and
// ended at once. It goes on with a token, and ends with it.
func TestAScriptFollowsDocuments(t *testing.T) {
	t.Parallel()
	l, s, events := followAsScript(t)
	l.upload([]string{"file", "whales.md", whales})
	if e := next(t, events); !strings.HasPrefix(e, "document ") {
		t.Errorf("no event of the document: %q", e)
	}
	s.removed.Store(true)
	l.upload([]string{"file", "more.md", whales + "\nAnother one sings too.\n"})
	for e := range events {
		if strings.Contains(e, "more.md") {
			t.Errorf("told after the token was removed: %s", e)
		}
	}
}

func (l *library) services() (*service.Services, func(), error) {
	a, release, err := l.home.Use()
	if err != nil {
		return nil, nil, err
	}
	return a.Services, release, nil
}

// A stream that tells nothing ended at the next sign of life only, after 15 seconds.
func TestAQuietStreamEndsWithItsToken(t *testing.T) {
	t.Parallel()
	_, s, events := followAsScript(t)
	s.removed.Store(true)
	select {
	case e, goesOn := <-events:
		if goesOn {
			t.Errorf("told without a token: %s", e)
		}
	case <-time.After(12 * time.Second):
		t.Error("the stream goes on without its token")
	}
}

// An open stream of /mcp went on to tell of changes after its token was removed.
func TestAStreamOfAgentsEndsWithItsToken(t *testing.T) {
	t.Parallel()
	s, began := &script{}, make(chan struct{})
	over := make(chan struct{})
	door := serve(t, func(o *httpapi.Options) {
		withDashboard(t)(o)
		o.Token = s.name
		o.MCP = func(func(context.Context) (func(), error)) http.Handler {
			return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				close(began)
				<-r.Context().Done()
				close(over)
			})
		}
	})
	left := make(chan struct{})
	go func() {
		defer close(left)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, door.url+"/mcp", nil)
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set(asScript[0], asScript[1])
		if res, err := http.DefaultClient.Do(req); err == nil {
			_ = res.Body.Close()
		}
	}()
	defer func() { <-left }()
	<-began
	select {
	case <-over:
		t.Fatal("the stream ends although its token is good")
	case <-time.After(1500 * time.Millisecond): // longer than the time between two checks
	}
	s.removed.Store(true)
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Error("the stream goes on without its token")
	}
}

// Behind a proxy all clients had one address: five wrong passwords of one kept all others out.
// X-Forwarded-For is believed from the configured proxies, and from no other address.
func TestClientsBehindAProxyAreToldApart(t *testing.T) {
	t.Parallel()
	login := func(s *server, from, password string) int {
		return s.post("/api/auth/login", `{"password": "`+password+`"}`, "X-Forwarded-For", from).status
	}
	guess := func(s *server, from string) {
		t.Helper()
		for range 5 {
			if status := login(s, from, "wrong"); status != 401 {
				t.Fatalf("a wrong password: %d", status)
			}
		}
	}
	behind := serve(t, func(o *httpapi.Options) {
		withDashboard(t)(o)
		o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.9.0.0/16")}
	})
	guess(behind, "203.0.113.7")
	for from, want := range map[string]int{
		"203.0.113.7":               429,
		"198.51.100.1, 203.0.113.7": 429, // what the client itself wrote counts for nothing
		"203.0.113.7, 10.9.1.2":     429, // the second of two proxies
		"203.0.113.8":               200,
	} {
		if status := login(behind, from, "open sesame"); status != want {
			t.Errorf("from %s: %d, want %d", from, status, want)
		}
	}
	plain := serve(t, withDashboard(t))
	guess(plain, "203.0.113.7")
	if status := login(plain, "203.0.113.8", "open sesame"); status != 429 {
		t.Errorf("an address that anybody can write is believed: %d", status)
	}
}

// The password of a running server could not be changed: the old one went on, and so did the
// sessions that were begun with it.
func TestANewPasswordCountsAtOnce(t *testing.T) {
	t.Parallel()
	var now atomic.Value
	now.Store("open sesame")
	s := serve(t, func(o *httpapi.Options) {
		withDashboard(t)(o)
		o.Matches = func(p string) bool { return p == now.Load() }
		o.PasswordVersion = func() string { return now.Load().(string) }
	})
	token, _ := s.post("/api/auth/login", `{"password": "open sesame"}`).json(t)["token"].(string)
	if r := s.get("/api/docsets", "Authorization", "Bearer "+token); r.status != 200 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	now.Store("close sesame")
	if r := s.get("/api/docsets", "Authorization", "Bearer "+token); r.status != 401 {
		t.Errorf("the session of the old password: %d", r.status)
	}
	if r := s.post("/api/auth/login", `{"password": "close sesame"}`); r.status != 200 {
		t.Errorf("the new password: %d %s", r.status, r.body)
	}
}

// A home that was moved away under a server was an internal error; the command line said that
// the collection is unavailable. The answer names no path of this machine.
func TestAHomeThatIsGoneIsUnavailable(t *testing.T) {
	t.Parallel()
	l := openLibrary(t)
	moved := l.dir + ".moved"
	if err := os.Rename(l.dir, moved); err != nil {
		t.Skip("an open folder cannot be moved here:", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(moved) })
	for _, r := range []reply{
		l.post("/api/docs/search", `{"query": "whale"}`), l.post("/api/ask", `{"query": "whale"}`), l.get("/ready"),
		l.upload([]string{"file", "whales.md", whales}),
	} {
		if r.status == 200 {
			continue // it may be answered from memory
		}
		if r.status != 503 || !strings.Contains(r.body, "DOCS_COLLECTION_UNAVAILABLE") || strings.Contains(r.body, l.dir) ||
			strings.Contains(r.body, "catalog.db") {
			t.Errorf("%d %s", r.status, r.body)
		}
	}
	if r := l.get("/ready"); r.status != 503 {
		t.Errorf("it is ready without a home: %d", r.status)
	}
}

// A logout needs no body; an empty number is 0, as specification 4's check of parameters has it.
func TestEmptyBodiesAndParameters(t *testing.T) {
	t.Parallel()
	s := serve(t, withDashboard(t))
	token, _ := s.post("/api/auth/login", `{"password": "open sesame"}`).json(t)["token"].(string)
	auth := []string{"Authorization", "Bearer " + token}
	for path, want := range map[string]int{"/api/documents?limit=": 400, "/api/documents?offset=": 200, "/api/documents?limit=5": 200} {
		if r := s.get(path, auth...); r.status != want {
			t.Errorf("%s: %d %s, want %d", path, r.status, r.body, want)
		}
	}
	if r := s.post("/api/auth/logout", "", auth...); r.status != 200 || !strings.Contains(r.body, "true") {
		t.Errorf("logout without a body: %d %s", r.status, r.body)
	}
	if r := s.get("/api/docsets", auth...); r.status != 401 {
		t.Errorf("the session goes on: %d", r.status)
	}
}
