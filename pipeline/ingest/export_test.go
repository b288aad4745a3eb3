package ingest

import "docent/store/doc"

// SetRead has another function read files.
func (in *Ingester) SetRead(read func(file string) ([]byte, error)) { in.read = read }

// SetParse has another function parse files.
func (in *Ingester) SetParse(parse func(src []byte, path string, layout doc.Layout) (doc.Document, []doc.Chunk, error)) {
	in.parse = parse
}

// OneLine is oneLine.
var OneLine = oneLine
