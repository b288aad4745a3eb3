package home

import (
	"crypto/sha256"
	"docent/pipeline/service/uploads"
	"docent/store"
	"docent/store/doc"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// EmbeddingLock is the lock file of the process that makes a doc set's vectors by a
// model: two processes would make them twice.
func (h *Home) EmbeddingLock(setID int64) string { return h.IndexDir(setID) + ".embedding" }

// RemoveModelVectors removes what a model made of a doc set.
func (h *Home) RemoveModelVectors(setID int64) error {
	err := errors.Join(h.Indexes.RemoveVectors(setID, store.ModelVectors), h.removeWeight(setID))
	if rerr := os.Remove(h.EmbeddingLock(setID)); !errors.Is(rerr, fs.ErrNotExist) && !errors.Is(rerr, fs.ErrPermission) {
		err = errors.Join(err, rerr) // Windows removes no file that is open
	}
	return err
}

func (h *Home) WeightPath(setID int64) string { return h.IndexDir(setID) + ".weight.json" }

// removeWeight forgets the measured weight of a doc set.
func (h *Home) removeWeight(setID int64) error {
	if err := os.Remove(h.WeightPath(setID)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: %w", filepath.Base(h.WeightPath(setID)), err)
	}
	return nil
}

func (h *Home) EnrichingLock(setID int64) string { return h.IndexDir(setID) + ".enriching" }

// EnrichmentPath is the file with the enrichments of a doc set.
func (h *Home) EnrichmentPath(set doc.Ref) string {
	name := set.String()
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@._-", r) {
			return r
		}
		return '_'
	}, name)
	sum := sha256.Sum256([]byte(name)) // names may differ in their other letters, or in case alone
	return filepath.Join(h.Dir, enrichmentFolder, fmt.Sprintf("%.80s-%s.jsonl", strings.TrimLeft(plain, "."), hex.EncodeToString(sum[:4])))
}

// removeEnrichments removes the enrichments of a doc set.
func (h *Home) removeEnrichments(set store.Set) error {
	err := os.Remove(h.EnrichmentPath(set.Ref))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if rerr := os.Remove(h.EnrichingLock(set.ID)); !errors.Is(rerr, fs.ErrNotExist) && !errors.Is(rerr, fs.ErrPermission) {
		err = errors.Join(err, rerr)
	}
	return err
}

// LagPath is the file with the lag of a doc set's last followed update. It lies next to
// the doc set's index and is removed with it.
func (h *Home) LagPath(setID int64) string { return h.IndexDir(setID) + ".lag" }

// UploadsRef is the doc set of single files.
func UploadsRef() doc.Ref { return doc.Ref{Name: uploads.SetName, Version: uploads.SetVersion} }

// HoldsUploads reports whether a doc set is the one of uploaded files.
func (h *Home) HoldsUploads(s store.Set) bool {
	return s.Ref == UploadsRef() && s.Root == h.UploadFolder().Pages()
}

func (h *Home) UploadFolder() *uploads.Folder { return uploads.In(h.Dir) }
