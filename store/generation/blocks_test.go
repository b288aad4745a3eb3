package generation_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"docent/store/generation"
)

// isSame reports whether two descriptions are of the same bytes.
func isSame(a, b generation.File) bool { return a.Size == b.Size && bytes.Equal(a.Sums, b.Sums) }

// Whatever way a file's bytes come in, its blocks have the same checksums, and any
// byte that is changed is found in its block.
func TestBlocks(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4))
	path := filepath.Join(t.TempDir(), "file")
	for _, size := range []int{0, 1, generation.Block - 1, generation.Block, generation.Block + 1, 3*generation.Block + 77} {
		b := make([]byte, size)
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		var s generation.Summer
		for rest := b; len(rest) > 0; {
			n := min(len(rest), 1+rnd.IntN(100_000))
			_, _ = s.Write(rest[:n])
			rest = rest[n:]
		}
		f := generation.Describe(b)
		if !isSame(f, s.DescribeFile()) || !f.IsSound() || f.Blocks() != (size+generation.Block-1)/generation.Block {
			t.Fatalf("%d bytes: %v, %v", size, f, s.DescribeFile())
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := generation.DescribeFile(path); err != nil || !isSame(got, f) {
			t.Fatalf("%d bytes: %v, %v", size, got, err)
		}
		if err := f.Check(path); err != nil {
			t.Error(err)
		}
		if size == 0 {
			continue
		}
		at := rnd.IntN(size)
		b[at] ^= 1 << rnd.IntN(8)
		if f.Holds(at/generation.Block, b[at/generation.Block*generation.Block:min(size, (at/generation.Block+1)*generation.Block)]) {
			t.Errorf("byte %d of %d is another, and its block has its checksum", at, size)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.Check(path); !errors.Is(err, generation.ErrDamaged) {
			t.Errorf("byte %d of %d is another: %v", at, size, err)
		}
	}
	if (generation.File{Size: 10}).IsSound() || (generation.File{Size: -1}).IsSound() {
		t.Error("a description without checksums is sound")
	}
}
