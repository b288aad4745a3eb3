package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"docent/store"
	"docent/store/doc"
)

// Tx is a change of the catalog: all of it happens, or nothing.
type Tx struct {
	tx     *sql.Tx
	insert *sql.Stmt
}

// Begin begins a change.
func (c *Catalog) Begin(ctx context.Context) (*Tx, error) {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	return &Tx{tx: tx}, nil
}

// Commit makes the change true; Rollback drops it, and does nothing after
// Commit.
func (t *Tx) Commit() error { return t.tx.Commit() }

// Rollback drops the change.
func (t *Tx) Rollback() error {
	if err := t.tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}

// PutSet adds a doc set or changes the root, layout and domain of the one that
// has its name and version, and returns its id.
func (t *Tx) PutSet(ctx context.Context, s store.Set) (int64, error) {
	var id int64
	err := t.tx.QueryRowContext(ctx, `INSERT INTO sets (name, version, root, layout, domain) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (name, version) DO UPDATE SET root = excluded.root, layout = excluded.layout, domain = excluded.domain
		RETURNING id`, s.Ref.Name, s.Ref.Version, s.Root, s.Layout, s.Domain).Scan(&id)
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

// CountSet sums up a set's documents in its row.
func (t *Tx) CountSet(ctx context.Context, id int64) error {
	_, err := t.tx.ExecContext(ctx, `UPDATE sets SET (documents, sections, chunks, lines, bytes) =
		(SELECT count(*), ifnull(sum(sections), 0), ifnull(sum(chunks), 0), ifnull(sum(lines), 0), ifnull(sum(bytes), 0)
		 FROM documents WHERE set_id = sets.id) WHERE id = ?`, id)
	return err
}

// InsertDocument adds a document and returns its id: a new one where d.ID is 0,
// d.ID for one that was read again and is the same. One of the same id or path
// must have been deleted before.
func (t *Tx) InsertDocument(ctx context.Context, d store.Document) (int64, error) {
	if t.insert == nil {
		var err error
		t.insert, err = t.tx.PrepareContext(ctx, `INSERT INTO documents
			(id, set_id, path, title, h1, url, format, lines, bytes, sha256, mtime, toc_path, warnings, sections, chunks, outline, parser, text_sha256)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
		if err != nil {
			return 0, err
		}
	}
	warnings := ""
	if len(d.Warnings) > 0 {
		raw, err := json.Marshal(d.Warnings)
		if err != nil {
			return 0, err
		}
		warnings = string(raw)
	}
	headings := 0
	for _, s := range d.Outline.Sections {
		if s.Level > 0 {
			headings++
		}
	}
	// NULL has SQLite give the next id, which was never used.
	id := sql.NullInt64{Int64: d.ID, Valid: d.ID != 0}
	res, err := t.insert.ExecContext(ctx, id, d.SetID, d.Path, d.Title, d.H1, d.URL, d.Format, d.Lines, d.Bytes, d.SHA256,
		d.ModTime, d.TOCPath, warnings, headings, len(d.Outline.Chunks), encodeOutline(d.Outline),
		d.Parser, d.TextSHA256)
	if err != nil {
		return 0, fmt.Errorf("page %s: %w", d.Path, err)
	}
	return res.LastInsertId()
}

// DeleteDocument forgets a document.
func (t *Tx) DeleteDocument(ctx context.Context, id int64) error {
	_, err := t.tx.ExecContext(ctx, `DELETE FROM documents WHERE id = ?`, id)
	return err
}

// Touch notes that a file has another time on it and the same content.
func (t *Tx) Touch(ctx context.Context, id, modTime int64) error {
	_, err := t.tx.ExecContext(ctx, `UPDATE documents SET mtime = ? WHERE id = ?`, modTime, id)
	return err
}

// SetByRef finds a set inside the change.
func (t *Tx) SetByRef(ctx context.Context, ref doc.Ref) (store.Set, error) {
	s, err := scanSet(t.tx.QueryRowContext(ctx, `SELECT `+setColumns+` FROM sets WHERE name = ? AND version = ?`, ref.Name, ref.Version))
	if errors.Is(err, sql.ErrNoRows) {
		return s, fmt.Errorf("doc set %s: %w", ref, store.ErrNotFound)
	}
	return s, err
}

// Files is as Catalog.Files, inside the change.
func (t *Tx) Files(ctx context.Context, setID int64) ([]store.FileState, error) {
	return files(ctx, t.tx, setID)
}
