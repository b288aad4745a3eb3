package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/pipeline/contract"
	"docent/pipeline/contract/contracttest"
	"docent/pipeline/corpus"
	"docent/pipeline/corpus/corpustest"
	"docent/store"
	"docent/store/doc"
)

var ctx = context.Background()

func lines(title string, n int) string {
	return "# " + title + "\n" + strings.Repeat("line\n", n-1)
}

func result(set, path string) contract.Result {
	return contract.Result{DocSet: set, FilePath: path, Headings: []contract.Heading{{Level: 1, Text: "# A"}}}
}

func extract(t *testing.T, h *corpustest.Home, in contract.ExtractInput) contract.Extraction {
	t.Helper()
	out, _, err := (&Builtin{Corpus: h.Corpus}).Extract(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, d := range out.Documents {
		content, ok := out.Contents[d.ContentKey()]
		if !ok || doc.CountLines([]byte(content)) != d.Lines || out.IndividualCounts[d.ContentKey()] != d.Lines {
			t.Errorf("%s: %d lines of %q", d.ContentKey(), d.Lines, content)
		}
		total += d.Lines
	}
	if total != out.TotalLineCount || len(out.Contents) != len(out.Documents) || len(out.IndividualCounts) != len(out.Documents) || out.NotFound == nil || out.Documents == nil {
		t.Errorf("%d lines in %d contents: %+v", total, len(out.Contents), out)
	}
	return out
}

func names(out contract.Extraction) string {
	var keys []string
	for _, d := range out.Documents {
		keys = append(keys, d.ContentKey())
	}
	return strings.Join(keys, ", ")
}

// Spec 3's example: none of the documents is over the threshold, all together
// are.
func TestLinesAreCountedCumulatively(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Lantern@1", map[string]string{"a.md": lines("Hooks reference", 1200), "b.md": lines("Deployment guide", 1100), "c.md": lines("Best practices", 900)})
	all := []string{"Hooks reference", "Deployment guide", "Best practices"}
	out := extract(t, h, contract.ExtractInput{PageTitles: all})
	if out.TotalLineCount != 3200 || !out.RequiresProcessing || names(out) != strings.Join(all, ", ") {
		t.Errorf("%s", out.Summary)
	}
	for _, want := range []string{"3200", "2100", "processing required", "Hooks reference (Lantern@1): 1200 lines"} {
		if !strings.Contains(out.Summary, want) {
			t.Errorf("the summary lacks %q: %s", want, out.Summary)
		}
	}
	for _, tt := range []struct {
		threshold int
		want      bool
	}{{3200, false}, {3199, true}, {0, true}} {
		if out := extract(t, h, contract.ExtractInput{PageTitles: all, Threshold: &tt.threshold}); out.RequiresProcessing != tt.want {
			t.Errorf("threshold %d: %v", tt.threshold, out.RequiresProcessing)
		}
	}
	minus := -1
	for _, in := range []contract.ExtractInput{{PageTitles: all, Threshold: &minus}, {PageTitles: all, MaxDocs: -1},
		{PageTitles: all, DocSets: "Nobody@1"}, {Results: []contract.Result{result("Lantern", "a.md")}}, {Results: []contract.Result{result("", "a.md")}}} {
		if _, _, err := (&Builtin{Corpus: h.Corpus}).Extract(ctx, in); err == nil || contracttest.ErrorOf(err).Code != contract.CodeInvalidRequest {
			t.Errorf("%+v gives %v", in, err)
		}
	}
}

func TestWhatIsExtracted(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n", "d.md": "# D\n", "sub/o.md": "# Overview\none\n", "gone.md": "# Gone\n"})
	h.Add("Lantern@2", map[string]string{"o.md": "# Overview\ntwo\n", "p.md": "# Overview\nthree\n"})
	h.Add("Harbour@1", map[string]string{"o.md": "# Overview\nfour\n", "x.md": "# CI/CD\n"})
	gone := h.Add("Gone@1", map[string]string{"a.md": "# Away\n"})
	h.Delete(set, "gone.md")
	h.Forget(gone)
	found := func(paths ...string) []contract.Result {
		var out []contract.Result
		for _, p := range paths {
			ref, path, _ := strings.Cut(p, "/")
			out = append(out, result(ref, path))
		}
		return out
	}
	explicit := &contract.Context{DocSets: []string{"Lantern@1", "Harbour@1"}, DocSetsExplicit: true}
	tests := []struct {
		name     string
		in       contract.ExtractInput
		want     string
		notFound string
	}{
		{"three at most", contract.ExtractInput{Results: found("Lantern@1/d.md", "Lantern@1/a.md", "Lantern@1/c.md", "Lantern@1/b.md")}, "D, A, C", ""},
		{"or as many as are wanted", contract.ExtractInput{Results: found("Lantern@1/d.md", "Lantern@1/a.md"), MaxDocs: 1}, "D", ""},
		{"not what is listed only", contract.ExtractInput{Results: append(found("Lantern@1/d.md"), contract.Result{DocSet: "Lantern@1", FilePath: "a.md", BelowThreshold: true, Listed: true})}, "D", ""},
		{"each once", contract.ExtractInput{Results: found("Lantern@1/a.md", "Lantern:1/a.md", "Lantern@1/b.md")}, "A, B", ""},
		{"of both sides of a comparison", contract.ExtractInput{Results: found("Lantern@1/a.md", "Lantern@1/b.md", "Lantern@1/c.md", "Lantern@1/d.md", "Harbour@1/x.md"), Context: explicit}, "A, B, CI/CD", ""},
		{"one title in three places", contract.ExtractInput{Results: found("Lantern@1/sub/o.md", "Lantern@2/o.md", "Lantern@2/p.md")}, "Lantern@1/Overview, Lantern@2/o.md, Lantern@2/p.md", ""},
		{"a page whose file is gone", contract.ExtractInput{Results: found("Lantern@1/gone.md", "Lantern@1/a.md")}, "A", "Lantern@1/gone.md"},
		{"a page that never was", contract.ExtractInput{Results: found("Lantern@1/../../catalog.db", "Lantern@1/a.md")}, "A", "Lantern@1/../../catalog.db"},
		{"a doc set that was forgotten", contract.ExtractInput{Results: found("Gone@1/a.md", "Lantern@1/a.md")}, "A", "Gone@1/a.md"},
		{"a page of which no heading was kept", contract.ExtractInput{Results: []contract.Result{{DocSet: "Lantern@1", FilePath: "b.md"}, result("Lantern@1", "a.md")}}, "A", ""},
		{"nothing", contract.ExtractInput{Results: []contract.Result{}}, "", ""},
		{"by title", contract.ExtractInput{PageTitles: []string{"B", "Nope", "A", "B"}}, "B, A", "Nope"},
		{"by titles, more than three", contract.ExtractInput{PageTitles: []string{"A", "B", "C", "D"}}, "A, B, C, D", ""},
		{"by a title with a slash", contract.ExtractInput{PageTitles: []string{"CI/CD"}}, "CI/CD", ""},
		{"by qualified title", contract.ExtractInput{PageTitles: []string{"Harbour@1/Overview"}}, "Overview", ""},
		{"by qualified title, with a colon", contract.ExtractInput{PageTitles: []string{"Harbour:1/CI/CD"}}, "CI/CD", ""},
		{"by qualified path", contract.ExtractInput{PageTitles: []string{"Lantern@1/sub/o.md"}}, "Overview", ""},
		{"in one doc set", contract.ExtractInput{PageTitles: []string{"Overview"}, DocSets: "Lantern:1, Harbour@1"}, "Harbour@1/Overview, Lantern@1/Overview", ""},
		{"a shared title does not crowd out the next", contract.ExtractInput{PageTitles: []string{"Overview", "A"}, MaxDocs: 2}, "Overview, A", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := extract(t, h, tt.in)
			got := names(out)
			if tt.name == "in one doc set" { // the order of the doc sets named
				parts := strings.Split(got, ", ")
				slices.Sort(parts)
				got = strings.Join(parts, ", ")
			}
			if got != tt.want || strings.Join(out.NotFound, ", ") != tt.notFound {
				t.Errorf("extracted %s; not found %q\nwant %s; %q", got, out.NotFound, tt.want, tt.notFound)
			}
		})
	}
}

// The file answers, not the index.
func TestChangedPage(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"Wicks/docContent.md": "# W\n\n> **原文链接**: https://lantern.example/w\n"})
	const now = "# W\n\n> **原文链接**: https://lantern.example/new\n\nNew. \xff\n"
	h.Write(set, map[string]string{"Wicks/docContent.md": now})
	out := extract(t, h, contract.ExtractInput{Results: []contract.Result{result("Lantern@1", "Wicks/docContent.md")}})
	d := out.Documents[0]
	if !d.Changed || d.Title != "Wicks" || d.URL != "https://lantern.example/new" || d.Layout != string(doc.LayoutTitled) || d.Version != "1" ||
		out.Contents["Wicks"] != strings.ReplaceAll(now, "\xff", "\ufffd") || !strings.Contains(out.Summary, "changed since it was indexed") {
		t.Errorf("%+v\n%q", d, out.Contents)
	}
}

// A file that cannot be read takes nothing from the others.
func TestUnreadablePage(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"a.md": "# A\n", "b.md": "# B\n"})
	if err := os.Truncate(filepath.Join(set.Root, "a.md"), 65<<20); err != nil {
		t.Fatal(err)
	}
	out := extract(t, h, contract.ExtractInput{Results: []contract.Result{result("Lantern@1", "a.md"), result("Lantern@1", "b.md")}})
	if names(out) != "B" || !slices.Equal(out.NotFound, []string{"Lantern@1/a.md"}) || !strings.Contains(out.Summary, "64 MB") {
		t.Errorf("%s", out.Summary)
	}
}

func TestCancelledExtraction(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Lantern@1", map[string]string{"a.md": "# A\n"})
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := (&Builtin{Corpus: h.Corpus}).Extract(cancelled, contract.ExtractInput{Results: []contract.Result{result("Lantern@1", "a.md")}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// Keys are unique whatever the pages are called, and a title of its own is its
// key.
func TestKeysAreUnique(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var pages []*corpus.Page
		titles := map[string]int{}
		for i := range rapid.IntRange(0, 8).Draw(t, "pages") {
			version := rapid.SampledFrom([]string{"1", "2"}).Draw(t, "version")
			p := &corpus.Page{Set: store.Set{Ref: doc.Ref{Name: "A", Version: version}}, Path: fmt.Sprintf("%d.md", i)}
			p.Doc.Title = rapid.SampledFrom([]string{"T", "U", "", "A@1/T", "A@2/U", "A@1/0.md", "A@1/1.md", "A@1/1.md~2"}).Draw(t, "title")
			titles[p.Doc.Title]++
			pages = append(pages, p)
		}
		seen := map[string]bool{}
		for i, key := range contentKeys(pages) {
			if key == "" || seen[key] {
				t.Fatalf("key %d is %q", i, key)
			}
			seen[key] = true
			if title := pages[i].Doc.Title; title != "" && titles[title] == 1 && key != title {
				t.Fatalf("the key of %q is %q", title, key)
			}
		}
	})
}

// Headings below the threshold, and their pages, are taken for a block of sections alone.
func TestNearIsForSections(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Docs@1", map[string]string{"a.md": lines("A", 9), "b.md": lines("B", 9)})
	in := contract.ExtractInput{Results: []contract.Result{result(set.Ref.String(), "a.md")},
		Near: []contract.Result{result(set.Ref.String(), "a.md"), result(set.Ref.String(), "b.md")}}
	if got := names(extract(t, h, in)); got != "A" {
		t.Errorf("whole pages are %s", got)
	}
	in.Sections = true
	out := extract(t, h, in)
	if got := names(out); got != "A, B" || len(out.Documents[0].Headings) != 2 {
		t.Errorf("for sections: %s, %+v", got, out.Documents)
	}
}
