package references

import (
	"errors"

	"docent/pipeline/ingest"
	"docent/store/doc"
)

// Stage makes reference graphs as the stage of an update.
type Stage struct{ Settings Settings }

var _ ingest.References = Stage{}

// Keep reads a page and brings it into the form in which it is stored.
func (s Stage) Keep(page doc.Document) []byte {
	k := KeepPage(ReadPage(page, s.Settings))
	w := &writer{b: make([]byte, 0, len(k.page)+len(k.found)+len(k.details)+len(k.face)+16)}
	w.writeBytes(k.page)
	w.writeBytes(k.found)
	w.writeBytes(k.details)
	w.writeString(k.face)
	return w.b
}

// openKept reads what Keep wrote.
func openKept(document int64, raw []byte) (Kept, error) {
	r := &parser{b: raw}
	k := Kept{Document: document, page: r.readBytes(), found: r.readBytes(), details: r.readBytes(), face: r.readString()}
	if r.bad {
		return k, ErrDamaged
	}
	return k, nil
}

// Resolve makes the graph of a doc set. A previous graph that is damaged or made by other
// rules counts as missing.
func (s Stage) Resolve(in ingest.ReferenceInput) ([]byte, error) {
	rules := s.Settings.RulesName()
	before, err := ReuseGraph(in.Previous, rules)
	if errors.Is(err, ErrDamaged) {
		before, err = Before{}, nil
	}
	if err != nil || before.Pages != nil && before.Generation == in.Generation {
		return nil, err
	}
	documents, err := in.Documents()
	if err != nil {
		return nil, err
	}
	pages := make([]Kept, 0, len(documents))
	for _, id := range documents {
		raw, fresh := in.Kept[id]
		if k, ok := before.Pages[id]; ok && !fresh {
			pages = append(pages, k)
			continue
		}
		if !fresh {
			if raw, err = in.Read(id); err != nil {
				return nil, err
			}
		}
		if raw == nil {
			continue
		}
		k, err := openKept(id, raw)
		if err != nil {
			return nil, err
		}
		pages = append(pages, k)
	}
	return Resolve(State{Generation: in.Generation, Rules: rules}, pages, before)
}
