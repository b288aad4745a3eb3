package clustered

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"docent/pipeline/service/care"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/networked"
)

const (
	// gaugedFor is how long the figures of the servers are used again.
	gaugedFor = 10 * time.Second
	// gaugeWithin bounds the wait for a server: one that takes longer counts as away.
	gaugeWithin = time.Second
)

// mostGauged bounds the doc sets whose indexes are asked for, each by a request, gaugeAtOnce at a time.
const (
	mostGauged  = 200
	gaugeAtOnce = 8
)

// mostCompared bounds the doc sets that the copies of an index are compared by, each by a request to every
// node.
const mostCompared = 16

// Gauges are figures of the servers that have the stores of a home: whether they answer, and how they
// are. They are asked at most once in ten seconds, and for one second at most. A request that comes while
// they are asked gets the figures before.
type Gauges struct {
	home  *home.Home
	turn  sync.Mutex
	mu    sync.Mutex // of the rest
	at    time.Time  // when they were asked
	last  []care.Total
	alive bool
}

// GaugesOf are the figures of the servers of a home; nil where its folder has all stores.
func GaugesOf(h *home.Home) *Gauges {
	if _, remote := h.Indexes.(Indexes); !remote {
		return nil
	}
	return &Gauges{home: h, alive: true}
}

// Read gives the figures, and whether the catalog answers.
func (g *Gauges) Read(ctx context.Context) (figures []care.Total, alive bool) {
	if g.turn.TryLock() {
		defer g.turn.Unlock()
		g.mu.Lock()
		old := time.Since(g.at) >= gaugedFor
		g.mu.Unlock()
		if old {
			figures, alive := g.askServers(ctx)
			g.mu.Lock()
			g.at, g.last, g.alive = time.Now(), figures, alive
			g.mu.Unlock()
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.last, g.alive
}

// askServers asks both servers at the same time.
func (g *Gauges) askServers(ctx context.Context) (figures []care.Total, alive bool) {
	// Others get the answer too, so it does not end with the request.
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), gaugeWithin)
	defer done()
	var index []care.Total
	var copies []string
	var asked sync.WaitGroup
	asked.Go(func() { index, copies = g.askIndex(ctx) })
	catalog, newest, alive := g.askCatalog(ctx)
	asked.Wait()
	figures = append(append(index, catalog...), g.askLags(ctx, newest, copies)...)
	// Figures of one name follow each other.
	slices.SortStableFunc(figures, func(a, b care.Total) int { return strings.Compare(a.Name, b.Name) })
	return figures, alive
}

func gauge(name, help string, value float64, labels ...string) care.Total {
	return care.Total{Name: name, Help: help, Value: value, Labels: labels}
}

// oneIf is 1 if a condition holds, and 0 otherwise.
func oneIf(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

func upGauge(engine string, err error) care.Total {
	return gauge("docent_engine_up", "Whether a server that has stores of the home answers within a second.", oneIf(err == nil),
		"engine", engine)
}

// askIndex gives the nodes that keep all doc sets too.
func (g *Gauges) askIndex(ctx context.Context) (out []care.Total, copies []string) {
	x, _ := g.home.Indexes.(Indexes)
	h, err := x.Health(ctx)
	out = []care.Total{upGauge("weaviate", err)}
	if err != nil {
		return out, nil
	}
	out = append(out, gauge("docent_weaviate_info", "The version of the Weaviate.", 1, "version", h.Version))
	closed := 0
	for _, n := range h.Nodes {
		closed += len(n.ReadOnly())
		out = append(out, gauge("docent_weaviate_node_up", "Whether a node is healthy, by its state.", oneIf(n.Status == networked.Healthy),
			"node", n.Name, "state", n.Status))
		if n.Status == networked.Healthy && h.Replicas == len(h.Nodes) {
			copies = append(copies, n.Name)
		}
	}
	return append(out,
		gauge("docent_weaviate_nodes", "Nodes that the cluster knows.", float64(len(h.Nodes))),
		gauge("docent_weaviate_copies", "Nodes that keep each doc set.", float64(h.Replicas)),
		gauge("docent_weaviate_closed_shards", "Shards that take no changes, as after a full disk.", float64(closed)),
		gauge("docent_weaviate_clock_seconds", "How far its clock is ahead of this machine's.", h.Skew.Seconds())), copies
}

// askLags compares what the copies of the indexes have of the doc sets that were updated last.
func (g *Gauges) askLags(ctx context.Context, newest []int64, copies []string) (out []care.Total) {
	if len(copies) < 2 || len(newest) == 0 {
		return nil
	}
	x, _ := g.home.Indexes.(Indexes)
	lags, err := x.Lags(ctx, newest, copies)
	if err != nil {
		return nil
	}
	for _, node := range slices.Sorted(maps.Keys(lags)) {
		out = append(out, gauge("docent_weaviate_lag_seconds", "For how long a node has not had the last update of a doc set.",
			lags[node].Seconds(), "node", node))
	}
	return out
}

// askCatalog gives the doc sets whose indexes were written last too.
func (g *Gauges) askCatalog(ctx context.Context) (figures []care.Total, newest []int64, alive bool) {
	s, ok := g.home.Stores.(stores)
	if !ok {
		return nil, nil, true
	}
	l, err := s.db.Load(ctx)
	out := []care.Total{upGauge("postgresql", err)}
	if err != nil {
		return out, nil, false
	}
	out = append(out,
		gauge("docent_postgresql_connections", "Connections of all programs to the database.", float64(l.Connections)),
		gauge("docent_postgresql_connections_most", "Connections that the server takes.", float64(l.MostConnections)),
		gauge("docent_postgresql_read_only", "Whether the database takes no changes.", oneIf(l.ReadOnly)),
		gauge("docent_postgresql_pool_in_use", "Connections of this process that are in use.", float64(l.InUse)),
		gauge("docent_postgresql_pool_waits", "How often this process waited for one of its connections.", float64(l.Waits)))
	if l.Lag != nil {
		out = append(out, gauge("docent_postgresql_lag_seconds",
			"How far the slowest copy of the database is behind, or this server behind the one that it follows.", l.Lag.Seconds()))
	}
	compared, newest := g.compare(ctx)
	return append(out, compared...), newest, true
}

// compare counts the doc sets that have pages in the catalog and no index, and gives those whose indexes
// were written last.
func (g *Gauges) compare(ctx context.Context) (out []care.Total, newest []int64) {
	sets, err := g.home.Corpus.Sets(ctx)
	if err != nil || len(sets) > mostGauged {
		return nil, nil
	}
	x, _ := g.home.Indexes.(Indexes)
	written := make([]time.Time, len(sets))
	var lack, unknown, next atomic.Int64
	var asked sync.WaitGroup
	for range min(gaugeAtOnce, len(sets)) {
		asked.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(sets)); i = next.Add(1) - 1 {
				if sets[i].Documents == 0 {
					continue
				}
				var err error
				switch written[i], err = x.Written(ctx, sets[i].ID); {
				case errors.Is(err, fs.ErrNotExist):
					lack.Add(1)
				case err != nil:
					unknown.Add(1)
				}
			}
		})
	}
	asked.Wait()
	if unknown.Load() > 0 {
		return nil, nil
	}
	return []care.Total{gauge("docent_doc_sets_without_index", "Doc sets that have pages in the catalog and no index.",
		float64(lack.Load()))}, lastWritten(sets, written)
}

// lastWritten are the numbers of the doc sets that were written last, up to mostCompared.
func lastWritten(sets []store.Set, written []time.Time) (ids []int64) {
	order := make([]int, 0, len(sets))
	for i, at := range written {
		if !at.IsZero() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return written[b].Compare(written[a]) })
	for _, i := range order[:min(len(order), mostCompared)] {
		ids = append(ids, sets[i].ID)
	}
	return ids
}
