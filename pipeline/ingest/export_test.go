package ingest

import (
	"context"

	"docent/store"
)

// SetRead has another function read files.
func (in *Ingester) SetRead(read func(file string) ([]byte, error)) { in.read = read }

// OneLine is oneLine.
var OneLine = oneLine

// Train trains the model of a doc set again, settled or not.
func (in *Ingester) Train(ctx context.Context, set store.Set) error { return in.learn(ctx, set, true) }
