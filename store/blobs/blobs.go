// Package blobs is the embedded store.Blobs: one file for each key, in folders by
// the key's first two digits.
//
// A file is the SHA-256 of the bytes and then the bytes: damage is found when they
// are read. Files are replaced atomically and written durably. Blobs are derived:
// the folder may be removed at any time.
//
// It refuses to know what the bytes are.
package blobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"docent/store"
	"docent/store/durable"
)

// keyLength is the length of a key: SHA-256 in hexadecimal digits.
const keyLength = 2 * sha256.Size

// abandoned is the age from which a temporary file belongs to no writer any more.
const abandoned = time.Hour

// Store keeps blobs in a folder.
type Store struct{ dir string }

var _ store.Blobs = (*Store)(nil)

// OpenStore gives the blobs of a folder. The folder is made by the first Put.
func OpenStore(dir string) *Store { return &Store{dir: dir} }

func (s *Store) blobPath(key string) (string, error) {
	if len(key) != keyLength || strings.Trim(key, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%q is no key of a blob: it must be %d hexadecimal digits", key, keyLength)
	}
	return filepath.Join(s.dir, key[:2], key[2:]), nil
}

// Get is store.Blobs'.
func (s *Store) Get(ctx context.Context, key string) ([]byte, error) {
	path, err := s.blobPath(key)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("read blob %s: %w", path, store.ErrNoBlob)
	case err != nil:
		return nil, fmt.Errorf("read blob: %w", err)
	case len(raw) < sha256.Size:
		return nil, fmt.Errorf("read blob %s: %w", path, store.ErrBlobDamaged)
	}
	data := raw[sha256.Size:]
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], raw[:sha256.Size]) {
		return nil, fmt.Errorf("read blob %s: %w", path, store.ErrBlobDamaged)
	}
	return data, nil
}

// Put is store.Blobs'.
func (s *Store) Put(ctx context.Context, key string, parts ...[]byte) error {
	path, err := s.blobPath(key)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("keep a blob: %w", err)
	}
	sum := sha256.New()
	for _, part := range parts {
		_, _ = sum.Write(part) // never fails
	}
	return durable.WriteFile(path, append([][]byte{sum.Sum(nil)}, parts...)...)
}

// Sweep is store.Blobs'. It removes temporary files of crashed writers too.
func (s *Store) Sweep(ctx context.Context, spare time.Duration, wanted func(key string) bool) (removed int, err error) {
	folders, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	for _, folder := range folders {
		if err := ctx.Err(); err != nil {
			return removed, err
		}
		dir := filepath.Join(s.dir, folder.Name())
		files, err := os.ReadDir(dir)
		if err != nil {
			return removed, err
		}
		for _, f := range files {
			key := folder.Name() + f.Name()
			_, bad := s.blobPath(key)
			if bad == nil && (wanted(key) || !isOlder(f, spare)) || bad != nil && !isOlder(f, abandoned) {
				continue
			}
			if err := os.Remove(filepath.Join(dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return removed, fmt.Errorf("remove a blob: %w", err)
			}
			if bad == nil {
				removed++
			}
		}
	}
	return removed, nil
}

// isOlder reports whether a file is older than age. All are older than 0, whatever the clock
// says.
func isOlder(f fs.DirEntry, age time.Duration) bool {
	info, err := f.Info()
	return err == nil && (age <= 0 || time.Since(info.ModTime()) > age)
}
