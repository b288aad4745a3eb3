package ingest

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf16"

	"docent/store"
)

func TestIsText(t *testing.T) {
	t.Parallel()
	random := make([]byte, 1<<16)
	rand.NewChaCha8([32]byte{1}).Read(random)
	wide := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(strings.Repeat("Lamps of the harbour\n", 500))) {
		wide = binary.LittleEndian.AppendUint16(wide, u)
	}
	latin := make([]byte, 4096)
	for i := range latin {
		latin[i] = byte(0xa0 + i%0x60)
	}
	for name, tt := range map[string]struct {
		src  []byte
		want bool
	}{
		"nothing":           {nil, true},
		"prose":             {[]byte("# Lamps\n\nText.\n"), true},
		"UTF-16":            {wide, true},
		"Latin-1":           {latin, true},
		"stray NUL":         {[]byte("# Lamps\x00\n\nText.\n"), true},
		"colours":           {[]byte(strings.Repeat("\x1b[31mred\x1b[0m\n", 500)), true},
		"form feeds":        {[]byte(strings.Repeat("\f\v\b\r\n", 500)), true},
		"random bytes":      {random, false},
		"a block of NUL":    {make([]byte, 4096), false},
		"UTF-16, no marker": {wide[2:], false},
	} {
		if got := isText(tt.src); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWithinWords(t *testing.T) {
	t.Parallel()
	page := func(passages, words, repeated int) (out []store.Passage, size int) {
		for i := range passages {
			var b strings.Builder
			for k := range words {
				fmt.Fprintf(&b, "w%d ", (i*words+k)/repeated)
			}
			p := store.Passage{Chunk: i}
			p.Fields[store.Body] = b.String()
			out, size = append(out, p), size+b.Len()
		}
		return out, size
	}
	many, size := page(100, 50, 1)
	kept, warning := withinWords(many, size, 1000)
	if len(kept) != 21 || !strings.Contains(warning, "more than 1000 different words") || !strings.Contains(warning, "first 21%") {
		t.Errorf("%d passages, %q", len(kept), warning)
	}
	same, size := page(100, 50, 10)
	if kept, warning := withinWords(same, size, 1000); len(kept) != 100 || warning != "" {
		t.Errorf("%d passages of few words, %q", len(kept), warning)
	}
}

// The words that are counted are those that the index has: a Chinese page has few pairs
// of characters, however long its sentences are.
func TestEachWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"":                         0,
		"Lamp lamp_2, LAMP-2;Lamp": 4, // Lamp lamp 2 LAMP
		"größe größe Größe":        2,
		"灯塔的油很亮":                   5,
		"灯塔的油很亮灯塔的油很亮灯塔的油很亮": 6, // 亮灯 too
		"灯":                             0,
		"oil灯塔oil":                      2,
		strings.Repeat("a.b ", 100_000): 2,
	} {
		seen := map[uint64]bool{}
		eachWord(text, func(hash uint64) { seen[hash] = true })
		if len(seen) != want {
			t.Errorf("%.30q has %d words, want %d", text, len(seen), want)
		}
	}
	// Known documentation is far below the limits.
	for bytes, want := range map[int]int{1000: 20_000, 1 << 20: 20_000, 10 << 20: 200_000, 64 << 20: 1_000_000} {
		if got := wordsOf(bytes); got != want {
			t.Errorf("a page of %d bytes has %d words, want %d", bytes, got, want)
		}
	}
}

// However the sizes are, at most limit pages and most bytes are underway, a page that is
// larger than most goes alone, and all get their turn.
func TestAllowance(t *testing.T) {
	t.Parallel()
	const limit, most = 4, 1000
	a := newAllowance(limit, most)
	var pages, bytes atomic.Int64
	var wg sync.WaitGroup
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		size := rng.Int64N(600)
		if i%50 == 0 {
			size = 5000
		}
		if !a.awaitRoom(t.Context(), size) {
			t.Fatal("not taken")
		}
		n, b := pages.Add(1), bytes.Add(size)
		if n > limit || b > most && n > 1 {
			t.Fatalf("%d pages of %d bytes are underway", n, b)
		}
		wg.Go(func() {
			pages.Add(-1)
			bytes.Add(-size)
			a.endPage(size)
		})
	}
	wg.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a.awaitRoom(ctx, most); a.awaitRoom(ctx, most) {
		t.Error("taken beyond the limit")
	}
}
