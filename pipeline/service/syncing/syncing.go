// Package syncing adds the documentation of what a project uses: for each direct
// dependency at its locked version, from a recipe, the package or its repository. It
// writes docent.lock, by which others get the same.
//
// It refuses to fetch and to index, which the service sourcing does, and to decide where
// documentation is looked for, which docent/pipeline/source/planning does.
package syncing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/service/sourcing/kept"
	"docent/pipeline/source"
	"docent/pipeline/source/planning"
	"docent/pipeline/source/project"
	"docent/store/durable"
)

// Service adds the documentation of projects to an opened home.
type Service struct {
	adder Adder
	held  func(context.Context) ([]planning.Held, error)
	known Known
}

// Known is where documentation is looked for.
type Known struct {
	Recipes RecipesNow
	// Listed has the repositories of well-known packages; nil: there is no list.
	Listed planning.Listed
	// Missing is the client of an ecosystem if it is not installed, else ""; nil: all are.
	Missing func(ecosystem string) string
}

// Adder fetches a source and adds it as a doc set.
type Adder interface {
	Add(ctx context.Context, req sourcing.AddRequest, w home.Watch) (sourcing.Added, error)
}

// RecipesNow reads the recipes that there are at this moment: once for all dependencies of a project.
type RecipesNow func(ctx context.Context) (planning.Recipes, error)

// New makes the service.
func New(h *home.Home, adder Adder, known Known) *Service {
	return &Service{adder: adder, held: func(ctx context.Context) ([]planning.Held, error) { return heldBy(ctx, h) }, known: known}
}

// heldBy lists the doc sets of a home that were fetched.
func heldBy(ctx context.Context, h *home.Home) ([]planning.Held, error) {
	sets, err := h.Corpus.Sets(ctx)
	if err != nil {
		return nil, err
	}
	var out []planning.Held
	for _, s := range sets {
		if o := unpacked(kept.Origin(ctx, h, s)); o != nil {
			out = append(out, planning.Held{Name: s.Ref.Name, Version: s.Ref.Version, Source: o.Source, Commit: o.Commit,
				Digest: o.Digest, Path: o.Path})
		}
	}
	return out, nil
}

// unpacked is where documents came from before they were packed, if they were.
func unpacked(o *contract.Origin) *contract.Origin {
	if o != nil && o.Kind == source.KindPacked && o.From != nil {
		return o.From
	}
	return o
}

// Request says which project is synced.
type Request struct {
	Dir string
	// DryRun plans and changes nothing; nothing is asked of a network.
	DryRun bool
	// Only are names of dependencies or doc sets; the others stay as they are. Empty: all.
	Only []string
}

// The states of a dependency.
const (
	Here    = "here"    // the home has its documentation already
	Added   = "added"   // it was added
	Planned = "planned" // it would be added
	Missing = "missing" // none was found
)

// Row is a dependency and its documentation.
type Row struct {
	For     string `json:"for"`
	Version string `json:"version,omitempty"` // of the dependency
	File    string `json:"file"`
	Line    int    `json:"line"`
	Dev     bool   `json:"dev,omitempty"`
	State   string `json:"state"`
	// DocSet, Source and How say which documentation it has, or would have first.
	DocSet string `json:"doc_set,omitempty"`
	Source string `json:"source,omitempty"`
	How    string `json:"how,omitempty"`
	// Tried are the sources that did not do, each with its reason; of a planned one, those
	// that would be tried next.
	Tried []Tried `json:"tried,omitempty"`
	// Reason says why there is no documentation.
	Reason string `json:"reason,omitempty"`
}

// Tried is a source that was looked at.
type Tried struct {
	Source string `json:"source"`
	How    string `json:"how,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Synced is what a sync found and did.
type Synced struct {
	Dir          string            `json:"project"`
	Dependencies int               `json:"dependencies"`
	Documented   int               `json:"documented"` // those with documentation, planned ones with them
	Rows         []Row             `json:"rows"`
	Findings     []project.Finding `json:"findings,omitempty"`
	// Lock is the lock file, "" where none was written.
	Lock string `json:"lock,omitempty"`
}

// Checked is what a project, its lock and the home differ in.
type Checked struct {
	Dir         string                `json:"project"`
	Differences []planning.Difference `json:"differences"`
	Findings    []project.Finding     `json:"findings,omitempty"`
}

// opened is a project with its plan and its lock.
type opened struct {
	project.Project
	steps    []planning.Step // those that were asked for
	all      []planning.Step
	lock     planning.Lock
	lockFile string
	held     []planning.Held
	missing  func(ecosystem string) string
}

// open reads a project.
func (svc *Service) open(ctx context.Context, req Request) (o opened, err error) {
	if st, err := os.Stat(req.Dir); err != nil || !st.IsDir() {
		return o, contract.Invalid("dir", "%s is no folder; name a project's", req.Dir)
	}
	if o.Project, err = project.Read(ctx, req.Dir); err != nil {
		return o, err
	}
	if len(o.Files) == 0 {
		return o, contract.Invalid("dir", "%s has no go.mod, package.json, pyproject.toml, requirements.txt, Cargo.toml, Gemfile, "+
			"composer.json, pom.xml, libs.versions.toml or docent.toml; name a project's folder", req.Dir)
	}
	o.lockFile = filepath.Join(req.Dir, planning.LockFile)
	if o.lock, err = planning.ReadLock(o.lockFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return o, unreadableLock(o.lockFile, err)
	}
	recipes, err := svc.known.Recipes(ctx)
	if err != nil {
		return o, err
	}
	o.missing = svc.known.Missing
	o.all = planning.Make(o.Dependencies, recipes, svc.known.Listed)
	if o.steps, err = chosen(o.all, req.Only); err != nil {
		return o, err
	}
	o.held, err = svc.held(ctx)
	return o, err
}

// unreadableLock says that a docent.lock cannot be read, and what to do.
func unreadableLock(path string, err error) error {
	return contract.Invalid("lock", "%s: %v; take an older one from the repository, or remove it", path, err)
}

// chosen are the steps of some names: of dependencies, with their ecosystem or without, or
// of doc sets.
func chosen(steps []planning.Step, only []string) ([]planning.Step, error) {
	if len(only) == 0 {
		return steps, nil
	}
	var out []planning.Step
	known := map[string]bool{}
	for _, s := range steps {
		names := []string{s.Dependency.Name, planning.KeyOf(s.Dependency), s.Name}
		for _, o := range only {
			if slices.ContainsFunc(names, func(n string) bool { return n != "" && strings.EqualFold(n, o) }) {
				if len(out) == 0 || out[len(out)-1].Dependency != s.Dependency {
					out = append(out, s)
				}
				known[o] = true
			}
		}
	}
	for _, o := range only {
		if !known[o] {
			return nil, contract.Invalid("only", "the project uses no %q; leave it out to see what it uses", o)
		}
	}
	return out, nil
}

// Check compares a project with its lock, and the lock with the home.
func (svc *Service) Check(ctx context.Context, req Request) (Checked, error) {
	o, err := svc.open(ctx, req)
	if err != nil {
		return Checked{}, err
	}
	lock := o.lock
	if len(req.Only) > 0 {
		lock.Docs = slices.DeleteFunc(slices.Clone(lock.Docs), func(e planning.Locked) bool {
			return !slices.ContainsFunc(o.steps, func(s planning.Step) bool { return planning.KeyOf(s.Dependency) == e.For })
		})
	}
	out := Checked{Dir: req.Dir, Differences: planning.Check(o.steps, lock, o.held), Findings: o.Findings}
	if out.Differences == nil {
		out.Differences = []planning.Difference{}
	}
	return out, nil
}

// Sync adds the documentation of what a project uses. Dependencies without documentation
// are rows and no errors. A sync that ends early has locked all that it added.
func (svc *Service) Sync(ctx context.Context, req Request, w home.Watch) (out Synced, err error) {
	o, err := svc.open(ctx, req)
	if err != nil {
		return out, err
	}
	out = Synced{Dir: req.Dir, Dependencies: len(o.steps), Rows: []Row{}, Findings: o.Findings}
	if len(req.Only) == 0 {
		o.lock.Keep(o.Dependencies)
	}
	for i, s := range o.steps {
		if req.DryRun {
			out.add(plannedRow(s, o))
			continue
		}
		if len(o.steps) > 1 {
			w.Notef("%d of %d: %s", i+1, len(o.steps), s.Dependency)
		}
		row, entry, err := svc.step(ctx, s, &o, w)
		if err != nil {
			return out, err
		}
		out.add(row)
		o.lock.Set(entry)
		if out.Lock, err = o.writeLock(); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (s *Synced) add(r Row) {
	s.Rows = append(s.Rows, r)
	if r.State != Missing {
		s.Documented++
	}
}

// writeLock writes the lock if it changes.
func (o *opened) writeLock() (string, error) {
	fresh := o.lock.Format()
	if old, err := os.ReadFile(o.lockFile); err == nil && string(old) == string(fresh) {
		return o.lockFile, nil
	}
	if err := durable.WriteFile(o.lockFile, fresh); err != nil {
		return "", fmt.Errorf("write %s: %w", o.lockFile, err)
	}
	return o.lockFile, nil
}
