// Package offices lists the formats of office programs and of books: Word, OpenDocument,
// PowerPoint, Excel, RTF and EPUB.
//
// It is apart from formats, which lists all, as that would import too much. It refuses to
// hold a registry.
package offices

import (
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/docx"
	"docent/pipeline/ingest/parse/epub"
	"docent/pipeline/ingest/parse/odt"
	"docent/pipeline/ingest/parse/pptx"
	"docent/pipeline/ingest/parse/rtf"
	"docent/pipeline/ingest/parse/xlsx"
)

// Parsers are the parsers of these formats.
func Parsers() []parse.Parser {
	return []parse.Parser{docx.Parser{}, odt.Parser{}, pptx.Parser{}, xlsx.Parser{}, epub.Parser{}, rtf.Parser{}}
}
