// Package catalog records the doc sets and their documents: for each document its
// title, source, hash, sections and chunks, and for each doc set the files that could
// not be indexed. Indexes are derived from it and from the source files, and can be
// built again.
//
// It is one SQLite file with migrations from its first version on, or a schema in a PostgreSQL
// database. Several processes may read it and stage documents; a process that publishes
// documents or changes the list of doc sets holds the home's lock. It refuses to keep texts:
// it has the byte offsets and lines of sections and chunks in the source files.
package catalog

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"docent/store"
	"docent/store/sqlite"
)

// Catalog is an open catalog. It is safe for concurrent use.
type Catalog struct {
	db engine

	mu   sync.Mutex  // of the counter's connection too
	sets []store.Set // as they were at version
	at   int64       // version

	guarding sync.Mutex
	guards   map[int64]store.Held // by doc set
}

// OpenCatalog opens the catalog at path, makes it where it is missing and brings an
// older one up to date. Two processes may do so at the same time.
func OpenCatalog(ctx context.Context, path string) (*Catalog, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := sqlite.OwnFiles(path); err != nil {
		return nil, err
	}
	f, err := openFile(path, url.Values{
		"_pragma": {"journal_mode(WAL)", "synchronous(NORMAL)", "busy_timeout(5000)", "foreign_keys(ON)"},
		"_txlock": {"immediate"},
	})
	if err != nil {
		return nil, err
	}
	f.writer = true
	if err := f.migrateSteps(ctx); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return &Catalog{db: f}, nil
}

// OpenReader opens an existing catalog for reading. The error is fs.ErrNotExist for a
// missing one and store.ErrOlder if a writer must migrate it first.
func OpenReader(ctx context.Context, path string) (*Catalog, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	f, err := openFile(path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}})
	if err != nil {
		return nil, err
	}
	v, err := f.schemaVersion(ctx)
	if err != nil && f.readOnlyDisk() {
		// SQLite shares files with writers, which it cannot create on a read-only disk.
		// No process writes there, so it may do without them.
		err = errors.Join(f.close())
		if err != nil {
			return nil, err
		}
		if f, err = openFile(path, url.Values{"mode": {"ro"}, "immutable": {"1"}}); err != nil {
			return nil, err
		}
		v, err = f.schemaVersion(ctx)
	}
	switch {
	case sqlite.NeedsWriter(err):
		return nil, errors.Join(fmt.Errorf("%w: %w", store.ErrOlder, err), f.close())
	case err != nil:
		return nil, errors.Join(fmt.Errorf("read the catalog %s: %w", path, err), f.close())
	case v > len(migrations):
		return nil, errors.Join(newerError(path, v), f.close())
	case v < len(migrations):
		return nil, errors.Join(store.ErrOlder, f.close())
	}
	return &Catalog{db: f}, nil
}

// Path is the catalog's file, or its address.
func (c *Catalog) Path() string { return c.db.name() }

// Close closes the catalog.
func (c *Catalog) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.db.close()
}

const setColumns = `id, name, version, root, layout, domain, domain_given, url_base, site, documents, sections, chunks, lines, bytes, sum`

func scanSet(row interface{ Scan(...any) error }) (s store.Set, sum int64, err error) {
	err = row.Scan(&s.ID, &s.Ref.Name, &s.Ref.Version, &s.Root, &s.Layout, &s.Domain, &s.DomainGiven, &s.URLBase, &s.Site,
		&s.Documents, &s.Sections, &s.Chunks, &s.Lines, &s.Bytes, &sum)
	return s, sum, err
}

// Sets lists the doc sets by name and version.
func (c *Catalog) Sets(ctx context.Context) ([]store.Set, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// Read first: later reads are of this version or a newer one.
	at, renewed, err := c.db.changeCounter(ctx)
	if renewed {
		c.sets = nil
	}
	if err != nil {
		return nil, err
	}
	if c.sets != nil && c.at == at {
		return slices.Clone(c.sets), nil
	}
	sets, err := c.readSets(ctx)
	if err != nil {
		return nil, err
	}
	c.sets, c.at = sets, at
	return slices.Clone(sets), nil
}

func (c *Catalog) readSets(ctx context.Context) ([]store.Set, error) {
	rows, err := c.db.queryCounted(ctx, `SELECT `+setColumns+` FROM sets ORDER BY name, version`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []store.Set
	for rows.Next() {
		s, sum, err := scanSet(rows)
		if err != nil {
			err = unscanned(err)
		}
		if err == nil && sum != 0 && sum != sumOfSet(&s) {
			err = fmt.Errorf("the catalog's row of doc set %d: %w", s.ID, errRow)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// unscanned is the error of a row that was read and whose values are not of their columns' types.
func unscanned(err error) error { return fmt.Errorf("the catalog: %w: %w", err, errRow) }

const documentColumns = `id, set_id, path, title, h1, url, format, lines, bytes, sha256, mtime, toc_path, warnings, parser, text_sha256,
	fingerprint, words, toc_mtime, uses, domain, routing, source_words, arrived_words, sum`

func scanDocument(row interface{ Scan(...any) error }, outline *[]byte) (store.Document, error) {
	var d store.Document
	var warnings, uses, routing string
	var sum int64
	dest := []any{&d.ID, &d.SetID, &d.Path, &d.Title, &d.H1, &d.URL, &d.Format, &d.Lines, &d.Bytes, &d.SHA256, &d.ModTime, &d.TOCPath,
		&warnings,
		&d.Parser, &d.TextSHA256, &d.Fingerprint, &d.Words, &d.TOCModTime, &uses, &d.Domain, &routing,
		&d.Arrival.Source, &d.Arrival.Arrived, &sum}
	if outline != nil {
		dest = append(dest, outline)
	}
	if err := row.Scan(dest...); err != nil {
		return d, unscanned(err)
	}
	if len(d.Fingerprint) == 0 {
		d.Fingerprint = nil
	}
	var err error
	if d.Uses, err = decodeUses(uses); err != nil {
		return d, fmt.Errorf("the catalog's row of page %q: %w", d.Path, errRow)
	}
	if d.Routing, err = decodeRouting(routing); err != nil {
		return d, fmt.Errorf("the catalog's row of page %q: %w", d.Path, err)
	}
	if sum != 0 && sum != sumOfDocument(&d, warnings) {
		return d, fmt.Errorf("the catalog's row of page %q: %w", d.Path, errRow)
	}
	if warnings != "" {
		if err := json.Unmarshal([]byte(warnings), &d.Warnings); err != nil {
			return d, fmt.Errorf("document %d: %w", d.ID, err)
		}
	}
	return d, nil
}

// Documents lists a set's documents by path, without outlines.
func (c *Catalog) Documents(ctx context.Context, setID int64) ([]store.Document, error) {
	return c.listDocuments(ctx, `set_id = ?`, setID)
}

// listDocuments lists the current documents that a condition is true of, by path, without outlines.
func (c *Catalog) listDocuments(ctx context.Context, condition string, args ...any) ([]store.Document, error) {
	query := `SELECT ` + documentColumns + ` FROM documents WHERE ` + condition + ` AND state = 1 ORDER BY path`
	rows, err := c.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []store.Document
	for rows.Next() {
		d, err := scanDocument(rows, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, rows.Err()
}

// stateColumns are those of a file state, in the order of scanStates.
const stateColumns = `id, path, bytes, mtime, sha256, toc_path, toc_mtime, format, parser, uses, domain, routing`

// Files lists the file states of a set's documents by path.
func (c *Catalog) Files(ctx context.Context, setID int64) ([]store.FileState, error) {
	states, whole, err := c.db.packedStates(ctx, setID)
	if err == nil && whole || err != nil && !errors.Is(err, store.ErrCatalogDamaged) {
		return states, err
	}
	return c.fileRows(ctx, setID)
}

// fileRows lists the file states of a set's documents by path, out of the documents' rows.
func (c *Catalog) fileRows(ctx context.Context, setID int64) ([]store.FileState, error) {
	n := 0
	if err := c.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM documents WHERE set_id = ? AND state = 1`, setID).Scan(&n); err != nil {
		return nil, err
	}
	rows, err := c.db.QueryContext(ctx, `SELECT `+stateColumns+` FROM documents WHERE set_id = ? AND state = 1 ORDER BY path`, setID)
	if err != nil {
		return nil, err
	}
	return scanStates(rows, make([]store.FileState, 0, n))
}

// scanStates puts the file states of rows behind others, and closes the rows.
func scanStates(rows *sql.Rows, out []store.FileState) ([]store.FileState, error) {
	defer rows.Close()
	var last store.FileState // most pages of a doc set have the same format, domain and routing
	var lastRouting string
	for rows.Next() {
		var f store.FileState
		var uses string
		var routing sql.RawBytes
		if err := rows.Scan(&f.ID, &f.Path, &f.Bytes, &f.ModTime, &f.SHA256, &f.TOCPath, &f.TOCModTime, &f.Format, &f.Parser, &uses,
			&f.Domain, &routing); err != nil {
			return nil, unscanned(err)
		}
		var err error
		if f.Uses, err = decodeUses(uses); err != nil {
			f.Uses, f.SHA256, f.ModTime = nil, "", 0 // the page is read again
		}
		if string(routing) != lastRouting {
			lastRouting = string(routing)
			if last.Routing, err = decodeRouting(lastRouting); err != nil {
				last.Routing = store.Routing{} // it is written again
			}
		}
		f.Routing = last.Routing
		if f.Format == last.Format && f.Domain == last.Domain {
			f.Format, f.Domain = last.Format, last.Domain
		}
		last.Format, last.Domain = f.Format, f.Domain
		out = append(out, f)
	}
	return out, errors.Join(rows.Err(), rows.Close())
}

// Paths lists the paths of a set's documents.
func (c *Catalog) Paths(ctx context.Context, setID int64) ([]string, error) {
	return c.queryPaths(ctx, `SELECT path FROM documents WHERE set_id = ? AND state = 1 ORDER BY path`, setID)
}

// PathsBetween lists the paths of a set's documents that come at or after one text and before
// another.
func (c *Catalog) PathsBetween(ctx context.Context, setID int64, from, before string) ([]string, error) {
	return c.queryPaths(ctx, `SELECT path FROM documents WHERE set_id = ? AND state = 1 AND path >= ? AND path < ? ORDER BY path`,
		setID, from, before)
}

// queryPaths gives the paths that a query selects.
func (c *Catalog) queryPaths(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := c.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var p string
		if err := rows.Scan(&p); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

// ByID gives documents with their outlines; unknown ids are left out. A document that an
// update replaced or removed is found until the next update, for readers of the index as
// it was before. Damaged ones are left out too: then the error wraps
// store.ErrCatalogDamaged, and the others are returned with it.
func (c *Catalog) ByID(ctx context.Context, ids []int64) (map[int64]*store.Document, error) {
	var damaged error
	out := make(map[int64]*store.Document, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	const batch = 500
	for len(ids) > 0 {
		n := min(batch, len(ids))
		condition, args := c.db.amongIDs(ids[:n])
		ids = ids[n:]
		rows, err := c.db.QueryContext(ctx, `SELECT `+documentColumns+`, outline FROM documents WHERE state > 0 AND `+condition, args...)
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			var raw []byte
			d, err := scanDocument(rows, &raw)
			if err == nil {
				d.Outline, err = decodeOutline(raw)
			}
			if errors.Is(err, store.ErrCatalogDamaged) {
				damaged = fmt.Errorf("document %d: %w", d.ID, err)
				continue
			}
			if err != nil {
				return nil, errors.Join(fmt.Errorf("document %d: %w", d.ID, err), rows.Close())
			}
			out[d.ID] = &d
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return nil, err
		}
	}
	return out, damaged
}

// ByPath gives one document with its outline, or ErrNotFound.
func (c *Catalog) ByPath(ctx context.Context, setID int64, path string) (*store.Document, error) {
	rows, err := c.db.QueryContext(ctx,
		`SELECT `+documentColumns+`, outline FROM documents WHERE set_id = ? AND path = ? AND state = 1`, setID, path)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	if !rows.Next() {
		return nil, cmp.Or(rows.Err(), fmt.Errorf("page %q: %w", path, store.ErrNotFound))
	}
	var raw []byte
	d, err := scanDocument(rows, &raw)
	if err != nil {
		return nil, err
	}
	if d.Outline, err = decodeOutline(raw); err != nil {
		return nil, err
	}
	return &d, nil
}

// Has reports whether a set has a document of this path.
func (c *Catalog) Has(ctx context.Context, setID int64, path string) (bool, error) {
	var n int
	err := c.db.QueryRowContext(ctx, `SELECT count(*) FROM documents WHERE set_id = ? AND path = ? AND state = 1`, setID, path).Scan(&n)
	return n > 0, err
}

// ByTitle gives a set's documents of this title, without outlines, by path.
func (c *Catalog) ByTitle(ctx context.Context, setID int64, title string) ([]store.Document, error) {
	return c.listDocuments(ctx, `set_id = ? AND title = ?`, setID, title)
}
