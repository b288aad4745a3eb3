// Package endpoint is the HTTP layer that the adapters llm/ollama and llm/openai
// share: parsing the server's address, credentials, limits, and converting network
// errors and HTTP statuses into *llm.Error.
//
// An address may contain a user and a password. They are sent in the Authorization
// header to that host only; they never appear in errors or in Address.
//
// It refuses redirects, because a redirected request can lose its body, and
// responses above a size limit. It knows nothing about the content of requests.
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
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"docent/llm"
)

// Options describe an endpoint.
type Options struct {
	// Address has any form that OLLAMA_HOST allows: a URL, HOST, HOST:PORT, :PORT,
	// with or without a path. "": Default.
	Address string
	// Default is a URL. Its parts replace the missing parts of Address.
	Default string
	// Key is sent as a bearer token; "": the user and password of the address, if
	// it has any.
	Key string
	// Connect is the timeout for connecting; 0: 2 s.
	Connect time.Duration
	// MaxBytes limits a response; 0: 64 MB.
	MaxBytes int64
	// Proxy returns the HTTP proxy of a request; nil: no proxy.
	Proxy func(*http.Request) (*url.URL, error)
	// Watch, unless nil, learns of each request when it begins, and by done when its response was
	// read or could not be.
	Watch Watch
}

// Watch learns of a request with a name of method and path.
type Watch func(ctx context.Context, name string) (done func(error))

// Endpoint is the address of a server with an HTTP client for it.
type Endpoint struct {
	URL     *url.URL // without credentials
	Client  *http.Client
	secrets []string // removed from error messages
}

// New makes an endpoint. Its errors do not show any part of the address that may
// be a password.
func New(opt Options) (*Endpoint, error) {
	u, user, err := parseAddress(opt.Address, opt.Default)
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
			header: header, host: u.Host, max: opt.MaxBytes, watch: opt.Watch,
		},
		CheckRedirect: func(r *http.Request, _ []*http.Request) error { return redirectError(r.URL.Host) },
	}
	return e, nil
}

// Address is the URL as text, without credentials.
func (e *Endpoint) Address() string { return strings.TrimSuffix(e.URL.String(), "/") }

// parseAddress parses Options.Address; def is Options.Default.
func parseAddress(address, def string) (*url.URL, *url.Userinfo, error) {
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
		if base.Scheme == "https" && !isLocalAddress(rest) {
			scheme = "https"
		}
	case scheme == "http":
		port = "80"
	case scheme == "https":
		port = "443"
	default:
		return bad("is neither http nor https")
	}
	// The host begins after the last @: a password may contain an @ or a slash.
	authority, path, _ := strings.Cut(rest, "/")
	info := ""
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		info = rest[:at]
		authority, path, _ = strings.Cut(rest[at+1:], "/")
	}
	var user *url.Userinfo
	if info != "" {
		name, password, _ := strings.Cut(info, ":")
		user = url.UserPassword(unescapeCredentials(name), unescapeCredentials(password))
	}
	if strings.ContainsAny(rest[len(info):], "?#") {
		if !strings.Contains(address, "@") {
			shown = "the address of the model server"
		}
		return bad("has a query or a fragment")
	}
	// An IPv6 address may be written without brackets.
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
	// A wildcard address is for listening. Clients use the loopback address.
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

// isLocalAddress reports whether an address without a scheme refers to this machine.
func isLocalAddress(rest string) bool {
	return strings.HasPrefix(rest, "localhost") || strings.HasPrefix(rest, "127.") || strings.HasPrefix(rest, ":") ||
		strings.HasPrefix(rest, "[::1]")
}

func unescapeCredentials(s string) string {
	if out, err := url.PathUnescape(s); err == nil {
		return out
	}
	return s
}

// transport adds the credentials to requests and limits the size of responses.
type transport struct {
	base   http.RoundTripper
	header string
	host   string
	max    int64
	watch  Watch
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	done := func(error) {}
	if t.watch != nil {
		done = t.watch(r.Context(), r.Method+" "+r.URL.Path)
	}
	if t.header != "" && r.URL.Host == t.host {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", t.header)
	}
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		done(err)
		return nil, err
	}
	resp.Body = &limitedBody{ReadCloser: resp.Body, left: t.max, max: t.max, done: sync.OnceFunc(func() { done(statusOf(resp)) })}
	return resp, nil
}

// limitedBody is a body that fails after max bytes.
type limitedBody struct {
	io.ReadCloser
	left, max int64
	done      func()
}

// Close is io.Closer's.
func (l *limitedBody) Close() error {
	l.done()
	return l.ReadCloser.Close()
}

// statusOf is the error that a response's status says; nil: none.
func statusOf(resp *http.Response) error {
	if resp.StatusCode >= http.StatusBadRequest {
		return errors.New(resp.Status)
	}
	return nil
}

func (l *limitedBody) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, sizeError(l.max)
	}
	n, err := l.ReadCloser.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// sizeError reports a response above the limit, which is its value in bytes.
type sizeError int64

func (e sizeError) Error() string { return fmt.Sprintf("it is longer than %d MB", int64(e)>>20) }

// redirectError reports a redirect to another host, which is its value.
type redirectError string

func (e redirectError) Error() string {
	return fmt.Sprintf("it sends on to %s; if that is right, give that address", string(e))
}

// redact removes the credentials from a text. Servers have been seen to quote
// them in error messages.
func (e *Endpoint) redact(s string) string {
	for _, secret := range e.secrets {
		if len(secret) > 2 {
			s = strings.ReplaceAll(s, secret, "…")
		}
	}
	return s
}

// NetworkError converts an error of the HTTP client, or of reading a response,
// into an *llm.Error.
func (e *Endpoint) NetworkError(err error) *llm.Error {
	if known, ok := errors.AsType[*llm.Error](err); ok {
		return known
	}
	out := &llm.Error{Kind: llm.Failed, Reason: e.redact(innermostReason(err))}
	// Only the two context errors are kept as the cause. The text of any other
	// cause may contain credentials, which Redact removed from the reason.
	if errors.Is(err, context.Canceled) {
		out.Kind, out.Err = llm.Cancelled, context.Canceled
		return out
	}
	netOp, _ := errors.AsType[*net.OpError](err)
	_, isDNS := errors.AsType[*net.DNSError](err)
	_, isSize := errors.AsType[sizeError](err)
	_, isSyntax := errors.AsType[*json.SyntaxError](err)
	_, isType := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case isDNS, netOp != nil && (netOp.Op == "dial" || netOp.Op == "proxyconnect"), errors.Is(err, syscall.ECONNREFUSED):
		out.Kind = llm.Unreachable
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		out.Kind, out.Err = llm.TimedOut, context.DeadlineExceeded
	case isSize, isSyntax, isType, errors.Is(err, bufio.ErrTooLong):
		out.Kind = llm.BadAnswer
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		netOp != nil:
		out.Kind = llm.Broken
	}
	return out
}

// innermostReason is the innermost message of a network error. It leaves out the address,
// which llm.Error shows anyway.
func innermostReason(err error) string {
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

// StatusError converts an HTTP status and the server's message into an *llm.Error.
// Without a message the reason is the standard text of the status.
func (e *Endpoint) StatusError(status int, message string) *llm.Error {
	message = e.redact(strings.TrimSpace(message))
	out := &llm.Error{Kind: llm.Failed, Status: status, Reason: message}
	if message == "" {
		out.Reason = strings.ToLower(http.StatusText(status))
	}
	lower := strings.ToLower(message)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(lower, s) })
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		out.Kind = llm.Denied
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable, has("server busy", "maximum pending requests"):
		out.Kind = llm.Overloaded
	case status == http.StatusBadGateway, status == http.StatusGatewayTimeout:
		// A proxy answers for a server that it cannot reach.
		out.Kind = llm.Unreachable
	case has("does not support", "not supported by this model", "does not embed"), status == http.StatusNotImplemented:
		out.Kind = llm.Incapable
	case has("context length", "context size", "too long", "maximum context", "exceeds the available context", "input is too large"):
		out.Kind = llm.TooLong
	case status == http.StatusNotFound && has("model"), has("file does not exist"):
		out.Kind = llm.NotFound
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, strings.HasPrefix(message, "<"):
		out.Kind = llm.BadAnswer
		out.Reason = fmt.Sprintf("%d where an answer should be; is the address right?", status)
		if status == 0 || status == http.StatusOK {
			out.Reason = "a web page; is the address right?"
		}
	case has("runner", "no longer running", "connection reset", "unexpected eof", "model failed to load", "eof"):
		// The model's process died. The next call starts it again.
		out.Kind = llm.Broken
	}
	return out
}
