// Package table is the format of a bilingual table, and the forms under which
// words are looked up in one.
//
// A table is read where it lies: opening one checks its header and nothing
// more, and a look-up is a binary search over blocks of front-coded keys. The
// alternative, a compressed file that is inflated on opening, was 30 % smaller
// and cost 25 ms and the whole table in memory at every start.
//
// Layout, all numbers little-endian or as uvarints:
//
//	magic, language, source
//	folds   pairs of runes: how a character is written in the keys
//	vocab   English words, the most frequent first
//	keys    sorted; the value is the glosses
//	forms   sorted; other forms of keys; the value is the numbers of those keys
//
// vocab, keys and forms are sections of blocks: offsets of the blocks, then the
// blocks. An item of vocab is the word; one of keys and forms is the number of
// bytes it shares with the key before, the rest of the key, the value. A gloss is one byte, weight<<2|words, and the numbers of its words.
//
// Rejected: the automata of github.com/blevesearch/vellum, which the word index links. They
// map keys to numbers only: the vocabulary, the glosses and the keys by their number would
// stay in sections of blocks as here. Measured on the six tables, they take 2 to 46 % more
// bytes for the keys (827 KB for 565 KB of Chinese); a look-up of 0.7 to 7 µs takes 0.4 to
// 2.5 µs, of which no question notices anything. Opening takes under a microsecond
// with both: the millisecond of opening a dictionary is the copy of its table.
//
// It refuses to know where glosses come from and how text is cut. A table that
// is broken gives fewer words or none, it does not panic.
package table

import (
	"encoding/binary"
	"errors"
	"strings"
)

const (
	magic = "docent/dict/1\n"
	// blockKeys is how many keys share a block. 16 keys are scanned in half a
	// microsecond; 64 would save 3 % of the size.
	blockKeys = 16
	// Weights are kept in six bits.
	maxWeight = 63
	// MaxWords is the most words of a gloss.
	MaxWords = 3
)

// ErrFormat is what Decode says of bytes that are not a table.
var ErrFormat = errors.New("not a dictionary table of this version")

// Gloss is an English rendering of a key; the best one of a key has weight 1.
type Gloss struct {
	Text   string
	Weight float64
}

// Table is an open table. It is safe for concurrent use.
type Table struct {
	Language string
	Source   string // where the glosses come from, one line
	folds    map[rune]rune
	vocab    section
	keys     section
	forms    section
}

// section is a run of blocks.
type section struct {
	n       int    // items
	per     int    // items in a block
	offsets string // four bytes a block
	data    string
}

// Decode opens a table. The table keeps data.
func Decode(data string) (*Table, error) {
	rest, ok := strings.CutPrefix(data, magic)
	if !ok {
		return nil, ErrFormat
	}
	r := reader{rest: rest}
	t := &Table{Language: r.readText(), Source: r.readText()}
	n := r.readNumber()
	if n > len(r.rest) {
		return nil, ErrFormat
	}
	t.folds = make(map[rune]rune, n)
	for range n {
		from := rune(r.readNumber())
		t.folds[from] = rune(r.readNumber())
	}
	t.vocab, t.keys, t.forms = r.readSection(), r.readSection(), r.readSection()
	if r.bad || r.rest != "" {
		return nil, ErrFormat
	}
	return t, nil
}

// Len is the number of keys.
func (t *Table) Len() int { return t.keys.n }

// FoldRune is how a character is written in the keys.
func (t *Table) FoldRune(r rune) rune {
	if f, ok := t.folds[r]; ok {
		return f
	}
	return r
}

// FindKey is the number of a key, -1 if there is no such key. longer reports whether some
// key begins with the text and goes on.
func (t *Table) FindKey(key string) (id int, longer bool) {
	id, _, longer = t.keys.findKey(key)
	return id, longer
}

// KeysOfForm is the numbers of the keys that have this other form.
func (t *Table) KeysOfForm(form string) []int {
	_, value, _ := t.forms.findKey(form)
	var ids []int
	for r := (reader{rest: value}); r.rest != "" && !r.bad; {
		if id := r.readNumber(); !r.bad && id < t.keys.n {
			ids = append(ids, id)
		}
	}
	return ids
}

// Glosses is the glosses of a key, the best first.
func (t *Table) Glosses(id int) []Gloss {
	_, value := t.keys.itemAt(id)
	var out []Gloss
	for r := (reader{rest: value}); r.rest != "" && !r.bad; {
		head := r.rest[0]
		r.rest = r.rest[1:]
		words := make([]string, 0, MaxWords)
		for range head & 3 {
			if w := t.wordOf(r.readNumber()); w != "" {
				words = append(words, w)
			}
		}
		if len(words) > 0 && !r.bad {
			out = append(out, Gloss{strings.Join(words, " "), float64(head>>2) / maxWeight})
		}
	}
	return out
}

// Key is a key by its number.
func (t *Table) Key(id int) string {
	key, _ := t.keys.itemAt(id)
	return key
}

// Prefixed calls yield with the keys that begin with a prefix, in order, until
// it says false.
func (t *Table) Prefixed(prefix string, yield func(id int, key string) bool) {
	for b := max(t.keys.blockAfter(prefix)-1, 0); 4*b < len(t.keys.offsets); b++ {
		c := cursor{reader: reader{rest: t.keys.blockBytes(b)}}
		for i := 0; i < t.keys.per && b*t.keys.per+i < t.keys.n && c.next(); i++ {
			k := string(c.key)
			if strings.HasPrefix(k, prefix) {
				if !yield(b*t.keys.per+i, k) {
					return
				}
			} else if k > prefix {
				return
			}
		}
	}
}

// Vocabulary calls yield with every English word of the glosses, the frequent
// ones first.
func (t *Table) Vocabulary(yield func(word string)) {
	for b := 0; b*t.vocab.per < t.vocab.n; b++ {
		r := reader{rest: t.vocab.blockBytes(b)}
		for range min(t.vocab.per, t.vocab.n-b*t.vocab.per) {
			yield(r.readText())
		}
	}
}

func (t *Table) wordOf(id int) string {
	if id < 0 || id >= t.vocab.n {
		return ""
	}
	r := reader{rest: t.vocab.blockBytes(id / t.vocab.per)}
	for range id % t.vocab.per {
		r.readText()
	}
	return r.readText()
}

// blockBytes is the bytes of block b and those after it.
func (s *section) blockBytes(b int) string {
	if b < 0 || 4*b+4 > len(s.offsets) {
		return ""
	}
	at := binary.LittleEndian.Uint32([]byte(s.offsets[4*b : 4*b+4]))
	if uint64(at) > uint64(len(s.data)) {
		return ""
	}
	return s.data[at:]
}

// cursor walks over a section's items from the beginning of a block.
type cursor struct {
	reader
	key   []byte
	value string
}

func (c *cursor) next() bool {
	shared := c.readNumber()
	suffix := c.readText()
	c.value = c.readText()
	if c.bad || shared > len(c.key) {
		return false
	}
	c.key = append(c.key[:shared], suffix...)
	return true
}

func (s *section) itemAt(id int) (key, value string) {
	if id < 0 || id >= s.n {
		return "", ""
	}
	c := cursor{reader: reader{rest: s.blockBytes(id / s.per)}}
	for range id%s.per + 1 {
		if !c.next() {
			return "", ""
		}
	}
	return string(c.key), c.value
}

// blockAfter is the first block that begins after a key.
func (s *section) blockAfter(key string) int {
	low, high := 0, len(s.offsets)/4
	for low < high {
		mid := (low + high) / 2
		c := cursor{reader: reader{rest: s.blockBytes(mid)}}
		if c.next() && string(c.key) <= key {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

func (s *section) findKey(key string) (id int, value string, longer bool) {
	low := s.blockAfter(key)
	id = -1
	// The key is in the block before; what goes on from it may begin the next.
	for b := max(low-1, 0); b <= low; b++ {
		c := cursor{reader: reader{rest: s.blockBytes(b)}}
		for i := 0; i < s.per && b*s.per+i < s.n && c.next(); i++ {
			switch k := c.key; {
			case string(k) == key:
				id, value = b*s.per+i, c.value
			case string(k) > key:
				return id, value, strings.HasPrefix(string(k), key)
			}
		}
	}
	return id, value, false
}

// reader takes numbers and texts off a string; bad once something is missing.
type reader struct {
	rest string
	bad  bool
}

func (r *reader) readNumber() int {
	var n uint64
	for i := 0; i < len(r.rest) && i < 5; i++ {
		c := r.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			if n > 1<<31-1 {
				break
			}
			return int(n)
		}
	}
	r.bad = true
	r.rest = ""
	return 0
}

func (r *reader) readText() string {
	n := r.readNumber()
	if r.bad || n > len(r.rest) {
		r.bad = true
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) readSection() section {
	s := section{n: r.readNumber(), per: r.readNumber(), offsets: r.readText(), data: r.readText()}
	if s.per < 1 || len(s.offsets) != 4*((s.n+max(s.per, 1)-1)/max(s.per, 1)) {
		r.bad = true
		s = section{per: 1}
	}
	return s
}
