// Package locate finds the doc set, page and section that a person names: by path, title,
// heading or anchor, with the names that are near to a wrong one.
//
// It refuses to give texts: pages does, and what knows a page by its name takes it from
// here.
package locate

import "docent/pipeline/service/home"

// Service finds pages and sections of an opened home.
type Service struct{ home *home.Home }

// New makes the service of a home.
func New(h *home.Home) *Service { return &Service{home: h} }
