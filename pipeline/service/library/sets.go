package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse/files"
	"docent/store"
	"docent/store/doc"
	"docent/store/durable"
)

// The states of a doc set's index, compared with the files on disk.
const (
	Fresh   = "fresh"
	Stale   = "stale"   // files are new, changed or gone
	Missing = "missing" // the folder is not there
)

// SetsAnswer is the answer to Sets.
type SetsAnswer struct {
	Sets []SetInfo `json:"sets"`
}

// SetInfo is a doc set with its size and freshness.
type SetInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Set     string `json:"set"`
	// DocID and Supersedes are specification 5's: the doc set, and its older versions, the
	// next older one first.
	DocID      string   `json:"doc_id"`
	Supersedes []string `json:"supersedes,omitempty"`
	Root       string   `json:"root"`
	Host       string   `json:"host,omitempty"` // the machine that has the files, where that is another one
	Layout     string   `json:"layout"`
	Domain     string   `json:"domain"`
	URLBase    string   `json:"url_base,omitempty"` // by which the pages got their addresses
	Pages      int      `json:"pages"`
	Sections   int      `json:"sections"`
	Chunks     int      `json:"chunks"`
	Lines      int      `json:"lines"`
	Bytes      int64    `json:"bytes"`
	Fresh      string   `json:"freshness"` // Fresh, Stale or Missing
	Changes    *Changes `json:"changes,omitempty"`
	// Unread counts the files that no parser reads; Failed are the files that could not
	// be indexed, each with its reason.
	Unread ingest.Unread   `json:"left_out,omitzero"`
	Failed []store.Failure `json:"failed,omitempty"`
	// Vectors are those by a model, if there are any.
	Vectors *VectorInfo `json:"vectors,omitempty"`
	// Learned are the learned vectors, where they are not those that training on the
	// pages as they are would give.
	Learned *LearnedInfo `json:"learned,omitempty"`
	// Enriched is how much of the doc set is enriched, if enriching has started.
	Enriched *EnrichState `json:"enriched,omitempty"`
	// Origin is where the documents were fetched from; nil: they lie in a person's folder.
	Origin *contract.Origin `json:"source,omitempty"`
	// ChunksPerDoc and TokensPerChunk are averages: chunks of a page, and tokens of a
	// chunk as they are estimated, 0 where no page says its own.
	ChunksPerDoc   float64 `json:"chunks_per_doc"`
	TokensPerChunk float64 `json:"avg_tokens_per_chunk"`
	// Domains counts the pages by their domains.
	Domains map[string]int `json:"domains,omitempty"`
	// Lag is that of the last update that was followed, in milliseconds: see Followed.
	Lag *int64 `json:"index_lag_ms,omitempty"`
}

// LearnedInfo is how far learned vectors are behind the pages. They stay in use;
// UpdateRequest.Settle trains them again.
type LearnedInfo struct {
	Folded  int `json:"folded"`  // passages that were folded in since the training
	Removed int `json:"removed"` // passages that went since then
	// Due is why they should be trained again, "" while they need not.
	Due string `json:"due,omitempty"`
}

// VectorInfo is a doc set's vectors by a model.
type VectorInfo struct {
	Model     string `json:"model"`
	Dimension int    `json:"dimension"`
	Passages  int    `json:"passages"`
	Complete  bool   `json:"complete"`
	// Weight is their weight relative to the words, measured with this number of
	// questions.
	Weight    float64 `json:"weight"`
	Questions int     `json:"weight_questions"`
}

// Changes counts the files that differ from the index.
type Changes struct {
	New     int `json:"new"`
	Changed int `json:"changed"`
	Gone    int `json:"gone"`
}

// Sets describes the doc sets named, all where none is.
func (svc *Service) Sets(ctx context.Context, names []string) (SetsAnswer, error) {
	sets, err := svc.home.ResolveOrAll(ctx, names)
	if err != nil {
		return SetsAnswer{}, err
	}
	slices.SortStableFunc(sets, func(a, b store.Set) int {
		return cmp.Or(strings.Compare(a.Ref.Name, b.Ref.Name), doc.CompareVersions(a.Ref.Version, b.Ref.Version))
	})
	out := SetsAnswer{Sets: []SetInfo{}}
	for _, s := range sets {
		info, err := svc.SetInfo(ctx, s)
		if err != nil {
			return SetsAnswer{}, err
		}
		out.Sets = append(out.Sets, info)
	}
	return out, nil
}

// setsNamed describes the doc sets that are named: of a name without a version all versions.
func (svc *Service) setsNamed(ctx context.Context, req SetsRequest) (SetsAnswer, error) {
	if len(req.Words) == 0 {
		return svc.Sets(ctx, req.Names)
	}
	named, err := svc.home.Corpus.Resolve(ctx, req.Words)
	if err != nil {
		return SetsAnswer{}, err
	}
	all, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return SetsAnswer{}, err
	}
	names := slices.Clone(req.Names)
	for _, s := range named {
		names = append(names, s.Ref.String())
	}
	for _, s := range all {
		if slices.ContainsFunc(req.Words, func(word string) bool { return strings.EqualFold(word, s.Ref.Name) }) {
			names = append(names, s.Ref.String())
		}
	}
	return svc.Sets(ctx, names)
}

func (svc *Service) SetInfo(ctx context.Context, s store.Set) (SetInfo, error) {
	disk, err := svc.Compare(ctx, s)
	if err != nil {
		return SetInfo{}, err
	}
	vectors, err := svc.vectorInfo(ctx, s)
	if err != nil {
		return SetInfo{}, err
	}
	learned, err := svc.learnedInfo(ctx, s)
	if err != nil {
		return SetInfo{}, err
	}
	base, _ := doc.SplitSite(s.Site)
	info := SetInfo{
		Name: s.Ref.Name, Version: s.Ref.Version, Set: s.Ref.String(), Root: s.Root, Host: s.Host, Layout: string(s.Layout),
		Domain: svc.home.DomainOf(s), URLBase: base,
		Pages: s.Documents, Sections: s.Sections, Chunks: s.Chunks, Lines: s.Lines, Bytes: s.Bytes,
		Fresh: disk.fresh, Changes: disk.changes, Unread: disk.Unread, Failed: disk.failed, Vectors: vectors, Learned: learned,
		Lag:     svc.LastLag(s),
		Domains: disk.Domains, Enriched: svc.known.Enriched(s), Origin: svc.known.Origin(ctx, s),
	}
	info.DocID = info.Set
	older, err := svc.versioning.OlderSets(ctx, s)
	if err != nil {
		return SetInfo{}, err
	}
	for _, o := range older {
		info.Supersedes = append(info.Supersedes, o.Ref.String())
	}
	if s.Documents > 0 {
		info.ChunksPerDoc = RoundToTenth(float64(s.Chunks) / float64(s.Documents))
	}
	if disk.Tokens > 0 && s.Chunks > 0 {
		info.TokensPerChunk = RoundToTenth(float64(disk.Tokens) / float64(s.Chunks))
	}
	return info, nil
}

// RoundToTenth is a number with one decimal.
func RoundToTenth(x float64) float64 { return math.Round(10*x) / 10 }

// vectorInfo describes a doc set's vectors by a model. Damaged vectors are
// reported by Doctor; here they count as missing.
func (svc *Service) vectorInfo(ctx context.Context, s store.Set) (*VectorInfo, error) {
	st, err := svc.vectors.ModelVectors(ctx, s)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil || st == nil {
		return nil, nil
	}
	weight, questions := svc.vectors.VectorWeight(s, st.By)
	return &VectorInfo{Model: st.Engine, Dimension: st.Dimension, Passages: st.Passages, Complete: st.Complete(), Weight: weight,
		Questions: questions}, nil
}

// learnedInfo describes learned vectors that are not settled; nil: they are.
// Damaged indexes are reported by Doctor.
func (svc *Service) learnedInfo(ctx context.Context, s store.Set) (*LearnedInfo, error) {
	l, err := svc.learning(ctx, s)
	switch {
	case errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrVectorsDamaged) || err == nil && l.Settled:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &LearnedInfo{Folded: l.Folded, Removed: l.Removed, Due: l.Due}, nil
}

// Freshness compares a doc set with the disk, by the files' sizes and times; of files
// whose endings do not tell what they are, the beginnings are read. Changes are nil
// unless it is Stale.
func (svc *Service) Freshness(ctx context.Context, s store.Set) (string, *Changes, error) {
	d, err := svc.Compare(ctx, s)
	return d.fresh, d.changes, err
}

// OnDisk compares a doc set's folder with its index.
type OnDisk struct {
	fresh   string
	changes *Changes
	Unread  ingest.Unread
	failed  []store.Failure
	Domains map[string]int
	Tokens  int   // of all passages, 0 where a page does not say its own
	newest  int64 // when the last of the new and changed files changed, as FileState.ModTime
}

// Compare compares a doc set with the disk.
func (svc *Service) Compare(ctx context.Context, s store.Set) (OnDisk, error) {
	if s.Host != "" {
		return svc.unseen(ctx, s)
	}
	if err := svc.home.Shared.Fill(ctx, s); err != nil {
		return OnDisk{}, err
	}
	if _, err := os.Stat(s.Root); err != nil {
		return OnDisk{fresh: Missing}, nil
	}
	found, err := svc.home.ScanFiles(ctx, s)
	if err != nil && (ctx.Err() != nil || durable.Exhausted(err)) {
		return OnDisk{}, fmt.Errorf("look at %s: %w", s.Root, err) // it may be there
	}
	if err != nil {
		return OnDisk{fresh: Missing}, nil
	}
	known, err := svc.home.Corpus.Catalog.Files(ctx, s.ID)
	if err != nil {
		return OnDisk{}, err
	}
	out := OnDisk{fresh: Fresh, Unread: found.Unread, Domains: map[string]int{}}
	out.Count(known)
	for _, k := range known {
		out.Unread.LeaveUsed(k.Uses)
	}
	if out.failed, err = svc.home.Catalog.Failures(ctx, s.ID); err != nil {
		return OnDisk{}, err
	}
	byPath := map[string]store.FileState{}
	for _, k := range known {
		byPath[k.Path] = k
	}
	failed := map[string]store.Failure{}
	for _, f := range out.failed {
		failed[f.Path] = f
	}
	looks := files.Looks{Folder: files.InFolder(s.Root, found.Paths)}
	var ch Changes
	var newest int64
	for _, f := range found.Files {
		k, ok := byPath[f.Path]
		was, out := failed[f.Path]
		switch {
		case !ok && out && ingest.AsFailed(f, was) && !svc.home.Parsers.Outdated(was.Format, was.Parser) && !readable(s, was):
			// An update would leave it out again.
		case !ok:
			ch.New, newest = ch.New+1, max(newest, f.ModTime)
		case svc.changed(f, k, &looks):
			ch.Changed, newest = ch.Changed+1, max(newest, f.ModTime)
		}
		delete(byPath, f.Path)
	}
	if ch.Gone = len(byPath); ch != (Changes{}) {
		out.fresh, out.changes, out.newest = Stale, &ch, newest
	}
	return out, nil
}

// Count sums up what the catalog says of the pages.
func (d *OnDisk) Count(known []store.FileState) {
	all := true
	for _, k := range known {
		d.Domains[cmp.Or(k.Domain, contract.DefaultDomain)]++
		d.Tokens += k.Routing.Tokens
		all = all && k.Domain != ""
	}
	if !all {
		d.Tokens = 0
	}
}

// changed reports whether a page's file, or one that it takes text from, is not as it was
// indexed.
func (svc *Service) changed(f ingest.File, k store.FileState, looks *files.Looks) bool {
	return !ingest.AsIndexed(f, k, looks.Same) || svc.home.Parsers.Outdated(k.Format, k.Parser)
}

// stateOf is what an update compares of a document.
func stateOf(d store.Document) store.FileState {
	return store.FileState{
		ID: d.ID, Path: d.Path, Bytes: d.Bytes, ModTime: d.ModTime, SHA256: d.SHA256, TOCPath: d.TOCPath, TOCModTime: d.TOCModTime,
		Format: d.Format, Parser: d.Parser, Uses: d.Uses, Domain: d.Domain, Routing: d.Routing,
	}
}

// ListedSet is a doc set in a list that is shown while other work goes on.
type ListedSet struct {
	Ref     doc.Ref
	Root    string
	Pages   int
	Indexed time.Time // when its index was last written; zero: never
	Fresh   string    // Fresh, Stale or Missing
	Changes *Changes
	// Failed counts the files that could not be indexed, Waiting those that were handed
	// in and that a worker makes pages.
	Failed, Waiting int
}

// SetList lists the doc sets with their freshness. It opens no index.
func (svc *Service) SetList(ctx context.Context) ([]ListedSet, error) {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]ListedSet, len(sets))
	for i, s := range sets {
		disk, err := svc.Compare(ctx, s)
		if err != nil {
			return nil, err
		}
		out[i] = ListedSet{Ref: s.Ref, Root: s.Root, Pages: s.Documents, Indexed: svc.Indexed(ctx, s), Fresh: disk.fresh,
			Changes: disk.changes}
		for _, f := range disk.failed {
			if f.Stage != ingest.StageLeftOut {
				out[i].Failed++
			}
		}
		if svc.home.HoldsUploads(s) {
			counts, err := svc.inbox.CountDocuments(ctx)
			if err != nil {
				return nil, err
			}
			out[i].Failed, out[i].Waiting = counts[store.UploadFailed], counts[store.UploadPending]+counts[store.UploadProcessing]
		}
	}
	return out, nil
}

// The states of a page, compared with its file.
const (
	PageFresh   = "fresh"
	PageChanged = "changed"
	PageGone    = "gone"
	PageNew     = "new"      // an update will read it
	PageFailed  = "failed"   // it could not be indexed
	PageLeftOut = "left out" // its parser found that it is no page
	PageWaiting = "waiting"  // it was handed in, and a worker makes it a page
)

// String says it in words: "1 new, 2 changed".
func (c Changes) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{c.New, "new"}, {c.Changed, "changed"}, {c.Gone, "gone"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}
