// Package transport sends requests to a Weaviate: to the next host where one does not answer, and again where its
// nodes lack a leader or each other for a moment.
//
// It refuses to know the objects.
package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"docent/store/address"
	"docent/store/remote"
	"docent/store/tracing"
)

// Transport speaks the engine's REST, GraphQL and gRPC interfaces. It is safe for concurrent use.
type Transport struct {
	At       address.Weaviate
	http     *http.Client
	grpc     atomic.Pointer[http.Client] // nil without addresses
	patience time.Duration
	first    atomic.Int32 // the place of the host that answered last
	dials    atomic.Uint32
	lookup   func(ctx context.Context, host string) (addresses []string, err error)
}

const (
	RequestTimeout = time.Minute
	mostAnswer     = 256 << 20 // bytes of one answer
	mostMessage    = 600
	idleTimeout    = 90 * time.Second // of a connection
)

// patience is how long a request waits for its answer before it is sent to the next host too. A node passes
// requests about collections and tenants on to the leader of the cluster. Version 1.35.2 marks these calls
// waitForReady: one that is made between the death of the leader and the choice of another one waits for the
// dead leader without an end, while the same request is answered at once when it comes again after the
// choice. Nodes that stand still answer nothing either. The later attempts begin after two and four times
// this time, so that an answer that is slow because the machine is busy still comes.
const patience = 5 * time.Second

// mostAttempts is how often one request is under way at the same time: more would burden busy nodes. The first
// one is given up for a third.
const mostAttempts = 2

// New gives the transport to the hosts of an address. Nothing is asked yet.
func New(at address.Weaviate) *Transport {
	t := &Transport{At: at, patience: patience, lookup: net.DefaultResolver.LookupHost}
	t.http = &http.Client{Timeout: RequestTimeout, Transport: &http.Transport{DialContext: t.dial, MaxIdleConnsPerHost: 16,
		IdleConnTimeout: idleTimeout, ForceAttemptHTTP2: at.TLS, DisableCompression: true}}
	if len(at.GRPC) > 0 {
		t.grpc.Store(t.newRemote())
	}
	return t
}

// Close closes the connections that no request uses.
func (t *Transport) Close() {
	t.http.CloseIdleConnections()
	if by := t.grpc.Load(); by != nil {
		by.CloseIdleConnections()
	}
}

// dial connects to a host. Where its name has several addresses, as that of a service has with the address
// of each node, each connection begins with the next one, so that AskNextHost and a request that is
// repeated reach another node.
func (t *Transport) dial(ctx context.Context, network, hostPort string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, err
	}
	all, err := t.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	begin := int(t.dials.Add(1) - 1)
	var failed error
	for i := range all {
		conn, err := d.DialContext(ctx, network, net.JoinHostPort(all[(begin+i)%len(all)], port))
		if err == nil {
			return conn, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

// AskNextHost has the next request begin with another host, or with a new connection where there is one host.
func (t *Transport) AskNextHost() {
	if len(t.At.Hosts) == 1 {
		t.http.CloseIdleConnections()
		if t.HasRemote() {
			t.useRemote(t.newRemote()) // other calls may use the connection
		}
		return
	}
	t.first.Store((t.first.Load() + 1) % int32(len(t.At.Hosts)))
}

// mostStarted is how often a request is sent again because answers take long: 5, 15 and 35 seconds after its
// begin. The last ones have a minute each.
const mostStarted = 4

// call is a request to any host.
type call struct {
	method, path string
	query        url.Values
	body         []byte
	remote       bool // a procedure of the gRPC interface
	again        bool // to a host that was asked already
}

// description names the request in an error.
func (r call) description() string {
	if r.remote {
		return r.path
	}
	return r.method + " " + r.path
}

// attempt is a request to one host that ended.
type attempt struct {
	number int // from 0
	host   int
	answer []byte
	err    error
}

// attempts are those of one request, in the order of the hosts.
type attempts struct {
	t       *Transport
	r       call
	begin   int // the place of the first host
	started int
	flying  []flight
	ended   chan attempt
	all     sync.WaitGroup
}

// flight is an attempt that is under way.
type flight struct {
	number int
	end    context.CancelFunc
}

// start begins an attempt, and gives up the oldest one where there are too many.
func (a *attempts) start(ctx context.Context) {
	if len(a.flying) == mostAttempts {
		a.flying[0].end()
		a.flying = a.flying[1:]
	}
	number, host := a.started, (a.begin+a.started)%len(a.t.At.Hosts)
	a.started++
	ctx, end := context.WithCancel(ctx)
	a.flying = append(a.flying, flight{number, end})
	a.all.Go(func() {
		defer end()
		r := a.r
		r.again = number >= len(a.t.At.Hosts)
		answer, err := a.t.askHost(ctx, host, r)
		select {
		case a.ended <- attempt{number, host, answer, err}:
		case <-ctx.Done():
		}
	})
}

// takeEnded takes an attempt from those under way. It reports whether it was one: one that was given up is not.
func (a *attempts) takeEnded(number int) bool {
	at := slices.IndexFunc(a.flying, func(f flight) bool { return f.number == number })
	if at >= 0 {
		a.flying = slices.Delete(a.flying, at, at+1)
	}
	return at >= 0
}

// askHosts asks one host after the other until one answers. One that takes long is not given up: the next
// one is asked too, and the first answer counts.
func (t *Transport) askHosts(ctx context.Context, r call) ([]byte, error) {
	asking, end := context.WithCancel(ctx)
	a := &attempts{t: t, r: r, begin: int(t.first.Load()), ended: make(chan attempt)}
	defer a.all.Wait()
	defer end()
	pause := t.patience
	slow := time.NewTimer(pause)
	defer slow.Stop()
	a.start(asking)
	var last error
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-slow.C:
			if a.started < max(mostStarted, len(t.At.Hosts)) {
				a.start(asking)
			}
			pause *= 2
			slow.Reset(pause)
		case one := <-a.ended:
			switch {
			case one.err == nil:
				t.first.Store(int32(one.host))
				return one.answer, nil
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case !a.takeEnded(one.number):
				continue
			}
			if !LacksLeader(last) && !LacksReaders(last) { // the host that is away may be why the others cannot yet
				last = one.err
			}
			if e, ok := errors.AsType[*StatusError](one.err); ok && e.Status < http.StatusInternalServerError {
				return nil, one.err
			}
			switch {
			case a.started < len(t.At.Hosts):
				a.start(asking)
			case len(a.flying) == 0:
				return nil, t.Explain(last)
			}
		}
	}
}

// askHost sends a request to the host at a place of the address.
func (t *Transport) askHost(ctx context.Context, place int, r call) (answer []byte, err error) {
	ctx, done := tracing.Ask(ctx, r.method+" "+route(r.path), "weaviate")
	defer func() { done(err) }()
	host, by := t.At.Hosts[place], t.http
	if r.remote {
		host, by = t.At.GRPC[place], t.grpc.Load()
	}
	if r.remote && r.again {
		by = t.newRemote()
		defer func() { t.keepRemote(by, err == nil) }()
	}
	asked, err := t.request(ctx, host, r)
	if err != nil {
		return nil, err
	}
	tracing.Carry(ctx, asked.Header)
	resp, err := by.Do(asked)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // without the address, which is long
		}
		return nil, t.unreachable(host, r, err)
	}
	defer resp.Body.Close()
	if answer, err = io.ReadAll(io.LimitReader(resp.Body, mostAnswer)); err != nil {
		return nil, t.unreachable(host, r, err)
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return nil, &StatusError{What: r.description(), Status: resp.StatusCode, Message: messageOf(answer)}
	}
	if r.remote {
		return reply(r, resp, answer)
	}
	return answer, nil
}

// route is a path without the names of collections and objects that follow its kind.
func route(path string) string {
	const parts = 4 // "", v1, the kind, what follows
	if list := strings.SplitN(path, "/", parts); len(list) == parts && list[1] != ".well-known" {
		return strings.Join(list[:parts-1], "/")
	}
	return path
}

func (t *Transport) unreachable(host string, r call, err error) error {
	of := host
	if r.remote {
		of = "the gRPC interface at " + host // grpc= in the address names it
	}
	return &remote.UnreachableError{Store: "the Weaviate " + t.At.String(), Setting: Setting,
		Reason: of + " does not answer: " + err.Error(), Err: err}
}

func (t *Transport) request(ctx context.Context, host string, r call) (*http.Request, error) {
	scheme := "http"
	if t.At.TLS {
		scheme = "https"
	}
	u := url.URL{Scheme: scheme, Host: host, Path: r.path, RawQuery: r.query.Encode()}
	out, err := http.NewRequestWithContext(ctx, r.method, u.String(), bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	out.Header.Set("Content-Type", "application/json")
	if r.remote {
		out.Header.Set("Content-Type", "application/grpc")
		out.Header.Set("TE", "trailers")
	}
	if t.At.Key != "" {
		out.Header.Set("Authorization", "Bearer "+t.At.Key)
	}
	return out, nil
}
