package ingest

import (
	"docent/pipeline/chunk"
	"docent/pipeline/parse/markdown"
	"docent/pipeline/parse/text"
	"docent/store/doc"
)

// Parse reads one page: the document and its chunks.
func Parse(src []byte, path string, layout doc.Layout) (doc.Document, []doc.Chunk, error) {
	if layout == doc.LayoutText {
		d := text.Parse(src, path)
		return d, chunk.Split(d, chunk.Options{}), nil
	}
	d, err := markdown.Parse(src, markdown.Options{
		Path: path, FallbackTitle: Title(path, layout), Titled: layout == doc.LayoutTitled,
	})
	if err != nil {
		return d, nil, err
	}
	return d, chunk.Split(d, chunk.Options{}), nil
}
