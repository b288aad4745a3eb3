package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"docent/pipeline"
	"docent/pipeline/contract"
)

// metrics are the server's counters and times. Those that specification 5 names have
// its names, the others begin with docent.
type metrics struct {
	handler  http.Handler
	running  atomic.Int64 // requests
	requests *prometheus.CounterVec
	times    *prometheus.HistogramVec
	phases   *prometheus.HistogramVec
	intents  *prometheus.CounterVec
	found    *prometheus.CounterVec
}

// seconds are the buckets of times: a search takes milliseconds, a model seconds.
func seconds() []float64 {
	return []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120}
}

func newMetrics(s *Server) *metrics {
	r := prometheus.NewRegistry()
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "docent_http_requests_total", Help: "Requests by path, method and status."}, []string{"path", "method", "status"}),
		times:    prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "docent_http_request_seconds", Help: "Time of requests by path.", Buckets: seconds()}, []string{"path"}),
		phases:   prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "docent_phase_seconds", Help: "Time of the pipeline's phases.", Buckets: seconds()}, []string{"phase"}),
		intents:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "query_intent", Help: "Questions by what they are after."}, []string{"intent"}),
		found:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "docent_questions_total", Help: "Questions by what came of them: answered, unanswered or nothing."}, []string{"outcome"}),
	}
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	r.MustRegister(m.requests, m.times, m.phases, m.intents, m.found, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		gauge("docent_http_requests_running", "Requests that are answered now, those that wait included.", func() float64 { return float64(m.running.Load()) }),
		gauge("docent_queue_running", "Questions that are answered now.", func() float64 { return float64(s.queue.running()) }),
		gauge("docent_queue_waiting", "Questions that wait for their turn.", func() float64 { return float64(s.queue.queued()) }),
		gauge("docent_body_bytes", "Bytes of requests' bodies that are held now.", func() float64 { return float64(s.held.Load()) }),
		&homeCollector{s: s})
	if count := s.opt.Reranked; count != nil {
		counter := func(name, help string, value func() float64) prometheus.Collector {
			return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value)
		}
		r.MustRegister(counter("reranker_invocations_total", "Calls of a model that reranks.", func() float64 { n, _ := count(); return float64(n) }),
			counter("reranker_latency_ms", "Milliseconds that these calls took together.", func() float64 { _, ms := count(); return ms }))
	}
	m.handler = promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: 2, Timeout: readyWithin})
	return m
}

func serveMetrics(c *call) error {
	c.deadline()
	c.metrics.handler.ServeHTTP(c.w, c.r)
	return nil
}

func (m *metrics) answered(path, method string, status int, took time.Duration) {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodDelete:
	default:
		method = "other"
	}
	m.requests.WithLabelValues(path, method, strconv.Itoa(status)).Inc()
	m.times.WithLabelValues(path).Observe(took.Seconds())
}

// watched notes the times of phases and hands the events on; next may be nil.
func (m *metrics) watched(next pipeline.Sink) pipeline.Sink {
	return func(e pipeline.Event) {
		if e.Kind == pipeline.PhaseDone {
			m.phases.WithLabelValues(e.Phase).Observe(e.ElapsedMS / 1000)
		}
		if next != nil {
			next(e)
		}
	}
}

// asked counts a question.
func (m *metrics) asked(res pipeline.Result) {
	if r := res.Phases.Route; r != nil && r.Intent != "" {
		m.intents.WithLabelValues(intentLabel(r.Intent)).Inc()
	}
	outcome := "answered"
	switch r := res.Phases.Rerank; {
	case r == nil || len(r.Results) == 0:
		outcome = "nothing"
	case r.Unanswered:
		outcome = "unanswered"
	}
	m.found.WithLabelValues(outcome).Inc()
}

// intentLabel is an intent's name among specification 5's labels.
func intentLabel(intent string) string {
	if intent == contract.IntentParameter || intent == contract.IntentConfiguration {
		return "api_parameter"
	}
	return intent
}

// homeCollector tells of the doc sets when somebody asks.
type homeCollector struct{ s *Server }

func setGauge(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, []string{"doc_set"}, nil)
}

// Describe is prometheus.Collector's: the doc sets are not known before.
func (*homeCollector) Describe(chan<- *prometheus.Desc) {}

// Collect is prometheus.Collector's. A home that cannot be read has no metrics; /ready
// says that it cannot.
func (h *homeCollector) Collect(out chan<- prometheus.Metric) {
	home, release, err := h.s.opt.Home()
	if err != nil {
		return
	}
	defer release()
	ctx, cancel := context.WithTimeout(context.Background(), readyWithin)
	defer cancel()
	sets, err := home.Corpus.Sets(ctx)
	if err != nil {
		return
	}
	gauge := func(name, help, set string, value float64) {
		out <- prometheus.MustNewConstMetric(setGauge(name, help), prometheus.GaugeValue, value, set)
	}
	for _, s := range sets {
		name := s.Ref.String()
		gauge("docent_doc_set_pages", "Pages of a doc set.", name, float64(s.Documents))
		gauge("docent_doc_set_chunks", "Passages of a doc set.", name, float64(s.Chunks))
		gauge("docent_doc_set_bytes", "Bytes of its pages.", name, float64(s.Bytes))
		if s.Documents > 0 {
			gauge("chunks_per_doc", "Passages a page.", name, float64(s.Chunks)/float64(s.Documents))
		}
		if lag := home.Lag(s); lag != nil {
			gauge("index_lag_ms", "From the last change of a file until it could be found.", name, float64(*lag))
		}
	}
}
