package library

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/durable"
)

// DiagnosticsFile is the file of the domain specification that says what failed while doc
// sets were indexed. It is there as long as something failed the last time.
const DiagnosticsFile = "indexer_diagnostics.json"

// Diagnostics is what the file holds.
type Diagnostics struct {
	Version string           `json:"version"` // of the program
	Time    time.Time        `json:"time"`
	Purpose string           `json:"purpose"` // add, update …
	Sets    []SetDiagnostics `json:"sets"`
}

// SetDiagnostics is what failed of one doc set.
type SetDiagnostics struct {
	Set    string `json:"set"`
	Root   string `json:"root"`
	Domain string `json:"domain"`
	Error  string `json:"error,omitempty"` // why the update was not published, or what it could not do behind that
	// Failed are the files that could not be indexed, with the stage that failed.
	Failed []store.Failure `json:"failed,omitempty"`
}

func (svc *Service) diagnosticsPath() string { return filepath.Join(svc.home.Dir, DiagnosticsFile) }

// Diagnostics reads the file; nil where nothing failed.
func (svc *Service) Diagnostics() (*Diagnostics, error) {
	raw, err := os.ReadFile(svc.diagnosticsPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var d Diagnostics
	return &d, json.Unmarshal(raw, &d)
}

// diagnosis collects what fails of the doc sets that one command indexes.
type diagnosis struct {
	svc     *Service
	purpose string
	looked  []string // doc sets
	sets    []SetDiagnostics
}

// note takes in the outcome of one doc set.
func (d *diagnosis) note(ctx context.Context, s store.Set, rep ingest.Report, err error) {
	if err != nil && ctx.Err() != nil {
		return // a person ended it
	}
	d.looked = append(d.looked, s.Ref.String())
	out := SetDiagnostics{Set: s.Ref.String(), Root: s.Root, Domain: d.svc.home.DomainOf(s)}
	if err != nil {
		out.Error = err.Error()
	}
	for _, f := range rep.Failed {
		if f.Stage != ingest.StageLeftOut {
			out.Failed = append(out.Failed, f)
		}
	}
	if out.Error != "" || len(out.Failed) > 0 {
		d.sets = append(d.sets, out)
	}
}

// writeFile updates the file: doc sets that were not examined keep their entries. A file that
// cannot be written is reported and is not an error.
func (d *diagnosis) writeFile(ctx context.Context, w home.Watch) {
	if len(d.looked) == 0 {
		return
	}
	old, err := d.svc.Diagnostics()
	if err != nil {
		old = nil // whatever it is, it is written anew
	}
	if old == nil && len(d.sets) == 0 && err == nil {
		return
	}
	all := slices.Clone(d.sets)
	known, err := d.svc.home.Corpus.Sets(context.WithoutCancel(ctx))
	if old != nil && err == nil {
		for _, s := range old.Sets {
			there := slices.ContainsFunc(known, func(k store.Set) bool { return k.Ref.String() == s.Set })
			if there && !slices.Contains(d.looked, s.Set) {
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, func(a, b SetDiagnostics) int { return strings.Compare(a.Set, b.Set) })
	if err := d.svc.putDiagnostics(all, d.purpose); err != nil {
		w.Notef("%s cannot be written: %v", d.svc.diagnosticsPath(), err)
	}
}

func (svc *Service) putDiagnostics(sets []SetDiagnostics, purpose string) error {
	if len(sets) == 0 {
		if err := os.Remove(svc.diagnosticsPath()); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	raw, err := json.MarshalIndent(Diagnostics{Version: home.Version, Time: time.Now().UTC().Truncate(time.Second), Purpose: purpose,
		Sets: sets}, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(svc.diagnosticsPath(), append(raw, '\n'))
}
