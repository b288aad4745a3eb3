package embeddings

import (
	"context"
	"path/filepath"

	"docent/store"
	"docent/store/sqlite"
)

// Place is a folder that holds the kept vectors of models.
type Place struct{ Dir string }

// fileName is the file of a Place.
const fileName = "vectors.db"

// FileNames begin the names of the files that are kept in the folder.
func (p Place) FileNames() []string { return []string{fileName} }

// Name is the file.
func (p Place) Name() string { return filepath.Join(p.Dir, fileName) }

// Identify is store.Place's.
func (p Place) Identify(context.Context) (store.Identity, error) {
	id, err := sqlite.Identify(p.Name())
	if err != nil {
		return nil, err // a nil identity in an interface is not nil
	}
	return id, nil
}

// PutAside is store.Place's. The caller sees to it that no other process does so too.
func (p Place) PutAside(context.Context) (aside string, err error) { return sqlite.PutAside(p.Name()) }
