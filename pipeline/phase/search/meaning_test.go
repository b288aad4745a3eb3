package search_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
)

// Vectors that are missing or damaged are done without, which is said, and the
// next update makes them again: the same bytes as before.
func TestVectorsMissingOrDamaged(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(t *testing.T, dir string){
		"missing": func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		},
		"cut": func(t *testing.T, dir string) {
			n := 0
			err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				n++
				return os.Truncate(p, 7)
			})
			if err != nil || n == 0 {
				t.Fatal(n, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := corpustest.New(t)
			set := h.Add("Lantern@1", corpustest.MakePages(60))
			in := contract.SearchInput{Query: []string{"how do I set the lantern wick"}}
			before := marshal(t, find(t, h, in))
			if !strings.Contains(before, `"semantic":0.`) {
				t.Fatal("nothing was found in meaning")
			}
			h.Reopen()
			harm(t, h.IndexDir(set.ID)+".vectors")
			out := find(t, h, in)
			if notes := strings.Join(out.SearchStats.Notes, "\n"); !strings.Contains(notes, "searched by words alone") || len(out.Results) == 0 {
				t.Errorf("%d results, notes %q", len(out.Results), notes)
			}
			h.Update(set, false)
			if after := marshal(t, find(t, h, in)); after != before {
				t.Errorf("mended, the answer is\n%s\nit was\n%s", after, before)
			}
		})
	}
}

// A doc set of one page has no vectors. A runbook was second to a manual that shared a word with
// the question, because its passages counted as far from it in meaning.
func TestFewPassagesAreNotFarInMeaning(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Runbook@1", map[string]string{"runbook.md": "# Runbook\n\n## Set the wick of the lantern\n\nTurn the wheel.\n"})
	in := contract.SearchInput{Query: []string{"how do I set the lantern wick"}}
	cosines := func() (own, most float64) {
		for _, r := range find(t, h, in).Results {
			for _, found := range r.Headings {
				if s := found.Signals.Semantic; r.DocSet == "Runbook@1" {
					own = max(own, s)
				} else {
					most = max(most, s)
				}
			}
		}
		return own, most
	}
	if own, _ := cosines(); own != 0 {
		t.Errorf("alone, it has the cosine %v", own)
	}
	h.Add("Lantern@1", corpustest.MakePages(60))
	if own, most := cosines(); own <= 0 || own >= most {
		t.Errorf("next to a doc set with vectors, it has the cosine %v, the nearest of that has %v", own, most)
	}
}

// A passage near in meaning is a candidate even without any of the words.
func TestMeaningFindsOtherWords(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	pages := map[string]string{"other.md": "# Sconces\n\nThe filament of a sconce glows behind its chimney.\n"}
	for i := range 30 {
		name := string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		if i < 8 {
			pages[name+".md"] = "# Note " + name + "\n\nA lantern has a wick behind its chimney, and the sconce beside the lantern glows. Number " + name + ".\n"
		}
		pages["rope-"+name+".md"] = "# Rope " + name + "\n\nTie the rope with a bowline around the bollard. Number " + name + ".\n"
	}
	h.Add("Lantern@1", pages)
	out := find(t, h, contract.SearchInput{Query: []string{"lantern wick"}})
	for _, r := range out.Results {
		if r.FilePath == "other.md" {
			s := r.Headings[0].Signals
			if s.Semantic <= 0 || r.Headings[0].Score <= 0 {
				t.Errorf("its signals are %+v", s)
			}
			return
		}
	}
	t.Errorf("other.md was not found among %d pages", len(out.Results))
}
