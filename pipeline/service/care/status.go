package care

import (
	"context"
	"fmt"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/store/doc"
)

// Status describes the contents of a home. Its fields stand in the order of their JSON
// names.
type Status struct {
	Bytes    int64             `json:"bytes"` // of the sources
	Config   string            `json:"config"`
	Engine   string            `json:"engine"`
	Home     string            `json:"home"`
	Index    int64             `json:"index_bytes"`
	Pages    int               `json:"pages"`
	Passages int               `json:"passages"`
	Sections int               `json:"sections"`
	Sets     []library.SetInfo `json:"sets"`
	Stores   Stores            `json:"stores"`
	// Uploads counts the files that were handed in, by specification 4's status.
	Uploads map[string]int `json:"uploads,omitempty"`
	Version string         `json:"version"`
	Metrics Metrics        `json:"metrics"`
	// Missing are programs that are not installed and that doc sets have files for.
	Missing []Lacking `json:"missing,omitempty"`
	// Stale counts the doc sets that are not fresh, Embedded those whose vectors
	// by Models are complete.
	Stale    int      `json:"-"`
	Embedded int      `json:"-"`
	Models   []string `json:"-"` // with their dimensions
	// Rows are those of features.
	Rows []Row `json:"-"`
	// Unsettled counts the doc sets whose learned vectors are behind their pages,
	// Folded the passages that were folded into them.
	Unsettled int `json:"-"`
	Folded    int `json:"-"`
}

// Stores are where the stores of the home lie: folders and files of this machine, or addresses of
// servers without their secrets.
type Stores struct {
	Catalog string `json:"catalog"`
	Index   string `json:"index"`
}

// LeftOut counts the files of all doc sets that no parser reads, that are pages in another
// domain, or whose parser found that they are no pages, and those that could not be indexed.
func (s Status) LeftOut() (unread, failed int) {
	for _, set := range s.Sets {
		unread += set.Unread.Files
		for _, r := range set.Unread.Others {
			unread += r.Files
		}
		for _, f := range set.Failed {
			if f.Stage == ingest.StageLeftOut {
				unread++
			} else {
				failed++
			}
		}
	}
	return unread, failed
}

// PagesAnswer is how the pages of a doc set stand.
type PagesAnswer struct {
	Set   string              `json:"set"`
	Pages []library.PageState `json:"pages"`
	// Words are those of all pages whose words were counted.
	Words  doc.WordCount `json:"words,omitzero"`
	Unread ingest.Unread `json:"left_out,omitzero"`
	// Origin is where the documents were fetched from; nil: they lie in a person's folder.
	Origin *contract.Origin `json:"source,omitempty"`
}

// SetStatus says how the pages of a doc set stand.
func (svc *Service) SetStatus(ctx context.Context, docSet string) (PagesAnswer, error) {
	sets, err := svc.home.Corpus.Resolve(ctx, []string{docSet})
	if err != nil {
		return PagesAnswer{}, err
	}
	disk, err := svc.library.Compare(ctx, sets[0])
	if err != nil {
		return PagesAnswer{}, err
	}
	pages, err := svc.library.PageStates(ctx, docSet)
	answer := PagesAnswer{Set: sets[0].Ref.String(), Pages: pages, Unread: disk.Unread, Origin: svc.library.Origin(ctx, sets[0])}
	for _, p := range pages {
		answer.Words.Add(p.Words)
	}
	return answer, err
}

// Status describes the home.
func (svc *Service) Status(ctx context.Context) (Status, error) {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return Status{}, err
	}
	counts, err := svc.inbox.CountDocuments(ctx)
	if err != nil {
		return Status{}, err
	}
	out := Status{Uploads: counts, Config: svc.home.Settings.ConfigPath, Engine: contract.EngineBuiltin, Home: svc.home.Dir,
		Sets: []library.SetInfo{}, Version: home.Version, Stores: Stores{Catalog: svc.home.CatalogName(), Index: svc.home.Indexes.Name()}}
	for _, s := range sets {
		info, err := svc.library.SetInfo(ctx, s)
		if err != nil {
			return Status{}, err
		}
		out.Sets = append(out.Sets, info)
		out.Pages, out.Sections, out.Passages, out.Bytes = out.Pages+info.Pages, out.Sections+info.Sections, out.Passages+info.Chunks,
			out.Bytes+info.Bytes
		if info.Fresh != library.Fresh {
			out.Stale++
		}
		if l := info.Learned; l != nil {
			out.Unsettled++
			out.Folded += l.Folded
		}
		if v := info.Vectors; v != nil {
			if v.Complete {
				out.Embedded++
			}
			if name := fmt.Sprintf("%s (%d dimensions)", v.Model, v.Dimension); !slices.Contains(out.Models, name) {
				out.Models = append(out.Models, name)
			}
		}
		if n, err := svc.home.Corpus.IndexBytes(ctx, s); err == nil {
			out.Index += n
		}
	}
	for _, row := range svc.added.Rows {
		if r := row(out.Sets); r != nil {
			out.Rows = append(out.Rows, *r)
		}
	}
	out.Metrics = metrics(out.Sets)
	out.Missing, err = svc.Lacking(ctx)
	return out, err
}
