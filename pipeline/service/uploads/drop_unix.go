//go:build unix

package uploads

import (
	"errors"
	"os"

	"docent/store/lock"
)

// dropLocked removes a file, or a folder of an earlier version, with its lock. The lock goes
// while it is held, so that no process takes one that is about to be removed.
func dropLocked(file string, held *lock.Lock) error {
	err := os.RemoveAll(file)
	if rerr := os.Remove(file + lockEnding); !errors.Is(rerr, os.ErrNotExist) {
		err = errors.Join(err, rerr)
	}
	return errors.Join(err, held.Release())
}
