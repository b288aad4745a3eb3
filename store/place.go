package store

import (
	"context"
	"time"
)

// Place is where a store is kept, whether the store is open or not: in a file, or in a
// database of a server.
type Place interface {
	// Name says where it is, for people.
	Name() string
	// Identify returns the identity of the current store. A store that is made again or
	// restored is another one. The error wraps fs.ErrNotExist if it is missing.
	Identify(ctx context.Context) (Identity, error)
	// PutAside takes a damaged store out of the way, so that another can be made, and
	// names where it is kept from then on. A store that is missing is no error.
	PutAside(ctx context.Context) (aside string, err error)
}

// Identity identifies one store among those that a place holds one after the other.
type Identity interface {
	// Same reports whether other identifies the same store.
	Same(other Identity) bool
}

// Held is an exclusive right that this process has until it releases it, or ends.
type Held interface {
	// Check is why this process does not have the right any more, such as a connection to a server that
	// was lost; nil: it has it. Whoever holds a right for long asks this before it publishes.
	Check(ctx context.Context) error
	Release() error
}

// Exclusion gives one process at a time the right to change a store.
type Exclusion interface {
	// Lock takes the right and waits up to wait for it. purpose is shown to others that
	// want it; waiting, where not nil, is called once when another process holds it. The
	// error is a *lock.LockedError where that does not release it in time.
	Lock(ctx context.Context, purpose string, wait time.Duration, waiting func(holder string)) (Held, error)
	// Lockable is why the right cannot be taken at all, such as a disk that is
	// read-only; nil: it can.
	Lockable(ctx context.Context) error
}

// DamageNote keeps from one process to the next that damage of a store was met, because
// looking a whole store through at every start takes too long.
type DamageNote interface {
	NoteDamage(ctx context.Context) error
	DamageNoted(ctx context.Context) bool
	// ForgetDamage drops the note. The error wraps fs.ErrNotExist if it is missing.
	ForgetDamage(ctx context.Context) error
}

// SetWork is a kind of work on a doc set that one process at a time does, by a word of
// letters. A feature may have one of its own.
type SetWork string

// The kinds of work on what a doc set cannot be without.
const (
	Updating  SetWork = "update"
	Embedding SetWork = "embed" // two processes would make the same vectors twice
)

// SetRecord is a small record of a doc set, next to its derived data.
type SetRecord string

// The records.
const (
	WeightRecord SetRecord = "weight" // the measured weight of the doc set's vectors by a model
	LagRecord    SetRecord = "lag"    // how late its last followed update was
)
