package analysis

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Seek finds what Each finds.
func TestSeek(t *testing.T) {
	t.Parallel()
	word := rapid.OneOf(
		rapid.StringMatching(`[a-z]{1,7}(s|ed|ing|ly|ies|ied|eed|ational|'s)?`),
		rapid.SampledFrom(strings.Fields("dying lying tying skies skis idly ugly only news aed oing ied the The Dying C++ --dry-run fooBar x-y_z .NET Größe Éa 日本語 a_b 'tis yes eye")),
		rapid.StringMatching(`[A-Za-zé._-]{1,6}`),
	)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 0, 30).Draw(t, "words")
		text := strings.Join(words, " ")
		a := New()
		terms := map[string]int{}
		all := a.Tokens(text)
		for i, tok := range all {
			if rapid.Bool().Draw(t, "wanted") {
				terms[tok.Term] = i
			}
		}
		var got []Token
		a.Seek(text, NewWanted(terms), func(tok Token, id int) {
			n, ok := terms[all[len(got)].Term]
			if !ok {
				n = -1
			}
			if id != n {
				t.Fatalf("%+v is %d, want %d", all[len(got)], id, n)
			}
			if tok.Term == "" && id < 0 {
				tok.Term = all[len(got)].Term
			}
			got = append(got, tok)
		})
		if !slices.Equal(got, all) {
			t.Fatalf("%v, want %v", got, all)
		}
	})
}
