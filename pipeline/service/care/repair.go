package care

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/text/plural"
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

	step finding.Step
}

// PlanRepairs says what Repair and a new start do about what Doctor found, in the order
// in which it is done. left are the faults that only a person can mend.
func PlanRepairs(e Examination) (repairs []Repair, left []finding.Finding) {
	steps, left := finding.Plan(e.Findings)
	for _, s := range steps {
		repairs = append(repairs, Repair{Check: s.Check, Action: s.Action, Reopen: s.Repair.Reopens(), step: s})
	}
	return repairs, left
}

// Repair does one repair, but not the opening again, which its caller does.
func (svc *Service) Repair(ctx context.Context, r Repair, w home.Watch) (Repair, error) {
	var err error
	switch r.step.Repair {
	case finding.RepairOwner:
		err = svc.restorePermissions()
	case finding.RepairKept:
		err = svc.vectors.PutCacheAside(ctx)
	case finding.RepairServer:
		if s, ok := svc.home.Indexes.(home.Server); ok {
			err = s.AllowChanges(ctx)
		}
	case finding.RepairUploads:
		err = svc.restoreRecords(ctx)
	case finding.RepairShared:
		err = svc.keepShared(ctx)
	case finding.RepairUpdate:
		var out library.Updated
		req := library.UpdateRequest{Sets: []string{r.step.Set}, Rebuild: r.step.Rebuild, Check: r.step.Compare}
		if out, err = svc.library.Update(ctx, req, w); err == nil {
			for _, m := range out.Missing {
				err = errors.Join(err, m)
			}
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
	if finding.IsDamaged(err) {
		return e, nil // Doctor found it
	}
	if err != nil {
		return e, err
	}
	for _, s := range sets {
		known, err := svc.home.Corpus.Catalog.Files(ctx, s.ID)
		if finding.IsDamaged(err) {
			continue // it was found already
		}
		if err != nil {
			return e, err
		}
		f := finding.NoFault(finding.Contents, s.Ref.String(),
			plural.Count(len(known), "page has", "pages have")+" the content that was indexed")
		if s.Host != "" {
			continue // that machine compares them
		}
		changed, first, err := svc.otherContent(ctx, s, known)
		if err != nil {
			return e, err
		}
		if changed > 0 {
			e.Faults++
			f = f.Repairable(finding.RepairContents,
				fmt.Errorf("%s another content than was indexed, with the same size and time: %s",
					plural.Count(changed, "page has", "pages have"), first), "")
		}
		e.Findings = append(e.Findings, f)
	}
	return svc.compareShared(ctx, e)
}

// otherContent counts the files whose content changed and nothing else of them; what else
// changed an update sees anyway.
func (svc *Service) otherContent(ctx context.Context, s store.Set, known []store.FileState) (changed int, first string, err error) {
	if err := svc.home.Shared.Fill(ctx, s); err != nil {
		return 0, "", err
	}
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
