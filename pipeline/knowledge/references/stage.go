package references

import (
	"context"
	"errors"
	"fmt"
	"io"

	"docent/pipeline/ingest"
	"docent/store/doc"
)

// Stage makes reference graphs as the stage of an update.
type Stage struct{ Settings Settings }

var _ ingest.References = Stage{}

// Keep reads a page and brings it into the form in which it is stored.
func (s Stage) Keep(page doc.Document) []byte { return encodeRecord(ReadPage(page, s.Settings)) }

// largestPatch is the share of the graph's size that a patch may have.
const largestPatch = 8

// Resolve finds the records of a doc set's pages, and gives what makes the graph of them. A previous
// graph that is damaged or made by other rules counts as missing.
func (s Stage) Resolve(ctx context.Context, in ingest.ReferenceInput) (made ingest.ReferenceGraph, err error) {
	rules := s.Settings.RulesName()
	before, err := reusePrevious(in, rules)
	if err != nil || before.Rules == rules && before.Generation == in.Generation {
		return made, err
	}
	pages := make([]Kept, 0, len(in.Documents))
	for _, id := range in.Documents {
		if err := ctx.Err(); err != nil {
			return made, err
		}
		at, fresh := in.Kept(id)
		if k, ok := before.Page(id); ok && !fresh {
			pages = append(pages, k)
			continue
		}
		if !fresh {
			var readable bool
			if at, readable, err = in.Read(id); err != nil {
				return made, err
			}
			if !readable {
				continue
			}
		}
		k, err := openKept(id, at)
		if err != nil {
			return made, err
		}
		pages = append(pages, k)
	}
	next, err := NewNext(ctx, State{Generation: in.Generation, Rules: rules}, pages, before)
	if err != nil {
		return made, previousError(err)
	}
	made.Write = func(ctx context.Context, to io.Writer) error { return previousError(next.Write(ctx, to)) }
	if in.Patches && before.file != nil {
		made.Patch, err = next.Patch(ctx, in.Previous.Size()/largestPatch)
	}
	return made, previousError(err)
}

// previousError says of an error that the graph before is damaged.
func previousError(err error) error {
	if errors.Is(err, ErrDamaged) {
		return fmt.Errorf("%w: %w", ingest.ErrPreviousGraph, err)
	}
	return err
}

func reusePrevious(in ingest.ReferenceInput, rules string) (Before, error) {
	if in.Previous == nil {
		return Before{}, nil
	}
	before, err := ReuseGraph(in.Previous, in.PreviousPatch, rules, in.Generation)
	if errors.Is(err, ErrDamaged) {
		return Before{}, nil
	}
	return before, err
}
