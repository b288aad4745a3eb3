package care

import (
	"context"

	"docent/pipeline/contract"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
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

// ReadStats reads the figures from the catalog; it does not look at the doc sets' folders.
func (svc *Service) ReadStats(ctx context.Context) (Stats, error) {
	var out Stats
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return out, err
	}
	for _, s := range sets {
		known, err := svc.home.Corpus.Catalog.Files(ctx, s.ID)
		if err != nil {
			return out, err
		}
		counted := library.OnDisk{Domains: map[string]int{}}
		counted.Count(known)
		info := library.SetInfo{Pages: s.Documents, Chunks: s.Chunks, Lag: svc.library.LastLag(s), Domains: counted.Domains}
		if s.Chunks > 0 {
			info.TokensPerChunk = library.RoundToTenth(float64(counted.Tokens) / float64(s.Chunks))
		}
		out.Sets = append(out.Sets, SetStats{Set: s.Ref.String(), Pages: s.Documents, Chunks: s.Chunks, Bytes: s.Bytes,
			Metrics: metrics([]library.SetInfo{info})})
	}
	for _, status := range []string{store.UploadPending, store.UploadProcessing, store.UploadCompleted, store.UploadFailed} {
		list, err := svc.intake.Documents(ctx, intake.DocumentsRequest{Status: status, Limit: 1})
		if err != nil {
			return out, err
		}
		out.Documents = append(out.Documents, Count{status, list.Total})
	}
	for _, state := range intake.JobStates() {
		var list contract.JobList
		if list, err = svc.intake.Jobs(ctx, intake.JobsRequest{States: []string{state}, Limit: 1}); err != nil {
			return out, err
		}
		out.Jobs = append(out.Jobs, Count{state, list.Total})
	}
	return out, nil
}
