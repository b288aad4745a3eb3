package jobs

import (
	"context"
	"database/sql"
	"errors"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivermigrate"

	"docent/store/postgres"
)

// engine is what the two databases of jobs do differently. Statements have question marks for
// parameters. It has more than five methods because a Store is built on one engine.
type engine interface {
	postgres.Runner
	// name says where the jobs are, for people.
	name() string
	// begin begins a change, which has the right to write from its beginning: changes of
	// uploads come one after the other.
	begin(ctx context.Context) (change, error)
	// schemaVersion is that of the tables of uploads; 0 without tables.
	schemaVersion(ctx context.Context) (int, error)
	// migrateTables brings the tables of uploads to the newest version.
	migrateTables(ctx context.Context) error
	// migrateRiver does so for River's tables, in one process at a time.
	migrateRiver(ctx context.Context, m *rivermigrate.Migrator[*sql.Tx]) error
	river() riverdriver.Driver[*sql.Tx]
	terms() *dialect
	// storable gives a text as the engine can keep it.
	storable(text string) string
	workerList
	close() error
}

// workerList is how processes see which workers live.
type workerList interface {
	// join enters a new worker.
	join(ctx context.Context) (membership, error)
	// isDead reports whether the worker of a name has ended.
	isDead(ctx context.Context, name string) (bool, error)
	// sweepDead removes what workers that died left.
	sweepDead(ctx context.Context) error
}

// membership is that of a worker that lives.
type membership interface {
	workerName() string
	// keep shows that the worker still lives. It is called at each look at running jobs.
	keep(ctx context.Context) error
	leave() error
}

// change is a transaction.
type change interface {
	postgres.Runner
	// SQL is the transaction for River.
	SQL() *sql.Tx
	Commit() error
	// Rollback drops the change. It does nothing after Commit.
	Rollback() error
}

// inChange runs do in a change, which is dropped where do fails.
func inChange(ctx context.Context, e engine, do func(tx change) error) (err error) {
	tx, err := e.begin(ctx)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
