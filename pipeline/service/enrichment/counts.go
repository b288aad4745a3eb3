package enrichment

import (
	"fmt"
	"sync"

	"docent/pipeline/knowledge/enrich"
	"docent/pipeline/service/care"
	"docent/pipeline/service/library"
	"docent/pipeline/text/plural"
)

// enrichCounts counts the results of enriching since the home was opened.
type enrichCounts struct {
	mu sync.Mutex
	enrich.Counts
}

func (c *enrichCounts) addCounts(o enrich.Counts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Add(o)
}

// Totals are the domain specification's counters of enrichments since the home was opened.
func (svc *Service) Totals() []care.Total {
	svc.enrichCounts.mu.Lock()
	defer svc.enrichCounts.mu.Unlock()
	out := []care.Total{{Name: "enrichment_truncations_total", Help: "Enrichments of sections of which a field was cut.",
		Value: float64(svc.enrichCounts.Truncated)}}
	for _, reason := range enrich.Reasons() {
		out = append(out, care.Total{Name: "enrichment_rejections_total",
			Help:  "Answers of models about sections that did not count, by the reason.",
			Value: float64(svc.enrichCounts.Rejected[reason]), Labels: []string{"reason", string(reason)}})
	}
	return out
}

// StatusRow sums up the doc sets that are enriched; nil: none is.
func StatusRow(sets []library.SetInfo) *care.Row {
	var sum *library.EnrichState
	for _, s := range sets {
		if s.Enriched == nil {
			continue
		}
		if sum == nil {
			sum = &library.EnrichState{}
		}
		sum.Add(*s.Enriched)
	}
	if sum == nil {
		return nil
	}
	return &care.Row{Name: "enriched", Text: fmt.Sprintf(
		"%d of %s, %d of them by models, %d cut to their bounds, %d with answers that were refused",
		sum.Enriched, plural.Count(sum.Sections, "section", "sections"), sum.ByModel, sum.Cut, sum.Refusals)}
}

// BackgroundTask is the enriching in the background.
func (svc *Service) BackgroundTask() care.Task {
	return care.Task{Label: "summaries", Phase: phaseEnrich, Work: svc.keepEnriched}
}
