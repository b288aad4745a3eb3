package transport

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"docent/store/parallel"
)

// LargestSkew is the largest difference of this machine's clock and that of a host, all of which are asked at once. A host
// that does not answer has none: the nodes of the cluster tell of it.
func (t *Transport) LargestSkew(ctx context.Context) (largest time.Duration, of string) {
	skews := make([]time.Duration, len(t.At.Hosts))
	parallel.Ask(len(skews), func(i int) {
		ctx, done := context.WithTimeout(ctx, t.patience)
		defer done()
		skews[i] = t.skewOf(ctx, t.At.Hosts[i])
	})
	for i, skew := range skews {
		if skew.Abs() > largest.Abs() {
			largest, of = skew, t.At.Hosts[i]
		}
	}
	return largest, of
}

// skewOf compares a host's clock with this machine's; 0 for a host that does not answer.
func (t *Transport) skewOf(ctx context.Context, host string) time.Duration {
	before := time.Now()
	at, err := t.askDate(ctx, host)
	after := time.Now() // the answer took a while, and the header has whole seconds
	switch {
	case err != nil || at.IsZero():
		return 0
	case at.Add(time.Second).Before(before):
		return at.Sub(before).Round(time.Second)
	case at.After(after):
		return at.Sub(after).Round(time.Second)
	}
	return 0
}

func (t *Transport) askDate(ctx context.Context, host string) (time.Time, error) {
	r, err := t.request(ctx, host, call{method: http.MethodGet, path: "/v1/.well-known/ready"})
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

// CheckRemote asks the gRPC interface of each host whether it works. Without addresses of it there is nothing to ask.
func (t *Transport) CheckRemote(ctx context.Context) error {
	if !t.HasRemote() {
		return nil
	}
	errs := make([]error, len(t.At.GRPC))
	parallel.Ask(len(errs), func(i int) {
		ctx, done := context.WithTimeout(ctx, t.patience)
		defer done()
		_, errs[i] = t.askHost(ctx, i, remoteCall(healthCheck, nil))
	})
	return errors.Join(errs...)
}

// Ping asks whether a host answers and lets this program in. All are asked at once, so that one that is
// away does not use up the time of ctx.
func (t *Transport) Ping(ctx context.Context) error {
	ctx, done := context.WithCancel(ctx)
	errs := make([]error, len(t.At.Hosts))
	var asked sync.WaitGroup
	var answered atomic.Bool
	for i := range t.At.Hosts {
		asked.Go(func() {
			_, errs[i] = t.askHost(ctx, i, call{method: http.MethodGet, path: "/v1/meta"})
			if errs[i] == nil && t.HasRemote() {
				_, errs[i] = t.askHost(ctx, i, remoteCall(healthCheck, nil))
			}
			if errs[i] == nil {
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
