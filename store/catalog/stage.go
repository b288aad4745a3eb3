package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"docent/store"
	"docent/store/postgres"
)

// A document is staged while an update reads a doc set, live when it is published,
// and retired when a later version is published or its page is gone. Readers list
// live documents only. Staged documents of an update that was killed are deleted by
// the next one.
//
// The states stand as numbers in the queries, since SQLite uses an index of some
// rows only where the condition stands in the query as it does in the index.
//
//	staged 0, live 1, retired 2

// Stage adds documents that no reader sees before Publish, in one transaction, and
// gives their ids: d.ID where that is not 0, for one that is to take the place of
// the live document of that id, else new ones.
func (c *Catalog) Stage(ctx context.Context, docs []store.Document) (ids []int64, err error) {
	if len(docs) == 0 {
		return nil, nil
	}
	return c.db.stage(ctx, docs, func(tx change) error { return c.checkGuard(ctx, tx, docs[0].SetID) })
}

// Guard has changes of a doc set's pages be made only while this process has a right to them, which a
// server may have given to another process since. It ends with unguard.
func (c *Catalog) Guard(setID int64, held store.Held) (unguard func()) {
	c.guarding.Lock()
	defer c.guarding.Unlock()
	if c.guards == nil {
		c.guards = map[int64]store.Held{}
	}
	c.guards[setID] = held
	return func() {
		c.guarding.Lock()
		defer c.guarding.Unlock()
		if c.guards[setID] == held {
			delete(c.guards, setID)
		}
	}
}

// checkGuard is why a doc set may not be changed any more, up to the end of a change.
func (c *Catalog) checkGuard(ctx context.Context, tx change, setID int64) error {
	c.guarding.Lock()
	held := c.guards[setID]
	c.guarding.Unlock()
	if held == nil {
		return nil
	}
	return tx.checkHolder(ctx, held)
}

// stagedColumns are the columns of a staged document but for its number and its state, in the
// order of stagedValues.
var stagedColumns = []string{"set_id", "keeps", "path", "title", "h1", "url", "format", "lines", "bytes", "sha256", "mtime",
	"toc_path", "warnings", "sections", "chunks", "outline", "parser", "text_sha256", "fingerprint", "words", "toc_mtime", "uses",
	"domain", "routing", "source_words", "arrived_words", "sum"}

func stagedValues(d *store.Document) ([]any, error) {
	warnings := ""
	if len(d.Warnings) > 0 {
		raw, err := json.Marshal(d.Warnings)
		if err != nil {
			return nil, err
		}
		warnings = string(raw)
	}
	headings := 0
	for _, s := range d.Outline.Sections {
		if s.Level > 0 {
			headings++
		}
	}
	return []any{d.SetID, d.ID, d.Path, d.Title, d.H1, d.URL, string(d.Format), d.Lines, d.Bytes, d.SHA256, d.ModTime,
		d.TOCPath, warnings, headings, len(d.Outline.Chunks), encodeOutline(d.Outline), d.Parser, d.TextSHA256,
		append([]byte{}, d.Fingerprint...), d.Words, d.TOCModTime, encodeUses(d.Uses), d.Domain, encodeRouting(d.Routing),
		d.Arrival.Source, d.Arrival.Arrived, sumOfDocument(d, warnings)}, nil
}

// Discard deletes the staged documents of a doc set. Those of a process that took the doc set over
// stay.
func (c *Catalog) Discard(ctx context.Context, setID int64) error {
	// Looked at first: writing waits for other writers.
	var some bool
	err := c.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM documents WHERE set_id = ? AND state = 0)`, setID).Scan(&some)
	if err != nil || !some {
		return err
	}
	err = inChange(ctx, c.db, func(tx change) error {
		if err := c.checkGuard(ctx, tx, setID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM documents WHERE set_id = ? AND state = 0`, setID)
		return err
	})
	if errors.Is(err, postgres.ErrTakenOver) {
		return nil
	}
	return err
}

// Publish makes the staged documents of a doc set visible, with all other changes of a
// publication, in one transaction. It fails where the doc set is gone, or was taken over by
// another process.
func (c *Catalog) Publish(ctx context.Context, p store.Publication) (err error) {
	return inChange(ctx, c.db, func(tx change) error {
		if err := tx.lockSet(ctx, p.SetID); err != nil {
			return err
		}
		if err := c.checkGuard(ctx, tx, p.SetID); err != nil {
			return fmt.Errorf("nothing was published: %w; update it again", err)
		}
		for _, step := range []func(context.Context, change, store.Publication) error{
			deleteRetired, countSet, retireDocuments, publishStaged, touchSet, replaceFailures, packSet,
		} {
			if err := step(ctx, tx, p); err != nil {
				return err
			}
		}
		return nil
	})
}

func deleteRetired(ctx context.Context, tx change, p store.Publication) error {
	rows, err := tx.QueryContext(ctx, `SELECT id FROM documents WHERE set_id = ? AND state = 2`, p.SetID)
	if err != nil {
		return err
	}
	defer rows.Close()
	var old []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if p.Serves == nil || !p.Serves(id) {
			old = append(old, id)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	return eachItem(ctx, tx, `DELETE FROM documents WHERE id = ?`, old, func(id int64) []any { return []any{id} })
}

// ofSet is the doc set of one document. The sum keeps PostgreSQL from looking through all
// documents of the doc set: a large one that it has no statistics of yet took 3 ms a document.
const ofSet = `set_id + 0 = ?`

func retireDocuments(ctx context.Context, tx change, p store.Publication) error {
	return eachItem(ctx, tx, `UPDATE documents SET state = 2 WHERE id = ? AND `+ofSet, p.Retire,
		func(id int64) []any { return []any{id, p.SetID} })
}

func publishStaged(ctx context.Context, tx change, p store.Publication) error {
	for _, query := range []string{
		`DELETE FROM documents WHERE id IN (SELECT keeps FROM documents WHERE set_id = ? AND state = 0 AND keeps <> 0)`,
		`UPDATE documents SET id = keeps, keeps = 0 WHERE set_id = ? AND state = 0 AND keeps <> 0`,
		`UPDATE documents SET state = 1 WHERE set_id = ? AND state = 0`,
	} {
		if _, err := tx.ExecContext(ctx, query, p.SetID); err != nil {
			return err
		}
	}
	return nil
}

func touchSet(ctx context.Context, tx change, p store.Publication) error {
	return eachItem(ctx, tx, `UPDATE documents SET mtime = ?, uses = ?, routing = ? WHERE id = ?`, p.Touched, func(t store.Touch) []any {
		return []any{t.ModTime, encodeUses(t.Uses), tx.storable(encodeRouting(t.Routing)), t.ID}
	})
}

func replaceFailures(ctx context.Context, tx change, p store.Publication) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM failures WHERE set_id = ?`, p.SetID); err != nil {
		return err
	}
	return eachItem(ctx, tx, `INSERT INTO failures (set_id, path, stage, reason, bytes, mtime, toc_path, format, parser, code, again)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		p.Failures, func(f store.Failure) []any {
			return []any{p.SetID, tx.storable(f.Path), f.Stage, tx.storable(f.Reason), f.Bytes, f.ModTime, f.TOCPath, f.Format, f.Parser,
				f.Code, f.Again}
		})
}

func packSet(ctx context.Context, tx change, p store.Publication) error {
	return tx.packStates(ctx, p.SetID)
}

// size is what a doc set's row says of its documents.
type size struct{ documents, sections, chunks, lines, bytes int64 }

const sizeColumns = `count(*), coalesce(sum(sections), 0), coalesce(sum(chunks), 0), coalesce(sum(lines), 0), coalesce(sum(bytes), 0)`

func (s *size) addRow(sign int64, row postgres.Row) error {
	var o size
	err := row.Scan(&o.documents, &o.sections, &o.chunks, &o.lines, &o.bytes)
	s.documents += sign * o.documents
	s.sections += sign * o.sections
	s.chunks += sign * o.chunks
	s.lines += sign * o.lines
	s.bytes += sign * o.bytes
	return err
}

// countSet changes the set's row by the documents that come and go, before they do:
// to sum up all of them would read most of the catalog. With p.Recount they are
// summed up all the same.
func countSet(ctx context.Context, tx change, p store.Publication) error {
	var d size
	err := d.addRow(1, tx.QueryRowContext(ctx, `SELECT `+sizeColumns+` FROM documents WHERE set_id = ? AND state = 0`, p.SetID))
	if err == nil {
		err = d.addRow(-1, tx.QueryRowContext(ctx, `SELECT `+sizeColumns+` FROM documents WHERE state = 1 AND id IN
			(SELECT keeps FROM documents WHERE set_id = ? AND state = 0 AND keeps <> 0)`, p.SetID))
	}
	if err != nil {
		return err
	}
	err = tx.repeat(ctx, `SELECT `+sizeColumns+` FROM documents WHERE state = 1 AND id = ? AND `+ofSet, len(p.Retire),
		func(i int) []any { return []any{p.Retire[i], p.SetID} }, func(row postgres.Row) error { return d.addRow(-1, row) })
	if err != nil {
		return err
	}
	if p.Recount {
		if err := d.addRow(1, tx.QueryRowContext(ctx, `SELECT `+sizeColumns+` FROM documents WHERE set_id = ? AND state = 1`,
			p.SetID)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE sets SET documents = 0, sections = 0, chunks = 0, lines = 0, bytes = 0 WHERE id = ?`,
			p.SetID); err != nil {
			return err
		}
	}
	res, err := tx.ExecContext(ctx, `UPDATE sets SET documents = documents + ?, sections = sections + ?, chunks = chunks + ?,
		lines = lines + ?, bytes = bytes + ?, site = ? WHERE id = ?`, d.documents, d.sections, d.chunks, d.lines, d.bytes, p.Site, p.SetID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, fmt.Errorf("doc set %d: %w", p.SetID, store.ErrNotFound))
	}
	return signSet(ctx, tx, p.SetID)
}

// Failures lists the files of a doc set that could not be indexed, by path.
func (c *Catalog) Failures(ctx context.Context, setID int64) ([]store.Failure, error) {
	rows, err := c.db.QueryContext(ctx, `SELECT path, stage, reason, bytes, mtime, toc_path, format, parser, code, again
		FROM failures WHERE set_id = ? ORDER BY path`, setID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []store.Failure
	for rows.Next() {
		var f store.Failure
		if err := rows.Scan(&f.Path, &f.Stage, &f.Reason, &f.Bytes, &f.ModTime, &f.TOCPath, &f.Format, &f.Parser, &f.Code,
			&f.Again); err != nil {
			return nil, unscanned(err)
		}
		out = append(out, f)
	}
	return out, rows.Err()
}
