// Package web is the HTTP client with which documentation is fetched: polite to the hosts
// that it asks, and guarded against what they answer.
//
// It says who it is, asks each host with few connections and few requests a second, waits
// where a host asks it to, and bounds the time and the size of every answer. It follows
// redirects itself and checks each of them; the addresses of the network are checked when a
// connection is made, after the name was resolved.
//
// It refuses to keep cookies or credentials, to read the environment, and to know what a
// page says.
package web

import (
	"context"
	"crypto/x509"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Defaults of Options.
const (
	DefaultConnections = 2
	DefaultPerSecond   = 5
	DefaultMost        = 16 << 20 // bytes of an answer that is kept in memory
)

// Options describe a client. A value of 0 is the default.
type Options struct {
	// Agent says who asks, see Agent. It must be given.
	Agent string
	// Policy says which hosts and addresses may be asked.
	Policy Policy
	// Connections and PerSecond bound the requests to one host: at the same time, and a
	// second. A negative PerSecond is no bound.
	Connections int
	PerSecond   float64
	// Connect, Header and Stall are the times for a connection (10 s), for the headers of
	// an answer (30 s), and in which some of a body must arrive (30 s). Whole is the time for
	// an answer with its body (10 min).
	Connect, Header, Stall, Whole time.Duration
	// Tries is how often a request is sent at most while the host is busy (4); a connection
	// that breaks gets 3 of them, other errors 2.
	Tries int
	// LongestWait is the longest wait between two tries (2 min). A host that asks for a
	// longer one is left alone.
	LongestWait time.Duration
	// Proxy returns the proxy of a request; nil: no proxy. A proxy resolves names itself:
	// Policy then sees only the addresses that are written as numbers.
	Proxy func(*http.Request) (*url.URL, error)
	// Roots are the certificates that are trusted; nil: the system's.
	Roots *x509.CertPool
	// Now and Sleep are the clock; nil: the system's.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// Agent is a user agent: the program, its version, and an address or a name by which its
// authors are found.
func Agent(version, about string) string {
	clean := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < ' ' || r >= 0x7f || r == '(' || r == ')' {
				return -1
			}
			return r
		}, s)
	}
	agent := "docent/" + strings.ReplaceAll(clean(version), " ", "-")
	if about = clean(about); about != "" {
		agent += " (" + about + ")"
	}
	return agent
}

// Client fetches from the web. It can be used by several goroutines.
type Client struct {
	opt       Options
	transport *http.Transport
	hosts     hosts
}

// New makes a client.
func New(opt Options) (*Client, error) {
	unprintable := func(r rune) bool { return r < ' ' || r >= 0x7f }
	if strings.TrimSpace(opt.Agent) == "" || strings.ContainsFunc(opt.Agent, unprintable) {
		return nil, errors.New("a web client needs the name of the program that asks, in printable ASCII")
	}
	setDefaults(&opt)
	c := &Client{opt: opt}
	c.hosts.opt = &c.opt
	proxies := &proxyList{find: opt.Proxy}
	transport := &http.Transport{
		DialContext:            (&dialer{timeout: opt.Connect, policy: opt.Policy, proxies: proxies}).dial,
		TLSClientConfig:        tlsConfig(opt.Roots),
		TLSHandshakeTimeout:    opt.Connect,
		ResponseHeaderTimeout:  opt.Header,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    opt.Connections,
		IdleConnTimeout:        time.Minute,
		DisableCompression:     true, // bodies are unpacked here, with a bound
		ForceAttemptHTTP2:      true,
	}
	if opt.Proxy != nil {
		transport.Proxy = proxies.findProxy
	}
	c.transport = transport
	return c, nil
}

func setDefaults(opt *Options) {
	setDefault(&opt.Connections, DefaultConnections)
	setDefault(&opt.PerSecond, DefaultPerSecond)
	setDefault(&opt.Connect, 10*time.Second)
	setDefault(&opt.Header, 30*time.Second)
	setDefault(&opt.Stall, 30*time.Second)
	setDefault(&opt.Whole, 10*time.Minute)
	setDefault(&opt.Tries, 4)
	setDefault(&opt.LongestWait, 2*time.Minute)
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Sleep == nil {
		opt.Sleep = sleep
	}
}

func setDefault[T comparable](value *T, to T) {
	var zero T
	if *value == zero {
		*value = to
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// Connections is how many requests to one host are sent at the same time.
func (c *Client) Connections() int { return c.opt.Connections }

// Now is the client's time.
func (c *Client) Now() time.Time { return c.opt.Now() }

// SetDelay sets the least time between the beginnings of two requests to the host of an
// address, where that is longer than PerSecond gives.
func (c *Client) SetDelay(address *url.URL, delay time.Duration) {
	c.hosts.paceOfHost(hostPort(address)).setDelay(delay)
}

// Close closes the connections that are kept open.
func (c *Client) Close() { c.transport.CloseIdleConnections() }
