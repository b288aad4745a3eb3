// Package rerank is phase 1.5: the headings that the search found, put in order
// by how well they answer the question, each with a rerank_sim in (0,1], and cut
// at the threshold.
//
// The built-in reranker is a logistic function of a few features of question
// and heading (see features): how much of the question, by weight of its rarer
// words, stands in the title, the heading path and the text; whether words
// stand together as in the question; whether identifiers stand as written; and
// the first stage's score. It needs no model and orders every candidate.
//
// The states are spec 2's: received, validated, hybrid_selected, then reranked
// or fallback_returned (or rejected, under error_on_total_failure), returned.
//
// It refuses to search: it orders the candidates of phase 1 alone.
package rerank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/store/analysis"
	"docent/store/doc"
)

// Texts gives the text of headings' passages and the weights of terms.
type Texts interface {
	// Passages gives the text of each span of lines [from, to] of a page, from
	// 1, both included; "" where the page has no such lines. A page that is not there is
	// an error.
	Passages(ctx context.Context, docSet, path string, lines [][2]int) ([]string, error)
	// Headings gives the lines of the first passage under each heading of a page,
	// [0, 0] where it has no such heading. A page that is not there is an error.
	Headings(ctx context.Context, docSet, path string, headings []string) ([][2]int, error)
	// IDF gives the inverse document frequency of terms over doc sets.
	IDF(ctx context.Context, docSets []string, terms []string) ([]float64, error)
}

// Builtin is phase 1.5 without a model.
type Builtin struct {
	Texts Texts
	Model *Model           // nil: the one that ships
	Now   func() time.Time // nil: times are 0

	analyzers analysis.Pool
}

// candidate is one heading with its place in the input.
type candidate struct {
	page, heading int
}

// second looks at the candidates that were reranked, best first, before the
// threshold cuts; it may change their rerank_sim.
type second func(ctx context.Context, in *contract.Context, results []contract.Result, cands []candidate,
	out *contract.RerankOutput) (contract.Trace, error)

// Rerank is phase 1.5.
func (b *Builtin) Rerank(ctx context.Context, in contract.RerankInput, policy contract.RerankPolicy) (contract.RerankOutput,
	contract.Trace, error) {
	return b.rerankCandidates(ctx, in, policy, nil)
}

func (b *Builtin) rerankCandidates(ctx context.Context, in contract.RerankInput, policy contract.RerankPolicy,
	look second) (contract.RerankOutput,
	contract.Trace, error) {
	start := b.currentTime()
	out := contract.RerankOutput{State: contract.StateReceived, Results: []contract.Result{}, SearchStats: in.SearchStats,
		Context: in.Context}
	threshold, enabled := contract.DefaultThreshold, policy.Enabled
	ask := askedContext(in)
	if c := in.Context; c != nil {
		if c.RerankerThreshold != nil {
			threshold = *c.RerankerThreshold
		}
		if c.RerankerEnabled != nil {
			enabled = enabled && *c.RerankerEnabled
		}
	}
	if in.NeedsRerank != nil {
		enabled = enabled && *in.NeedsRerank
	}
	if err := validate(in, policy, threshold); err != nil {
		out.State = contract.StateRejected
		return out, contract.Trace{}, err
	}
	out.State, out.RerankStats.Threshold = contract.StateValidated, threshold
	results := cloneResults(in.Results)
	cands := unrankedHeadings(results)
	var trace contract.Trace
	var of map[int]bool // the pages of sides, with whether they lie below the threshold
	if enabled && len(cands) > 0 && strings.TrimSpace(ask.Question+strings.Join(ask.Queries, "")) == "" {
		out.State = contract.StateRejected
		return out, trace, contract.Invalid("context.question",
			"reranking needs the question: give the output of phase 1, or add \"context\": {\"question\": …}")
	}
	out.State = contract.StateHybridSelected
	switch {
	case len(cands) == 0 && (enabled || len(results) > 0):
		out.State = contract.StateReranked // earlier, by any engine
	case !enabled:
		out.State, out.FallbackApplied = contract.StateFallback, true
	default:
		n := min(policy.CandidateLimit, len(cands))
		var unread []string
		model, err := b.loadModel()
		if err == nil {
			cands = orderByScore(results, cands)[:n]
			trace.Degraded = append(trace.Degraded, b.findHeadings(ctx, results, cands)...)
			if unread, err = b.scoreCandidates(ctx, model, &ask, results, cands, &out); err == nil {
				of, err = b.liftSides(ctx, model, &ask, results, cands, threshold, &out)
			}
		}
		for _, u := range unread {
			trace.Degraded = append(trace.Degraded, contract.Degraded{
				Phase: contract.PhaseRerank, Wanted: contract.EngineBuiltin, Used: "headings without text", Reason: u,
			})
		}
		if err != nil {
			if ctx.Err() != nil {
				return out, trace, ctx.Err()
			}
			if e, ok := errors.AsType[*contract.Error](err); ok && e.Code == contract.CodeInvalidRequest {
				// A doc set of the candidates is not there (any more).
				out.State = contract.StateRejected
				return out, trace, err
			}
			if policy.FallbackMode == contract.FallbackError {
				out.State = contract.StateRejected
				return out, trace, &contract.Error{Code: contract.CodeRerankingUnavailable,
					Message: fmt.Sprintf("reranking failed: %v", err), Err: err}
			}
			out.State, out.FallbackApplied = contract.StateFallback, true
			trace.Degraded = append(trace.Degraded, contract.Degraded{
				Phase: contract.PhaseRerank, Wanted: contract.EngineBuiltin, Used: "first-stage order", Reason: err.Error(),
			})
			results = cloneResults(in.Results)
			break
		}
		out.State, out.RerankedCount = contract.StateReranked, n
		if look != nil {
			cands = orderBySim(results, cands)
			looked, err := look(ctx, &ask, results, cands, &out)
			if err != nil {
				return out, trace, err
			}
			trace.Engine = looked.Engine
			trace.Degraded = append(trace.Degraded, looked.Degraded...)
		}
	}
	markPages(results, of, out.RerankedCount > 0)
	orderResults(results)
	if out.FallbackApplied {
		out.Results = results
	} else {
		results = keepAnswers(&out, in, results, threshold)
		out.Near = nearThreshold(results, out.Results)
	}
	handOnFindings(&out)
	out.Success = true
	out.RerankStats.RerankTimeMS = float64(b.currentTime().Sub(start).Microseconds()) / 1000
	return out, trace, nil
}

func (b *Builtin) loadModel() (*Model, error) {
	if b.Model != nil {
		return b.Model, nil
	}
	return shippedModel()
}

func (b *Builtin) currentTime() time.Time {
	if b.Now == nil {
		return time.Time{}
	}
	return b.Now()
}

// validate checks a request's shape; the error is INVALID_REQUEST with the
// field.
func validate(in contract.RerankInput, policy contract.RerankPolicy, threshold float64) error {
	switch {
	case policy.Scope != contract.ScopeDocsMarkdown:
		return contract.Invalid("scope", "the reranking scope is %q, it must be %q", policy.Scope, contract.ScopeDocsMarkdown)
	case policy.CandidateLimit < 1:
		return contract.Invalid("candidateLimit", "the candidate limit is %d, it must be at least 1", policy.CandidateLimit)
	case policy.FallbackMode != contract.FallbackReturnHybrid && policy.FallbackMode != contract.FallbackError:
		return contract.Invalid("fallbackMode", "the fallback mode is %q, it must be %q or %q", policy.FallbackMode,
			contract.FallbackReturnHybrid, contract.FallbackError)
	case policy.TieBreakRule != contract.TieBreakDocThenChunk:
		return contract.Invalid("tieBreakRule", "the tie-break rule is %q, it must be %q", policy.TieBreakRule,
			contract.TieBreakDocThenChunk)
	case threshold < 0 || threshold > 1 || threshold != threshold:
		return contract.Invalid("reranker_threshold", "the threshold is %v, it must lie between 0 and 1", threshold)
	}
	for i, r := range in.Results {
		if _, err := doc.ParseRef(r.DocSet); err != nil {
			return contract.Invalid(fmt.Sprintf("results[%d].doc_set", i), "results[%d]: %v", i, err)
		}
		if r.FilePath == "" {
			return contract.Invalid(fmt.Sprintf("results[%d].file_path", i), "results[%d] has no file_path", i)
		}
		for j, h := range r.Headings {
			field := fmt.Sprintf("results[%d].headings[%d]", i, j)
			if h.RerankSim != nil && !(*h.RerankSim > 0 && *h.RerankSim <= 1) {
				return contract.Invalid(field+".rerank_sim", "%s.rerank_sim is %v, it must lie in (0,1]", field, *h.RerankSim)
			}
			if !(h.Score >= 0) || math.IsInf(h.Score, 1) {
				return contract.Invalid(field+".score", "%s.score is %v, it must be at least 0", field, h.Score)
			}
			if h.ChunkIndex < 0 {
				return contract.Invalid(field+".chunk_index", "%s.chunk_index is %d, it must be at least 0", field, h.ChunkIndex)
			}
		}
	}
	return nil
}

func cloneResults(results []contract.Result) []contract.Result {
	out := slices.Clone(results)
	for i := range out {
		out[i].Headings = append([]contract.Heading{}, out[i].Headings...)
	}
	return out
}

// orderByScore puts the candidates in the first stage's order.
func orderByScore(results []contract.Result, cands []candidate) []candidate {
	slices.SortStableFunc(cands, func(a, b candidate) int {
		ha, hb := results[a.page].Headings[a.heading], results[b.page].Headings[b.heading]
		return cmp.Or(cmp.Compare(hb.Score, ha.Score), compareTies(results[a.page], ha, results[b.page], hb))
	})
	return cands
}

// orderBySim puts the candidates in the order of their rerank_sim.
func orderBySim(results []contract.Result, cands []candidate) []candidate {
	slices.SortStableFunc(cands, func(a, b candidate) int {
		ha, hb := results[a.page].Headings[a.heading], results[b.page].Headings[b.heading]
		return cmp.Or(cmp.Compare(similarityOf(hb), similarityOf(ha)), cmp.Compare(hb.Score, ha.Score),
			compareTies(results[a.page], ha, results[b.page], hb))
	})
	return cands
}

// compareTies is spec 2's documentPath_then_chunkIndex.
func compareTies(pa contract.Result, a contract.Heading, pb contract.Result, b contract.Heading) int {
	return cmp.Or(strings.Compare(pa.DocSet+"/"+pa.FilePath, pb.DocSet+"/"+pb.FilePath), cmp.Compare(a.ChunkIndex, b.ChunkIndex))
}

// orderResults sorts headings within pages and pages by their best heading: those that
// were reranked first, by rerank_sim, then the others by score; ties by
// documentPath, then chunkIndex, then the heading's text, so that the order of
// the input never shows.
func orderResults(results []contract.Result) {
	compare := func(pa contract.Result, a contract.Heading, pb contract.Result, b contract.Heading) int {
		return cmp.Or(cmp.Compare(similarityOf(b), similarityOf(a)), cmp.Compare(b.Score, a.Score), compareTies(pa, a, pb, b),
			strings.Compare(a.Text, b.Text))
	}
	for _, r := range results {
		slices.SortStableFunc(r.Headings, func(a, b contract.Heading) int { return compare(r, a, r, b) })
	}
	slices.SortStableFunc(results, func(a, b contract.Result) int {
		if len(a.Headings) == 0 || len(b.Headings) == 0 {
			return cmp.Or(cmp.Compare(len(b.Headings), len(a.Headings)), strings.Compare(a.DocSet+"/"+a.FilePath, b.DocSet+"/"+b.FilePath))
		}
		return compare(a, a.Headings[0], b, b.Headings[0])
	})
}

func similarityOf(h contract.Heading) float64 {
	if h.RerankSim == nil {
		return 0
	}
	return *h.RerankSim
}

// handOnFindings tells the following phases what they should know.
func handOnFindings(out *contract.RerankOutput) {
	if len(out.Results) == 0 {
		return
	}
	if st := out.SearchStats; st != nil && out.Results[0].Level != "" {
		// What the best hit is has changed, and with it on what evidence the
		// question is answered.
		now := *st
		now.Level, now.TOCPath = out.Results[0].Level, out.Results[0].TOCPath
		out.SearchStats = &now
	}
	// What reaches the default threshold would be kept, and is not called no answer.
	out.Unanswered = out.Unanswered && !out.FallbackApplied && !documented(out.Results) &&
		similarityOf(out.Results[0].Headings[0]) < contract.DefaultThreshold
	if c := out.Context; c != nil && c.Unanswered != out.Unanswered {
		now := *c
		now.Unanswered = out.Unanswered
		out.Context = &now
	}
}

// documented reports whether a section documents the very parameter that is asked for.
func documented(results []contract.Result) bool {
	return slices.ContainsFunc(results, func(r contract.Result) bool {
		return !r.Listed && slices.ContainsFunc(r.Headings, func(h contract.Heading) bool {
			return h.Parameter != nil && matchCertainty(h.Parameter.Match) > matchCertainty("component")
		})
	})
}

// markPages sets what pages are said to be, anew.
func markPages(results []contract.Result, sides map[int]bool, reranked bool) {
	for i := range results {
		below, is := sides[i]
		results[i].BelowThreshold, results[i].Listed = below, false
		if reranked {
			results[i].Side = is
		}
	}
}

// Limits of doc sets that compete: the share of the best sim from which on another doc set's
// best page answers as well, and how many are named.
const (
	competes      = 0.95
	mostCompeting = 4
)

// Limits of the list below the threshold.
const (
	listedPages    = 5 // pages of an output, where so many were found
	listedHeadings = 3 // of a page that is listed only
	// nearBest is the share of the best sim from which on a page is as good, where
	// none reaches the threshold.
	nearBest = 0.85
)

// cutBelow keeps the headings that reach the threshold, and of each side of the question the
// page with the best one. Where none does, the best page and those that are nearly as
// good are kept and marked, so that a question is not answered with nothing while
// something was found. A page that is only spelled like the question is not kept: it is
// no answer. Below the kept pages the next ones are listed until there are listedPages.
func cutBelow(results []contract.Result, threshold float64, nearest bool) (list []contract.Result, dropped int, below bool) {
	list = []contract.Result{}
	var rest []contract.Result
	passes := false
	for _, r := range results {
		n := len(r.Headings)
		high := slices.DeleteFunc(slices.Clone(r.Headings), func(h contract.Heading) bool { return similarityOf(h) < threshold })
		passes = passes || len(high) > 0
		switch {
		case len(high) > 0:
			r.Headings = high
			list = append(list, r)
		case r.Side && n > 0:
			r.Headings, r.BelowThreshold = r.Headings[:1], true
			list = append(list, r)
		case n > 0:
			rest = append(rest, r)
			r.Headings = nil
		}
		dropped += n - len(r.Headings)
	}
	if len(list) == 0 && !nearest && len(rest) > 0 {
		least := nearBest * similarityOf(rest[0].Headings[0])
		for len(list) < contract.DefaultMaxDocs && len(rest) > 0 && similarityOf(rest[0].Headings[0]) >= least {
			best := rest[0]
			best.BelowThreshold = true
			dropped -= len(best.Headings)
			list, rest = append(list, best), rest[1:]
		}
	}
	below = !passes && len(list) > 0
	if nearest {
		return list, dropped, below
	}
	for _, r := range rest[:min(len(rest), max(0, listedPages-len(list)))] {
		r.BelowThreshold, r.Listed = true, true
		r.Headings = r.Headings[:min(len(r.Headings), listedHeadings)]
		list = append(list, r)
	}
	return list, dropped, below
}

// Limits of the headings that a block of sections may be filled with: the least rerank_sim,
// and how many.
const (
	nearLeast = 0.05
	nearMost  = 40
)

// nearThreshold gives the best headings that were not kept, by page; none if nothing was kept.
func nearThreshold(all, kept []contract.Result) []contract.Result {
	if len(kept) == 0 || kept[0].Listed {
		return nil
	}
	type place struct {
		page string
		at   [2]int
		text string
	}
	where := func(r contract.Result, h contract.Heading) place {
		return place{r.DocSet + "/" + r.FilePath, h.Section, h.Text}
	}
	taken := map[place]bool{}
	for _, r := range kept {
		for _, h := range r.Headings {
			taken[where(r, h)] = !r.Listed
		}
	}
	var sims []float64
	for _, r := range all {
		for _, h := range r.Headings {
			if s := similarityOf(h); s >= nearLeast && !taken[where(r, h)] {
				sims = append(sims, s)
			}
		}
	}
	if len(sims) == 0 {
		return nil
	}
	slices.Sort(sims)
	least := sims[max(0, len(sims)-nearMost)]
	var out []contract.Result
	for _, r := range all {
		r.Headings = slices.DeleteFunc(slices.Clone(r.Headings), func(h contract.Heading) bool {
			return similarityOf(h) < least || taken[where(r, h)]
		})
		if len(r.Headings) > 0 {
			r.BelowThreshold, r.Listed = true, false
			out = append(out, r)
		}
	}
	return out
}

// ErrNoText means that a candidate's text could not be read.
var ErrNoText = errors.New("a candidate's text cannot be read")
