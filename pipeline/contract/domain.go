package contract

// DefaultDomain is the domain of a doc set that is added without one.
const DefaultDomain = "tech_docs"

// DomainMixed is a doc set's domain where its files are of several.
const DomainMixed = "mixed"

// Domains are the domains that a doc set may have.
func Domains() []string { return []string{"code", DefaultDomain, "legal", "medical", DomainMixed} }
