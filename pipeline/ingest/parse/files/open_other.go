//go:build !unix

package files

import "os"

// readOnly opens for reading.
const readOnly = os.O_RDONLY
