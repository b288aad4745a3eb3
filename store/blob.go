package store

import (
	"context"
	"errors"
	"time"
)

// Errors of Blobs.Get. The owner of the blob can make it again in both cases.
var (
	ErrNoBlob      = errors.New("there is no such blob")
	ErrBlobDamaged = errors.New("the blob is damaged")
)

// Blobs keeps bytes under keys: 64 hexadecimal digits, a hash of what the bytes
// were made from. It is safe for concurrent use, by several processes too.
type Blobs interface {
	// Get gives the bytes of a key as they were put. The error wraps ErrNoBlob, or
	// ErrBlobDamaged where they are no longer those.
	Get(ctx context.Context, key string) ([]byte, error)
	// Put keeps bytes, which may come in parts, durably and replaces those of the same
	// key.
	Put(ctx context.Context, key string, parts ...[]byte) error
	// Sweep removes the blobs whose keys are not wanted and that are older than spare,
	// and says how many.
	Sweep(ctx context.Context, spare time.Duration, wanted func(key string) bool) (removed int, err error)
}
