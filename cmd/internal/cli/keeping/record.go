package keeping

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/traces"
	"docent/pipeline/service/home"
	"docent/store/tracing"
)

// Recording says what a program that runs on records.
type Recording struct {
	// Program is its name: "docent serve".
	Program string
	// Collector is the configuration's address of a collector of traces.
	Collector string
	Env       func(string) string
	Log       *slog.Logger
	// Asked, unless nil, learns of each request to another server.
	Asked func(service string, failed bool, took time.Duration)
}

// Around begins the spans of a server's requests.
func Around(next http.Handler) http.Handler { return traces.Around(next) }

// Begin gives a context whose work is recorded. end sends the last spans, when the work is over.
func (r Recording) Begin(ctx context.Context) (recorded context.Context, end func() error, err error) {
	to, err := traces.CollectorOf(r.Collector, r.Env)
	if err != nil {
		return ctx, nil, failure.UsageError("%v", err)
	}
	t, err := traces.Open(traces.Options{Collector: to, Service: r.Program, Version: home.Version, Log: r.Log})
	if err != nil {
		return ctx, nil, failure.UsageError("%v", err)
	}
	ctx = tracing.WithRecorder(ctx, tracing.Recorder{Provider: t.Provider(), Asked: r.Asked})
	return ctx, func() error { return t.Close(ctx) }, nil
}
