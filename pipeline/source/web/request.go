package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// mostHops bounds the redirects of one request.
const mostHops = 10

// Request is a request for a page or a file at an address.
type Request struct {
	URL *url.URL
	// Accept are the types that are asked for; "": all.
	Accept string
	// ETag and LastModified are those of an earlier answer: this answer is NotModified where
	// the server still has the same.
	ETag, LastModified string
	// Most bounds the bytes of the answer, packed and unpacked; 0: DefaultMost.
	Most int64
	// Into makes the writer of the body, once for each try; nil: the body is kept in memory.
	Into func() (io.Writer, error)
	// Waiting is called before a wait for a busy host; nil: it is not.
	Waiting func(d time.Duration, reason string)
	// Hop is asked about each redirect; its error ends the request. nil: the policy alone
	// decides.
	Hop func(to *url.URL) error
}

// Answer is what a server answered.
type Answer struct {
	URL                *url.URL // after redirects
	Type               string   // Content-Type as it was sent
	ETag, LastModified string
	Body               []byte // nil where Request.Into took it
	Bytes              int64  // of the body, unpacked
	NotModified        bool
}

// Get reads the page or file at an address. It tries again where the host is busy or breaks off.
// The error is an *Error, or that of the context or of Into.
func (c *Client) Get(ctx context.Context, req Request) (*Answer, error) {
	setDefault(&req.Most, DefaultMost)
	for try := 1; ; try++ {
		answer, err := c.follow(ctx, req)
		var failure *Error
		if err == nil || !errors.As(err, &failure) || !failure.Temporary() || try >= c.triesOf(failure.Kind) {
			return answer, err
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		wait := time.Second << (try - 1) // 1, 2, 4 s
		if failure.Kind == KindBusy && failure.After > 0 {
			wait = failure.After
		}
		if wait > c.opt.LongestWait {
			return nil, err
		}
		if req.Waiting != nil {
			req.Waiting(wait, failure.Reason)
		}
		if failure.Kind == KindBusy { // the host means all requests
			c.hosts.paceOfHost(hostPort(req.URL)).pause(wait)
		} else if err := c.opt.Sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// triesOf is how often a request is sent. Only a busy host says that a later try will do; an
// error of the server mostly stays, and a slow answer takes its time again.
func (c *Client) triesOf(kind Kind) int {
	switch kind {
	case KindBusy:
		return c.opt.Tries
	case KindNetwork:
		return min(c.opt.Tries, 3)
	}
	return min(c.opt.Tries, 2)
}

// follow sends a request and follows its redirects.
func (c *Client) follow(ctx context.Context, req Request) (*Answer, error) {
	at := *req.URL
	at.Fragment, at.RawFragment = "", ""
	for hop := 0; ; hop++ {
		if err := c.opt.Policy.Check(&at); err != nil {
			return nil, &Error{URL: shown(req.URL), Kind: KindRefused, Reason: err.Error(), Err: err}
		}
		answer, to, err := c.send(ctx, req, &at)
		if err != nil || to == "" {
			return answer, err
		}
		next, err := at.Parse(to)
		switch {
		case err != nil:
			err = fmt.Errorf("it leads to %.100q, which is no address", to)
		case hop >= mostHops:
			err = fmt.Errorf("it leads to other addresses more than %d times", mostHops)
		case next.Scheme != "http" && next.Scheme != "https":
			err = fmt.Errorf("it leads to an address of the scheme %.20q; only http and https are read", next.Scheme)
		case at.Scheme == "https" && next.Scheme == "http":
			err = fmt.Errorf("it leads to %s, which is not encrypted", shown(next))
		case c.opt.Policy.Check(next) != nil:
			err = fmt.Errorf("it leads to %s: %w", shown(next), c.opt.Policy.Check(next))
		case req.Hop != nil:
			err = req.Hop(next)
		}
		if err != nil {
			return nil, &Error{URL: shown(req.URL), Kind: KindRedirect, Reason: err.Error(), Err: err}
		}
		next.Fragment, next.RawFragment = "", ""
		if next.String() == at.String() {
			return nil, &Error{URL: shown(req.URL), Kind: KindRedirect, Reason: "it leads to itself"}
		}
		at = *next
	}
}

// send sends one request, and returns the answer or the address to which it leads.
func (c *Client) send(ctx context.Context, req Request, at *url.URL) (answer *Answer, to string, err error) {
	pace := c.hosts.paceOfHost(hostPort(at))
	if err := pace.enter(ctx); err != nil {
		return nil, "", err
	}
	defer pace.leave()
	limited, cancel := context.WithTimeout(ctx, c.opt.Whole)
	defer cancel()
	limited, stop := context.WithCancelCause(limited)
	defer stop(nil)
	r, err := http.NewRequestWithContext(limited, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, "", &Error{URL: shown(at), Kind: KindRefused, Reason: "it is no address", Err: err}
	}
	c.setHeaders(r, req)
	response, err := c.transport.RoundTrip(r)
	if err != nil {
		if ctx.Err() != nil {
			return nil, "", context.Cause(ctx)
		}
		return nil, "", networkError(shown(at), err)
	}
	defer func() { _ = response.Body.Close() }()
	switch s := response.StatusCode; {
	case s == http.StatusNotModified && (req.ETag != "" || req.LastModified != ""):
		answer = newAnswer(at, response)
		answer.NotModified = true
		return answer, "", nil
	case s >= 300 && s < 400 && response.Header.Get("Location") != "":
		return nil, response.Header.Get("Location"), nil
	case s != http.StatusOK && s != http.StatusNonAuthoritativeInfo:
		return nil, "", statusError(shown(at), s, c.retryAfter(response.Header.Get("Retry-After")))
	}
	answer = newAnswer(at, response)
	if err := c.readBody(answer, response, req, stop, limited); err != nil {
		if ctx.Err() != nil {
			return nil, "", context.Cause(ctx)
		}
		return nil, "", err
	}
	return answer, "", nil
}

func (c *Client) setHeaders(r *http.Request, req Request) {
	r.Header.Set("User-Agent", c.opt.Agent)
	r.Header.Set("Accept-Encoding", "gzip")
	accept := req.Accept
	if accept == "" {
		accept = "*/*"
	}
	r.Header.Set("Accept", accept)
	if req.ETag != "" {
		r.Header.Set("If-None-Match", req.ETag)
	}
	if req.LastModified != "" {
		r.Header.Set("If-Modified-Since", req.LastModified)
	}
}

func newAnswer(at *url.URL, r *http.Response) *Answer {
	own := *at
	return &Answer{URL: &own, Type: r.Header.Get("Content-Type"), ETag: headerValue(r, "ETag"),
		LastModified: headerValue(r, "Last-Modified")}
}

// headerValue is the value of a header that is kept, unless it is too long for that.
func headerValue(r *http.Response, name string) string {
	if v := r.Header.Get(name); len(v) <= 300 {
		return v
	}
	return ""
}

// retryAfter is the time that a header Retry-After asks for: seconds, or a date.
func (c *Client) retryAfter(value string) time.Duration {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, date.Sub(c.opt.Now()))
	}
	return 0
}

// shown is an address for a message: without a password, and no longer than a line.
func shown(u *url.URL) string {
	s := u.Redacted()
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}
