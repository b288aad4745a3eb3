package search

import (
	"cmp"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/store"
	"docent/store/analysis"
	"docent/store/doc"
)

// resultMaker makes the results of the pages that were found: texts, evidence, explanations.
type resultMaker struct{ *run }

func (x *run) resultMaker() resultMaker { return resultMaker{x} }

// evidenceLevel says on what evidence a page answers. The TOC file is read only where
// the headings do not settle it: it may name what the page's text does not.
func (r resultMaker) evidenceLevel(a *analysis.Analyzer, set store.Set, res contract.Result, h1 string, sections []doc.Section) string {
	level, cross := contract.LevelTitle, contract.LevelCross
	if slices.ContainsFunc(r.asked, func(s store.Set) bool { return s.ID == set.ID }) {
		cross = ""
	}
	text := res.PageTitle + "\n" + h1 + "\n" + strings.Join(res.Headings[0].Path, "\n")
	if !r.covers(a, text) {
		level = contract.LevelTOC
		var toc strings.Builder
		toc.WriteString(text)
		for _, s := range sections {
			toc.WriteByte('\n')
			toc.WriteString(s.Text)
		}
		if !r.covers(a, toc.String()) {
			if res.TOCPath == "" {
				return contract.LevelContent
			}
			entries, err := r.b.Corpus.TOC(set, res.TOCPath)
			if err != nil { // a page may lack its TOC
				return contract.LevelContent
			}
			for _, e := range entries {
				toc.WriteByte('\n')
				toc.WriteString(e.Text)
			}
			if !r.covers(a, toc.String()) {
				return contract.LevelContent
			}
		}
	}
	return cmp.Or(cross, level)
}

// covers reports whether a text has enough of one of the queries.
func (r resultMaker) covers(a *analysis.Analyzer, text string) bool {
	have := map[string]bool{}
	a.Seek(text, r.wants, func(t analysis.Token, id int) {
		if id >= 0 {
			have[t.Term] = true
		}
	})
	for _, ask := range r.asks {
		var got, all float64
		for _, t := range ask {
			all += r.terms[t]
			if have[t] {
				got += r.terms[t]
			}
		}
		if all > 0 && got >= evidence*all {
			return true
		}
	}
	return false
}

// wanted gives the distinct terms of each query. Identifiers are looked for by
// their parts: a title has "Feature gates", not "--feature-gates".
func (r resultMaker) wanted() [][]string {
	a := analysis.New()
	out := make([][]string, len(r.Queries))
	for i, q := range r.Queries {
		for _, t := range a.Tokens(q.Text) {
			if t.Kind != analysis.Stop && t.Kind != analysis.Identifier && !slices.Contains(out[i], t.Term) {
				out[i] = append(out[i], t.Term)
			}
		}
	}
	return out
}
