package uploads

import (
	"os"

	"docent/store/lock"
)

// dropLocked removes a folder with its lock. The lock is released first: Windows removes
// no file that is open. A folder that somebody locks in between stays for the next sweep.
func dropLocked(dir string, held *lock.Lock) error {
	if err := held.Release(); err != nil {
		return err
	}
	_ = os.RemoveAll(dir)
	return nil
}
