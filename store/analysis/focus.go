package analysis

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Focus gives the window of a long text, about size bytes of whole lines, that
// holds the most weight of the terms; a text of at most twice the size is given
// whole. It looks for the terms as substrings, whatever the case, which is cheap
// and good enough to find the place: a stem is mostly the beginning of its word.
func Focus(text string, terms map[string]float64, size int) string {
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
	for line := range strings.Lines(text) {
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

// Written is a token as Focus can find it in a text: an identifier as it stands
// there, of a word the stem, which is mostly its beginning.
func Written(t Token) string {
	if t.Kind == Identifier {
		return lowerInPlace(t.Word)
	}
	return t.Term
}

// occurrence is a place where a name stands.
type occurrence struct{ at, name int }

// occurrences finds all names in one walk over the text: names are looked for
// where their first two bytes stand. They come in the text's order.
func occurrences(text string, names []string) []occurrence {
	var out []occurrence
	var pairs [1 << 10]uint64 // by a pair of bytes: whether a name begins so
	byFirst := [256][]int{}
	singles := false
	for i, n := range names {
		if len(n) == 1 {
			singles = true
			for at := strings.IndexByte(text, n[0]); at >= 0; {
				out = append(out, occurrence{at, i})
				k := strings.IndexByte(text[at+1:], n[0])
				if k < 0 {
					break
				}
				at += 1 + k
			}
			continue
		}
		p := uint16(n[0])<<8 | uint16(n[1])
		pairs[p>>6] |= 1 << (p & 63)
		byFirst[n[0]] = append(byFirst[n[0]], i)
	}
	p := uint16(0)
	for i := range len(text) {
		p = p<<8 | uint16(text[i])
		if i == 0 || pairs[p>>6]&(1<<(p&63)) == 0 {
			continue
		}
		for _, k := range byFirst[text[i-1]] {
			if strings.HasPrefix(text[i-1:], names[k]) {
				out = append(out, occurrence{i - 1, k})
			}
		}
	}
	if singles {
		slices.SortFunc(out, func(a, b occurrence) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.name, b.name)) })
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
