// Package manuals lists the formats in which the manuals of programs are written: DITA,
// DocBook, Texinfo, manual pages, POD, Org, the pages of wikis, and the catalogs that translate
// pages.
//
// It is apart from formats, which lists all, as that would import too much. It refuses to
// hold a registry.
package manuals

import (
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/dita"
	"docent/pipeline/ingest/parse/docbook"
	"docent/pipeline/ingest/parse/man"
	"docent/pipeline/ingest/parse/mediawiki"
	"docent/pipeline/ingest/parse/org"
	"docent/pipeline/ingest/parse/po"
	"docent/pipeline/ingest/parse/pod"
	"docent/pipeline/ingest/parse/texinfo"
)

// Parsers are the parsers of these formats, in the order in which they are asked.
func Parsers() []parse.Parser {
	return []parse.Parser{dita.New(), docbook.Parser{}, man.Parser{}, texinfo.Parser{}, texinfo.Info{}, pod.Parser{}, mediawiki.Parser{},
		org.Parser{}, po.Parser{}}
}
