// Package kept reads and writes the records of documents that were fetched: where they came
// from, and how the same is fetched again.
//
// It refuses to fetch.
package kept

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"docent/pipeline/service/home"
	"docent/pipeline/source"
	"docent/store"
	"docent/store/durable"
)

// The files of a doc set's folder of documents.
const (
	record = "origin.json"
	state  = "state"
	asked  = "asked"
	// Pages is the folder with the documents.
	Pages = "pages"
	// Index is the folder with an index that came with them, until it is taken over.
	Index = "index"
)

// Parts are the files and folders that all machines have of a folder of documents.
func Parts() []string { return []string{record, state, Pages} }

// format is the version of the record.
const format = 1

// Record describes the documents of a doc set.
type Record struct {
	Format int           `json:"format"`
	Want   source.Want   `json:"want"`
	Origin source.Origin `json:"origin"`
	// Root is the folder below Pages where the pages begin.
	Root string `json:"root"`
	// Failed are the parts that could not be had.
	Failed []source.Failure `json:"failed,omitempty"`
	// State is the fetcher's.
	State []byte `json:"-"`
}

// Save writes a record into a folder of documents.
func Save(folder string, r Record) error {
	r.Format = format
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(folder, state), r.State); err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(folder, record), append(raw, '\n'))
}

// Load reads the record of a folder of documents. The error wraps fs.ErrNotExist where it
// is missing.
func Load(folder string) (Record, error) {
	if err := durable.Restore(folder); err != nil {
		return Record{}, err
	}
	raw, err := os.ReadFile(filepath.Join(folder, record))
	if err != nil {
		return Record{}, err
	}
	var r Record
	if err := json.Unmarshal(raw, &r); err != nil {
		return Record{}, fmt.Errorf("%s is damaged (%w); add the doc set again", filepath.Join(folder, record), err)
	}
	if r.Format != format {
		return Record{}, fmt.Errorf("%s is of another version of docent; add the doc set again", filepath.Join(folder, record))
	}
	if r.State, err = os.ReadFile(filepath.Join(folder, state)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Record{}, err
	}
	return r, nil
}

// NoteAsked keeps the time at which a source was asked that had nothing new. A failure is no
// error: the source is then asked sooner again.
func NoteAsked(folder string, at time.Time) {
	_ = os.WriteFile(filepath.Join(folder, asked), []byte(at.UTC().Format(time.RFC3339)+"\n"), 0o600)
}

// Asked is when the source of a record in a folder was asked last.
func Asked(folder string, r Record) time.Time {
	raw, err := os.ReadFile(filepath.Join(folder, asked))
	if err != nil {
		return r.Origin.Fetched
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(string(raw)))
	if err != nil || at.Before(r.Origin.Fetched) {
		return r.Origin.Fetched
	}
	return at
}

// ReadRecord reads the record of a doc set; false where its documents were not fetched.
func ReadRecord(ctx context.Context, h *home.Home, s store.Set) (r Record, folder string, ok bool, err error) {
	folder = h.SourceFolder(s.Ref)
	if !strings.HasPrefix(s.Root, folder+string(filepath.Separator)) {
		return Record{}, "", false, nil
	}
	if err := h.Shared.Fill(ctx, s); err != nil {
		return Record{}, "", false, err
	}
	r, err = Load(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, "", false, nil
	}
	return r, folder, err == nil, err
}

// Origin is where the documents of a doc set came from; nil: they lie in a person's folder.
func Origin(ctx context.Context, h *home.Home, s store.Set) *source.Origin {
	r, _, ok, err := ReadRecord(ctx, h, s)
	if err != nil || !ok {
		return nil
	}
	return &r.Origin
}
