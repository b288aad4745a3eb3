package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docent/pipeline/source/web"
)

// clock is a time that only sleeping moves on.
type clock struct {
	mutex sync.Mutex
	at    time.Time
	slept time.Duration
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.at
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.at = c.at.Add(d)
	c.slept += d
	return ctx.Err()
}

// newClient makes a client that may read the given servers.
func newClient(t *testing.T, opt web.Options, servers ...*httptest.Server) (*web.Client, *clock) {
	t.Helper()
	c := newClock()
	opt.Agent, opt.Now, opt.Sleep = web.Agent("1.2", "the tests"), c.now, c.sleep
	for _, s := range servers {
		opt.Policy.Private = append(opt.Policy.Private, web.HostPort(parse(t, s.URL)))
	}
	client, err := web.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client, c
}

func parse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func serve(t *testing.T, handle http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s
}

// wantKind checks that a request fails, and why.
func wantKind(t *testing.T, client *web.Client, address string, kind web.Kind, words string) {
	t.Helper()
	answer, err := client.Get(t.Context(), web.Request{URL: parse(t, address)})
	var failure *web.Error
	if !errors.As(err, &failure) {
		t.Fatalf("%s: %+v, %v", address, answer, err)
	}
	if failure.Kind != kind || !strings.Contains(failure.Error(), words) {
		t.Errorf("%s: %s, %q; want %s with %q", address, failure.Kind, failure.Error(), kind, words)
	}
}

func TestAgentIsSent(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"a"`)
		fmt.Fprint(w, r.UserAgent(), r.Header.Get("Cookie"))
	})
	client, _ := newClient(t, web.Options{}, s)
	answer, err := client.Get(t.Context(), web.Request{URL: parse(t, s.URL+"/a#b")})
	if err != nil || string(answer.Body) != "docent/1.2 (the tests)" || answer.ETag != `"a"` || answer.URL.String() != s.URL+"/a" {
		t.Errorf("%+v, %v", answer, err)
	}
	if _, err := web.New(web.Options{}); err == nil {
		t.Error("a client without a name is made")
	}
	if got := web.Agent("1.2\r\nCookie: a", "x (y)\n"); got != "docent/1.2Cookie:-a (x y)" {
		t.Errorf("%q", got)
	}
}

func TestConditionalRequests(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"a"`)
		if r.Header.Get("If-None-Match") == `"a"` && r.Header.Get("If-Modified-Since") == "then" {
			w.WriteHeader(http.StatusNotModified)
		}
	})
	client, _ := newClient(t, web.Options{}, s)
	answer, err := client.Get(t.Context(), web.Request{URL: parse(t, s.URL), ETag: `"a"`, LastModified: "then"})
	if err != nil || !answer.NotModified {
		t.Errorf("%+v, %v", answer, err)
	}
	if answer, err = client.Get(t.Context(), web.Request{URL: parse(t, s.URL)}); err != nil || answer.NotModified {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestFiveRequestsASecond(t *testing.T) {
	t.Parallel()
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	client, clock := newClient(t, web.Options{}, s)
	get := func(n int) {
		for range n {
			if _, err := client.Get(t.Context(), web.Request{URL: parse(t, s.URL)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	get(11)
	if clock.slept != 2*time.Second {
		t.Errorf("11 requests took %s, want 2s", clock.slept)
	}
	client.SetDelay(parse(t, s.URL), 3*time.Second)
	client.SetDelay(parse(t, s.URL), time.Millisecond) // never faster
	get(1)                                             // begins a delay
	before := clock.slept
	get(2)
	if took := clock.slept - before; took != 6*time.Second {
		t.Errorf("2 requests with a delay of 3s took %s", took)
	}
}

func TestTwoConnectionsAHost(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int64
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		w.(http.Flusher).Flush()
		time.Sleep(5 * time.Millisecond)
		now.Add(-1)
	})
	client, _ := newClient(t, web.Options{PerSecond: -1}, s)
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			if _, err := client.Get(t.Context(), web.Request{URL: parse(t, s.URL)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most.Load() > 2 {
		t.Errorf("%d requests at a time", most.Load())
	}
}

func TestBusyHosts(t *testing.T) {
	t.Parallel()
	date := newClock().at.Add(40 * time.Second).Format(http.TimeFormat)
	for _, tt := range []struct {
		status int
		after  string
		busy   int64 // answers before the good one
		want   time.Duration
		fails  bool
	}{
		{429, "7", 1, 7 * time.Second, false},
		{503, date, 1, 40 * time.Second, false},
		{503, "", 3, 7 * time.Second, false},
		{503, "nonsense", 4, 7 * time.Second, true},
		{429, "86400", 1, 0, true},
		{500, "", 1, time.Second, false},
		{502, "", 2, time.Second, true},
		{404, "7", 1, 0, true},
	} {
		var n atomic.Int64
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if n.Add(1) <= tt.busy {
				w.Header().Set("Retry-After", tt.after)
				w.WriteHeader(tt.status)
			}
		})
		client, clock := newClient(t, web.Options{PerSecond: -1}, s)
		waited := ""
		_, err := client.Get(t.Context(), web.Request{URL: parse(t, s.URL), Waiting: func(_ time.Duration, why string) { waited = why }})
		if (err != nil) != tt.fails || clock.slept != tt.want {
			t.Errorf("%d %s: %v after %s, want %s", tt.status, tt.after, err, clock.slept, tt.want)
		}
		if (tt.want > 0) != (waited != "") {
			t.Errorf("%d: the wait is called %q", tt.status, waited)
		}
	}
}

// packed is a text of the same letter, packed.
func packed(size int) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.CopyN(z, zeros{}, int64(size))
	_ = z.Close()
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed(1000))
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed(24 << 20))
		case "/damaged":
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, "no gzip at all")
		case "/br":
			w.Header().Set("Content-Encoding", "br")
			fmt.Fprint(w, "x")
		case "/endless":
			_, _ = io.CopyN(w, zeros{}, 1<<40)
		case "/promised":
			w.Header().Set("Content-Length", "99999999999")
			w.WriteHeader(200)
		case "/cut":
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "the beginning")
		}
	})
	client, _ := newClient(t, web.Options{PerSecond: -1, Header: time.Hour, Stall: time.Hour}, s)
	answer, err := client.Get(t.Context(), web.Request{URL: parse(t, s.URL+"/gzip")})
	if err != nil || len(answer.Body) != 1000 {
		t.Fatalf("%v, %v", answer, err)
	}
	wantKind(t, client, s.URL+"/bomb", web.KindLarge, "larger than 16 MB")
	wantKind(t, client, s.URL+"/damaged", web.KindEncoding, "unpacked")
	wantKind(t, client, s.URL+"/br", web.KindEncoding, "br")
	wantKind(t, client, s.URL+"/endless", web.KindLarge, "larger than 16 MB")
	wantKind(t, client, s.URL+"/promised", web.KindLarge, "larger than 16 MB")
	wantKind(t, client, s.URL+"/cut", web.KindNetwork, "broke")
}

func TestSlowAnswersEnd(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.URL.Path == "/drops" {
			if _, err := w.Write([]byte("x")); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
		select {
		case <-r.Context().Done():
		case <-gone:
		}
	}))
	t.Cleanup(func() { close(gone); s.Close() })
	client, _ := newClient(t, web.Options{PerSecond: -1, Stall: 400 * time.Millisecond}, s)
	wantKind(t, client, s.URL+"/drops", web.KindSlow, "too slowly")
	client, _ = newClient(t, web.Options{PerSecond: -1, Header: 100 * time.Millisecond}, s)
	wantKind(t, client, s.URL+"/silent", web.KindSlow, "in time")
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	other := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "a secret") })
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		to := map[string]string{"/file": "file:///etc/passwd", "/loopback": other.URL, "/private": "http://10.1.2.3/", "/name": "http://localhost:1/",
			"/link": "http://169.254.169.254/latest/meta-data/", "/mapped": "http://[::ffff:127.0.0.1]:1/", "/user": "http://me:secret@example.org/",
			"/self": "/self", "/a": "/b", "/b": "/a", "/good": "/page", "/script": "javascript:alert(1)", "/bad": "http://[::1"}[r.URL.Path]
		if to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
			return
		}
		fmt.Fprint(w, r.URL.Path)
	})
	client, _ := newClient(t, web.Options{PerSecond: -1}, s)
	wantKind(t, client, s.URL+"/file", web.KindRedirect, "file")
	wantKind(t, client, s.URL+"/script", web.KindRedirect, "javascript")
	wantKind(t, client, s.URL+"/loopback", web.KindRedirect, "private network")
	wantKind(t, client, s.URL+"/private", web.KindRedirect, "private network")
	wantKind(t, client, s.URL+"/link", web.KindRedirect, "private network")
	wantKind(t, client, s.URL+"/mapped", web.KindRedirect, "private network")
	wantKind(t, client, s.URL+"/user", web.KindRedirect, "password")
	wantKind(t, client, s.URL+"/self", web.KindRedirect, "itself")
	wantKind(t, client, s.URL+"/a", web.KindRedirect, "10 times")
	wantKind(t, client, s.URL+"/bad", web.KindRedirect, "no address")
	// The name is resolved before its address is seen.
	wantKind(t, client, s.URL+"/name", web.KindRefused, "private network")
	answer, err := client.Get(t.Context(), web.Request{URL: parse(t, s.URL+"/good")})
	if err != nil || string(answer.Body) != "/page" || answer.URL.Path != "/page" {
		t.Errorf("%+v, %v", answer, err)
	}
	stop := errors.New("outside")
	_, err = client.Get(t.Context(), web.Request{URL: parse(t, s.URL+"/good"), Hop: func(*url.URL) error { return stop }})
	if !errors.Is(err, stop) {
		t.Errorf("a redirect that the caller does not want: %v", err)
	}
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	p := web.Policy{Allow: []string{".example.org", "docs.example.com", "127.0.0.1"}, Deny: []string{"bad.example.org"}, Private: []string{"127.0.0.1:8000"}}
	for address, want := range map[string]bool{
		"https://example.org/": true, "https://a.EXAMPLE.org./": true, "https://docs.example.com/": true, "https://example.com/": false,
		"https://bad.example.org/": false, "https://badexample.org/": false, "ftp://example.org/": false, "https:///a": false,
		"http://127.0.0.1:8000/": true, "http://127.0.0.1:8001/": false, "http://127.0.0.1/": false,
	} {
		if err := p.Check(parse(t, address)); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
	for host, want := range map[string]bool{
		"8.8.8.8": true, "10.0.0.1": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "0.0.0.0": false, "0.1.2.3": false,
		"100.64.0.1": false, "224.0.0.1": false, "255.255.255.255": false, "240.0.0.1": false, "198.18.0.1": false, "127.8.9.1": false,
		"[2606:4700::1]": true, "[::1]": false, "[::]": false, "[fe80::1]": false, "[fc00::1]": false, "[ff02::1]": false, "[::ffff:10.0.0.1]": false,
		"[64:ff9b::a00:1]": false, "[64:ff9b::808:808]": true, "[2002:a00:1::1]": false, "[::7f00:1]": false, "[2001:db8::1]": false,
	} {
		if err := (web.Policy{}).Check(parse(t, "http://"+host+"/")); (err == nil) != want {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// A name may resolve to an address of this machine; only the hosts that were named may.
func TestAddressesAreCheckedAfterResolution(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "here") })
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	client, _ := newClient(t, web.Options{})
	wantKind(t, client, "http://localhost:"+port, web.KindRefused, "localhost:"+port+" is at")
	client, _ = newClient(t, web.Options{Policy: web.Policy{Private: []string{"localhost:" + port}}})
	if _, err := client.Get(t.Context(), web.Request{URL: parse(t, "http://localhost:"+port)}); err != nil {
		t.Error(err)
	}
	byAddress := web.Policy{Allow: []string{"localhost", "127.0.0.1"}, PrivateAddresses: []netip.Addr{
		netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1")}}
	client, _ = newClient(t, web.Options{Policy: byAddress})
	for _, host := range []string{"localhost:", "127.0.0.1:"} {
		if _, err := client.Get(t.Context(), web.Request{URL: parse(t, "http://"+host+port)}); err != nil {
			t.Error(err)
		}
	}
	byAddress.PrivateAddresses = []netip.Addr{netip.MustParseAddr("10.0.0.7")}
	client, _ = newClient(t, web.Options{Policy: byAddress})
	wantKind(t, client, "http://localhost:"+port, web.KindRefused, "localhost:"+port+" is at")
	wantKind(t, client, "http://127.0.0.1:"+port, web.KindRefused, "an address of this machine")
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://example.org/")
		w.WriteHeader(http.StatusFound)
	}))
	s.Config.ErrorLog = discard()
	s.StartTLS()
	t.Cleanup(s.Close)
	client, _ := newClient(t, web.Options{}, s)
	wantKind(t, client, s.URL, web.KindCertificate, "unknown authority")
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	client, _ = newClient(t, web.Options{Roots: roots}, s)
	wantKind(t, client, s.URL, web.KindRedirect, "not encrypted")
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	client, _ = newClient(t, web.Options{}, plain)
	wantKind(t, client, strings.Replace(plain.URL, "http:", "https:", 1), web.KindCertificate, "TLS")
}

func TestNoServer(t *testing.T) {
	t.Parallel()
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	client, clock := newClient(t, web.Options{PerSecond: -1}, s)
	s.Close()
	wantKind(t, client, s.URL, web.KindNetwork, "refused")
	if clock.slept != 3*time.Second { // tried three times
		t.Errorf("slept %s", clock.slept)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Get(ctx, web.Request{URL: parse(t, s.URL)}); !errors.Is(err, context.Canceled) {
		t.Errorf("of a request that was cancelled: %v", err)
	}
}

func TestProxy(t *testing.T) {
	t.Parallel()
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "by the proxy: ", r.RequestURI) })
	client, _ := newClient(t, web.Options{Proxy: http.ProxyURL(parse(t, proxy.URL))})
	answer, err := client.Get(t.Context(), web.Request{URL: parse(t, "http://docs.example.org/a")})
	if err != nil || string(answer.Body) != "by the proxy: http://docs.example.org/a" {
		t.Errorf("%+v, %v", answer, err)
	}
	wantKind(t, client, "http://10.0.0.1/", web.KindRefused, "private network")
}

func TestBodyIsWritten(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) == 1 {
			w.Header().Set("Content-Length", "100") // and breaks off
		}
		fmt.Fprint(w, "the body")
	})
	client, _ := newClient(t, web.Options{}, s)
	var out bytes.Buffer
	tries := 0
	answer, err := client.Get(t.Context(), web.Request{URL: parse(t, s.URL), Into: func() (io.Writer, error) {
		tries++
		out.Reset()
		return &out, nil
	}})
	if err != nil || out.String() != "the body" || answer.Body != nil || answer.Bytes != 8 || tries != 2 {
		t.Errorf("%+v, %q after %d tries, %v", answer, out.String(), tries, err)
	}
	full := errors.New("the disk is full")
	_, err = client.Get(t.Context(), web.Request{URL: parse(t, s.URL), Into: func() (io.Writer, error) { return failing{full}, nil }})
	if !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
