package postgres

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"docent/store"
	"docent/store/filetree"
)

// treeTables keep the files of doc sets that belong to the home itself. Paths are bytes: names of
// files need not be UTF-8. A file that went leaves its row for a while, so that other machines learn
// of it. Contents are packed already.
var treeTables = Part{Name: "files", Steps: []string{
	`CREATE TABLE contents (
		key     TEXT COLLATE "C" PRIMARY KEY,
		written TIMESTAMPTZ NOT NULL,
		sum     BYTEA NOT NULL,
		packed  BOOLEAN NOT NULL,
		bytes   BYTEA NOT NULL
	);
	ALTER TABLE contents ALTER COLUMN bytes SET STORAGE EXTERNAL;
	CREATE TABLE trees (
		tree     TEXT COLLATE "C" PRIMARY KEY,
		born     TEXT NOT NULL DEFAULT gen_random_uuid()::text,
		revision BIGINT NOT NULL,
		forgot   BIGINT NOT NULL DEFAULT 0
	);
	CREATE TABLE tree_files (
		tree     TEXT COLLATE "C" NOT NULL,
		path     BYTEA NOT NULL,
		revision BIGINT NOT NULL,
		gone     BOOLEAN NOT NULL,
		key      TEXT COLLATE "C" NOT NULL,
		size     BIGINT NOT NULL,
		mod_time BIGINT NOT NULL,
		PRIMARY KEY (tree, path)
	);
	CREATE INDEX tree_files_revision ON tree_files (tree, revision);
	CREATE INDEX tree_files_key ON tree_files (key) WHERE NOT gone;`,
}}

// keptTables are the tables that stay where the schema is put aside, by their part: there may be no
// other copy of the home's files, and scripts go on with their tokens.
func keptTables() map[string][]string {
	return map[string][]string{
		treeTables.Name:   {"contents", "trees", "tree_files"},
		secretTables.Name: {"server_tokens", "server_password"},
	}
}

// Trees is filetree.Store in tables. The first change makes them.
type Trees struct {
	db       *Database
	contents *contents
}

var _ filetree.Store = (*Trees)(nil)

// OpenTrees gives the trees of a database.
func OpenTrees(db *Database) (*Trees, error) {
	contents, err := openContents(db)
	return &Trees{db, contents}, err
}

// State is filetree.Store'.
func (t *Trees) State(ctx context.Context, tree string) (filetree.State, error) {
	s, _, err := treeState(ctx, t.db.Runner(), tree)
	return s, err
}

// treeState gives the state of a tree, and the revision up to which files that went are forgotten.
func treeState(ctx context.Context, r Runner, tree string) (s filetree.State, forgot int64, err error) {
	err = r.QueryRowContext(ctx, `SELECT born, revision, forgot FROM trees WHERE tree = ?`, tree).Scan(&s.Born, &s.Revision, &forgot)
	if errors.Is(err, sql.ErrNoRows) || IsMissing(err) {
		return filetree.State{}, 0, nil
	}
	return s, forgot, err
}

// Changes is filetree.Store'.
func (t *Trees) Changes(ctx context.Context, tree string, since filetree.State) (out filetree.Changes, err error) {
	var forgot int64
	// The state is read first: a change behind it is given once more the next time.
	if out.State, forgot, err = treeState(ctx, t.db.Runner(), tree); err != nil {
		return out, err
	}
	out.Whole = since.Born != out.State.Born || since.Revision > out.State.Revision || since.Revision < forgot
	if out.Whole {
		out.Files, err = t.Files(ctx, tree)
		return out, err
	}
	rows, err := t.db.Runner().QueryContext(ctx, `SELECT path, size, mod_time, key, gone FROM tree_files
		WHERE tree = ? AND revision > ? ORDER BY path`, tree, since.Revision)
	if IsMissing(err) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	err = eachTreeFile(rows, func(f filetree.File, gone bool) {
		if gone {
			out.Gone = append(out.Gone, f.Path)
		} else {
			out.Files = append(out.Files, f)
		}
	})
	return out, err
}

// eachTreeFile reads rows, and closes them.
func eachTreeFile(rows *sql.Rows, each func(f filetree.File, gone bool)) error {
	defer rows.Close()
	for rows.Next() {
		var f filetree.File
		var path []byte
		var gone bool
		if err := rows.Scan(&path, &f.Bytes, &f.ModTime, &f.SHA256, &gone); err != nil {
			return err
		}
		f.Path = string(path)
		each(f, gone)
	}
	return rows.Err()
}

// Files is filetree.Store'.
func (t *Trees) Files(ctx context.Context, tree string, within ...string) ([]filetree.File, error) {
	return treeFiles(ctx, t.db.Runner(), tree, within)
}

func treeFiles(ctx context.Context, r Runner, tree string, within []string) (out []filetree.File, err error) {
	query, args := `SELECT path, size, mod_time, key, gone FROM tree_files WHERE tree = ? AND NOT gone`, []any{tree}
	var ways []string
	for _, path := range within {
		// Behind the slash comes the zero.
		ways = append(ways, `path = ? OR path >= ? AND path < ?`)
		args = append(args, []byte(path), []byte(path+"/"), []byte(path+"0"))
	}
	if len(ways) > 0 {
		query += ` AND (` + strings.Join(ways, " OR ") + `)`
	}
	rows, err := r.QueryContext(ctx, query+` ORDER BY path`, args...)
	if IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = eachTreeFile(rows, func(f filetree.File, _ bool) { out = append(out, f) })
	return out, err
}

// Contents is filetree.Store'.
func (t *Trees) Contents(ctx context.Context, sums []string, each func(sum string, content []byte, err error) error) error {
	return t.contents.getMany(ctx, sums, func(sum string, data []byte, err error) error {
		if err == nil && hashOf(data) != sum {
			data, err = nil, fmt.Errorf("content %s is another one: %w", sum, store.ErrBlobDamaged)
		}
		return each(sum, data, err)
	})
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// mostTries bounds how often a change is tried whose contents are swept before it is written.
const mostTries = 10

// Change is filetree.Store'.
func (t *Trees) Change(ctx context.Context, tree string, within []string, files []filetree.File,
	read func(filetree.File) ([]byte, error)) error {
	for try := 1; ; try++ {
		if err := t.keepContents(ctx, files, read); err != nil {
			return err
		}
		var whole bool
		err := t.db.makeAndRun(ctx, treeTables, func() (err error) {
			whole, err = t.changeRows(ctx, tree, within, files)
			return err
		})
		if err != nil {
			return fmt.Errorf("change the files of %s in %s: %w", tree, t.db.Name(), err)
		}
		if whole {
			return nil
		}
		if try == mostTries {
			return fmt.Errorf("change the files of %s in %s: contents were removed meanwhile; try again", tree, t.db.Name())
		}
	}
}

// keepContents keeps the contents that are missing. Those that are there get a new time, so that
// no sweep removes them before the files that have them are written.
func (t *Trees) keepContents(ctx context.Context, files []filetree.File, read func(filetree.File) ([]byte, error)) error {
	sums := sumsOf(files)
	if len(sums) == 0 {
		return nil
	}
	there, err := t.touch(ctx, t.db.Runner(), sums)
	if err != nil && !IsMissing(err) {
		return err
	}
	var batch []content
	size := 0
	for _, f := range files {
		if there[f.SHA256] {
			continue
		}
		there[f.SHA256] = true
		data, err := read(f)
		if err != nil {
			return err
		}
		if hashOf(data) != f.SHA256 {
			return fmt.Errorf("%s changed while it was read; try again", f.Path)
		}
		batch = append(batch, t.contents.packContent(f.SHA256, data))
		if size += len(data); size < mostBatchBytes && len(batch) < mostBatch {
			continue
		}
		if err := t.contents.putMany(ctx, batch); err != nil {
			return err
		}
		batch, size = nil, 0
	}
	if len(batch) == 0 {
		return nil
	}
	return t.contents.putMany(ctx, batch)
}

// sumsOf are the contents of files, each once and in order, so that two transactions do not wait
// for each other.
func sumsOf(files []filetree.File) []string {
	sums := make([]string, len(files))
	for i, f := range files {
		sums[i] = f.SHA256
	}
	slices.Sort(sums)
	return slices.Compact(sums)
}

// touch gives contents a new time, and says which are there.
func (t *Trees) touch(ctx context.Context, r Runner, sums []string) (map[string]bool, error) {
	there := map[string]bool{}
	rows, err := r.QueryContext(ctx, `UPDATE contents SET written = clock_timestamp() WHERE key IN
		(SELECT key FROM contents WHERE key = ANY (?) ORDER BY key FOR UPDATE) RETURNING key`, sums)
	if err != nil {
		return there, err
	}
	keys, err := readColumn[string](rows)
	for _, key := range keys {
		there[key] = true
	}
	return there, err
}

// changeRows writes which files a tree has; whole is false where a content is not there any more.
func (t *Trees) changeRows(ctx context.Context, tree string, within []string, files []filetree.File) (whole bool, err error) {
	tx, err := t.db.Begin(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock_shared(?)`, t.db.lockKey(sweepLock)); err != nil {
		return false, err
	}
	// The row of the tree is locked up to the end, so changes of a tree come one after the other.
	// Revisions go by the clock: those of a restored database are not given again.
	var revision int64
	err = tx.QueryRowContext(ctx, `INSERT INTO trees (tree, revision) VALUES (?, extract(epoch FROM clock_timestamp()) * 1000000)
		ON CONFLICT (tree) DO UPDATE SET revision = greatest(trees.revision + 1, excluded.revision) RETURNING revision`,
		tree).Scan(&revision)
	if err != nil {
		return false, err
	}
	put, gone, err := t.compareRows(ctx, tx, tree, within, files)
	if err != nil {
		return false, err
	}
	sums := sumsOf(put)
	there, err := t.touch(ctx, tx, sums)
	if err != nil || len(there) < len(sums) {
		return false, err
	}
	if len(put)+len(gone) == 0 && len(files)+len(within) > 0 {
		return true, nil // nothing changed: the revision stays too
	}
	err = tx.Repeat(ctx, `INSERT INTO tree_files (tree, path, revision, gone, key, size, mod_time) VALUES (?, ?, ?, false, ?, ?, ?)
		ON CONFLICT (tree, path) DO UPDATE SET revision = excluded.revision, gone = false, key = excluded.key, size = excluded.size,
		mod_time = excluded.mod_time`, len(put), func(i int) []any {
		return []any{tree, []byte(put[i].Path), revision, put[i].SHA256, put[i].Bytes, put[i].ModTime}
	}, nil)
	if err != nil {
		return false, err
	}
	_, err = tx.ExecContext(ctx, `UPDATE tree_files SET revision = ?, gone = true WHERE tree = ? AND path = ANY (?)`, revision, tree, gone)
	if err != nil {
		return false, err
	}
	return true, tx.Commit()
}

// compareRows finds the files that are new or changed, and those that go.
func (t *Trees) compareRows(ctx context.Context, tx *Tx, tree string, within []string, files []filetree.File) (put []filetree.File,
	gone [][]byte, err error) {
	had, err := treeFiles(ctx, tx, tree, within)
	if err != nil {
		return nil, nil, err
	}
	before := make(map[string]filetree.File, len(had))
	for _, f := range had {
		before[f.Path] = f
	}
	for _, f := range files {
		if before[f.Path] != f {
			put = append(put, f)
		}
		delete(before, f.Path)
	}
	for path := range before {
		gone = append(gone, []byte(path))
	}
	return put, gone, nil
}

// Remove is filetree.Store'.
func (t *Trees) Remove(ctx context.Context, tree string) (err error) {
	tx, err := t.db.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	for _, table := range []string{"trees", "tree_files"} {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE tree = ?`, tree); IsMissing(err) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return tx.Commit()
}

// List is filetree.Store'.
func (t *Trees) List(ctx context.Context) ([]string, error) {
	rows, err := t.db.Runner().QueryContext(ctx, `SELECT tree FROM trees ORDER BY tree`)
	if IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readColumn[string](rows)
}

// Restore is filetree.Store'.
func (t *Trees) Restore(ctx context.Context, sum string, data []byte) error {
	if hashOf(data) != sum {
		return fmt.Errorf("content %s is another one: %w", sum, store.ErrBlobDamaged)
	}
	return t.contents.put(ctx, sum, data)
}

// Discard is filetree.Store's.
func (t *Trees) Discard(ctx context.Context, sum string) error {
	_, err := t.db.Runner().ExecContext(ctx, `DELETE FROM contents WHERE key = ?`, sum)
	if IsMissing(err) {
		return nil
	}
	return err
}

// remembered is how long the files that went are remembered.
const remembered = "30 days"

// sweepLock is the lock that a sweep has alone and that changes share: a sweep sees the files of all
// changes before it, and a change behind it sees which contents are gone.
const sweepLock = "contents"

// Sweep is filetree.Store'.
func (t *Trees) Sweep(ctx context.Context, spare time.Duration) (removed int, err error) {
	tx, err := t.db.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(?)`, t.db.lockKey(sweepLock)); err != nil {
		return 0, err
	}
	res, err := tx.ExecContext(ctx, `DELETE FROM contents c WHERE written <= now() - ? * interval '1 microsecond'
		AND NOT EXISTS (SELECT 1 FROM tree_files f WHERE f.key = c.key AND NOT f.gone)`, spare.Microseconds())
	if IsMissing(err) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("remove contents that no file has: %w", err)
	}
	n, err := res.RowsAffected()
	if err == nil {
		err = forgetGone(ctx, tx)
	}
	if err != nil {
		return 0, err
	}
	return int(n), tx.Commit()
}

// forgetGone deletes the rows of files that went long ago. A machine that did not hear of them
// compares the whole tree.
func forgetGone(ctx context.Context, tx *Tx) error {
	var before int64
	err := tx.QueryRowContext(ctx, `SELECT (extract(epoch FROM now() - interval '`+remembered+`') * 1000000)::bigint`).Scan(&before)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE trees SET forgot = ? WHERE EXISTS
		(SELECT 1 FROM tree_files f WHERE f.tree = trees.tree AND f.gone AND f.revision <= ?)`, before, before); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM tree_files WHERE gone AND revision <= ?`, before)
	return err
}

// Check is filetree.Store'.
func (t *Trees) Check(ctx context.Context, deep bool) (out filetree.Faults, err error) {
	r := t.db.Runner()
	err = r.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM tree_files WHERE NOT gone),
		(SELECT count(*) FROM contents c WHERE NOT EXISTS (SELECT 1 FROM tree_files f WHERE f.key = c.key AND NOT f.gone))`).
		Scan(&out.Files, &out.Unused)
	if IsMissing(err) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	if out.Missing, err = t.faultsOf(ctx, `NOT EXISTS (SELECT 1 FROM contents c WHERE c.key = f.key)`); err != nil || !deep {
		return out, err
	}
	rows, err := r.QueryContext(ctx, `SELECT DISTINCT f.key FROM tree_files f JOIN contents c ON c.key = f.key WHERE NOT f.gone ORDER BY 1`)
	if err != nil {
		return out, err
	}
	keys, err := readColumn[string](rows)
	if err != nil {
		return out, err
	}
	var damaged []string
	err = t.Contents(ctx, keys, func(sum string, _ []byte, err error) error {
		if err != nil {
			damaged = append(damaged, sum)
		}
		return nil
	})
	if err == nil && len(damaged) > 0 {
		out.Damaged, err = t.faultsOf(ctx, `f.key = ANY (?)`, damaged)
	}
	return out, err
}

// faultsOf lists the files to which a condition applies.
func (t *Trees) faultsOf(ctx context.Context, condition string, args ...any) (out []filetree.Fault, err error) {
	rows, err := t.db.Runner().QueryContext(ctx, `SELECT f.tree, f.path, f.key FROM tree_files f WHERE NOT f.gone AND `+condition+
		` ORDER BY f.tree, f.path`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f filetree.Fault
		var path []byte
		if err := rows.Scan(&f.Tree, &path, &f.SHA256); err != nil {
			return nil, err
		}
		f.Path = string(path)
		out = append(out, f)
	}
	return out, rows.Err()
}
