package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/pdf/pdftest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
)

// Where poppler is missing, a PDF fails with the line that installs it, status and doctor
// say so; the next update after it came reads the file. A file with a password keeps its
// code.
func TestProgramsThatAreMissing(t *testing.T) {
	pdftest.InstalledTools(t)
	ctx, dir, homeDir := t.Context(), filepath.Join(t.TempDir(), "Lantern@1"), filepath.Join(t.TempDir(), "home")
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := pdftest.File{Title: "Wicks", Pages: []pdftest.Page{{Texts: []pdftest.Text{{X: 72, Y: 72, Font: pdftest.Plain, Size: 12, Text: "Trim the wick every evening."}}}}}
	write("wicks.pdf", file.Bytes())
	file.Encrypt = true
	write("locked.pdf", file.Bytes())
	path := os.Getenv("PATH")
	t.Setenv("PATH", "")
	h, err := Open(ctx, Options{Home: homeDir})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := library.Discover(ctx, library.AddRequest{Paths: []string{dir}}, h.Home.Parsers, home.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Library.Add(ctx, plan, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	states := func() map[string]library.PageState {
		t.Helper()
		pages, err := h.Library.PageStates(ctx, "Lantern@1")
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]library.PageState{}
		for _, p := range pages {
			out[p.Path] = p
		}
		return out
	}
	if p := states()["wicks.pdf"]; p.State != library.PageFailed || p.Code != string(parse.InternalError) || !strings.Contains(p.Reason, "install") {
		t.Errorf("without poppler: %+v", p)
	}
	st, err := h.Care.Status(ctx)
	if err != nil || len(st.Missing) != 2 || st.Missing[0].Program != "poppler" || st.Missing[0].Files != 2 || st.Sets[0].Fresh != library.Fresh {
		t.Errorf("status is %+v, %v", st, err)
	}
	examined, err := h.Care.Doctor(ctx, nil)
	if err != nil || examined.Faults != 2 {
		t.Errorf("doctor finds %+v, %v", examined, err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", path)
	if h, err = Open(ctx, Options{Home: homeDir}); err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, err := h.Library.Update(ctx, library.UpdateRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	if p := states(); p["wicks.pdf"].State != library.PageFresh || p["locked.pdf"].Code != string(parse.PasswordProtected) {
		t.Errorf("with poppler: %+v", p)
	}
	if st, err = h.Care.Status(ctx); err != nil || len(st.Missing) != 0 {
		t.Errorf("status is %+v, %v", st, err)
	}
}
