package packing

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"docent/pipeline/corpus"
	"docent/pipeline/service/home"
	"docent/pipeline/source/packed"
	"docent/store"
)

// The files of a packed index. What the stores write of theirs lies in the folder derived.
const (
	headFile    = "head.json"
	rowsFile    = "pages.jsonl"
	keptFolder  = "kept"
	indexFolder = "derived"
)

// head is what a packed index says of its doc set.
type head struct {
	// Site is the address by which the pages got theirs.
	Site string `json:"site,omitempty"`
}

// row is a page of the catalog, without the fields that belong to a home.
type row struct {
	store.Document
	// Kept is the key of its kept document, "" where its text is the file itself.
	Kept string `json:",omitempty"`
}

// indexApart indexes a doc set in a home of its own, and gives the files of its index.
func (svc *Service) indexApart(ctx context.Context, s store.Set, dir string, w home.Watch) (files map[string]packed.File, err error) {
	stores, indexes := svc.opt.Stores(filepath.Join(dir, "home"))
	h, err := home.Open(ctx, home.Options{Dir: filepath.Join(dir, "home"), Settings: svc.home.Settings, Parsers: svc.home.Parsers,
		Stores: stores, Indexes: indexes, Say: svc.home.Say})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	err = h.Write(ctx, "pack", func(wr *home.Writer) error {
		s.ID = 0
		added, err := wr.Add(ctx, []store.Set{s})
		if err != nil {
			return err
		}
		s = added[0]
		_, err = wr.UpdateWatched(ctx, s, false, w)
		return err
	})
	if err != nil {
		return nil, err
	}
	sets, err := h.Corpus.Sets(ctx)
	if err != nil || len(sets) != 1 {
		return nil, errors.Join(err, fmt.Errorf("pack %s: its index was not made", s.Ref))
	}
	out := filepath.Join(dir, "index")
	if err := svc.exportRows(ctx, h, sets[0], out); err != nil {
		return nil, fmt.Errorf("pack %s: %w", s.Ref, err)
	}
	derived := filepath.Join(out, indexFolder)
	if err := os.MkdirAll(derived, 0o700); err != nil {
		return nil, err
	}
	if err := indexes.Export(ctx, sets[0].ID, derived); err != nil {
		return nil, fmt.Errorf("pack %s: %w", s.Ref, err)
	}
	return filesBelow(out)
}

// exportRows writes the rows of the catalog, and the documents that are kept for them.
func (svc *Service) exportRows(ctx context.Context, h *home.Home, s store.Set, out string) error {
	docs, err := h.Corpus.Catalog.Documents(ctx, s.ID)
	if err != nil {
		return err
	}
	slices.SortFunc(docs, func(a, b store.Document) int { return cmp.Compare(a.ID, b.ID) })
	ids := make([]int64, len(docs))
	for i, d := range docs {
		if ids[i] = d.ID; d.ID != int64(i+1) {
			return fmt.Errorf("page %s has the number %d, not %d", d.Path, d.ID, i+1)
		}
	}
	whole, err := h.Corpus.Catalog.ByID(ctx, ids)
	if err != nil {
		return err
	}
	var rows bytes.Buffer
	for _, id := range ids {
		r := row{Document: *whole[id]}
		if r.TextSHA256 != "" {
			r.Kept = corpus.KeptKey(s, store.FileState{Path: r.Path, SHA256: r.SHA256, Format: r.Format, Parser: r.Parser})
			if err := svc.exportKept(ctx, r.Kept, out); err != nil {
				return err
			}
		}
		r.ID, r.SetID, r.ModTime, r.TOCModTime = 0, 0, 0, 0
		r.Uses = slices.Clone(r.Uses)
		for i := range r.Uses {
			r.Uses[i].ModTime = 0
		}
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		rows.Write(append(line, '\n'))
	}
	first, err := json.Marshal(head{Site: s.Site})
	if err != nil {
		return err
	}
	return errors.Join(writeCopy(filepath.Join(out, headFile), first), writeCopy(filepath.Join(out, rowsFile), rows.Bytes()))
}

// exportKept writes a kept document. One that is not there is made again where it is needed.
func (svc *Service) exportKept(ctx context.Context, key, out string) error {
	raw, err := svc.home.KeptDocument(ctx, key)
	if errors.Is(err, store.ErrNoBlob) || errors.Is(err, store.ErrBlobDamaged) {
		return nil
	}
	if err != nil {
		return err
	}
	return writeCopy(filepath.Join(out, keptFolder, key), raw)
}

// filesBelow lists the files below a folder by their paths in it, with slashes.
func filesBelow(dir string) (map[string]packed.File, error) {
	out := map[string]packed.File{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		out[filepath.ToSlash(rel)] = packed.File{Path: file}
		return err
	})
	return out, err
}
