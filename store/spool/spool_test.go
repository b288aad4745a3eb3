package spool_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"docent/store/spool"
)

// Records are read as they were written, in memory, from the file and over its end, and nothing
// is left.
func TestRecords(t *testing.T) {
	t.Parallel()
	for _, size := range []int{100, 4 * spool.InMemory} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := spool.Next(filepath.Join(dir, "records"))
			rnd := rand.New(rand.NewPCG(1, 2))
			var all []byte
			var at []int64
			for len(all) < size {
				record := make([]byte, rnd.IntN(size/10))
				for i := range record {
					record[i] = byte(rnd.Uint32())
				}
				n, err := s.Append(record)
				if err != nil || n != int64(len(all)) {
					t.Fatalf("at %d in place of %d: %v", n, len(all), err)
				}
				at, all = append(at, n), append(all, record...)
			}
			for i := range at {
				end := int64(len(all))
				if i+1 < len(at) {
					end = at[i+1]
				}
				got := make([]byte, end-at[i])
				if n, err := s.ReadAt(got, at[i]); n < len(got) || !bytes.Equal(got, all[at[i]:end]) {
					t.Fatalf("record %d: %d of %d bytes: %v", i, n, len(got), err)
				}
			}
			if got, err := io.ReadAll(io.NewSectionReader(s, 0, int64(len(all)))); err != nil || !bytes.Equal(got, all) {
				t.Errorf("all of them: %d of %d bytes, %v", len(got), len(all), err)
			}
			if n, err := s.ReadAt(make([]byte, 1), int64(len(all))); n != 0 || err != io.EOF {
				t.Errorf("behind the end: %d bytes, %v", n, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("left: %v, %v", left, err)
			}
		})
	}
}

// A spool that cannot write its file says so.
func TestWithoutAFolder(t *testing.T) {
	t.Parallel()
	s := spool.Next(filepath.Join(t.TempDir(), "missing", "records"))
	if _, err := s.Append(make([]byte, spool.InMemory)); err == nil {
		t.Error("no error")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
