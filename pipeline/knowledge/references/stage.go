package references

import (
	"errors"
	"io"

	"docent/pipeline/ingest"
	"docent/store/doc"
)

// Stage makes reference graphs as the stage of an update.
type Stage struct{ Settings Settings }

var _ ingest.References = Stage{}

// Keep reads a page and brings it into the form in which it is stored.
func (s Stage) Keep(page doc.Document) []byte { return encodeRecord(ReadPage(page, s.Settings)) }

// Resolve finds the records of a doc set's pages, and gives the function that makes the graph
// of them. A previous graph that is damaged or made by other rules counts as missing.
func (s Stage) Resolve(in ingest.ReferenceInput) (func(io.Writer) error, error) {
	rules := s.Settings.RulesName()
	before, err := reusePrevious(in.Previous, rules, in.Generation)
	if err != nil || before.Rules == rules && before.Generation == in.Generation {
		return nil, err
	}
	pages := make([]Kept, 0, len(in.Documents))
	for _, id := range in.Documents {
		at, fresh := in.Kept(id)
		if k, ok := before.Page(id); ok && !fresh {
			pages = append(pages, k)
			continue
		}
		if !fresh {
			var readable bool
			if at, readable, err = in.Read(id); err != nil {
				return nil, err
			}
			if !readable {
				continue
			}
		}
		k, err := openKept(id, at)
		if err != nil {
			return nil, err
		}
		pages = append(pages, k)
	}
	return func(to io.Writer) error {
		return Resolve(to, State{Generation: in.Generation, Rules: rules}, pages, before)
	}, nil
}

func reusePrevious(previous ingest.StoredGraph, rules, generation string) (Before, error) {
	if previous == nil {
		return Before{}, nil
	}
	before, err := ReuseGraph(previous, rules, generation)
	if errors.Is(err, ErrDamaged) {
		return Before{}, nil
	}
	return before, err
}
