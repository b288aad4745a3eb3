package durable

import (
	"errors"
	"io/fs"
	"os"
)

// aside ends the name of what Exchange puts aside where the system cannot exchange at once.
const aside = ".aside"

// Exchange swaps two files or folders on one disk: the one at fresh is at path then, and the
// other way round. Where nothing lies at path, fresh is only renamed. Linux does it
// at once. Elsewhere a process that is killed in between leaves nothing at path, until
// Restore.
func Exchange(fresh, path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(fresh, path)
	}
	if exchange(fresh, path) == nil {
		return nil
	}
	if err := os.Rename(path, path+aside); err != nil {
		return err
	}
	if err := os.Rename(fresh, path); err != nil {
		return errors.Join(err, os.Rename(path+aside, path))
	}
	return os.Rename(path+aside, fresh)
}

// Restore brings back what an Exchange that was killed put aside.
func Restore(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return os.RemoveAll(path + aside)
	}
	if err := os.Rename(path+aside, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
