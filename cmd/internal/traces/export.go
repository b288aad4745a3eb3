package traces

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// exporter sends spans to a collector: OTLP over HTTP, with the JSON encoding of its protocol
// buffers. It is safe for concurrent use.
//
// The exporters of OpenTelemetry cost each start of the program 0.9 ms and the binary 7 MB, for
// protocol buffers and gRPC (otlptracehttp v1.47.0). Its SDK costs 0.2 ms and 1.2 MB.
type exporter struct {
	url     string
	headers map[string]string
	client  *http.Client
	log     *slog.Logger

	mu   sync.Mutex
	lost int // spans since the collector took some
}

const (
	sendTimeout = 10 * time.Second
	sendTries   = 3
	firstPause  = 500 * time.Millisecond
)

// ExportSpans is sdk.SpanExporter's. Lost spans are counted, and logged once until the collector
// takes spans again.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	body, err := json.Marshal(encodeSpans(spans))
	if err != nil {
		return err
	}
	e.logLoss(len(spans), e.send(ctx, body))
	return nil // the SDK would only write it to the default log
}

// logLoss logs when spans begin to be lost, and when they no longer are.
func (e *exporter) logLoss(n int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case err != nil && e.lost == 0:
		e.log.Warn("traces", "error", err.Error(),
			"text", "spans are lost until the collector takes them again; [server] traces or the environment names it")
		e.lost += n
	case err != nil:
		e.lost += n
	case e.lost > 0:
		e.log.Info("traces", "text", "the collector takes spans again", "lost", e.lost)
		e.lost = 0
	}
}

// send posts a body, again where the collector says that it may be repeated.
func (e *exporter) send(ctx context.Context, body []byte) error {
	pause := firstPause
	for try := 1; ; try++ {
		again, err := e.postSpans(ctx, body)
		if err == nil || !again || try == sendTries {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
		pause *= 2
	}
}

func (e *exporter) postSpans(ctx context.Context, body []byte) (again bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range e.headers {
		r.Header.Set(name, value)
	}
	answer, err := e.client.Do(r)
	if err != nil {
		return true, err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16)) // so that the connection serves again
	switch {
	case answer.StatusCode < http.StatusMultipleChoices:
		return false, nil
	case answer.StatusCode == http.StatusTooManyRequests, answer.StatusCode == http.StatusBadGateway,
		answer.StatusCode == http.StatusServiceUnavailable, answer.StatusCode == http.StatusGatewayTimeout:
		again = true
	}
	return again, fmt.Errorf("the collector at %s answers %d", e.url, answer.StatusCode)
}

// Shutdown is sdk.SpanExporter's.
func (e *exporter) Shutdown(context.Context) error {
	e.client.CloseIdleConnections()
	return nil
}

// The messages of OTLP's opentelemetry.proto.trace.v1, as far as they are written here.
type (
	request struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   attributes   `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	attributes struct {
		Attributes []keyValue `json:"attributes"`
	}
	scopeSpans struct {
		Scope scope  `json:"scope"`
		Spans []span `json:"spans"`
	}
	scope struct {
		Name string `json:"name"`
	}
	span struct {
		TraceID    string     `json:"traceId"`
		SpanID     string     `json:"spanId"`
		Parent     string     `json:"parentSpanId,omitempty"`
		Name       string     `json:"name"`
		Kind       int        `json:"kind"`
		Start      string     `json:"startTimeUnixNano"`
		End        string     `json:"endTimeUnixNano"`
		Attributes []keyValue `json:"attributes,omitempty"`
		Status     status     `json:"status"`
	}
	status struct {
		Code int `json:"code,omitempty"`
	}
	keyValue struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

// statusError is OTLP's STATUS_CODE_ERROR. The kinds of spans have the numbers of the SDK.
const statusError = 2

// encodeSpans makes the message of some spans, which have one resource: that of the process.
func encodeSpans(spans []sdk.ReadOnlySpan) request {
	if len(spans) == 0 {
		return request{}
	}
	scoped := scopeSpans{Scope: scope{Name: spans[0].InstrumentationScope().Name}}
	for _, s := range spans {
		scoped.Spans = append(scoped.Spans, encodeSpan(s))
	}
	return request{ResourceSpans: []resourceSpans{{Resource: encodeResource(spans[0].Resource()), ScopeSpans: []scopeSpans{scoped}}}}
}

func encodeSpan(s sdk.ReadOnlySpan) span {
	id := s.SpanContext()
	out := span{TraceID: id.TraceID().String(), SpanID: id.SpanID().String(), Name: s.Name(), Kind: int(s.SpanKind()),
		Start: nanoseconds(s.StartTime()), End: nanoseconds(s.EndTime()), Attributes: encodeAttributes(s.Attributes())}
	if p := s.Parent(); p.HasSpanID() {
		out.Parent = p.SpanID().String()
	}
	if s.SpanKind() == trace.SpanKindUnspecified {
		out.Kind = int(trace.SpanKindInternal)
	}
	if s.Status().Code == codes.Error {
		out.Status.Code = statusError
	}
	return out
}

func encodeResource(r *resource.Resource) attributes {
	return attributes{encodeAttributes(r.Attributes())}
}

// nanoseconds is a time as the protocol's JSON has whole numbers of 64 bits: in quotes.
func nanoseconds(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func encodeAttributes(list []attribute.KeyValue) []keyValue {
	out := make([]keyValue, 0, len(list))
	for _, a := range list {
		out = append(out, keyValue{string(a.Key), encodeValue(a.Value)})
	}
	return out
}

// encodeValue writes the types that docent uses; a list has its form as text.
func encodeValue(v attribute.Value) map[string]any {
	switch v.Type() {
	case attribute.BOOL:
		return map[string]any{"boolValue": v.AsBool()}
	case attribute.INT64:
		return map[string]any{"intValue": strconv.FormatInt(v.AsInt64(), 10)}
	case attribute.FLOAT64:
		return map[string]any{"doubleValue": v.AsFloat64()}
	}
	return map[string]any{"stringValue": v.String()}
}
