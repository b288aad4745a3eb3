package library

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/service/inbox"
	"docent/store"
	"docent/store/doc"
)

// PageState is a page of a doc set and its state on disk.
type PageState struct {
	Path  string `json:"file_path"`
	Title string `json:"page_title,omitempty"`
	State string `json:"state"`
	// Status is specification 4's, for documents of every doc set.
	Status string     `json:"status"`
	Format doc.Format `json:"format"`
	Reason string     `json:"reason,omitempty"` // of a page that failed or is left out
	Code   string     `json:"code,omitempty"`   // of a page that failed: specification 4's word for the reason
	// Document and Lane are those of a file that was handed in and is no page.
	Document string `json:"document_id,omitempty"`
	Lane     string `json:"lane,omitempty"`
	// Warnings are what the parser says of the page.
	Warnings []string `json:"warnings,omitempty"`
	// Words says how many words of its file its text has; missing of a page that was read before
	// they were counted.
	Words doc.WordCount `json:"words,omitzero"`
	// Domain is the page's, as it was indexed; of a page that is not, as it would be.
	Domain string `json:"domain,omitempty"`
	// Routing is what follows from the domain, nil of a page that is not indexed.
	Routing *store.Routing `json:"routing,omitempty"`
}

// BeingRead reports whether a worker is making a page of the file.
func (p PageState) BeingRead() bool { return p.Status == store.UploadProcessing }

// PageStates lists the pages of a doc set by path, each compared with its file by size
// and time; files that could not be indexed and those that are new are among them.
func (svc *Service) PageStates(ctx context.Context, docSet string) ([]PageState, error) {
	sets, err := svc.home.Corpus.Resolve(ctx, []string{docSet})
	if err != nil {
		return nil, err
	}
	set := sets[0]
	docs, err := svc.home.Corpus.Catalog.Documents(ctx, set.ID)
	if err != nil {
		return nil, err
	}
	onDisk := map[string]ingest.File{}
	found, err := svc.home.ScanFiles(ctx, set)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	for _, f := range found.Files {
		onDisk[f.Path] = f
	}
	looks := files.Looks{Folder: files.InFolder(set.Root, found.Paths)}
	failures, err := svc.home.Catalog.Failures(ctx, set.ID)
	if err != nil {
		return nil, err
	}
	out := make([]PageState, len(docs), len(docs)+len(failures))
	for i, d := range docs {
		out[i] = PageState{Path: d.Path, Title: d.Title, State: PageFresh, Status: store.UploadCompleted, Format: d.Format,
			Warnings: d.Warnings, Words: d.Arrival, Domain: cmp.Or(d.Domain, contract.DefaultDomain)}
		if d.Domain != "" {
			out[i].Routing = &d.Routing
		}
		switch f, ok := onDisk[d.Path]; {
		case !ok:
			out[i].State = PageGone
		case svc.changed(f, stateOf(d), &looks):
			out[i].State = PageChanged
		}
		delete(onDisk, d.Path)
	}
	for _, f := range failures {
		state := PageState{Path: f.Path, State: PageFailed, Status: store.UploadFailed, Format: f.Format,
			Reason: f.Stage + ": " + f.Reason, Code: f.Code}
		switch {
		case f.Stage == ingest.StageLeftOut:
			state.State, state.Reason = PageLeftOut, f.Reason
		case f.Code != "":
			state.Reason = f.Code + ": " + f.Reason
		}
		out = append(out, state)
		delete(onDisk, f.Path)
	}
	for _, f := range onDisk {
		out = append(out, PageState{Path: f.Path, State: PageNew, Status: store.UploadPending, Format: f.Format, Domain: f.Domain.Domain})
	}
	if svc.home.HoldsUploads(set) {
		if out, err = svc.withUploads(ctx, out); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b PageState) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// withUploads adds the files that were handed in and are no pages to the pages of their
// doc set.
func (svc *Service) withUploads(ctx context.Context, pages []PageState) ([]PageState, error) {
	s, release, err := svc.inbox.OpenForReading(ctx)
	if err != nil || s == nil {
		return pages, err
	}
	defer func() { _ = release() }() // it was open for reading
	all, _, err := s.ListUploads(ctx, store.UploadFilter{})
	if err != nil {
		return nil, svc.home.NoteDamage(err)
	}
	for _, u := range all {
		if u.Status == store.UploadCompleted {
			continue
		}
		if i := slices.IndexFunc(pages, func(p PageState) bool { return p.Path == u.Path }); i >= 0 {
			if pages[i].State == PageFailed {
				pages[i].Document, pages[i].Lane = u.ID, u.Lane
			}
			continue
		}
		state := PageState{Path: u.Path, Title: u.Filename, State: PageWaiting, Status: u.Status, Format: doc.Format(u.Format),
			Reason: inbox.Document(u).FailReason, Document: u.ID, Lane: u.Lane}
		if u.Status == store.UploadFailed {
			state.State = PageFailed
		}
		pages = append(pages, state)
	}
	return pages, nil
}
