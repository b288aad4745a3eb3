package home

import (
	"sync"

	"docent/pipeline/contract"
	"docent/pipeline/knowledge/enrich"
)

// Metrics are the figures of the domain specification, under its names, over all doc
// sets.
type Metrics struct {
	ChunksPerDoc   float64 `json:"chunks_per_doc"`
	TokensPerChunk float64 `json:"avg_tokens_per_chunk"`
	// IndexLag is the time in milliseconds from a change of a file to the moment at which
	// it could be found, of the last update that was followed: the longest of the doc
	// sets. ReindexLag is that of the doc sets of documentation. nil: none was followed.
	IndexLag   *int64 `json:"index_lag_ms"`
	ReindexLag *int64 `json:"llmc_tech_docs_reindex_lag_ms"`
}

// add takes in the lag of a doc set.
func (m *Metrics) add(s SetInfo) {
	longest := func(to **int64) {
		if s.Lag != nil && (*to == nil || **to < *s.Lag) {
			*to = s.Lag
		}
	}
	longest(&m.IndexLag)
	if s.Domains[contract.DefaultDomain] > 0 {
		longest(&m.ReindexLag)
	}
}

// metrics sums up the doc sets.
func metrics(sets []SetInfo) Metrics {
	var m Metrics
	docs, chunks, counted, tokens := 0, 0, 0, 0.0
	for _, s := range sets {
		m.add(s)
		docs, chunks = docs+s.Pages, chunks+s.Chunks
		if s.TokensPerChunk > 0 {
			counted, tokens = counted+s.Chunks, tokens+s.TokensPerChunk*float64(s.Chunks)
		}
	}
	if docs > 0 {
		m.ChunksPerDoc = round(float64(chunks) / float64(docs))
	}
	if counted > 0 {
		m.TokensPerChunk = round(tokens / float64(counted))
	}
	return m
}

// enrichCounts are what came of enriching since the home was opened.
type enrichCounts struct {
	mu sync.Mutex
	enrich.Counts
}

func (c *enrichCounts) add(o enrich.Counts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Add(o)
}

// EnrichCounts are the domain specification's counters of enrichments since the home was
// opened.
func (h *Home) EnrichCounts() enrich.Counts {
	h.enrichCounts.mu.Lock()
	defer h.enrichCounts.mu.Unlock()
	var out enrich.Counts
	out.Add(h.enrichCounts.Counts)
	return out
}
