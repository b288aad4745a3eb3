package llm

import (
	"context"
	"time"
)

// Clock tells the time and sets timers. Tests replace it by a fake clock and need
// not wait.
type Clock interface {
	Now() time.Time
	// Sleep waits for the duration. It returns the context's error if the context
	// ends first.
	Sleep(context.Context, time.Duration) error
	// AfterFunc calls f after d, in another goroutine, unless stop is called
	// before.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// SystemClock is the real clock.
type SystemClock struct{}

// Now is time.Now.
func (SystemClock) Now() time.Time { return time.Now() }

// Sleep waits until the duration is over or the context ends.
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
