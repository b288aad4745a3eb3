// Package inbox is the opened store of the files that are handed in one by one: their rows
// and jobs, restored from the records next to the files where a catalog was lost.
//
// It refuses to work on them: docent/pipeline/service/intake does.
package inbox

import "docent/pipeline/service/home"

// Service opens the store of uploads of an opened home when it is first asked for.
type Service struct {
	home    *home.Home
	uploads uploadsOpened
}

// New makes the service of a home.
func New(h *home.Home) *Service { return &Service{home: h} }

// Close closes the store.
func (svc *Service) Close() error { return svc.uploads.close() }
