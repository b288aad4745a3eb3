package shelf_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/cmd/internal/shelf"
	"docent/pipeline/source/mirror"
	"docent/pipeline/source/packed"
)

func write(t *testing.T, file string, raw []byte) {
	t.Helper()
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// pack is a package of one page.
func pack(t *testing.T, version string) []byte {
	t.Helper()
	page := filepath.Join(t.TempDir(), "page.md")
	write(t, page, []byte("# Lamps\n"))
	var b bytes.Buffer
	if _, err := packed.Write(t.Context(), &b, []packed.Content{{Set: packed.Set{Name: "lamps", Version: version, Root: "."},
		Pages: map[string]packed.File{"page.md": {Path: page}}}}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestHandler(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "shelf")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	one := pack(t, "1")
	write(t, filepath.Join(dir, "lamps@1.docent"), one)
	write(t, filepath.Join(dir, "lamps@1.docent.minisig"), []byte("signature"))
	write(t, filepath.Join(dir, "secret.txt"), []byte("secret"))
	write(t, filepath.Join(above, "out.docent"), []byte("secret"))
	if err := os.Symlink(filepath.Join(above, "out.docent"), filepath.Join(dir, "link.docent")); err != nil {
		t.Log(err) // of a system without links
	}
	var faults []string
	s := httptest.NewServer(&shelf.Handler{Folder: dir, Write: time.Minute, Fault: func(file string, _ error) { faults = append(faults, file) }})
	t.Cleanup(s.Close)
	get := func(name string) (int, []byte, http.Header) {
		t.Helper()
		res, err := http.Get(s.URL + "/packages/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		raw, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, raw, res.Header
	}
	if code, raw, h := get("lamps@1.docent"); code != http.StatusOK || !bytes.Equal(raw, one) || h.Get("ETag") == "" {
		t.Errorf("%d, %d bytes, %v", code, len(raw), h)
	}
	if code, raw, _ := get("lamps@1.docent.minisig"); code != http.StatusOK || string(raw) != "signature" {
		t.Errorf("%d, %q", code, raw)
	}
	for _, name := range []string{"secret.txt", "none.docent", "..%2Fout.docent", "%2e%2e/out.docent", "link.docent", ".docent"} {
		if code, raw, _ := get(name); code == http.StatusOK || strings.Contains(string(raw), "secret") || strings.Contains(string(raw), above) {
			t.Errorf("%s: %d, %q", name, code, raw)
		}
	}
	listed := func() (l mirror.List) {
		t.Helper()
		_, raw, _ := get(mirror.ListFile)
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Fatal(err)
		}
		return l
	}
	if l := listed(); len(l.Sets) != 1 || l.Sets[0].File != "lamps@1.docent" {
		t.Errorf("%+v", l)
	}
	write(t, filepath.Join(dir, "lamps@2.docent"), pack(t, "2"))
	write(t, filepath.Join(dir, "broken.docent"), []byte("no package"))
	if l := listed(); len(l.Sets) != 2 || !strings.Contains(strings.Join(faults, " "), "broken.docent") {
		t.Errorf("%+v, faults %v", l, faults)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if code, raw, _ := get(mirror.ListFile); code != http.StatusInternalServerError || strings.Contains(string(raw), above) {
		t.Errorf("%d, %q", code, raw)
	}
}
