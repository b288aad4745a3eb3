//go:build !unix

package console

import "os"

// hasInput is only known on Unix.
func hasInput(*os.File) bool { return false }
