package httpapi

import (
	"context"
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
	readyWithin = 5 * time.Second
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

func serveReady(c *call) error {
	if c.stopping.Load() {
		return refusalOf(http.StatusServiceUnavailable, contract.CodeCollectionUnavailable, "the server is ending")
	}
	h, release, err := c.opt.Home()
	if err != nil {
		return contract.Unavailable(err, "the home is not open")
	}
	defer release()
	ctx, cancel := context.WithTimeout(c.ctx, readyWithin)
	defer cancel()
	sets, err := h.Home.Corpus.Sets(ctx)
	if err != nil {
		return contract.Unavailable(err, "the doc sets cannot be listed")
	}
	if h.Home.Gone(ctx) {
		return contract.Unavailable(nil, "the home is not there any more")
	}
	n := len(sets)
	return c.writeFound(stateAnswer{Status: "ready", Version: home.Version, DocSets: &n})
}
