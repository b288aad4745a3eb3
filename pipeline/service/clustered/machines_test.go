package clustered_test

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/service"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/assembly"
	"docent/pipeline/service/care"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/clustered"
	"docent/pipeline/service/home"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/ondisk"
	"docent/pipeline/service/servicetest"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/service/uploads"
	"docent/pipeline/service/versioning"
	"docent/pipeline/source"
	"docent/store"
	"docent/store/address"
	"docent/store/doc"
	"docent/store/postgres"
	"docent/store/postgrestest"
	"docent/store/weaviate/weaviatetest"
)

// team is a home that several machines use, each with a folder of its own.
type team struct {
	places clustered.Places
	shelf  *shelf
}

func newTeam(t *testing.T, c *weaviatetest.Cluster, s *postgrestest.Server, name string) *team {
	t.Helper()
	at, err := address.ParseWeaviate(c.URL(name, 1))
	if err != nil {
		t.Fatal(err)
	}
	return &team{places: clustered.Places{Index: at, Catalog: s.Address(name)}, shelf: &shelf{files: map[string]string{}}}
}

// machine is one of the machines of a team.
type machine struct {
	*service.Services
	dir  string
	mu   sync.Mutex
	said []string
}

func (x *machine) say(format string, args ...any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.said = append(x.said, fmt.Sprintf(format, args...))
}

// open opens the home on a machine with a folder.
func (m *team) open(t *testing.T, dir string) *machine {
	t.Helper()
	parsers, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	x := &machine{dir: dir}
	h, closeStores, err := clustered.Open(t.Context(), home.Options{Dir: dir, Parsers: parsers, Say: x.say,
		Settings: home.Settings{Domain: contract.DefaultDomain, Extent: contract.ExtentDocuments, Lines: contract.DefaultLines}}, m.places)
	if err != nil {
		t.Fatal(err)
	}
	x.Services = assembly.Services(h, assembly.Options{Models: servicetest.NoModels{}, Stores: ondisk.StoresInFolder, Phases: servicetest.Phases(),
		Sources: sourcing.Options{Fetchers: map[string]source.Fetcher{source.KindGit: m.shelf}, Now: time.Now}})
	t.Cleanup(func() {
		if err := errors.Join(x.Close(), closeStores()); err != nil {
			t.Error(err)
		}
	})
	return x
}

// shelf is a source whose files a test chooses.
type shelf struct {
	files   map[string]string
	release string // "": 1
}

func (s *shelf) Fetch(_ context.Context, w source.Want, into string, before *source.Before, _ func(source.Progress)) (source.Fetched, error) {
	commit := fmt.Sprint(len(s.files), s.files)
	if before != nil && before.Commit == commit {
		return source.Fetched{}, source.ErrUnchanged
	}
	out := source.Fetched{Origin: source.Origin{Commit: commit, URL: w.Address, Files: len(s.files)}, Name: "Lantern",
		Release: cmp.Or(s.release, "1"), Root: "docs"}
	err := os.RemoveAll(into)
	for name, text := range s.files {
		file := filepath.Join(into, "docs", filepath.FromSlash(name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600))
	}
	return out, err
}

// read gives a page's text, or the error.
func (x *machine) read(ctx context.Context, page string) string {
	p, err := x.Pages.Read(ctx, locate.ReadRequest{Page: page})
	if err != nil {
		return err.Error()
	}
	return p.Content
}

// answer asks a question, and gives the documents of the answer with their text.
func (x *machine) answer(t *testing.T, question string) string {
	t.Helper()
	res, err := x.Answers.Ask(t.Context(), pipeline.Request{Question: question}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(res.Final, res.Phases.Extract, res.Notes())
}

func page(title, text string) string {
	return fmt.Sprintf("# %s\n\n%s Some more words stand here, so that the page is long enough for a reader.\n", title, text)
}

func (x *machine) hand(t *testing.T, name, text string) string {
	t.Helper()
	u, err := x.Intake.Upload(t.Context(), intake.UploadRequest{Name: name, From: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	return u.ID
}

func (x *machine) work(t *testing.T) {
	t.Helper()
	if err := x.Intake.WorkOnce(t.Context(), intake.WorkRequest{Workers: 2, Grace: time.Second}); err != nil {
		t.Fatal(err)
	}
}

func wantText(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s: %q has no %q", what, text, p)
		}
	}
}

// A file that is handed in at one machine becomes a page at another, and is read at a third.
func testUploadsElsewhere(t *testing.T, m *team) {
	a, b := m.open(t, filepath.Join(t.TempDir(), "a")), m.open(t, filepath.Join(t.TempDir(), "b"))
	id := a.hand(t, "wick.md", page("Wick", "The wick of a lantern is trimmed weekly."))
	b.work(t)
	d, err := a.Intake.Document(t.Context(), id)
	if err != nil || d.Status != "COMPLETED" {
		t.Fatalf("%+v, %v", d, err)
	}
	third := m.open(t, filepath.Join(t.TempDir(), "c"))
	for i, x := range []*machine{a, b, third} {
		wantText(t, fmt.Sprint("the page at machine ", i), x.read(t.Context(), d.Page), "trimmed weekly")
		wantText(t, fmt.Sprint("an answer of machine ", i), x.answer(t, "How often is the wick trimmed?"), "trimmed weekly")
	}
	// Both publish at the same time: neither takes the other's pages out.
	for i := range 6 {
		x := []*machine{a, b}[i%2]
		x.hand(t, fmt.Sprintf("note%d.md", i), page(fmt.Sprint("Note ", i), fmt.Sprintf("Note number%d speaks of oil.", i)))
	}
	var wg sync.WaitGroup
	for _, x := range []*machine{a, b} {
		wg.Go(func() { x.work(t) })
	}
	wg.Wait()
	list, err := third.Intake.Documents(t.Context(), intake.DocumentsRequest{})
	if err != nil || list.Total != 7 {
		t.Errorf("%d documents, %v", list.Total, err)
	}
	for _, d := range list.Documents {
		wantText(t, d.Filename, third.read(t.Context(), d.Page), "Some more words")
	}
	// A file that was altered on one machine is replaced there.
	altered := filepath.Join(third.dir, "uploads", "pages", filepath.FromSlash(d.FilePath))
	st, err := os.Stat(altered)
	if err == nil {
		err = os.WriteFile(altered, []byte(strings.Repeat("x", int(st.Size()))), 0o600)
	}
	if err == nil {
		err = os.Chtimes(altered, time.Time{}, st.ModTime())
	}
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "an altered file", third.read(t.Context(), d.Page), "trimmed weekly")
	m.damage(t, third, d.Page)
	// A server was killed when it had given the file and its record to all, and before it added the row.
	half := store.Upload{ID: uploads.NewID(), Filename: "half.md", Format: "md", Lane: store.LaneFast, MimeType: "text/markdown",
		Status: store.UploadPending, Path: "00112233aabb/half.md", Created: time.Now(), Updated: time.Now()}
	text := page("Half", "This was handed in by half.")
	half.Bytes, half.MD5 = int64(len(text)), fmt.Sprintf("%x", md5.Sum([]byte(text)))
	waiting := filepath.Join(a.dir, "uploads", "waiting", filepath.FromSlash(half.Path))
	err = errors.Join(os.MkdirAll(filepath.Dir(waiting), 0o700), os.WriteFile(waiting, []byte(text), 0o600), a.Inbox.SaveRecord(t.Context(), half))
	if err != nil {
		t.Fatal(err)
	}
	after := m.open(t, filepath.Join(t.TempDir(), "d"))
	after.work(t)
	if d, err := third.Intake.Document(t.Context(), half.ID); err != nil || d.Status != "COMPLETED" {
		t.Errorf("a file whose server was killed: %+v, %v", d, err)
	}
	if _, err := b.Intake.DeleteDocuments(t.Context(), half.ID); err != nil {
		t.Fatal(err)
	}
	// A document that is deleted at one machine is gone at the others, and does not come back.
	if _, err := b.Intake.DeleteDocuments(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for _, x := range []*machine{a, b, third, m.open(t, a.dir)} {
		x.work(t)
		if text := x.read(t.Context(), d.Page); strings.Contains(text, "trimmed weekly") {
			t.Errorf("a deleted document: %s", text)
		}
		if left, err := os.ReadDir(filepath.Join(x.dir, "uploads", "records")); err != nil || len(left) != 6 {
			t.Errorf("%d records, %v", len(left), err)
		}
	}
}

// damage damages the contents of the files in the database. A new machine says so, and one that has
// the files keeps them again.
func (m *team) damage(t *testing.T, has *machine, page string) {
	t.Helper()
	db, err := postgres.OpenDatabase(m.places.Catalog, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.SQL().ExecContext(t.Context(), `UPDATE contents SET bytes = set_byte(bytes, 9, get_byte(bytes, 9) # 1)`); err != nil {
		t.Fatal(err)
	}
	anew := m.open(t, filepath.Join(t.TempDir(), "anew"))
	wantText(t, "a damaged file", anew.read(t.Context(), page), "the blob is damaged")
	if text := has.read(t.Context(), page); !strings.Contains(text, "trimmed weekly") {
		t.Errorf("the machine that has the file: %s", text)
	}
	e, err := has.Care.CompareContents(t.Context(), care.Examination{})
	if err != nil || e.Faults != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	repairs, _ := care.PlanRepairs(e)
	for _, r := range repairs {
		if r, err = has.Care.Repair(t.Context(), r, home.Watch{}); err != nil || !r.Done {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if e, err = has.Care.CompareContents(t.Context(), care.Examination{}); err != nil || e.Faults != 0 {
		t.Errorf("%+v, %v", e, err)
	}
	wantText(t, "after the repair", anew.read(t.Context(), page), "trimmed weekly")
}

// What one machine fetches, the others read and update.
func testSourcesElsewhere(t *testing.T, m *team) {
	ctx := t.Context()
	a, b := m.open(t, filepath.Join(t.TempDir(), "a")), m.open(t, filepath.Join(t.TempDir(), "b"))
	m.shelf.files = map[string]string{"oil.md": page("Oil", "Lantern oil burns for nine hours."),
		"in.md": page("Inside", "{{< include \"parts/x.md\" >}}"), "parts/x.md": page("Part", "Included words.")}
	if _, err := a.Sourcing.Add(ctx, sourcing.AddRequest{Source: "github.com/lamps/lantern"}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(b.dir, "sources")); err == nil {
		t.Error("files came before somebody asked for them")
	}
	wantText(t, "the other machine", b.answer(t, "How long does lantern oil burn?"), "nine hours")
	m.shelf.files["oil.md"] = page("Oil", "Lantern oil burns for eleven hours.")
	m.shelf.files["new.md"] = page("Handle", "The handle is made of brass.")
	out, err := b.Sourcing.Update(ctx, sourcing.UpdateRequest{}, home.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Sets {
		if r.Set == "Lantern@1" && (r.Added != 1 || r.Changed != 1 || r.Removed != 0) {
			t.Errorf("%+v", r)
		}
	}
	time.Sleep(300 * time.Millisecond)
	wantText(t, "the first machine", a.answer(t, "How long does lantern oil burn?"), "eleven hours")
	wantText(t, "a new page there", a.read(ctx, "Lantern@1/new.md"), "brass")
	// Nothing new: no page is read again.
	if out, err = a.Sourcing.Update(ctx, sourcing.UpdateRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Sets {
		if r.Added+r.Changed+r.Removed > 0 {
			t.Errorf("%+v", r)
		}
	}
	if _, err := b.Library.Remove(ctx, library.RemoveRequest{Sets: []string{"Lantern"}}); err != nil {
		t.Fatal(err)
	}
	c := m.open(t, a.dir)
	sets, err := c.Home.Corpus.Sets(ctx)
	if err != nil || len(sets) != 0 {
		t.Errorf("a doc set that was removed elsewhere: %v, %v", sets, err)
	}
	left, err := b.Home.Shared.Check(ctx, true)
	if err != nil || len(left.Missing)+len(left.Damaged) > 0 || left.Files != 1 {
		t.Errorf("%+v, %v", left, err)
	}
}

// What a model said on one machine is there on the others. A folder of a version before, which kept it
// for itself, loses nothing.
func testEnrichmentElsewhere(t *testing.T, m *team) {
	ctx := t.Context()
	ref := doc.Ref{Name: "Lantern", Version: "1"}
	write := func(x *machine, text string) {
		t.Helper()
		file := x.Home.SetFile(home.EnrichmentFolder, ref)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	wants := func(what string, x *machine, changing bool, want string) {
		t.Helper()
		if err := x.Home.Shared.FillEnrichment(ctx, ref, changing); err != nil {
			t.Fatal(err)
		}
		if raw, err := os.ReadFile(x.Home.SetFile(home.EnrichmentFolder, ref)); string(raw) != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", what, raw, err, want)
		}
	}
	a, b := m.open(t, filepath.Join(t.TempDir(), "a")), m.open(t, filepath.Join(t.TempDir(), "b"))
	write(a, "one\n")
	if err := a.Home.Shared.FillEnrichment(ctx, ref, true); err != nil { // the first machine shares what it has
		t.Fatal(err)
	}
	wants("the other machine", b, false, "one\n")
	write(b, "one\ntwo\n")
	if err := b.Home.Shared.ShareEnrichment(ctx, ref); err != nil {
		t.Fatal(err)
	}
	wants("the first machine", a, true, "one\ntwo\n")
	old := m.open(t, filepath.Join(t.TempDir(), "old"))
	write(old, "three\none\nhalf")
	wants("a folder that kept its own", old, false, "three\none\nhalf")
	wants("after it was enriched there", old, true, "three\nhalf\none\ntwo\n")
	wants("the first machine then", a, true, "three\nhalf\none\ntwo\n")
	if err := a.Home.Shared.ShareEnrichment(ctx, ref); err != nil {
		t.Fatal(err)
	}
	wants("nothing is put together twice", old, true, "three\nhalf\none\ntwo\n")
}

// Two versions that one machine fetched are compared by another, which has no file of them yet.
func testVersionsElsewhere(t *testing.T, m *team) {
	ctx := t.Context()
	a, b := m.open(t, filepath.Join(t.TempDir(), "a")), m.open(t, filepath.Join(t.TempDir(), "b"))
	for release, hours := range map[string]string{"1": "nine", "2": "eleven"} {
		m.shelf.release = release
		m.shelf.files = map[string]string{"oil.md": page("Oil", "Lantern oil burns for "+hours+" hours."), release + ".md": page("Only "+release, "Glass.")}
		if _, err := a.Sourcing.Add(ctx, sourcing.AddRequest{Source: "github.com/lamps/lantern@" + release}, home.Watch{}); err != nil {
			t.Fatal(err)
		}
	}
	for where, x := range map[string]*machine{"its machine": a, "the other machine": b} {
		for page, want := range map[string][]string{"": {"1.md", "2.md", "oil.md"}, "Lantern@2/oil.md": {"nine hours", "eleven hours"}} {
			out, err := x.Versioning.CompareSets(ctx, versioning.DiffRequest{Before: "Lantern@1", After: "Lantern@2", Page: page})
			if err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			raw, err := json.Marshal(out)
			if err != nil || len(out.Unread) > 0 {
				t.Errorf("%s: %v, %v", where, out.Unread, err)
			}
			wantText(t, where, string(raw), want...)
		}
	}
}

// The folder of a person stays on its machine. The others find its pages, and say where they are.
func testFoldersElsewhere(t *testing.T, m *team) {
	ctx := t.Context()
	a, b := m.open(t, filepath.Join(t.TempDir(), "a")), m.open(t, filepath.Join(t.TempDir(), "b"))
	docs := filepath.Join(t.TempDir(), "Mine")
	if err := os.MkdirAll(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(docs, "glass.md"), []byte(page("Glass", "The glass of the lantern is washed with soap.")), 0o600); err != nil {
		t.Fatal(err)
	}
	plan, err := library.Discover(ctx, library.AddRequest{Paths: []string{docs}}, a.Home.Parsers, home.Watch{})
	if err == nil {
		_, err = a.Library.Add(ctx, plan, home.Watch{})
	}
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "its machine", a.answer(t, "How is the glass washed?"), "soap")
	found, err := b.Answers.Search(ctx, answers.SearchRequest{Request: pipeline.Request{Question: "How is the glass washed?"}}, nil)
	if err != nil || len(found.Page.Results) != 1 || found.Page.Results[0].PageTitle != "Glass" {
		t.Fatalf("%+v, %+v, %v", *found.Result.Phases.Search, *found.Result.Phases.Rerank, err)
	}
	host, _ := os.Hostname()
	wantText(t, "a note", fmt.Sprint(found), "the files of Mine@latest lie on "+host)
	wantText(t, "reading", b.read(ctx, "Mine@latest/glass.md"), "the files of Mine@latest lie on "+host, docs)
	out, err := b.Library.Update(ctx, library.UpdateRequest{Sets: []string{"Mine"}}, home.Watch{})
	wantText(t, "an update", fmt.Sprint(out.Missing, err), "the files of Mine@latest lie on "+host, docs, "<nil>")
	if out, err = b.Library.Update(ctx, library.UpdateRequest{}, home.Watch{Note: b.say}); err != nil || len(out.Missing) > 0 {
		t.Errorf("an update of all: %v, %v", out.Missing, err)
	}
	wantText(t, "an update of all", fmt.Sprint(b.said), "Mine@latest is not updated here: its files lie on "+host)
	e, err := b.Care.Doctor(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range e.Findings {
		if f.Kind == finding.Files && f.Subject == "Mine@latest" && (!f.OK || !strings.Contains(f.Text, "lie on "+host)) {
			t.Errorf("%+v", f)
		}
	}
	if _, err := a.Library.Update(ctx, library.UpdateRequest{Sets: []string{"Mine"}}, home.Watch{}); err != nil {
		t.Errorf("an update of its machine: %v", err)
	}
}
