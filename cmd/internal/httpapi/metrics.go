package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"docent/cmd/internal/httpapi/exposition"
	"docent/pipeline"
	"docent/pipeline/contract"
)

// metrics are the server's counters and times. Those that specification 5 names have
// its names, the others begin with docent.
type metrics struct {
	running  atomic.Int64 // requests
	looks    queue        // at the metrics: each reads the catalog
	requests *exposition.Counter
	times    *exposition.Histogram
	phases   *exposition.Histogram
	intents  *exposition.Counter
	found    *exposition.Counter
	asked    *exposition.Histogram
	unasked  *exposition.Counter
}

// timeBuckets are the buckets of times: a search takes milliseconds, a model seconds.
func timeBuckets() []float64 {
	return []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120}
}

// metricsWithin bounds the wait for a turn, and for what the home has.
const metricsWithin = 5 * time.Second

// remoteStatsWithin is the same for a home whose catalog a server has, which may have gone since the
// last look at it.
const remoteStatsWithin = 2 * time.Second

func newMetrics() *metrics {
	return &metrics{
		looks:    queue{slots: make(chan struct{}, 2), most: 8, wait: metricsWithin},
		requests: exposition.NewCounter("docent_http_requests_total", "Requests by path, method and status.", "method", "path", "status"),
		times:    exposition.NewHistogram("docent_http_request_seconds", "Time of requests by path.", timeBuckets(), "path"),
		phases:   exposition.NewHistogram("docent_phase_seconds", "Time of the pipeline's phases.", timeBuckets(), "phase"),
		intents:  exposition.NewCounter("query_intent", "Questions by what they are after.", "intent"),
		found: exposition.NewCounter("docent_questions_total", "Questions by what came of them: answered, unanswered or nothing.",
			"outcome"),
		asked:   exposition.NewHistogram("docent_service_request_seconds", "Time of requests to other servers.", timeBuckets(), "service"),
		unasked: exposition.NewCounter("docent_service_failures_total", "Requests to other servers that failed.", "service"),
	}
}

// CountAsked counts a request to another server: weaviate, postgresql, ollama, openai.
func (s *Server) CountAsked(service string, failed bool, took time.Duration) {
	s.metrics.asked.Observe(took.Seconds(), service)
	if failed {
		s.metrics.unasked.Increment(service)
	}
}

// serveMetrics writes all of them.
func serveMetrics(c *call) error {
	leave, err := c.metrics.looks.enterQueue(c.ctx)
	if err != nil {
		return err
	}
	defer leave()
	w, m := &exposition.Writer{}, c.metrics
	w.Counter(m.requests)
	w.Histogram(m.times)
	w.Histogram(m.phases)
	w.Counter(m.intents)
	w.Counter(m.found)
	w.Histogram(m.asked)
	w.Counter(m.unasked)
	w.WriteGauge("docent_http_requests_running", "Requests that are answered now, those that wait included.", float64(m.running.Load()))
	w.WriteGauge("docent_queue_running", "Questions that are answered now.", float64(c.queue.running()))
	w.WriteGauge("docent_queue_waiting", "Questions that wait for their turn.", float64(c.queue.queuedRequests()))
	w.WriteGauge("docent_uploads_running", "Files that are handed in now.", float64(c.uploads.running()))
	if l := c.connected.Load(); l != nil {
		open, refused := l.countConnections()
		w.WriteGauge("docent_connections", "Connections that there are.", float64(open))
		w.WriteTotal("docent_connections_refused_total", "Connections that were turned away, or displaced before their request was whole.",
			float64(refused))
	}
	w.WriteGauge("docent_body_bytes", "Bytes of requests' bodies that are held now, and of what they take when they are decoded.",
		float64(c.held.Load()))
	if count := c.opt.Reranked; count != nil {
		n, ms := count()
		w.WriteTotal("reranker_invocations_total", "Calls of a model that reranks.", float64(n))
		w.WriteTotal("reranker_latency_ms", "Milliseconds that these calls took together.", ms)
	}
	c.homeMetrics(w)
	w.Process()
	c.sendResponse(http.StatusOK, exposition.ContentType, []byte(w.String()))
	return nil
}

// homeMetrics writes what the home has. A home that cannot be read has no metrics; /ready
// says that it cannot.
func (c *call) homeMetrics(w *exposition.Writer) {
	h, release, err := c.opt.Home()
	if err != nil {
		return
	}
	defer release()
	ctx, cancel := context.WithTimeout(c.ctx, metricsWithin)
	defer cancel()
	for _, t := range h.Care.Totals() {
		w.WriteTotal(t.Name, t.Help, t.Value, t.Labels...)
	}
	servers, alive := h.Care.Servers(ctx)
	for _, t := range servers {
		w.WriteGauge(t.Name, t.Help, t.Value, t.Labels...)
	}
	if !alive {
		return // the rest is in the catalog: a scrape does not wait for it
	}
	if len(servers) > 0 {
		short, done := context.WithTimeout(ctx, remoteStatsWithin)
		defer done()
		ctx = short
	}
	s, err := h.Care.ReadStats(ctx)
	if err != nil {
		c.note.err = err
		return
	}
	sets := func(name, help string, value func(int) (float64, bool)) {
		for i := range s.Sets {
			if x, ok := value(i); ok {
				w.WriteGauge(name, help, x, "doc_set", s.Sets[i].Set)
			}
		}
	}
	sets("docent_doc_set_pages", "Pages of a doc set.", func(i int) (float64, bool) { return float64(s.Sets[i].Pages), true })
	sets("docent_doc_set_chunks", "Passages of a doc set.", func(i int) (float64, bool) { return float64(s.Sets[i].Chunks), true })
	sets("docent_doc_set_bytes", "Bytes of its pages.", func(i int) (float64, bool) { return float64(s.Sets[i].Bytes), true })
	sets("chunks_per_doc", "Passages a page.", func(i int) (float64, bool) { x := s.Sets[i].ChunksPerDoc; return x, x > 0 })
	sets("avg_tokens_per_chunk", "Estimated tokens a passage.",
		func(i int) (float64, bool) { x := s.Sets[i].TokensPerChunk; return x, x > 0 })
	sets("index_lag_ms", "From the last change of a file until it could be found.",
		func(i int) (float64, bool) { return lagSeconds(s.Sets[i].IndexLag) })
	sets("llmc_tech_docs_reindex_lag_ms", "The same of doc sets of documentation.",
		func(i int) (float64, bool) { return lagSeconds(s.Sets[i].ReindexLag) })
	for _, n := range s.Documents {
		w.WriteGauge("docent_documents", "Files that were handed in, by their status.", float64(n.Count), "status", n.Name)
	}
	for _, n := range s.Jobs {
		w.WriteGauge("docent_jobs", "Jobs of these files, by their state.", float64(n.Count), "state", n.Name)
	}
}

func lagSeconds(ms *int64) (float64, bool) {
	if ms == nil {
		return 0, false
	}
	return float64(*ms), true
}

func (m *metrics) countAnswer(path, method string, status int, took time.Duration) {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodDelete:
	default:
		method = "other"
	}
	m.requests.Increment(method, path, strconv.Itoa(status))
	m.times.Observe(took.Seconds(), path)
}

// watchPhases notes the times of phases and hands the events on; next may be nil.
func (m *metrics) watchPhases(next pipeline.Sink) pipeline.Sink {
	return func(e pipeline.Event) {
		if e.Kind == pipeline.PhaseDone {
			m.phases.Observe(e.ElapsedMS/1000, e.Phase)
		}
		if next != nil {
			next(e)
		}
	}
}

// countQuestion counts a question.
func (m *metrics) countQuestion(res pipeline.Result) {
	if r := res.Phases.Route; r != nil && r.Intent != "" {
		m.intents.Increment(intentLabel(r.Intent))
	}
	outcome := "answered"
	switch r := res.Phases.Rerank; {
	case r == nil || len(r.Results) == 0:
		outcome = "nothing"
	case r.Unanswered:
		outcome = "unanswered"
	}
	m.found.Increment(outcome)
}

// intentLabel is an intent's name among specification 5's labels.
func intentLabel(intent string) string {
	if intent == contract.IntentParameter || intent == contract.IntentConfiguration {
		return "api_parameter"
	}
	return intent
}
