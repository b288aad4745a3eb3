package home

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"docent/pipeline/ingest"
	"docent/pipeline/parse/files"
	"docent/store"
	"docent/store/doc"
)

// The states of a doc set's index beside the files on disk.
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
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Set      string   `json:"set"`
	Root     string   `json:"root"`
	Layout   string   `json:"layout"`
	Domain   string   `json:"domain"`
	URLBase  string   `json:"url_base,omitempty"` // by which the pages got their addresses
	Pages    int      `json:"pages"`
	Sections int      `json:"sections"`
	Chunks   int      `json:"chunks"`
	Lines    int      `json:"lines"`
	Bytes    int64    `json:"bytes"`
	Fresh    string   `json:"freshness"` // Fresh, Stale or Missing
	Changes  *Changes `json:"changes,omitempty"`
	// Unread counts the files that no parser reads; Failed are the files that could not
	// be indexed, each with its reason.
	Unread ingest.Unread   `json:"left_out,omitzero"`
	Failed []store.Failure `json:"failed,omitempty"`
	// Vectors are those by a model, if there are any.
	Vectors *VectorInfo `json:"vectors,omitempty"`
	// Learned are the learned vectors, where they are not those that training on the
	// pages as they are would give.
	Learned *LearnedInfo `json:"learned,omitempty"`
	// Lag is that of the last update that was followed, in milliseconds: see Followed.
	Lag *int64 `json:"index_lag_ms,omitempty"`
}

// LearnedInfo is how far learned vectors are behind the pages. They serve
// meanwhile; UpdateRequest.Settle trains them again.
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
	// Weight is how much they count beside the words, as measured by so many
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
func (h *Home) Sets(ctx context.Context, names []string) (SetsAnswer, error) {
	sets, err := h.Chosen(ctx, names)
	if err != nil {
		return SetsAnswer{}, err
	}
	slices.SortStableFunc(sets, func(a, b store.Set) int {
		return cmp.Or(strings.Compare(a.Ref.Name, b.Ref.Name), doc.CompareVersions(a.Ref.Version, b.Ref.Version))
	})
	out := SetsAnswer{Sets: []SetInfo{}}
	for _, s := range sets {
		info, err := h.setInfo(ctx, s)
		if err != nil {
			return SetsAnswer{}, err
		}
		out.Sets = append(out.Sets, info)
	}
	return out, nil
}

// Chosen is the doc sets named, or all.
func (h *Home) Chosen(ctx context.Context, names []string) ([]store.Set, error) {
	if len(names) == 0 {
		return h.Corpus.Sets(ctx)
	}
	return h.Corpus.Resolve(ctx, names)
}

func (h *Home) setInfo(ctx context.Context, s store.Set) (SetInfo, error) {
	disk, err := h.compare(ctx, s)
	if err != nil {
		return SetInfo{}, err
	}
	vectors, err := h.vectorInfo(ctx, s)
	if err != nil {
		return SetInfo{}, err
	}
	learned, err := h.learnedInfo(ctx, s)
	if err != nil {
		return SetInfo{}, err
	}
	return SetInfo{
		Name: s.Ref.Name, Version: s.Ref.Version, Set: s.Ref.String(), Root: s.Root, Layout: string(s.Layout), Domain: s.Domain, URLBase: s.Site,
		Pages: s.Documents, Sections: s.Sections, Chunks: s.Chunks, Lines: s.Lines, Bytes: s.Bytes,
		Fresh: disk.fresh, Changes: disk.changes, Unread: disk.unread, Failed: disk.failed, Vectors: vectors, Learned: learned, Lag: h.keptLag(s),
	}, nil
}

// vectorInfo describes a doc set's vectors by a model. Damaged vectors are
// reported by Doctor; here they count as missing.
func (h *Home) vectorInfo(ctx context.Context, s store.Set) (*VectorInfo, error) {
	st, err := h.ModelVectors(ctx, s)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil || st == nil {
		return nil, nil
	}
	weight, questions := h.VectorWeight(s, st.By)
	return &VectorInfo{Model: st.Engine, Dimension: st.Dimension, Passages: st.Passages, Complete: st.Complete(), Weight: weight, Questions: questions}, nil
}

// learnedInfo describes learned vectors that are not settled; nil: they are.
// Damaged indexes are reported by Doctor.
func (h *Home) learnedInfo(ctx context.Context, s store.Set) (*LearnedInfo, error) {
	l, err := h.Learning(ctx, s)
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
func (h *Home) Freshness(ctx context.Context, s store.Set) (string, *Changes, error) {
	d, err := h.compare(ctx, s)
	return d.fresh, d.changes, err
}

// onDisk is a doc set's folder beside its index.
type onDisk struct {
	fresh   string
	changes *Changes
	unread  ingest.Unread
	failed  []store.Failure
	newest  int64 // when the last of the new and changed files changed, as FileState.ModTime
}

// compare compares a doc set with the disk.
func (h *Home) compare(ctx context.Context, s store.Set) (onDisk, error) {
	if _, err := os.Stat(s.Root); err != nil {
		return onDisk{fresh: Missing}, nil
	}
	found, err := ingest.Scan(ctx, s.Root, s.Layout, h.Parsers)
	if err != nil {
		return onDisk{fresh: Missing}, nil
	}
	known, err := h.Corpus.Catalog.Files(ctx, s.ID)
	if err != nil {
		return onDisk{}, err
	}
	out := onDisk{fresh: Fresh, unread: found.Unread}
	if out.failed, err = h.cat.Failures(ctx, s.ID); err != nil {
		return onDisk{}, err
	}
	byPath := map[string]store.FileState{}
	for _, k := range known {
		byPath[k.Path] = k
	}
	failed := map[string]store.Failure{}
	for _, f := range out.failed {
		failed[f.Path] = f
	}
	looks := files.Looks{Folder: files.In(s.Root, found.Paths)}
	var ch Changes
	var newest int64
	for _, f := range found.Files {
		k, ok := byPath[f.Path]
		was, out := failed[f.Path]
		switch {
		case !ok && out && was.Bytes == f.Size && was.ModTime == f.ModTime && was.Format == f.Format && !h.Parsers.Outdated(was.Format, was.Parser):
			// An update would leave it out again.
		case !ok:
			ch.New, newest = ch.New+1, max(newest, f.ModTime)
		case h.changed(f, k, &looks):
			ch.Changed, newest = ch.Changed+1, max(newest, f.ModTime)
		}
		delete(byPath, f.Path)
	}
	if ch.Gone = len(byPath); ch != (Changes{}) {
		out.fresh, out.changes, out.newest = Stale, &ch, newest
	}
	return out, nil
}

// changed says whether a page's file, or one that it takes text from, is not as it was
// indexed.
func (h *Home) changed(f ingest.File, k store.FileState, looks *files.Looks) bool {
	return k.Bytes != f.Size || k.ModTime != f.ModTime || k.TOCModTime != f.TOCModTime || k.Format != f.Format ||
		h.Parsers.Outdated(k.Format, k.Parser) || !looks.Same(k.Uses)
}

// ListedSet is a doc set in a list that is shown while other work goes on.
type ListedSet struct {
	Ref     doc.Ref
	Root    string
	Pages   int
	Indexed time.Time // when its index was last written; zero: never
	Fresh   string    // Fresh, Stale or Missing
	Changes *Changes
}

// SetList lists the doc sets with their freshness. It opens no index.
func (h *Home) SetList(ctx context.Context) ([]ListedSet, error) {
	sets, err := h.Corpus.Sets(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]ListedSet, len(sets))
	for i, s := range sets {
		fresh, changes, err := h.Freshness(ctx, s)
		if err != nil {
			return nil, err
		}
		out[i] = ListedSet{Ref: s.Ref, Root: s.Root, Pages: s.Documents, Indexed: h.Indexed(ctx, s), Fresh: fresh, Changes: changes}
	}
	return out, nil
}

// The states of a page beside its file.
const (
	PageFresh   = "fresh"
	PageChanged = "changed"
	PageGone    = "gone"
	PageNew     = "new"      // an update will read it
	PageFailed  = "failed"   // it could not be indexed
	PageLeftOut = "left out" // its parser found that it is no page
)

// PageState is a page of a doc set and its state on disk.
type PageState struct {
	Path   string     `json:"file_path"`
	Title  string     `json:"page_title,omitempty"`
	State  string     `json:"state"`
	Format doc.Format `json:"format"`
	Reason string     `json:"reason,omitempty"` // of a page that failed or is left out
	// Warnings are what the parser says of the page.
	Warnings []string `json:"warnings,omitempty"`
}

// PageStates lists the pages of a doc set by path, each compared with its file by size
// and time; files that could not be indexed and those that are new are among them.
func (h *Home) PageStates(ctx context.Context, docSet string) ([]PageState, error) {
	sets, err := h.Corpus.Resolve(ctx, []string{docSet})
	if err != nil {
		return nil, err
	}
	set := sets[0]
	docs, err := h.Corpus.Catalog.Documents(ctx, set.ID)
	if err != nil {
		return nil, err
	}
	onDisk := map[string]ingest.File{}
	found, err := ingest.Scan(ctx, set.Root, set.Layout, h.Parsers)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	for _, f := range found.Files {
		onDisk[f.Path] = f
	}
	looks := files.Looks{Folder: files.In(set.Root, found.Paths)}
	failures, err := h.cat.Failures(ctx, set.ID)
	if err != nil {
		return nil, err
	}
	out := make([]PageState, len(docs), len(docs)+len(failures))
	for i, d := range docs {
		out[i] = PageState{Path: d.Path, Title: d.Title, State: PageFresh, Format: d.Format, Warnings: d.Warnings}
		switch f, ok := onDisk[d.Path]; {
		case !ok:
			out[i].State = PageGone
		case f.Size != d.Bytes || f.ModTime != d.ModTime || h.Parsers.Outdated(d.Format, d.Parser) || !looks.Same(d.Uses):
			out[i].State = PageChanged
		}
		delete(onDisk, d.Path)
	}
	for _, f := range failures {
		state := PageState{Path: f.Path, State: PageFailed, Format: f.Format, Reason: f.Stage + ": " + f.Reason}
		if f.Stage == ingest.StageLeftOut {
			state.State, state.Reason = PageLeftOut, f.Reason
		}
		out = append(out, state)
		delete(onDisk, f.Path)
	}
	for _, f := range onDisk {
		out = append(out, PageState{Path: f.Path, State: PageNew, Format: f.Format})
	}
	slices.SortFunc(out, func(a, b PageState) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}
