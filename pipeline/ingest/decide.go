package ingest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"docent/store"
)

// decided tells of the files' domains.
func (u *update) decided(found Scanned) {
	tell := u.in.Trace.Decided
	if tell == nil {
		return
	}
	all := slices.Clone(found.Elsewhere)
	for _, f := range found.Files {
		all = append(all, Decided{File: f.Path, Decision: f.Domain})
	}
	slices.SortFunc(all, func(a, b Decided) int { return strings.Compare(a.File, b.File) })
	for _, d := range all {
		tell(d)
	}
}

// leaveAlone takes note of a page that need not be read.
func (u *update) leaveAlone(f File, old *store.FileState) {
	u.report.Unread.LeaveUsed(old.Uses)
	u.reroute(f, old)
}

// reroute gives a page that need not be read the routing of the present configuration. One
// that was read before there were domains keeps none.
func (u *update) reroute(f File, old *store.FileState) {
	if old.Domain == "" {
		return
	}
	now := u.routing(f, old.Routing.SliceType)
	now.Extractor, now.Tokens = old.Routing.Extractor, old.Routing.Tokens
	if now != old.Routing {
		u.publish.Touched = append(u.publish.Touched, store.Touch{ID: old.ID, ModTime: old.ModTime, Uses: old.Uses, Routing: now})
	}
}

func (u *update) routing(f File, sliceType string) store.Routing {
	return u.in.Domains.Routing.RouteFor(f.Domain, sliceType, u.set.Ref)
}

// indexed tells of a page that was made ready for the index.
func (u *update) indexed(p *page) {
	if tell := u.in.Trace.Indexed; tell != nil {
		r := p.document.Routing
		tell(Indexed{
			Decided: Decided{File: p.file.Path, Decision: p.file.Domain}, Index: r.Index, Extractor: r.Extractor,
			Chunks: len(p.document.Outline.Chunks), Millis: cmp.Or(p.took.Milliseconds(), min(1, int64(p.took/time.Microsecond))),
			Words: p.document.Arrival,
		})
	}
}
