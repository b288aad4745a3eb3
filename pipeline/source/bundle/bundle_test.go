package bundle_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/pipeline/source"
	"docent/pipeline/source/archive"
	"docent/pipeline/source/bundle"
	"docent/pipeline/source/web"
	"docent/pipeline/text/nameindex"
	"docent/store/sqlite"
)

const list = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>CFBundleName</key><string>Lantern Kit</string><key>isDashDocset</key><true/>
<key>DashDocSetFallbackURL</key><string>https://lantern.example.org/docs/</string></dict></plist>`

const plainSchema = `CREATE TABLE searchIndex(id INTEGER PRIMARY KEY, name TEXT, type TEXT, path TEXT);
	INSERT INTO searchIndex(name, type, path) VALUES ('trim', 'Function', '<dash_entry_name=trim>wick.html#//apple_ref/func/trim'),
	('Wick', 'Class', 'wick.html'), ('Filling', 'Guide', 'wick.html#filling'), ('up', 'Function', '../../secret.html#x'), ('gone', 'Function', 'gone.html#x')`

const coreSchema = `CREATE TABLE ZTOKEN(Z_PK INTEGER PRIMARY KEY, ZTOKENNAME TEXT, ZTOKENTYPE INTEGER, ZMETAINFORMATION INTEGER);
	CREATE TABLE ZTOKENTYPE(Z_PK INTEGER PRIMARY KEY, ZTYPENAME TEXT);
	CREATE TABLE ZTOKENMETAINFORMATION(Z_PK INTEGER PRIMARY KEY, ZFILE INTEGER, ZANCHOR TEXT);
	CREATE TABLE ZFILEPATH(Z_PK INTEGER PRIMARY KEY, ZPATH TEXT);
	INSERT INTO ZTOKEN VALUES (1, 'trim', 1, 1); INSERT INTO ZTOKENTYPE VALUES (1, 'func');
	INSERT INTO ZTOKENMETAINFORMATION VALUES (1, 1, 'trim'); INSERT INTO ZFILEPATH VALUES (1, 'wick.html')`

// docset writes a docset whose database has a schema.
func docset(t *testing.T, dir, schema string) string {
	t.Helper()
	top := filepath.Join(dir, "Lantern.docset")
	write(t, top, map[string]string{"Contents/Info.plist": list, "meta.json": `{"version": "2.1"}`,
		"Contents/Resources/Documents/wick.html": "<h1>Wicks</h1>\n<a name=\"//apple_ref/func/trim\"></a><h2 id=\"trim\">trim</h2><p>Trims the wick.</p>",
		"Contents/Resources/Documents/logo.png":  "a picture"})
	db, err := sqlite.OpenFile(filepath.Join(top, "Contents", "Resources", "docSet.dsidx"), url.Values{})
	if err == nil {
		_, err = db.ExecContext(t.Context(), schema)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return top
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

func names(t *testing.T, root string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, nameindex.File))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func client(t *testing.T, address string) *web.Client {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	c, err := web.New(web.Options{Agent: "docent-test", Policy: web.Policy{Private: []string{web.HostPort(u)}}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A docset of either form that lies here is copied with its index of names; the folder itself
// stays as it is, and the same docset brings nothing new.
func TestDocsetHere(t *testing.T) {
	t.Parallel()
	for form, want := range map[string][2]string{"plain": {plainSchema, "Wick\tClass\twick.html\t\ntrim\tFunction\twick.html\t//apple_ref/func/trim\n"},
		"core": {coreSchema, "trim\tfunc\twick.html\ttrim\n"}} {
		top, into := docset(t, t.TempDir(), want[0]), t.TempDir()
		f := &bundle.Fetcher{Open: sqlite.OpenFile}
		got, err := f.Fetch(t.Context(), source.Want{Kind: source.KindBundle, Address: top}, into, nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		if got.Name != "Lantern_Kit" || got.Release != "2.1" || got.URLBase != "https://lantern.example.org/docs/{file}" ||
			got.Root != "Lantern.docset/Contents/Resources/Documents" || got.Kind != source.KindBundle {
			t.Errorf("%s: %+v", form, got)
		}
		root := filepath.Join(into, filepath.FromSlash(got.Root))
		if have := names(t, root); have != want[1] {
			t.Errorf("%s: the names are %q", form, have)
		}
		if _, err := os.Stat(filepath.Join(root, "logo.png")); err == nil {
			t.Errorf("%s: a picture was copied", form)
		}
		if !bundle.IsBundle(top) || !exists(filepath.Join(top, "Contents", "Resources", "docSet.dsidx")) {
			t.Errorf("%s: the docset itself was changed", form)
		}
		_, err = f.Fetch(t.Context(), source.Want{Kind: source.KindBundle, Address: top}, t.TempDir(), &source.Before{Origin: got.Origin}, nil)
		if !errors.Is(err, source.ErrUnchanged) {
			t.Errorf("%s: the same again: %v", form, err)
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// A docset with a damaged database, without names, or with a view that has no end.
func TestDocsetsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for name, schema := range map[string]string{
		"no table": "CREATE TABLE other(x)", "a view": "CREATE VIEW searchIndex AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) " +
			"SELECT i AS id, i AS name, 'Function' AS type, 'wick.html' AS path FROM n",
		"other columns": "CREATE TABLE searchIndex(id INTEGER PRIMARY KEY, title TEXT)",
	} {
		top := docset(t, t.TempDir(), schema)
		_, err := (&bundle.Fetcher{Open: sqlite.OpenFile}).Fetch(ctx, source.Want{Address: top}, t.TempDir(), nil, nil)
		if e, ok := errors.AsType[*source.Error](err); !ok || e.Source != top || !strings.Contains(e.Reason, "index of names") {
			t.Errorf("%s: %v", name, err)
		}
	}
	top := docset(t, t.TempDir(), plainSchema)
	if err := os.WriteFile(filepath.Join(top, "Contents", "Resources", "docSet.dsidx"), []byte("no database at all, but longer than a header is"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := (&bundle.Fetcher{Open: sqlite.OpenFile}).Fetch(ctx, source.Want{Address: top}, t.TempDir(), nil, nil); err == nil {
		t.Error("a database that is none was read")
	}
	if _, err := (&bundle.Fetcher{}).Fetch(ctx, source.Want{Address: t.TempDir()}, t.TempDir(), nil, nil); err == nil {
		t.Error("a folder without a docset was taken")
	}
}

// A docset is fetched by its feed, which names the version.
func TestFeed(t *testing.T) {
	t.Parallel()
	top := docset(t, t.TempDir(), plainSchema)
	packed := packFolder(t, filepath.Dir(top))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/feeds/Lantern.xml":
			_, _ = w.Write([]byte("<entry><version>3.0</version><url>/feeds/gone.tgz</url><url>/feeds/Lantern.tgz</url></entry>"))
		case "/feeds/Lantern.tgz":
			_, _ = w.Write(packed)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	c, into := client(t, server.URL), t.TempDir()
	f := &bundle.Fetcher{Client: c, Open: sqlite.OpenFile, Archive: &archive.Fetcher{Client: c, OpenDB: sqlite.OpenFile}}
	want := source.Want{Kind: source.KindBundle, Address: server.URL + "/feeds/Lantern.xml"}
	got, err := f.Fetch(t.Context(), want, into, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "Lantern_Kit" || got.Release != "3.0" || got.URL != want.Address || got.Kind != source.KindBundle {
		t.Errorf("%+v", got)
	}
	if have := names(t, filepath.Join(into, filepath.FromSlash(got.Root))); !strings.Contains(have, "trim\tFunction\twick.html") {
		t.Errorf("the names are %q", have)
	}
	if _, err := f.Fetch(t.Context(), want, t.TempDir(), &source.Before{Origin: got.Origin}, nil); !errors.Is(err, source.ErrUnchanged) {
		t.Errorf("the same again: %v", err)
	}
	if _, err := f.Fetch(t.Context(), source.Want{Address: server.URL + "/gone.xml"}, t.TempDir(), nil, nil); err == nil {
		t.Error("a feed that is not there was read")
	}
}

// packFolder is a folder as tar, packed by gzip.
func packFolder(t *testing.T, dir string) []byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		inside, err := filepath.Rel(dir, name)
		if err == nil {
			files[filepath.ToSlash(inside)], err = os.ReadFile(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	w := tar.NewWriter(g)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(files[name])), Typeflag: tar.TypeReg})
		if err == nil {
			_, err = w.Write(files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), g.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var devDocs = map[string]string{
	"index.json": `{"entries": [{"name": "trim()", "path": "wick/trim", "type": "Wicks"}, {"name": "level", "path": "wick/trim#level", "type": "Options"},
		{"name": "gone", "path": "gone", "type": "Wicks"}], "types": []}`,
	"db.json":   `{"wick/trim": "<h1>trim()</h1><p id=\"level\">The level.</p>", "plain": "<p>No heading &amp; all.</p>", "../up": "<p>up</p>"}`,
	"meta.json": `{"name": "Lantern", "slug": "lantern~2", "release": "2.1.4"}`,
}

// A bundle of DevDocs becomes a page a file, from an address and from a folder.
func TestDevDocs(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, ok := devDocs[strings.TrimPrefix(r.URL.Path, "/lantern~2/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", `"one"`)
		if r.Header.Get("If-None-Match") == `"one"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write([]byte(content))
	}))
	defer server.Close()
	folder := t.TempDir()
	write(t, folder, devDocs)
	write(t, folder, map[string]string{"other.html": "<p>no part of it"})
	for _, address := range []string{server.URL + "/lantern~2", folder} {
		into := t.TempDir()
		f := &bundle.Fetcher{Client: client(t, server.URL), Open: sqlite.OpenFile}
		want := source.Want{Kind: source.KindBundle, Address: address}
		got, err := f.Fetch(t.Context(), want, into, nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		if got.Name != "Lantern" || got.Release != "2.1.4" || got.Files != 2 || len(got.Failed) != 1 {
			t.Errorf("%s: %+v", address, got)
		}
		root := filepath.Join(into, filepath.FromSlash(got.Root))
		if have := names(t, root); have != "level\tOptions\twick/trim.html\tlevel\ntrim()\tWicks\twick/trim.html\t\n" {
			t.Errorf("%s: the names are %q", address, have)
		}
		page, err := os.ReadFile(filepath.Join(root, "plain.html"))
		if err != nil || !strings.Contains(string(page), "<title>plain</title>") || exists(filepath.Join(into, "up.html")) || exists(filepath.Join(root, "other.html")) {
			t.Errorf("%s: the pages: %q, %v", address, page, err)
		}
		if _, err := f.Fetch(t.Context(), want, t.TempDir(), &source.Before{Origin: got.Origin}, nil); !errors.Is(err, source.ErrUnchanged) {
			t.Errorf("%s: the same again: %v", address, err)
		}
	}
}

// Damaged bundles are named with their fault.
func TestDamagedDevDocs(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]map[string]string{
		"no object": {"db.json": "[1]"}, "cut off": {"db.json": `{"a": "<p>`}, "no text": {"db.json": `{"a": 1}`}, "empty": {"db.json": "{}"},
		"no index": {"index.json": "<html>"},
	} {
		folder := t.TempDir()
		write(t, folder, devDocs)
		write(t, folder, change)
		_, err := (&bundle.Fetcher{}).Fetch(t.Context(), source.Want{Address: folder}, t.TempDir(), nil, nil)
		if e, ok := errors.AsType[*source.Error](err); !ok || e.Source != folder || !strings.Contains(e.Reason, ".json") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var _ bundle.OpenDB = func(string, url.Values) (*sql.DB, error) { return nil, nil }
