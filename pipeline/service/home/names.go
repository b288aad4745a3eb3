package home

import (
	"cmp"
	"context"
	"slices"

	"docent/pipeline/ingest"
	"docent/pipeline/knowledge/references"
	"docent/store"
	"docent/store/doc"
)

// Canonical gives doc sets' canonical names; an unknown one is INVALID_REQUEST.
func (h *Home) Canonical(ctx context.Context, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	sets, err := h.Corpus.Resolve(ctx, names)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(sets))
	for i, s := range sets {
		out[i] = s.Ref.String()
	}
	return out, nil
}

// ResolveOrAll is the doc sets named, or all.
func (h *Home) ResolveOrAll(ctx context.Context, names []string) ([]store.Set, error) {
	if len(names) == 0 {
		return h.Corpus.Sets(ctx)
	}
	return h.Corpus.Resolve(ctx, names)
}

// ScanFiles lists the files of a doc set.
func (h *Home) ScanFiles(ctx context.Context, s store.Set) (ingest.Scanned, error) {
	if err := h.Shared.Fill(ctx, s); err != nil {
		return ingest.Scanned{}, err
	}
	rules, _ := h.Settings.Domains.RulesOf(s, h.Parsers) // an update tells of the faults
	return ingest.ScanPages(ctx, s.Root, s.Layout, h.Parsers, rules)
}

// DomainOf is the domain of a doc set, which its docent.toml may give.
func (h *Home) DomainOf(s store.Set) string {
	rules, _ := h.Settings.Domains.RulesOf(s, h.Parsers)
	return rules.Domain()
}

// ReferenceSettings are the settings of reference graphs.
func (h *Home) ReferenceSettings() references.Settings {
	if h.Settings.References == (references.Settings{}) {
		return references.Defaults()
	}
	return h.Settings.References
}

// NewestFirst are doc sets in their order, the newest of several versions first: an old
// version is seldom wanted.
func NewestFirst(sets []store.Set) []store.Set {
	out := slices.Clone(sets)
	slices.SortStableFunc(out, func(a, b store.Set) int {
		return cmp.Or(cmp.Compare(a.Ref.Name, b.Ref.Name), doc.CompareVersions(b.Ref.Version, a.Ref.Version))
	})
	return out
}
