package weaviate

import (
	"maps"
	"slices"
	"testing"

	"docent/store"
	"docent/store/analysis"
)

// What a server gives back ends neither in a panic nor in memory without end, whatever it is.
func FuzzDecode(f *testing.F) {
	p := store.Passage{Abbreviations: []store.Abbreviation{{Short: "HPA", Long: "Horizontal Pod Autoscaler"}}}
	p.Fields[store.Title], p.Fields[store.Body] = "Pods", "a pod with two volumes and a pod"
	a := analyzePassage(analysis.New(), p)
	whole := newPart()
	whole.count(&a, 1)
	whole.added[7] = object{born: 3, parts: []int{1}, tokens: [store.NumFields]int64{1, 0, 5}}
	whole.removed = []int64{2}
	f.Add(whole.encode())
	raw, err := unseal(a.encode())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := &contents{documents: map[int64]object{}}
		if err := c.addPart(raw); err == nil {
			again := &contents{documents: map[int64]object{}}
			if err := again.addPart(c.whole().encode()); err != nil || !slices.Equal(slices.Sorted(maps.Keys(again.documents)),
				slices.Sorted(maps.Keys(c.documents))) {
				t.Fatalf("written again it gives %v, %v", again.documents, err)
			}
		}
		if _, err := decodePassage(seal(slices.Clone(raw))); err != nil {
			return
		}
	})
}

// A part gives back what was put into it, and what a later one takes goes.
func TestParts(t *testing.T) {
	t.Parallel()
	analyzed := func(body string) *passage {
		var p store.Passage
		p.Fields[store.Body] = body
		a := analyzePassage(analysis.New(), p)
		return &a
	}
	first := newPart()
	first.count(analyzed("a lamp with a wick"), 1)
	first.count(analyzed("a lamp of brass"), 1)
	first.added[1], first.added[2] = object{born: 1, parts: []int{1}}, object{born: 1, parts: []int{1}}
	second := newPart()
	second.count(analyzed("a lamp with a wick"), -1)
	second.removed = []int64{1}
	c := &contents{documents: map[int64]object{}}
	for _, p := range []*part{first, second} {
		if err := c.addPart(p.encode()); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(c.terms, []string{"brass", "lamp"}) || c.numbersOf("lamp")[anyField] != 1 || len(c.documents) != 1 || !c.holds(2, 1) {
		t.Errorf("%q, %v, %v", c.terms, c.counts, c.documents)
	}
}
