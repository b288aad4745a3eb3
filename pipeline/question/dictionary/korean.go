package dictionary

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/question/wordlist"
)

// endingPiece are the particles and endings that Korean writes on a word, in pieces of
// which several may follow each other: 에서 and 는 in 서버에서는.
const endingPiece wordlist.Rule = "stop/ending"

// Particles of one form, and those that have one form after a closed sound and another
// after an open one. The sure ones end no other word.
const (
	anyParticle    wordlist.Rule = "stop/particle"
	closedParticle wordlist.Rule = "stop/particle-closed"
	openParticle   wordlist.Rule = "stop/particle-open"
	sureParticle   wordlist.Rule = "stop/sure"
	sureClosed     wordlist.Rule = "stop/sure-closed"
	sureOpen       wordlist.Rule = "stop/sure-open"
)

// mostPieces is the most pieces of an ending.
const mostPieces = 4

// shortestKoreanPart is the fewest syllables of a part of a compound: each syllable alone
// is a word of many meanings.
const shortestKoreanPart = 2

func isHangul(r rune) bool { return r >= 0x1100 && unicode.Is(unicode.Hangul, r) }

// appendKorean appends text[from:to], which has no space: the parts in Hangul word by word,
// all others unchanged. Korean writes particles on names too: Pod를.
func (d *Dictionary) appendKorean(text string, from, to int, out []Word) []Word {
	for from < to {
		first, _ := utf8.DecodeRuneInString(text[from:to])
		end := from
		for end < to {
			r, size := utf8.DecodeRuneInString(text[end:to])
			if isHangul(r) != isHangul(first) {
				break
			}
			end += size
		}
		if isHangul(first) {
			out = d.appendHangul(text, from, end, out)
		} else {
			out = append(out, Word{Text: text[from:end], Span: [2]int{from, end}})
		}
		from = end
	}
	return out
}

// appendHangul appends the words of text[from:to], which is all of Hangul: the longest word
// of the table that an ending follows, or the parts of a compound. What the table does not
// have loses an ending that can be nothing else.
func (d *Dictionary) appendHangul(text string, from, to int, out []Word) []Word {
	if to-from > longestWord {
		return append(out, Word{Text: text[from:to], Span: [2]int{from, to}})
	}
	if w, ok := d.koreanWord(text, from, to); ok {
		return append(out, w)
	}
	if len(out) > 0 && out[len(out)-1].Span[1] == from && d.isEnding(text[from:to]) {
		return append(out, Word{Text: text[from:to], Span: [2]int{from, to}, Stop: true})
	}
	if at, word := d.beforeEnding(text, from, to); at > 0 {
		return appendEnding(append(out, word), text, at, to)
	}
	for at := to; at > from; {
		if at == to || d.isEnding(text[at:to]) {
			if parts := d.koreanCompound(text, from, at); parts != nil {
				return appendEnding(append(out, parts...), text, at, to)
			}
		}
		_, size := utf8.DecodeLastRuneInString(text[from:at])
		at -= size
	}
	at := d.sureEnding(text, from, to)
	return appendEnding(append(out, Word{Text: text[from:at], Span: [2]int{from, at}}), text, at, to)
}

// beforeEnding is the longest word at from that an ending up to to follows, and where it
// ends; 0 without one.
func (d *Dictionary) beforeEnding(text string, from, to int) (at int, word Word) {
	for at = to; at > from; {
		_, size := utf8.DecodeLastRuneInString(text[from:at])
		if at -= size; at == from || !d.isEnding(text[at:to]) {
			continue
		}
		if w, ok := d.koreanWord(text, from, at); ok {
			return at, w
		}
	}
	return 0, Word{}
}

// appendEnding appends text[from:to] as a function word if there is any.
func appendEnding(out []Word, text string, from, to int) []Word {
	if from == to {
		return out
	}
	return append(out, Word{Text: text[from:to], Span: [2]int{from, to}, Stop: true})
}

// sureEnding is where the ending of a word begins that the table does not have: one of two
// syllables and more, or a particle that agrees with the sound before it.
func (d *Dictionary) sureEnding(text string, from, to int) int {
	best := to
	for at, n := to, 0; at > from; n++ {
		_, size := utf8.DecodeLastRuneInString(text[from:at])
		at -= size
		if utf8.RuneCountInString(text[from:at]) < shortestKoreanPart {
			break
		}
		if d.isEnding(text[at:to]) && (n > 0 || agrees(text[from:at], text[at:to])) {
			best = at
		}
	}
	return best
}

// agrees reports whether a particle of one syllable has the form that follows the last
// sound of a stem. The particles that end no other word are enough.
func agrees(stem, particle string) bool {
	form := sureOpen
	if endsClosed(stem) {
		form = sureClosed
	}
	return form.Has(particle) || sureParticle.Has(particle)
}

// endsClosed reports whether the last syllable of a word ends in a consonant.
func endsClosed(word string) bool {
	const first, last, finals = 0xac00, 0xd7a3, 28
	r, _ := utf8.DecodeLastRuneInString(word)
	return r >= first && r <= last && (r-first)%finals != 0
}

// EachStem calls yield with each way to part a Korean word in a stem of two syllables or
// more and a particle that agrees with the stem's last sound. It is for the command that
// makes the tables.
func EachStem(word string, yield func(stem, particle string)) {
	part := func(particles wordlist.Rule, fits func(closed bool) bool) {
		for _, p := range particles.Phrases() {
			stem, ok := strings.CutSuffix(word, p)
			if ok && utf8.RuneCountInString(stem) >= shortestKoreanPart && fits(endsClosed(stem)) {
				yield(stem, p)
			}
		}
	}
	part(anyParticle, func(bool) bool { return true })
	part(closedParticle, func(closed bool) bool { return closed })
	part(openParticle, func(closed bool) bool { return !closed })
}

// isEnding reports whether a text is made of pieces of endings.
func (d *Dictionary) isEnding(s string) bool { return d.piecesOf(s, mostPieces) }

func (d *Dictionary) piecesOf(s string, most int) bool {
	if d.endings[s] {
		return true
	}
	if most == 1 {
		return false
	}
	for i := range s {
		if i > 0 && d.endings[s[:i]] && d.piecesOf(s[i:], most-1) {
			return true
		}
	}
	return false
}

// koreanCompound cuts text[from:to] into words of the table, the fewest and of them the
// ones with the longer first word; nil if it is not made of two or more.
func (d *Dictionary) koreanCompound(text string, from, to int) []Word {
	if utf8.RuneCountInString(text[from:to]) < 2*shortestKoreanPart {
		return nil
	}
	type step struct{ parts, end int }
	steps := make(map[int]step)
	var starts []int
	for i := range text[from:to] {
		starts = append(starts, from+i)
	}
	for k := len(starts) - 1; k >= 0; k-- {
		at := starts[k]
		for n := len(starts); n >= k+shortestKoreanPart; n-- {
			end, rest := to, 0
			if n < len(starts) {
				end = starts[n]
				if rest = steps[end].parts; rest == 0 {
					continue
				}
			}
			if s, ok := steps[at]; (!ok || rest+1 < s.parts) && d.hasKey(text[at:end]) {
				steps[at] = step{rest + 1, end}
			}
		}
	}
	if n := steps[from].parts; n < 2 || n > maxParts {
		return nil
	}
	var out []Word
	for at := from; at < to; at = steps[at].end {
		w, _ := d.koreanWord(text, at, steps[at].end)
		out = append(out, w)
	}
	return out
}

// koreanWord is text[from:to] as a function word or a word of the table, which has words
// without glosses while it is made.
func (d *Dictionary) koreanWord(text string, from, to int) (Word, bool) {
	w, ok := d.wholeWord(text, from, to)
	return w, ok || d.hasKey(w.Text) || len(d.table.KeysOfForm(w.Text)) > 0
}

func (d *Dictionary) hasKey(word string) bool {
	id, _ := d.table.FindKey(word)
	return id >= 0
}
