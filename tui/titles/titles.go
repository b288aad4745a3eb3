// Package titles finds doc sets, pages and headings by parts of their names, as one
// types: every word must be there, as it is now, or its letters in their order
// from the beginning of a word on.
//
// It refuses to look into texts, which is the search's work, and to know how its
// finds are shown.
//
// Terms. An entry is a doc set, a page or a heading. Its own name is what it is
// called; a heading is found by its page's title too, and everything by its doc
// set and path.
package titles

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/service/pages"
)

// What is found, as the service of pages lists it.
type (
	Page    = pages.TitledPage
	Heading = pages.Heading
)

// Kind is what an entry is.
type Kind uint8

// The kinds, in the order of entries that match as well.
const (
	DocSet Kind = iota
	PageKind
	HeadingKind
)

// Entry is a find.
type Entry struct {
	Kind    Kind
	Page    Page    // of a doc set only its name
	Heading Heading // of a heading
}

// Name is the entry's own name.
func (e Entry) Name() string {
	switch e.Kind {
	case DocSet:
		return e.Page.DocSet
	case PageKind:
		return e.Page.Title
	}
	return e.Heading.Name()
}

// key is an entry in small letters, for finding.
type key struct {
	own, page, around string // around: its doc set and path
	of                int32  // of the index's pages, -1: a doc set
	heading           int32  // of the page's headings, -1: none
	kind              Kind
	ownLetters        uint64 // of own
	letters           uint64 // of all of it
}

// Index is the names of all doc sets. It is immutable.
type Index struct {
	sets  []string
	pages []Page
	keys  []key
}

// NewIndex makes the index of pages, doc set after doc set. Its time grows with
// their number: call it in a command.
func NewIndex(pages []Page) *Index {
	n := len(pages)
	for _, p := range pages {
		n += len(p.Headings)
	}
	x := &Index{pages: pages, keys: make([]key, 0, n+8)}
	for i, p := range pages {
		if len(x.sets) == 0 || x.sets[len(x.sets)-1] != p.DocSet {
			x.sets = append(x.sets, p.DocSet)
			x.addEntry(key{own: strings.ToLower(p.DocSet), of: int32(i), heading: -1, kind: DocSet})
		}
		title, around := strings.ToLower(p.Title), strings.ToLower(p.DocSet+" "+p.Path)
		x.addEntry(key{own: title, around: around, of: int32(i), heading: -1, kind: PageKind})
		for k, h := range p.Headings {
			if own := strings.ToLower(h.Name()); own != title && own != "" { // the page's own heading
				x.addEntry(key{own: own, page: title, around: around, of: int32(i), heading: int32(k), kind: HeadingKind})
			}
		}
	}
	return x
}

func (x *Index) addEntry(k key) {
	k.ownLetters = letterSet(k.own)
	k.letters = k.ownLetters | letterSet(k.page) | letterSet(k.around)
	x.keys = append(x.keys, k)
}

// Len is the number of entries.
func (x *Index) Len() int { return len(x.keys) }

// Sets are the doc sets, in their order.
func (x *Index) Sets() []Entry {
	var out []Entry
	for _, s := range x.sets {
		out = append(out, Entry{Kind: DocSet, Page: Page{DocSet: s}})
	}
	return out
}

func (x *Index) entryAt(i int32) Entry {
	k := x.keys[i]
	e := Entry{Kind: k.kind, Page: x.pages[k.of]}
	switch k.kind {
	case DocSet:
		e.Page = Page{DocSet: e.Page.DocSet}
	case HeadingKind:
		e.Heading = e.Page.Headings[k.heading]
	}
	return e
}

// letterSet is a set of the letters and digits in a text; all others are one.
func letterSet(s string) uint64 {
	var m uint64
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			m |= 1 << (c - 'a')
		case c >= '0' && c <= '9':
			m |= 1 << (26 + c - '0')
		case c >= utf8.RuneSelf:
			m |= 1 << (36 + c%24)
		case c > ' ':
			m |= 1 << 62
		}
	}
	return m
}

// WordsOf are the words of the typed text, in small letters.
func WordsOf(text string) []string {
	return strings.Fields(strings.ToLower(text))
}

// mostWords bounds the work for a pasted text.
const mostWords = 12

// Query is what to find.
type Query struct {
	Text  string
	Most  int  // finds that are given, the best
	Exact bool // every word as it is now, from the beginning of a word on
}

// found is an entry with its score.
type found struct {
	at    int32
	score int32
}

// isBetter is the order of finds: by score, then as the doc sets stand.
func isBetter(a, b found) int {
	if a.score != b.score {
		return int(b.score) - int(a.score)
	}
	return int(a.at) - int(b.at)
}

// share is the entries that one goroutine looks at, at least.
const share = 8000

// Find gives the best entries and the number of all. It takes some milliseconds
// for 100 000 entries: call it in a command.
func (x *Index) Find(ctx context.Context, q Query) ([]Entry, int, error) {
	words := WordsOf(q.Text)
	words = words[:min(len(words), mostWords)]
	if len(words) == 0 || q.Most < 1 {
		return nil, 0, ctx.Err()
	}
	n := max(1, min(runtime.GOMAXPROCS(0), len(x.keys)/share))
	parts := make([]best, n)
	var wg sync.WaitGroup
	for i := range n {
		from, to := len(x.keys)*i/n, len(x.keys)*(i+1)/n
		parts[i].most = q.Most
		wg.Go(func() { x.findEntries(ctx, words, q.Exact, from, to, &parts[i]) })
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	var all []found
	total := 0
	for _, p := range parts {
		all, total = append(all, p.list...), total+p.total
	}
	slices.SortFunc(all, isBetter)
	out := make([]Entry, 0, min(len(all), q.Most))
	for _, f := range all[:min(len(all), q.Most)] {
		out = append(out, x.entryAt(f.at))
	}
	return out, total, nil
}

// best keeps the best finds of a part.
type best struct {
	list  []found
	most  int
	total int
}

func (b *best) addCandidate(f found) {
	b.total++
	b.list = append(b.list, f)
	if len(b.list) >= 4*b.most {
		slices.SortFunc(b.list, isBetter)
		b.list = b.list[:b.most]
	}
}

func (x *Index) findEntries(ctx context.Context, words []string, exact bool, from, to int, out *best) {
	masks := make([]uint64, len(words))
	all := uint64(0)
	for i, w := range words {
		masks[i] = letterSet(w)
		all |= masks[i]
	}
	whole := strings.Join(words, " ")
	for i := from; i < to; i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return
		}
		k := &x.keys[i]
		if all&^k.letters != 0 {
			continue
		}
		sum, named := 0, false
		for j, w := range words {
			s, own := k.scoreOfWord(w, masks[j], exact)
			if s == 0 {
				sum = 0
				break
			}
			sum += s
			named = named || own
		}
		if sum == 0 {
			continue
		}
		sum /= len(words)
		if !named { // every heading of a page has the words of the page's title
			sum /= 4
		}
		if len(words) > 1 {
			if at, start := placeOfWord(k.own, whole); at >= 0 && start {
				sum += 300
			}
		}
		if k.own == whole {
			sum += 400
		}
		if k.kind != HeadingKind {
			sum += 200 // titles first
		}
		out.addCandidate(found{int32(i), int32(sum - min(60, len(k.own)/2))})
	}
}

// scoreOfWord is how well a word matches, 0: it does not; own reports whether the entry's own
// name has it.
func (k *key) scoreOfWord(word string, mask uint64, exact bool) (score int, own bool) {
	at, start := placeOfWord(k.own, word)
	switch {
	case at == 0:
		return 800, true
	case at > 0 && start:
		return 650, true
	}
	if p, s := placeOfWord(k.page, word); p >= 0 && s {
		return 300, false
	}
	if p, s := placeOfWord(k.around, word); p >= 0 && s {
		return 150, false
	}
	switch {
	case exact:
		return 0, false
	case at > 0:
		return 450, true
	case strings.Contains(k.page, word):
		return 200, false
	case strings.Contains(k.around, word):
		return 110, false
	case mask&^k.ownLetters == 0:
		return scattered(k.own, word), true
	}
	return 0, false
}

// placeOfWord is where a word stands in a text, at the beginning of one of its words
// rather than within one; -1 where it does not.
func placeOfWord(text, word string) (at int, start bool) {
	at = strings.Index(text, word)
	for from := at; from >= 0; {
		if from == 0 || !wordBefore(text, from) {
			return from, true
		}
		next := strings.Index(text[from+1:], word)
		if next < 0 {
			break
		}
		from += 1 + next
	}
	return at, false
}

// BeginsWord reports whether a word of a text begins with the given letters. Both are in small
// letters.
func BeginsWord(text, word string) bool {
	at, start := placeOfWord(text, word)
	return at >= 0 && start
}

// wordBefore reports whether the character before a place is a part of a word.
func wordBefore(text string, at int) bool {
	if c := text[at-1]; c < utf8.RuneSelf {
		return c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
	}
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return unicode.IsLetter(r) && !isUnspacedScript(r)
}

// isUnspacedScript reports whether a character belongs to a script without spaces.
func isUnspacedScript(r rune) bool {
	return r >= 0x2e80 && r < 0xac00 || r >= 0xf900 && r < 0xfb00 || r >= 0x20000
}

// scattered is the score of a word whose letters stand in a text in their order, the
// first at the beginning of a word: less the farther they are apart. Only spaces
// between them count little: "podsec" is Pod Security.
func scattered(text, word string) int {
	if len(word) < 2 {
		return 0
	}
	first, size := utf8.DecodeRuneInString(word)
	for from := 0; from < len(text); {
		i := strings.IndexRune(text[from:], first)
		if i < 0 {
			return 0
		}
		at := from + i
		from = at + size
		if at > 0 && wordBefore(text, at) {
			continue
		}
		end, ok := followLetters(text, at+size, word[size:])
		switch {
		case !ok:
			return 0
		case strings.ReplaceAll(text[at:end], " ", "") == word:
			return 430
		}
		return max(1, 90-(end-at-len(word)))
	}
	return 0
}

// followLetters is the end of the letters of a word in a text, from a place on.
func followLetters(text string, at int, word string) (int, bool) {
	for _, r := range word {
		i := strings.IndexRune(text[at:], r)
		if i < 0 {
			return 0, false
		}
		at += i + utf8.RuneLen(r)
	}
	return at, true
}
