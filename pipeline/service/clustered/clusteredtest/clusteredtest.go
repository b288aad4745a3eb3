// Package clusteredtest opens the homes of tests with the stores that a run of the tests names:
// the same tests hold for all of them.
//
// It refuses to start servers: package weaviatetest does that.
package clusteredtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"testing"

	"docent/pipeline/service/clustered"
	"docent/pipeline/service/home"
	"docent/pipeline/service/ondisk"
	"docent/store/address"
	"docent/store/postgres"
	"docent/store/weaviate"
)

// The variables of the environment with the addresses of a Weaviate and of a PostgreSQL database.
// Where they are set, each home has its indexes and its catalog there, in collections and a schema
// of its own, which are dropped when its test ends.
const (
	indexVariable   = "DOCENT_TEST_INDEX"
	catalogVariable = "DOCENT_TEST_CATALOG"
)

// NeedsFiles skips a test that changes the files of indexes or catalogs where they lie elsewhere.
func NeedsFiles(tb testing.TB) {
	tb.Helper()
	if os.Getenv(indexVariable) != "" {
		tb.Skip("the indexes of this run are no files")
	}
}

// NeedsCatalogFile skips a test that changes the catalog's file where it lies elsewhere.
func NeedsCatalogFile(tb testing.TB) {
	tb.Helper()
	if os.Getenv(catalogVariable) != "" {
		tb.Skip("the catalog of this run is no file")
	}
}

// Open opens a home. closeStores closes the connections to its stores, after the home was closed.
func Open(tb testing.TB, opt home.Options) (h *home.Home, closeStores func() error, err error) {
	tb.Helper()
	text := os.Getenv(indexVariable)
	if text == "" {
		h, err := ondisk.Open(tb.Context(), opt)
		return h, func() error { return nil }, err
	}
	at := clustered.Places{}
	if at.Index, err = address.ParseWeaviate(text); err != nil {
		return nil, nil, err
	}
	sum := sha256.Sum256([]byte(opt.Dir))
	at.Index.Name = "t" + hex.EncodeToString(sum[:12])
	tb.Cleanup(func() {
		if err := weaviate.Open(at.Index).Drop(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	if text := os.Getenv(catalogVariable); text != "" {
		at.Catalog = text + "&schema=" + at.Index.Name
		tb.Cleanup(func() { dropSchema(tb, text, at.Index.Name) })
	}
	return clustered.Open(tb.Context(), opt, at)
}

// dropSchema drops the schema of a test.
func dropSchema(tb testing.TB, text, name string) {
	tb.Helper()
	db, err := postgres.OpenDatabase(text, "")
	if err == nil {
		_, err = db.SQL().ExecContext(context.Background(), "DROP SCHEMA IF EXISTS "+name+" CASCADE")
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		tb.Error(err)
	}
}
