// Package formats lists the formats that this program reads.
//
// It is apart from parse because the parsers import parse. It refuses to hold a
// registry: each caller gets one of its own.
package formats

import (
	"slices"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/asciidoc"
	"docent/pipeline/ingest/parse/code"
	"docent/pipeline/ingest/parse/formats/manuals"
	"docent/pipeline/ingest/parse/formats/offices"
	"docent/pipeline/ingest/parse/html"
	"docent/pipeline/ingest/parse/json"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/ingest/parse/notebook"
	"docent/pipeline/ingest/parse/pdf"
	"docent/pipeline/ingest/parse/rst"
	"docent/pipeline/ingest/parse/settings"
	"docent/pipeline/ingest/parse/text"
)

// Option changes how formats are read.
type Option func(*options)

type options struct{ pdf pdf.Options }

// WithPDF says how PDF is read. Without it no program is known that reads it.
func WithPDF(opt pdf.Options) Option { return func(o *options) { o.pdf = opt } }

// AllParsers is a registry of all parsers of this program.
func AllParsers(opt ...Option) (*parse.Registry, error) {
	var o options
	for _, set := range opt {
		set(&o)
	}
	r := &parse.Registry{}
	all := slices.Concat([]parse.Parser{
		markdown.Parser{},
		text.Parser{},
		html.Parser{},
		json.Parser{},
		settings.Parser{},
		notebook.Parser{},
		asciidoc.Parser{}, // before reStructuredText, whose titles look the same
		rst.Parser{},
	}, manuals.Parsers(), offices.Parsers(), []parse.Parser{
		pdf.New(o.pdf),
		code.Parser{},
		text.Prose{}, // the last: other formats are written in files .txt too
	})
	for _, p := range all {
		if err := r.Register(p); err != nil {
			return nil, err
		}
	}
	return r, nil
}
