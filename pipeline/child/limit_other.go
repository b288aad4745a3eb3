//go:build !linux

package child

// limit does nothing: memory is limited on Linux alone.
func limit(int, Limits) {}
