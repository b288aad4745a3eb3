// Package synonyms reads people's own lists of words that mean the same, in the home and in
// the folders of doc sets, and reads them again where they change.
//
// It refuses to widen questions: the search does, with the book that it is given.
package synonyms

import "docent/pipeline/service/home"

// Service reads the lists of an opened home.
type Service struct {
	home  *home.Home
	lists lists
}

// New makes the service of a home.
func New(h *home.Home) *Service { return &Service{home: h} }
