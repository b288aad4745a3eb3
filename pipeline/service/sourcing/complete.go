package sourcing

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/sourcing/kept"
	"docent/pipeline/source"
	"docent/store"
)

// mostRounds is how often a source is asked for included files at most: these include others
// in their turn, and a page looks for a few missing files at a time.
const mostRounds = 20

// completed is the outcome of indexing doc sets once the files that their pages include are
// there; reports are shown only then.
func (svc *Service) completed(ctx context.Context, fetched []store.Set, w home.Watch,
	index func(home.Watch) (library.Updated, error)) (library.Updated, error) {
	held := w
	held.Report = func(r ingest.Report) {
		if w.Report != nil && !slices.ContainsFunc(fetched, func(s store.Set) bool { return s.Ref.String() == r.Set }) {
			w.Report(r)
		}
	}
	out, err := index(held)
	for i, r := range out.Sets {
		k := slices.IndexFunc(fetched, func(s store.Set) bool { return s.Ref.String() == r.Set })
		if k < 0 {
			continue
		}
		if err == nil {
			err = svc.complete(ctx, r.Set, &out.Sets[i], held)
		}
		if w.Report != nil {
			w.Report(out.Sets[i])
		}
	}
	return out, err
}

// complete fetches the files that a doc set's pages take text from and that lie elsewhere in
// its source, and indexes those pages again. The report has their warnings then.
func (svc *Service) complete(ctx context.Context, name string, report *ingest.Report, w home.Watch) error {
	sets, err := svc.home.Corpus.Resolve(ctx, []string{name})
	if err != nil {
		return err
	}
	s := sets[0]
	r, folder, ok, err := kept.ReadRecord(ctx, svc.home, s)
	if err != nil || !ok {
		return err
	}
	f := fetching{svc: svc, want: r.Want}
	if err := f.choose(); err != nil {
		return nil // it was fetched by another docent
	}
	completer, ok := f.fetcher.(source.Completer)
	if !ok {
		return nil
	}
	rounds := 0
	for ; rounds < mostRounds; rounds++ {
		n, err := svc.fetchMissing(ctx, f, completer, s, filepath.Join(folder, kept.Pages), r.Root, w)
		if err != nil || n == 0 {
			if err != nil {
				w.Notef("%s: files that its pages include could not be fetched: %v", s.Ref, err)
			}
			break
		}
		if err := svc.home.Shared.ShareSource(ctx, s.Ref, folder); err != nil {
			return err
		}
		if err := svc.indexAgain(ctx, library.UpdateRequest{Sets: []string{name}}, report, w); err != nil {
			return err
		}
	}
	if rounds == 0 {
		return ctx.Err()
	}
	// The vectors were learned from pages without what they include.
	return svc.indexAgain(ctx, library.UpdateRequest{Sets: []string{name}, Settle: true}, report, w)
}

// fetchMissing fetches the files that pages look for in vain; n is how many came.
func (svc *Service) fetchMissing(ctx context.Context, f fetching, c source.Completer, s store.Set, pages, root string,
	w home.Watch) (n int, err error) {
	missing, err := svc.missing(ctx, s, root)
	if err != nil || len(missing) == 0 {
		return 0, err
	}
	return c.Complete(ctx, f.explained, pages, missing, func(p source.Progress) {
		if w.Events != nil {
			w.Events(contract.Event{Phase: PhaseFetch, Kind: contract.PhaseProgress, Text: p.Text, Done: p.Done, Total: p.Total})
		}
	})
}

// indexAgain updates a doc set; the report has its warnings then.
func (svc *Service) indexAgain(ctx context.Context, req library.UpdateRequest, report *ingest.Report, w home.Watch) error {
	again, err := svc.library.Update(ctx, req, w)
	for _, a := range again.Sets {
		report.Warnings, report.Failed, report.Unread = a.Warnings, a.Failed, a.Unread
	}
	return err
}

// missing are the files that pages would take text from, by their paths in the source.
func (svc *Service) missing(ctx context.Context, s store.Set, root string) ([]string, error) {
	pages, err := svc.home.Corpus.Catalog.Files(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range pages {
		for _, u := range p.Uses {
			if u.SHA256 != "" || len(u.Endings) > 0 {
				continue
			}
			if in := path.Join(root, u.Path); !strings.HasPrefix(in, "../") {
				out = append(out, in)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
