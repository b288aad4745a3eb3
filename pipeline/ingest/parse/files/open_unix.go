//go:build unix

package files

import (
	"os"
	"syscall"
)

// readOnly opens without waiting for a process that writes to a named pipe.
const readOnly = os.O_RDONLY | syscall.O_NONBLOCK
