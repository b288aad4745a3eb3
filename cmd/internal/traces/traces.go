// Package traces records what a request made the processes of docent do, as spans of
// OpenTelemetry, and sends them to a collector that a person named.
//
// It refuses to send anything anywhere else, to send texts of questions, pages and errors (see
// store/tracing), and to keep a request waiting: spans that cannot be sent are lost.
package traces

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"docent/store/address"
	"docent/store/tracing"
)

// Options say where spans go.
type Options struct {
	Collector Collector
	// Service and Version name the program: "docent serve".
	Service, Version string
	Log              *slog.Logger
}

// Collector is a server that takes OTLP over HTTP.
type Collector struct {
	URL     string // with its path; "": spans go nowhere
	Headers map[string]string
}

// tracesVariable holds the address for traces alone, which is taken unchanged.
const tracesVariable = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"

// CollectorOf gives the collector that is named in [server] traces or, where that is empty, in
// OpenTelemetry's own variables of the environment.
func CollectorOf(named string, env func(string) string) (Collector, error) {
	setting := "[server] traces"
	at := named
	if at == "" && !strings.EqualFold(env("OTEL_SDK_DISABLED"), "true") && !strings.EqualFold(env("OTEL_TRACES_EXPORTER"), "none") {
		for _, name := range []string{tracesVariable, "OTEL_EXPORTER_OTLP_ENDPOINT"} {
			if at == "" {
				at, setting = env(name), name
			}
		}
	}
	whole, err := parseAddress(at, setting == tracesVariable)
	if whole == "" || err != nil {
		return Collector{}, wrapped(setting, err)
	}
	headers := map[string]string{}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"} {
		if err := readHeaders(headers, env(name)); err != nil {
			return Collector{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	return Collector{URL: whole, Headers: headers}, nil
}

// parseAddress reads the address of a collector, and adds the path of traces unless it is whole.
func parseAddress(text string, whole bool) (string, error) {
	u, err := address.ParseCollector(text)
	if err == nil && whole {
		u = text
	}
	return u, err
}

// wrapped names the setting in front of an error; nil stays nil.
func wrapped(setting string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", setting, err)
}

// readHeaders reads name=value pairs parted by commas. Values may be escaped as in addresses.
func readHeaders(into map[string]string, text string) error {
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !ok || err != nil || name == "" || strings.ContainsFunc(name+value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return errors.New("it must be pairs of names and values, such as authorization=Bearer%20TOKEN") // the value may be a secret
		}
		into[name] = value
	}
	return nil
}

// Traces records spans. It is safe for concurrent use.
type Traces struct {
	provider *sdk.TracerProvider
}

// Open begins to record, without a collector nothing. It connects to nothing yet.
func Open(opt Options) (*Traces, error) {
	if opt.Collector.URL == "" {
		return &Traces{}, nil
	}
	about, err := resource.New(context.Background(), resource.WithAttributes(attribute.String("service.name", opt.Service),
		attribute.String("service.version", opt.Version)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	to := &exporter{url: opt.Collector.URL, headers: opt.Collector.Headers, log: opt.Log,
		client: &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 2}}}
	return &Traces{sdk.NewTracerProvider(sdk.WithResource(about), sdk.WithBatcher(to))}, nil
}

// Provider makes spans; nil where there is no collector.
func (t *Traces) Provider() trace.TracerProvider {
	if t.provider == nil {
		return nil
	}
	return t.provider
}

// closeTimeout is how long the last spans may take to be sent.
const closeTimeout = 3 * time.Second

// Close sends the last spans.
func (t *Traces) Close(ctx context.Context) error {
	if t.provider == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	return t.provider.Shutdown(ctx)
}

// Around begins a span for each request, below the one that its client names. The handler
// describes it.
func Around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, span := tracing.Begin(tracing.ContinueRequest(r), r.Method, tracing.Server, attribute.String("http.request.method", r.Method))
		defer span.End()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
