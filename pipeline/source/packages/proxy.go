package packages

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"
)

// Times of the check of a proxy.
const (
	proxyConnect = 5 * time.Second  // to connect
	proxyAnswer  = 10 * time.Second // to the first byte of an answer
)

// proxyVariables name the proxy of an environment, the first that is set counts.
var proxyVariables = []string{"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"}

// patience are variables by which clients give up after a minute or so where nothing answers: by themselves
// npm and pip try for several minutes. Those that the user has set stay.
var patience = []string{"npm_config_fetch_retries=1", "npm_config_fetch_retry_mintimeout=2000", "npm_config_fetch_timeout=60000",
	"PIP_RETRIES=1"}

// withPatience is an environment with the variables of patience that it does not have.
func withPatience(environ []string) []string {
	out := environ[:len(environ):len(environ)]
	for _, v := range patience {
		name, _, _ := strings.Cut(v, "=")
		if variable(environ, name) == "" {
			out = append(out, v)
		}
	}
	return out
}

// variable is the value of a variable; of several with a name the last one counts.
func variable(environ []string, name string) string {
	value := ""
	for _, v := range environ {
		if rest, ok := strings.CutPrefix(v, name+"="); ok {
			value = rest
		}
	}
	return value
}

// proxyOf is the proxy of an environment: the variable that names it and its address without
// credentials. always is false where an exception (NO_PROXY) may lead past it. Without a proxy, and where it
// is not spoken to by plain HTTP, the name is empty.
func proxyOf(environ []string) (name, host string, always bool) {
	for _, key := range proxyVariables {
		value := variable(environ, key)
		if value == "" {
			continue
		}
		if !strings.Contains(value, "://") {
			value = "http://" + value
		}
		at, err := url.Parse(value)
		if err != nil || at.Scheme != "http" || at.Hostname() == "" {
			return "", "", false
		}
		port := at.Port()
		if port == "" {
			port = "80"
		}
		except := variable(environ, "NO_PROXY") + variable(environ, "no_proxy")
		for _, local := range []string{"localhost", "127.0.0.1", "::1", ",", " "} {
			except = strings.ReplaceAll(except, local, "")
		}
		return key, net.JoinHostPort(at.Hostname(), port), except == ""
	}
	return "", "", false
}

// proxyFault says why a proxy cannot be used, "" where it answers. Every proxy answers a request that is not
// meant for one, if only that it is wrong; no address of the network is named to it.
func proxyFault(ctx context.Context, host string) string {
	dialer := net.Dialer{Timeout: proxyConnect}
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return "cannot be reached"
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_ = conn.SetDeadline(time.Now().Add(proxyAnswer))
	if _, err := fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host); err != nil {
		return "does not answer"
	}
	if _, err := conn.Read(make([]byte, 1)); err != nil {
		return "does not answer"
	}
	return ""
}

// watchedProxy is a check of the proxy that a client uses, while the client runs.
type watchedProxy struct {
	name, host string
	fault      chan string // gets one text, "" where the proxy answers
}

// watchProxy checks the proxy of an environment, and ends the client where it can do nothing without it.
func watchProxy(ctx context.Context, environ []string, end func()) *watchedProxy {
	name, host, always := proxyOf(environ)
	w := &watchedProxy{name: name, host: host, fault: make(chan string, 1)}
	if name == "" {
		w.fault <- ""
		return w
	}
	go func() {
		fault := proxyFault(ctx, host)
		if ctx.Err() != nil {
			fault = ""
		}
		w.fault <- fault
		if fault != "" && always {
			end()
		}
	}()
	return w
}

// found says that the proxy is what failed, "" where it is not, or the check has not ended.
func (w *watchedProxy) found() string {
	select {
	case fault := <-w.fault:
		w.fault <- fault
		if fault != "" {
			return fmt.Sprintf("the proxy %s (%s) %s", w.host, w.name, fault)
		}
	default:
	}
	return ""
}
