package llm

import (
	"context"
	"time"
)

// Clock is the time, so that tests need not wait for it.
type Clock interface {
	Now() time.Time
	// Sleep waits, and returns the context's error if that ends first.
	Sleep(context.Context, time.Duration) error
	// AfterFunc calls f after d, in another goroutine, unless stop is called
	// before.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// SystemClock is the machine's.
type SystemClock struct{}

// Now is time.Now.
func (SystemClock) Now() time.Time { return time.Now() }

// Sleep waits for the time or the context.
func (SystemClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// AfterFunc is time.AfterFunc.
func (SystemClock) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(d, f).Stop
}
