//go:build unix

package uploads

import (
	"errors"
	"os"

	"docent/store/lock"
)

// dropLocked removes a folder with its lock. The folder goes first, so that nobody locks
// one that is about to go.
func dropLocked(dir string, held *lock.Lock) error {
	return errors.Join(os.RemoveAll(dir), held.Release())
}
