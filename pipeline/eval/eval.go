// Package eval measures retrieval: rankings against what people, or the
// documents' own links and tables, say is relevant.
//
// It knows two forms of questions: a file of known items over a doc set, one
// JSON object a line, and a judged collection (corpus.jsonl, queries.jsonl,
// qrels.tsv, the form of the BEIR benchmark). It gives Recall, MRR and nDCG, for
// every stage of the ranking, so that a stage that harms is seen.
//
// It refuses to report on nothing: no queries, queries on documents that are
// not there, and a run in which nothing relevant was found are errors, because
// a zero that comes of a mistake looks like a result.
package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Query is one question with what is relevant to it.
type Query struct {
	ID, Text, Kind string
	// Documents are the relevant documents with their grades, all above 0.
	Documents map[string]int
	// Sections are the relevant sections with their grades; empty where only
	// whole documents were judged.
	Sections []Section
	// Except are documents that are left out of this query's ranking: those whose
	// link text the query is.
	Except []string
}

// Section is a section that is relevant to a query.
type Section struct {
	Doc, Heading, Anchor string
	Grade                int
}

// Hit is one heading of a ranking.
type Hit struct{ Doc, Heading, Anchor string }

// Stage is a ranking at one step of the way, best first.
type Stage struct {
	Name string
	Hits []Hit
}

// Searcher answers a question with the stages of its ranking; the last one is
// the answer. It says how long the answer took, which may be less than the call.
type Searcher interface {
	Ask(ctx context.Context, question string) ([]Stage, time.Duration, error)
}

// Options steer a run.
type Options struct {
	BySection bool // rank headings, of the queries that name a section
	Progress  func(done, total int)
}

// Latency is in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// StageMetrics are those of one stage.
type StageMetrics struct {
	Stage string `json:"stage"`
	Metrics
}

// Outcome is one query's.
type Outcome struct {
	ID   string  `json:"id"`
	Text string  `json:"query"`
	Kind string  `json:"kind,omitempty"`
	Rank int     `json:"rank"` // of the first relevant one, from 1; 0: not found
	NDCG float64 `json:"ndcg@10"`

	ranked []string // documents, or sections as document#anchor, best first
}

// Report is what a run found.
type Report struct {
	Name string `json:"name,omitempty"`
	By   string `json:"by"` // page or section
	Metrics
	Latency  Latency            `json:"latency_ms"`
	ByKind   map[string]Metrics `json:"by_kind"`
	Stages   []StageMetrics     `json:"stages,omitempty"`
	Outcomes []Outcome          `json:"per_query,omitempty"`
}

// Reasons to refuse a report.
var (
	ErrEmpty   = errors.New("there are no queries")
	ErrAllZero = errors.New("nothing relevant was found by any query; are these the right doc set and the right queries?")
)

// Run asks every query.
func Run(ctx context.Context, queries []Query, s Searcher, opt Options) (Report, error) {
	rep := Report{By: "page", ByKind: map[string]Metrics{}}
	if opt.BySection {
		rep.By = "section"
		queries = slices.DeleteFunc(slices.Clone(queries), func(q Query) bool { return len(q.Sections) == 0 })
	}
	if len(queries) == 0 {
		return rep, ErrEmpty
	}
	var took []float64
	var total Metrics
	var names []string
	stages := map[string]*Metrics{}
	for i, q := range queries {
		if opt.Progress != nil {
			opt.Progress(i, len(queries))
		}
		relevant := q.relevant(opt.BySection)
		if len(relevant) == 0 {
			return rep, fmt.Errorf("query %s (%q): nothing is relevant to it", q.ID, cut(q.Text))
		}
		found, d, err := s.Ask(ctx, q.Text)
		if err != nil {
			return rep, fmt.Errorf("query %s (%q): %w", q.ID, cut(q.Text), err)
		}
		if len(found) == 0 {
			return rep, fmt.Errorf("query %s: no stage was reported", q.ID)
		}
		took = append(took, d.Seconds()*1000)
		for _, st := range found {
			if stages[st.Name] == nil {
				stages[st.Name] = &Metrics{}
				names = append(names, st.Name)
			}
			g, _ := q.judge(st.Hits, opt.BySection)
			stages[st.Name].add(g, relevant)
		}
		g, docs := q.judge(found[len(found)-1].Hits, opt.BySection)
		total.add(g, relevant)
		kind := rep.ByKind[q.Kind]
		kind.add(g, relevant)
		rep.ByKind[q.Kind] = kind
		rep.Outcomes = append(rep.Outcomes, Outcome{ID: q.ID, Text: q.Text, Kind: q.Kind, Rank: rank(g), NDCG: round(ndcg(g, relevant)), ranked: docs})
	}
	if opt.Progress != nil {
		opt.Progress(len(queries), len(queries))
	}
	rep.Metrics = total.mean()
	for k, m := range rep.ByKind {
		rep.ByKind[k] = m.mean()
	}
	for _, n := range names {
		rep.Stages = append(rep.Stages, StageMetrics{n, stages[n].mean()})
	}
	slices.Sort(took)
	rep.Latency = Latency{round(percentile(took, 0.5)), round(percentile(took, 0.95))}
	if total.Recall100 == 0 {
		return rep, ErrAllZero
	}
	return rep, nil
}

func cut(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

func (q Query) relevant(bySection bool) []int {
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

// judge turns a ranking of headings into grades: each document once, or each
// heading once, without those left out. A document that is itself relevant is
// never left out. A section that was found is not relevant a second time.
func (q Query) judge(hits []Hit, bySection bool) (gains, []string) {
	var out gains
	var docs []string
	seen := map[Hit]bool{}
	found := make([]bool, len(q.Sections))
	for _, h := range hits {
		if q.Documents[h.Doc] == 0 && slices.Contains(q.Except, h.Doc) {
			continue
		}
		key := Hit{Doc: h.Doc}
		if bySection {
			// The anchor alone tells the sections of a page apart: stages may write
			// one heading in two ways.
			key.Anchor = h.Anchor
			if h.Anchor == "" {
				key.Heading = fold(h.Heading)
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
				if !found[i] && s.Doc == h.Doc && s.is(h) {
					found[i], grade = true, s.Grade
					break
				}
			}
		}
		name := h.Doc
		if bySection {
			name += "#" + key.Anchor + key.Heading
		}
		out, docs = append(out, grade), append(docs, name)
	}
	return out, docs
}

// is says whether a heading is the section that was meant: by its text, or by
// its anchor, for a heading may be written with markup that its text lost.
func (s Section) is(h Hit) bool {
	return s.Heading != "" && fold(s.Heading) == fold(h.Heading) || s.Anchor != "" && s.Anchor == h.Anchor
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// HasSection says whether a heading is one of the sections that are relevant.
func (q Query) HasSection(h Hit) bool {
	return slices.ContainsFunc(q.Sections, func(s Section) bool { return s.Doc == h.Doc && s.is(h) })
}
