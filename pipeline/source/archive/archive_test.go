package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
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

	"docent/pipeline/source"
	"docent/pipeline/source/web"
)

func lamps() map[string]string {
	return map[string]string{"lamps-1.2/README.md": "# Lamps\n", "lamps-1.2/docs/a.md": "# A\n", "lamps-1.2/docs/b.md": "# B\n",
		"lamps-1.2/docs/c.md": "# C\n", "lamps-1.2/docs/c.png": "a picture"}
}

func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	w := tar.NewWriter(g)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(files[name])), Typeflag: tar.TypeReg})
		if err == nil {
			_, err = w.Write([]byte(files[name]))
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

// An archive on the disk is unpacked, and the folder of its documentation is found; the same
// archive again has nothing new.
func TestArchivesOnTheDisk(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string][]byte{"lamps-1.2.zip": zipped(t, lamps()), "lamps-1.2.tar.gz": tarred(t, lamps())} {
		file, into := filepath.Join(t.TempDir(), name), t.TempDir()
		if err := os.WriteFile(file, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		w := source.Want{Kind: source.KindArchive, Address: file}
		out, err := (&Fetcher{}).Fetch(t.Context(), w, into, nil, nil)
		if err != nil || out.Name != "lamps-1.2" || out.Root != "lamps-1.2/docs" || out.Files != 4 || !strings.HasPrefix(out.Digest, "sha256:") {
			t.Errorf("%s: %v, %+v", name, err, out)
		}
		if _, err := os.Stat(filepath.Join(into, "lamps-1.2", "docs", "b.md")); err != nil {
			t.Error(err)
		}
		if _, err := (&Fetcher{}).Fetch(t.Context(), w, into, &source.Before{Origin: out.Origin}, nil); !errors.Is(err, source.ErrUnchanged) {
			t.Errorf("%s again: %v", name, err)
		}
		w.Path = "nowhere"
		if _, err := (&Fetcher{}).Fetch(t.Context(), w, t.TempDir(), nil, nil); err == nil || !strings.Contains(err.Error(), "it has no folder nowhere") {
			t.Errorf("%s, another folder: %v", name, err)
		}
	}
}

// An archive at an address is asked for by its ETag; another file, or one that is missing, is an
// error that says what to do.
func TestArchivesAtAnAddress(t *testing.T) {
	t.Parallel()
	raw, sent := zipped(t, lamps()), 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/page.zip":
			_, _ = w.Write([]byte("<html>an error</html>"))
		case r.URL.Path != "/lamps.zip":
			http.NotFound(w, r)
		case r.Header.Get("If-None-Match") == `"1"`:
			w.WriteHeader(http.StatusNotModified)
		default:
			sent++
			w.Header().Set("ETag", `"1"`)
			_, _ = w.Write(raw)
		}
	}))
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	client, err := web.New(web.Options{Agent: web.Agent("1", "a test"), Policy: web.Policy{Private: []string{u.Host}}, PerSecond: -1})
	if err != nil {
		t.Fatal(err)
	}
	f, w := &Fetcher{Client: client}, source.Want{Kind: source.KindArchive, Address: s.URL + "/lamps.zip"}
	into := t.TempDir()
	out, err := f.Fetch(t.Context(), w, into, nil, nil)
	if err != nil || out.Name != "lamps" || out.ETag != `"1"` || out.Files != 4 {
		t.Fatalf("%v: %+v", err, out)
	}
	if _, err := os.Stat(filepath.Join(into, packed)); err == nil {
		t.Error("the archive itself stays")
	}
	if _, err := f.Fetch(t.Context(), w, t.TempDir(), &source.Before{Origin: out.Origin}, nil); !errors.Is(err, source.ErrUnchanged) || sent != 1 {
		t.Errorf("nothing changed: %v, sent %d times", err, sent)
	}
	for _, path := range []string{"/page.zip", "/nothing.zip"} {
		_, err := f.Fetch(t.Context(), source.Want{Address: s.URL + path}, t.TempDir(), nil, nil)
		if e, ok := errors.AsType[*source.Error](err); !ok || e.Do == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := (&Fetcher{}).Fetch(t.Context(), source.Want{Address: filepath.Join(t.TempDir(), "none.zip")}, t.TempDir(), nil, nil); err == nil ||
		!strings.Contains(err.Error(), "look at its path") {
		t.Errorf("an archive that is not there: %v", err)
	}
}
