package tracing_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"docent/store/tracing"
)

// A span of another process is the parent of the first one here, through a request's header and
// through a text.
func TestSpansAcrossProcesses(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewSpanRecorder()
	ctx := tracing.WithRecorder(t.Context(), tracing.Recorder{Provider: sdk.NewTracerProvider(sdk.WithSpanProcessor(spans))})
	ctx, above := tracing.Begin(ctx, "above", tracing.Internal)
	r := httptest.NewRequest(http.MethodGet, "/", nil).WithContext(tracing.WithRecorder(t.Context(), tracing.Recorder{}))
	tracing.Carry(ctx, r.Header)
	id := traceOf(ctx)
	for _, there := range []context.Context{tracing.ContinueRequest(r), tracing.Continue(t.Context(), tracing.Parent(ctx))} {
		if id == "" || traceOf(there) != id {
			t.Errorf("trace %q there, %q here", traceOf(there), id)
		}
	}
	tracing.End(above, context.DeadlineExceeded)
	ended := spans.Ended()
	if len(ended) != 1 || len(ended[0].Attributes()) != 1 || ended[0].Attributes()[0].Value.AsString() != "timeout" {
		t.Errorf("%v", ended)
	}
	if traceOf(tracing.Continue(t.Context(), "00-nonsense")) != "" {
		t.Error("nonsense is a parent")
	}
}

// Requests are counted whether or not spans are made.
func TestRequestsAreCounted(t *testing.T) {
	t.Parallel()
	var got []string
	ctx := tracing.WithRecorder(t.Context(), tracing.Recorder{Asked: func(service string, failed bool, took time.Duration) {
		if took < 0 {
			t.Error(took)
		}
		if failed {
			service += " failed"
		}
		got = append(got, service)
	}})
	for _, err := range []error{nil, errors.New("it is away")} {
		asking, done := tracing.Ask(ctx, "POST /v1/graphql", "weaviate")
		if tracing.Parent(asking) != "" {
			t.Error("a span without a provider")
		}
		done(err)
	}
	if len(got) != 2 || got[0] != "weaviate" || got[1] != "weaviate failed" {
		t.Error(got)
	}
	_, done := tracing.Ask(t.Context(), "x", "y") // without a recorder
	done(nil)
}

// A phase costs the look into the context where nothing is recorded.
func BenchmarkBeginUnrecorded(b *testing.B) {
	type key struct{}
	ctx := context.WithValue(b.Context(), key{}, 1)
	for b.Loop() {
		_, span := tracing.Begin(ctx, "phase 1", tracing.Internal)
		tracing.End(span, nil)
	}
}

// traceOf is the identity of the context's trace, 32 hexadecimal digits, "" where nothing is recorded.
func traceOf(ctx context.Context) string {
	if s := trace.SpanContextFromContext(ctx); s.HasTraceID() {
		return s.TraceID().String()
	}
	return ""
}
