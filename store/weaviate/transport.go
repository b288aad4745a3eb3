package weaviate

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

// transport speaks the engine's REST and GraphQL interfaces. It is safe for concurrent use.
type transport struct {
	at       address.Weaviate
	http     *http.Client
	patience time.Duration
	first    atomic.Int32 // the place of the host that answered last
	dials    atomic.Uint32
	lookup   func(ctx context.Context, host string) (addresses []string, err error)
}

const (
	requestTimeout = time.Minute
	mostAnswer     = 256 << 20 // bytes of one answer
	mostMessage    = 600
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

func newTransport(at address.Weaviate) *transport {
	t := &transport{at: at, patience: patience, lookup: net.DefaultResolver.LookupHost}
	t.http = &http.Client{Timeout: requestTimeout, Transport: &http.Transport{DialContext: t.dial, MaxIdleConnsPerHost: 16,
		IdleConnTimeout: 90 * time.Second, ForceAttemptHTTP2: at.TLS, DisableCompression: true}}
	return t
}

func (t *transport) close() { t.http.CloseIdleConnections() }

// dial connects to a host. Where its name has several addresses, as that of a service has with the address
// of each node, each connection begins with the next one, so that askNextHost and a request that is
// repeated reach another node.
func (t *transport) dial(ctx context.Context, network, hostPort string) (net.Conn, error) {
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

// askNextHost has the next request begin with another host, or with a new connection where there is one host.
func (t *transport) askNextHost() {
	if len(t.at.Hosts) == 1 {
		t.http.CloseIdleConnections()
		return
	}
	t.first.Store((t.first.Load() + 1) % int32(len(t.at.Hosts)))
}

// mostStarted is how often a request is sent again because answers take long: 5, 15 and 35 seconds after its
// begin. The last ones have a minute each.
const mostStarted = 4

// call is a request to any host.
type call struct {
	method, path string
	query        url.Values
	body         []byte
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
	t       *transport
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
	number, host := a.started, (a.begin+a.started)%len(a.t.at.Hosts)
	a.started++
	ctx, end := context.WithCancel(ctx)
	a.flying = append(a.flying, flight{number, end})
	a.all.Go(func() {
		defer end()
		answer, err := a.t.askHost(ctx, a.t.at.Hosts[host], a.r)
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
func (t *transport) askHosts(ctx context.Context, r call) ([]byte, error) {
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
			if a.started < max(mostStarted, len(t.at.Hosts)) {
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
			if !lacksLeader(last) && !lacksReaders(last) { // the host that is away may be why the others cannot yet
				last = one.err
			}
			if e, ok := errors.AsType[*statusError](one.err); ok && e.status < http.StatusInternalServerError {
				return nil, one.err
			}
			switch {
			case a.started < len(t.at.Hosts):
				a.start(asking)
			case len(a.flying) == 0:
				return nil, t.explain(last)
			}
		}
	}
}

func (t *transport) askHost(ctx context.Context, host string, r call) (answer []byte, err error) {
	ctx, done := tracing.Ask(ctx, r.method+" "+route(r.path), "weaviate")
	defer func() { done(err) }()
	asked, err := t.request(ctx, host, r)
	if err != nil {
		return nil, err
	}
	tracing.Carry(ctx, asked.Header)
	resp, err := t.http.Do(asked)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // without the address, which is long
		}
		return nil, t.unreachable(host, err)
	}
	defer resp.Body.Close()
	if answer, err = io.ReadAll(io.LimitReader(resp.Body, mostAnswer)); err != nil {
		return nil, t.unreachable(host, err)
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return nil, &statusError{what: r.method + " " + r.path, status: resp.StatusCode, message: messageOf(answer)}
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

func (t *transport) unreachable(host string, err error) error {
	return &remote.UnreachableError{Store: "the Weaviate " + t.at.String(), Setting: setting,
		Reason: host + " does not answer: " + err.Error(), Err: err}
}

func (t *transport) request(ctx context.Context, host string, r call) (*http.Request, error) {
	scheme := "http"
	if t.at.TLS {
		scheme = "https"
	}
	u := url.URL{Scheme: scheme, Host: host, Path: r.path, RawQuery: r.query.Encode()}
	out, err := http.NewRequestWithContext(ctx, r.method, u.String(), bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	out.Header.Set("Content-Type", "application/json")
	if t.at.Key != "" {
		out.Header.Set("Authorization", "Bearer "+t.at.Key)
	}
	return out, nil
}
