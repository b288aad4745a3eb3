// Package eval measures the quality of rankings and of answers.
//
// It compares rankings with relevance judgements, which come from people or from the
// links and tables of the documents. It reads two kinds of test sets: a known-item
// file for a doc set, with one JSON object per line, and a judged collection in the
// format of the BEIR benchmark (corpus.jsonl, queries.jsonl, qrels.tsv). It computes
// Recall, MRR and nDCG for every stage of the ranking, so that a harmful stage is
// visible.
//
// It looks for nuggets in final blocks: the facts that answer a question, as texts of the
// documentation (Voorhees, "Overview of the TREC 2003 Question Answering Track"). A
// question is answered if its block has all of them. For a missing nugget it finds the
// phase that lost it.
//
// It refuses to report meaningless zeros. No queries, queries about missing
// documents, nuggets of which the documentation has none, and a run in which no query
// found anything relevant are errors: a zero that a mistake causes looks like a
// result.
package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"docent/pipeline/text/shorten"
	"docent/pipeline/text/spacing"
)

// Query is a question with its relevance judgements.
type Query struct {
	ID, Text, Kind string
	// Documents maps the relevant documents to their grades, which are positive.
	Documents map[string]int
	// Sections are the relevant sections. It is empty if only whole documents were
	// judged.
	Sections []Section
	// Except are documents to ignore in the ranking: they contain the link whose
	// text is the query.
	Except []string
}

// Section is a relevant section of a document, with its grade.
type Section struct {
	Doc, Heading, Anchor string
	Grade                int
}

// Hit is a heading in a ranking.
type Hit struct{ Doc, Heading, Anchor string }

// Stage is the ranking after one stage of the search, best hit first.
type Stage struct {
	Name string
	Hits []Hit
}

// Searcher answers a question with the rankings of all stages; the last one is the
// answer. It also returns the latency, which may be less than the time of the call.
type Searcher interface {
	Ask(ctx context.Context, question string) ([]Stage, time.Duration, error)
}

// Options are the settings of a run.
type Options struct {
	BySection bool // evaluate sections, with the queries that name one; else documents
	Progress  func(done, total int)
}

// Latency holds percentiles in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// StageMetrics are the metrics of one stage.
type StageMetrics struct {
	Stage string `json:"stage"`
	Metrics
}

// Outcome is the result of one query.
type Outcome struct {
	ID   string  `json:"id"`
	Text string  `json:"query"`
	Kind string  `json:"kind,omitempty"`
	Rank int     `json:"rank"` // of the first relevant hit, from 1; 0: not found
	NDCG float64 `json:"ndcg@10"`

	ranked []string // documents, or sections as document#anchor, best first
}

// Report is the result of a run.
type Report struct {
	Name string `json:"name,omitempty"`
	By   string `json:"by"` // page or section
	Metrics
	Latency  Latency            `json:"latency_ms"`
	ByKind   map[string]Metrics `json:"by_kind"`
	Stages   []StageMetrics     `json:"stages,omitempty"`
	Outcomes []Outcome          `json:"per_query,omitempty"`
}

// The errors of a run whose report would be meaningless.
var (
	ErrEmpty   = errors.New("there are no queries")
	ErrAllZero = errors.New("nothing relevant was found by any query; are these the right doc set and the right queries?")
)

// RunQueries asks every query and computes the metrics.
func RunQueries(ctx context.Context, queries []Query, s Searcher, opt Options) (Report, error) {
	rep := Report{By: "page", ByKind: map[string]Metrics{}}
	if opt.BySection {
		rep.By = "section"
		queries = slices.DeleteFunc(slices.Clone(queries), func(q Query) bool { return len(q.Sections) == 0 })
	}
	if len(queries) == 0 {
		return rep, ErrEmpty
	}
	var latencies []float64
	var total Metrics
	var names []string
	stages := map[string]*Metrics{}
	for i, q := range queries {
		if opt.Progress != nil {
			opt.Progress(i, len(queries))
		}
		relevant := q.relevantGrades(opt.BySection)
		if len(relevant) == 0 {
			return rep, fmt.Errorf("query %s (%q): nothing is relevant to it", q.ID, shorten.Runes(q.Text, mostQuoted))
		}
		found, latency, err := s.Ask(ctx, q.Text)
		if err != nil {
			return rep, fmt.Errorf("query %s (%q): %w", q.ID, shorten.Runes(q.Text, mostQuoted), err)
		}
		if len(found) == 0 {
			return rep, fmt.Errorf("query %s: no stage was reported", q.ID)
		}
		latencies = append(latencies, latency.Seconds()*1000)
		for _, st := range found {
			if stages[st.Name] == nil {
				stages[st.Name] = &Metrics{}
				names = append(names, st.Name)
			}
			grades, _ := q.gradeRanking(st.Hits, opt.BySection)
			stages[st.Name].addQuery(grades, relevant)
		}
		grades, ranked := q.gradeRanking(found[len(found)-1].Hits, opt.BySection)
		total.addQuery(grades, relevant)
		kind := rep.ByKind[q.Kind]
		kind.addQuery(grades, relevant)
		rep.ByKind[q.Kind] = kind
		rep.Outcomes = append(rep.Outcomes, Outcome{ID: q.ID, Text: q.Text, Kind: q.Kind, Rank: firstRelevant(grades),
			NDCG: roundToFourPlaces(ndcgAt10(grades, relevant)), ranked: ranked})
	}
	if opt.Progress != nil {
		opt.Progress(len(queries), len(queries))
	}
	rep.Metrics = total.meanMetrics()
	for k, m := range rep.ByKind {
		rep.ByKind[k] = m.meanMetrics()
	}
	for _, n := range names {
		rep.Stages = append(rep.Stages, StageMetrics{n, stages[n].meanMetrics()})
	}
	slices.Sort(latencies)
	rep.Latency = Latency{roundToFourPlaces(percentile(latencies, 0.5)), roundToFourPlaces(percentile(latencies, 0.95))}
	if total.Recall100 == 0 {
		return rep, ErrAllZero
	}
	return rep, nil
}

// relevantGrades returns the grades of all relevant documents or sections.
func (q Query) relevantGrades(bySection bool) []int {
	var out []int
	if bySection {
		for _, s := range q.Sections {
			out = append(out, s.Grade)
		}
		return out
	}
	for _, g := range q.Documents {
		out = append(out, g)
	}
	return out
}

// gradeRanking returns the grades of a ranking, and the names of the ranked documents or
// sections. Each document, or each section, counts once. Documents in Except are
// skipped unless they are relevant.
func (q Query) gradeRanking(hits []Hit, bySection bool) (gains, []string) {
	var grades gains
	var names []string
	seen := map[Hit]bool{}
	found := make([]bool, len(q.Sections))
	for _, h := range hits {
		if q.Documents[h.Doc] == 0 && slices.Contains(q.Except, h.Doc) {
			continue
		}
		key := Hit{Doc: h.Doc}
		if bySection {
			// The anchor identifies a section of a page. The text of its heading
			// may differ between stages.
			key.Anchor = h.Anchor
			if h.Anchor == "" {
				key.Heading = spacing.Folded(h.Heading)
			}
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		grade := q.Documents[h.Doc]
		if bySection {
			grade = 0
			for i, s := range q.Sections {
				if !found[i] && s.Doc == h.Doc && s.matches(h) {
					found[i], grade = true, s.Grade
					break
				}
			}
		}
		name := h.Doc
		if bySection {
			name += "#" + key.Anchor + key.Heading
		}
		grades, names = append(grades, grade), append(names, name)
	}
	return grades, names
}

// matches reports whether a heading of the same document is this section. Either
// the text or the anchor decides: markup in a heading can change its text.
func (s Section) matches(h Hit) bool {
	return s.Heading != "" && spacing.Folded(s.Heading) == spacing.Folded(h.Heading) || s.Anchor != "" && s.Anchor == h.Anchor
}

// HasSection reports whether a heading is one of the relevant sections.
func (q Query) HasSection(h Hit) bool {
	return slices.ContainsFunc(q.Sections, func(s Section) bool { return s.Doc == h.Doc && s.matches(h) })
}

// mostQuoted is the most characters of a question that an error quotes.
const mostQuoted = 60
