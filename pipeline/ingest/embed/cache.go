package embed

import (
	"context"

	"docent/store"
)

// Cache keeps the vectors that models made of texts, so that no text is sent to a
// model twice. It is composed of what its users take one by one.
type Cache interface {
	CachedModels
	CachedVectors
	Pruner
}

// CachedModels are the models of a cache.
type CachedModels interface {
	// Model gives a model; the error wraps store.ErrUnknownModel.
	Model(ctx context.Context, id string) (store.CachedModel, error)
	// Forget deletes a model with its vectors.
	Forget(ctx context.Context, id string) error
}

// CachedVectors are the vectors of a cache.
type CachedVectors interface {
	Put(ctx context.Context, m store.CachedModel, entries []store.TextVector) error
	// Get gives a model's vectors of texts; those it has not are left out.
	Get(ctx context.Context, id string, keys []store.TextKey) (map[store.TextKey][]float32, error)
	// Missing gives the keys of which a model has no vector.
	Missing(ctx context.Context, id string, keys []store.TextKey) ([]store.TextKey, error)
}

// Pruner deletes unused vectors.
type Pruner interface {
	Now(ctx context.Context) (store.CacheMark, error)
	// Prune deletes the vectors that were there at a moment and that drop chooses,
	// and gives their number.
	Prune(ctx context.Context, before store.CacheMark, drop func(id string, k store.TextKey) bool) (int, error)
}
