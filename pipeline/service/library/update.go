package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/doc"
)

// AddRequest says which folders are added, and under which names; an empty name, version
// or domain is the folder's, or the configuration's. An empty URLBase keeps the doc set's
// address, or takes the one that is found next to its pages.
type AddRequest struct {
	Paths                          []string
	Name, Version, Domain, URLBase string
	// Domains is the configuration of the home that they are added to.
	Domains domain.Settings
}

// UpdateRequest says which doc sets are brought up to date; none: all.
type UpdateRequest struct {
	Sets    []string
	Rebuild bool // every page is read again, and the index is built from nothing
	Check   bool // every file is compared by its hash, and not by its size and time
	Settle  bool // the learned vectors are trained again where passages were folded in
}

// RemoveRequest says which doc sets are forgotten.
type RemoveRequest struct{ Sets []string }

// Updated is what adding or updating doc sets did.
type Updated struct {
	Sets []ingest.Report `json:"sets"`
	// Vectors are the doc sets whose vectors by a model are up to date.
	Vectors []embed.Report `json:"vectors,omitempty"`
	// Missing are the errors of the doc sets whose folders are not there, each with its name
	// as the detail doc_set. The doc sets are unchanged.
	Missing []*contract.Error `json:"missing,omitempty"`
}

// Removed names the doc sets that were forgotten.
type Removed struct {
	Removed []string `json:"removed"`
}

// Plan is the doc sets that an AddRequest would add.
type Plan struct {
	Sets    []Candidate
	request AddRequest
}

// Candidate is a doc set that could be added.
type Candidate struct {
	ingest.Found
	Pages int
}

// VersionInName is the name and version of a candidate whose name ends with a version and that
// has none otherwise.
func (c Candidate) VersionInName() (doc.Ref, bool) {
	if c.Ref.Version != doc.DefaultVersion {
		return doc.Ref{}, false
	}
	return doc.SplitVersion(c.Ref.Name)
}

// refOf is the name under which a candidate is added.
func (p Plan) refOf(f Candidate) doc.Ref {
	return doc.Ref{Name: cmp.Or(p.request.Name, f.Ref.Name), Version: cmp.Or(p.request.Version, f.Ref.Version)}
}

// Renamed is the plan with another name and version for its doc set.
func (p Plan) Renamed(ref doc.Ref) Plan {
	p.request.Name, p.request.Version = ref.Name, ref.Version
	return p
}

// RenamedSet is the plan with another name and version for one of its doc sets.
func (p Plan) RenamedSet(i int, ref doc.Ref) Plan {
	p.Sets = slices.Clone(p.Sets)
	p.Sets[i].Ref = ref
	return p
}

// SetNames are the names under which the doc sets are added.
func (p Plan) SetNames() []string {
	names := make([]string, len(p.Sets))
	for i, f := range p.Sets {
		names[i] = p.refOf(f).String()
	}
	return names
}

// ErrSeveral means that a name, version or url_base was given for more than one doc set.
var ErrSeveral = errors.New("a name, version or url_base is for one doc set")

// Discover checks an AddRequest and finds the doc sets that its paths stand for. A path
// without a page is an error; a doc set without pages is left out if others have some.
// The plan is returned also with ErrSeveral.
func Discover(ctx context.Context, req AddRequest, parsers *parse.Registry, w home.Watch) (Plan, error) {
	plan := Plan{request: req}
	if req.Domain != "" && !slices.Contains(contract.Domains(), req.Domain) {
		return plan, contract.Invalid("domain", "the domain %q is none of %s", req.Domain, strings.Join(contract.Domains(), ", ")).
			WithRemedy(contract.Change("domain", contract.Domains()...))
	}
	for _, f := range [][2]string{{"name", req.Name}, {"version", req.Version}} {
		if f[1] == "" {
			continue
		}
		if err := doc.CheckName(f[1]); err != nil {
			return plan, contract.Invalid(f[0], "%v", err)
		}
	}
	if req.URLBase != "" {
		if err := doc.CheckURLBase(req.URLBase); err != nil {
			return plan, contract.Invalid("url_base",
				"%v; give the address below which the pages lie, such as https://docs.example.org/guide/", err)
		}
	}
	for _, p := range req.Paths {
		found, err := discover(ctx, req, p, parsers, w)
		if err != nil {
			return plan, err
		}
		plan.Sets = append(plan.Sets, found...)
	}
	if (req.Name != "" || req.Version != "" || req.URLBase != "") && len(plan.Sets) > 1 {
		e := contract.Invalid("name", "%v, and %s has %d", ErrSeveral, strings.Join(req.Paths, " "), len(plan.Sets))
		e.Err = ErrSeveral
		return plan, e
	}
	return plan, nil
}

// discover finds the doc sets that one path stands for.
func discover(ctx context.Context, req AddRequest, path string, parsers *parse.Registry, w home.Watch) ([]Candidate, error) {
	all, err := ingest.Discover(path)
	if err != nil {
		return nil, contract.Invalid("path", "%v", err)
	}
	var empty, some []Candidate
	there := "" // what the folder has in place of pages
	for _, f := range all {
		rules, _ := req.Domains.RulesOf(store.Set{Root: f.Root, Domain: cmp.Or(req.Domain, req.Domains.Repository.Domain),
			DomainGiven: req.Domain != ""}, parsers)
		found, err := ingest.ScanPages(ctx, f.Root, f.Layout, parsers, rules)
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			return nil, contract.Invalid("path", "add %s: %v; give a folder that you can read", path, err)
		}
		if len(found.Files) == 0 {
			empty = append(empty, Candidate{Found: f})
			if files := found.Unread.String(); files != "" {
				there = "; there are " + files
			}
		} else {
			some = append(some, Candidate{Found: f, Pages: len(found.Files)})
		}
	}
	if len(some) == 0 {
		return nil, contract.Invalid("path", "no page was found in %s%s; formats of pages are %s", path, there, parsers.Describe())
	}
	for _, f := range empty {
		w.Notef("no page was found in %s; it is left out", f.Root)
	}
	return some, nil
}

// Proposal is a doc set that a folder could be added as.
type Proposal struct {
	Candidate
	// KnownAs are the doc sets that have this folder already.
	KnownAs []doc.Ref
}

// Propose says what a folder would be added as.
func (svc *Service) Propose(ctx context.Context, path string) ([]Proposal, error) {
	plan, err := Discover(ctx, AddRequest{Paths: []string{path}, Domains: svc.home.Settings.Domains}, svc.home.Parsers, home.Watch{})
	if err != nil {
		return nil, err
	}
	known, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Proposal, len(plan.Sets))
	for i, f := range plan.Sets {
		out[i].Candidate = f
		for _, k := range known {
			if k.Root == f.Root {
				out[i].KnownAs = append(out[i].KnownAs, k.Ref)
			}
		}
	}
	return out, nil
}

// Add registers the doc sets of a plan and indexes them. A new one is forgotten
// again when it cannot be indexed, or when ctx ends first.
func (svc *Service) Add(ctx context.Context, plan Plan, w home.Watch) (Updated, error) {
	var sets []store.Set
	for _, f := range plan.Sets {
		s := store.Set{Ref: plan.refOf(f), Root: f.Root, Layout: f.Layout, Domain: svc.home.Settings.Domain}
		s.Domain, s.DomainGiven = cmp.Or(plan.request.Domain, s.Domain), plan.request.Domain != ""
		s.URLBase = plan.request.URLBase
		sets = append(sets, s)
	}
	var known []store.Set
	isNew := func(s store.Set) bool {
		return !slices.ContainsFunc(known, func(k store.Set) bool { return k.ID == s.ID })
	}
	out, err := svc.index(ctx, "add", UpdateRequest{}, w, isNew, func(wr *home.Writer) (_ []store.Set, err error) {
		// Looked up under the home's lock, so that no other process can take the
		// names.
		err = wr.Locked(ctx, func() (err error) {
			if known, err = svc.home.Corpus.Sets(ctx); err != nil {
				return err
			}
			if plan.request.Name == "" && plan.request.Version == "" {
				keepPlainNames(sets, known)
			}
			if sets, err = checkFree(sets, known, w); err != nil {
				return err
			}
			sets, err = wr.Register(ctx, sets)
			for i, s := range sets {
				if k := slices.IndexFunc(known, func(k store.Set) bool { return k.ID == s.ID }); k >= 0 {
					sets[i].URLBase, sets[i].Site = cmp.Or(s.URLBase, known[k].URLBase), known[k].Site
				}
			}
			return err
		})
		return sets, err
	})
	if err != nil {
		return out, err
	}
	size, err := home.Outgrown(ctx, svc.home)
	if size != "" {
		w.Notef("%s: %v", size, home.SizeHelp())
	}
	return out, err
}

// Update brings doc sets up to date with the files on disk.
func (svc *Service) Update(ctx context.Context, req UpdateRequest, w home.Watch) (Updated, error) {
	sets, err := svc.home.ResolveOrAll(ctx, req.Sets)
	if err != nil {
		return Updated{Sets: []ingest.Report{}}, err
	}
	if len(req.Sets) == 0 {
		sets = svc.updatedHere(sets, w)
	}
	return svc.index(ctx, "update", req, w, nil, func(*home.Writer) ([]store.Set, error) { return sets, nil })
}

// updatedHere are the doc sets whose files other machines do not have alone. The others are a note.
func (svc *Service) updatedHere(sets []store.Set, w home.Watch) []store.Set {
	return slices.DeleteFunc(slices.Clone(sets), func(s store.Set) bool {
		if s.Host != "" {
			w.Notef("%s is not updated here: its files lie on %s", s.Ref, s.Host)
		}
		return s.Host != ""
	})
}

// Remove forgets doc sets and their indexes. Their files stay. The manual cannot
// be removed.
func (svc *Service) Remove(ctx context.Context, req RemoveRequest) (Removed, error) {
	out := Removed{Removed: []string{}}
	sets, err := svc.home.Corpus.Resolve(ctx, req.Sets)
	if err != nil {
		return out, err
	}
	for _, s := range sets {
		if s.Ref == home.ManualRef() {
			return out, contract.Invalid("", "%s is built in and cannot be removed", s.Ref)
		}
		if svc.home.HoldsUploads(s) {
			return out, contract.Invalid("", "%s has the files that were handed in one by one, in docent's own folder; delete one of "+
				"them (%s/NAME), or all (%s/*)", s.Ref, s.Ref, s.Ref)
		}
	}
	if err := svc.home.Write(ctx, "rm", func(w *home.Writer) error { return w.Remove(ctx, sets) }); err != nil {
		return out, err
	}
	for _, s := range sets {
		out.Removed = append(out.Removed, s.Ref.String())
	}
	return out, svc.vectors.PruneRemoved(ctx)
}

// index updates doc sets, and then has a model make their vectors, after the lock
// is released. The work done before an error stays, and is in the answer.
func (svc *Service) index(ctx context.Context, purpose string, req UpdateRequest, watch home.Watch, isNew func(store.Set) bool,
	choose func(*home.Writer) ([]store.Set, error)) (Updated, error) {
	out, done, err := svc.IndexWords(ctx, purpose, req, watch, isNew, choose)
	if err == nil {
		out.Vectors, err = svc.vectors.Embed(ctx, done, req.Rebuild, watch)
	}
	return out, err
}

// IndexWords updates doc sets, without vectors by a model. A doc set that isNew is forgotten again when it cannot be indexed, and
// so are the new ones behind it. done are those that were updated.
func (svc *Service) IndexWords(ctx context.Context, purpose string, req UpdateRequest, watch home.Watch, isNew func(store.Set) bool,
	choose func(*home.Writer) ([]store.Set, error)) (out Updated, done []store.Set, err error) {
	out = Updated{Sets: []ingest.Report{}}
	diagnosis := diagnosis{svc: svc, purpose: purpose}
	defer func() { diagnosis.writeFile(ctx, watch) }()
	err = svc.home.Write(ctx, purpose, func(w *home.Writer) error {
		sets, err := choose(w)
		if err != nil {
			return err
		}
		w.Ingester.Check = req.Check
		for i, s := range sets {
			s, rep, err := svc.updateSet(ctx, w, s, req.Rebuild, watch)
			if errors.Is(err, ingest.ErrRootMissing) {
				_, e := home.Classify(err)
				e.Details = map[string]any{"doc_set": s.Ref.String()}
				out.Missing = append(out.Missing, e) // the others may be whole
				diagnosis.note(ctx, s, rep, err)
				watch.Notef("%v", err)
				continue
			}
			if err == nil && req.Settle {
				err = w.Ingester.Settle(ctx, s, watch.Events)
			}
			diagnosis.note(ctx, s, rep, err)
			if err != nil {
				if isNew == nil {
					return err
				}
				unread := slices.DeleteFunc(slices.Clone(sets[i:]), func(s store.Set) bool { return !isNew(s) })
				return errors.Join(err, w.Remove(context.WithoutCancel(ctx), unread))
			}
			out.Sets = append(out.Sets, rep)
			done = append(done, s)
			if watch.Report != nil {
				watch.Report(rep)
			}
		}
		return nil
	})
	if err == nil && svc.home.Unsearched != nil &&
		!slices.ContainsFunc(done, func(s store.Set) bool { return svc.home.Corpus.CheckIndex(ctx, s) != nil }) {
		svc.home.Unsearched = nil
	}
	return out, done, err
}

// updateSet updates one doc set, with the index that came with its documents.
func (svc *Service) updateSet(ctx context.Context, w *home.Writer, s store.Set, rebuild bool, watch home.Watch) (store.Set,
	ingest.Report, error) {
	s, came, err := svc.known.Ready(ctx, w, s, rebuild, watch)
	if err != nil {
		return s, ingest.Report{Set: s.Ref.String()}, err
	}
	rep, err := w.UpdateWatched(ctx, s, rebuild, watch)
	// The update finds the pages of the package unchanged.
	rep.Unchanged = max(0, rep.Unchanged-came.Added-came.Changed)
	rep.Added, rep.Changed, rep.Removed = rep.Added+came.Added, rep.Changed+came.Changed, rep.Removed+came.Removed
	return s, rep, err
}

// TakenError means that another folder has the name of a doc set that is to be
// added. It is an INVALID_REQUEST.
type TakenError struct {
	Ref   doc.Ref
	Root  string // the other folder
	Added string // a second folder of the same request; "": the other folder is a doc set already
}

// Manual reports whether the name is the built-in manual's.
func (e *TakenError) Manual() bool { return e.Ref == home.ManualRef() && e.Added == "" }

func (e *TakenError) Error() string {
	switch {
	case e.Added != "":
		return fmt.Sprintf("%s is already %s, and %s is to be added under that name too; add it by itself under another name", e.Ref,
			e.Root, e.Added)
	case e.Manual():
		return fmt.Sprintf("%s is the built-in manual; give it another name or version", e.Ref)
	}
	return fmt.Sprintf("%s is already %s; give it another name or version, or forget the old one first", e.Ref, e.Root)
}

// Unwrap gives its form for other programs.
func (e *TakenError) Unwrap() error { return contract.Invalid("name", "%s", e.Error()) }

// keepPlainNames leaves doc sets that are known by the names of their folders as they are, with
// generic names too.
func keepPlainNames(sets, known []store.Set) {
	for i, s := range sets {
		plain := doc.Ref{Name: doc.CleanName(filepath.Base(s.Root)), Version: doc.DefaultVersion}
		if slices.ContainsFunc(known, func(k store.Set) bool { return k.Root == s.Root && k.Ref == plain }) {
			sets[i].Ref = plain
		}
	}
}

// checkFree checks that the doc sets that are to be added have names that no other
// folder has, here or in the catalog; the same folder twice is added once.
func checkFree(sets, known []store.Set, w home.Watch) ([]store.Set, error) {
	var out []store.Set
	for _, s := range sets {
		if i := slices.IndexFunc(out, func(o store.Set) bool { return o.Ref == s.Ref }); i >= 0 {
			if out[i].Root == s.Root {
				continue
			}
			return nil, &TakenError{Ref: s.Ref, Root: out[i].Root, Added: s.Root}
		}
		if s.Ref == home.UploadsRef() {
			return nil, contract.Invalid("name", "%s is the name for files that are handed in one by one; give the folder another name "+
				"or version", s.Ref)
		}
		out = append(out, s)
		if k := slices.IndexFunc(known, func(k store.Set) bool { return k.Root == s.Root && k.Ref != s.Ref }); k >= 0 {
			w.Notef("%s is the doc set %s already, and becomes %s beside it; to forget the other: %v", s.Root, known[k].Ref,
				s.Ref, contract.RunDocent("rm", known[k].Ref.String()))
		}
		i := slices.IndexFunc(known, func(k store.Set) bool { return k.Ref == s.Ref })
		if i < 0 || known[i].Root == s.Root {
			continue
		}
		taken := &TakenError{Ref: s.Ref, Root: known[i].Root}
		if taken.Manual() {
			return nil, taken
		}
		if _, err := os.Stat(known[i].Root); errors.Is(err, fs.ErrNotExist) {
			w.Notef("%s was %s, which is not there any more; it is %s now", s.Ref, known[i].Root, s.Root)
			continue
		}
		return nil, taken
	}
	return out, nil
}

// Indexed is when a doc set's index was last written, the zero time where it has
// none. An update that finds nothing to do writes none.
func (svc *Service) Indexed(ctx context.Context, set store.Set) time.Time {
	at, err := svc.home.Indexes.Written(ctx, set.ID)
	if err != nil {
		return time.Time{}
	}
	return at
}
