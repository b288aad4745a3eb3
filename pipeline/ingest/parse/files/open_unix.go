//go:build unix

package files

import (
	"os"
	"syscall"
)

// readOnly opens without waiting for whoever writes to a named pipe.
const readOnly = os.O_RDONLY | syscall.O_NONBLOCK
