//go:build !linux

package hostiletest

import "time"

// ProcessorTime is how long a function takes: what other processes take of it is not known here.
func ProcessorTime(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}
