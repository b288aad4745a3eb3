package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"docent/cmd/internal/app"
	"docent/cmd/internal/httpapi"
	"docent/pipeline/service"
)

// listening is a server as docent serve runs it, with its own limits of connections.
func listening(t *testing.T, change func(*httpapi.Options)) (address string, stop func() error) {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	opt := httpapi.Options{Loopback: true, Operations: app.Operations(), Home: func() (*service.Services, func(), error) {
		a, release, err := s.Use()
		if err != nil {
			return nil, nil, err
		}
		return a.Services, release, nil
	}}
	change(&opt)
	l, _, err := httpapi.Listen(t.Context(), "127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- httpapi.New(opt).Serve(ctx, l) }()
	var ended bool
	stop = func() error {
		if ended {
			return nil
		}
		ended = true
		cancel()
		return <-done
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String(), stop
}

func dial(t *testing.T, address, say string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err == nil {
		_, err = io.WriteString(c, say)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// Those who connect and do not ask give way to those who come after them; those whose
// requests run do not.
func TestSilentClientsGiveWay(t *testing.T) {
	t.Parallel()
	var came chan struct{}
	var letGo func()
	address, _ := listening(t, func(o *httpapi.Options) {
		came, letGo = held(o, 2)
		o.Limits = httpapi.Limits{Clients: 4}
	})
	defer letGo()
	const ask = "POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 16\r\n\r\n{\"query\": \"oil\"}"
	running := []net.Conn{dial(t, address, ask), dial(t, address, ask)}
	<-came
	<-came
	var silent []net.Conn
	for range 20 {
		silent = append(silent, dial(t, address, "POST /api/ask HTTP/1.1\r\nHost: x\r\n"))
	}
	for range 3 { // each finds a place
		res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get("http://" + address + "/health")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != 200 {
			t.Errorf("%d", res.StatusCode)
		}
	}
	closed := 0
	for _, c := range silent[:16] {
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
		if _, err := c.Read(make([]byte, 1)); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			closed++
		}
	}
	if closed != 16 {
		t.Errorf("%d of the first 16 silent ones were closed", closed)
	}
	letGo()
	for _, c := range running {
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
			t.Errorf("a request that ran was cut: %q, %v", line, err)
		}
	}
}

// If all connections have running requests, others get an answer to try again.
func TestTooManyConnections(t *testing.T) {
	t.Parallel()
	var came chan struct{}
	var letGo func()
	address, stop := listening(t, func(o *httpapi.Options) {
		came, letGo = held(o, 2)
		o.Limits = httpapi.Limits{Clients: 2}
	})
	defer letGo()
	for range 2 {
		dial(t, address, "POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{\"query\": \"oil\"}")
		<-came
	}
	res, err := http.Get("http://" + address + "/health")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 429 || res.Header.Get("Retry-After") != "1" || !strings.HasSuffix(string(raw), "}\n") {
		t.Errorf("%d %s, %v", res.StatusCode, raw, err)
	}

	c := dial(t, address, "")
	_ = c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := c.Read(make([]byte, 1)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("an answer before the question: %d bytes, %v", n, err)
	}
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c, "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "429") {
		t.Errorf("%q, %v", line, err)
	}

	// One who never asks does not keep a server that ends.
	dial(t, address, "")
	letGo()
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// The end of the server ends who is connected, and a stream that stays open does not
// keep it; a stream outlives the time that a body may take.
func TestStreamsAndTheEnd(t *testing.T) {
	t.Parallel()
	began, over := make(chan struct{}), make(chan string, 1)
	address, stop := listening(t, func(o *httpapi.Options) {
		o.Limits = httpapi.Limits{Read: 50 * time.Millisecond}
		o.MCP = func(func(context.Context) (func(), error)) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusOK)
				_ = http.NewResponseController(w).Flush()
				close(began)
				select {
				case <-r.Context().Done():
					over <- "the client or the server ended it"
				case <-time.After(500 * time.Millisecond): // ten times the limit
					over <- "it went on"
				}
			})
		}
	})
	c := dial(t, address, "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
	<-began
	if why := <-over; why != "it went on" {
		t.Errorf("%s", why)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.ReadAll(c); err != nil {
		t.Errorf("the connection is cut: %v", err)
	}
}

// A client that leaves its stream of events ends the run.
func TestWhoLeavesAStreamEndsItsRun(t *testing.T) {
	t.Parallel()
	began, over := make(chan struct{}), make(chan error, 1)
	address, _ := listening(t, func(o *httpapi.Options) {
		o.MCP = func(func(context.Context) (func(), error)) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusOK)
				_ = http.NewResponseController(w).Flush()
				close(began)
				<-r.Context().Done()
				over <- r.Context().Err()
			})
		}
	})
	c := dial(t, address, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
	<-began
	c.Close()
	if err := <-over; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
