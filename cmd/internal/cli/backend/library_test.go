package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/cmd/internal/app"
	"docent/cmd/internal/config"
	"docent/pipeline"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
	"docent/store"
	"docent/tui"
	lib "docent/tui/pane/shelf"
)

// opened is an opened home without a manual, and a folder of n pages.
func opened(t *testing.T, n int) (b *Backend, docs string) {
	t.Helper()
	dir := t.TempDir()
	docs = filepath.Join(dir, "lamps")
	writePages(t, docs, n)
	b = New(app.Options{Home: filepath.Join(dir, "home"), Engine: config.EngineBuiltin})
	if _, err := b.Ready(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b, docs
}

func writePages(t *testing.T, dir string, n int) {
	t.Helper()
	for i := range n {
		write(t, filepath.Join(dir, fmt.Sprintf("part-%d", i%3), fmt.Sprintf("page-%d.md", i)), fmt.Sprintf("# Page %d\n\nLamp number %d burns oil.\n", i, i))
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, b *Backend) []string {
	t.Helper()
	sets, err := b.Library(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range sets {
		out = append(out, fmt.Sprintf("%s %d %s %s", s.Ref, s.Pages, s.Fresh, lib.ChangesText(s)))
	}
	return out
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func nobody(tui.WorkProgress) {}

// found is the pages that a question finds.
func found(t *testing.T, b *Backend, question string) string {
	t.Helper()
	res, err := b.NewSession(pipeline.Request{Question: question}).Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res.Final
}

// A doc set's life in a running process: added, asked, changed, updated, asked,
// forgotten.
func TestLibraryOfARunningProcess(t *testing.T) {
	t.Parallel()
	b, docs := opened(t, 30)
	ctx := t.Context()
	var seen []string
	text, err := b.Add(ctx, tui.AddRequest{Path: docs, Name: "Lantern", Version: "2"}, func(p tui.WorkProgress) {
		if len(seen) == 0 || seen[len(seen)-1] != p.Stage {
			seen = append(seen, p.Stage)
		}
	})
	if err != nil || text != "added Lantern@2: 30 pages (30 added)" {
		t.Fatalf("%q, %v", text, err)
	}
	same(t, "stages", seen, "looking for pages", "reading pages", "writing the index", "learning vectors", "looking for pages")
	same(t, "library", names(t, b), "Lantern@2 30 fresh ")
	if out := found(t, b, "lamp number 7"); !strings.Contains(out, "Lamp number 7") {
		t.Errorf("what was added is not found:\n%s", out)
	}

	write(t, filepath.Join(docs, "part-0/new.md"), "# Paraffin\n\nKept in the blue barrel.\n")
	write(t, filepath.Join(docs, "part-0/page-0.md"), "# Page 0\n\nLamp number 0 burns gas, and more of it.\n")
	if err := os.Remove(filepath.Join(docs, "part-0/page-3.md")); err != nil {
		t.Fatal(err)
	}
	same(t, "library", names(t, b), "Lantern@2 30 stale 1 new, 1 changed, 1 gone")
	list, err := b.PagesOf(ctx, "Lantern@2")
	if err != nil || len(list) != 31 {
		t.Fatal(len(list), err)
	}
	for _, p := range list {
		want := library.PageFresh
		switch p.Path {
		case "part-0/page-0.md":
			want = library.PageChanged
		case "part-0/page-3.md":
			want = library.PageGone
		case "part-0/new.md":
			want = library.PageNew
		}
		if p.State != want {
			t.Errorf("%s is in state %s, want %s", p.Path, p.State, want)
		}
	}
	if text, err = b.Update(ctx, []string{"Lantern@2"}, nobody); err != nil || text != "Lantern@2: 30 pages (1 added, 1 changed, 1 removed, 28 unchanged)" {
		t.Fatalf("%q, %v", text, err)
	}
	if out := found(t, b, "paraffin"); !strings.Contains(out, "blue barrel") {
		t.Errorf("a question asked right after the update does not find the new page:\n%s", out)
	}
	if text, err = b.Update(ctx, nil, nobody); err != nil || text != "Lantern@2: 30 pages, nothing changed" {
		t.Errorf("%q, %v", text, err)
	}
	if err := b.Remove(ctx, "Lantern@2"); err != nil {
		t.Fatal(err)
	}
	same(t, "library", names(t, b))
	if _, err := os.Stat(filepath.Join(docs, "part-0/new.md")); err != nil {
		t.Errorf("forgetting touched a file: %v", err)
	}
}

// Cancelling takes back unfinished work, at every stage.
func TestCancelledWorkLeavesAllAsItWas(t *testing.T) {
	t.Parallel()
	b, docs := opened(t, 30)
	for _, stage := range []string{"looking for pages", "reading pages", "writing the index", "learning vectors"} {
		ctx, cancel := context.WithCancel(t.Context())
		text, err := b.Add(ctx, tui.AddRequest{Path: docs}, func(p tui.WorkProgress) {
			if p.Stage == stage {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) || text != "nothing was added" {
			t.Errorf("%s: %q, %v", stage, text, err)
		}
		same(t, stage, names(t, b))
	}
	if _, err := b.Add(t.Context(), tui.AddRequest{Path: docs}, nobody); err != nil {
		t.Fatal(err)
	}
	for stage, want := range map[string]string{
		"reading pages":     "lamps@latest is as it was",
		"writing the index": "lamps@latest is as it was",
		"learning vectors":  "pages up to date, vectors with the next update",
	} {
		before := names(t, b)
		write(t, filepath.Join(docs, strings.ReplaceAll(stage, " ", "-")+".md"), "# New\n\nNew.\n")
		ctx, cancel := context.WithCancel(t.Context())
		text, err := b.Update(ctx, []string{"lamps"}, func(p tui.WorkProgress) {
			if p.Stage == stage {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) || text != want {
			t.Errorf("%s: %q, %v", stage, text, err)
		}
		if stage != "learning vectors" && strings.Fields(names(t, b)[0])[1] != strings.Fields(before[0])[1] {
			t.Errorf("%s: %q, before %q", stage, names(t, b), before)
		}
		if _, err := b.Update(t.Context(), nil, nobody); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAddingSaysWhyNot(t *testing.T) {
	t.Parallel()
	b, docs := opened(t, 3)
	ctx := t.Context()
	other := filepath.Join(filepath.Dir(docs), "other")
	writePages(t, other, 2)
	if _, err := b.Add(ctx, tui.AddRequest{Path: docs, Name: "a", Version: "1"}, nobody); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		req  tui.AddRequest
		want string
	}{
		{tui.AddRequest{Path: other, Name: "a", Version: "1"}, "a@1 is already " + docs + "; give it another name or version, or forget the old one first"},
		{tui.AddRequest{Path: other, Name: "a/b", Version: "1"}, "are not allowed"},
		{tui.AddRequest{Path: filepath.Join(docs, "nowhere")}, "no such file or directory"},
	} {
		if _, err := b.Add(ctx, tt.req, nobody); err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "--name") {
			t.Errorf("%+v: %v, want %q", tt.req, err, tt.want)
		}
	}
	same(t, "library", names(t, b), "a@1 3 fresh ")
	got, err := b.Propose(ctx, docs)
	if err != nil || len(got) != 1 || got[0] != (tui.Proposed{Name: "lamps", Version: "latest", Pages: 3, Known: "the folder is there already as a@1"}) {
		t.Errorf("the folder is proposed as %+v, %v", got, err)
	}
	if err := os.RemoveAll(docs); err != nil {
		t.Fatal(err)
	}
	same(t, "library", names(t, b), "a@1 3 missing ")
	if _, err := b.Update(ctx, []string{"a"}, nobody); err == nil || !strings.Contains(err.Error(), "is not there") {
		t.Errorf("a missing folder: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Add(ctx, tui.AddRequest{Path: other}, nobody); !errors.Is(err, context.Canceled) {
		t.Errorf("a closed home takes work: %v", err)
	}
}

func TestFolders(t *testing.T) {
	t.Parallel()
	b := New(app.Options{})
	dir := t.TempDir() + "/"
	for _, d := range []string{"docs/guides", "Downloads", ".hidden", "文档"} {
		write(t, filepath.Join(dir, d, "page.md"), "# Page\n")
	}
	write(t, dir+"doc.md", "# No folder\n")
	if err := os.Symlink("docs", dir+"link"); err != nil {
		t.Skip(err)
	}
	for typed, want := range map[string][]string{
		"":      {"Downloads/", "docs/", "link/", "文档/"},
		"do":    {"docs/"},
		"DOC":   {"docs/"},
		".":     {".hidden/"},
		"docs/": {"docs/guides/"},
		"x":     nil,
	} {
		got, err := b.Folders(t.Context(), dir+typed)
		if err != nil {
			t.Errorf("%q: %v", typed, err)
		}
		for i := range got {
			got[i] = strings.TrimPrefix(got[i], dir)
		}
		same(t, typed, got, want...)
	}
	if _, err := b.Folders(t.Context(), dir+"nowhere/x"); err == nil {
		t.Error("a folder that is not there has folders")
	}
}

// Files that were handed in stand in the library before they are pages: one that waits is
// cancelled, one that failed is tried again.
func TestFilesInTheLibrary(t *testing.T) {
	t.Parallel()
	b, _ := opened(t, 1)
	ctx, a := t.Context(), b.Current()
	hand := func(name, text string) string {
		t.Helper()
		u, err := a.Intake.Upload(ctx, intake.UploadRequest{Name: name, From: strings.NewReader(text)})
		if err != nil {
			t.Fatal(err)
		}
		return u.ID
	}
	prose := strings.Repeat("The wick is trimmed every evening before the lamp is lit. ", 3)
	// The doc set is there as soon as one file is a page.
	if text, err := b.Retry(ctx, hand("first.md", "# First\n\n"+prose), func(tui.WorkProgress) {}); err != nil || !strings.HasPrefix(text, "first.md: Uploads@latest/") {
		t.Fatalf("%q, %v", text, err)
	}
	id := hand("wick.md", "# Wick\n\n"+prose)
	file := func() (f library.PageState) {
		t.Helper()
		list, err := b.PagesOf(ctx, "Uploads@latest")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if strings.HasSuffix(p.Path, "/wick.md") {
				f = p
			}
		}
		return f
	}
	if f := file(); f.State != library.PageWaiting || f.Document != id || f.Lane != "fast" || f.Status != store.UploadPending {
		t.Errorf("a file that waits is %+v", f)
	}
	if err := b.CancelFile(ctx, id); err != nil {
		t.Fatal(err)
	}
	if err := b.CancelFile(ctx, id); err == nil {
		t.Error("it was cancelled twice")
	}
	if f := file(); f.State != library.PageFailed || f.Document != id || !strings.Contains(f.Reason, "cancelled") {
		t.Errorf("a file that was cancelled is %+v", f)
	}
	if text, err := b.Retry(ctx, id, func(tui.WorkProgress) {}); err != nil || !strings.Contains(text, "/wick.md") {
		t.Errorf("%q, %v", text, err)
	}
	if f := file(); f.State != library.PageFresh || f.Document != "" {
		t.Errorf("a file that is a page is %+v", f)
	}
}
