//go:build unix && !linux

package child

import "syscall"

// diesWithUs does nothing: there is no such thing here. The program ends when it has read
// its file, or when it writes to the pipe that nobody reads.
func diesWithUs(*syscall.SysProcAttr) {}
