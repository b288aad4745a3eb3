package packages

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/pipeline/source"
)

// listener is a server that does with each connection what it is told.
func listener(t *testing.T, do func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				do(conn)
			}()
		}
	}()
	return l.Addr().String()
}

// With a proxy that is down, npm and pip tried for a minute, and said a line without the proxy's name.
func TestADeadProxyIsNamed(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0") // an address where nobody listens
	if err != nil {
		t.Fatal(err)
	}
	dead := l.Addr().String()
	_ = l.Close()
	begun := time.Now()
	for _, address := range []string{"npm:oil", "pypi:oil", "go:example.org/oil"} {
		f := fake(t, "hang", "HTTPS_PROXY=http://keeper:secret@"+dead, "NO_PROXY=localhost,127.0.0.1")
		_, err := f.Fetch(t.Context(), source.Want{Address: address}, t.TempDir(), nil, nil)
		e, ok := errors.AsType[*source.Error](err)
		if !ok || !strings.Contains(e.Reason, "the proxy "+dead+" (HTTPS_PROXY) cannot be reached") || !strings.Contains(e.Do, "HTTPS_PROXY") {
			t.Errorf("%s: %v", address, err)
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestProxyFault(t *testing.T) {
	t.Parallel()
	answers := listener(t, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n") })
	closes := listener(t, func(net.Conn) {})
	silent := listener(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	if got := proxyFault(t.Context(), answers); got != "" {
		t.Errorf("of a proxy that answers: %q", got)
	}
	if got := proxyFault(t.Context(), closes); got != "does not answer" {
		t.Errorf("of one that closes: %q", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if got := proxyFault(ctx, silent); got != "does not answer" || time.Since(begun) > 5*time.Second {
		t.Errorf("of one that is silent: %q after %v", got, time.Since(begun))
	}
}

func TestProxyOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		environ    []string
		name, host string
		always     bool
	}{
		{nil, "", "", false},
		{[]string{"HTTPS_PROXY="}, "", "", false},
		{[]string{"HTTPS_PROXY=http://proxy.example.org:3128/"}, "HTTPS_PROXY", "proxy.example.org:3128", true},
		{[]string{"https_proxy=proxy.example.org"}, "https_proxy", "proxy.example.org:80", true},
		{[]string{"HTTPS_PROXY=http://[::1]:8080", "NO_PROXY=localhost, 127.0.0.1"}, "HTTPS_PROXY", "[::1]:8080", true},
		{[]string{"HTTP_PROXY=http://a:1", "NO_PROXY=registry.example.org"}, "HTTP_PROXY", "a:1", false},
		{[]string{"ALL_PROXY=socks5://a:1"}, "", "", false},
		{[]string{"HTTPS_PROXY=https://a:1"}, "", "", false},
		{[]string{"HTTPS_PROXY=http://a:1", "HTTPS_PROXY=http://b:2"}, "HTTPS_PROXY", "b:2", true},
	} {
		name, host, always := proxyOf(tt.environ)
		if name != tt.name || host != tt.host || name != "" && always != tt.always {
			t.Errorf("%q: %q %q %v", tt.environ, name, host, always)
		}
	}
}

// What the user has set for a client stays.
func TestPatience(t *testing.T) {
	t.Parallel()
	got := withPatience([]string{"PIP_RETRIES=9"})
	if slices.Contains(got, "PIP_RETRIES=1") || !slices.Contains(got, "npm_config_fetch_retries=1") {
		t.Errorf("%q", got)
	}
}
