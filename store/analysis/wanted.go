package analysis

// Wanted tells most words that cannot become one of some terms from those that
// may, by their first letters: few words of a text are looked for, and only those
// need to be stemmed.
type Wanted struct {
	pairs [1 << 10]uint64 // a bit for each pair of first bytes
	terms map[string]int
}

// NewWanted makes a Wanted of terms, numbered as the caller likes.
func NewWanted(terms map[string]int) *Wanted {
	w := &Wanted{terms: terms}
	for t := range terms {
		switch len(t) {
		case 0:
		case 1: // what "aed" is stemmed to
			for c := range 256 {
				w.setPair(t[0], byte(c))
			}
		default:
			w.setPair(t[0], t[1])
		}
	}
	// The three words whose stem begins otherwise: dying, lying, tying.
	for _, c := range []byte("dlt") {
		w.setPair(c, 'y')
	}
	return w
}

func (w *Wanted) setPair(a, b byte) {
	p := uint16(a)<<8 | uint16(b)
	w.pairs[p>>6] |= 1 << (p & 63)
}

// mayBecome reports whether a folded word, or an identifier, may become one of the terms.
func (w *Wanted) mayBecome(t string) bool {
	if len(t) < 2 {
		return true
	}
	p := uint16(t[0])<<8 | uint16(t[1])
	return w.pairs[p>>6]&(1<<(p&63)) != 0
}

// Seek is like Each, for callers that look for some terms only: id is the number of the
// token's term, or -1; the Term of other tokens may be empty.
func (a *Analyzer) Seek(text string, w *Wanted, f func(t Token, id int)) {
	a.wanted = w
	defer func() { a.wanted = nil }()
	a.EachToken(text, func(t Token) {
		id := -1
		if t.Term != "" {
			if n, ok := w.terms[t.Term]; ok {
				id = n
			}
		}
		f(t, id)
	})
}
