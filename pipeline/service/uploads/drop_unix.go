//go:build unix

package uploads

import (
	"errors"
	"os"

	"docent/store/lock"
)

// dropLocked removes a folder with its lock. The folder goes first, so that no process
// locks a folder that is about to be removed.
func dropLocked(dir string, held *lock.Lock) error {
	return errors.Join(os.RemoveAll(dir), held.Release())
}
