// Package formats lists the formats that this program reads.
//
// It is apart from parse because the parsers import parse. It refuses to hold a
// registry: each caller gets one of its own.
package formats

import (
	"docent/pipeline/parse"
	"docent/pipeline/parse/asciidoc"
	"docent/pipeline/parse/code"
	"docent/pipeline/parse/dita"
	"docent/pipeline/parse/docx"
	"docent/pipeline/parse/epub"
	"docent/pipeline/parse/html"
	"docent/pipeline/parse/json"
	"docent/pipeline/parse/man"
	"docent/pipeline/parse/markdown"
	"docent/pipeline/parse/pdf"
	"docent/pipeline/parse/rst"
	"docent/pipeline/parse/text"
)

// Option changes how formats are read.
type Option func(*options)

type options struct{ pdf pdf.Options }

// PDF says how PDF is read. Without it no program is known that reads it.
func PDF(opt pdf.Options) Option { return func(o *options) { o.pdf = opt } }

// All is a registry of all parsers of this program.
func All(opt ...Option) (*parse.Registry, error) {
	var o options
	for _, set := range opt {
		set(&o)
	}
	r := &parse.Registry{}
	all := []parse.Parser{
		markdown.Parser{},
		text.Parser{},
		html.Parser{},
		json.Parser{},
		asciidoc.Parser{}, // before reStructuredText, whose titles look the same
		rst.Parser{},
		dita.New(),
		man.Parser{},
		pdf.New(o.pdf),
		docx.Parser{},
		epub.Parser{},
		code.Parser{},
		text.Prose{}, // the last: other formats are written in files .txt too
	}
	for _, p := range all {
		if err := r.Register(p); err != nil {
			return nil, err
		}
	}
	return r, nil
}
