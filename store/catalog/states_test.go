package catalog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"docent/store"
	"docent/store/doc"
)

// sampleStates are states with everything that a state can have.
func sampleStates(rnd *rand.Rand, n int) []store.FileState {
	states := make([]store.FileState, n)
	for i := range states {
		s := &states[i]
		*s = store.FileState{ID: int64(1000 + i), Path: fmt.Sprintf("dir%d/pagé%06d.md", rnd.IntN(3), rnd.IntN(1_000_000)),
			Bytes: rnd.Int64N(1 << 20), ModTime: rnd.Int64() - rnd.Int64(),
			SHA256: fmt.Sprintf("%016x%016x%016x%016x", rnd.Uint64(), rnd.Uint64(), rnd.Uint64(), rnd.Uint64()), Parser: rnd.IntN(9),
			Format: doc.Format([]string{"markdown", "rst"}[rnd.IntN(2)]), Domain: []string{"", "tech_docs"}[rnd.IntN(2)]}
		switch rnd.IntN(5) {
		case 0:
			s.SHA256 = "" // the page is read again
			s.Uses = []doc.Use{{Path: "x", SHA256: "ab", Bytes: 4, ModTime: 5}, {Path: "d", Endings: []string{".md", ".txt"}}}
		case 1:
			s.SHA256, s.TOCPath, s.TOCModTime = "AB", "toc.yml", rnd.Int64()
		default:
			s.Routing = store.Routing{Reason: "extension:.md", SliceType: "guide", Route: "docs", Index: "i", Extractor: "e",
				Tokens: rnd.IntN(5000)}
		}
	}
	return states
}

// Unpacking gives the packed states back, in the order of paths, in whatever order the numbers were. A
// byte that is changed is found.
func TestPackedStates(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 40, 700} {
		want := sampleStates(rnd, n)
		var got, late []store.FileState
		var err error
		for part := range slices.Chunk(want, 100) {
			content := packStates(part)
			if got, late, err = unpackStates(got, late, content); err != nil {
				t.Fatal(err)
			}
			content[rnd.IntN(len(content))] ^= 1 << rnd.IntN(8)
			if _, _, err := unpackStates(nil, nil, content); !errors.Is(err, store.ErrCatalogDamaged) {
				t.Errorf("a bit is another: %v", err)
			}
		}
		got = mergeByPath(got, late)
		slices.SortStableFunc(want, comparePaths)
		if !slices.EqualFunc(got, want, sameState) {
			t.Errorf("%d states are not what they were", n)
		}
	}
	if _, _, err := unpackStates(nil, nil, nil); !errors.Is(err, store.ErrCatalogDamaged) {
		t.Errorf("nothing: %v", err)
	}
}

// The states of the files are those of the rows after any publication, after a change by a program
// that does not know packed states, and where they are damaged; a check finds that, and it is mended.
func TestStatesFollowRows(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs on one goroutine: the race detector has nothing to find")
	}
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "catalog.db")
	c, err := OpenCatalog(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	f := fixture{c, t, putSet(t, c, "A")}
	rnd := rand.New(rand.NewPCG(5, 6))
	execute := func(query string, args ...any) {
		t.Helper()
		if _, err := c.db.ExecContext(ctx, query, args...); err != nil {
			t.Fatal(query, err)
		}
	}
	compare := func(when string, packed bool) []store.FileState {
		t.Helper()
		want, err := c.fileRows(ctx, f.set)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Files(ctx, f.set)
		if err != nil || !slices.EqualFunc(got, want, sameState) {
			t.Fatalf("%s: %d states, %d rows, %v", when, len(got), len(want), err)
		}
		if _, whole, err := c.db.packedStates(ctx, f.set); whole != packed {
			t.Errorf("%s: packed %v, %v", when, whole, err)
		}
		return want
	}
	for turn := range 12 {
		known := compare(fmt.Sprint("turn ", turn), true)
		p := store.Publication{SetID: f.set}
		var staged []store.Document
		for i := range rnd.IntN(600) {
			staged = append(staged, store.Document{Path: fmt.Sprintf("%03d/%d-%d", rnd.IntN(1000), turn, i), SHA256: "ab",
				ModTime: int64(turn), Domain: "tech_docs", Uses: []doc.Use{{Path: "u", Bytes: 3, SHA256: "ef"}}, Outline: sample()})
		}
		for _, k := range known {
			switch rnd.IntN(12) {
			case 0:
				p.Retire = append(p.Retire, k.ID)
			case 1:
				p.Touched = append(p.Touched, store.Touch{ID: k.ID, ModTime: rnd.Int64(), Uses: k.Uses,
					Routing: store.Routing{Reason: "r", Tokens: rnd.IntN(9)}})
			case 2:
				staged = append(staged, store.Document{ID: k.ID, Path: k.Path, Title: "again", SHA256: "cd", Bytes: 5, Outline: sample()})
			}
		}
		f.stage(staged...)
		f.publish(p)
	}
	known := compare("at the end", true)
	if len(known) < 1000 {
		t.Fatalf("%d pages are too few to tell", len(known))
	}
	if err := c.Check(ctx); err != nil {
		t.Error(err)
	}

	for i, query := range []string{`UPDATE documents SET mtime = mtime + 1 WHERE id = ?`, `UPDATE documents SET state = 2 WHERE id = ?`,
		`UPDATE documents SET state = 1 WHERE id = ?`, `DELETE FROM documents WHERE id = ?`} {
		one := known[i*200]
		if i == 2 {
			execute(`UPDATE documents SET state = 2 WHERE id = ?`, one.ID)
		}
		execute(query, one.ID)
		compare(query, false)
		f.publish(store.Publication{SetID: f.set, Recount: true, Serves: func(int64) bool { return true }})
		compare("a publication behind "+query, true)
	}

	execute(`DELETE FROM page_states WHERE part = (SELECT min(part) FROM page_states)`)
	compare("a part is missing", false)
	execute(`INSERT INTO page_states (set_id, part) SELECT set_id, min(id) >> 9 FROM documents WHERE state = 1 GROUP BY set_id`)
	f.publish(store.Publication{SetID: f.set})
	compare("the part is there again", true)

	const oneByte = `CAST(substr(content, 1, length(content) - 9) || x'00' || substr(content, -8) AS BLOB)`
	for _, query := range []string{`UPDATE page_states SET content = ` + oneByte, `UPDATE page_states SET content = x'01'`} {
		execute(query)
		if err := c.Check(ctx); !errors.Is(err, store.ErrCatalogDamaged) {
			t.Errorf("%s: a check gives %v", query, err)
		}
		if _, err := c.DropDamaged(ctx, f.set); err != nil {
			t.Error(err)
		}
		if err := c.Check(ctx); err != nil {
			t.Errorf("%s: mended, a check gives %v", query, err)
		}
		compare("mended after "+query, false)
		f.publish(store.Publication{SetID: f.set})
		compare("a publication behind "+query, true)
	}
}

// A catalog from before there were packed states has them once it is opened for writing.
func TestMigrationPacksStates(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "catalog.db")
	old, err := openFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	version := slices.Index(migrations, statesMigration)
	for _, step := range migrations[:version] {
		if _, err := old.ExecContext(ctx, step); err != nil {
			t.Fatal(err)
		}
	}
	for _, query := range []string{
		fmt.Sprintf(`PRAGMA user_version = %d`, version),
		`INSERT INTO sets (name, version, root, layout, domain, documents) VALUES ('A', '1', '/x', 'tree', 'd', 500)`,
		`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1499)
			INSERT INTO documents (set_id, state, keeps, path, title, h1, url, format, lines, bytes, sha256, mtime, toc_path, warnings,
				sections, chunks, outline, parser, text_sha256)
			SELECT 1, i % 3, 0, 'p' || (i * 7919 % 1500), '', '', '', 'markdown', 1, i, 'ab', i, '', '', 0, 0, x'010000', 1, '' FROM n`,
	} {
		if _, err := old.ExecContext(ctx, query); err != nil {
			t.Fatal(query, err)
		}
	}
	if _, err := OpenReader(ctx, path); !errors.Is(err, store.ErrOlder) {
		t.Errorf("read before it is migrated: %v", err)
	}
	c, err := OpenCatalog(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	packed, whole, err := c.db.packedStates(ctx, 1)
	rows, rerr := c.fileRows(ctx, 1)
	if err := errors.Join(err, rerr); err != nil || !whole || len(rows) != 500 || !slices.EqualFunc(packed, rows, sameState) {
		t.Errorf("%d packed, whole %v, %d rows, %v", len(packed), whole, len(rows), err)
	}
	// The program of the version before, which had it open, publishes a change.
	if _, err := old.ExecContext(ctx, `UPDATE documents SET state = 1 WHERE state = 0`); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Files(ctx, 1); err != nil || len(got) != 1000 {
		t.Errorf("%d states after a change by the program before, %v", len(got), err)
	}
	if err := old.Close(); err != nil {
		t.Error(err)
	}
}
