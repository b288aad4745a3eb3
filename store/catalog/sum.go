package catalog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"docent/store"
	"docent/store/doc"
	"docent/store/generation"
)

// Every row of a doc set and of a document has a checksum of what answers depend on,
// and an outline has one of its own at its end: SQLite looks after the form of its
// file, and not after the values in it. A checksum is stored plus one; 0 means that an
// earlier version wrote the row, which an update replaces.

// errRow means that a row does not have its checksum.
var errRow = fmt.Errorf("it does not have its checksum: %w", store.ErrCatalogDamaged)

// summed is a checksum over counted strings and numbers.
type summed struct{ b []byte }

func (s *summed) addTexts(texts ...string) {
	for _, t := range texts {
		s.b = binary.AppendUvarint(s.b, uint64(len(t)))
		s.b = append(s.b, t...)
	}
}

func (s *summed) addNumbers(numbers ...int64) {
	for _, n := range numbers {
		s.b = binary.AppendVarint(s.b, n)
	}
}

// storedChecksum is the checksum as it is stored.
func (s *summed) storedChecksum() int64 { return int64(generation.Checksum(s.b)) + 1 }

// sumOfDocument is the checksum of a document's row without its outline, its number,
// which a publication may change, and its time, by which nothing is judged alone.
func sumOfDocument(d *store.Document, warnings string) int64 {
	var s summed
	s.addNumbers(d.SetID, int64(d.Lines), d.Bytes, int64(d.Parser), int64(d.Words), d.TOCModTime)
	s.addTexts(d.Path, d.Title, d.H1, d.URL, string(d.Format), d.SHA256, d.TOCPath, warnings, d.TextSHA256, string(d.Fingerprint))
	for _, u := range d.Uses { // none in rows of earlier versions
		s.addTexts(u.Path, u.SHA256)
		s.addTexts(u.Endings...)
		if u.Contents {
			s.addTexts("contents")
		}
	}
	if d.Domain != "" { // "" in rows of earlier versions
		s.addTexts(d.Domain)
	}
	if d.Arrival != (doc.WordCount{}) { // zero in rows of earlier versions
		s.addNumbers(int64(d.Arrival.Source), int64(d.Arrival.Arrived))
	}
	return s.storedChecksum()
}

// sumOfSet is the checksum of a doc set's row.
func sumOfSet(d *store.Set) int64 {
	var s summed
	s.addTexts(d.Ref.Name, d.Ref.Version, d.Root, string(d.Layout), d.Domain, d.URLBase, d.Site)
	s.addNumbers(int64(d.Documents), int64(d.Sections), int64(d.Chunks), int64(d.Lines), d.Bytes)
	if d.DomainGiven { // not in rows of earlier versions
		s.addNumbers(1)
	}
	return s.storedChecksum()
}

// signSet writes the checksum of a doc set's row that was changed.
func signSet(ctx context.Context, tx change, id int64) error {
	s, _, err := scanSet(tx.QueryRowContext(ctx, `SELECT `+setColumns+` FROM sets WHERE id = ?`, id))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE sets SET sum = ? WHERE id = ?`, sumOfSet(&s), id)
	return err
}

// Check looks for damage: the engine looks in its own way, and every row is compared with its
// checksum. The error describes the damage; it wraps
// store.ErrCatalogDamaged.
func (c *Catalog) Check(ctx context.Context) error {
	if err := c.db.check(ctx); err != nil {
		return err
	}
	sets, err := c.Sets(ctx)
	if err != nil {
		return err
	}
	for _, s := range sets {
		bad, err := c.damagedDocuments(ctx, s.ID)
		if err != nil {
			return err
		}
		if len(bad) > 0 {
			return fmt.Errorf("the catalog %s: %d rows of pages of %s: %w", c.db.name(), len(bad), s.Ref, errRow)
		}
		if err := c.checkStates(ctx, s.ID); err != nil {
			return fmt.Errorf("the catalog %s: pages of %s: %w", c.db.name(), s.Ref, err)
		}
	}
	return nil
}

// damagedDocuments lists the live and retired documents of a doc set whose rows do not have
// their checksums.
func (c *Catalog) damagedDocuments(ctx context.Context, setID int64) (ids []int64, err error) {
	rows, err := c.db.QueryContext(ctx, `SELECT `+documentColumns+`, outline FROM documents WHERE set_id = ? AND state > 0 ORDER BY id`,
		setID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var raw []byte
		d, err := scanDocument(rows, &raw)
		if err == nil {
			_, err = decodeOutline(raw)
		}
		if errors.Is(err, store.ErrCatalogDamaged) {
			ids = append(ids, d.ID)
			err = nil
		}
		if err != nil {
			return nil, err
		}
	}
	return ids, rows.Err()
}

// DropDamaged deletes the documents of a doc set whose rows do not have their
// checksums, so that an update reads their pages again, and says how many.
func (c *Catalog) DropDamaged(ctx context.Context, setID int64) (dropped int, err error) {
	if err := c.checkStates(ctx, setID); errors.Is(err, store.ErrCatalogDamaged) {
		if _, err := c.db.ExecContext(ctx, `UPDATE page_states SET content = NULL WHERE set_id = ?`, setID); err != nil {
			return 0, err
		}
	}
	ids, err := c.damagedDocuments(ctx, setID)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	err = inChange(ctx, c.db, func(tx change) error {
		err := eachItem(ctx, tx, `DELETE FROM documents WHERE id = ?`, ids, func(id int64) []any { return []any{id} })
		if err != nil {
			return err
		}
		return recountSet(ctx, tx, setID)
	})
	if err != nil {
		return 0, err
	}
	return len(ids), nil
}

// recountSet counts a doc set's documents again.
func recountSet(ctx context.Context, tx change, setID int64) error {
	var n size
	err := n.addRow(1, tx.QueryRowContext(ctx, `SELECT `+sizeColumns+` FROM documents WHERE set_id = ? AND state = 1`, setID))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE sets SET documents = ?, sections = ?, chunks = ?, lines = ?, bytes = ? WHERE id = ?`,
		n.documents, n.sections, n.chunks, n.lines, n.bytes, setID)
	if err != nil {
		return err
	}
	return signSet(ctx, tx, setID)
}
