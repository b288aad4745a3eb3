// Package formats lists the formats that this program reads.
//
// It is apart from parse because the parsers import parse. It refuses to hold a
// registry: each caller gets one of its own.
package formats

import (
	"docent/pipeline/parse"
	"docent/pipeline/parse/dita"
	"docent/pipeline/parse/html"
	"docent/pipeline/parse/json"
	"docent/pipeline/parse/man"
	"docent/pipeline/parse/markdown"
	"docent/pipeline/parse/rst"
	"docent/pipeline/parse/text"
)

// All is a registry of all parsers of this program.
func All() (*parse.Registry, error) {
	r := &parse.Registry{}
	all := []parse.Parser{
		markdown.Parser{},
		text.Parser{},
		html.Parser{},
		json.Parser{},
		rst.Parser{},
		dita.New(),
		man.Parser{},
		text.Prose{}, // the last: other formats are written in files .txt too
	}
	for _, p := range all {
		if err := r.Register(p); err != nil {
			return nil, err
		}
	}
	return r, nil
}
