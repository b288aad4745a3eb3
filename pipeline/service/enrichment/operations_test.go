package enrichment_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/service/enrichment"
	"docent/pipeline/service/operation"
	"docent/pipeline/service/servicetest"
)

func pointer[T any](v T) *T { return &v }

// enrich runs the operation, and returns its text for people.
func enrich(t *testing.T, h *servicetest.Home, req enrichment.NamedRequest, to operation.Paper) string {
	t.Helper()
	op := enrichment.Operations()[0]
	answer, err := op.Do(t.Context(), h.Enrichment, req, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	to.Line = func(text string) { b.WriteString(text + "\n") }
	to.Row = func(name, text string) { fmt.Fprintf(&b, "%s|%s\n", name, text) }
	to.Note = func(format string, args ...any) { fmt.Fprintf(&b, "note: "+format+"\n", args...) }
	op.Words.Text(answer, to)
	return b.String()
}

func TestTheTextOfEnriching(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for _, tt := range []struct {
		req   enrichment.NamedRequest
		quiet bool
		want  string
	}{
		{enrichment.NamedRequest{Names: []string{"Lantern"}}, false, "Lantern@1: 3 of 3 sections enriched, 3 now, 0 by models\n"},
		{enrichment.NamedRequest{Names: []string{"Lantern"}, Again: pointer(true)}, false, "3 now"},
		{enrichment.NamedRequest{}, false, "0 now"},
		{enrichment.NamedRequest{}, true, ""},
		{enrichment.NamedRequest{Names: []string{"Lantern/wick#trim"}}, true, "section|Lantern@1/wick.md#Wick care > Trim\nsummary|Trim the wick"},
	} {
		got := enrich(t, h, tt.req, operation.Paper{Quiet: tt.quiet})
		if !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%+v: %q, want %q", tt.req, got, tt.want)
		}
	}
}

func TestBoundsAreForDocSetsAlone(t *testing.T) {
	t.Parallel()
	page := []string{"Lantern/wick.md"}
	for field, reqs := range map[string][]enrichment.NamedRequest{
		"max":   {{Most: pointer(-1)}, {Names: page, Most: pointer(1)}},
		"time":  {{Time: pointer(-time.Second)}, {Names: page, Time: pointer(time.Second)}},
		"again": {{Names: page, Again: pointer(true)}},
	} {
		for _, req := range reqs {
			if err := req.CheckRequest(); servicetest.Code(err) != contract.CodeInvalidRequest || contract.RemedyOf(err).Key != field {
				t.Errorf("%+v: %v", req, err)
			}
		}
	}
	if err := (enrichment.NamedRequest{Names: page}).CheckRequest(); err != nil {
		t.Error(err)
	}
}

// What a server counts of enriching has a name, a text and its reasons.
func TestTotalsAreNamed(t *testing.T) {
	t.Parallel()
	totals := lantern(t).Care.Totals()
	if len(totals) < 3 {
		t.Fatalf("%+v", totals)
	}
	for _, x := range totals {
		if x.Name == "" || x.Help == "" || x.Value != 0 || len(x.Labels)%2 != 0 {
			t.Errorf("%+v", x)
		}
	}
}
