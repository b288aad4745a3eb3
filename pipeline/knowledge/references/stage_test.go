package references_test

import (
	"bytes"
	"errors"
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
	write, err := s.Resolve(in)
	if err != nil {
		t.Fatal(err)
	}
	if write == nil {
		return nil
	}
	var graph bytes.Buffer
	if err := write(&graph); err != nil {
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
	if _, err := s.Resolve(in); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	in.Read = func(int64) (ingest.KeptRecord, bool, error) { return ingest.KeptRecord{}, false, nil }
	if write, err := s.Resolve(in); write == nil || err != nil {
		t.Errorf("%v, %v", write != nil, err)
	}
	in.Read = func(int64) (ingest.KeptRecord, bool, error) { return inMemory([]byte{1}), true, nil }
	if _, err := s.Resolve(in); !errors.Is(err, references.ErrDamaged) {
		t.Errorf("%v", err)
	}
}
