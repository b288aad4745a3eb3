package clustertest

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// apart is another machine of a team: it has the servers and a folder of its own.
func (m *team) apart(t *testing.T) *team {
	t.Helper()
	other := &team{world: m.world, home: filepath.Join(t.TempDir(), "home"), index: m.index, catalog: m.catalog}
	other.configure(t, other.home, "docent.toml", m.index, m.catalog)
	return other
}

// testApart runs two machines that share no folder: what is handed in at one becomes a page at the
// other, also where the first one was killed. A folder stays with its machine.
func (w *world) testApart(t *testing.T) {
	a := w.newTeam(t, "apart")
	b := a.apart(t)
	s := a.serve(t)
	b.must(t, "status")
	for i := range 3 {
		if status, body, err := handIn(s, i); status != http.StatusCreated {
			t.Fatalf("%d %s", status, textOr(body, err))
		}
	}
	b.must(t, "worker", "--once")
	completed(t, s, 3)
	findAll(t, s, "Uploads", 3, func(i int) (mark, file string) { return noteMark(i), noteName(i) })
	there := b.serve(t)
	findAll(t, there, "Uploads", 3, func(i int) (mark, file string) { return noteMark(i), noteName(i) })

	// A server that is killed while it takes a file in leaves nothing of it for the others.
	killedServer := a.apart(t).serve(t)
	body, sending := io.Pipe()
	form := multipart.NewWriter(sending)
	begun := make(chan struct{})
	go func() {
		part, err := form.CreateFormFile("file", "half.md")
		if err == nil {
			_, err = part.Write(bytes.Repeat([]byte("half of a file "), 1<<12))
		}
		close(begun)
		_ = err // the server ends first
	}()
	answered := make(chan error, 1)
	go func() {
		resp, err := http.Post(killedServer.URL+"/api/documents", form.FormDataContentType(), body)
		if err == nil {
			err = resp.Body.Close()
		}
		answered <- err
	}()
	<-begun
	time.Sleep(200 * time.Millisecond)
	if err := killedServer.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = sending.Close()
	<-answered
	if out := b.must(t, "status", "--json").out; strings.Contains(out, "half.md") {
		t.Errorf("half of a file is a document: %s", out)
	}

	// A folder stays with its machine.
	docs := filepath.Join(t.TempDir(), "Glass")
	page := "# Washing the glass\n\nWash the glass of the lantern with soap and soft water, and dry it with newspaper.\n"
	if err := os.MkdirAll(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(docs, "glass.md"), []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	b.must(t, "add", docs)
	if d := b.must(t, "read", "Glass/glass.md"); !strings.Contains(d.out, "soft water") {
		t.Errorf("its machine reads %s", d.out)
	}
	if d := a.docent(t, "read", "Glass/glass.md"); d.code != 3 || !strings.Contains(d.err, "the files of Glass@latest lie on") {
		t.Errorf("the other machine: %v", d)
	}
	if d := a.docent(t, "search", "How is the glass washed?"); d.code != 0 || !strings.Contains(d.out, "Washing the glass") {
		t.Errorf("the other machine finds %s %v", d.out, d)
	}
	a.must(t, "update")
	for _, m := range []*team{a, b} {
		if d := m.docent(t, "doctor", "--deep"); d.code != 0 {
			t.Errorf("doctor: %s", d.out)
		}
	}
}
