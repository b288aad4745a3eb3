package care

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

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

	kind   home.RepairKind
	update library.UpdateRequest // of RepairUpdate
}

// actions are what repairs do that are not of one doc set, in words.
var actions = map[home.RepairKind]string{
	home.RepairOwner:   "make what lies in the home readable and writable for its owner",
	home.RepairCatalog: "read the damaged pages again, or make the catalog again from the list of doc sets",
	home.RepairList:    "make list and catalog say the same",
	home.RepairKept:    "put vectors.db aside and begin it anew",
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
		switch f.Repair {
		case home.RepairByPerson:
			left = append(left, f)
		case home.RepairOwner, home.RepairCatalog, home.RepairList, home.RepairKept:
			repairs = append(repairs, Repair{Check: f.Check, Action: actions[f.Repair], Reopen: f.Repair.Reopens(), kind: f.Repair})
		default:
			r := updates[f.Subject]
			if r == nil {
				r = &Repair{kind: home.RepairUpdate, update: library.UpdateRequest{Sets: []string{f.Subject}}}
				updates[f.Subject], order = r, append(order, f.Subject)
			} else {
				r.Check += ", "
			}
			r.Check += f.Check
			r.update.Rebuild = r.update.Rebuild || f.Repair == home.RepairIndex
			r.update.Check = r.update.Check || f.Repair == home.RepairContents
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
	switch r.kind {
	case home.RepairOwner:
		err = svc.restorePermissions()
	case home.RepairKept:
		err = svc.vectors.PutCacheAside(ctx)
	case home.RepairUpdate:
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
		err = errors.Join(err, home.OwnAlone(filepath.Join(svc.home.Dir, name)))
	}
	if err != nil {
		return svc.home.CannotWrite(err)
	}
	return nil
}

// CompareContents compares the content of every page's file with the catalog: a change that keeps
// size and time, or a disk that rots, is seen by nothing else.
// It adds its findings to those of Doctor.
func (svc *Service) CompareContents(ctx context.Context, e Examination) (Examination, error) {
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
		f := home.FoundWell(home.FindContents, s.Ref.String(),
			home.Plural(len(known), "page has", "pages have")+" the content that was indexed")
		changed, first, err := svc.otherContent(ctx, s, known)
		if err != nil {
			return e, err
		}
		if changed > 0 {
			e.Faults++
			f = f.Repairable(home.RepairContents,
				fmt.Errorf("%s another content than was indexed, with the same size and time: %s",
					home.Plural(changed, "page has", "pages have"), first), "")
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
		file, st, err := files.OpenInside(s.Root, k.Path)
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
		if ingest.HashSource(src) != k.SHA256 {
			if changed++; first == "" {
				first = k.Path
			}
		}
	}
	return changed, first, nil
}
