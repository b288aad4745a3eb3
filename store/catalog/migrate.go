package catalog

import (
	"context"
	"fmt"
)

// migrations bring a catalog from version i to i+1. Released entries are never changed; a
// new version is a new entry.
var migrations = []string{
	`CREATE TABLE sets (
		id        INTEGER PRIMARY KEY AUTOINCREMENT,
		name      TEXT NOT NULL,
		version   TEXT NOT NULL,
		root      TEXT NOT NULL,
		layout    TEXT NOT NULL,
		domain    TEXT NOT NULL,
		documents INTEGER NOT NULL DEFAULT 0,
		sections  INTEGER NOT NULL DEFAULT 0,
		chunks    INTEGER NOT NULL DEFAULT 0,
		lines     INTEGER NOT NULL DEFAULT 0,
		bytes     INTEGER NOT NULL DEFAULT 0,
		UNIQUE (name, version)
	) STRICT;
	CREATE TABLE documents (
		id       INTEGER PRIMARY KEY AUTOINCREMENT,
		set_id   INTEGER NOT NULL REFERENCES sets (id) ON DELETE CASCADE,
		path     TEXT NOT NULL,
		title    TEXT NOT NULL,
		h1       TEXT NOT NULL,
		url      TEXT NOT NULL,
		format   TEXT NOT NULL,
		lines    INTEGER NOT NULL,
		bytes    INTEGER NOT NULL,
		sha256   TEXT NOT NULL,
		mtime    INTEGER NOT NULL,
		toc_path TEXT NOT NULL,
		warnings TEXT NOT NULL,
		sections INTEGER NOT NULL,
		chunks   INTEGER NOT NULL,
		outline  BLOB NOT NULL,
		UNIQUE (set_id, path)
	) STRICT;
	CREATE INDEX documents_title ON documents (set_id, title);`,
	// The parser's version and the hash of its text, "" where the text is the
	// source. All documents so far are Markdown or plain text by version 1.
	`ALTER TABLE documents ADD COLUMN parser INTEGER NOT NULL DEFAULT 1;
	ALTER TABLE documents ADD COLUMN text_sha256 TEXT NOT NULL DEFAULT '';`,
	// Documents have a state (see stage.go), so that the new version of a page may exist
	// next to the old one; and there is a list of the files that failed.
	`CREATE TABLE documents_with_state (
		id       INTEGER PRIMARY KEY AUTOINCREMENT,
		set_id   INTEGER NOT NULL REFERENCES sets (id) ON DELETE CASCADE,
		state    INTEGER NOT NULL,
		keeps    INTEGER NOT NULL,
		path     TEXT NOT NULL,
		title    TEXT NOT NULL,
		h1       TEXT NOT NULL,
		url      TEXT NOT NULL,
		format   TEXT NOT NULL,
		lines    INTEGER NOT NULL,
		bytes    INTEGER NOT NULL,
		sha256   TEXT NOT NULL,
		mtime    INTEGER NOT NULL,
		toc_path TEXT NOT NULL,
		warnings TEXT NOT NULL,
		sections INTEGER NOT NULL,
		chunks   INTEGER NOT NULL,
		outline  BLOB NOT NULL,
		parser      INTEGER NOT NULL,
		text_sha256 TEXT NOT NULL
	) STRICT;
	INSERT INTO documents_with_state (id, set_id, state, keeps, path, title, h1, url, format, lines, bytes, sha256, mtime, toc_path,
			warnings, sections, chunks, outline, parser, text_sha256)
		SELECT id, set_id, 1, 0, path, title, h1, url, format, lines, bytes, sha256, mtime, toc_path,
			warnings, sections, chunks, outline, parser, text_sha256 FROM documents;
	DELETE FROM sqlite_sequence WHERE name = 'documents_with_state';
	INSERT INTO sqlite_sequence (name, seq) SELECT 'documents_with_state', seq FROM sqlite_sequence WHERE name = 'documents';
	DROP TABLE documents;
	ALTER TABLE documents_with_state RENAME TO documents;
	CREATE UNIQUE INDEX documents_path ON documents (set_id, path) WHERE state = 1;
	CREATE INDEX documents_title ON documents (set_id, title) WHERE state = 1;
	CREATE INDEX documents_staged ON documents (set_id) WHERE state = 0;
	CREATE INDEX documents_retired ON documents (set_id) WHERE state = 2;
	CREATE TABLE failures (
		set_id   INTEGER NOT NULL REFERENCES sets (id) ON DELETE CASCADE,
		path     TEXT NOT NULL,
		stage    TEXT NOT NULL,
		reason   TEXT NOT NULL,
		bytes    INTEGER NOT NULL,
		mtime    INTEGER NOT NULL,
		toc_path TEXT NOT NULL,
		format   TEXT NOT NULL,
		parser   INTEGER NOT NULL,
		PRIMARY KEY (set_id, path)
	) STRICT, WITHOUT ROWID;`,
	// The addresses of doc sets on the web; of a page how much text it has, its
	// fingerprint, and the time of its table of contents. Pages so far have none until their index is built again, which the
	// index's format brings about.
	`ALTER TABLE sets ADD COLUMN url_base TEXT NOT NULL DEFAULT '';
	ALTER TABLE sets ADD COLUMN site TEXT NOT NULL DEFAULT '';
	ALTER TABLE documents ADD COLUMN fingerprint BLOB NOT NULL DEFAULT x'';
	ALTER TABLE documents ADD COLUMN words INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE documents ADD COLUMN toc_mtime INTEGER NOT NULL DEFAULT 0;`,
	// Checksums of rows, see sum.go. Rows so far have none until they are written again.
	`ALTER TABLE sets ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE documents ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;`,
	// The other files that a page took text from, as JSON; "": none.
	`ALTER TABLE documents ADD COLUMN uses TEXT NOT NULL DEFAULT '';`,
	domainMigration,
	failureMigration,
	// How many words of a page's file arrive in its text. Pages so far have no count until
	// they are read again.
	`ALTER TABLE documents ADD COLUMN source_words INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE documents ADD COLUMN arrived_words INTEGER NOT NULL DEFAULT 0;`,
	statesMigration,
}

func (f *sqliteFile) schemaVersion(ctx context.Context) (int, error) {
	var v int
	err := f.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&v)
	return v, err
}

func newerError(path string, v int) error {
	return fmt.Errorf("the catalog %s has version %d, newer than this program's %d; use a newer docent, or another home", path, v,
		len(migrations))
}

// migrateSteps brings the catalog to the newest version, a step at a time, each in a
// transaction of its own.
func (f *sqliteFile) migrateSteps(ctx context.Context) error {
	for {
		v, err := f.schemaVersion(ctx)
		if err != nil {
			return fmt.Errorf("read the catalog %s: %w", f.path, err)
		}
		if v > len(migrations) {
			return newerError(f.path, v)
		}
		if v == len(migrations) {
			return nil
		}
		tx, err := f.BeginTx(ctx, nil)
		if err != nil {
			return fmt.Errorf("migrate the catalog %s: %w", f.path, err)
		}
		// Another process may have done this step.
		var now int
		err = tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&now)
		if err == nil && now != v {
			_ = tx.Rollback()
			continue
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, migrations[v])
		}
		if err == nil && migrations[v] == statesMigration {
			err = sqliteChange{tx}.packAll(ctx)
		}
		if err == nil {
			// A pragma takes no parameters; v is a number.
			_, err = tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, v+1))
		}
		if err == nil {
			err = tx.Commit()
		} else {
			_ = tx.Rollback()
		}
		if err != nil {
			return fmt.Errorf("migrate the catalog %s to version %d: %w", f.path, v+1, err)
		}
	}
}
