// Package tuitest is what the tests of the terminal app share: a backend of
// canned data, a driver that feeds a model and runs its commands, a virtual
// terminal, checks of a frame's size, and goldens.
//
// It refuses to touch a terminal, and to read a clock except for the driver's
// stopwatch. Only tests and the workbenches in cmd/internal/dev import it. Its
// pages are invented; some are hostile on purpose.
package tuitest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/ingest/chunk"
	"docent/pipeline/service/library"
	"docent/store/doc"
	"docent/tui"
	"docent/tui/titles"
)

// Set is the doc set of most of the canned pages.
const Set = "lantern@2.1"

// Backend is a backend of canned data. Its fields are set before it is used.
type Backend struct {
	// Gate, when set, holds phase 1 until it is closed; Reached is closed when
	// the phase waits there.
	Gate    chan struct{}
	Reached chan struct{}

	ReadyErr   error
	PageErr    error
	SearchErr  error
	TitlesErr  error
	Nothing    bool // phase 1 finds nothing
	Suggests   bool // sections are suggested while one types
	Asides     []tui.Aside
	Unanswered bool // phase 1.5 says that there is probably no answer
	Unsure     bool // phase 1.5 keeps sections although none reaches the threshold
	Degraded   bool // phase 0a says that a model did not answer

	Shelf Shelf // of the library
}

// Ready says how far it is, and that it is ready.
func (b *Backend) Ready(_ context.Context, progress func(done, total int, text string)) (behind []string, err error) {
	progress(3, 4, "indexing lantern@2.1")
	return b.Shelf.Behind, b.ReadyErr
}

// Sets are three doc sets and the manual.
func (b *Backend) Sets(context.Context) ([]library.ListedSet, error) {
	manual := docSet(manualSet, 26, "", time.Time{})
	if b.Shelf.Newcomer && len(b.Shelf.added()) == 0 {
		return []library.ListedSet{manual}, nil
	}
	harbour := docSet("harbour@0.9", 112, "", time.Time{})
	if !b.Shelf.AllFresh.Load() {
		harbour.Fresh = library.Stale
	}
	return []library.ListedSet{docSet(Set, 5, "", time.Time{}), docSet("灯笼@latest", 1, "", time.Time{}), harbour, manual}, nil
}

// Page is a canned page.
func (b *Backend) Page(_ context.Context, docSet, filePath string) (tui.Page, error) {
	if b.PageErr != nil {
		return tui.Page{}, b.PageErr
	}
	if docSet == manualSet && filePath == "tour.md" {
		return tui.Page{Doc: Parse(filePath, TourPage), Source: []byte(TourPage)}, nil
	}
	for _, p := range pages {
		if p.set == docSet && p.path == filePath {
			out := tui.Page{Doc: Parse(p.path, p.source), Source: []byte(p.source)}
			for _, c := range chunk.SplitPage(*out.Doc, chunk.Options{}) {
				out.Passages = append(out.Passages, c.Span)
			}
			return out, nil
		}
	}
	return tui.Page{}, fmt.Errorf("%s/%s is not there", docSet, filePath)
}

// Pages are the canned pages of a doc set.
func (b *Backend) Pages(_ context.Context, docSet string) ([]tui.PageRef, error) {
	var out []tui.PageRef
	for _, p := range pages {
		if p.set == docSet {
			out = append(out, tui.PageRef{Path: p.path, Title: p.title, URL: "https://lantern.example/" + p.path})
		}
	}
	return out, nil
}

// Quote is a canned block: its citation and the section's text.
func (b *Backend) Quote(_ context.Context, p tui.Passage) (block, citation string, err error) {
	c := contract.Citation{DocSet: p.DocSet, PageTitle: p.Title, FilePath: p.FilePath, Lines: p.Section.Lines, HeadingPath: p.Section.Path}
	return "=== AOP-FINAL ===\n" + p.Text + c.OneLine() + "\n=== END-AOP-FINAL ===", c.OneLine(), b.PageErr
}

// Beside is canned: the field Asides.
func (b *Backend) Beside(context.Context, pipeline.Result) []tui.Aside { return b.Asides }

// References are canned: the section requires the first page, and the last refers to it.
func (b *Backend) References(_ context.Context, docSet, filePath string, _ int) ([]tui.Reference, error) {
	first, last := pages[0], pages[len(pages)-1]
	return []tui.Reference{
		{Says: "requires", Text: first.title, Target: tui.Target{DocSet: first.set, FilePath: first.path, Title: first.title}},
		{Says: "warns of", Text: "warning: " + filePath + " is hot"},
		{Here: true, Says: "referred to by", Text: last.title, Target: tui.Target{DocSet: docSet, FilePath: last.path, Title: last.title},
			Line: 3},
	}, b.PageErr
}

// Suggest gives the pages whose titles have a word that begins with the last one
// of the question.
func (b *Backend) Suggest(_ context.Context, question string, _ []string) ([]tui.Suggestion, error) {
	if !b.Suggests {
		return nil, nil
	}
	words := strings.Fields(strings.ToLower(question))
	var out []tui.Suggestion
	for _, p := range pages {
		if len(words) > 0 && strings.Contains(strings.ToLower(" "+p.title), " "+words[len(words)-1]) {
			first := Parse(p.path, p.source).Sections[0]
			out = append(out, tui.Suggestion{DocSet: p.set, FilePath: p.path, Title: p.title, Path: first.Path, Anchor: first.Anchor})
		}
	}
	return out, nil
}

// Titles are the names of the canned pages and their headings.
func (b *Backend) Titles(context.Context) ([]tui.TitledPage, error) {
	var out []tui.TitledPage
	for _, set := range []string{Set, "灯笼@latest", "harbour@0.9"} {
		for _, p := range pages {
			if p.set != set {
				continue
			}
			t := tui.TitledPage{DocSet: p.set, Path: p.path, Title: p.title}
			for _, s := range Parse(p.path, p.source).Sections {
				t.Headings = append(t.Headings, titles.Heading{Path: s.Path, Anchor: s.Anchor, Line: s.Span.StartLine})
			}
			out = append(out, t)
		}
	}
	return out, b.TitlesErr
}

// NewSession is a session on phases of canned data.
func (b *Backend) NewSession(req pipeline.Request) *pipeline.Session {
	f := phases{b}
	clock := 0.0
	p := &pipeline.Pipeline{Optimizer: f, Router: f, Merger: f, Searcher: f, Reranker: f, Extractor: f, Processor: f, Citer: f,
		Policy: contract.DefaultRerankPolicy(),
		Clock:  func() float64 { clock += 1.7; return clock }}
	return p.NewSession(req)
}

type phases struct{ b *Backend }

func (f phases) Optimize(_ context.Context, in contract.OptimizeInput) (contract.Optimized, contract.Trace, error) {
	tr := contract.Trace{}
	if f.b.Degraded {
		tr.Degraded = []contract.Degraded{{Phase: contract.PhaseOptimize, Wanted: "ollama:small", Used: "builtin",
			Reason: "the answer was no JSON"}}
	}
	return contract.Optimized{
		QueryAnalysis: contract.QueryAnalysis{DocSet: in.DocSets, DomainNouns: []string{"wick", "灯芯"}, PredicateVerbs: []string{"trim"},
			Language: "en"},
		OptimizedQueries: []contract.OptimizedQuery{
			{Rank: 1, Query: in.Query, Strategy: contract.StrategyOriginal, Reason: "as it was asked"},
			{Rank: 2, Query: "wick trimming guide", Strategy: contract.StrategyExpansion,
				Reason: "names the kind of page that answers such a question, so that guides rank before references"},
			{Rank: 3, Query: "修剪灯芯", Strategy: contract.StrategyTranslation, Reason: "one doc set is in Chinese"},
		},
	}, tr, nil
}

func (f phases) Route(context.Context, contract.OptimizeInput) (contract.Routed, contract.Trace, error) {
	return contract.Routed{Scene: contract.SceneTutorial, RerankerThreshold: 0.4, RerankerEnabled: true, Confidence: 0.82,
			Intent: contract.IntentProcedure, Evidence: []string{`"how do I" asks for steps`, "the verb trim names an action"}},
		contract.Trace{}, nil
}

func (f phases) Merge(o contract.Optimized, r contract.Routed) (contract.SearchInput, error) {
	in := contract.SearchInput{DocSets: strings.Join(o.QueryAnalysis.DocSet, ","), DomainNouns: o.QueryAnalysis.DomainNouns,
		PredicateVerbs: o.QueryAnalysis.PredicateVerbs, RerankerThreshold: r.RerankerThreshold, Scene: r.Scene,
		Context: &contract.Context{RerankerThreshold: &r.RerankerThreshold, RerankerEnabled: &r.RerankerEnabled}}
	for _, q := range o.OptimizedQueries {
		in.Query = append(in.Query, q.Query)
	}
	return in, nil
}

func (f phases) Search(ctx context.Context, in contract.SearchInput, opt contract.SearchOptions) (contract.SearchOutput, contract.Trace,
	error) {
	if f.b.Gate != nil {
		select {
		case <-f.b.Reached:
		default:
			close(f.b.Reached)
		}
		select {
		case <-f.b.Gate:
		case <-ctx.Done():
			return contract.SearchOutput{}, contract.Trace{}, ctx.Err()
		}
	}
	if f.b.SearchErr != nil {
		return contract.SearchOutput{}, contract.Trace{}, f.b.SearchErr
	}
	out := contract.SearchOutput{Success: true, Context: in.Context, SearchStats: contract.SearchStats{Level: contract.LevelTitle}}
	if f.b.Nothing {
		return out, contract.Trace{}, nil
	}
	for _, p := range pages {
		if in.DocSets != "" && !slices.Contains(strings.Split(in.DocSets, ","), p.set) {
			continue
		}
		r := contract.Result{DocSet: p.set, FilePath: p.path, PageTitle: p.title, Level: p.level, Changed: p.changed}
		for _, h := range p.hits {
			s := Parse(p.path, p.source).Sections[h.section]
			head := contract.Heading{Level: s.Level, Text: s.Heading(), Score: h.score, Anchor: s.Anchor, Path: s.Path,
				Lines: [2]int{s.Span.StartLine, s.Span.EndLine}, Section: [2]int{s.Span.StartLine, s.Span.EndLine}}
			if opt.Explain {
				head.Explain = &contract.Explain{Score: h.score,
					Parts: []contract.ExplainPart{{Query: in.Query[0], Field: "body", Term: "wick",
						Weight: 1, Value: h.score}}}
			}
			r.Headings = append(r.Headings, head)
		}
		out.TotalHits += len(r.Headings)
		out.Results = append(out.Results, r)
	}
	return out, contract.Trace{}, nil
}

func (f phases) Rerank(_ context.Context, in contract.RerankInput, _ contract.RerankPolicy) (contract.RerankOutput, contract.Trace, error) {
	out := contract.RerankOutput{Success: true, State: contract.StateReranked, Context: in.Context}
	if in.Context == nil || in.Context.RerankerEnabled == nil || !*in.Context.RerankerEnabled {
		out.Results, out.FallbackApplied, out.State = in.Results, true, contract.StateFallback
		return out, contract.Trace{Engine: "none"}, nil
	}
	threshold := *in.Context.RerankerThreshold
	out.Unanswered, out.BelowThreshold = f.b.Unanswered, f.b.Unsure
	out.RerankStats.Threshold = threshold
	for _, r := range in.Results {
		var kept []contract.Heading
		for _, h := range r.Headings {
			sim := min(0.99, h.Score*0.7)
			if strings.Contains(h.Text, "Trim") {
				sim = 0.93
			}
			out.RerankedCount++
			if sim < threshold {
				out.Dropped++
				continue
			}
			h.RerankSim = &sim
			if h.Explain != nil {
				logit := math.Log(sim / (1 - sim))
				h.Explain = &contract.Explain{Score: h.Score, Parts: h.Explain.Parts, Rerank: []contract.ExplainPart{
					{Name: "bias", Weight: -1, Input: 1, Value: -1},
					{Name: "heading_cover", Weight: 2, Input: (logit + 1) / 2, Value: logit + 1}}}
			}
			kept = append(kept, h)
		}
		r.BelowThreshold = f.b.Unsure
		if r.Headings = kept; len(kept) > 0 {
			out.Results = append(out.Results, r)
		}
	}
	slices.SortStableFunc(out.Results, func(a, b contract.Result) int {
		switch x, y := *a.Headings[0].RerankSim, *b.Headings[0].RerankSim; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return out, contract.Trace{Engine: "features"}, nil
}

func (f phases) Extract(_ context.Context, in contract.ExtractInput) (contract.Extraction, contract.Trace, error) {
	out := contract.Extraction{Contents: map[string]string{}, IndividualCounts: map[string]int{}}
	for _, r := range in.Results[:min(3, len(in.Results))] {
		for _, p := range pages {
			if p.set != r.DocSet || p.path != r.FilePath {
				continue
			}
			n := doc.CountLines([]byte(p.source))
			out.Contents[p.title] = p.source
			out.IndividualCounts[p.title] = n
			out.TotalLineCount += n
			out.Documents = append(out.Documents, contract.Extracted{Title: p.title, DocSet: p.set, Version: "2.1", FilePath: p.path,
				URL: "https://lantern.example/" + p.path, Lines: n, SHA256: "00", Changed: p.changed, Headings: r.Headings})
		}
	}
	out.RequiresProcessing = out.TotalLineCount > 2100
	out.Summary = fmt.Sprintf("%d documents, %d lines", len(out.Documents), out.TotalLineCount)
	return out, contract.Trace{}, nil
}
