package search

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"docent/store"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"## A **bold** [link](https://x.example/a_b) and `code`", "A bold link and code"},
		{"<div class=\"x\">text</div> a < b > c", "text a < b > c"},
		{"| a | b |\n|---|---|", "a b ------"},
		{"{{< note >}}keep{{< /note >}}", "keep"},
		{"a {{< tooltip text=\"pair of *lamps*\" id=\"lamp\" >}} burns", "a pair of lamps burns"},
		{`set {{cssxref("display")}} of {{HTMLElement('main', "the *main* part")}}{{CSSRef}} to {{ item }}`, "set display of the main part to"},
		{`{{Glossary("Lantern")}} and {{deprecated_inline}} {{rfc(1149)}} {{cssxref("a`, `Lantern and {{cssxref("a`},
		{"tabs\tand\n\nlines", "tabs and lines"},
		{"\x1b[31mred\x1b[0m\x07", "31mred 0m"},
		{"C1 \u009b31m and \u0085 next", "C1 31m and next"},
		{"broken \xff\xfe bytes", "broken bytes"},
		{"unclosed [link](https://x", "unclosed link](https://x"},
		{"中文 **粗体**", "中文 粗体"},
		{"", ""},
	} {
		if got := plainPreview(tt.src); got != tt.want {
			t.Errorf("Plain(%q) is %q, want %q", tt.src, got, tt.want)
		}
	}
}

// plainHolds is what must hold of Plain for any bytes: it never panics, gives valid text
// on one line without controls, and adds nothing: its result is in the source in that
// order, except for spaces.
func plainHolds(t interface{ Fatalf(string, ...any) }, src string) {
	got := plainPreview(src)
	if !utf8.ValidString(got) || strings.ContainsFunc(got, unicode.IsControl) {
		t.Fatalf("Plain(%q) is %q", src, got)
	}
	rest := src
	for _, r := range got {
		if r == ' ' {
			continue
		}
		i := strings.IndexRune(rest, r)
		if i < 0 {
			t.Fatalf("Plain(%q) is %q: %q was added", src, got, r)
		}
		rest = rest[i+utf8.RuneLen(r):]
	}
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"", "# a [b](c) <d> `e` {{f}} |g|", `{{cssxref("a\"b", "")}}`, "<a", "](", "{{", "\x1b[0m\u009b", "\xff\xed\xa0\x80", "\ufffd", "中<中>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) { plainHolds(t, src) })
}

func TestPlainAddsNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"<", ">", "](", ")", "{{", "}}", `{{cssxref("`, `")}}`, "[", "|", "\\", "\x1b[", "\xff", "# ", "\n"}))).Draw(t, "parts")
		plainHolds(t, strings.Join(parts, ""))
	})
}

// A snippet is an unchanged piece of the text, between marks for omitted text.
func TestSnippetIsAPieceOfTheText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.OneOf(rapid.StringN(0, 12, 40), rapid.SampledFrom([]string{"wick", "Wick", "lantern", "灯塔的灯芯", "İstanbul", "x"})), 0, 200).Draw(t, "words")
		text := plainPreview(strings.Join(words, rapid.SampledFrom([]string{" ", "", "  "}).Draw(t, "between")))
		r := &run{terms: map[string]float64{"wick": 2, "lantern": 1, "灯芯": 3, "i": .1}}
		got := r.resultMaker().snippet(text)
		if r.resultMaker().snippet(text) != got {
			t.Fatalf("%q has two snippets", text)
		}
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > snippetRunes+4 {
			t.Fatalf("the snippet of %q is %q", text, got)
		}
		piece := got
		if s, ok := strings.CutPrefix(piece, "… "); ok && !strings.HasPrefix(text, piece) {
			piece = s
		}
		if s, ok := strings.CutSuffix(piece, " …"); ok && !strings.HasSuffix(text, piece) {
			piece = s
		}
		if !strings.Contains(text, piece) {
			t.Fatalf("the snippet %q is no piece of %q", got, text)
		}
	})
}

func TestSnippetFindsTheBestPlace(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("some other words that say little ", 20)
	r := &run{terms: map[string]float64{"lantern": 1, "wick": 2}}
	got := r.resultMaker().snippet("lantern " + filler + "trim the lantern wick level " + filler)
	if !strings.Contains(got, "trim the lantern wick level") || !strings.HasPrefix(got, "… ") || !strings.HasSuffix(got, " …") {
		t.Errorf("the snippet is %q", got)
	}
}

// trim keeps the limit, never empties a page that it keeps, and keeps the best:
// no heading that was left out scores more than one that was kept.
func TestTrim(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var pages []page
		total := 0
		for range rapid.IntRange(0, 30).Draw(t, "pages") {
			var p page
			score := 10.0
			for range rapid.IntRange(1, passagesPerPage).Draw(t, "headings") {
				score = float64(rapid.IntRange(1, int(score)).Draw(t, "score")) // descending, with ties
				p.hits = append(p.hits, hit{Hit: store.Hit{Score: score}})
			}
			total += len(p.hits)
			pages = append(pages, p)
		}
		limit := rapid.IntRange(1, 60).Draw(t, "limit")
		before := make([]int, len(pages))
		for i, p := range pages {
			before[i] = len(p.hits)
		}
		kept := 0
		low := 100.0
		var all []float64
		for _, p := range pages {
			for _, h := range p.hits {
				all = append(all, h.Score)
			}
		}
		counts := map[float64]int{}
		for _, s := range all {
			counts[s]++
		}
		for _, p := range trimHeadings(pages, limit) {
			if len(p.hits) == 0 {
				t.Fatalf("an empty page was kept")
			}
			for _, h := range p.hits {
				kept++
				counts[h.Score]--
				low = min(low, h.Score)
			}
		}
		if kept != min(limit, total) {
			t.Fatalf("kept %d of %d, the limit is %d", kept, total, limit)
		}
		for s, n := range counts {
			if n > 0 && kept > 0 && s > low {
				t.Fatalf("%d of score %v were left out, %v was kept", n, s, low)
			}
		}
	})
}
