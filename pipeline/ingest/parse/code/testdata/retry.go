// Copyright 2026 The Lantern Authors. All rights reserved.

// Package retry tries again what failed.
//
// A try is made
//
//	err := retry.Do(ctx, light)
//
// and waits between tries:
//   - at first Base
//   - then twice as long
package retry

import (
	"context"
	"time"
)

// Kinds of waits.
const (
	// Fixed waits as long each time.
	Fixed Kind = iota
	Doubled
)

// Kind is a kind of wait.
type Kind int

type (
	// Backoff says how long to wait.
	// See [Backoff.Next].
	Backoff struct {
		Base time.Duration // of the first wait
		Most int
	}
	list[T any] struct{ next *list[T] }
)

//go:embed x.txt
var text string

// Next is the wait before a try. It returns 0 after Most tries.
//
// # Errors
//
// There are none.
func (b *Backoff) Next(try int) time.Duration {
	if try > b.Most { // } not the end
		return 0
	}
	return b.Base << try
}

func (l *list[T]) len() int { return 1 }

func Do(ctx context.Context, f func() error) error { return f() }
