package intake_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/ondisk"
	"docent/pipeline/service/servicetest"
	"docent/pipeline/text/sanitize"
	"docent/store"
	"docent/store/embedded"
	"docent/store/lock"
)

// Names with path tricks, control characters and what systems reserve stay names: each
// file lies in the folder of uploads, and is found.
func TestNamesOfDocuments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := openUploads(t, dir)
	work(t, a)
	var ids []string
	for i, name := range []string{
		"../../etc/passwd.md", `..\..\windows\system.txt`, "a\nb\x1b[31m.md", "nul.md", "CON.txt", ".hidden.md", "..", ".", "", "/", "docTOC.md", "docContent.md", "docent.toml.md",
		strings.Repeat("long ", 200) + ".md", "\xff\xfe.md", "名前.md", "a\u202eb.md", "-rf.md", "--help.txt", "%2e%2e%2f.md", "a:b|c*?.md", "a.tar.gz.md", "conf.json", " .md",
	} {
		text := fmt.Sprintf("# File %d\n\n%s", i, prose)
		if strings.HasSuffix(name, ".json") {
			text = fmt.Sprintf(`{"n": %d, "text": %q}`, i, prose)
		}
		u := upload(t, a, name, text)
		if u.Filename == "" || strings.ContainsAny(u.Filename, `/\`) || strings.ContainsFunc(u.Filename, unicode.IsControl) || u.Filename != sanitize.Line(u.Filename) {
			t.Errorf("%q became %q", name, u.Filename)
		}
		ids = append(ids, u.ID)
	}
	root := filepath.Join(dir, "uploads", "pages")
	for _, id := range ids {
		d := settle(t, a, id)
		file := filepath.Join(root, filepath.FromSlash(d.FilePath))
		if rel, err := filepath.Rel(root, file); d.Status != "COMPLETED" || err != nil || !filepath.IsLocal(rel) || len(filepath.Base(file)) > 120 {
			t.Errorf("%+v lies in %s", d, file)
		}
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
		if _, err := a.Intake.Markdown(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []string{"../../x", "", "%00", strings.Repeat("a", 1<<16), "00000000-0000-4000-8000-000000000000"} {
		if _, err := a.Intake.Document(t.Context(), id); code(err) != contract.CodeNotFound {
			t.Errorf("document %.20q: %v", id, err)
		}
		if _, err := a.Intake.DeleteDocuments(t.Context(), id); code(err) != contract.CodeNotFound {
			t.Errorf("delete %.20q: %v", id, err)
		}
	}
}

// Uploads that end too early, are too large, or whose context ends leave nothing; those
// of a process that died are swept by the next one.
func TestUploadsThatBreakOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := openUploads(t, dir)
	ended, end := context.WithCancel(t.Context())
	end()
	broken := errors.New("the connection is gone")
	for name, tt := range map[string]struct {
		ctx  context.Context
		from io.Reader
		want func(error) bool
	}{
		"cut":    {t.Context(), io.MultiReader(strings.NewReader(prose), iotest.ErrReader(io.ErrUnexpectedEOF)), func(err error) bool { return code(err) == contract.CodeInvalidRequest }},
		"broken": {t.Context(), io.MultiReader(strings.NewReader(prose), iotest.ErrReader(broken)), func(err error) bool { return errors.Is(err, broken) }},
		"large":  {t.Context(), io.LimitReader(endless{}, 60<<20), func(err error) bool { return code(err) == contract.CodeFileTooLarge }},
		"ended":  {ended, strings.NewReader(prose), func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		if _, err := a.Intake.Upload(tt.ctx, intake.UploadRequest{Name: name + ".txt", From: tt.from}); !tt.want(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	incoming := filepath.Join(dir, "uploads", "incoming")
	dead := filepath.Join(incoming, "0123456789abcdef") // of a process that was killed
	if err := os.MkdirAll(dead, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lock", "file"} {
		if err := os.WriteFile(filepath.Join(dead, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	upload(t, a, "whole.txt", prose)
	for _, folder := range []string{"incoming", "pages"} {
		if left, err := os.ReadDir(filepath.Join(dir, "uploads", folder)); err != nil || len(left) != 0 {
			t.Errorf("%s has %v, %v", folder, left, err)
		}
	}
	if list, err := a.Intake.Documents(t.Context(), intake.DocumentsRequest{}); err != nil || list.Total != 1 {
		t.Errorf("the list has %d, %v", list.Total, err)
	}
}

// endless is a text that does not end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "lantern "[i%8]
	}
	return len(p), nil
}

// Two processes' worth of homes, each with a worker, and many who hand the same files in
// at once: each file is one document and one page.
func TestTwoHomesHandInTheSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, two := openUploads(t, dir), openUploads(t, dir)
	work(t, one)
	work(t, two)
	const files = 20
	var mu sync.Mutex
	ids := map[int][]string{}
	var wg sync.WaitGroup
	for i := range files {
		for _, a := range []*servicetest.Home{one, two} {
			wg.Go(func() {
				u, err := uploadWhenFree(t, a, fmt.Sprintf("%d.md", i), fmt.Sprintf("# Lantern %d\n\n%s", i, prose))
				id := u.ID
				if d, ok := errors.AsType[*store.DuplicateError](err); ok {
					id, err = d.ID, nil
				}
				if err != nil {
					t.Errorf("upload %d: %v", i, err)
				}
				mu.Lock()
				defer mu.Unlock()
				ids[i] = append(ids[i], id)
			})
		}
	}
	wg.Wait()
	for i, both := range ids {
		if len(both) != 2 || both[0] != both[1] {
			t.Errorf("file %d is the documents %v", i, both)
			continue
		}
		if d := settle(t, one, both[0]); d.Status != "COMPLETED" {
			t.Errorf("%+v", d)
		}
	}
	if sets, err := one.Library.Sets(t.Context(), []string{"Uploads"}); err != nil || sets.Sets[0].Pages != files {
		t.Errorf("the doc set is %+v, %v", sets, err)
	}
}

// uploadWhenFree hands a file in, again where others kept the catalog busy for longer than an upload waits.
func uploadWhenFree(t *testing.T, a *servicetest.Home, name, text string) (contract.UploadResponse, error) {
	for end := time.Now().Add(patience); ; {
		u, err := a.Intake.Upload(context.WithoutCancel(t.Context()), intake.UploadRequest{Name: name, From: strings.NewReader(text)})
		if _, busy := errors.AsType[*lock.LockedError](err); !busy || time.Now().After(end) {
			return u, err
		}
	}
}

// Ten thousand documents are listed page by page, each once.
func TestThousandsOfDocuments(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	a := openUploads(t, t.TempDir())
	s, err := ondisk.Stores{Stores: embedded.Stores{Dir: a.Dir}}.OpenUploads(t.Context(), filepath.Join(a.Dir, "workers"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n := 2500
	if testing.Short() {
		n = 1000
	}
	for i := range n {
		u := store.Upload{ID: fmt.Sprintf("00000000-0000-4000-8000-%012d", i), Filename: "x.md", Format: "md", Lane: "fast", Status: store.UploadCompleted, Path: fmt.Sprintf("%012d/x.md", i), MD5: fmt.Sprintf("%032d", i), OCRMode: "auto"}
		if err := s.AddUpload(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for offset := 0; offset < n+100; offset += 100 {
		list, err := a.Intake.Documents(t.Context(), intake.DocumentsRequest{Limit: 100, Offset: offset})
		if err != nil || list.Total != n {
			t.Fatalf("%d documents, %v", list.Total, err)
		}
		for _, d := range list.Documents {
			seen[d.ID] = true
		}
	}
	if len(seen) != n {
		t.Errorf("the pages have %d documents, want %d", len(seen), n)
	}
	for _, bad := range []intake.DocumentsRequest{{Limit: 101}, {Limit: -1}, {Offset: -1}, {Status: "LOST"}} {
		if _, err := a.Intake.Documents(t.Context(), bad); code(err) != contract.CodeInvalidRequest {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// The text that another program extracted becomes the page, its error the document's
// failure; followers of documents get every change.
func TestCallbacks(t *testing.T) {
	t.Parallel()
	a := openUploads(t, t.TempDir())
	changes := make(chan contract.DocumentChange, 100)
	ctx, end := context.WithCancel(t.Context())
	following := make(chan error, 1)
	go func() {
		following <- a.Intake.FollowDocuments(ctx, func(all []contract.DocumentChange) error {
			for _, c := range all {
				changes <- c
			}
			return nil
		})
	}()
	good := upload(t, a, "scan.pdf", "%PDF-1.7\n"+prose)
	bad := upload(t, a, "bad.pdf", "%PDF-1.7\nbad "+prose)
	for _, c := range []contract.ProcessingCallback{
		{DocumentID: good.ID, Success: true},
		{DocumentID: good.ID, Success: false, Error: &contract.ProcessingError{Code: "LOST", Message: "x"}},
	} {
		if _, err := a.Intake.Callback(t.Context(), c); code(err) != contract.CodeInvalidRequest {
			t.Errorf("%+v: %v", c, err)
		}
	}
	done := contract.ProcessingCallback{DocumentID: good.ID, Success: true, Result: &contract.ProcessingResult{Markdown: "# Scanned lantern\n\n" + prose, PageCount: 1}}
	for range 2 { // at least once
		if d, err := a.Intake.Callback(t.Context(), done); err != nil || d.Status != "COMPLETED" || *d.ChunkCount == 0 || d.Page == "" {
			t.Errorf("%+v, %v", d, err)
		}
	}
	if text, err := a.Intake.Markdown(t.Context(), good.ID); err != nil || string(text.Text) != done.Result.Markdown {
		t.Errorf("the text is %q, %v", text.Text, err)
	}
	failed := contract.ProcessingCallback{DocumentID: bad.ID, Error: &contract.ProcessingError{Code: "PASSWORD_PROTECTED", Message: "line one\nline two\x1b[0m"}}
	if d, err := a.Intake.Callback(t.Context(), failed); err != nil || d.Status != "FAILED" || d.FailReason != "PASSWORD_PROTECTED: line one line two" {
		t.Errorf("%+v, %v", d, err)
	}
	if jobs, err := a.Intake.Jobs(t.Context(), intake.JobsRequest{States: []string{"waiting", "running", "retry"}}); err != nil || jobs.Total != 0 {
		t.Errorf("jobs are left: %+v, %v", jobs, err)
	}
	if _, err := a.Intake.DeleteDocuments(t.Context(), good.ID); err != nil {
		t.Error(err)
	}
	var last = map[string]string{}
	for last[good.ID] != "gone" || last[bad.ID] != "FAILED" {
		c := <-changes
		if last[c.Document.ID] = c.Document.Status; c.Gone {
			last[c.Document.ID] = "gone"
		}
	}
	end()
	if err := <-following; err != nil {
		t.Error(err)
	}
}

// A row that a disk has changed is dropped and made again from its record.
func TestDamagedRowsOfDocuments(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	dir := t.TempDir()
	a := openUploads(t, dir)
	u := upload(t, a, "mark.md", "# Mark\n\n"+prose)
	stop := work(t, a)
	settle(t, a, u.ID)
	stop()
	a.Close()
	path := filepath.Join(dir, "catalog.db")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	harmed := strings.Replace(string(raw), "mark.mdtext/markdown", "merk.mdtext/markdown", 1)
	if harmed == string(raw) {
		t.Fatal("the row was not found in the file")
	}
	if err := os.WriteFile(path, []byte(harmed), 0o600); err != nil {
		t.Fatal(err)
	}
	again := openUploads(t, dir)
	if d, err := again.Intake.Document(t.Context(), u.ID); err != nil || d.Filename != "mark.md" || d.Status != "COMPLETED" {
		t.Errorf("the document is %+v, %v", d, err)
	}
}

// A program elsewhere may tell of a document several times at once, and while somebody
// tries it again or deletes it: it is there once and whole, or gone with its record.
func TestCallbacksBesideOtherWork(t *testing.T) {
	t.Parallel()
	a := openUploads(t, t.TempDir())
	for round := range 3 {
		u := upload(t, a, fmt.Sprintf("scan%d.pdf", round), fmt.Sprintf("%%PDF-1.7\n%d %s", round, prose))
		done := contract.ProcessingCallback{DocumentID: u.ID, Success: true, Result: &contract.ProcessingResult{Markdown: fmt.Sprintf("# Scanned lantern %d\n\n%s", round, prose), PageCount: 1}}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if d, err := a.Intake.Callback(t.Context(), done); err != nil && code(err) != contract.CodeNotFound || err == nil && d.Status != "COMPLETED" {
					t.Errorf("%+v, %v", d, err)
				}
			})
		}
		all.Go(func() {
			if _, err := a.Intake.RetryDocument(t.Context(), u.ID); err == nil {
				t.Error("a document that did not fail is tried again")
			}
		})
		if round > 0 {
			all.Go(func() {
				if _, err := a.Intake.DeleteDocuments(t.Context(), u.ID); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		d, err := a.Intake.Document(t.Context(), u.ID)
		if round == 0 {
			if text, terr := a.Intake.Markdown(t.Context(), u.ID); err != nil || terr != nil || d.Status != "COMPLETED" || string(text.Text) != done.Result.Markdown {
				t.Errorf("%+v, %v, %v", d, err, terr)
			}
			continue
		}
		if code(err) != contract.CodeNotFound {
			t.Errorf("a document that was deleted is there: %+v, %v", d, err)
		}
	}
	if records, err := filepath.Glob(filepath.Join(a.Home.Dir, "uploads", "records", "*")); err != nil || len(records) != 1 {
		t.Errorf("records that would bring a document back: %q, %v", records, err)
	}
	if list, err := a.Pages.Pages(t.Context(), home.UploadsRef().String()); err != nil || len(list.Pages) != 1 {
		t.Errorf("pages of documents that were deleted: %+v, %v", list, err)
	}
}

// What a killed server left of files by half goes, also where it left no job.
func TestAWorkerWithoutJobsRemovesWhatIsLeft(t *testing.T) {
	t.Parallel()
	a := openUploads(t, t.TempDir())
	var left []string
	for _, dir := range []string{"incoming", "waiting"} {
		path := filepath.Join(a.Home.Dir, "uploads", dir, "0de255bde4f2", "file")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("half of a"), 0o600); err != nil {
			t.Fatal(err)
		}
		left = append(left, filepath.Dir(path))
	}
	if err := a.Intake.WorkOnce(t.Context(), intake.WorkRequest{}); err != nil {
		t.Fatal(err)
	}
	for _, dir := range left {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there: %v", dir, err)
		}
	}
}

// Many documents are deleted with one update of the index.
func TestManyAreDeletedAtOnce(t *testing.T) {
	t.Parallel()
	servicetest.NeedsIndexFiles(t)
	a := openUploads(t, t.TempDir())
	var ids []string
	for i := range 5 {
		ids = append(ids, upload(t, a, fmt.Sprintf("%d.md", i), fmt.Sprintf("# Lantern %d\n\n%s", i, prose)).ID)
	}
	if err := a.Intake.WorkOnce(t.Context(), intake.WorkRequest{}); err != nil {
		t.Fatal(err)
	}
	newest := func() int { // the number of the index's generation
		t.Helper()
		found, err := filepath.Glob(filepath.Join(a.Home.Dir, "index", "*", "manifest.json"))
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		raw, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(raw), `"generation":"g`)
		n, err := strconv.Atoi(after[:6])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := newest()
	each, err := a.Intake.DeleteEach(t.Context(), append(slices.Clone(ids[:4]), "nothing")...)
	if err != nil || len(each) != 5 {
		t.Fatal(each, err)
	}
	for i, o := range each {
		if want := map[bool]string{true: "", false: contract.CodeNotFound}[i < 4]; want == "" && o.Err != nil || want != "" && code(o.Err) != want {
			t.Errorf("%+v", o)
		}
	}
	if list, err := a.Pages.Pages(t.Context(), home.UploadsRef().String()); err != nil || len(list.Pages) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	if n := newest(); n != before+1 {
		t.Errorf("four documents were deleted with %d updates of the index", n-before)
	}
}
