package lexical

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"

	"docent/store/analysis"
)

// Abbreviation is a short form with what a passage says that it stands for:
// "horizontal pod autoscaler (HPA)".
type Abbreviation struct {
	Short, Long string // as written
}

// Definition is an abbreviation as it is looked up.
type Definition struct {
	Abbreviation // in the spelling that most passages have
	// Key is what Short is looked up by, see AbbreviationKey; Stems the long
	// form's words, see LongKey.
	Key, Stems string
	Passages   int // that define it so, in any spelling of one Key and Stems
}

const (
	abbreviationField = "abbreviation"
	mostLongBytes     = 120
)

// AbbreviationKey is what a short form is looked up by: its lower case, without a
// plural's s, empty for what is too long to be one.
func AbbreviationKey(short string) string {
	if len(short) > mostShortBytes {
		return ""
	}
	if n := len(short) - 1; utf8.RuneCountInString(short) > 2 && short[n] == 's' {
		if r, _ := utf8.DecodeLastRuneInString(short[:n]); unicode.IsUpper(r) {
			short = short[:n]
		}
	}
	return strings.ToLower(short)
}

const mostShortBytes = 24

// LongKey is what a long form is looked up by: the terms of its words, which
// "PersistentVolumeClaims" shares with "persistent volume claim".
func LongKey(a *analysis.Analyzer, long string) string {
	var words []string
	a.Each(long, func(t analysis.Token) {
		if t.Kind == analysis.Word {
			words = append(words, t.Term)
		}
	})
	return strings.Join(words, " ")
}

// newAbbreviations makes the field of a passage's definitions: a term has the
// keys, so that they need not be made again by every process, and the spelling.
func newAbbreviations(a *analysis.Analyzer, list []Abbreviation) *field {
	fl := &field{name: abbreviationField, options: index.IndexField, freqs: index.TokenFrequencies{}}
	for _, d := range list {
		def := Definition{Abbreviation: d, Key: AbbreviationKey(d.Short), Stems: LongKey(a, d.Long)}
		if def.Key == "" || def.Stems == "" || len(d.Long) > mostLongBytes {
			continue
		}
		t := def.term()
		if fl.freqs[t] == nil {
			tf := &index.TokenFreq{Term: []byte(t)}
			tf.SetFrequency(1)
			fl.freqs[t] = tf
			fl.length++
			fl.size += len(d.Short) + len(d.Long)
		}
	}
	return fl
}

func (d Definition) term() string {
	return strings.Join([]string{d.Key, d.Stems, d.Short, d.Long}, "\x00")
}

// parseDefinition reads a term of the field.
func parseDefinition(term string) (Definition, bool) {
	p := strings.Split(term, "\x00")
	if len(p) != 4 {
		return Definition{}, false
	}
	return Definition{Key: p[0], Stems: p[1], Abbreviation: Abbreviation{Short: p[2], Long: p[3]}}, true
}

// Definitions gives the abbreviations that passages define and wanted takes, by
// its keys: those that most passages define first.
func (s Searcher) Definitions(ctx context.Context, wanted func(key, stems string) bool) ([]Definition, error) {
	spellings := map[Definition]int{} // passages by spelling; Passages is 0 in these
	for _, r := range s.Readers {
		all, err := r.definitions(ctx)
		if err != nil {
			return nil, err
		}
		for _, d := range all {
			if !wanted(d.Key, d.Stems) {
				continue
			}
			// The dictionary keeps the terms of deleted passages for a while.
			n, err := r.defining(ctx, d)
			if err != nil {
				return nil, err
			}
			if n > 0 {
				spellings[d] += n
			}
		}
	}
	type keys struct{ key, stems string }
	type meaning struct {
		best Definition
		most int // passages of its spelling
		all  int
	}
	by := map[keys]meaning{}
	for d, n := range spellings {
		m := by[keys{d.Key, d.Stems}]
		m.all += n
		if n > m.most || n == m.most && (d.Long < m.best.Long || d.Long == m.best.Long && d.Short < m.best.Short) {
			m.best, m.most = d, n
		}
		by[keys{d.Key, d.Stems}] = m
	}
	out := make([]Definition, 0, len(by))
	for _, m := range by {
		m.best.Passages = m.all
		out = append(out, m.best)
	}
	slices.SortFunc(out, func(a, b Definition) int {
		return cmp.Or(cmp.Compare(b.Passages, a.Passages), strings.Compare(a.Key, b.Key), strings.Compare(a.Stems, b.Stems))
	})
	return out, nil
}

// definitions is all that the dictionary has, read once.
func (r *Reader) definitions(ctx context.Context) ([]Definition, error) {
	if r.rd == nil {
		return nil, nil
	}
	r.mu.Lock()
	have := r.defs
	r.mu.Unlock()
	if have != nil {
		return have, nil
	}
	found := map[string]bool{}
	if err := r.walk(ctx, []string{abbreviationField}, math.MaxInt, found, r.rd.FieldDict); err != nil {
		return nil, err
	}
	have = make([]Definition, 0, len(found))
	for _, t := range slices.Sorted(maps.Keys(found)) {
		if d, ok := parseDefinition(t); ok {
			have = append(have, d)
		}
	}
	r.mu.Lock()
	r.defs = have
	r.mu.Unlock()
	return have, nil
}

// defining is the number of passages with a definition in one spelling.
func (r *Reader) defining(ctx context.Context, d Definition) (passages int, err error) {
	term := d.term()
	err = r.walking(ctx, term, func(*walker) error {
		for _, s := range r.segments {
			dict, err := s.Segment().Dictionary(abbreviationField)
			if err != nil {
				return err
			}
			l, err := dict.PostingsList([]byte(term), s.Deleted(), nil)
			if err != nil {
				return err
			}
			passages += int(l.Count())
		}
		return nil
	})
	return passages, err
}
