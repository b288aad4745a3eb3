//go:build unix

package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// collected is a span as a collector of OTLP's JSON receives it.
type collected struct {
	TraceID, SpanID, ParentSpanID, Name string
	Kind                                int
	StartTimeUnixNano, EndTimeUnixNano  string
	Service                             string `json:"-"`
}

// collector is a server that takes traces.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []collected
	raw   strings.Builder
}

func startCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		var body struct {
			ResourceSpans []struct {
				Resource struct {
					Attributes []struct {
						Key   string
						Value struct{ StringValue string }
					}
				}
				ScopeSpans []struct{ Spans []collected }
			}
		}
		if err == nil {
			err = json.Unmarshal(raw, &body)
		}
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("X-Team") != "docs" {
			t.Errorf("%s %v: %v", r.URL.Path, r.Header, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.raw.Write(raw)
		for _, rs := range body.ResourceSpans {
			service := ""
			for _, a := range rs.Resource.Attributes {
				if a.Key == "service.name" {
					service = a.Value.StringValue
				}
			}
			for _, s := range rs.ScopeSpans[0].Spans {
				s.Service = service
				c.spans = append(c.spans, s)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// named are the spans of a program that have a name.
func (c *collector) named(service, name string) []collected {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.spans), func(s collected) bool { return s.Service != service || s.Name != name })
}

// traced runs docent in an environment that has these variables of OpenTelemetry and no others.
func traced(t *testing.T, env ...string) runner {
	t.Helper()
	r := runnerWithManual(t)
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "OTEL_") {
			r.env = append(r.env, name+"=")
		}
	}
	r.env = append(r.env, env...)
	return r
}

// The spans of a request stand below the client's, those of its phases below it, and those of a
// worker that reads the file of a request below the request. No word of a question, a page or a
// file's name is sent.
func TestTraces(t *testing.T) {
	t.Parallel()
	c := startCollector(t)
	r := traced(t, "OTEL_EXPORTER_OTLP_ENDPOINT="+c.URL, "OTEL_EXPORTER_OTLP_HEADERS=x-team=docs")
	s := startServe(t, r, "--workers", "0")
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	if status, body := s.post("/api/ask", `{"query": "what is the threshold"}`, "Traceparent", "00-"+trace+"-"+parent+"-01"); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	form, kind := uploadForm(t, "marigold.md", "# Marigold\n\nIt is sown in spring, after the last frost, in rows.\n")
	if status, body := s.post("/api/documents", string(form), "Content-Type", kind); status != 201 {
		t.Fatalf("%d %s", status, body)
	}
	s.stop()
	r.run(t, 0, "", "worker", "--once")

	asked := c.named("docent serve", "POST /api/ask")
	if len(asked) != 1 || asked[0].TraceID != trace || asked[0].ParentSpanID != parent || asked[0].Kind != 2 ||
		asked[0].EndTimeUnixNano <= asked[0].StartTimeUnixNano {
		t.Fatalf("%+v", asked)
	}
	for _, phase := range []string{"0a", "0b", "1", "1.5", "2"} {
		if list := c.named("docent serve", "phase "+phase); len(list) != 1 || list[0].ParentSpanID != asked[0].SpanID || list[0].TraceID != trace {
			t.Errorf("phase %s: %+v", phase, list)
		}
	}
	handed, worked := c.named("docent serve", "POST /api/documents"), c.named("docent worker", "process document")
	if len(handed) != 1 || len(worked) != 1 || worked[0].TraceID != handed[0].TraceID || worked[0].ParentSpanID != handed[0].SpanID {
		t.Errorf("handed in: %+v, read: %+v", handed, worked)
	}
	if !strings.Contains(s.errs.String(), `"trace":"`+trace+`"`) {
		t.Errorf("the log does not name the trace: %s", s.errs)
	}
	for _, secret := range []string{"threshold", "arigold", "frost"} {
		if strings.Contains(c.raw.String(), secret) {
			t.Errorf("%q was sent: %s", secret, c.raw.String())
		}
	}
}

// Without a named collector nothing is sent, and an address that cannot be one is refused.
func TestTracesAreOff(t *testing.T) {
	t.Parallel()
	for _, env := range [][]string{nil, {"OTEL_TRACES_EXPORTER=none", "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:9"}} {
		s := startServe(t, traced(t, env...))
		if status, body := s.post("/api/ask", `{"query": "what is the threshold"}`); status != 200 {
			t.Fatalf("%d %s", status, body)
		}
		s.stop()
		if log := s.errs.String(); strings.Contains(log, "trace") {
			t.Errorf("%v: %s", env, log)
		}
	}
	r := traced(t, "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4317")
	if _, errs := r.run(t, 2, "", "serve", "--listen", "127.0.0.1:0"); !strings.Contains(errs, "4318") {
		t.Error(errs)
	}
}
