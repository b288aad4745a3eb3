package care

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/store"
)

// Each kind of damage that Doctor can find has a repair, but for what only a person can
// do: bring a folder back, correct the configuration, start a server.

// Repair is one repair: planned by Plan, done by Repair.
type Repair struct {
	Check  string `json:"check"`  // of the finding that it is for
	Action string `json:"action"` // what it does, in words
	Done   bool   `json:"done"`
	Error  string `json:"error,omitempty"`
	// Reopen says that the home must be opened again, which mends the catalog and the
	// list of doc sets.
	Reopen bool `json:"-"`

	set    string
	update library.UpdateRequest
	own    bool
	cache  bool
}

// PlanRepairs says what Repair and a new start do about what Doctor found, in the order
// in which it is done. left are the faults that only a person can mend.
func PlanRepairs(e Examination) (repairs []Repair, left []home.Finding) {
	updates := map[string]*Repair{}
	var order []string
	for _, f := range e.Findings {
		if f.OK {
			continue
		}
		kind, _, _ := strings.Cut(f.Check, " ")
		switch {
		case f.Check == "home":
			repairs = append(repairs, Repair{Check: f.Check, Action: "make what lies in the home readable and writable for its owner", own: true})
		case f.Check == "catalog":
			repairs = append(repairs, Repair{Check: f.Check, Action: "read the damaged pages again, or make the catalog again from the list of doc sets", Reopen: true})
		case f.Check == "list of doc sets":
			repairs = append(repairs, Repair{Check: f.Check, Action: "make list and catalog say the same", Reopen: true})
		case f.Check == "vectors by models":
			repairs = append(repairs, Repair{Check: f.Check, Action: "put vectors.db aside and begin it anew", cache: true})
		case f.Remedy != nil && f.Remedy.Kind == contract.RemedyRun && f.Remedy.Command[0] == "update":
			set := f.Remedy.Command[len(f.Remedy.Command)-1]
			r := updates[set]
			if r == nil {
				r = &Repair{set: set, update: library.UpdateRequest{Sets: []string{set}}}
				updates[set], order = r, append(order, set)
			} else {
				r.Check += ", "
			}
			r.Check += f.Check
			r.update.Rebuild = r.update.Rebuild || kind == "index" || slices.Contains(f.Remedy.Command, "--rebuild")
			r.update.Check = r.update.Check || slices.Contains(f.Remedy.Command, "--check")
		default:
			left = append(left, f)
		}
	}
	for _, set := range order {
		r := *updates[set]
		switch {
		case r.update.Rebuild:
			r.Action = "build the index and the vectors of " + set + " again"
		case r.update.Check:
			r.Action = "compare every file of " + set + ", and read those again that changed"
		default:
			r.Action = "bring " + set + " up to date"
		}
		repairs = append(repairs, r)
	}
	return repairs, left
}

// Repair does one repair, but not the opening again, which its caller does.
func (svc *Service) Repair(ctx context.Context, r Repair, w home.Watch) (Repair, error) {
	var err error
	switch {
	case r.own:
		err = svc.restorePermissions()
	case r.cache:
		err = svc.vectors.PutCacheAside(ctx)
	case r.set != "":
		var out library.Updated
		if out, err = svc.library.Update(ctx, r.update, w); err == nil {
			err = errors.Join(out.Missing...)
		}
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if r.Done = err == nil; err != nil {
		r.Error = err.Error()
	}
	return r, nil
}

// restorePermissions makes the owner of the home the only user who can read its files.
func (svc *Service) restorePermissions() error {
	entries, err := svc.home.ListOwn()
	for _, name := range entries {
		err = errors.Join(err, home.Own(filepath.Join(svc.home.Dir, name)))
	}
	if err != nil {
		return svc.home.CannotWrite(err)
	}
	return nil
}

// Deep compares the content of every page's file with the catalog: a change that keeps
// size and time, or a disk that rots, is seen by nothing else.
// It adds its findings to those of Doctor.
func (svc *Service) Deep(ctx context.Context, e Examination) (Examination, error) {
	sets, err := svc.home.Corpus.Sets(ctx)
	if svc.home.IsDamaged(err) {
		return e, nil // Doctor found it
	}
	if err != nil {
		return e, err
	}
	for _, s := range sets {
		known, err := svc.home.Corpus.Catalog.Files(ctx, s.ID)
		if svc.home.IsDamaged(err) {
			continue // it was found already
		}
		if err != nil {
			return e, err
		}
		f := home.Finding{Check: "contents " + s.Ref.String(), OK: true, Text: home.Plural(len(known), "page has", "pages have") + " the content that was indexed"}
		changed, first, err := svc.otherContent(ctx, s, known)
		if err != nil {
			return e, err
		}
		if changed > 0 {
			e.Faults++
			f = f.Failed(fmt.Errorf("%s another content than was indexed, with the same size and time: %s", home.Plural(changed, "page has", "pages have"), first), "",
				contract.Run("update", "--check", s.Ref.String()))
		}
		e.Findings = append(e.Findings, f)
	}
	return e, nil
}

// otherContent counts the files whose content changed and nothing else of them; what else
// changed an update sees anyway.
func (svc *Service) otherContent(ctx context.Context, s store.Set, known []store.FileState) (changed int, first string, err error) {
	for _, k := range known {
		if err := ctx.Err(); err != nil {
			return 0, "", err
		}
		file, st, err := files.Open(s.Root, k.Path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && (st.Size() != k.Bytes || st.ModTime().UnixNano() != k.ModTime) {
			if err == nil {
				err = file.Close()
			} else {
				err = nil
			}
			if err != nil {
				return 0, "", err
			}
			continue
		}
		if err != nil {
			return 0, "", fmt.Errorf("doc set %s: %w", s.Ref, err)
		}
		src, err := files.ReadAll(file, st)
		if err = errors.Join(err, file.Close()); err != nil {
			return 0, "", fmt.Errorf("doc set %s: %s: %w", s.Ref, k.Path, err)
		}
		if ingest.Hash(src) != k.SHA256 {
			if changed++; first == "" {
				first = k.Path
			}
		}
	}
	return changed, first, nil
}
