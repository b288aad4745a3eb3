package ingest_test

import (
	"strings"
	"testing"

	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/ingest/hostiletest"
	"docent/store"
	"docent/store/doc"
)

// Every hostile tree, at a fraction of its size, becomes a doc set: each of its pages
// is indexed, or is left out with a reason. (`make campaign CAMPAIGN="-trees 100 …"`
// measures full size.)
func TestHostileTrees(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	scale := 200
	if testing.Short() {
		scale = 5000
	}
	trees, err := hostiletest.WriteTrees(t.TempDir(), scale)
	if err != nil {
		t.Fatal(err)
	}
	for _, tree := range trees {
		set := h.Register(store.Set{Ref: doc.Ref{Name: tree.Name, Version: "1"}, Root: tree.Root, Layout: doc.LayoutTree, Domain: "tech_docs"})
		rep := h.Update(set, false)
		if rep.Added+len(rep.Failed) == 0 {
			t.Errorf("%s: no page", tree.Name)
		}
		for _, f := range rep.Failed {
			if strings.Contains(f.Reason, "panic") {
				t.Errorf("%s: %s: %s", tree.Name, f.Path, f.Reason)
			}
		}
		if again := h.Update(set, false); again.Added+again.Changed+again.Removed > 0 {
			t.Errorf("%s: the second update adds %d, changes %d, removes %d", tree.Name, again.Added, again.Changed, again.Removed)
		}
	}
}

// A page over its budget is read all the same, as plain text, and the update says so.
func TestPageOverBudget(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := store.Set{Ref: doc.Ref{Name: "Over", Version: "1"}, Root: t.TempDir(), Layout: doc.LayoutTree, Domain: "tech_docs"}
	set = h.Register(set)
	h.Write(set, map[string]string{
		"headings.md": "# Lamps\n\n" + strings.Repeat("## Lamp\n\nOil.\n\n", 25_000) + "The zebra lamp.\n",
		"line.md":     "# Line\n\n" + strings.Repeat("word ", 50_000) + "zebra\n",
		"escapes.md":  "# Escapes\n\n" + strings.Repeat(`\\`, 350_000) + " zebra\n",
		"noise.md":    strings.Repeat("\x00\x01\x02", 1000),
	})
	rep := h.Update(set, false)
	said := strings.Join(rep.Warnings, "\n")
	for _, want := range []string{"headings.md: it has 25001 headings, more than 20000: it is read as plain text",
		"escapes.md: it has more than 300000 blocks, links and other marks: it is read as plain text", "noise.md: it cannot be indexed (parse: it is not text;"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in %q", want, said)
		}
	}
	if rep.Added != 3 || len(rep.Failed) != 1 {
		t.Errorf("%d pages, %d failures", rep.Added, len(rep.Failed))
	}
}
