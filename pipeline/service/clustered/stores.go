package clustered

import (
	"context"
	"errors"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/ondisk"
	"docent/store/embedded"
	"docent/store/networked"
)

// Clear puts the catalog at these places aside and deletes the indexes made of it, so that the stores
// of the home in a folder can be filled anew. Stores of another home are refused.
func Clear(ctx context.Context, dir string, at Places) (err error) {
	id, err := identify(dir, nil)
	if err != nil {
		return err
	}
	server := networked.OpenIndexes(at.Index)
	defer func() { err = errors.Join(err, server.Close()) }()
	if err := claim(ctx, server, at.Index, id); err != nil {
		return err
	}
	db, err := networked.OpenDatabase(at.Catalog, at.Password)
	if err != nil {
		return contract.Invalid("config", "%v", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := claimCatalog(networked.Keeper{Database: db}, id); err != nil {
		return err
	}
	sets, err := server.Sets()
	for _, id := range sets {
		err = errors.Join(err, server.Remove(id))
	}
	if err != nil {
		return err
	}
	if _, err = (networked.CatalogPlace{Database: db}).PutAside(ctx); err != nil {
		return err
	}
	return clearDocuments(ctx, db, dir)
}

// stores are those of a home whose catalog and jobs lie in PostgreSQL. The vectors that models
// made stay with the machine that made them. It is home.Stores.
type stores struct {
	ondisk.Stores
	db    *networked.Database
	roots home.Roots
}

func newStores(db *networked.Database, folder embedded.Stores, roots home.Roots) stores {
	return stores{ondisk.Stores{Stores: folder}, db, roots}
}

// Secrets are the tokens and the password that the servers of a home share; nil where its folder has
// the catalog.
func Secrets(opened home.Stores) networked.Secrets {
	if s, ok := opened.(stores); ok {
		return networked.Logins{Database: s.db}
	}
	return nil
}

// Catalog is home.Stores'.
func (s stores) Catalog() home.CatalogPlace { return networked.CatalogPlace{Database: s.db} }

// OpenCatalog is home.Stores'.
func (s stores) OpenCatalog(ctx context.Context) (home.Catalog, error) {
	c, err := networked.OpenCatalog(ctx, s.db)
	if err != nil {
		return nil, err
	}
	return placedCatalog{c, s.roots}, nil
}

// OpenForWriting is home.Stores'.
func (s stores) OpenForWriting(ctx context.Context) (home.WritableCatalog, error) {
	c, err := networked.OpenForWriting(ctx, s.db)
	if err != nil {
		return nil, err
	}
	return placedWritable{c, s.roots}, nil
}

// OpenUploads is home.Stores'. Workers hold locks of the database.
func (s stores) OpenUploads(ctx context.Context, workers string) (home.UploadStore, error) {
	if workers != "" {
		u, err := networked.OpenUploads(ctx, s.db)
		if err != nil {
			return nil, err
		}
		return u, nil
	}
	u, err := networked.ListUploads(ctx, s.db)
	if errors.Is(err, networked.ErrNoJobs) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return u, nil
}

// FileNames is home.Stores'.
func (s stores) FileNames() []string {
	return s.Stores.Stores.Cache().FileNames()
}
