// Package analysis turns text into terms: indexed text and queries by the same rules, so
// that a word finds itself.
//
// Rules, in order: text is split into runs of letters and digits that may be
// joined by one of _ . - / : @ (an identifier, `foo.bar`, `feature-gates`).
// An identifier gives itself whole and its parts (at the joints and at
// camelCase borders). Words are lower-cased, accents are folded, Greek
// letters that are symbols get their names (IFN-γ, IFN-gamma), stop words are
// dropped and the rest is stemmed (Porter2); identifiers are not, but for one
// with hyphens alone, which is stemmed as what it is without them (e-mail, email). A
// flag keeps its dashes (`--feature-gates`), `C++`, `C#` and `.NET` keep their
// signs. Runs of Han, Kana and Hangul give overlapping bigrams, a single
// character gives itself.
//
// It refuses to know about languages beyond that, about fields, and about what
// terms are good for.
package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"docent/store/parallel"
)

// maxTerm is the longest term in bytes; longer ones are cut at a rune border.
const maxTerm = 64

// maxStems bounds the cache of stems, so that an Analyzer that lives long
// stays small.
const maxStems = 1 << 15

// Kind says what a term is.
type Kind uint8

// The kinds of terms.
const (
	Word       Kind = iota // stemmed
	Identifier             // whole, as written but for case; hyphenated, without its hyphens and stemmed
	Bigram                 // of CJK text
	Stop                   // a stop word; only reported by Each with stop words
)

// Token is one term with the word it came from.
type Token struct {
	Term string
	Word string // as written
	Kind Kind
	Pos  int // counts words, so that neighbours are 1 apart
}

// Analyzer turns text into terms. It is not safe for concurrent use: it keeps a
// cache of stems.
type Analyzer struct {
	stems map[string]string
	env   *snowballstem.Env
	buf   []byte

	wanted *Wanted // while it seeks
}

// New makes an Analyzer.
func New() *Analyzer {
	return &Analyzer{stems: map[string]string{}, env: snowballstem.NewEnv("")}
}

// Pool keeps Analyzers with the stems that they know, for callers that analyse texts of
// the same kind repeatedly. The zero Pool is ready; it is safe for concurrent use and
// must not be copied.
type Pool struct{ p parallel.Pool[Analyzer] }

// Get returns an Analyzer for the caller alone until it is Put back.
func (p *Pool) Get() *Analyzer { return p.p.Get(New) }

// Put gives an Analyzer back.
func (p *Pool) Put(a *Analyzer) { p.p.Put(a) }

// Terms is every term of a text, in order, stop words left out.
func (a *Analyzer) Terms(text string) []string {
	var out []string
	a.EachToken(text, func(t Token) {
		if t.Kind != Stop {
			out = append(out, t.Term)
		}
	})
	return out
}

// Tokens is every token of a text, in order, stop words included.
func (a *Analyzer) Tokens(text string) []Token {
	var out []Token
	a.EachToken(text, func(t Token) { out = append(out, t) })
	return out
}

// EachToken calls f with every token of a text, in order, stop words included.
// Bytes that are not UTF-8 separate words.
func (a *Analyzer) EachToken(text string, f func(Token)) {
	pos := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			switch {
			case isASCIIWord(c) || c == '_':
				i = a.readRun(text, i, i, &pos, f)
			case c == '-' && i+2 < len(text) && text[i+1] == '-' && isASCIIWord(text[i+2]) && (i == 0 || !isJoinable(text[i-1])):
				i = a.readRun(text, i, i+2, &pos, f)
			case c == '.' && i+1 < len(text) && isASCIILetter(text[i+1]) && (i == 0 || !isJoinable(text[i-1])):
				i = a.readRun(text, i, i+1, &pos, f)
			default:
				i++
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case IsCJK(r):
			i = a.readCJK(text, i, &pos, f)
		case isWordRune(r) && size > 1:
			i = a.readRun(text, i, i, &pos, f)
		default:
			i += size
		}
	}
}

// readCJK reads a run of CJK characters that begins at i.
func (a *Analyzer) readCJK(text string, i int, pos *int, f func(Token)) int {
	start, prev, n := i, -1, 0
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !IsCJK(r) {
			break
		}
		if prev >= 0 {
			g := text[prev : i+size]
			f(Token{Term: g, Word: g, Kind: Bigram, Pos: *pos})
			*pos++
		}
		prev = i
		i += size
		n++
	}
	if n == 1 {
		g := text[start:i]
		f(Token{Term: g, Word: g, Kind: Bigram, Pos: *pos})
		*pos++
	}
	return i
}

// readRun reads one identifier or word: from is where its signs begin (the dashes
// of a flag, the dot of .NET), at is where its first word begins. It returns
// where the next one may begin.
func (a *Analyzer) readRun(text string, from, at int, pos *int, f func(Token)) int {
	j, joints := at, 0
	for j < len(text) {
		c := text[j]
		if c < utf8.RuneSelf {
			if isASCIIWord(c) || c == '_' {
				j++
				continue
			}
			if isJoint(c) && j > at && j+1 < len(text) && isWordByte(text, j+1) {
				j++
				joints++
				continue
			}
			if c == ':' && j > at && j+2 < len(text) && text[j+1] == ':' && isWordByte(text, j+2) {
				j += 2
				joints++
				continue
			}
			break
		}
		r, size := utf8.DecodeRuneInString(text[j:])
		if !isWordRune(r) || IsCJK(r) {
			break
		}
		j += size
	}
	if j == at { // a joint with nothing behind it
		return at + 1
	}
	end := j
	// C++, C#, F#
	if end < len(text) && end-at <= 3 && joints == 0 {
		if strings.HasPrefix(text[end:], "++") {
			end += 2
		} else if text[end] == '#' && (end+1 == len(text) || !isJoinable(text[end+1])) {
			end++
		}
	}
	whole := text[from:end]
	base := text[at:j]
	splits := joints > 0 || strings.IndexByte(base, '_') >= 0 || hasCamel(base)
	joined := ""
	if splits {
		joined = a.joinedWithoutHyphens(base)
	}
	if splits || from < at || end > j {
		t := joined
		if t == "" || from < at || end > j {
			t = a.foldWord(strings.TrimRight(whole, "_"))
		}
		if t != "" {
			f(Token{Term: t, Word: whole, Kind: Identifier, Pos: *pos})
		}
	}
	// The sign is the point of .NET and C++, but a flag is also looked for
	// without its dashes.
	if splits && from < at && text[from] == '-' {
		t := joined
		if t == "" {
			t = a.foldWord(base)
		}
		f(Token{Term: t, Word: base, Kind: Identifier, Pos: *pos})
	}
	if !splits {
		a.readWord(base, pos, f)
	} else {
		a.splitParts(base, pos, f)
	}
	if strings.HasPrefix(text[end:], "'s") || strings.HasPrefix(text[end:], "’s") {
		k := end + strings.IndexByte(text[end:], 's') + 1
		if k == len(text) || !isWordByte(text, k) {
			return k
		}
	}
	return end
}

// joinedWithoutHyphens is a hyphenated word without its hyphens, stemmed, so that e-mail finds email
// and IL-6 finds IL6; "" for words joined by other signs, and for numbers.
func (a *Analyzer) joinedWithoutHyphens(base string) string {
	letters := false
	for i := 0; i < len(base); i++ {
		switch c := base[i]; {
		case c == '_' || c != '-' && isJoint(c):
			return ""
		case c >= utf8.RuneSelf || isASCIILetter(c):
			letters = true
		}
	}
	if !letters || hasCamel(base) || strings.IndexByte(base, '-') < 0 {
		return ""
	}
	return a.stemWord(a.foldWord(strings.ReplaceAll(base, "-", "")))
}

// splitParts gives the words of an identifier, split at joints, underscores and
// camelCase borders.
func (a *Analyzer) splitParts(base string, pos *int, f func(Token)) {
	start := 0
	flush := func(end int) {
		if start >= end {
			return
		}
		seg := base[start:end]
		if !hasCamel(seg) {
			a.readWord(seg, pos, f)
			return
		}
		if len(seg) < len(base) {
			f(Token{Term: a.foldWord(seg), Word: seg, Kind: Identifier, Pos: *pos})
		}
		s := 0
		for k := 1; k < len(seg); k++ {
			if camelBorder(seg, s, k) {
				a.readWord(seg[s:k], pos, f)
				s = k
			}
		}
		a.readWord(seg[s:], pos, f)
	}
	for k := 0; k < len(base); k++ {
		if c := base[k]; c == '_' || isJoint(c) || c == ':' {
			flush(k)
			start = k + 1
		}
	}
	flush(len(base))
}

// readWord gives one plain word: folded, and stemmed unless it is a stop word.
func (a *Analyzer) readWord(w string, pos *int, f func(Token)) {
	t := a.foldWord(w)
	if t == "" {
		return
	}
	p := *pos
	*pos++
	if isStopWord(t) {
		f(Token{Term: t, Word: w, Kind: Stop, Pos: p})
		return
	}
	if a.wanted != nil && !a.wanted.mayBecome(t) {
		f(Token{Word: w, Kind: Word, Pos: p})
		return
	}
	f(Token{Term: a.stemWord(t), Word: w, Kind: Word, Pos: p})
}

func (a *Analyzer) stemWord(t string) string {
	if len(t) < 3 || !isASCII(t) {
		return t
	}
	if s, ok := a.stems[t]; ok {
		return s
	}
	a.env.SetCurrent(t)
	english.Stem(a.env)
	s := strings.Clone(a.env.Current())
	if len(a.stems) >= maxStems {
		clear(a.stems)
	}
	a.stems[strings.Clone(t)] = s
	return s
}

// foldWord lower-cases, folds accents and cuts at maxTerm. The result may share
// memory with w.
func (a *Analyzer) foldWord(w string) string {
	lower := true
	for i := 0; i < len(w); i++ {
		if c := w[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			lower = false
			break
		}
	}
	if lower {
		return cutTerm(w)
	}
	b := a.buf[:0]
	symbol, asked := false, false // whether Greek letters are, looked at where there is one
	for _, r := range w {
		switch {
		case r < utf8.RuneSelf:
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			b = append(b, byte(r))
		case unicode.Is(unicode.Mn, r):
		default:
			r = unicode.ToLower(r)
			s := greekName(r)
			if s != "" && !asked {
				symbol, asked = isSymbol(w), true
			}
			if s != "" && symbol {
				b = append(b, s...)
			} else if s, ok := foldAccent(r); ok {
				b = append(b, s...)
			} else {
				b = utf8.AppendRune(b, r)
			}
		}
	}
	a.buf = b
	return cutTerm(string(b))
}

func cutTerm(s string) string {
	if len(s) <= maxTerm {
		return s
	}
	n := maxTerm
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// IsCJK reports whether a rune belongs to a script that is written without spaces.
func IsCJK(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x11ff, 0x2e80 <= r && r <= 0x2fdf, 0x3040 <= r && r <= 0x31ff,
		0x3400 <= r && r <= 0x4dbf, 0x4e00 <= r && r <= 0x9fff, 0xac00 <= r && r <= 0xd7af,
		0xf900 <= r && r <= 0xfaff, 0xff66 <= r && r <= 0xff9d, 0x20000 <= r && r <= 0x3134f:
		return true
	case r == 0x3005 || r == 0x3006 || r == 0x3007:
		return true
	}
	return false
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isASCIIWord(c byte) bool   { return isASCIILetter(c) || '0' <= c && c <= '9' }

// isJoint reports whether a byte may join two words to an identifier.
func isJoint(c byte) bool {
	return c == '.' || c == '-' || c == '/' || c == ':' || c == '@' || c == '$'
}

// isJoinable reports whether a byte may stand inside an identifier.
func isJoinable(c byte) bool {
	return isASCIIWord(c) || c == '_' || isJoint(c) || c >= utf8.RuneSelf
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r))
}

func isWordByte(s string, i int) bool {
	if s[i] < utf8.RuneSelf {
		return isASCIIWord(s[i]) || s[i] == '_'
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return isWordRune(r) && !IsCJK(r)
}

// hasCamel reports whether a word changes from lower to upper case inside, or
// holds an acronym before a word (HTTPServer).
func hasCamel(s string) bool {
	for k := 1; k < len(s); k++ {
		if camelBorder(s, 0, k) {
			return true
		}
	}
	return false
}

// camelBorder reports whether a new word begins at k, in the word that began at s.
func camelBorder(w string, s, k int) bool {
	p, c := w[k-1], w[k]
	switch {
	case 'a' <= p && p <= 'z' && 'A' <= c && c <= 'Z':
		return true
	case 'A' <= p && p <= 'Z' && 'A' <= c && c <= 'Z' && k+1 < len(w) && 'a' <= w[k+1] && w[k+1] <= 'z' && k-s > 0:
		// IPs, APIs: a plural s is no word of its own.
		return w[k+1] != 's' || k+2 < len(w) && 'a' <= w[k+2] && w[k+2] <= 'z'
	}
	return false
}
