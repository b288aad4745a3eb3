package page

import (
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/store/doc"
)

// Code and tables that are folded in the middle are code and tables on both sides of the
// fold.
func TestFoldedMarkup(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		src   string
		kind  doc.BlockKind
		folds []contract.LineRange
		want  []string // what the renderer is given, piece by piece
	}{
		"code": {"```sh\none\ntwo\nthree\nfour\nfive\nsix\n```\n", doc.Code, []contract.LineRange{{3, 5}},
			[]string{"```sh\none\n```", "⋯ lines 3–5", "```sh\nfive\nsix\n```"}},
		"a table": {"| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n", doc.Table, []contract.LineRange{{3, 4}},
			[]string{"| a | b |\n| --- | --- |", "⋯ lines 3–4", "| a | b |\n| --- | --- |\n| 5 | 6 |"}},
		"both ends": {"1. a\n2. b\n3. c\n4. d\n5. e\n", doc.Procedure, []contract.LineRange{{1, 2}, {4, 5}},
			[]string{"⋯ lines 1–2", "3. c", "⋯ lines 4–5"}},
	} {
		lines := doc.CountLines([]byte(tt.src))
		span := doc.Span{End: len(tt.src), StartLine: 1, EndLine: lines}
		d := &doc.Document{Sections: []doc.Section{{Parent: -1, Span: span, Tree: span}}, Blocks: []doc.Block{{Kind: tt.kind, Span: span}}}
		p := PreparePage(Page{Doc: d, Source: []byte(tt.src)}).WithFolds(tt.folds)
		var got []string
		for i, q := range p.pieces {
			if q.note != "" {
				got = append(got, q.note)
				continue
			}
			got = append(got, strings.TrimSpace(p.markdownOf(i)))
		}
		if strings.Join(got, "\n--\n") != strings.Join(tt.want, "\n--\n") {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
