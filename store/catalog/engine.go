package catalog

import (
	"context"
	"database/sql"
	"errors"

	"docent/store"
	"docent/store/postgres"
)

// engine is what the two databases of catalogs do differently. The statements of this package
// are in the dialect that both read; their parameters are question marks. It has more than
// five methods because a Catalog is built on one engine.
type engine interface {
	postgres.Runner
	// name says where the catalog is, for people.
	name() string
	// begin begins a change.
	begin(ctx context.Context) (change, error)
	// changeCounter gives a number that differs from the last one if the list of doc sets
	// was changed in between. With renewed, the numbers before do not count.
	changeCounter(ctx context.Context) (n int64, renewed bool, err error)
	// queryCounted runs a query whose answer is of the last number or newer.
	queryCounted(ctx context.Context, query string) (*sql.Rows, error)
	// amongIDs is the condition that the column id is one of some, with its parameters.
	amongIDs(ids []int64) (condition string, args []any)
	// stage adds staged documents, all or none, and gives their ids; see Stage. guard is why they may
	// not be added, for a change by another process.
	stage(ctx context.Context, docs []store.Document, guard func(change) error) ([]int64, error)
	// packedStates gives the file states of a doc set's documents by path, where they are kept
	// apart from the rows; else whole is false. The error is store.ErrCatalogDamaged where they
	// cannot be read, while the rows may.
	packedStates(ctx context.Context, setID int64) (states []store.FileState, whole bool, err error)
	// check has the engine look for damage of its own.
	check(ctx context.Context) error
	close() error
}

// change is a transaction. It has more than five methods because it also has what the engines
// do differently in one.
type change interface {
	postgres.Runner
	Commit() error
	// Rollback drops the change. It does nothing after Commit.
	Rollback() error
	// repeat runs a statement n times, with the parameters of each turn. Where scan is not
	// nil, it gets the one row of each.
	repeat(ctx context.Context, query string, n int, args func(i int) []any, scan func(postgres.Row) error) error
	// storable gives a text as the engine can keep it.
	storable(text string) string
	// lockSet has other changes of a doc set wait for this one.
	lockSet(ctx context.Context, setID int64) error
	// checkHolder is why a right is not this process's any more, up to the end of the change.
	checkHolder(ctx context.Context, held store.Held) error
	// packStates keeps the file states of a doc set's documents apart from the rows, where the
	// engine does.
	packStates(ctx context.Context, setID int64) error
}

// eachItem runs a statement once for each item.
func eachItem[T any](ctx context.Context, tx change, query string, items []T, args func(T) []any) error {
	if len(items) == 0 {
		return nil
	}
	return tx.repeat(ctx, query, len(items), func(i int) []any { return args(items[i]) }, nil)
}

// inChange runs do in a change, which is dropped where do fails.
func inChange(ctx context.Context, e engine, do func(tx change) error) (err error) {
	tx, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}
