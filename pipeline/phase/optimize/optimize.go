// Package optimize is phase 0a: it analyses a question and writes three to five
// search queries for it.
//
// The built-in way works by rules: a lexicon and dictionaries translate words, a
// table lists synonyms, and conjunctions separate the parts of a question. The same
// question gives the same queries. No answer is stored for any whole question. The
// package refuses to search, to rank and to choose the question's scene (phase 0b).
//
// Terms. A frame is the question as a list of terms with roles. A topic is a term for
// the question's subject, an action a term for something that is done. A concept is
// an action or a thing with several names. A part is one of several questions in one.
package optimize

import (
	"context"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/kind"
	"docent/pipeline/question/reading"
)

const (
	maxQueryRunes = 256  // a rewritten query is at most this many characters
	maxAskedRunes = 2000 // the question itself: every word of a long one counts (nDCG@10 +.02 on cisi)
	maxReadBytes  = 8192 // the part of a long question that is read word by word
	maxNouns      = 16
	maxVerbs      = 8
)

// Builtin is phase 0a by rule.
type Builtin struct {
	sets question.Sets
}

// New makes a Builtin that finds the names of the doc sets of sets; nil: none.
func New(sets question.Sets) *Builtin { return &Builtin{sets: sets} }

// Optimize writes a question's analysis and queries. It fails with
// SEARCH_QUERY_EMPTY if the question is empty, and if the doc sets cannot be listed.
func (b *Builtin) Optimize(ctx context.Context, in contract.OptimizeInput) (contract.Optimized, contract.Trace, error) {
	trace := contract.Trace{Engine: contract.EngineBuiltin}
	text, cut := question.CleanQuestion(in.Query)
	if text == "" {
		return contract.Optimized{}, trace, contract.EmptyQuery()
	}
	if err := ctx.Err(); err != nil {
		return contract.Optimized{}, trace, err
	}
	if cut {
		trace.Degraded = append(trace.Degraded, contract.Degraded{Phase: contract.PhaseOptimize, Wanted: "the whole question",
			Used: "its first 65536 bytes", Reason: "the question is longer than that"})
	}
	t := load()
	asked := question.WithoutPreference(text)
	head := question.Shorten(asked, maxReadBytes)
	language := question.Language(head)
	whole := t.readFrame(head, language)
	target, err := question.FindAim(ctx, b.sets, in.DocSets, head)
	if err != nil {
		return contract.Optimized{}, trace, err
	}
	short := target.Naming.Without(head)
	if plain := target.WithoutVersions(head); plain != head {
		text, asked, head = target.WithoutVersions(text), target.WithoutVersions(asked), plain
		whole = t.readFrame(head, language)
	}
	f := whole
	if len(target.Naming.Mentions) > 0 {
		if g := t.readFrame(short, language); len(contentTerms(g.terms)) > 0 {
			f = g
		} else {
			short = "" // the doc set is what the question is about
		}
	}

	named := head
	if len(target.Naming.Mentions) > 0 && short != "" {
		named = short
	}
	r := kind.ReadKind(named)
	if comparesDocSets(target, r, head) {
		r = kind.Reading{Kind: contract.KindComparison, Cue: kind.ReadKind(head).Cue}
	}
	switch {
	case r.Kind == contract.KindDefinition || r.Kind == contract.KindComparison:
		f.actionsAsThings()
	case r.Pasted:
		if g := t.readFrame(kind.Stable(head), language); len(contentTerms(g.terms)) > 0 {
			f = g
		}
	}

	out := contract.Optimized{
		QueryAnalysis: contract.QueryAnalysis{
			DocSet:         namedDocSets(target),
			DomainNouns:    t.domainNouns(f.terms, maxNouns),
			PredicateVerbs: predicateVerbs(f.terms, maxVerbs),
			Language:       language,
		},
		OptimizedQueries: t.writeQueries(asked, short, language, f, r),
	}
	c := &contract.Context{Question: text, Language: language, Translations: translations(f.terms)}
	t.readKind(c, r)
	c.Reading = reading.New(c, r)
	for _, q := range out.OptimizedQueries {
		c.Queries = append(c.Queries, q.Query)
	}
	target.ApplyTo(c)
	out.Context = c
	return out, trace, nil
}

// namedDocSets are the doc sets that the question or a person names. Those that are only
// implied stand in the context, from which merge takes them: a list of all doc sets
// would name none.
func namedDocSets(t question.Target) []string {
	if !t.Explicit {
		return []string{}
	}
	return append([]string{}, t.DocSets...)
}
