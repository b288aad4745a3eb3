package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"docent/store/logins"
)

// Logins keeps the logins of the servers of a home: it is logins.Store. Its tables are made when
// something is kept for the first time. A schema that is put aside takes the logins along: people
// log in again.
type Logins struct{ Database *Database }

// loginConnections bounds the connections of a Logins: most requests ask it one short question.
const loginConnections = 4

// OpenLogins gives the logins in a schema. The database is theirs alone, so that a flood of
// guesses takes no connection from questions.
func OpenLogins(d *Database) Logins {
	d.db.SetMaxOpenConns(loginConnections)
	return Logins{d}
}

// A client is a token or an address. The guesses among all are those of the key of zeros.
var loginTables = Part{Name: "logins", Steps: []string{
	`CREATE TABLE login_sessions (
		token    BYTEA PRIMARY KEY,
		password BYTEA NOT NULL,
		ends     TIMESTAMPTZ NOT NULL
	);
	CREATE TABLE login_clients (
		client  BYTEA PRIMARY KEY,
		address BOOLEAN NOT NULL,
		ends    TIMESTAMPTZ NOT NULL
	);
	CREATE TABLE login_guesses (
		client BYTEA PRIMARY KEY,
		made   DOUBLE PRECISION NOT NULL,
		at     TIMESTAMPTZ NOT NULL
	);`,
}}

// change runs do in a transaction, one of the schema's servers at a time: a few short statements
// for a login, whose order would else have to be the same everywhere.
func (l Logins) change(ctx context.Context, do func(tx *Tx) error) error {
	return l.Database.makeAndRun(ctx, loginTables, func() (err error) {
		tx, err := l.Database.Begin(ctx)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, tx.Rollback()) }()
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(?)`, l.Database.lockKey("logins")); err != nil {
			return err
		}
		if err := do(tx); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Begin is logins.Store's.
func (l Logins) Begin(ctx context.Context, s logins.Session, known time.Duration, most int) error {
	return l.change(ctx, func(tx *Tx) error {
		const client = `INSERT INTO login_clients (client, address, ends) VALUES (?, ?, clock_timestamp() + make_interval(secs => ?))
			ON CONFLICT (client) DO UPDATE SET ends = excluded.ends`
		for _, step := range []struct {
			query string
			args  []any
		}{
			{`INSERT INTO login_sessions (token, password, ends) VALUES (?, ?, clock_timestamp() + make_interval(secs => ?))`,
				[]any{s.Token[:], s.Version[:], s.Life.Seconds()}},
			{client, []any{s.Token[:], false, known.Seconds()}},
			{client, []any{s.From[:], true, known.Seconds()}},
			{`DELETE FROM login_sessions WHERE ends <= clock_timestamp() OR
				token IN (SELECT token FROM login_sessions ORDER BY ends DESC, token OFFSET ?)`, []any{most}},
			{`DELETE FROM login_clients WHERE ends <= clock_timestamp() OR
				client IN (SELECT client FROM login_clients WHERE address ORDER BY ends DESC, client OFFSET ?) OR
				client IN (SELECT client FROM login_clients WHERE NOT address ORDER BY ends DESC, client OFFSET ?)`, []any{most, most}},
		} {
			if _, err := tx.ExecContext(ctx, step.query, step.args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// Inside is logins.Store's.
func (l Logins) Inside(ctx context.Context, token, version logins.Key) (inside bool, err error) {
	return l.exists(ctx, `SELECT EXISTS (SELECT 1 FROM login_sessions WHERE token = ? AND password = ? AND ends > clock_timestamp())`,
		token[:], version[:])
}

// Known is logins.Store's.
func (l Logins) Known(ctx context.Context, client logins.Key) (known bool, err error) {
	return l.exists(ctx, `SELECT EXISTS (SELECT 1 FROM login_clients WHERE client = ? AND ends > clock_timestamp())`, client[:])
}

func (l Logins) exists(ctx context.Context, query string, args ...any) (is bool, err error) {
	err = l.Database.Runner().QueryRowContext(ctx, query, args...).Scan(&is)
	if IsMissing(err) {
		return false, nil
	}
	return is, err
}

// End is logins.Store's.
func (l Logins) End(ctx context.Context, token logins.Key) error {
	return l.remove(ctx, `DELETE FROM login_sessions WHERE token = ?`, token[:])
}

// EndAll is logins.Store's.
func (l Logins) EndAll(ctx context.Context) error {
	return l.change(ctx, func(tx *Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM login_sessions`)
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM login_clients WHERE NOT address`)
		}
		return err
	})
}

// remove runs a statement that removes rows. Missing tables have none.
func (l Logins) remove(ctx context.Context, query string, args ...any) error {
	_, err := l.Database.Runner().ExecContext(ctx, query, args...)
	if IsMissing(err) {
		return nil
	}
	return err
}

// Guess is logins.Store's.
func (l Logins) Guess(ctx context.Context, g logins.Guess) (own, all time.Duration, err error) {
	err = l.change(ctx, func(tx *Tx) error {
		made, err := readGuesses(ctx, tx, g.By, g.Own)
		if err != nil {
			return err
		}
		own, all = g.Own.UntilFree(made), 0
		var ofAll float64
		if g.All != nil {
			if ofAll, err = readGuesses(ctx, tx, logins.Key{}, *g.All); err != nil {
				return err
			}
			all = g.All.UntilFree(ofAll)
		}
		if max(own, all) > 0 {
			return nil
		}
		if err := writeGuesses(ctx, tx, g.By, made+1); err != nil {
			return err
		}
		if g.All != nil {
			if err := writeGuesses(ctx, tx, logins.Key{}, ofAll+1); err != nil {
				return err
			}
		}
		return sweepGuesses(ctx, tx, g.Own)
	})
	return own, all, err
}

// sweepGuesses deletes the guesses of clients that made none for so long that none of them count.
func sweepGuesses(ctx context.Context, tx *Tx, own logins.Rate) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM login_guesses WHERE client <> ? AND at < clock_timestamp() - make_interval(secs => ?)`,
		make([]byte, len(logins.Key{})), (time.Duration(own.Most) * own.Each).Seconds())
	return err
}

// Forgive is logins.Store's.
func (l Logins) Forgive(ctx context.Context, g logins.Guess) error {
	return l.change(ctx, func(tx *Tx) error {
		own, err := readGuesses(ctx, tx, g.By, g.Own)
		if err != nil {
			return err
		}
		if g.All != nil && own > 0 {
			all, err := readGuesses(ctx, tx, logins.Key{}, *g.All)
			if err == nil {
				err = writeGuesses(ctx, tx, logins.Key{}, max(0, all-own))
			}
			if err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM login_guesses WHERE client = ?`, g.By[:])
		return err
	})
}

// readGuesses gives the guesses of a client that still count.
func readGuesses(ctx context.Context, tx *Tx, client logins.Key, r logins.Rate) (made float64, err error) {
	var age float64
	err = tx.QueryRowContext(ctx, `SELECT made, extract(epoch FROM clock_timestamp() - at)::double precision
		FROM login_guesses WHERE client = ?`, client[:]).Scan(&made, &age)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return r.Drained(made, time.Duration(age*float64(time.Second))), err
}

func writeGuesses(ctx context.Context, tx *Tx, client logins.Key, made float64) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO login_guesses (client, made, at) VALUES (?, ?, clock_timestamp())
		ON CONFLICT (client) DO UPDATE SET made = excluded.made, at = excluded.at`, client[:], made)
	return err
}
