package process

import mathbits "math/bits"

// bits is a set of units that finds neighbours fast: a page can have tens of
// thousands of units, and each one that is tried asks for both.
type bits struct {
	words []uint64
	n     int
}

func newBits(n int) bits { return bits{words: make([]uint64, (n+63)/64), n: n} }

func (b bits) has(i int) bool { return b.words[i/64]>>(i%64)&1 == 1 }

func (b bits) flip(i int) { b.words[i/64] ^= 1 << (i % 64) }

// before is the nearest member below i, -1 for none.
func (b bits) before(i int) int {
	w := i / 64
	for word := b.words[w] & (1<<(i%64) - 1); ; word = b.words[w] {
		if word != 0 {
			return w*64 + 63 - mathbits.LeadingZeros64(word)
		}
		if w--; w < 0 {
			return -1
		}
	}
}

// behind is the nearest member above i, n for none.
func (b bits) behind(i int) int {
	w := i / 64
	for word := b.words[w] &^ (2<<(i%64) - 1); ; word = b.words[w] {
		if word != 0 {
			return w*64 + mathbits.TrailingZeros64(word)
		}
		if w++; w == len(b.words) {
			return b.n
		}
	}
}
