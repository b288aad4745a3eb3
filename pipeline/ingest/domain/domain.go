// Package domain decides which domain each file of a doc set has, and what follows from
// that: how the file is cut into passages, and the names of its index and its embedding
// profile.
//
// The rules are [repository] of a docent.toml: the doc set's own, at its root, and the
// home's for what that does not say. Of several rules for one file the first holds:
//
//  1. a path override that is the file's path
//  2. the path override with the more specific glob: more folders and names without a
//     wildcard, then more characters without one
//  3. of equally specific globs the deeper one
//  4. the file's ending, in a doc set of the domain mixed
//  5. default_domain of the configuration
//  6. the doc set's domain
//
// In a doc set of the domain code the files of other formats are tech_docs.
//
// The package refuses to read the files that it decides about: a decision depends on the
// path alone, so that it is the same before and after a file is read.
//
// Terms. A slice type says what kind of text of its domain a document is. A route is a
// name under which the configuration gives an index and an embedding profile.
package domain

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"docent/pipeline/contract"
)

// Repository is [repository] of a docent.toml; what it does not say is empty.
type Repository struct {
	Domain    string            // of the doc set
	Default   string            // of the files of a mixed doc set that no other rule decides
	Overrides map[string]string // a domain by path or glob
}

// Set is the description of a doc set, apart from its docent.toml.
type Set struct {
	Domain string
	// Given says that a person gave the domain with the doc set: it counts before the
	// one in the doc set's docent.toml.
	Given bool
}

// The reasons of decisions, in addition to path_override:GLOB and extension:.ENDING.
const (
	reasonDefaultDomain = "default_domain"
	reasonRepository    = "repository.domain"
	reasonDefault       = "default" // no rule says anything
)

// Decision is a file's domain and the rule that decided.
type Decision struct {
	Domain   string
	Reason   string
	Override string // the path override, "" where none decided
}

// Rules decide the domains of the files of one doc set. They do not change and are safe
// for concurrent use.
type Rules struct {
	domain, reason string // of the doc set
	fallback       string // default_domain, "" if unset
	exact          map[string]string
	globs          []glob            // the first that matches decides
	endings        map[string]string // an ending's domain
}

// New makes the rules of a doc set: own is its docent.toml, home the home's, which counts
// where own says nothing. endings are the domains of files by their endings, with the dot.
func New(set Set, own, home Repository, endings map[string]string) *Rules {
	r := &Rules{domain: set.Domain, reason: reasonRepository, exact: map[string]string{}, endings: endings}
	if own.Domain != "" && !set.Given {
		r.domain = own.Domain
	}
	if r.domain == "" || r.domain == contract.DefaultDomain && !set.Given && cmp.Or(own.Domain, home.Domain) == "" {
		r.domain, r.reason = contract.DefaultDomain, reasonDefault
	}
	r.fallback = cmp.Or(own.Default, home.Default)
	overrides := own.Overrides
	if overrides == nil {
		overrides = home.Overrides
	}
	for pattern, d := range overrides {
		r.exact[pattern] = d
		r.globs = append(r.globs, newGlob(pattern, d))
	}
	slices.SortFunc(r.globs, compareGlobs)
	return r
}

// Domain is the doc set's domain.
func (r *Rules) Domain() string {
	if r == nil {
		return contract.DefaultDomain
	}
	return r.domain
}

// Decide gives the domain of a file by its path inside the doc set, with slashes. Without
// rules all files are tech_docs.
func (r *Rules) Decide(file string) Decision {
	if r == nil {
		return Decision{Domain: contract.DefaultDomain, Reason: reasonDefault}
	}
	if d, ok := r.exact[file]; ok {
		return Decision{Domain: d, Reason: "path_override:" + file, Override: file}
	}
	for _, g := range r.globs {
		if g.matches(file) {
			return Decision{Domain: g.domain, Reason: "path_override:" + g.pattern, Override: g.pattern}
		}
	}
	ending := strings.ToLower(path.Ext(file))
	known, ok := r.endings[ending]
	switch {
	case r.domain == contract.DomainCode && known != contract.DomainCode:
		return Decision{Domain: contract.DefaultDomain, Reason: "extension:" + ending}
	case r.domain != contract.DomainMixed:
		return Decision{Domain: r.domain, Reason: r.reason}
	case ok:
		return Decision{Domain: known, Reason: "extension:" + ending}
	case r.fallback != "":
		return Decision{Domain: r.fallback, Reason: reasonDefaultDomain}
	}
	return Decision{Domain: contract.DefaultDomain, Reason: reasonDefault}
}
