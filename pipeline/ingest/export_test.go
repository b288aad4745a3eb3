package ingest

import (
	"context"

	"docent/pipeline/ingest/lsa"
	"docent/store"
)

// SetRead has another function read files.
func (in *Ingester) SetRead(read func(file string) ([]byte, error)) { in.read = read }

// OneLine is oneLine.
var OneLine = oneLine

// Train trains the model of a doc set again, settled or not.
func (in *Ingester) Train(ctx context.Context, set store.Set) error {
	return in.learnVectors(ctx, set, true)
}

// ReadBasis decodes the attachment of vectors and compares the model with its
// checksum. The model is nil where the doc set was too small for training.
func ReadBasis(raw []byte) (Learned, *lsa.Model, error) { return readBasis(raw, lsa.Decode) }
