package dictionary

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestKey is the longest key, in characters, that is looked for in text
// without spaces. Longer ones are proverbs and institutions.
const longestKey = 12

// The costs of a segmentation; the cheapest one is taken. Every word costs, so that few
// and long words win; a character that the table does not have costs more than any word,
// so that as much as possible is understood. A word of one character costs more than a
// longer one, because it is more often a part of a word that is not in the table; a
// function word does not, because it is usually between other words.
const (
	costWord     = 4
	costStop     = 4
	costShort    = 6
	costHiragana = 9 // a content word of hiragana alone: rare in technical text
	costUnknown  = 13
)

// piece is a word in a lattice: a key, a function word, or neither.
type piece struct {
	runes int
	id    int // of the key, -1: none
	stop  bool
}

// segmentUnspaced cuts text[from:to], which is all of a script without spaces, by the
// cheapest path through the words of the table, the one with the longer first
// words among equals.
func (d *Dictionary) segmentUnspaced(text string, from, to int, out []Word) []Word {
	var at []int             // byte offsets of the runes
	var folded []byte        // as keys are written
	var foldedAt, cost []int // offsets of the runes in folded
	for i, r := range text[from:to] {
		at = append(at, from+i)
		foldedAt = append(foldedAt, len(folded))
		folded = utf8.AppendRune(folded, d.table.FoldRune(r))
	}
	n := len(at)
	at, foldedAt = append(at, to), append(foldedAt, len(folded))
	key := string(folded)
	cost = make([]int, n+1) // of the text from rune i on
	take := make([]piece, n)
	for i := n - 1; i >= 0; i-- {
		cost[i] = costUnknown + cost[i+1]
		take[i] = piece{1, -1, false}
		for l := 1; l <= d.longest && i+l <= n; l++ {
			w := key[foldedAt[i]:foldedAt[i+l]]
			id, longer := d.lookUpKey(w)
			stop := d.stops[w]
			if id >= 0 || stop {
				if c := wordCost(w, l, stop) + cost[i+l]; c <= cost[i] {
					cost[i], take[i] = c, piece{l, id, stop}
				}
			}
			if !longer && l >= longestStop {
				break
			}
		}
	}
	for i := 0; i < n; {
		p := take[i]
		j := i + p.runes
		if p.id < 0 && !p.stop { // unknown characters stay together
			for j < n && take[j].id < 0 && !take[j].stop {
				j++
			}
		}
		w := Word{Text: text[at[i]:at[j]], Span: [2]int{at[i], at[j]}, Stop: p.stop}
		if !p.stop && p.id >= 0 {
			w.Glosses = d.table.Glosses(p.id)
		}
		if p.id >= 0 || p.stop || !isKana(w.Text) {
			out = append(out, w)
		}
		i = j
	}
	return out
}

// lookUpKey finds a key, or the key that has this other form.
func (d *Dictionary) lookUpKey(w string) (id int, longer bool) {
	id, longer = d.table.FindKey(w)
	if id < 0 && d.language == "ja" {
		if ids := d.table.KeysOfForm(w); len(ids) > 0 {
			id = ids[0]
		}
		longer = true // a form may be longer than every key
	}
	return id, longer
}

func wordCost(w string, runes int, stop bool) int {
	switch {
	case stop:
		return costStop
	case isKana(w):
		return costHiragana
	case runes == 1:
		return costShort
	}
	return costWord
}

// isKana reports whether a word is of hiragana alone: an unknown one is an ending, and no
// name.
func isKana(w string) bool {
	return strings.IndexFunc(w, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) }) < 0
}
