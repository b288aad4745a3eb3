package hostiletest

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// ProcessorTime is how long a function keeps a processor busy that starts no goroutine. Other processes
// and other tests take nothing of it, so a limit holds on a busy machine too.
func ProcessorTime(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime()
	f()
	return threadTime() - before
}

// threadTime is the processor time of the thread since it began.
func threadTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
