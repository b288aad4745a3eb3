// Package weaviate keeps indexes of words and vectors in a Weaviate: on one server or a
// cluster, for one program or several. It implements store.Index and store.Vectors.
//
// The engine finds candidates; exact scores and the order come from the same code as those of
// the embedded index. Text is analysed here and sent as tokens. A home has three collections:
//
//   - Words has one object for each passage: its terms, each as often as its weight, for the
//     engine's BM25, and the exact frequencies and lengths of all fields, which the engine
//     only keeps.
//   - Vectors has one object for each vector, with its code (package cosine).
//   - Records has what a reader must know of a generation before it asks: which documents are
//     in it, the terms with their numbers of passages, the model of the vectors.
//
// Words and Vectors are multi-tenant: each doc set has a tenant, and a new one for each
// generation that begins from nothing. A generation is a record that names the tenant, and
// the documents in it with the number of the change that brought each. One write of that
// record publishes a generation: objects that no generation names are invisible. Readers keep
// the generation that they opened; what goes is deleted after a while.
//
// It refuses to keep texts, paths or titles, and to trust the engine's scores.
package weaviate

import (
	"errors"
	"fmt"
	"time"

	"docent/store"
	"docent/store/weaviate/transport"
)

// grace is how long what goes stays readable for readers of earlier generations.
const grace = 10 * time.Minute

// Errors that the wiring tells apart.
var (
	// ErrRefused means that the server takes no request without another key.
	ErrRefused = transport.ErrRefused
	// ErrOtherHome means that the collections belong to another home.
	ErrOtherHome = errors.New("the collections belong to another home")
)

// isDamaged reports whether an error is damagedError's.
func isDamaged(err error) bool {
	return errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrVectorsDamaged)
}

// damagedError says that something which a generation names is not there or not as written.
func damagedError(of kind, format string, args ...any) error {
	base := store.ErrDamaged
	if of != words {
		base = store.ErrVectorsDamaged
	}
	return fmt.Errorf("%w: %w", fmt.Errorf(format, args...), base)
}
