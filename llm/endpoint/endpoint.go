// Package endpoint is the address of a model server and the HTTP that both kinds
// of servers share: reading an address, credentials, limits, and what an error
// of the network or a status means.
//
// An address may hold a user and a password; they go into the requests' header
// and nowhere else: not into errors, not into what Address says, not to another
// host. It refuses redirects, since a request that has a body would lose it on
// the way, and answers without end. It does not know what is asked.
package endpoint

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"docent/llm"
)

// Options describe an endpoint.
type Options struct {
	// Address is where the server is, in any form that OLLAMA_HOST takes: a URL,
	// HOST, HOST:PORT, :PORT, with or without a path. "": Default.
	Address string
	// Default is the URL that stands in for what Address leaves out.
	Default string
	// Key is sent as a bearer token; "": none, or the address's user and password.
	Key string
	// Connect is the time for a connection; 0: 2 s.
	Connect time.Duration
	// MaxBytes is how long an answer may be, in bytes; 0: 64 MB.
	MaxBytes int64
	// Proxy finds a request's proxy; nil: none.
	Proxy func(*http.Request) (*url.URL, error)
}

// Endpoint is where a server is, and how it is reached.
type Endpoint struct {
	URL     *url.URL // without credentials
	Client  *http.Client
	secrets []string
}

// New reads the options. Its error tells what is wrong with the address without
// showing what could be a password.
func New(opt Options) (*Endpoint, error) {
	u, user, err := parse(opt.Address, opt.Default)
	if err != nil {
		return nil, err
	}
	if opt.Connect == 0 {
		opt.Connect = 2 * time.Second
	}
	if opt.MaxBytes == 0 {
		opt.MaxBytes = 64 << 20
	}
	e := &Endpoint{URL: u}
	header := ""
	switch {
	case opt.Key != "":
		if strings.ContainsFunc(opt.Key, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return nil, errors.New("the key of the model server holds control characters, such as a line's end")
		}
		header = "Bearer " + opt.Key
		e.secrets = append(e.secrets, opt.Key)
	case user != nil:
		password, _ := user.Password()
		r := http.Request{Header: http.Header{}}
		r.SetBasicAuth(user.Username(), password)
		header = r.Header.Get("Authorization")
		e.secrets = append(e.secrets, strings.TrimPrefix(header, "Basic "), password, url.QueryEscape(password))
	}
	e.Client = &http.Client{
		Transport: &transport{
			base: &http.Transport{
				Proxy:               opt.Proxy,
				DialContext:         (&net.Dialer{Timeout: opt.Connect}).DialContext,
				TLSHandshakeTimeout: 2 * opt.Connect,
				ForceAttemptHTTP2:   true,
				MaxIdleConnsPerHost: 4,
				IdleConnTimeout:     time.Minute,
			},
			header: header, host: u.Host, max: opt.MaxBytes,
		},
		CheckRedirect: func(r *http.Request, _ []*http.Request) error { return redirectError(r.URL.Host) },
	}
	return e, nil
}

// Address is the URL as text, without credentials.
func (e *Endpoint) Address() string { return strings.TrimSuffix(e.URL.String(), "/") }

// parse reads an address; see Options.
func parse(address, def string) (*url.URL, *url.Userinfo, error) {
	base, err := url.Parse(def)
	if err != nil {
		return nil, nil, err
	}
	address = strings.TrimSpace(address)
	if address == "" {
		return base, nil, nil
	}
	shown := strconv.Quote(address)
	if strings.Contains(address, "@") {
		shown = "the address of the model server (not shown, it holds a password)"
	}
	bad := func(why string) (*url.URL, *url.Userinfo, error) {
		return nil, nil, fmt.Errorf("%s %s; it must be like %s", shown, why, def)
	}
	scheme, rest, ok := strings.Cut(address, "://")
	port := base.Port()
	switch {
	case !ok:
		scheme, rest = "http", address
		if base.Scheme == "https" && !local(rest) {
			scheme = "https"
		}
	case scheme == "http":
		port = "80"
	case scheme == "https":
		port = "443"
	default:
		return bad("is neither http nor https")
	}
	// What follows an @ is the host, whatever a password holds.
	authority, path, _ := strings.Cut(rest, "/")
	info := ""
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		info = rest[:at]
		authority, path, _ = strings.Cut(rest[at+1:], "/")
	}
	var user *url.Userinfo
	if info != "" {
		name, password, _ := strings.Cut(info, ":")
		user = url.UserPassword(unescape(name), unescape(password))
	}
	if strings.ContainsAny(rest[len(info):], "?#") {
		if !strings.Contains(address, "@") {
			shown = "the address of the model server"
		}
		return bad("has a query or a fragment")
	}
	// An IPv6 address may come without its brackets.
	if a, err := netip.ParseAddr(authority); err == nil && a.Is6() {
		authority = "[" + authority + "]"
	}
	u, err := url.Parse(scheme + "://" + authority)
	if err != nil || strings.ContainsAny(authority, " \\") {
		return bad("is no address")
	}
	host := u.Hostname()
	if u.Port() != "" {
		port = u.Port()
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return bad("has a port that is none")
		}
	}
	// What a server listens on is where it is reached on this machine.
	switch host {
	case "", "0.0.0.0":
		host = "127.0.0.1"
	case "::":
		host = "::1"
	}
	out := &url.URL{Scheme: scheme, Path: strings.TrimSuffix("/"+path, "/")}
	if path == "" {
		out.Path = base.Path
	}
	switch {
	case port == "" || scheme == "http" && port == "80" || scheme == "https" && port == "443":
		out.Host = host
		if strings.Contains(host, ":") {
			out.Host = "[" + host + "]"
		}
	default:
		out.Host = net.JoinHostPort(host, port)
	}
	return out, user, nil
}

// local says whether an address without a scheme is of this machine.
func local(rest string) bool {
	return strings.HasPrefix(rest, "localhost") || strings.HasPrefix(rest, "127.") || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "[::1]")
}

func unescape(s string) string {
	if out, err := url.PathUnescape(s); err == nil {
		return out
	}
	return s
}

// transport adds the credentials and limits the answer.
type transport struct {
	base   http.RoundTripper
	header string
	host   string
	max    int64
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.header != "" && r.URL.Host == t.host {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", t.header)
	}
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Body = &limited{ReadCloser: resp.Body, left: t.max, max: t.max}
	return resp, nil
}

type limited struct {
	io.ReadCloser
	left, max int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, endlessError(l.max)
	}
	n, err := l.ReadCloser.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

type endlessError int64

func (e endlessError) Error() string { return fmt.Sprintf("it is longer than %d MB", int64(e)>>20) }

type redirectError string

func (e redirectError) Error() string {
	return fmt.Sprintf("it sends on to %s; if that is right, give that address", string(e))
}

// Redact takes credentials out of a text: servers have been seen to quote them.
func (e *Endpoint) Redact(s string) string {
	for _, secret := range e.secrets {
		if len(secret) > 2 {
			s = strings.ReplaceAll(s, secret, "…")
		}
	}
	return s
}

// Fault says what an error of the network means.
func (e *Endpoint) Fault(err error) *llm.Error {
	if known, ok := errors.AsType[*llm.Error](err); ok {
		return known
	}
	out := &llm.Error{Kind: llm.Failed, Reason: e.Redact(reason(err))}
	// The cause is kept where callers look for it only: its text may hold more
	// than the reason does.
	if errors.Is(err, context.Canceled) {
		out.Kind, out.Err = llm.Cancelled, context.Canceled
		return out
	}
	dial, _ := errors.AsType[*net.OpError](err)
	_, dns := errors.AsType[*net.DNSError](err)
	_, endless := errors.AsType[endlessError](err)
	_, syntax := errors.AsType[*json.SyntaxError](err)
	_, kind := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case dns, dial != nil && (dial.Op == "dial" || dial.Op == "proxyconnect"), errors.Is(err, syscall.ECONNREFUSED):
		out.Kind = llm.Unreachable
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		out.Kind, out.Err = llm.TimedOut, context.DeadlineExceeded
	case endless, syntax, kind, errors.Is(err, bufio.ErrTooLong):
		out.Kind = llm.BadAnswer
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), dial != nil:
		out.Kind = llm.Broken
	}
	return out
}

// reason is the heart of a network's error, without the address, which is told
// anyway.
func reason(err error) string {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.Name + ": " + dns.Err
	}
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op.Err
	}
	if sys, ok := errors.AsType[*os.SyscallError](err); ok {
		err = sys.Err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the connection ended in the middle"
	}
	return err.Error()
}

// Status says what an HTTP status with a server's words means. Without words it
// is the status's own.
func (e *Endpoint) Status(status int, words string) *llm.Error {
	words = e.Redact(strings.TrimSpace(words))
	out := &llm.Error{Kind: llm.Failed, Status: status, Reason: words}
	if words == "" {
		out.Reason = strings.ToLower(http.StatusText(status))
	}
	lower := strings.ToLower(words)
	has := func(any ...string) bool {
		for _, s := range any {
			if strings.Contains(lower, s) {
				return true
			}
		}
		return false
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		out.Kind = llm.Denied
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable, has("server busy", "maximum pending requests"):
		out.Kind = llm.Overloaded
	case status == http.StatusBadGateway, status == http.StatusGatewayTimeout:
		// A proxy answers for a server that is not there.
		out.Kind = llm.Unreachable
	case has("does not support", "not supported by this model", "does not embed"), status == http.StatusNotImplemented:
		out.Kind = llm.Incapable
	case has("context length", "context size", "too long", "maximum context", "exceeds the available context", "input is too large"):
		out.Kind = llm.TooLong
	case status == http.StatusNotFound && has("model"), has("file does not exist"):
		out.Kind = llm.NotFound
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, strings.HasPrefix(words, "<"):
		out.Kind = llm.BadAnswer
		out.Reason = fmt.Sprintf("%d where an answer should be; is the address right?", status)
		if status == 0 || status == http.StatusOK {
			out.Reason = "a web page; is the address right?"
		}
	case has("runner", "no longer running", "connection reset", "unexpected eof", "model failed to load", "eof"):
		// The model's process died; the next call starts it again.
		out.Kind = llm.Broken
	}
	return out
}
