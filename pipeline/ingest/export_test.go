package ingest

// SetRead has another function read files.
func (in *Ingester) SetRead(read func(file string) ([]byte, error)) { in.read = read }

// OneLine is oneLine.
var OneLine = oneLine
