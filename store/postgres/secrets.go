package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"docent/store/logins"
)

// A token that ended keeps its row: the folder of a machine may still have its file, of a time when
// tokens lay there, and it must not come back from there.
var secretTables = Part{Name: "secrets", Steps: []string{
	`CREATE TABLE server_tokens (
		sha256  BYTEA PRIMARY KEY,
		name    TEXT COLLATE "C" NOT NULL,
		content BYTEA NOT NULL,
		ended   BOOLEAN NOT NULL DEFAULT false
	);
	CREATE UNIQUE INDEX server_tokens_name ON server_tokens (name) WHERE NOT ended;
	CREATE TABLE server_password (
		one  BOOLEAN PRIMARY KEY DEFAULT true CHECK (one),
		hash TEXT NOT NULL
	);`,
}}

// AddToken is logins.Secrets'.
func (l Logins) AddToken(ctx context.Context, t logins.Token) error {
	return l.Database.makeAndRun(ctx, secretTables, func() error {
		r := l.Database.Runner()
		done, err := r.ExecContext(ctx, `INSERT INTO server_tokens (sha256, name, content) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			t.Key[:], t.Name, append([]byte{}, t.Content...))
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n > 0 {
			return err
		}
		known := false
		err = r.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM server_tokens WHERE sha256 = ?)`, t.Key[:]).Scan(&known)
		if err == nil && !known {
			err = fmt.Errorf("the token %q: %w", t.Name, fs.ErrExist)
		}
		return err
	})
}

// FindToken is logins.Secrets'.
func (l Logins) FindToken(ctx context.Context, key logins.Key) (logins.Token, error) {
	t := logins.Token{Key: key}
	err := l.Database.Runner().QueryRowContext(ctx, `SELECT name, content FROM server_tokens WHERE sha256 = ? AND NOT ended`,
		key[:]).Scan(&t.Name, &t.Content)
	if errors.Is(err, sql.ErrNoRows) || IsMissing(err) {
		err = fmt.Errorf("the token: %w", fs.ErrNotExist)
	}
	return t, err
}

// Tokens is logins.Secrets'.
func (l Logins) Tokens(ctx context.Context) (all []logins.Token, err error) {
	rows, err := l.Database.Runner().QueryContext(ctx, `SELECT sha256, name, content FROM server_tokens WHERE NOT ended ORDER BY name`)
	if IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var t logins.Token
		var sum []byte
		if err := rows.Scan(&sum, &t.Name, &t.Content); err != nil {
			return nil, err
		}
		copy(t.Key[:], sum)
		all = append(all, t)
	}
	return all, rows.Err()
}

// EndToken is logins.Secrets'.
func (l Logins) EndToken(ctx context.Context, name string) error {
	done, err := l.Database.Runner().ExecContext(ctx, `UPDATE server_tokens SET ended = true WHERE name = ? AND NOT ended`, name)
	n := int64(0)
	if err == nil {
		n, err = done.RowsAffected()
	}
	if IsMissing(err) || err == nil && n == 0 {
		err = fmt.Errorf("the token %q: %w", name, fs.ErrNotExist)
	}
	return err
}

// Password is logins.Secrets'.
func (l Logins) Password(ctx context.Context) (hash string, err error) {
	err = l.Database.Runner().QueryRowContext(ctx, `SELECT hash FROM server_password`).Scan(&hash)
	if errors.Is(err, sql.ErrNoRows) || IsMissing(err) {
		return "", nil
	}
	return hash, err
}

// SetPassword is logins.Secrets'.
func (l Logins) SetPassword(ctx context.Context, hash string, replace bool) error {
	conflict := `DO NOTHING`
	if replace {
		conflict = `DO UPDATE SET hash = excluded.hash`
	}
	return l.Database.makeAndRun(ctx, secretTables, func() error {
		_, err := l.Database.Runner().ExecContext(ctx, `INSERT INTO server_password (hash) VALUES (?) ON CONFLICT (one) `+conflict, hash)
		return err
	})
}
