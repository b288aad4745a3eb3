package graph

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
	"docent/store"
	"docent/store/doc"
)

// ReferencesRequest asks for what leads to a page or a section of it, and from there.
type ReferencesRequest struct {
	locate.ReadRequest
	// Threshold is the score from which relations are shown; nil: the configuration's.
	Threshold *float64
}

// References are the relations of a page or section. Its fields stand in the order of
// their JSON names, behind those of the view.
type References struct {
	references.View
	DocSet    string  `json:"doc_set"`
	FilePath  string  `json:"file_path"`
	Threshold float64 `json:"threshold"`
}

// graphs are the opened reference graphs of a home.
type graphs struct {
	mu  sync.Mutex
	of  map[int64]*references.Graph
	all []int64 // in the order in which they were opened
	// editions are those of the relations that were added to them.
	editions map[int64]any
}

// mostGraphs is how many are held open.
const mostGraphs = 8

// WithGraph calls do with a doc set's reference graph, at the generation of its index.
// One that is missing, damaged or older is made first; while another process is at work
// on the doc set, that is waited for.
func (svc *Service) WithGraph(ctx context.Context, set store.Set, do func(*references.Graph) error) error {
	x, release, err := svc.home.Corpus.Index(ctx, set)
	if err != nil {
		return fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	generation := x.Generation()
	release()
	svc.graphs.mu.Lock()
	defer svc.graphs.mu.Unlock()
	g, err := svc.openGraph(ctx, set, generation, false)
	if err == nil {
		err = do(g)
	}
	if !errors.Is(err, references.ErrDamaged) {
		return err
	}
	// Its checksum holds, and what it says cannot be: another version wrote it.
	svc.graphs.dropGraph(set.ID)
	if g, err = svc.openGraph(ctx, set, generation, true); err != nil {
		return err
	}
	return do(g)
}

// EachGraph calls do with the reference graph of each doc set. A doc set that is being added
// has neither pages nor an index before its first pages are read: it is left out.
func (svc *Service) EachGraph(ctx context.Context, sets []store.Set, do func(store.Set, *references.Graph) error) error {
	for _, set := range sets {
		err := svc.WithGraph(ctx, set, func(g *references.Graph) error { return do(set, g) })
		if err != nil && !(set.Documents == 0 && errors.Is(err, store.ErrDamaged)) {
			return err
		}
	}
	return nil
}

// openGraph opens a doc set's reference graph; one that is missing, damaged or older, and
// with anew any, is made first.
func (svc *Service) openGraph(ctx context.Context, set store.Set, generation string, anew bool) (*references.Graph, error) {
	edition := svc.found.Edition(set)
	if g := svc.graphs.of[set.ID]; g != nil && g.Generation == generation && svc.graphs.editions[set.ID] == edition {
		return g, nil
	}
	g, err := svc.loadGraph(ctx, set)
	if err != nil && !errors.Is(err, references.ErrDamaged) && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("doc set %s: its reference graph: %w", set.Ref, err)
	}
	if err != nil || anew || !svc.isRight(ctx, set, g, generation) {
		svc.home.Say("the reference graph of %s is missing, damaged or older than its pages; it is made", set.Ref)
		err := svc.home.Write(ctx, "graph", func(w *home.Writer) error { return w.Ingester.MakeReferences(ctx, set, anew, nil) })
		if err != nil {
			return nil, fmt.Errorf("the reference graph of %s cannot be made: %w", set.Ref, err)
		}
		if g, err = svc.loadGraph(ctx, set); err != nil {
			return nil, fmt.Errorf("doc set %s: its reference graph: %w", set.Ref, err)
		}
	}
	if err := svc.found.AddTo(ctx, set, g); err != nil {
		return nil, err
	}
	svc.graphs.putGraph(set.ID, g)
	svc.graphs.editions[set.ID] = edition
	return g, nil
}

// isRight reports whether a graph is that of the index at this generation. One that names another
// generation is right where it was made of the same documents: a move of the indexes alone makes
// another index of them, and leaves the old one.
func (svc *Service) isRight(ctx context.Context, set store.Set, g *references.Graph, generation string) bool {
	if g.Rules != svc.home.ReferenceSettings().RulesName() {
		return false
	}
	if g.Generation == generation {
		return true
	}
	contents, err := svc.home.Indexes.Contents(ctx, set.ID)
	if err != nil || contents.Generation != generation || !g.IsOf(maps.Keys(contents.Documents), len(contents.Documents)) {
		return false
	}
	g.Generation = generation
	return true
}

func (svc *Service) loadGraph(ctx context.Context, set store.Set) (_ *references.Graph, err error) {
	stored, file, err := svc.home.Indexes.OpenReferences(ctx, set.ID)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	raw := make([]byte, stored.Size())
	if _, err := io.ReadFull(stored, raw); err != nil {
		return nil, err
	}
	// It is read behind the graph, which names it: one of a later graph counts for nothing.
	var patch []byte
	if patches, ok := svc.home.Indexes.(ingest.ReferencePatches); ok {
		if patch, err = patches.ReferencePatch(ctx, set.ID); err != nil {
			return nil, err
		}
	}
	return references.OpenGraph(set.Ref, raw, patch)
}

func (g *graphs) putGraph(id int64, graph *references.Graph) {
	if g.of == nil {
		g.of, g.editions = map[int64]*references.Graph{}, map[int64]any{}
	}
	g.dropGraph(id)
	if len(g.all) == mostGraphs {
		g.dropGraph(g.all[0])
	}
	g.of[id], g.all = graph, append(g.all, id)
}

func (g *graphs) dropGraph(id int64) {
	delete(g.of, id)
	delete(g.editions, id)
	g.all = slices.DeleteFunc(g.all, func(other int64) bool { return other == id })
}

// References gives what leads to a page or a section of it, and from there.
func (svc *Service) References(ctx context.Context, req ReferencesRequest) (References, error) {
	out := References{Threshold: svc.home.ReferenceSettings().Threshold}
	if req.Threshold != nil {
		out.Threshold = *req.Threshold
	}
	if out.Threshold < 0 || out.Threshold > 1 {
		return out, contract.Invalid("threshold", "the threshold is %v; give a number from 0 to 1", out.Threshold)
	}
	p, err := svc.locate.Page(ctx, req.ReadRequest)
	if err != nil {
		return out, err
	}
	section := references.Whole
	if req.Section != "" {
		s, err := locate.FindSection(p, req.Section)
		if err != nil {
			return out, err
		}
		section = s.Index
	}
	out.DocSet, out.FilePath = p.Set.Ref.String(), p.Path
	err = svc.WithGraph(ctx, p.Set, func(g *references.Graph) error {
		v, ok, err := g.View(p.Path, section, out.Threshold)
		if err == nil && !ok {
			err = changedPage(p.Path, p.Set.Ref)
		}
		out.View = v
		return err
	})
	if err == nil && section == references.Whole {
		err = svc.addVersions(ctx, p.Set, p.Path, &out.View)
	}
	return out, err
}

// versionRule names the edges between the versions of a doc set.
const versionRule = "version.page"

// addVersions adds the same page of the next older version, which the page supersedes, and of the
// next newer one, which supersedes it.
func (svc *Service) addVersions(ctx context.Context, set store.Set, path string, v *references.View) error {
	all, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(s store.Set) bool { return s.Ref.Name != set.Ref.Name })
	slices.SortStableFunc(all, func(a, b store.Set) int { return doc.CompareVersions(a.Ref.Version, b.Ref.Version) })
	own := slices.IndexFunc(all, func(s store.Set) bool { return s.Ref == set.Ref })
	if own < 0 {
		return nil
	}
	here := v.Node
	for _, side := range []struct {
		list  []store.Set
		older bool
	}{{reversed(all[:own]), true}, {all[own+1:], false}} {
		other, err := svc.pageOfVersion(ctx, side.list, path)
		if err != nil || other == nil {
			if err != nil {
				return err
			}
			continue
		}
		e := references.Edge{SourceID: here.ID, TargetID: other.ID, Type: references.Supersedes, Score: 1, Pattern: versionRule}
		if side.older {
			v.From = append(v.From, references.Relation{Edge: e, Other: other, In: &here})
			continue
		}
		e.SourceID, e.TargetID = other.ID, here.ID
		v.To = append(v.To, references.Relation{Edge: e, Other: other, In: &here})
	}
	return nil
}

func reversed(sets []store.Set) []store.Set {
	out := slices.Clone(sets)
	slices.Reverse(out)
	return out
}

// pageOfVersion is the page in the first of some doc sets, nil if that does not have it.
func (svc *Service) pageOfVersion(ctx context.Context, sets []store.Set, path string) (*references.Node, error) {
	if len(sets) == 0 {
		return nil, nil
	}
	var found *references.Node
	err := svc.WithGraph(ctx, sets[0], func(g *references.Graph) error {
		n, ok, err := g.PageNode(path)
		if ok {
			found = &n
		}
		return err
	})
	return found, err
}

// SectionReferences are the relations of a section by its number on its page, and the
// titles of the pages at their other ends.
type SectionReferences struct {
	references.View
	Titles map[string]string // by path
}

// SectionReferences gives what leads to a section of a page and from there. A page that
// changed since it was indexed may have other sections by now.
func (svc *Service) SectionReferences(ctx context.Context, docSet, path string, section int) (SectionReferences, error) {
	out := SectionReferences{Titles: map[string]string{}}
	sets, err := svc.home.Corpus.Resolve(ctx, []string{docSet})
	if err != nil {
		return out, err
	}
	err = svc.WithGraph(ctx, sets[0], func(g *references.Graph) error {
		v, ok, err := g.View(path, section, svc.home.ReferenceSettings().Threshold)
		if err == nil && !ok {
			err = changedPage(path, sets[0].Ref)
		}
		out.View = v
		for _, all := range [][]references.Relation{v.From, v.To} {
			for _, r := range all {
				if r.Other != nil {
					out.Titles[r.Other.Path] = g.Title(r.Other.Path)
				}
			}
		}
		return err
	})
	return out, err
}

// Examine looks at a doc set's reference graph. One that is not there, or not
// that of the index, is no fault: an update that was interrupted leaves it so, and it is
// made when it is asked for.
func (svc *Service) Examine(ctx context.Context, s store.Set) finding.Finding {
	f := finding.NoFault(finding.References, s.Ref.String(), "the whole graph has its checksum")
	later := func(what string) finding.Finding {
		f.Text = "the reference graph " + what + "; it is made when it is asked for, or by the next update"
		return f
	}
	g, err := svc.loadGraph(ctx, s)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return later("is missing")
	case errors.Is(err, references.ErrFormat):
		return later("is in the format of another version of docent")
	case err != nil:
		return f.Repairable(finding.RepairUpdate, err, "")
	case g.Rules != svc.home.ReferenceSettings().RulesName():
		return later("was made by other rules than those of now")
	}
	if contents, err := svc.home.Indexes.Contents(ctx, s.ID); err == nil && !svc.isRight(ctx, s, g, contents.Generation) {
		return later("is older than the index")
	}
	return f
}

// WithGraphAtHand calls do with a doc set's reference graph, if it is there and that of the doc
// set's index.
func (svc *Service) WithGraphAtHand(ctx context.Context, set store.Set, do func(*references.Graph) error) (bool, error) {
	x, release, err := svc.home.Corpus.Index(ctx, set)
	if err != nil {
		return false, ctx.Err() // the search reports the fault of the index
	}
	generation := x.Generation()
	release()
	svc.graphs.mu.Lock()
	defer svc.graphs.mu.Unlock()
	g := svc.graphs.of[set.ID]
	if g == nil || g.Generation != generation {
		if g, err = svc.loadGraph(ctx, set); err != nil || !svc.isRight(ctx, set, g, generation) {
			return false, ctx.Err()
		}
		svc.graphs.putGraph(set.ID, g)
	}
	if err := do(g); err != nil {
		if errors.Is(err, references.ErrDamaged) {
			svc.graphs.dropGraph(set.ID)
			return false, nil
		}
		return false, err
	}
	return true, ctx.Err()
}

// changedPage is the error of a page of which the graph has another version.
func changedPage(path string, set doc.Ref) error {
	return contract.Invalid("page", "%s changed since it was indexed", path).WithRemedy(
		contract.RunDocent("update", set.String()).To("reads it again"))
}
