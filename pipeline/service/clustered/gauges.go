package clustered

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"docent/pipeline/service/care"
	"docent/pipeline/service/home"
	"docent/store/networked"
	"docent/store/parallel"
)

const (
	// gaugedFor is how long figures of the servers are given again.
	gaugedFor = 10 * time.Second
	// gaugeWithin bounds the wait for a server: one that takes longer counts as away.
	gaugeWithin = time.Second
)

// mostGauged bounds the doc sets whose indexes are asked for, each by a request.
const mostGauged = 200

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
			figures, alive := g.ask(ctx)
			g.mu.Lock()
			g.at, g.last, g.alive = time.Now(), figures, alive
			g.mu.Unlock()
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.last, g.alive
}

// ask asks both servers at the same time.
func (g *Gauges) ask(ctx context.Context) (figures []care.Total, alive bool) {
	// Others get the answer too, so it does not end with the request.
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), gaugeWithin)
	defer done()
	var index []care.Total
	var asked sync.WaitGroup
	asked.Go(func() { index = g.askIndex(ctx) })
	catalog, alive := g.askCatalog(ctx)
	asked.Wait()
	figures = append(index, catalog...)
	// Figures of one name follow each other.
	slices.SortStableFunc(figures, func(a, b care.Total) int { return strings.Compare(a.Name, b.Name) })
	return figures, alive
}

func upGauge(engine string, err error) care.Total {
	up := 1.0
	if err != nil {
		up = 0
	}
	return care.Total{Name: "docent_engine_up", Help: "Whether a server that has stores of the home answers within a second.", Value: up,
		Labels: []string{"engine", engine}}
}

func (g *Gauges) askIndex(ctx context.Context) []care.Total {
	x, _ := g.home.Indexes.(Indexes)
	h, err := x.Health(ctx)
	out := []care.Total{upGauge("weaviate", err)}
	if err != nil {
		return out
	}
	out = append(out, care.Total{Name: "docent_weaviate_info", Help: "The version of the Weaviate.", Value: 1,
		Labels: []string{"version", h.Version}})
	closed := 0
	for _, n := range h.Nodes {
		up := 0.0
		if n.Status == networked.Healthy {
			up = 1
		}
		closed += len(n.ReadOnly())
		out = append(out, care.Total{Name: "docent_weaviate_node_up", Help: "Whether a node is healthy, by its state.", Value: up,
			Labels: []string{"node", n.Name, "state", n.Status}})
	}
	return append(out,
		care.Total{Name: "docent_weaviate_nodes", Help: "Nodes that the cluster knows.", Value: float64(len(h.Nodes))},
		care.Total{Name: "docent_weaviate_copies", Help: "Nodes that keep each doc set.", Value: float64(h.Replicas)},
		care.Total{Name: "docent_weaviate_closed_shards", Help: "Shards that take no changes, as after a full disk.", Value: float64(closed)},
		care.Total{Name: "docent_weaviate_clock_seconds", Help: "How far its clock is ahead of this machine's.", Value: h.Skew.Seconds()})
}

func (g *Gauges) askCatalog(ctx context.Context) (figures []care.Total, alive bool) {
	s, ok := g.home.Stores.(stores)
	if !ok {
		return nil, true
	}
	l, err := s.db.Load(ctx)
	out := []care.Total{upGauge("postgresql", err)}
	if err != nil {
		return out, false
	}
	readOnly := 0.0
	if l.ReadOnly {
		readOnly = 1
	}
	out = append(out,
		care.Total{Name: "docent_postgresql_connections", Help: "Connections of all programs to the database.", Value: float64(l.Connections)},
		care.Total{Name: "docent_postgresql_connections_most", Help: "Connections that the server takes.", Value: float64(l.MostConnections)},
		care.Total{Name: "docent_postgresql_read_only", Help: "Whether the database takes no changes.", Value: readOnly},
		care.Total{Name: "docent_postgresql_pool_in_use", Help: "Connections of this process that are in use.", Value: float64(l.InUse)},
		care.Total{Name: "docent_postgresql_pool_waits", Help: "How often this process waited for one of its connections.",
			Value: float64(l.Waits)})
	if l.Lag != nil {
		out = append(out, care.Total{Name: "docent_postgresql_lag_seconds",
			Help: "How far the slowest copy of the database is behind, or this server behind the one that it follows.", Value: l.Lag.Seconds()})
	}
	return append(out, g.compare(ctx)...), true
}

// compare counts the doc sets that have pages in the catalog and no index.
func (g *Gauges) compare(ctx context.Context) []care.Total {
	sets, err := g.home.Corpus.Sets(ctx)
	if err != nil {
		return nil
	}
	if len(sets) > mostGauged {
		return nil
	}
	x, _ := g.home.Indexes.(Indexes)
	var lack, unknown atomic.Int64
	parallel.Do(len(sets), func(mine iter.Seq[int]) {
		for i := range mine {
			if sets[i].Documents == 0 {
				continue
			}
			switch _, err := x.Written(ctx, sets[i].ID); {
			case errors.Is(err, fs.ErrNotExist):
				lack.Add(1)
			case err != nil:
				unknown.Add(1)
			}
		}
	})
	if unknown.Load() > 0 {
		return nil
	}
	return []care.Total{{Name: "docent_doc_sets_without_index", Help: "Doc sets that have pages in the catalog and no index.",
		Value: float64(lack.Load())}}
}
