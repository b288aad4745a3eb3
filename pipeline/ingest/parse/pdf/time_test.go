package pdf

import (
	"testing"
	"time"
)

// A small file has less time than a large one: the programs cannot hold up a folder of small
// hostile files for three minutes each.
func TestTimeInProportionToTheSize(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]time.Duration{0: 30 * time.Second, 10 << 10: 30 * time.Second, 1 << 20: 62 * time.Second,
		5 << 20: 3 * time.Minute, 400 << 20: 3 * time.Minute} {
		if got := timeFor(size); got != want {
			t.Errorf("a file of %d bytes has %v, want %v", size, got, want)
		}
	}
}
