package jobs

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"docent/store"
	"docent/store/generation"
)

const uploadColumns = `id, filename, mime, bytes, format, lane, status, path, md5, ocr_mode, ocr_languages, retries,
	fail_code, fail_reason, chunks, created, updated, revision, sum`

// checksumOf is the checksum of an upload's row, as the catalog's rows have one. The
// revision is not among it.
func checksumOf(u *store.Upload) int64 {
	var b []byte
	for _, t := range []string{u.ID, u.Filename, u.MimeType, u.Format, u.Lane, u.Status, u.Path, u.MD5, u.OCRMode,
		strings.Join(u.OCRLanguages, ","), u.FailCode, u.FailReason} {
		b = binary.AppendUvarint(b, uint64(len(t)))
		b = append(b, t...)
	}
	for _, n := range []int64{u.Bytes, int64(u.Retries), int64(u.Chunks), u.Created.UnixMilli(), u.Updated.UnixMilli()} {
		b = binary.AppendVarint(b, n)
	}
	return int64(generation.Checksum(b)) + 1
}

func scanUpload(row interface{ Scan(...any) error }) (u store.Upload, err error) {
	var languages string
	var created, updated, sum int64
	err = row.Scan(&u.ID, &u.Filename, &u.MimeType, &u.Bytes, &u.Format, &u.Lane, &u.Status, &u.Path, &u.MD5, &u.OCRMode, &languages,
		&u.Retries, &u.FailCode, &u.FailReason, &u.Chunks, &created, &updated, &u.Revision, &sum)
	if err != nil {
		return u, err
	}
	if languages != "" {
		u.OCRLanguages = strings.Split(languages, ",")
	}
	u.Created, u.Updated = time.UnixMilli(created).UTC(), time.UnixMilli(updated).UTC()
	if sum != checksumOf(&u) {
		return u, fmt.Errorf("the row of document %q: it does not have its checksum: %w", u.ID, store.ErrCatalogDamaged)
	}
	return u, nil
}

// putUpload writes an upload's row under a new revision, which it sets.
func (s *Store) putUpload(ctx context.Context, tx change, u *store.Upload) error {
	if err := nextRevision(ctx, tx, &u.Revision); err != nil {
		return err
	}
	u.Created, u.Updated = u.Created.UTC().Truncate(time.Millisecond), u.Updated.UTC().Truncate(time.Millisecond)
	for _, text := range []*string{&u.Filename, &u.MimeType, &u.Path, &u.FailReason} {
		*text = s.db.storable(*text)
	}
	_, err := tx.ExecContext(ctx, s.db.terms().putUpload,
		u.ID, u.Filename, u.MimeType, u.Bytes, u.Format, u.Lane, u.Status, u.Path, u.MD5, u.OCRMode, strings.Join(u.OCRLanguages, ","),
		u.Retries, u.FailCode, u.FailReason, u.Chunks, u.Created.UnixMilli(), u.Updated.UnixMilli(), u.Revision, checksumOf(u))
	return err
}

func nextRevision(ctx context.Context, tx change, to *int64) error {
	return tx.QueryRowContext(ctx, `UPDATE uploads_clock SET revision = revision + 1 RETURNING revision`).Scan(to)
}

// AddUpload is store.Uploads'.
func (s *Store) AddUpload(ctx context.Context, u store.Upload) error {
	return s.writeTransaction(ctx, func(tx change) error {
		var id string
		err := tx.QueryRowContext(ctx, `SELECT id FROM uploads WHERE id = ? OR md5 = ? ORDER BY id <> ?`, u.ID, u.MD5, u.ID).Scan(&id)
		switch {
		case err == nil && id == u.ID:
			return nil
		case err == nil:
			return &store.DuplicateError{ID: id}
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		if err := s.putUpload(ctx, tx, &u); err != nil || u.Status != store.UploadPending {
			return err
		}
		return s.enqueueUpload(ctx, tx, u)
	})
}

// ListUploads is store.Uploads'.
func (s *Store) ListUploads(ctx context.Context, f store.UploadFilter) ([]store.Upload, int, error) {
	where, args := "true", []any{}
	for _, c := range []struct{ column, value string }{{"id", f.ID}, {"status", f.Status}, {"md5", f.MD5}} {
		if c.value != "" {
			where += " AND " + c.column + " = ?"
			args = append(args, c.value)
		}
	}
	var total int
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM uploads WHERE `+where, args...).Scan(&total); err != nil {
		return nil, 0, err
	}
	limit := f.Limit
	if limit <= 0 {
		limit = noLimit
	}
	rows, err := s.db.QueryContext(ctx, `SELECT `+uploadColumns+` FROM uploads WHERE `+where+` ORDER BY created DESC, id LIMIT ? OFFSET ?`,
		append(args, limit, f.Offset)...)
	if err != nil {
		return nil, 0, err
	}
	out, err := allRows(rows, scanUpload)
	return out, total, err
}

// CountUploads is store.Uploads'.
func (s *Store) CountUploads(ctx context.Context) (map[string]int, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT status, count(*) FROM uploads GROUP BY status`)
	if err != nil {
		return nil, err
	}
	out := map[string]int{}
	_, err = allRows(rows, func(row interface{ Scan(...any) error }) (struct{}, error) {
		var status string
		var n int
		err := row.Scan(&status, &n)
		out[status] = n
		return struct{}{}, err
	})
	return out, err
}

// noLimit is more than there are rows.
const noLimit = math.MaxInt32

func scanText(row interface{ Scan(...any) error }) (text string, err error) {
	err = row.Scan(&text)
	return text, err
}

// allRows reads the rows of a query and closes it.
func allRows[T any](rows *sql.Rows, scan func(row interface{ Scan(...any) error }) (T, error)) ([]T, error) {
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// ChangeUpload is store.Uploads'.
func (s *Store) ChangeUpload(ctx context.Context, id string, edit func(*store.Upload) (enqueue bool, err error)) (u store.Upload,
	err error) {
	err = s.writeTransaction(ctx, func(tx change) (err error) {
		u, err = s.changeIn(ctx, tx, id, edit)
		return err
	})
	return u, err
}

func (s *Store) changeIn(ctx context.Context, tx change, id string, edit func(*store.Upload) (enqueue bool, err error)) (store.Upload,
	error) {
	u, err := scanUpload(tx.QueryRowContext(ctx, `SELECT `+uploadColumns+` FROM uploads WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return u, fmt.Errorf("document %q: %w", id, store.ErrNoUpload)
	}
	if err != nil {
		return u, err
	}
	enqueue, err := edit(&u)
	if err != nil {
		return u, err
	}
	if err := s.putUpload(ctx, tx, &u); err != nil || !enqueue {
		return u, err
	}
	var live int
	err = tx.QueryRowContext(ctx, s.db.terms().countWaitingJobs(), id).Scan(&live)
	if err != nil || live > 0 {
		return u, err
	}
	return u, s.enqueueUpload(ctx, tx, u)
}

// keptGone is how many removed uploads UploadChanges remembers.
const keptGone = 1000

// RemoveUpload is store.Uploads'.
func (s *Store) RemoveUpload(ctx context.Context, id string) error {
	return s.writeTransaction(ctx, func(tx change) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM uploads WHERE id = ?`, id)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fmt.Errorf("document %q: %w", id, store.ErrNoUpload))
		}
		if _, err := tx.ExecContext(ctx, s.db.terms().deleteUploadJobs(), id); err != nil {
			return err
		}
		var rev int64
		if err := nextRevision(ctx, tx, &rev); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO uploads_gone (id, revision) VALUES (?, ?)`, id, rev); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM uploads_gone WHERE revision <=
			(SELECT revision FROM uploads_gone ORDER BY revision DESC LIMIT 1 OFFSET ?)`, keptGone)
		return err
	})
}

// UploadChanges is store.Uploads'.
func (s *Store) UploadChanges(ctx context.Context, since int64) ([]store.UploadChange, int64, error) {
	var newest int64
	if err := s.db.QueryRowContext(ctx, `SELECT revision FROM uploads_clock`).Scan(&newest); err != nil || newest == since {
		return nil, newest, err
	}
	rows, err := s.db.QueryContext(ctx, `SELECT `+uploadColumns+` FROM uploads WHERE revision > ? ORDER BY revision`, since)
	if err != nil {
		return nil, 0, err
	}
	changed, err := allRows(rows, scanUpload)
	if err != nil {
		return nil, 0, err
	}
	if rows, err = s.db.QueryContext(ctx, `SELECT id, revision FROM uploads_gone WHERE revision > ? ORDER BY revision`, since); err != nil {
		return nil, 0, err
	}
	gone, err := allRows(rows, func(row interface{ Scan(...any) error }) (u store.Upload, err error) {
		err = row.Scan(&u.ID, &u.Revision)
		return u, err
	})
	var out []store.UploadChange
	for len(changed)+len(gone) > 0 {
		if len(gone) == 0 || len(changed) > 0 && changed[0].Revision < gone[0].Revision {
			out = append(out, store.UploadChange{Upload: changed[0]})
			changed = changed[1:]
		} else {
			out = append(out, store.UploadChange{Upload: gone[0], Gone: true})
			gone = gone[1:]
		}
	}
	for _, c := range out { // a change between the questions
		newest = max(newest, c.Upload.Revision)
	}
	return out, newest, err
}

// dropDamaged removes the uploads whose rows do not have their checksums, and jobs that
// cannot be read: adopt and the owner of the files make them again.
func (s *Store) dropDamaged(ctx context.Context) error {
	if _, err := s.db.ExecContext(ctx, s.db.terms().deleteUnreadJobs()); err != nil {
		return err
	}
	rows, err := s.db.QueryContext(ctx, `SELECT `+uploadColumns+` FROM uploads`)
	if err != nil {
		return err
	}
	bad, err := allRows(rows, func(row interface{ Scan(...any) error }) (string, error) {
		u, err := scanUpload(row)
		if errors.Is(err, store.ErrCatalogDamaged) {
			return u.ID, nil
		}
		return "", err
	})
	if err != nil {
		return err
	}
	for _, id := range bad {
		if id == "" {
			continue
		}
		if _, err := s.db.ExecContext(ctx, `DELETE FROM uploads WHERE id = ?`, id); err != nil {
			return err
		}
	}
	return nil
}
