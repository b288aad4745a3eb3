package lexical

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"docent/store"
	"docent/store/analysis"
)

// bodies are passages of so many words, of which half stand in one passage alone.
func bodies(passages, words int) []store.Passage {
	var out []store.Passage
	for i := range passages {
		var b strings.Builder
		for k := range words {
			fmt.Fprintf(&b, "lamp%d word%dx%d ", k%7, i, k)
		}
		out = append(out, store.Passage{Chunk: i, Fields: [store.NumFields]string{store.Title: "Lamps", store.Body: b.String(), store.Code: fmt.Sprintf("oil%d()", i)}})
	}
	return out
}

// termsOf are all terms of an index with the passages that have them, as EachTerm
// gives them.
func termsOf(t *testing.T, dir string, least uint64) map[string][]store.TermCount {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out, last := map[string][]store.TermCount{}, ""
	err = r.EachTerm(context.Background(), [store.NumFields]float64{store.Title: 1, store.Body: 1, store.Code: 2}, least, func(term string, counts []store.TermCount) error {
		if term <= last {
			t.Errorf("%q comes behind %q", term, last)
		}
		last = term
		out[term] = append([]store.TermCount{}, counts...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A large document, which is analysed while it is added, becomes the index that a small
// one of the same passages would.
func TestLargeDocument(t *testing.T) {
	t.Parallel()
	passages := bodies(60, 400)
	late := func() *Analyzed { return Analyze(analysis.New(), passages) }
	once := func() *Analyzed {
		p := &Analyzed{info: docInfo{parts: late().info.parts}}
		for _, ps := range passages {
			p.docs = append(p.docs, p.document(analysis.New(), ps))
		}
		return p
	}
	if late().docs != nil {
		t.Fatal("the document is not large")
	}
	weights := [store.NumFields]float64{store.Body: 1, store.Code: 2}
	want := slices.Collect(once().Terms(weights))
	if got := slices.Collect(late().Terms(weights)); len(want) != len(passages) || !reflect.DeepEqual(got, want) {
		t.Errorf("%d passages have other terms", len(got))
	}
	for range late().Terms(weights) {
		break // a reader may stop
	}
	var terms []map[string][]store.TermCount
	var infos []docInfo
	for _, p := range []*Analyzed{once(), late(), once(), late()} {
		dir, fresh := t.TempDir(), len(terms) < 2
		if !fresh { // added to an index that is there
			write(t, dir, true, nil, map[int64]page{1: {title: "Old", passages: []string{"old"}}}, []int64{1})
		}
		u, err := Begin(dir, fresh)
		if err == nil && !fresh {
			err = u.Delete(1)
		}
		if err != nil {
			t.Fatal(err)
		}
		p.SetID(7)
		for _, step := range []func() error{func() error { return u.Add(p) }, func() error { return u.Prepare(t.Context()) }, u.Commit} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		infos = append(infos, u.docs[7])
		terms = append(terms, termsOf(t, dir, 1))
	}
	for i := range terms {
		if len(terms[i]) < 20_000 || !reflect.DeepEqual(terms[i], terms[0]) || !reflect.DeepEqual(infos[i], infos[0]) {
			t.Errorf("index %d has %d other terms, or %v and not %v", i, len(terms[i]), infos[i].tokens, infos[0].tokens)
		}
	}
}

// What EachTerm leaves out by the dictionaries' counts alone is what it would leave out
// by the postings: the same of an index of one segment, of several, and of one with
// deleted passages.
func TestEachTermLeavesOut(t *testing.T) {
	t.Parallel()
	pages, order := corpus(40)
	pages[3] = page{title: "solitary", passages: []string{"onlyhere and twice twice", "twofields"}}
	pages[4] = page{title: "twofields", passages: []string{"pod"}}
	one, several := t.TempDir(), t.TempDir()
	write(t, one, true, nil, pages, order)
	write(t, several, true, nil, pages, order[:10])
	write(t, several, false, nil, pages, order[10:25])
	write(t, several, false, nil, pages, order[25:])
	for _, least := range []uint64{1, 2, 3} {
		want := termsOf(t, several, least)
		if got := termsOf(t, one, least); !reflect.DeepEqual(got, want) {
			t.Errorf("least %d: %d terms of one segment, %d of several", least, len(got), len(want))
		}
		if _, there := want["onlyher"]; there != (least == 1) {
			t.Errorf("least %d: a word that stands once is there: %v", least, there)
		}
	}
	write(t, one, false, []int64{4}, nil, nil)
	got := termsOf(t, one, 2)
	if _, there := got["twofield"]; there {
		t.Error("a word of a deleted passage counts")
	}
}
