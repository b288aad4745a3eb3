package care

import (
	"docent/pipeline/contract"
	"docent/pipeline/service/library"
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

// addLag takes in the lag of a doc set.
func (m *Metrics) addLag(s library.SetInfo) {
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
func metrics(sets []library.SetInfo) Metrics {
	var m Metrics
	docs, chunks, counted, tokens := 0, 0, 0, 0.0
	for _, s := range sets {
		m.addLag(s)
		docs, chunks = docs+s.Pages, chunks+s.Chunks
		if s.TokensPerChunk > 0 {
			counted, tokens = counted+s.Chunks, tokens+s.TokensPerChunk*float64(s.Chunks)
		}
	}
	if docs > 0 {
		m.ChunksPerDoc = library.RoundToTenth(float64(chunks) / float64(docs))
	}
	if counted > 0 {
		m.TokensPerChunk = library.RoundToTenth(tokens / float64(counted))
	}
	return m
}
