package weaviate

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Health is the state of the server or cluster.
type Health struct {
	Version string
	Nodes   []Node
	// Replicas is how many nodes keep each doc set; 0 before the collections are made.
	Replicas int
	// Skew is how far the server's clock is ahead of this machine's, to the second.
	Skew time.Duration
}

// Node is a node of a cluster. Status is HEALTHY where nothing is wrong.
type Node struct {
	Name, Status, Version string
}

// Healthy counts the nodes without a fault.
func (h Health) Healthy() (n int) {
	for _, node := range h.Nodes {
		if node.Status == "HEALTHY" {
			n++
		}
	}
	return n
}

// Health asks for the state of the server.
func (x Indexes) Health(ctx context.Context) (Health, error) {
	var h Health
	var meta struct{ Version string }
	if err := x.c.do(ctx, http.MethodGet, "/v1/meta", nil, nil, &meta); err != nil {
		return h, err
	}
	h.Version = meta.Version
	var nodes struct{ Nodes []Node }
	if err := x.c.do(ctx, http.MethodGet, "/v1/nodes", nil, nil, &nodes); err != nil {
		return h, err
	}
	h.Nodes = nodes.Nodes
	var class struct{ ReplicationConfig struct{ Factor int } }
	err := x.c.do(ctx, http.MethodGet, "/v1/schema/"+x.c.wordsName(), nil, nil, &class)
	if err != nil && !isMissing(err) {
		return h, err
	}
	h.Replicas = class.ReplicationConfig.Factor
	h.Skew, err = x.c.skew(ctx)
	return h, err
}

// Ping asks whether a host answers and lets this program in. All are asked at once, so that one that is
// away does not use up the time of ctx.
func (x Indexes) Ping(ctx context.Context) error {
	ctx, done := context.WithCancel(ctx)
	errs := make([]error, len(x.c.at.Hosts))
	var asked sync.WaitGroup
	var answered atomic.Bool
	for i, host := range x.c.at.Hosts {
		asked.Go(func() {
			if errs[i] = x.c.askHost(ctx, host, http.MethodGet, "/v1/meta", nil, nil, nil); errs[i] == nil {
				answered.Store(true)
				done()
			}
		})
	}
	asked.Wait()
	done()
	if answered.Load() {
		return nil
	}
	return errors.Join(errs...)
}

// skew compares the server's clock with this machine's.
func (t *transport) skew(ctx context.Context) (time.Duration, error) {
	before := time.Now()
	at, err := t.date(ctx)
	if err != nil || at.IsZero() {
		return 0, err
	}
	// The header has whole seconds, and the answer took a while.
	after := time.Now()
	switch {
	case at.Add(time.Second).Before(before):
		return at.Sub(before).Round(time.Second), nil
	case at.After(after):
		return at.Sub(after).Round(time.Second), nil
	}
	return 0, nil
}

func (t *transport) date(ctx context.Context) (time.Time, error) {
	r, err := t.request(ctx, t.at.Hosts[t.first.Load()], http.MethodGet, "/v1/.well-known/ready", nil, nil)
	if err != nil {
		return time.Time{}, err
	}
	resp, err := t.http.Do(r)
	if err != nil {
		return time.Time{}, err
	}
	at, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil { // a proxy may leave it out
		at = time.Time{}
	}
	return at, resp.Body.Close()
}

// The oldest version that works, and the first whose ranking is right without a setting.
const (
	OldestVersion = "1.35"
	FirstRight    = "1.38.5"
)

// IsOlder reports whether a version comes before another one, both of numbers with dots.
func IsOlder(version, than string) bool {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range b {
		if i >= len(a) {
			return true
		}
		x, xerr := strconv.Atoi(a[i])
		y, yerr := strconv.Atoi(b[i])
		if xerr != nil || yerr != nil {
			return false
		}
		if x != y {
			return x < y
		}
	}
	return false
}
