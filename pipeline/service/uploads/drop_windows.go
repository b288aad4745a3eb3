package uploads

import (
	"errors"
	"os"

	"docent/store/lock"
)

// dropLocked removes a file, or a folder of an earlier version, with its lock. The lock is
// released first: Windows removes no file that is open. A lock that another process takes in
// between stays for the next sweep.
func dropLocked(file string, held *lock.Lock) error {
	err := errors.Join(os.RemoveAll(file), held.Release())
	_ = os.Remove(file + lockEnding)
	_ = os.RemoveAll(file) // a folder, whose lock was open
	return err
}
