package transport

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docent/store/address"
	"docent/store/remote"
)

// remotely is a transport to a server of gRPC without TLS.
func remotely(t *testing.T, answer http.HandlerFunc) *Transport {
	t.Helper()
	s := httptest.NewUnstartedServer(answer)
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	host := strings.TrimPrefix(s.URL, "http://")
	at, err := address.ParseWeaviate("weaviate://" + host + "?grpc=" + host)
	if err != nil {
		t.Fatal(err)
	}
	out := New(at)
	t.Cleanup(out.Close)
	return out
}

// A call sends its message in a frame and takes that of the answer; the status comes behind it.
func TestCall(t *testing.T) {
	t.Parallel()
	c := remotely(t, func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil || string(raw) != "\x00\x00\x00\x00\x03abc" || r.URL.Path != "/a.B/C" || r.ProtoMajor != 2 ||
			r.Header.Get("Content-Type") != "application/grpc" {
			t.Errorf("%s %s: %q, %v", r.Proto, r.URL.Path, raw, err)
		}
		w.Header().Set("Content-Type", "application/grpc")
		w.Header().Set(http.TrailerPrefix+"Grpc-Status", "0")
		_, _ = w.Write([]byte("\x00\x00\x00\x00\x02de"))
	})
	if got, err := c.Call(t.Context(), "/a.B/C", []byte("abc")); err != nil || string(got) != "de" {
		t.Errorf("%q, %v", got, err)
	}
}

// An error of a call is one of the kind that a request over REST has.
func TestErrorsOfCalls(t *testing.T) {
	t.Parallel()
	for _, said := range []struct {
		code, message string
		body          string
		status        int
		want          string
	}{
		{code: "2", message: "explorer: tenant not found: %22g12%22", status: 422, want: `tenant not found: "g12"`},
		{code: "16", message: "no key", status: 401, want: "no key"},
		{code: "14", message: "100% away", status: 503, want: "100% away"},
		{code: "99", message: "odd", status: 500, want: "odd"},
		{code: "", body: "hello", status: 502, want: "gRPC interface"},
	} {
		c := remotely(t, func(w http.ResponseWriter, _ *http.Request) {
			if said.code != "" {
				w.Header().Set("Grpc-Status", said.code)
				w.Header().Set("Grpc-Message", said.message)
			}
			_, _ = w.Write([]byte(said.body))
		})
		_, err := c.Call(t.Context(), "/a.B/C", nil)
		e, ok := errors.AsType[*StatusError](err)
		if !ok || e.Status != said.status || !strings.Contains(err.Error(), said.want) {
			t.Errorf("code %q: %v", said.code, err)
		}
		if _, away := errors.AsType[*remote.UnreachableError](err); away != (said.status >= 500) {
			t.Errorf("code %q means that the server is away: %v", said.code, away)
		}
	}
	for _, body := range []string{"", "\x00\x00", "\x01\x00\x00\x00\x00", "\x00\x00\x00\x00\x09abc"} {
		c := remotely(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(http.TrailerPrefix+"Grpc-Status", "0")
			_, _ = w.Write([]byte(body))
		})
		if _, err := c.Call(t.Context(), "/a.B/C", nil); err == nil || !strings.Contains(err.Error(), "not one message") {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// A server is there if its gRPC interface is, where the address has that.
func TestPingOfGRPC(t *testing.T) {
	t.Parallel()
	healthy := true
	c := remotely(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == healthCheck && healthy {
			w.Header().Set(http.TrailerPrefix+"Grpc-Status", "0")
			_, _ = w.Write([]byte("\x00\x00\x00\x00\x02\x08\x01"))
		}
	})
	if err := c.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	healthy = false
	if err := c.Ping(t.Context()); err == nil || !strings.Contains(err.Error(), "gRPC interface") {
		t.Errorf("a server without gRPC: %v", err)
	}
}

// A connection that is dead without a word, as behind a network that was cut, holds no call for longer than one that is
// repeated takes: that goes by a new connection, and so do the calls behind it.
func TestADeadConnection(t *testing.T) {
	t.Parallel()
	answers := remotely(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(http.TrailerPrefix+"Grpc-Status", "0")
		_, _ = w.Write([]byte("\x00\x00\x00\x00\x00"))
	})
	front, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var dialed atomic.Int64
	var all sync.WaitGroup
	t.Cleanup(func() { _ = front.Close(); all.Wait() })
	all.Go(func() {
		for {
			outside, err := front.Accept()
			if err != nil {
				return
			}
			if dialed.Add(1) == 1 {
				t.Cleanup(func() { _ = outside.Close() }) // it takes all and answers nothing
				continue
			}
			inside, err := net.Dial("tcp", answers.At.GRPC[0])
			if err != nil {
				t.Error(err)
				return
			}
			for _, pair := range [][2]net.Conn{{inside, outside}, {outside, inside}} {
				all.Go(func() {
					_, _ = io.Copy(pair[0], pair[1])
					_ = pair[0].Close()
				})
			}
		}
	})
	at := answers.At
	at.GRPC = []string{front.Addr().String()}
	c := New(at)
	c.patience = 100 * time.Millisecond
	defer c.Close()
	for range 3 {
		if _, err := c.Call(t.Context(), "/a.B/C", nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := dialed.Load(); n != 2 {
		t.Errorf("%d connections were made", n)
	}
	c.AskNextHost()
	if _, err := c.Call(t.Context(), "/a.B/C", nil); err != nil || dialed.Load() != 3 {
		t.Errorf("the next host: %d connections, %v", dialed.Load(), err)
	}
}
