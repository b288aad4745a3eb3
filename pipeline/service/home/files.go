package home

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/service/uploads"
	"docent/store"
	"docent/store/doc"
)

// RemoveModelVectors removes what a model made of a doc set.
func (h *Home) RemoveModelVectors(setID int64) error {
	return errors.Join(h.Indexes.RemoveVectors(setID, store.ModelVectors), h.Indexes.RemoveRecord(setID, store.WeightRecord),
		h.Indexes.ForgetLock(setID, store.Embedding))
}

// EnrichmentFolder is the folder of a home with what models said of sections.
const EnrichmentFolder = "enrichment"

// setFolders are the folders of a home in which features keep a file for each doc set, with
// the work that writes it. They outlive the catalog: what took a model hours stays.
var setFolders = map[string]store.SetWork{EnrichmentFolder: "enriching"}

// SetFile is the file of a doc set in one of these folders. Its lines are JSON.
func (h *Home) SetFile(folder string, set doc.Ref) string {
	return filepath.Join(h.Dir, folder, fileName(set)+".jsonl")
}

// SourcesFolder is the folder of a home with the documents that were fetched.
const SourcesFolder = "sources"

// SourceFolder is the folder of the documents of a doc set that were fetched.
func (h *Home) SourceFolder(set doc.Ref) string {
	return filepath.Join(h.Dir, SourcesFolder, fileName(set))
}

// fileName is a doc set's name as files are called.
func fileName(set doc.Ref) string {
	name := set.String()
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@._-", r) {
			return r
		}
		return '_'
	}, name)
	sum := sha256.Sum256([]byte(name)) // names may differ in their other letters, or in case alone
	return fmt.Sprintf("%.80s-%s", strings.TrimLeft(plain, "."), hex.EncodeToString(sum[:4]))
}

// removeSetFiles removes the files of a doc set in these folders.
func (h *Home) removeSetFiles(set store.Set) (err error) {
	for folder, work := range setFolders {
		if rerr := os.Remove(h.SetFile(folder, set.Ref)); !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
		err = errors.Join(err, h.Indexes.ForgetLock(set.ID, work))
	}
	// Documents that were fetched into the home are its own; those of a person's folder stay.
	if fetched := h.SourceFolder(set.Ref); strings.HasPrefix(set.Root, fetched+string(filepath.Separator)) {
		err = errors.Join(err, os.RemoveAll(fetched))
	}
	return err
}

// UploadsRef is the doc set of single files.
func UploadsRef() doc.Ref { return doc.Ref{Name: uploads.SetName, Version: uploads.SetVersion} }

// HoldsUploads reports whether a doc set is the one of uploaded files.
func (h *Home) HoldsUploads(s store.Set) bool {
	return s.Ref == UploadsRef() && s.Root == h.UploadFolder().Pages()
}

func (h *Home) UploadFolder() *uploads.Folder { return uploads.InHome(h.Dir) }
