package store

import (
	"crypto/sha256"
	"errors"
)

// The values of a cache of vectors that models made of texts. It is asked by the
// model's identity and the text's hash.

// TextKey is the SHA-256 of a text as a model reads it.
type TextKey [sha256.Size]byte

// TextVector is the vector of a text.
type TextVector struct {
	Key    TextKey
	Vector []float32
}

// CachedModel is a model whose vectors are kept.
type CachedModel struct {
	ID        string
	Dimension int
	// Probe is the model's vector of a fixed text: it shows whether the server with this
	// ID still has the same model.
	Probe []float32
}

// CacheMark is a moment in a cache's life.
type CacheMark int64

// ErrUnknownModel means that a cache has no vectors of a model.
var ErrUnknownModel = errors.New("no vectors of this model are kept")
