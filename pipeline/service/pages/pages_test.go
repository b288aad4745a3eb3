package pages

import (
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/versioning"
)

// open makes the service of a small home.
func open(c *corpustest.Home) *Service {
	h := &home.Home{Dir: c.Dir, Corpus: c.Corpus}
	places := locate.New(h)
	relations := graph.New(h, places, nil)
	return New(h, places, relations, versioning.New(h, places, relations), nil)
}
