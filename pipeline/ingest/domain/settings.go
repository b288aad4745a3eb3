package domain

import (
	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse"
	"docent/store"
)

// Settings are the home's configuration of domains.
type Settings struct {
	Repository Repository // [repository]
	Routing    Routing
}

// RulesOf makes the rules of a doc set of the catalog. The faults are those of the docent.toml
// at its root.
func (s Settings) RulesOf(set store.Set, parsers *parse.Registry) (*Rules, []Fault) {
	own, faults := LoadRepository(set.Root)
	return New(Set{Domain: set.Domain, Given: set.DomainGiven}, own, s.Repository, parsers.Endings(contract.DefaultDomain)), faults
}
