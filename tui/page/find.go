package page

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/tui/widget"
)

// Match is one occurrence of a text in a page: the piece, and the number of the
// occurrence in that piece, from 0. Rendering may break or repeat the text of a
// piece, so the columns are only known after it.
type Match struct{ Piece, Nth int }

// needle is a searched text. It is matched with case if it has a capital letter.
type needle struct {
	runes []rune
	exact bool
}

func newNeedle(query string) needle {
	n := needle{}
	for _, r := range query {
		n.exact = n.exact || unicode.IsUpper(r)
	}
	f := folder{exact: n.exact}
	for _, r := range query {
		f.addRange(r)
	}
	n.runes = f.out
	return n
}

// folder makes text comparable. Letters become lower case unless case counts. A
// run of white space becomes one space, or none between two characters of a
// script without spaces, in which a line may end anywhere.
type folder struct {
	exact bool
	out   []rune
	from  []int // for each of out, the index of the character that it came from
	n     int   // characters seen
	space int   // index of the first character of an open run of white space, from 1; 0: none
}

func (f *folder) addRange(r rune) {
	at := f.n
	f.n++
	if unicode.IsSpace(r) || r == '│' || r == '|' || r == '┼' {
		if f.space == 0 {
			f.space = at + 1
		}
		return
	}
	if f.space > 0 {
		if n := len(f.out); n > 0 && !(isUnspacedScript(f.out[n-1]) && isUnspacedScript(r)) {
			f.out, f.from = append(f.out, ' '), append(f.from, f.space-1)
		}
		f.space = 0
	}
	if !f.exact {
		r = unicode.ToLower(r)
	}
	f.out, f.from = append(f.out, r), append(f.from, at)
}

// isUnspacedScript reports whether a character belongs to a script without spaces between
// its words, or is one of its punctuation marks.
func isUnspacedScript(r rune) bool {
	return r >= 0x2e80 && r < 0xac00 || r >= 0xf900 && r < 0xfb00 || r >= 0xff00 && r < 0xfff0 || r >= 0x20000 && r < 0x40000 ||
		unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// index is a page's folded text, piece by piece, with and without case.
type index struct{ exact, folded []string }

// searchIndex is the index. The first use reads the whole page to make it.
func (p *Prepared) searchIndex() *index {
	p.once.Do(func() {
		x := &index{exact: make([]string, len(p.pieces)), folded: make([]string, len(p.pieces))}
		for i := range p.pieces {
			f := folder{exact: true}
			for _, r := range p.plainText(i) {
				f.addRange(r)
			}
			x.exact[i] = string(f.out)
			x.folded[i] = strings.Map(unicode.ToLower, x.exact[i])
		}
		p.index = x
	})
	return p.index
}

// PrepareSearch makes the text for searching ahead of the first search. That takes 0.4 s
// for a page of 50 000 lines: call it in a command, when typing begins.
func (p *Prepared) PrepareSearch() { p.searchIndex() }

// maxMatches bounds the result of a search.
const maxMatches = 1_000_000

// Find gives every occurrence of a text in the page, in order. It reads the whole
// page: call it in a command.
func (p *Prepared) Find(ctx context.Context, query string) ([]Match, error) {
	n := newNeedle(query)
	if len(n.runes) == 0 {
		return nil, nil
	}
	x := p.searchIndex()
	pieces := x.folded
	if n.exact {
		pieces = x.exact
	}
	want := string(n.runes)
	var out []Match
	for i, text := range pieces {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for nth := 0; len(out) < maxMatches; nth++ {
			at := strings.Index(text, want)
			if at < 0 {
				break
			}
			out = append(out, Match{Piece: i, Nth: nth})
			text = text[at+len(want):]
		}
	}
	return out, nil
}

// Spot is the place of a match in the rendered lines of a piece: a range of columns
// for each line that the match touches, the first on Line.
type Spot struct {
	Line   int
	Ranges []widget.Range
}

// FindSpots finds a text in rendered lines.
func FindSpots(lines []string, query string) []Spot {
	n := newNeedle(query)
	if len(n.runes) == 0 {
		return nil
	}
	type place struct {
		line int
		at   widget.Range
	}
	var places []place
	f := folder{exact: n.exact}
	for i, l := range lines {
		if i > 0 {
			f.addRange('\n')
			places = append(places, place{line: -1})
		}
		widget.LettersOf(l, func(text string, at widget.Range) bool {
			for _, r := range text {
				f.addRange(r)
				places = append(places, place{i, at})
			}
			return true
		})
	}
	var out []Spot
	for i := 0; i+len(n.runes) <= len(f.out); {
		if !equalLines(f.out[i:i+len(n.runes)], n.runes) {
			i++
			continue
		}
		var s Spot
		for k := i; k < i+len(n.runes); k++ {
			p := places[f.from[k]]
			if p.line < 0 {
				continue
			}
			if len(s.Ranges) == 0 {
				s.Line = p.line
			}
			for s.Line+len(s.Ranges) <= p.line {
				s.Ranges = append(s.Ranges, widget.Range{From: -1})
			}
			if r := &s.Ranges[len(s.Ranges)-1]; r.From < 0 {
				*r = p.at
			} else {
				r.To = max(r.To, p.at.To)
			}
		}
		if len(s.Ranges) > 0 {
			out = append(out, s)
		}
		i += len(n.runes)
	}
	return out
}

func equalLines(a, b []rune) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// SourceLine estimates the line of the source that a rendered line of a piece
// shows: the source line with the same first letters, or else the line at the same
// fraction of the piece.
func (p *Prepared) SourceLine(piece, line int, lines []string) int {
	q := p.pieces[piece]
	if len(lines) == 0 {
		return q.fromLine
	}
	guess := q.fromLine + line*(q.toLine-q.fromLine+1)/len(lines)
	guess = min(max(guess, q.fromLine), q.toLine)
	if line >= len(lines) {
		return guess
	}
	want := firstLetters(lines[line], 24)
	if utf8.RuneCountInString(want) < 4 {
		return guess
	}
	best, at := -1, q.fromLine
	for l := range strings.Lines(string(p.source[q.start:q.end])) {
		if strings.Contains(firstLetters(l, 4000), want) && (best < 0 || absoluteLink(at-guess) < absoluteLink(best-guess)) {
			best = at
		}
		at++
	}
	if best < 0 {
		return guess
	}
	return best
}

func absoluteLink(n int) int { return max(n, -n) }

// firstLetters are the first letters and digits of a line, without its styles.
func firstLetters(s string, most int) string {
	var b strings.Builder
	widget.LettersOf(s, func(text string, _ widget.Range) bool {
		for _, r := range text {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				b.WriteRune(r)
				most--
			}
		}
		return most > 0
	})
	return b.String()
}
