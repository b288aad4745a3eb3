package search

import (
	"slices"

	"docent/pipeline/phase/search/query"
	"docent/store/analysis"
	"docent/store/wordsearch"
)

// weighTerms sets the terms of the run with their weights, and the terms that
// passages are looked through for.
func (r *run) weighTerms(st wordsearch.Stats) {
	r.documents = st.Documents
	r.terms = map[string]float64{}
	for _, t := range st.Terms {
		r.terms[t.Term] = t.IDF
	}
	r.written()
	r.asks = r.resultMaker().wanted()
	wants := map[string]int{}
	for _, ask := range r.asks {
		for _, t := range ask {
			wants[t] = 0
		}
	}
	r.wants = analysis.NewWanted(wants)
}

// written adds the identifiers of the queries as texts write them, for finding the part
// of a passage that has them.
func (r *run) written() {
	a := r.b.analyzers.Get()
	defer r.b.analyzers.Put(a)
	for _, q := range r.Queries {
		a.EachToken(q.Text, func(t analysis.Token) {
			if idf := r.terms[t.Term]; idf > 0 && t.Kind == analysis.Identifier {
				r.terms[analysis.Written(t)] = idf
			}
		})
	}
}

// grounded reports whether a term that the question is about was found at all:
// expansions add words like "reference" and "guide", which stand everywhere and
// answer nothing by themselves, and other wordings of the question's words are no ground
// to say that a doc set has it.
func (r *run) grounded(st wordsearch.Stats) bool {
	if r.Empty {
		// Nothing but small words: only a heading that is the question answers it.
		for _, t := range st.Terms {
			if analysis.IsNameTerm(t.Term) && t.Frequency > 0 {
				return true
			}
		}
		return false
	}
	first := map[string]bool{}
	for _, t := range analysis.New().Terms(r.Queries[0].Text) {
		first[t] = true
	}
	asked := askedTerms(r.Queries)
	for _, t := range st.Terms {
		if t.Frequency > 0 && (first[t.Term] || asked[t.Term] && !isFiller(t.Term)) {
			return true
		}
	}
	return false
}

// isFiller knows, by their stems, the words that say what kind of page is
// wanted.
func isFiller(term string) bool {
	switch term {
	case "refer", "guid", "document", "overview", "tutori", "exampl", "doc":
		return true
	}
	return false
}

// askedTerms are the terms of the queries, those for other wordings left out.
func askedTerms(queries []query.Query) map[string]bool {
	asked := map[string]bool{}
	a := analysis.New()
	for _, q := range query.Analysed(a, slices.DeleteFunc(slices.Clone(queries), func(q query.Query) bool { return q.Other })) {
		for _, t := range q.Terms {
			asked[t.Term] = true
		}
		for _, g := range q.Groups {
			for _, alt := range g {
				for _, t := range alt.Terms {
					asked[t] = true
				}
			}
		}
	}
	return asked
}
