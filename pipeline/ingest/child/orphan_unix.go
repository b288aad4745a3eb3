//go:build unix && !linux

package child

import "syscall"

// diesWithUs does nothing: this system has no such signal. The program ends when it has
// read its file, or when it writes to the closed pipe.
func diesWithUs(*syscall.SysProcAttr) {}
