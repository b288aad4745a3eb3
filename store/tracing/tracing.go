// Package tracing begins and ends the spans of OpenTelemetry, for packages that do not know
// whether anything is recorded.
//
// A context carries the recorder and the span above. Without a recorder nothing is recorded, and
// a span costs the look into the context. Names and attributes say which work it was and where; texts
// of questions, pages and errors are never among them.
package tracing

import (
	"context"
	"errors"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// scope names the program as the maker of its spans.
const scope = "docent"

// The kinds of spans: work within the process, an answer to a request, work at a job.
const (
	Internal = trace.SpanKindInternal
	Server   = trace.SpanKindServer
	Consumer = trace.SpanKindConsumer
)

// Recorder is where spans and requests to other servers are recorded.
type Recorder struct {
	// Provider makes spans; nil: nothing is a span.
	Provider trace.TracerProvider
	// Asked, unless nil, learns of each request to another server: weaviate, postgresql, ollama.
	Asked func(service string, failed bool, took time.Duration)
}

type recorderKey struct{}

// WithRecorder gives a context whose spans and requests r records.
func WithRecorder(ctx context.Context, r Recorder) context.Context {
	return context.WithValue(ctx, recorderKey{}, r)
}

func recorderOf(ctx context.Context) Recorder {
	r, _ := ctx.Value(recorderKey{}).(Recorder)
	return r
}

// Begin begins a span below the one of the context. End ends it.
func Begin(ctx context.Context, name string, kind trace.SpanKind, attributes ...attribute.KeyValue) (context.Context, trace.Span) {
	p := recorderOf(ctx).Provider
	if p == nil {
		return ctx, noop.Span{}
	}
	return p.Tracer(scope).Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(attributes...))
}

// Ask begins a request to another server, which service names. done ends it.
func Ask(ctx context.Context, name, service string) (asking context.Context, done func(error)) {
	asked := recorderOf(ctx).Asked
	began := time.Now()
	asking, span := Begin(ctx, name, trace.SpanKindClient, attribute.String("peer.service", service))
	return asking, func(err error) {
		End(span, err)
		if asked != nil {
			asked(service, err != nil, time.Since(began))
		}
	}
}

// End ends a span. Of an error it says only that there was one, and whether a time limit or a
// person ended the work: an error's text may quote a page.
func End(span trace.Span, err error) {
	if err != nil {
		kind := "error"
		switch {
		case errors.Is(err, context.Canceled):
			kind = "canceled"
		case errors.Is(err, context.DeadlineExceeded):
			kind = "timeout"
		}
		span.SetAttributes(attribute.String("error.type", kind))
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// header is W3C's name of the header that names the span above.
const header = "traceparent"

// Carry adds the context's span to the headers of a request, so that the spans of another process
// stand below it.
func Carry(ctx context.Context, h http.Header) {
	if s := Parent(ctx); s != "" {
		h.Set(header, s)
	}
}

// Parent is the context's span in the form of W3C's Trace Context, "" without a span.
func Parent(ctx context.Context) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[header]
}

// Continue gives a context whose spans stand below a parent of another process. Another
// text is ignored.
func Continue(ctx context.Context, parent string) context.Context {
	if parent == "" {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{header: parent})
}

// ContinueRequest is Continue with the parent that a request names.
func ContinueRequest(r *http.Request) context.Context {
	return Continue(r.Context(), r.Header.Get(header))
}
