package uploads

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"docent/pipeline/text/sanitize"
	"docent/store"
)

// The name of a page is a file's name on every system, whatever was handed in.
func FuzzPageName(f *testing.F) {
	for _, s := range []string{"a.md", "../../x.pdf", "con.txt", "", "名前.json", "a\x00\x1b[2Jb", ".", strings.Repeat("ä", 300)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean := cleanName(name)
		if clean == "" || len(clean) > 255 || clean != sanitize.Line(clean) || strings.ContainsAny(clean, `/\`) {
			t.Errorf("%q is cleaned to %q", name, clean)
		}
		for _, format := range []string{PDF, JSON, Text, Markdown} {
			page := pageName(clean, format)
			if got, _ := formatOf(page); got != format || !filepath.IsLocal(page) || len(page) > 130 || strings.HasPrefix(page, ".") || page != filepath.Base(page) {
				t.Errorf("%q has the page %q of %s", clean, page, format)
			}
			if err := checkPath("0123456789ab/" + page); err != nil {
				t.Errorf("%q: %v", page, err)
			}
		}
	})
}

// What a file is is judged by its name and by all of its bytes, however they come.
func TestReceive(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Öl für die Laterne: 灯油。 ", 20_000)
	for name, tt := range map[string]struct{ declared, content, format string }{
		"a.md":         {"", text, Markdown},
		"b.markdown":   {"", text, Markdown},
		"c.TXT":        {"", text, Text},
		"d":            {"", text, Text},
		"e":            {"text/markdown; charset=utf-8", text, Markdown},
		"f":            {"", `{"a": 1}`, JSON},
		"g":            {"", "%PDF-1.4\n\x00\x01", PDF},
		"h.pdf":        {"text/plain", "junk\n%PDF-1.4\n\x00", PDF},
		"v1.2":         {"", text, ""}, // not the ending of a format
		"i.json":       {"", " \n\t[1]", JSON},
		"j.txt":        {"", "\xff\xfea\x00b\x00", Text},
		"latin.txt":    {"", "Das \xd6l der Laterne brennt hell.", Text},
		"k.md":         {"", text + "\x00", ""}, // far behind the beginning
		"l.txt":        {"", strings.Repeat("\x80\x81 a", 5000), ""},
		"m.json":       {"", "<html>", ""},
		"n.pdf":        {"application/pdf", text, ""},
		"o.md":         {"", "%PDF-1.4\n", ""},
		"p.docx":       {"", "PK\x03\x04", ""},
		"q.txt":        {"", "", ""},
		"archive.json": {"", "PK\x03\x04", ""},
	} {
		f := InHome(t.TempDir())
		r, err := f.Receive(t.Context(), name, tt.declared, iotest.HalfReader(strings.NewReader(tt.content)))
		switch {
		case tt.format == "" && err == nil:
			t.Errorf("%s was taken as %s", name, r.Format)
		case tt.format != "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case err == nil && (r.Format != tt.format || r.Bytes != int64(len(tt.content))):
			t.Errorf("%s is %s of %d bytes", name, r.Format, r.Bytes)
		}
		if err == nil {
			if err := r.Discard(); err != nil {
				t.Error(err)
			}
		}
		if n, err := f.Sweep(t.Context()); n != 0 || err != nil {
			t.Errorf("%s: %d files were left, %v", name, n, err)
		}
	}
}

// A record is read back as it was written, and a damaged one is not.
func TestRecords(t *testing.T) {
	t.Parallel()
	f := InHome(t.TempDir())
	if err := f.MakeFolder(); err != nil {
		t.Fatal(err)
	}
	u := store.Upload{ID: "00000000-0000-4000-8000-000000000001", Filename: "a\nb", Path: "x/y.md"}
	if err := f.SaveRecord(u, true); err != nil {
		t.Fatal(err)
	}
	got, gone, err := f.LoadRecord(u.ID)
	if err != nil || !gone || got.Filename != u.Filename || got.Path != u.Path {
		t.Errorf("read back: %+v, %v, %v", got, gone, err)
	}
	if err := f.SaveRecord(store.Upload{ID: "../../x"}, false); err == nil {
		t.Error("an id that leads out was written")
	}
	for _, p := range []string{"", "a", "../a", "a/../b", "/a/b", "a/b/c", `a\b/c`, "./a", "a/"} {
		if _, _, err := f.FindFile(p); err == nil {
			t.Errorf("%q was found", p)
		}
		if err := f.Remove(p); err != nil {
			t.Errorf("remove %q: %v", p, err)
		}
	}
}
