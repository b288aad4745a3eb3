package embed

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"docent/pipeline/contract"
)

// meter measures the speed of the model. Vectors from the cache are not counted: they
// would promise a speed that the model does not reach.
type meter struct {
	done, total int // passages
	left        int // texts that the model has yet to read
	last        []sample
}

type sample struct {
	at    time.Time
	texts int // so far
}

// window is over how many batches the rate is measured: texts are not equally
// long, and a machine has other work at times.
const window = 20

func (m *meter) addProgress(now time.Time, texts, passages int) {
	m.done += passages
	m.left -= texts
	m.last = append(m.last, sample{now, m.last[len(m.last)-1].texts + texts})
	if len(m.last) > window {
		m.last = m.last[1:]
	}
}

// progressLine says it: "bge-m3: 1250 of 9800 passages, 41 a second, 3m28s left".
func (m *meter) progressLine(model string, now time.Time) string {
	out := fmt.Sprintf("%s: %d of %d passages", strings.TrimSuffix(model, ":latest"), m.done, m.total)
	rate := m.textsPerSecond(now)
	if rate == 0 {
		return out
	}
	digits := 0
	if rate < 10 {
		digits = 1
	}
	out += ", " + strconv.FormatFloat(rate, 'f', digits, 64) + " a second"
	if left := m.timeLeft(now); left > 0 {
		out += ", " + TimeText(left) + " left"
	}
	return out
}

// textsPerSecond is the number of texts a second in the window, 0 where it is not known.
func (m *meter) textsPerSecond(now time.Time) float64 {
	first := m.last[0]
	took := now.Sub(first.at).Seconds()
	texts := m.last[len(m.last)-1].texts - first.texts
	if took <= 0 {
		return 0
	}
	return float64(texts) / took
}

// timeLeft is how long the rest is expected to take, 0 where that is not known.
func (m *meter) timeLeft(now time.Time) time.Duration {
	rate := m.textsPerSecond(now)
	if rate == 0 {
		return 0
	}
	return time.Duration(float64(m.left) / rate * float64(time.Second))
}

// TimeText is a duration as a person says it: 48s, 3m28s, 2h5m.
func TimeText(d time.Duration) string {
	if d < time.Hour {
		return max(time.Second, d.Round(time.Second)).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}

// beginMeter begins to measure.
func (w *work) beginMeter(done, total, texts int) {
	now := w.e.Now()
	w.meter = meter{done: done, total: total, left: texts, last: []sample{{at: now}}}
	w.reportProgress(now)
}

// emit sends an event to the sink.
func (w *work) emit(kind contract.EventKind, done, total int, text string) {
	w.emitEvent(contract.Event{Kind: kind, Done: done, Total: total, Text: text})
}

// reportProgress tells how far it is and how long the rest is expected to take.
func (w *work) reportProgress(now time.Time) {
	w.emitEvent(contract.Event{Kind: contract.PhaseProgress, Done: w.meter.done, Total: w.meter.total,
		Text: w.meter.progressLine(w.m.Name, now), Left: w.meter.timeLeft(now)})
}

func (w *work) emitEvent(e contract.Event) {
	if w.sink != nil {
		w.seq++
		e.Run, e.Seq, e.Phase, e.Engine = "ingest", w.seq, Phase, w.m.Engine
		w.sink(e)
	}
}

// endEvents sends the last event, if a first one was sent.
func (w *work) endEvents(kind contract.EventKind) {
	if w.seq > 0 {
		w.emit(kind, w.meter.done, w.meter.total, w.set.Ref.String())
	}
}
