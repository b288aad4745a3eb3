package enrichment_test

import (
	"context"
	"errors"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/service/enrichment"
	"docent/pipeline/service/enrichment/records"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/servicetest"
)

func lantern(t *testing.T) *servicetest.Home {
	t.Helper()
	h := servicetest.New(t)
	h.Add("Lantern@1", map[string]string{"wick.md": "# Wick care\n\nA wick draws oil from the tank.\n\n## Trim\n\nTrim the wick to six millimetres every evening.\n"})
	return h
}

// Without a model a page is enriched from its own text, and that is not asked twice.
func TestEnrichingWithoutAModel(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	rep, err := h.Enrichment.Enrich(t.Context(), enrichment.EnrichRequest{}, home.Watch{})
	if err != nil || len(rep) != 1 || rep[0].Set != "Lantern@1" || rep[0].ByModel != 0 || len(rep[0].Models) != 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	again, err := h.Enrichment.Enrich(t.Context(), enrichment.EnrichRequest{Sets: []string{"Lantern"}}, home.Watch{})
	if err != nil || again[0].Made != 0 || again[0].Enriched != rep[0].Enriched {
		t.Errorf("again: %+v, %v", again, err)
	}
	if f := records.New(h.Services.Home).Examine(h.Set("Lantern@1")); f != nil && !f.OK {
		t.Errorf("%+v", f)
	}
}

func TestTheRecordOfAPageOrSection(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for _, tt := range []struct {
		req  locate.ReadRequest
		path string
	}{
		{locate.ReadRequest{Page: "wick.md"}, ""},
		{locate.ReadRequest{Page: "Wick care", Section: "Trim"}, "Trim"},
	} {
		r, err := h.Enrichment.Enrichment(t.Context(), tt.req)
		if err != nil || r.DocSet != "Lantern@1" || r.FilePath != "wick.md" || r.Title != "Wick care" || r.Enrichment.Summary == "" || (r.SectionPath == "") != (tt.path == "") {
			t.Errorf("%+v: %+v, %v", tt.req, r, err)
		}
	}
	for what, req := range map[string]locate.ReadRequest{"no page": {Page: "nothing"}, "no section": {Page: "wick.md", Section: "Nothing"}} {
		if _, err := h.Enrichment.Enrichment(t.Context(), req); servicetest.Code(err) != contract.CodeInvalidRequest {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestEnrichingThatCannotBe(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	if _, err := h.Enrichment.Enrich(t.Context(), enrichment.EnrichRequest{Sets: []string{"Nothing"}}, home.Watch{}); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set: %v", err)
	}
	if _, err := h.Enrichment.Enrich(servicetest.Cancelled(t), enrichment.EnrichRequest{}, home.Watch{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	if rep, err := servicetest.New(t).Enrichment.Enrich(t.Context(), enrichment.EnrichRequest{}, home.Watch{}); err != nil || len(rep) != 0 {
		t.Errorf("of an empty home: %+v, %v", rep, err)
	}
}
