package traces

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// The address of a collector is the configuration's, or that of OpenTelemetry's variables.
func TestWhereTheCollectorIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address, want, wrong string
		env                  map[string]string
	}{
		{},
		{address: "http://here:4318", want: "http://here:4318/v1/traces"},
		{address: "https://here/otlp/", want: "https://here/otlp/v1/traces"},
		{address: "https://here/v1/traces", want: "https://here/v1/traces"},
		{address: "off", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://there:4318"}},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://there:4318"}, want: "http://there:4318/v1/traces"},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://there:4318/mine"}, want: "http://there:4318/mine"},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://there:4318", "OTEL_SDK_DISABLED": "true"}},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://there:4318", "OTEL_TRACES_EXPORTER": "none"}},
		{address: "localhost:4318", wrong: "[server] traces"},
		{address: "http://localhost:4317", wrong: "4318"},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "grpc://there"}, wrong: "OTEL_EXPORTER_OTLP_ENDPOINT"},
		{address: "http://here:4318", env: map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "secret"}, wrong: "OTEL_EXPORTER_OTLP_HEADERS"},
	} {
		got, err := CollectorOf(c.address, func(name string) string { return c.env[name] })
		if got.URL != c.want || (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("a header's value is shown: %v", err)
		}
	}
}

// Spans that a collector refuses are said once, and so is that it takes them again.
func TestACollectorThatIsAway(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	var took atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if broken.Load() {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		var body request
		if err := json.Unmarshal(raw, &body); err != nil || r.Header.Get("Authorization") != "Bearer a b" {
			t.Errorf("%v %v", r.Header, err)
			return
		}
		took.Add(int64(len(body.ResourceSpans[0].ScopeSpans[0].Spans)))
	}))
	defer server.Close()
	to, err := CollectorOf(server.URL, func(name string) string {
		return map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20a%20b"}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	tr, err := Open(Options{Collector: to, Service: "docent", Version: "1", Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for _, away := range []bool{true, true, false} {
		broken.Store(away)
		_, span := tr.Provider().Tracer("docent").Start(context.Background(), "work")
		span.End()
		if err := tr.provider.ForceFlush(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if err := tr.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(log.String(), "spans are lost"); n != 1 || !strings.Contains(log.String(), "lost=2") || took.Load() != 1 {
		t.Errorf("%d spans arrived; the log: %s", took.Load(), log.String())
	}
}

// A span has the form of the protocol's JSON: numbers of 64 bits are texts.
func TestTheFormOfASpan(t *testing.T) {
	t.Parallel()
	bodies := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		bodies <- string(raw)
	}))
	defer server.Close()
	tr, err := Open(Options{Collector: Collector{URL: server.URL}, Service: "docent serve", Version: "1.2", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	_, span := tr.Provider().Tracer("docent").Start(context.Background(), "GET /", trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.Int("n", 3), attribute.Bool("b", true), attribute.Float64("f", .5), attribute.String("s", "x")))
	span.SetStatus(codes.Error, "a text that stays here")
	span.End()
	if err := tr.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	body := <-bodies
	for _, want := range []string{`"service.name","value":{"stringValue":"docent serve"}`, `"n","value":{"intValue":"3"}`, `"b","value":{"boolValue":true}`,
		`"f","value":{"doubleValue":0.5}`, `"kind":2`, `"status":{"code":2}`, `"startTimeUnixNano":"1`, `"scope":{"name":"docent"}`} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not in %s", want, body)
		}
	}
	if strings.Contains(body, "stays here") || strings.Contains(body, "parentSpanId") {
		t.Error(body)
	}
}
