package child

import (
	"time"

	"golang.org/x/sys/unix"
)

// LimitsMemory reports whether the memory of programs is limited on this system.
const LimitsMemory = true

// setLimits sets the limits of a program that has just started. A program that has already
// ended needs no limits.
func setLimits(pid int, l Limits) (release func()) {
	set := func(resource int, value uint64) {
		_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: value, Max: value}, nil)
	}
	set(unix.RLIMIT_CORE, 0)
	if l.Memory > 0 {
		set(unix.RLIMIT_AS, uint64(l.Memory))
	}
	if l.Time > 0 {
		set(unix.RLIMIT_CPU, uint64(l.Time/time.Second)+1)
	}
	return func() {}
}
