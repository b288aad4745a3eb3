package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"docent/store/address"
	"docent/store/tracing"
)

// impatient is a transport that sends a request to the next host too after a tenth of a second.
func impatient(t *testing.T, hosts ...string) *Transport {
	t.Helper()
	at, err := address.ParseWeaviate("weaviate://" + strings.ReplaceAll(strings.Join(hosts, ","), "http://", ""))
	if err != nil {
		t.Fatal(err)
	}
	c := New(at)
	c.patience = 100 * time.Millisecond
	t.Cleanup(c.Close)
	return c
}

// hanging is a server that answers nothing before its clients go. gone counts those.
func hanging(t *testing.T, gone *atomic.Int64) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		waitForClient(r)
		gone.Add(1)
	}))
	t.Cleanup(s.Close)
	return s
}

// waitForClient waits until a client goes, which a server sees once it read the request.
func waitForClient(r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// A node that waits for a killed leader held an update for a minute. The next node is asked after a while,
// later requests begin with that one, and the first request is cancelled.
func TestANodeThatWaits(t *testing.T) {
	t.Parallel()
	var gone, answered atomic.Int64
	waits := hanging(t, &gone)
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { answered.Add(1) }))
	t.Cleanup(other.Close)
	c := impatient(t, waits.URL, other.URL)
	for range 2 {
		if err := c.Do(t.Context(), http.MethodPost, "/v1/schema/C/tenants", nil, []string{"a"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	waits.Close() // it waits for its handlers
	if gone.Load() != 1 || answered.Load() != 2 {
		t.Errorf("%d requests wait, %d were answered", gone.Load(), answered.Load())
	}
}

// The one host of an address is asked again: once there is another leader, the node answers.
func TestOneHostThatWaits(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			waitForClient(r)
		}
	}))
	t.Cleanup(s.Close)
	if err := impatient(t, s.URL).Do(t.Context(), http.MethodPost, "/v1/schema/C/tenants", nil, []string{"a"}, nil); err != nil || asked.Load() != 2 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
}

// Two requests are under way at most, and the first one is given up for a third.
func TestHostsThatWait(t *testing.T) {
	t.Parallel()
	var gone, asked atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if asked.Add(1); gone.Load() > 1 { // it may not have seen it yet
			t.Errorf("%d requests were given up", gone.Load())
		}
	}))
	t.Cleanup(other.Close)
	first, second := hanging(t, &gone), hanging(t, &gone)
	err := impatient(t, first.URL, second.URL, other.URL).Do(t.Context(), http.MethodPost, "/v1/schema/C/tenants", nil, []string{"a"}, nil)
	if err != nil || asked.Load() != 1 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
}

// An answer that takes longer than the next host is waited for still counts.
func TestSlowAnswers(t *testing.T) {
	t.Parallel()
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(300 * time.Millisecond)
		_, _ = w.Write([]byte(`[{"name":"s1words1"}]`))
	}))
	t.Cleanup(slow.Close)
	away := httptest.NewServer(nil)
	away.Close()
	var names []struct{ Name string }
	err := impatient(t, slow.URL, away.URL).Do(t.Context(), http.MethodGet, "/v1/schema/C/tenants", nil, nil, &names)
	if err != nil || fmt.Sprint(names) != "[{s1words1}]" {
		t.Errorf("%v, %v", names, err)
	}
}

// A call that is ended waits for no host.
func TestEndedCalls(t *testing.T) {
	t.Parallel()
	var gone atomic.Int64
	c := impatient(t, hanging(t, &gone).URL, hanging(t, &gone).URL)
	ctx, done := context.WithTimeout(t.Context(), 250*time.Millisecond)
	defer done()
	if err := c.Do(ctx, http.MethodPost, "/v1/schema/C/tenants", nil, []string{"a"}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// The addresses of one name are nodes as several names are: a new connection begins with the next one, and
// passes over those that are away.
func TestANameWithSeveralAddresses(t *testing.T) {
	t.Parallel()
	var port string
	var asked [2]atomic.Int64
	for i := range asked {
		l, err := net.Listen("tcp", net.JoinHostPort(fmt.Sprintf("127.0.0.%d", i+1), port))
		if err != nil {
			t.Skip(err) // a system without 127.0.0.2
		}
		_, port, _ = net.SplitHostPort(l.Addr().String())
		s := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			asked[i].Add(1)
		})}}
		s.Start()
		t.Cleanup(s.Close)
	}
	c := impatient(t, "search.internal:"+port)
	c.lookup = func(_ context.Context, host string) ([]string, error) {
		if host != "search.internal" {
			return nil, errors.New("there is no " + host)
		}
		return []string{"127.0.0.1", "127.0.0.2", "127.0.0.3"}, nil
	}
	for range 3 {
		if err := c.Do(t.Context(), http.MethodGet, "/v1/meta", nil, nil, nil); err != nil {
			t.Fatal(err)
		}
		c.AskNextHost()
	}
	if asked[0].Load() != 2 || asked[1].Load() != 1 {
		t.Errorf("the nodes were asked %d and %d times", asked[0].Load(), asked[1].Load())
	}
}

// The clock of each host is compared, and a host that is away hides no other.
func TestClocksOfAllHosts(t *testing.T) {
	t.Parallel()
	ahead := func(d time.Duration) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", time.Now().Add(d).UTC().Format(http.TimeFormat))
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	var gone atomic.Int64
	late := ahead(-time.Hour)
	skew, of := impatient(t, ahead(0), hanging(t, &gone).URL, late, ahead(time.Minute)).LargestSkew(t.Context())
	if "http://"+of != late || (skew+time.Hour).Abs() > 2*time.Second {
		t.Errorf("the clock of %s is %v ahead, want %s by %v", of, skew, late, -time.Hour)
	}
	if skew, of := impatient(t, ahead(0)).LargestSkew(t.Context()); skew != 0 || of != "" {
		t.Errorf("clocks that agree: %s by %v", of, skew)
	}
}

// A request carries the span above it to the server, and is counted, by its kind and not by the
// names in its path.
func TestRequestsAreTraced(t *testing.T) {
	t.Parallel()
	parents := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parents <- r.Header.Get("Traceparent")
		w.WriteHeader(http.StatusTeapot)
	}))
	defer server.Close()
	at, err := address.ParseWeaviate("weaviate://" + strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	spans := tracetest.NewSpanRecorder()
	var failures []string
	ctx := tracing.WithRecorder(context.Background(), tracing.Recorder{
		Provider: sdk.NewTracerProvider(sdk.WithSpanProcessor(spans)),
		Asked: func(service string, failed bool, _ time.Duration) {
			if failed {
				failures = append(failures, service)
			}
		}})
	if err := New(at).Do(ctx, http.MethodGet, "/v1/objects/TeamWords/0123", nil, nil, nil); err == nil {
		t.Error("a teapot is taken for a Weaviate")
	}
	ended := spans.Ended()
	if len(ended) != 1 || ended[0].Name() != "GET /v1/objects" || !strings.Contains(<-parents, ended[0].SpanContext().SpanID().String()) ||
		len(failures) != 1 || failures[0] != "weaviate" {
		t.Errorf("%v, %v", ended, failures)
	}
}

// One host of several that takes connections and never answers once used up the time that a question
// whether the server is there had.
func TestPing(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"version":"1.38.5"}`))
	}))
	defer server.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	ping := func(hosts ...string) error {
		at, err := address.ParseWeaviate("weaviate://" + strings.Join(hosts, ","))
		if err != nil {
			t.Fatal(err)
		}
		ctx, done := context.WithTimeout(t.Context(), 2*time.Second)
		defer done()
		return New(at).Ping(ctx)
	}
	live := strings.TrimPrefix(server.URL, "http://")
	if err := ping(silent.Addr().String(), live); err != nil {
		t.Errorf("one host of two answers: %v", err)
	}
	if err := ping(silent.Addr().String()); err == nil {
		t.Error("a server that does not answer is there")
	}
	status = http.StatusUnauthorized
	if err := ping(live); !errors.Is(err, ErrRefused) {
		t.Errorf("a server that wants another key: %v", err)
	}
}

// A question at the moment when a node is killed fails nothing: the nodes that are left count it as alive,
// and do not agree with it.
func TestNodesThatMissAKilledOne(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) <= 2 {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(`{"error":[{"message":"object by id: cannot achieve consistency level \"QUORUM\": read error"}]}`))
		}
	}))
	t.Cleanup(server.Close)
	away := httptest.NewServer(nil)
	away.Close()
	if err := impatient(t, server.URL, away.URL).Do(t.Context(), http.MethodGet, "/v1/objects/C/1", nil, nil, nil); err != nil || asked.Load() != 3 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
}

// Nodes that choose another leader, as busy ones do, fail nothing: for a moment they answer nothing about
// collections. A move to servers failed so, on a machine that others used too.
func TestNodesThatLackALeaderForAMoment(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) <= 2 {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(`{"error":[{"message":"failed to execute query: leader not found, can not resolve nodes [n2]"}]}`))
		}
	}))
	defer server.Close()
	away := httptest.NewServer(nil) // the leader, which was killed
	away.Close()
	hosts := strings.ReplaceAll(server.URL+","+away.URL, "http://", "")
	at, err := address.ParseWeaviate("weaviate://" + hosts)
	if err != nil {
		t.Fatal(err)
	}
	c := New(at)
	if err := c.Do(t.Context(), http.MethodPost, "/v1/schema/C/tenants", nil, []string{"a"}, nil); err != nil || asked.Load() != 3 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
	asked.Store(0)
	ctx, done := context.WithTimeout(t.Context(), leaderPause/2)
	defer done()
	if err := c.Do(ctx, http.MethodPost, "/v1/schema/C/tenants", nil, []string{"a"}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that ended meanwhile: %v", err)
	}
}
