package contract

import "slices"

// DefaultDomain is the domain of a doc set that is added without one.
const DefaultDomain = "tech_docs"

// The other domains that a file may have.
const (
	DomainCode    = "code"
	DomainLegal   = "legal"
	DomainMedical = "medical"
)

// DomainMixed is a doc set's domain where its files are of several.
const DomainMixed = "mixed"

// Domains are the domains that a doc set may have.
func Domains() []string { return append(FileDomains(), DomainMixed) }

// FileDomains are the domains that a file may have.
func FileDomains() []string {
	return []string{DomainCode, DefaultDomain, DomainLegal, DomainMedical}
}

// IsFileDomain reports whether a file may have this domain.
func IsFileDomain(name string) bool { return slices.Contains(FileDomains(), name) }
