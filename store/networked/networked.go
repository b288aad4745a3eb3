// Package networked opens the stores of a home that lie on servers: indexes in a Weaviate, the
// catalog, jobs and what else goes with it in PostgreSQL.
//
// It refuses to know what the servers keep: that is the stores' own.
package networked

import (
	"context"

	"docent/store/address"
	"docent/store/catalog"
	"docent/store/embedded"
	"docent/store/jobs"
	"docent/store/logins"
	"docent/store/postgres"
	"docent/store/replica"
	"docent/store/weaviate"
)

// The stores under the names of this package.
type (
	// Indexes are the words and vectors of a home's doc sets.
	Indexes = weaviate.Indexes
	// Health is the state of the server that has them.
	Health = weaviate.Health
	// Database is a schema of PostgreSQL.
	Database = postgres.Database
	// Keeper keeps records, locks and graphs of doc sets there.
	Keeper = postgres.Keeper
	// Blobs are converted texts there.
	Blobs = postgres.Blobs
	// Logins are sessions and guesses of the servers of a home there.
	Logins = postgres.Logins
	// Secrets are tokens and the password of the servers of a home.
	Secrets = logins.Secrets
	// Trees are the documents of the home itself there.
	Trees = *postgres.Trees
	// Folder is a folder of this machine with such documents.
	Folder = replica.Folder
	// CatalogPlace is the place of the catalog there.
	CatalogPlace = catalog.PostgresPlace
)

// Errors of the indexes' server.
var (
	// ErrRefused means that it wants another key.
	ErrRefused = weaviate.ErrRefused
	// ErrOtherHome means that the collections are another home's.
	ErrOtherHome = weaviate.ErrOtherHome
	// ErrNoJobs means that there are no uploads yet.
	ErrNoJobs = jobs.ErrNone
)

// Versions of the indexes' server: the oldest that works, and the first that ranks rightly without a
// setting.
const (
	OldestVersion = weaviate.OldestVersion
	FirstRight    = weaviate.FirstRight
)

// Healthy is the state of a node without a fault.
const Healthy = weaviate.Healthy

// IsOlder reports whether a version comes before another one.
func IsOlder(version, than string) bool { return weaviate.IsOlder(version, than) }

// OpenIndexes gives the indexes at an address. Nothing is asked before something is needed.
func OpenIndexes(at address.Weaviate) Indexes { return weaviate.Open(at) }

// OpenDatabase gives the schema at an address, with a password for an address without one; see
// postgres.OpenDatabase. Nothing is asked before something is needed.
func OpenDatabase(at, password string) (*Database, error) { return postgres.OpenDatabase(at, password) }

// OpenBlobs gives the converted texts in a schema.
func OpenBlobs(db *Database) Blobs { return postgres.OpenBlobs(db) }

// OpenLogins gives the logins in a schema, which has the database for itself; see
// postgres.OpenLogins.
func OpenLogins(db *Database) Logins { return postgres.OpenLogins(db) }

// OpenTrees gives the documents in a schema.
func OpenTrees(db *Database) (Trees, error) { return postgres.OpenTrees(db) }

// OpenCatalog opens the catalog in a schema for reading; see catalog.OpenPostgresReader.
func OpenCatalog(ctx context.Context, db *Database) (*catalog.Catalog, error) {
	return catalog.OpenPostgresReader(ctx, db)
}

// OpenForWriting opens the catalog in a schema for changes; see catalog.OpenPostgres.
func OpenForWriting(ctx context.Context, db *Database) (embedded.WritableCatalog, error) {
	c, err := catalog.OpenPostgres(ctx, db)
	return embedded.WritableCatalog{Catalog: c}, err
}

// OpenUploads opens the uploads and jobs in a schema for work; see jobs.OpenPostgres.
func OpenUploads(ctx context.Context, db *Database) (*jobs.Store, error) {
	return jobs.OpenPostgres(ctx, db)
}

// ListUploads opens them for listing. The error is ErrNoJobs before the first upload.
func ListUploads(ctx context.Context, db *Database) (*jobs.Store, error) {
	return jobs.OpenPostgresReader(ctx, db)
}
