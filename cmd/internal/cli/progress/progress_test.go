package progress_test

import (
	"bytes"
	"strings"
	"testing"

	"docent/cmd/internal/cli/progress"
	"docent/pipeline"
	"docent/pipeline/ingest"
)

// A bar is drawn again where its percentage changed, and is taken away at the end.
func TestBar(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	hidden := false
	bar := progress.NewBar(&out, func() bool { return hidden }, func(phase string) string {
		return map[string]string{"polish": "polishing"}[phase]
	})
	draw := func(phase string, done int) string {
		out.Reset()
		bar.ShowEvent(pipeline.Event{Phase: phase, Kind: pipeline.PhaseProgress, Done: done, Total: 1000, Text: "Lantern@1"})
		return out.String()
	}
	if got := draw(ingest.PhaseIngest, 500); !strings.Contains(got, "indexing Lantern@1 "+strings.Repeat("█", 15)+strings.Repeat("░", 15)+"  50% 500/1000") {
		t.Errorf("%q", got)
	}
	if got := draw(ingest.PhaseIngest, 501); got != "" {
		t.Errorf("the same percentage: %q", got)
	}
	if got := draw("polish", 600); !strings.Contains(got, "polishing Lantern@1") {
		t.Errorf("an operation's: %q", got)
	}
	if got := draw("search", 700); got != "" {
		t.Errorf("a phase that is not shown: %q", got)
	}
	out.Reset()
	bar.ShowEvent(pipeline.Event{Phase: ingest.PhaseIngest, Kind: pipeline.PhaseDone, Done: 1000, Total: 1000})
	if out.String() != "\r\x1b[K" {
		t.Errorf("the end: %q", out.String())
	}
	hidden = true
	if got := draw(ingest.PhaseIngest, 800); got != "" {
		t.Errorf("hidden: %q", got)
	}
}

// The end of a model's answer fits one line, and goes when the phase is done.
func TestWaiting(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := progress.NewWaiting(&out, false)
	w.ShowEvent(pipeline.Event{Phase: "3", Kind: pipeline.PhaseProgress, Engine: "ollama:x", Text: "summarizes", Done: 1, Total: 2})
	if got := out.String(); !strings.Contains(got, "3 summarizes 1 of 2 …") {
		t.Errorf("%q", got)
	}
	out.Reset()
	w.ShowEvent(pipeline.Event{Phase: "3", Kind: pipeline.PhaseText, Text: strings.Repeat("lamp ", 100) + "\x1b[2Jthe end"})
	if got := strings.TrimPrefix(out.String(), "\r\x1b[K"); !strings.HasSuffix(strings.TrimSpace(got), "the end") || len([]rune(got)) > 80 ||
		strings.Contains(got, "\x1b[2J") {
		t.Errorf("%q", got)
	}
	out.Reset()
	w.ShowEvent(pipeline.Event{Phase: "3", Kind: pipeline.PhaseDone})
	w.ShowEvent(pipeline.Event{Phase: "3", Kind: pipeline.PhaseDone})
	if out.String() != "\r\x1b[K" {
		t.Errorf("at the end: %q", out.String())
	}
	out.Reset()
	progress.NewWaiting(&out, true).ShowEvent(pipeline.Event{Phase: "3", Kind: pipeline.PhaseText, Text: "x"})
	if out.Len() > 0 {
		t.Errorf("hidden: %q", out.String())
	}
}
