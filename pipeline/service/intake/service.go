// Package intake takes single files in, makes them pages by jobs that survive the process,
// and publishes them as a doc set.
//
// It refuses to keep the rows of files and jobs itself: docent/pipeline/service/inbox does.
package intake

import (
	"docent/pipeline/service/home"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/library"
	"docent/pipeline/service/vectors"
)

// Service works on the files that are handed in to an opened home.
type Service struct {
	home    *home.Home
	inbox   *inbox.Service
	library *library.Service
	vectors *vectors.Service
}

// New makes the service of a home.
func New(h *home.Home, handed *inbox.Service, sets *library.Service, v *vectors.Service) *Service {
	return &Service{home: h, inbox: handed, library: sets, vectors: v}
}
