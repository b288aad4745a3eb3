package catalog

import (
	"context"

	"docent/store"
)

// Tx is a change of the list of doc sets: all of it happens, or nothing.
type Tx struct{ tx change }

// Begin begins a change.
func (c *Catalog) Begin(ctx context.Context) (*Tx, error) {
	tx, err := c.db.begin(ctx)
	if err != nil {
		return nil, err
	}
	return &Tx{tx: tx}, nil
}

// Commit makes the change true; Rollback drops it, and does nothing after
// Commit.
func (t *Tx) Commit() error { return t.tx.Commit() }

// Rollback drops the change.
func (t *Tx) Rollback() error { return t.tx.Rollback() }

// PutSet adds a doc set or changes the root, layout, domain and, where s has one, the
// url_base of the one that has its name and version, and returns its id.
func (t *Tx) PutSet(ctx context.Context, s store.Set) (int64, error) {
	var id int64
	err := t.tx.QueryRowContext(ctx, `INSERT INTO sets (name, version, root, layout, domain, domain_given, url_base)
			VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (name, version) DO UPDATE SET root = excluded.root, layout = excluded.layout, domain = excluded.domain,
			domain_given = excluded.domain_given,
			url_base = CASE WHEN excluded.url_base = '' THEN sets.url_base ELSE excluded.url_base END
		RETURNING id`, s.Ref.Name, s.Ref.Version, s.Root, s.Layout, s.Domain, s.DomainGiven, s.URLBase).Scan(&id)
	if err == nil {
		err = signSet(ctx, t.tx, id)
	}
	return id, err
}

// RemoveSet forgets a doc set and its documents.
func (t *Tx) RemoveSet(ctx context.Context, id int64) error {
	_, err := t.tx.ExecContext(ctx, `DELETE FROM documents WHERE set_id = ?`, id)
	if err == nil {
		_, err = t.tx.ExecContext(ctx, `DELETE FROM sets WHERE id = ?`, id)
	}
	return err
}
