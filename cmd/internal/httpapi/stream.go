package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"docent/pipeline"
)

// Server-sent events of a run: an event named "phase" for each of the pipeline's
// events, and at the end one named "result" with what the JSON form of the answer is,
// or one named "error". Comments in between keep proxies from closing the connection.
const (
	eventPhase  = "phase"
	eventResult = "result"
	eventError  = "error"

	beatEvery = 15 * time.Second
)

// errCrashed is the error of a run that crashed.
var errCrashed = errors.New("the run crashed")

// mostEvents bounds the events that wait for a slow client. What does not fit is left
// out, but for the result.
const mostEvents = 10_000

// events are the events of a run that are not written yet.
type events struct {
	mu    sync.Mutex
	list  []pipeline.Event
	ready chan struct{} // has room for one: something came
}

// addEvent takes an event; it never blocks.
func (e *events) addEvent(ev pipeline.Event) {
	e.mu.Lock()
	if len(e.list) < mostEvents {
		e.list = append(e.list, ev)
	}
	e.mu.Unlock()
	select {
	case e.ready <- struct{}{}:
	default:
	}
}

func (e *events) takeEvents() []pipeline.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := e.list
	e.list = nil
	return out
}

// streamEvents runs something and sends its events as they come.
func (c *call) streamEvents(run func(pipeline.Sink) (any, error)) error {
	came := &events{ready: make(chan struct{}, 1)}
	type outcome struct {
		value any
		err   error
	}
	ended := make(chan outcome, 1)
	go func() {
		out := outcome{err: errCrashed}
		defer func() {
			if crash := recover(); crash != nil {
				c.opt.Log.Error("crash", "id", c.note.id, "error", fmt.Sprint(crash), "stack", string(debug.Stack()))
			}
			ended <- out
		}()
		out.value, out.err = run(came.addEvent)
	}()
	c.startEvents()
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for {
		select {
		case <-came.ready:
			c.sendEvents(came.takeEvents())
		case <-beat.C:
			c.sendRaw([]byte(": still at work\n\n"))
		case end := <-ended: // also where the client went: the run ends with the request
			c.sendEvents(came.takeEvents())
			c.done()
			if errors.Is(end.err, context.Canceled) && c.r.Context().Err() != nil {
				c.note.err, c.note.status = end.err, statusGone
				return nil
			}
			if end.err != nil {
				e := answerToError(end.err)
				c.note.err, c.note.code = end.err, e.err.Code
				c.sendEvent(eventError, 0, e.err)
				return nil
			}
			c.sendEvent(eventResult, 0, end.value)
			return nil
		}
	}
}

// startEvents begins a response of server-sent events.
func (c *call) startEvents() {
	h := c.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // nginx would collect the events
	c.setWriteDeadline()
	c.w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(c.w).Flush()
}

func (c *call) sendEvents(list []pipeline.Event) {
	for _, e := range list {
		c.sendEvent(eventPhase, e.Seq, e)
	}
}

// sendEvent sends one event; seq is its id, or 0.
func (c *call) sendEvent(name string, seq int, v any) {
	raw, err := encodeAsJSON(v)
	if err != nil {
		c.note.err = err
		return
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "event: %s\n", name)
	if seq > 0 {
		b.WriteString("id: " + strconv.Itoa(seq) + "\n")
	}
	b.WriteString("data: ")
	b.Write(bytes.TrimRight(raw, "\n"))
	b.WriteString("\n\n")
	c.sendRaw(b.Bytes())
}

// sendRaw writes at once. A client that went is noticed by the request's context.
func (c *call) sendRaw(raw []byte) {
	c.setWriteDeadline()
	if _, err := c.w.Write(raw); err != nil {
		return
	}
	_ = http.NewResponseController(c.w).Flush()
}

// wantsEvents reports whether the client asks for server-sent events.
func (c *call) wantsEvents() bool {
	for part := range strings.SplitSeq(c.r.Header.Get("Accept"), ",") {
		if kind, _, _ := strings.Cut(part, ";"); strings.EqualFold(strings.TrimSpace(kind), "text/event-stream") {
			return true
		}
	}
	return false
}
