package graph_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/servicetest"
)

func linked() map[string]string {
	return map[string]string{
		"wick.md":   "# Wick care\n\n## Trim\n\nSee [how to fill it](oil.md#fill), [the harbour](harbour.md), [nothing](gone.md) and [no place](oil.md#nowhere).\n\nSee [the site](https://example.org/x).\n",
		"oil.md":    "# Oil\n\nBefore you begin, read [Wick care](wick.md).\n\n## Fill\n\n**Warning:** never fill a burning lamp. See [Trim](wick.md#trim).\n",
		"alone.md":  "# Alone\n\nNothing leads here.\n",
		"image.md":  "# Image\n\n![A lamp](lamp.png) and [its plan](plan.txt).\n",
		"site.md":   "# Site\n\n[An old address](/old/page).\n",
		"nested.md": "# Nested\n\n## One\n\n### Two\n\n[Up](wick.md#trim).\n",
	}
}

func lantern(t *testing.T) *servicetest.Home {
	t.Helper()
	h := servicetest.New(t)
	h.Write("Lantern@1", map[string]string{"lamp.png": "\x89PNG", "plan.txt": "x=1"})
	h.Add("Lantern@1", linked())
	return h
}

// ends are the pages at the other ends of relations, with their kinds.
func ends(all []references.Relation) (out []string) {
	for _, r := range all {
		to := r.Target
		if r.Other != nil {
			to = r.Other.Path
		}
		out = append(out, string(r.Type)+" "+to)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestWhatLeadsToAPageAndFromIt(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	whole, err := h.Graph.References(t.Context(), graph.ReferencesRequest{ReadRequest: locate.ReadRequest{Page: "wick.md"}})
	if err != nil || whole.DocSet != "Lantern@1" || whole.FilePath != "wick.md" || whole.Threshold <= 0 {
		t.Fatalf("%+v, %v", whole, err)
	}
	to := strings.Join(ends(whole.To), "\n")
	for _, page := range []string{"oil.md", "nested.md"} {
		if !strings.Contains(to, page) {
			t.Errorf("%s does not lead to the page: %s", page, to)
		}
	}
	if from := strings.Join(ends(whole.From), "\n"); !strings.Contains(from, "oil.md") {
		t.Errorf("from the page lead %s", from)
	}
	section, err := h.Graph.References(t.Context(), graph.ReferencesRequest{ReadRequest: locate.ReadRequest{Page: "oil.md", Section: "Fill"}})
	if err != nil || !strings.Contains(strings.Join(ends(section.From), "\n"), "wick.md") || section.Node.SectionPath == "" {
		t.Errorf("of a section: %+v, %v", section, err)
	}
	alone, err := h.Graph.References(t.Context(), graph.ReferencesRequest{ReadRequest: locate.ReadRequest{Page: "alone.md"}})
	if err != nil || len(alone.To) != 0 || len(alone.From) != 0 {
		t.Errorf("of a page alone: %+v, %v", alone, err)
	}
}

func TestAThresholdHidesWeakRelations(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	count := func(threshold float64) int {
		t.Helper()
		r, err := h.Graph.References(t.Context(), graph.ReferencesRequest{ReadRequest: locate.ReadRequest{Page: "wick.md"}, Threshold: &threshold})
		if err != nil || r.Threshold != threshold {
			t.Errorf("threshold %v: %+v, %v", threshold, r, err)
		}
		return len(r.To) + len(r.From)
	}
	if all, best := count(0), count(1); all == 0 || best > all {
		t.Errorf("%d relations in all, and %d at the highest threshold", all, best)
	}
	for _, wrong := range []float64{-0.1, 1.1} {
		_, err := h.Graph.References(t.Context(), graph.ReferencesRequest{ReadRequest: locate.ReadRequest{Page: "wick.md"}, Threshold: &wrong})
		servicetest.WantError(t, "a threshold", err, contract.CodeInvalidRequest, "give a number from 0 to 1")
	}
}

func TestRelationsThatCannotBeAskedFor(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for _, tt := range []struct {
		what string
		req  locate.ReadRequest
		says string
	}{
		{"no page", locate.ReadRequest{Page: "nothing"}, `there is no page "nothing"`},
		{"no section", locate.ReadRequest{Page: "wick.md", Section: "Nothing"}, "has no section"},
		{"a doc set", locate.ReadRequest{Page: "Lantern@1"}, "is a doc set and no page"},
	} {
		_, err := h.Graph.References(t.Context(), graph.ReferencesRequest{ReadRequest: tt.req})
		servicetest.WantError(t, tt.what, err, contract.CodeInvalidRequest, tt.says)
	}
	if _, err := h.Graph.References(servicetest.Cancelled(t), graph.ReferencesRequest{ReadRequest: locate.ReadRequest{Page: "wick.md"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	if _, err := h.Graph.SectionReferences(t.Context(), "Nothing", "wick.md", 1); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set: %v", err)
	}
}

// The reader asks for a section by its number, and shows titles.
func TestRelationsOfASectionByItsNumber(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	r, err := h.Graph.SectionReferences(t.Context(), "Lantern@1", "wick.md", 1)
	if err != nil || r.Titles["oil.md"] != "Oil" {
		t.Errorf("%+v, %v", r, err)
	}
	_, err = h.Graph.SectionReferences(t.Context(), "Lantern@1", "wick.md", 99)
	servicetest.WantError(t, "a section that is not there", err, contract.CodeInvalidRequest, "wick.md changed since it was indexed", "docent update Lantern@1")
	_, err = h.Graph.SectionReferences(t.Context(), "Lantern@1", "gone.md", 1)
	servicetest.WantError(t, "a page that is not there", err, contract.CodeInvalidRequest, "docent update Lantern@1")
}

// A link that leads nowhere is broken; a link to a file that is no page, to another site,
// or that the site redirects is not.
func TestLinksThatLeadNowhere(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	find := func(all []references.Broken, target string) *references.Broken {
		if i := slices.IndexFunc(all, func(b references.Broken) bool { return strings.Contains(b.Target, target) }); i >= 0 {
			return &all[i]
		}
		return nil
	}
	out, err := h.Graph.Broken(t.Context(), []string{"Lantern"}, nil)
	if err != nil || len(out.Sets) != 1 || out.Sets[0].DocSet != "Lantern@1" {
		t.Fatalf("%+v, %v", out, err)
	}
	for target, missing := range map[string]string{"gone.md": "page", "harbour.md": "page", "nowhere": "anchor"} {
		if b := find(out.Broken, target); b == nil || b.Missing != missing || b.Path != "wick.md" || b.Line != 5 {
			t.Errorf("%s: %+v, want a missing %s", target, b, missing)
		}
	}
	for _, target := range []string{"lamp.png", "plan.txt", "example.org", "oil.md#fill"} {
		if b := find(out.Broken, target); b != nil {
			t.Errorf("%s is broken: %+v", target, b)
		}
	}
	if out.Sets[0].Files == 0 || out.Sets[0].Inside == 0 {
		t.Errorf("the counts are %+v", out.Sets[0])
	}
	broken := len(out.Broken)
	// GitHub shows a folder of the repository as a page.
	h.Add("Harbour@1", map[string]string{"a.md": "# A\n\n[No page](b.md) [A folder](./boats/) [It](boats)\n", "boats/tug.txt": "", "boats/tug.go": "package tug\n"})
	if all, err := h.Graph.Broken(t.Context(), nil, nil); err != nil || len(all.Sets) != 2 || len(all.Broken) != broken+1 {
		t.Errorf("of all doc sets: %+v, %v", all, err)
	}
	if _, err := h.Graph.Broken(t.Context(), []string{"Nothing"}, nil); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set: %v", err)
	}
}

// A page that is a symbolic link is no page here, and it is not missing: the site that is made of the
// folder has it.
func TestLinksToPagesThatAreSymbolicLinks(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Write("Harbour@1", map[string]string{"boats/tug.rst": "Tug\n===\n\nIt pulls.\n"})
	for link, to := range map[string]string{"tug.rst": "boats/tug.rst", "lost.rst": "boats/lost.rst"} {
		if err := os.Symlink(to, filepath.Join(h.Root("Harbour@1"), link)); err != nil {
			t.Fatal(err)
		}
	}
	h.Add("Harbour@1", map[string]string{"index.rst": "Harbour\n=======\n\n.. toctree::\n\n   tug\n   lost\n"})
	out, err := h.Graph.Broken(t.Context(), []string{"Harbour"}, nil)
	if err != nil || len(out.Broken) != 1 || !strings.Contains(out.Broken[0].Target, "lost") || out.Sets[0].Files != 1 {
		t.Errorf("%+v, %v", out, err)
	}
}

// A graph that is missing or damaged is made again when it is asked for; doctor says so.
func TestAGraphThatIsMissingOrDamagedIsMadeAgain(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	for what, harm := range map[string]func(*testing.T, *servicetest.Home){
		"missing": func(_ *testing.T, h *servicetest.Home) { h.RemoveGraph(h.Set("Lantern@1")) },
		"damaged": func(t *testing.T, h *servicetest.Home) {
			h.HarmIndexFile("*.references*", func(raw []byte) []byte { raw[len(raw)/2] ^= 0x55; return raw })
		},
		"cut": func(t *testing.T, h *servicetest.Home) {
			h.HarmIndexFile("*.references*", func(raw []byte) []byte { return raw[:len(raw)/2] })
		},
		"empty": func(t *testing.T, h *servicetest.Home) {
			h.HarmIndexFile("*.references*", func([]byte) []byte { return nil })
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			h := lantern(t)
			harm(t, h)
			h = h.Reopen()
			set := h.Set("Lantern@1")
			if f := h.Graph.Examine(t.Context(), set); f.OK == (what == "damaged" || what == "cut") && what != "empty" || f.Text == "" {
				t.Errorf("doctor says %+v", f)
			}
			r, err := h.Graph.References(t.Context(), graph.ReferencesRequest{ReadRequest: locate.ReadRequest{Page: "wick.md"}})
			if err != nil || len(r.To) == 0 {
				t.Errorf("%+v, %v", r, err)
			}
			if said := strings.Join(h.Said(), "\n"); !strings.Contains(said, "the reference graph of Lantern@1 is missing, damaged or older than its pages; it is made") {
				t.Errorf("it says %q", said)
			}
			if f := h.Graph.Examine(t.Context(), set); !f.OK || f.Text != "the whole graph has its checksum" {
				t.Errorf("afterwards doctor says %+v", f)
			}
		})
	}
}

// A graph belongs to the pages as they were indexed: after an update it is another one.
func TestTheGraphFollowsUpdates(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	look := func() string {
		t.Helper()
		r, err := h.Graph.References(t.Context(), graph.ReferencesRequest{ReadRequest: locate.ReadRequest{Page: "alone.md"}})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(ends(r.To), "\n")
	}
	if got := look(); got != "" {
		t.Errorf("at first %s", got)
	}
	h.Write("Lantern@1", map[string]string{"image.md": "# Image\n\n[Alone](alone.md)\n"})
	h.Update()
	if got := look(); !strings.Contains(got, "image.md") {
		t.Errorf("after the update %q", got)
	}
	h.Delete("Lantern@1", "image.md")
	h.Update()
	if got := look(); got != "" {
		t.Errorf("after the page went %q", got)
	}
}

func TestWhatAnAnswerRequiresAndWarnsOf(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	beside := h.Graph.Beside(t.Context(), []graph.Place{{DocSet: "Lantern@1", FilePath: "oil.md", Lines: [2]int{1, 9}}})
	if beside.Prerequisites == nil || beside.Warnings == nil || len(beside.Prerequisites)+len(beside.Warnings) == 0 {
		t.Errorf("%+v", beside)
	}
	if none := h.Graph.Beside(t.Context(), nil); len(none.Prerequisites)+len(none.Warnings) != 0 || len(h.Said()) != 0 {
		t.Errorf("of nothing: %+v, said %q", none, h.Said())
	}
	if none := h.Graph.Beside(t.Context(), []graph.Place{{DocSet: "Nothing@1", FilePath: "x"}}); len(none.Warnings) != 0 || len(h.Said()) != 1 || !strings.Contains(h.Said()[0], "is not shown") {
		t.Errorf("of an unknown doc set: %+v, said %q", none, h.Said())
	}
	if h.Graph.Beside(servicetest.Cancelled(t), []graph.Place{{DocSet: "Lantern@1", FilePath: "oil.md"}}); len(h.Said()) != 1 {
		t.Errorf("an ended question is reported: %q", h.Said())
	}
}

// More doc sets than graphs are held open are asked at once.
func TestMoreDocSetsThanGraphsAreHeldOpen(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	var names []string
	for i := range 10 {
		name := "Set" + string(rune('A'+i)) + "@1"
		h.Add(name, map[string]string{"a.md": "# A\n\n[B](b.md)\n", "b.md": "# B\n\nText.\n"})
		names = append(names, name)
	}
	var all sync.WaitGroup
	for _, name := range names {
		all.Go(func() {
			for range 3 {
				r, err := h.Graph.References(t.Context(), graph.ReferencesRequest{ReadRequest: locate.ReadRequest{Page: name + "/b.md"}})
				if err != nil || len(r.To) != 1 {
					t.Errorf("%s: %+v, %v", name, r, err)
				}
			}
		})
	}
	all.Wait()
}

// An index that is gone is an error that names its doc set, and nothing is made of it.
func TestAGraphWithoutItsIndex(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	set := h.Set("Lantern@1")
	h.Close()
	again := h.Beside()
	if err := os.RemoveAll(filepath.Join(again.Dir, "index")); err != nil {
		t.Fatal(err)
	}
	ok, err := again.Graph.WithGraphAtHand(t.Context(), set, func(*references.Graph) error { return nil })
	if ok && err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	if err := again.Graph.WithGraph(t.Context(), set, func(*references.Graph) error { return nil }); err != nil && !strings.Contains(err.Error(), "Lantern@1") {
		t.Errorf("%v", err)
	}
}

// Versions of a doc set gave no SUPERSEDES: the same page of the next older one is superseded.
func TestAPageSupersedesItsOlderVersion(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	for _, version := range []string{"1.10", "1.2", "1.9"} {
		h.Add("Lantern@"+version, map[string]string{"wick.md": "# Wick care\n\nTrim it.\n", "v" + version + ".md": "# Only here\n\nText.\n"})
	}
	h.Add("Lamp@1.8", map[string]string{"wick.md": "# Another doc set\n\nText.\n"})
	at := func(set string) (from, to []string) {
		t.Helper()
		got, err := h.Graph.References(t.Context(), graph.ReferencesRequest{ReadRequest: locate.ReadRequest{Page: "wick.md", Sets: []string{set}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range got.From {
			from = append(from, string(r.Type)+" "+r.Other.DocSet+"/"+r.Other.Path)
			if r.SourceID != got.Node.ID || r.TargetID != r.Other.ID {
				t.Errorf("the edge is %+v", r.Edge)
			}
		}
		for _, r := range got.To {
			to = append(to, string(r.Type)+" "+r.Other.DocSet+"/"+r.Other.Path)
		}
		return from, to
	}
	from, to := at("Lantern@1.9")
	if !slices.Equal(from, []string{"SUPERSEDES Lantern@1.2/wick.md"}) || !slices.Equal(to, []string{"SUPERSEDES Lantern@1.10/wick.md"}) {
		t.Errorf("from %q, to %q", from, to)
	}
	if from, to := at("Lamp@1.8"); len(from)+len(to) > 0 {
		t.Errorf("of another doc set: %q, %q", from, to)
	}
}
