package references_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/knowledge/references"
)

func inMemory(record []byte) ingest.KeptRecord {
	return ingest.KeptRecord{In: bytes.NewReader(record), Size: len(record)}
}

// stageRun is one update of two pages, and which of them it read for the graph alone.
type stageRun struct {
	pages map[int64]string
	read  []int64
}

func (r *stageRun) resolve(t *testing.T, s references.Stage, generation string, previous []byte, kept map[int64][]byte) []byte {
	t.Helper()
	keep := func(id int64) ingest.KeptRecord {
		d, err := markdown.ParseMarkdown([]byte(r.pages[id]), parse.Options{Path: map[int64]string{1: "a.md", 2: "b.md"}[id]})
		if err != nil {
			t.Fatal(err)
		}
		return inMemory(s.Keep(d))
	}
	in := ingest.ReferenceInput{
		Generation: generation,
		Kept: func(id int64) (ingest.KeptRecord, bool) {
			if _, ok := kept[id]; !ok {
				return ingest.KeptRecord{}, false
			}
			return keep(id), true
		},
		Documents: []int64{1, 2},
		Read: func(id int64) (ingest.KeptRecord, bool, error) {
			r.read = append(r.read, id)
			return keep(id), true, nil
		},
	}
	if previous != nil {
		in.Previous = bytes.NewReader(previous)
	}
	r.read = nil
	made, err := s.Resolve(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if made.Write == nil {
		return nil
	}
	var graph bytes.Buffer
	if err := made.Write(t.Context(), &graph); err != nil {
		t.Fatal(err)
	}
	return graph.Bytes()
}

// A page is read for the graph alone only where neither the update nor the stored graph
// has it, and the graph is the same however its pages came.
func TestStageReadsWhatIsMissing(t *testing.T) {
	t.Parallel()
	s := references.Stage{Settings: references.Defaults()}
	r := &stageRun{pages: map[int64]string{1: "# A\n\nSee [b](b.md).\n", 2: "# B\n\n## Two\n"}}
	first := r.resolve(t, s, "g1", nil, map[int64][]byte{1: nil})
	if len(r.read) != 1 || r.read[0] != 2 {
		t.Errorf("read %v, not the page that the update did not read", r.read)
	}
	if again := r.resolve(t, s, "g1", first, nil); again != nil || r.read != nil {
		t.Errorf("a graph of this generation is made again; read %v", r.read)
	}
	r.pages[1] = "# A\n\nSee [b](b.md#two).\n"
	second := r.resolve(t, s, "g2", first, map[int64][]byte{1: nil})
	if r.read != nil {
		t.Errorf("read %v, which the stored graph has", r.read)
	}
	for name, previous := range map[string][]byte{"missing": nil, "damaged": first[:len(first)-1], "by other rules": r.resolve(t, references.Stage{Settings: references.Settings{Ruleset: references.RulesetLinks}}, "g1", nil, nil)} {
		if whole := r.resolve(t, s, "g2", previous, nil); !bytes.Equal(whole, second) || len(r.read) != 2 {
			t.Errorf("previous graph %s: read %v, same bytes: %v", name, r.read, bytes.Equal(whole, second))
		}
	}
}

// A page that cannot be read now is left out, and an error of reading ends the stage.
func TestStageFailsWithItsPages(t *testing.T) {
	t.Parallel()
	s := references.Stage{Settings: references.Defaults()}
	broken := errors.New("broken")
	in := ingest.ReferenceInput{
		Generation: "g1", Documents: []int64{1},
		Kept: func(int64) (ingest.KeptRecord, bool) { return ingest.KeptRecord{}, false },
		Read: func(int64) (ingest.KeptRecord, bool, error) { return ingest.KeptRecord{}, false, broken },
	}
	if _, err := s.Resolve(t.Context(), in); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	in.Read = func(int64) (ingest.KeptRecord, bool, error) { return ingest.KeptRecord{}, false, nil }
	if made, err := s.Resolve(t.Context(), in); made.Write == nil || err != nil {
		t.Errorf("%v, %v", made.Write != nil, err)
	}
	in.Read = func(int64) (ingest.KeptRecord, bool, error) { return inMemory([]byte{1}), true, nil }
	if _, err := s.Resolve(t.Context(), in); !errors.Is(err, references.ErrDamaged) {
		t.Errorf("%v", err)
	}
}

// An update of a page writes a patch, and the next one a patch of both; where much of the graph changed,
// it writes the graph. Damage of a page's record shows where an update needs it, of any when nothing
// changed.
func TestStageWritesPatches(t *testing.T) {
	t.Parallel()
	const pages = 60
	s := references.Stage{Settings: references.Defaults()}
	text := map[int64]string{}
	var ids []int64
	for id := int64(1); id <= pages; id++ {
		text[id] = fmt.Sprintf("# Page %d\n\n## Wick %d\n\n[next](p%02d.md#wick-%d)\n", id, id, id%pages+1, id%pages+1)
		ids = append(ids, id)
	}
	resolve := func(generation string, graph, patch []byte, kept ...int64) (ingest.ReferenceGraph, error) {
		keep := func(id int64) ingest.KeptRecord {
			d, err := markdown.ParseMarkdown([]byte(text[id]), parse.Options{Path: fmt.Sprintf("p%02d.md", id)})
			if err != nil {
				t.Fatal(err)
			}
			return inMemory(s.Keep(d))
		}
		in := ingest.ReferenceInput{Generation: generation, Documents: ids, PreviousPatch: patch, Patches: true,
			Kept: func(id int64) (ingest.KeptRecord, bool) {
				if slices.Contains(kept, id) {
					return keep(id), true
				}
				return ingest.KeptRecord{}, false
			},
			Read: func(id int64) (ingest.KeptRecord, bool, error) { return keep(id), true, nil }}
		if graph != nil {
			in.Previous = bytes.NewReader(graph)
		}
		return s.Resolve(t.Context(), in)
	}
	write := func(made ingest.ReferenceGraph, err error) []byte {
		t.Helper()
		var out bytes.Buffer
		if err == nil {
			err = made.Write(t.Context(), &out)
		}
		if err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	graph := write(resolve("g1", nil, nil))
	var patch []byte
	for i, id := range []int64{7, 8} {
		text[id] += "\n## Oil\n"
		made, err := resolve(fmt.Sprintf("g%d", i+2), graph, patch, id)
		if err != nil || made.Patch == nil {
			t.Fatalf("an update of one page writes no patch: %v", err)
		}
		patch = made.Patch
	}
	if made, err := resolve("g3", graph, patch); err != nil || made.Write != nil {
		t.Errorf("the graph with its patch is made again: %v", err)
	}
	whole := write(resolve("g3", nil, nil))
	made, err := resolve("g3", graph, patch[:len(patch)-1], 7, 8) // as if it were missing
	if err != nil || !bytes.Equal(write(made, err), write(resolve("g3", nil, nil))) {
		t.Errorf("with a patch that is cut off the graph is another one: %v", err)
	}
	all := []int64{}
	for id := int64(9); id <= 40; id++ {
		text[id] += "\n## Oil\n"
		all = append(all, id)
	}
	made, err = resolve("g4", graph, patch, all...)
	if err != nil || made.Patch != nil || !bytes.Equal(write(made, err), write(resolve("g4", nil, nil))) {
		t.Errorf("an update of half of the pages: patch %v, %v", made.Patch != nil, err)
	}
	// The record of the first page, which is packed, lies behind the line of the format.
	bad := bytes.Clone(whole)
	bad[40] ^= 0x20
	if made, err = resolve("g4", bad, nil, 1); err == nil && made.Patch == nil {
		err = made.Write(t.Context(), io.Discard)
	}
	text[1] += "\n## Other\n"
	if _, other := resolve("g4", bad, nil, 1); !errors.Is(other, ingest.ErrPreviousGraph) {
		t.Errorf("with a damaged record that is needed: %v", other)
	}
	if err != nil {
		t.Errorf("with a damaged record that is not needed: %v", err)
	}
	if made, err := resolve("g3", bad, nil); err != nil || made.Write == nil {
		t.Errorf("a damaged graph is the right one: %v", err)
	}
}

// ctrl+c ends the making of a graph behind the page that is made, however many pages there are.
func TestMakingAGraphIsBrokenOff(t *testing.T) {
	t.Parallel()
	s := references.Stage{Settings: references.Defaults()}
	const pages = 5_000
	ids := make([]int64, pages)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	in := ingest.ReferenceInput{Generation: "g1", Documents: ids,
		Kept: func(int64) (ingest.KeptRecord, bool) { return ingest.KeptRecord{}, false },
		Read: func(id int64) (ingest.KeptRecord, bool, error) {
			d, err := markdown.ParseMarkdown([]byte("# Lamp\n\n[1](p1.md)\n"), parse.Options{Path: fmt.Sprintf("p%d.md", id)})
			return inMemory(s.Keep(d)), true, err
		}}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	made, err := s.Resolve(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	if err := made.Write(ctx, endingWriter{end}); !errors.Is(err, context.Canceled) {
		t.Errorf("a graph of %d pages that is broken off: %v", pages, err)
	}
	if _, err := s.Resolve(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("a graph that is broken off before its pages are read: %v", err)
	}
}

// endingWriter ends a context at the first write.
type endingWriter struct{ end context.CancelFunc }

func (w endingWriter) Write(b []byte) (int, error) {
	w.end()
	return len(b), nil
}
