// Package exposition counts, and writes the counters in the text format that Prometheus
// reads (version 0.0.4).
//
// The format is a line a value. The package refuses to know the meaning of its counters.
//
// Rejected: Prometheus' own client, which costs every start of the program 0.6 ms and the
// binary 3 MB, for its protocol buffers most of all. And VictoriaMetrics/metrics (MIT,
// tried at v1.44.0), which costs little but cannot write this page: its HELP lines have no
// text ("# HELP name"), they and TYPE lines come by a switch for the whole process, which
// is off at first, and labels are written by the caller into the name, so escaping and
// order would stay here.
package exposition

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ContentType is that of the format.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// The types of metrics.
const (
	counterType   = "counter"
	gaugeType     = "gauge"
	histogramType = "histogram"
)

// Counter counts by labels. It is safe for concurrent use.
type Counter struct {
	name, help string
	labels     []string

	mu     sync.Mutex
	values map[string]float64 // by the labels as they are written
}

// NewCounter makes a counter.
func NewCounter(name, help string, labels ...string) *Counter {
	return &Counter{name: name, help: help, labels: labels, values: map[string]float64{}}
}

// Increment counts one more; values are those of the labels.
func (c *Counter) Increment(values ...string) {
	key := formatLabels(c.labels, values)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values[key]++
}

// Histogram counts times by labels in buckets. It is safe for concurrent use.
type Histogram struct {
	name, help string
	bounds     []float64 // upper ones, ascending
	labels     []string

	mu   sync.Mutex
	rows map[string]*row // by the labels as they are written
}

type row struct {
	within []uint64 // of each bucket alone, and last of the values beyond all
	sum    float64
}

// NewHistogram makes a histogram.
func NewHistogram(name, help string, bounds []float64, labels ...string) *Histogram {
	return &Histogram{name: name, help: help, bounds: bounds, labels: labels, rows: map[string]*row{}}
}

// Observe counts a value; values are those of the labels.
func (h *Histogram) Observe(x float64, values ...string) {
	key := formatLabels(h.labels, values)
	i, _ := slices.BinarySearch(h.bounds, x)
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rows[key]
	if r == nil {
		r = &row{within: make([]uint64, len(h.bounds)+1)}
		h.rows[key] = r
	}
	r.within[i]++
	r.sum += x
}

// Writer collects a page of metrics. The zero Writer is ready.
type Writer struct {
	b    strings.Builder
	last string // the metric that was described last
}

// String is the page.
func (w *Writer) String() string { return w.b.String() }

// WriteGauge writes a value that goes up and down. Labels and values alternate. Values of one
// name follow each other.
func (w *Writer) WriteGauge(name, help string, value float64, labels ...string) {
	w.value(gaugeType, name, help, value, labels)
}

// WriteTotal writes a value that only grows, and that others count.
func (w *Writer) WriteTotal(name, help string, value float64, labels ...string) {
	w.value(counterType, name, help, value, labels)
}

func (w *Writer) value(kind, name, help string, value float64, labels []string) {
	w.describeMetric(kind, name, help)
	var names, values []string
	for i := 0; i+1 < len(labels); i += 2 {
		names, values = append(names, labels[i]), append(values, labels[i+1])
	}
	w.writeLine(name, formatLabels(names, values), value)
}

// Counter writes a counter.
func (w *Writer) Counter(c *Counter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.describeMetric(counterType, c.name, c.help)
	for _, key := range slices.Sorted(maps.Keys(c.values)) {
		w.writeLine(c.name, key, c.values[key])
	}
}

// Histogram writes a histogram.
func (w *Writer) Histogram(h *Histogram) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w.describeMetric(histogramType, h.name, h.help)
	for _, key := range slices.Sorted(maps.Keys(h.rows)) {
		r := h.rows[key]
		var sum uint64
		for i, n := range r.within {
			sum += n
			bound := "+Inf"
			if i < len(h.bounds) {
				bound = numberText(h.bounds[i])
			}
			le := `le="` + bound + `"`
			if key != "" {
				le = key + "," + le
			}
			w.writeLine(h.name+"_bucket", le, float64(sum))
		}
		w.writeLine(h.name+"_sum", key, r.sum)
		w.writeLine(h.name+"_count", key, float64(sum))
	}
}

func (w *Writer) describeMetric(kind, name, help string) {
	if w.last == name {
		return
	}
	w.last = name
	fmt.Fprintf(&w.b, "# HELP %s %s\n# TYPE %s %s\n", name, strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(help), name, kind)
}

func (w *Writer) writeLine(name, labels string, value float64) {
	w.b.WriteString(name)
	if labels != "" {
		w.b.WriteString("{" + labels + "}")
	}
	w.b.WriteString(" " + numberText(value) + "\n")
}

func numberText(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// formatLabels are labels as they are written; a value that is not given is "".
func formatLabels(names, values []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	out := make([]string, len(names))
	for i, name := range names {
		value := ""
		if i < len(values) {
			value = strings.ToValidUTF8(values[i], "\uFFFD")
		}
		out[i] = name + `="` + escape.Replace(value) + `"`
	}
	return strings.Join(out, ",")
}
