package library

// EnrichState is how far a doc set is enriched.
type EnrichState struct {
	Sections int `json:"sections"` // pages included
	Enriched int `json:"enriched"`
	ByModel  int `json:"by_model"`
	// Cut counts those of which a field was cut, Refusals those about which an answer
	// of a model did not count.
	Cut      int `json:"truncated"`
	Refusals int `json:"with_refused_answers"`
}

// Add takes in the state of another doc set.
func (s *EnrichState) Add(o EnrichState) {
	s.Sections, s.Enriched, s.ByModel = s.Sections+o.Sections, s.Enriched+o.Enriched, s.ByModel+o.ByModel
	s.Cut, s.Refusals = s.Cut+o.Cut, s.Refusals+o.Refusals
}
