package home

import (
	"context"

	"docent/pipeline/contract"
	"docent/store"
)

// Stats are the figures of a home that a server tells of.
type Stats struct {
	Sets      []SetStats
	Documents []Count // that were handed in, by status
	Jobs      []Count // of these, by state
}

// SetStats are those of a doc set.
type SetStats struct {
	Set           string // Name@version
	Pages, Chunks int
	Bytes         int64
	Metrics
}

// Count is how many there are of a name.
type Count struct {
	Name  string
	Count int
}

// Stats reads the figures from the catalog; it does not look at the doc sets' folders.
func (h *Home) Stats(ctx context.Context) (Stats, error) {
	var out Stats
	sets, err := h.Corpus.Sets(ctx)
	if err != nil {
		return out, err
	}
	for _, s := range sets {
		known, err := h.Corpus.Catalog.Files(ctx, s.ID)
		if err != nil {
			return out, err
		}
		counted := onDisk{domains: map[string]int{}}
		counted.count(known)
		info := SetInfo{Pages: s.Documents, Chunks: s.Chunks, Lag: h.Lag(s), Domains: counted.domains}
		if s.Chunks > 0 {
			info.TokensPerChunk = round(float64(counted.tokens) / float64(s.Chunks))
		}
		out.Sets = append(out.Sets, SetStats{Set: s.Ref.String(), Pages: s.Documents, Chunks: s.Chunks, Bytes: s.Bytes, Metrics: metrics([]SetInfo{info})})
	}
	for _, status := range []string{store.UploadPending, store.UploadProcessing, store.UploadCompleted, store.UploadFailed} {
		list, err := h.Documents(ctx, DocumentsRequest{Status: status, Limit: 1})
		if err != nil {
			return out, err
		}
		out.Documents = append(out.Documents, Count{status, list.Total})
	}
	for _, state := range JobStates() {
		var list contract.JobList
		if list, err = h.Jobs(ctx, JobsRequest{States: []string{state}, Limit: 1}); err != nil {
			return out, err
		}
		out.Jobs = append(out.Jobs, Count{state, list.Total})
	}
	return out, nil
}
