package analysis

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LongLine is the longest line, in bytes, that Focus does not cut.
const LongLine = 64 << 10

// FocusWindow gives the window of a long text, about size bytes of whole lines, that
// holds the most weight of the terms; a text of at most twice the size is given
// whole. A line longer than LongLine counts as several. It looks for the terms as substrings, whatever the case, which is cheap
// and good enough to find the place: a stem is mostly the beginning of its word.
func FocusWindow(text string, terms map[string]float64, size int) string {
	if len(text) <= 2*size {
		return text
	}
	lower := lowerInPlace(text)
	names := make([]string, 0, len(terms))
	for t, w := range terms {
		if w > 0 && t != "" {
			names = append(names, t)
		}
	}
	slices.Sort(names) // the sum of weights must not depend on the map's order
	found := occurrences(lower, names)
	best, from, to := -1.0, 0, size
	start, last, at := 0, 0, 0
	has := make([]bool, len(names))
	next := 0 // the first of found that may lie in the window
	weigh := func(end int) {
		clear(has)
		for next < len(found) && found[next].at < start {
			next++
		}
		for _, o := range found[next:] {
			if o.at >= end {
				break
			}
			if o.at+len(names[o.name]) <= end {
				has[o.name] = true
			}
		}
		sum := 0.0
		for i, t := range names {
			if has[i] {
				sum += terms[t]
			}
		}
		if sum > best {
			best, from, to = sum, start, end
		}
	}
	for line := range shortLines(text, size) {
		if at > start && at+len(line)-start > size {
			weigh(at)
			start = last
			if at-start > size {
				start = at
			}
		}
		last = at
		at += len(line)
	}
	weigh(at)
	return text[from:to]
}

// shortLines gives the lines of a text, and those longer than LongLine in pieces of
// about size bytes.
func shortLines(text string, size int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			for len(line) > LongLine {
				cut := max(1, size)
				if i := strings.LastIndexByte(line[:cut], ' '); i > cut/2 {
					cut = i
				}
				for cut < len(line) && !utf8.RuneStart(line[cut]) {
					cut++
				}
				if !yield(line[:cut]) {
					return
				}
				line = line[cut:]
			}
			if !yield(line) {
				return
			}
		}
	}
}

// Written is a token as Focus can find it in a text: an identifier unchanged, of a word
// the stem, which is mostly its beginning.
func Written(t Token) string {
	if t.Kind == Identifier {
		return lowerInPlace(t.Word)
	}
	return t.Term
}

// occurrence is a place where a name stands.
type occurrence struct{ at, name int }

// occurrences finds all names, which are sorted, in one walk over the text: names are
// looked for where their first two bytes stand. They come in the text's order.
func occurrences(text string, names []string) []occurrence {
	var out []occurrence
	var pairs [1 << 10]uint64 // by a pair of bytes: whether a name begins so
	byFirst := [256][]int{}
	var single [256]int // by a name of one byte, its number and one
	for i, n := range names {
		if len(n) == 1 {
			single[n[0]] = i + 1
			continue
		}
		p := uint16(n[0])<<8 | uint16(n[1])
		pairs[p>>6] |= 1 << (p & 63)
		byFirst[n[0]] = append(byFirst[n[0]], i)
	}
	p := uint16(0)
	for i := range len(text) {
		p = p<<8 | uint16(text[i])
		if i > 0 && pairs[p>>6]&(1<<(p&63)) != 0 {
			for _, k := range byFirst[text[i-1]] {
				if strings.HasPrefix(text[i-1:], names[k]) {
					out = append(out, occurrence{i - 1, k})
				}
			}
		}
		if k := single[text[i]]; k > 0 {
			out = append(out, occurrence{i, k - 1})
		}
	}
	return out
}

// lowerInPlace makes a text lower case where that leaves every place as it is:
// the few letters whose small one has another length stay.
func lowerInPlace(s string) string {
	b := []byte(s)
	for i := 0; i < len(b); {
		c := b[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				b[i] = c + 'a' - 'A'
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if l := unicode.ToLower(r); l != r && utf8.RuneLen(l) == size {
			utf8.EncodeRune(b[i:], l)
		}
		i += size
	}
	return string(b)
}
