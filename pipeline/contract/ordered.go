package contract

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// orderedObject is a JSON object whose keys are written in an order of their own, in place
// of the alphabetical one.
type orderedObject[V any] struct {
	keys []string // those that values lacks are left out, and others follow by name
	of   map[string]V
}

// MarshalJSON writes the object.
func (o orderedObject[V]) MarshalJSON() ([]byte, error) {
	if o.of == nil {
		return []byte("null"), nil
	}
	var out bytes.Buffer
	write := json.NewEncoder(&out)
	write.SetEscapeHTML(false)
	out.WriteByte('{')
	for i, key := range orderedKeys(o.keys, o.of) {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := write.Encode(key); err != nil {
			return nil, err
		}
		out.WriteByte(':')
		if err := write.Encode(o.of[key]); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// marshalPlainly writes JSON without escapes for HTML. The encoder that a MarshalJSON is
// called by adds them where it is asked to.
func marshalPlainly(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return out.Bytes(), err
}

// orderedKeys are the keys of a map: those of a list in its order, then others by name.
func orderedKeys[V any](first []string, of map[string]V) []string {
	out := make([]string, 0, len(of))
	seen := make(map[string]bool, len(of))
	for _, key := range append(slices.Clip(first), slices.Sorted(maps.Keys(of))...) {
		if _, ok := of[key]; ok && !seen[key] {
			seen[key] = true
			out = append(out, key)
		}
	}
	return out
}

// contentKeys are the keys of the contents of documents, in order.
func contentKeys(documents []Extracted) []string {
	keys := make([]string, len(documents))
	for i, d := range documents {
		keys[i] = d.ContentKey()
	}
	return keys
}

// MarshalJSON writes the extraction with its contents in the order of its documents, and
// else in that of the JSON that it was read from.
func (e Extraction) MarshalJSON() ([]byte, error) {
	keys := append(contentKeys(e.Documents), e.order...)
	return marshalPlainly(struct {
		Contents           orderedObject[string] `json:"contents"`
		TotalLineCount     int                   `json:"total_line_count"`
		IndividualCounts   orderedObject[int]    `json:"individual_counts"`
		RequiresProcessing bool                  `json:"requires_processing"`
		Documents          []Extracted           `json:"documents"`
		NotFound           []string              `json:"not_found"`
		Summary            string                `json:"summary"`
		Context            *Context              `json:"context,omitempty"`
	}{orderedObject[string]{keys, e.Contents}, e.TotalLineCount, orderedObject[int]{keys, e.IndividualCounts},
		e.RequiresProcessing, e.Documents, e.NotFound, e.Summary, e.Context})
}

// MarshalJSON writes what phase 3 gives with its contents in the order of its documents.
func (p Processed) MarshalJSON() ([]byte, error) {
	return marshalPlainly(struct {
		Action    string                `json:"action"`
		Contents  orderedObject[string] `json:"contents"`
		LineCount int                   `json:"line_count"`
		Omitted   []Omission            `json:"omitted"`
		Documents []Extracted           `json:"documents"`
		Context   *Context              `json:"context,omitempty"`
	}{p.Action, orderedObject[string]{contentKeys(p.Documents), p.Contents}, p.LineCount, p.Omitted, p.Documents, p.Context})
}
