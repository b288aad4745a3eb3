package references_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"docent/pipeline/ingest"
	"docent/pipeline/knowledge/references"
)

// A graph of the format before is taken over without its pages being read, and written again with the
// bytes that a graph of the same pages has. The file was written by the rules of version 15; it goes with
// graphfile.ConvertOlder when these are raised, since then pages are read again anyway.
func TestGraphOfTheFormatBefore(t *testing.T) {
	t.Parallel()
	older, err := os.ReadFile("testdata/graph4")
	if err != nil {
		t.Fatal(err)
	}
	s := set{}
	for _, name := range []string{"a.md", "b.md", "sub/c.md"} {
		text, err := os.ReadFile("testdata/pages/" + name)
		if err != nil {
			t.Fatal(err)
		}
		s[name] = string(text)
	}
	documents := []int64{47, 48, 49}
	update := func(previous []byte) (made ingest.ReferenceGraph, read int) {
		in := ingest.ReferenceInput{
			Generation: "g000001", Documents: documents, Previous: bytes.NewReader(previous), Patches: true,
			Kept: func(int64) (ingest.KeptRecord, bool) { return ingest.KeptRecord{}, false },
			Read: func(int64) (ingest.KeptRecord, bool, error) { read++; return ingest.KeptRecord{}, false, nil },
		}
		made, err := references.Stage{Settings: references.Defaults()}.Resolve(in)
		if err != nil {
			t.Fatal(err)
		}
		return made, read
	}
	made, read := update(older)
	if made.Write == nil || made.Patch != nil || !made.Again || read != 0 {
		t.Fatalf("written %v, as a patch %v, again %v, %d pages read", made.Write != nil, made.Patch != nil, made.Again, read)
	}
	var got bytes.Buffer
	if err := made.Write(&got); err != nil {
		t.Fatal(err)
	}
	kept := s.kept(t, references.Defaults())
	for i := range kept {
		kept[i].Document = documents[i]
	}
	state := references.State{Generation: "g000001", Rules: references.Defaults().RulesName()}
	want, err := resolve(state, kept, references.Before{})
	if err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the graph is not that of its pages: %v", err)
	}
	read4, err := references.OpenGraph(lamps, older, nil)
	if err != nil {
		t.Fatal(err)
	}
	read5, err := references.OpenGraph(lamps, want, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := edges(t, read4), edges(t, read5); a != b || a == "" {
		t.Errorf("before it is written again it has the edges\n%s\nwant\n%s", a, b)
	}
	if made, read := update(got.Bytes()); made.Write != nil || read != 0 {
		t.Errorf("the graph is written once more; %d pages read", read)
	}
	for i := range older {
		bad := bytes.Clone(older)
		bad[i] ^= 0x20
		made, read := update(bad)
		if made.Again {
			if err := made.Write(io.Discard); !errors.Is(err, ingest.ErrPreviousGraph) {
				t.Errorf("with byte %d another, it is %v", i, err)
			}
		} else if read != len(documents) {
			t.Errorf("with byte %d another, %d pages are read", i, read)
		}
	}
	for n := range older {
		if made, _ := update(older[:n]); made.Again {
			if err := made.Write(io.Discard); err == nil {
				t.Errorf("%d bytes of %d are taken", n, len(older))
			}
		}
	}
}
