package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
)

// stateAnswer says how the server is.
type stateAnswer struct {
	Status  string `json:"status" enum:"ok,ready"`
	Version string `json:"version"`
	DocSets *int   `json:"doc_sets,omitempty" doc:"that are there"`
}

const (
	readyID     = "ready"
	readyWithin = 3 * time.Second
	readyFor    = time.Second // how long an answer is given again
)

func stateEndpoints() []endpoint {
	return []endpoint{
		{method: http.MethodGet, path: "/health", id: "health", about: "whether the server runs", out: stateAnswer{}, open: true,
			homeless: true,
			serve:    func(c *call) error { return c.writeFound(stateAnswer{Status: "ok", Version: home.Version}) }},
		{method: http.MethodGet, path: "/ready", id: readyID, about: "whether it can answer questions", out: stateAnswer{}, open: true,
			homeless: true, serve: serveReady},
		{method: http.MethodGet, path: "/metrics", id: "metrics", about: "counters and times, for Prometheus", homeless: true,
			serve: serveMetrics},
		{method: http.MethodGet, path: "/openapi.json", id: "description", about: "this description", out: map[string]any{}, open: true,
			homeless: true, serve: func(c *call) error {
				raw, err := c.describe()
				if err != nil {
					return err
				}
				c.sendResponse(http.StatusOK, "application/json", raw)
				return nil
			}},
	}
}

// The reasons in the details of an answer that the server is not ready.
const (
	stopping           = "STOPPING"
	homeClosed         = "HOME_CLOSED"
	homeMissing        = "HOME_MISSING"
	catalogUnreachable = "CATALOG_UNREACHABLE"
	indexUnreachable   = "INDEX_UNREACHABLE"
)

// notReady is an error whose answer names no place, since a probe has no token. The log has the cause.
func notReady(err error, reason, format string, args ...any) error {
	e := refusalOf(http.StatusServiceUnavailable, contract.CodeCollectionUnavailable, format, args...)
	e.err.Details = map[string]any{"reason": reason}
	if err == nil {
		return e
	}
	return fmt.Errorf("%w: %w", e, err)
}

func serveReady(c *call) error {
	if c.stopping.Load() {
		return notReady(nil, stopping, "the server is ending")
	}
	sets, err := c.readiness.askInTurn(c.ctx, c.opt.Now, c.lookAtHome)
	if err != nil {
		return err
	}
	return c.writeFound(stateAnswer{Status: "ready", Version: home.Version, DocSets: &sets})
}

// readiness keeps the last look at the home for a moment, so that any number of probes asks the
// servers of its stores no more than once a second. Looks are made one after the other.
type readiness struct {
	turn chan struct{}
	at   time.Time // when sets and err were right; zero: never
	sets int
	err  error
}

func newReadiness() *readiness { return &readiness{turn: make(chan struct{}, 1)} }

func (r *readiness) askInTurn(ctx context.Context, now func() time.Time, ask func(context.Context) (sets int, err error)) (int, error) {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if !r.at.IsZero() && now().Sub(r.at) < readyFor {
		return r.sets, r.err
	}
	// Others wait for the answer too, so it does not end with the request.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyWithin)
	defer cancel()
	r.sets, r.err = ask(ctx)
	r.at = now()
	return r.sets, r.err
}

// lookAtHome asks what the home needs for answers: the catalog, and the server of the indexes at the
// same time.
func (s *Server) lookAtHome(ctx context.Context) (sets int, err error) {
	h, release, err := s.opt.Home()
	if err != nil {
		return 0, notReady(err, homeClosed, "the home is not open")
	}
	defer release()
	pinged := make(chan error, 1)
	go func() { pinged <- h.Home.PingIndexes(ctx) }()
	list, err := h.Home.Corpus.Sets(ctx)
	gone := err == nil && h.Home.LacksCatalog(ctx)
	indexErr := <-pinged
	switch {
	case err != nil:
		return 0, notReady(err, catalogUnreachable, "the doc sets cannot be listed")
	case gone:
		return 0, notReady(nil, homeMissing, "the home is not there any more")
	case indexErr != nil:
		return 0, notReady(indexErr, indexUnreachable, "the server of the indexes does not answer")
	}
	return len(list), nil
}
