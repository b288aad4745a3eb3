package answers

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/phase/rerank"
	"docent/pipeline/phase/search"
	"docent/pipeline/question/why"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/operation"
	"docent/pipeline/service/versioning"
)

// Ask answers a question through all phases. An index that turns out to be
// damaged is built again, once.
func (svc *Service) Ask(ctx context.Context, req pipeline.Request, sink pipeline.Sink) (pipeline.Result, error) {
	if err := svc.CheckQuestion(&req); err != nil {
		return pipeline.Result{}, err
	}
	return svc.runTo(ctx, svc.Pipelines.Ask, req, contract.PhaseCite, sink)
}

// CheckQuestion checks a request and puts the configured limits in place of those
// that it leaves open.
func (svc *Service) CheckQuestion(req *pipeline.Request) error {
	if err := contract.CheckQuery(req.Question); err != nil {
		return err
	}
	if req.Preferences.Full && (req.Preferences.Compress || req.Preferences.Summarize) {
		return contract.Invalid("", "whole documents and shortened ones exclude each other")
	}
	if err := checkBounds(AskRequest{Scene: req.Scene, Threshold: req.Threshold, FallbackMode: req.FallbackMode}); err != nil {
		return err
	}
	if req.MaxDocs == 0 {
		req.MaxDocs = svc.home.Settings.MaxDocs
	}
	return svc.checkPreferences(&req.Preferences)
}

// checkBounds checks fields of a question that did not come through a door, such as those of
// a saved session, against the bounds that every door has.
func checkBounds(q AskRequest) error { return operation.Check(operation.InBody, q) }

// checkPreferences checks what a person wants of the length of an answer, and puts
// the configured extent and number of lines in place of those that are left open.
func (svc *Service) checkPreferences(p *contract.Preferences) error {
	if err := checkBounds(AskRequest{Extent: p.Extent, Lines: p.Lines}); err != nil {
		return err
	}
	switch {
	case p.Extent != "":
	case p.Full: // which sections could not be
		p.Extent = contract.ExtentDocuments
	default:
		p.Extent = cmp.Or(svc.home.Settings.Extent, contract.ExtentDocuments)
	}
	if p.Lines == 0 {
		p.Lines = cmp.Or(svc.home.Settings.Lines, contract.DefaultLines)
	}
	return nil
}

// CheckWish checks what a program wants of the length of an answer, before the configured
// limits fill in the missing ones. A limit on the lines of a block implies a block of
// sections.
func CheckWish(p *contract.Preferences) error {
	switch {
	case p.Extent == contract.ExtentSections && p.Full:
		return contract.Invalid("extent", "sections and the full text exclude each other: the full text is whole documents")
	case p.Lines > 0 && (p.Full || p.Extent == contract.ExtentDocuments):
		return contract.Invalid("lines", "lines bounds a block of sections; leave it out, or ask for sections")
	case p.Lines > 0:
		p.Extent = contract.ExtentSections
	}
	return nil
}

// runTo runs a request up to a phase; a damaged index is built again, once.
func (svc *Service) runTo(ctx context.Context, p *pipeline.Pipeline, req pipeline.Request, last string,
	sink pipeline.Sink) (pipeline.Result, error) {
	if err := svc.models.Ready(ctx); err != nil {
		return pipeline.Result{}, err
	}
	s, err := svc.session(ctx, p, req)
	if err != nil {
		return pipeline.Result{}, err
	}
	res, err := s.RunTo(ctx, last, sink)
	if err == nil {
		return res, nil
	}
	if mended, err := svc.mender.MendMet(ctx, err); !mended {
		return res, err
	}
	return s.RunTo(ctx, last, sink)
}

// Session begins a session on a request, whose doc sets are resolved first.
func (svc *Service) Session(ctx context.Context, req pipeline.Request) (*pipeline.Session, error) {
	return svc.session(ctx, svc.Pipelines.Ask, req)
}

// session begins a session of a pipeline. It loads the models that it will need in the
// background.
func (svc *Service) session(ctx context.Context, p *pipeline.Pipeline, req pipeline.Request) (*pipeline.Session, error) {
	names, err := svc.home.Canonical(ctx, req.DocSets)
	if err != nil {
		return nil, err
	}
	req.DocSets = names
	if p == svc.Pipelines.Ask {
		svc.models.Preload()
	}
	return p.NewSession(req), nil
}

// SearchRequest is a search: phases 1 and 1.5.
type SearchRequest struct {
	pipeline.Request
	Limit  int    // pages at most; 0: all
	Cursor string // NextCursor of an earlier answer to the same query; "": the first page
}

// SearchAnswer is what a search found.
type SearchAnswer struct {
	Result pipeline.Result
	// Page is phase 1.5's output, cut to the page of results that was asked for.
	Page contract.RerankOutput
}

// Ran is an answer of a run through the phases, which a server counts.
type Ran interface{ Outcome() pipeline.Result }

// FirstStage is the same page of results in the form of phase 1.
func (a SearchAnswer) FirstStage() contract.SearchOutput {
	out := *a.Result.Phases.Search
	out.Results, out.NextCursor = a.Page.Results, a.Page.NextCursor
	return out
}

// Search finds pages and headings.
func (svc *Service) Search(ctx context.Context, req SearchRequest, sink pipeline.Sink) (SearchAnswer, error) {
	if err := svc.CheckQuestion(&req.Request); err != nil {
		return SearchAnswer{}, err
	}
	offset, err := readCursor(req.Cursor, req.Question)
	if err != nil {
		return SearchAnswer{}, err
	}
	res, err := svc.runTo(ctx, svc.Pipelines.Search, req.Request, contract.PhaseRerank, sink)
	if err != nil {
		return SearchAnswer{}, err
	}
	explained(req.Request, res)
	svc.versioning.MarkReplaced(ctx, res.Phases.Rerank.Results)
	out := *res.Phases.Rerank
	out.Degraded, out.Near = res.Degraded, nil
	all := out.Results
	if found := res.Phases.Search; found != nil {
		out.TotalHits = found.TotalHits
	}
	out.Results = all[min(offset, len(all)):]
	if req.Limit > 0 && len(out.Results) > req.Limit {
		out.Results = out.Results[:req.Limit]
		out.NextCursor = writeCursor(offset+req.Limit, req.Question)
	}
	return SearchAnswer{Result: res, Page: out}, nil
}

// searchDocs finds headings one by one, in the form of specification 2. Limit and
// cursor count headings.
func (svc *Service) searchDocs(ctx context.Context, req SearchRequest, sink pipeline.Sink) (rerank.Response, pipeline.Result, error) {
	cursorOf := "docs " + req.Question // the other form counts pages
	offset, err := readCursor(req.Cursor, cursorOf)
	if err != nil {
		return rerank.Response{}, pipeline.Result{}, err
	}
	answer, err := svc.Search(ctx, SearchRequest{Request: req.Request}, sink)
	if err != nil {
		return rerank.Response{}, answer.Result, err
	}
	out := rerank.DocsResponse(req.Question, answer.Page)
	out.Degraded = answer.Result.Degraded
	if req.Explain {
		set := rerank.Candidates(req.Question, *answer.Result.Phases.Search, svc.Pipelines.Search.PolicyOf(req.Request))
		out.Candidates = &set
	}
	out.Results = out.Results[min(offset, len(out.Results)):]
	if req.Limit > 0 && len(out.Results) > req.Limit {
		out.Results = out.Results[:req.Limit]
		out.NextCursor = writeCursor(offset+req.Limit, cursorOf)
	}
	return out, answer.Result, nil
}

// Traced is a result with the candidates of reranking in the form of
// specification 2.
type Traced struct {
	pipeline.Result
	// Answerable reports whether the hits look like an answer.
	Answerable bool                 `json:"answerable"`
	Candidates *rerank.CandidateSet `json:"hybridCandidateSet,omitempty"`
	// Beside is what the cited parts require and warn of.
	Beside graph.Beside `json:"beside"`
	// Newer are the cited sections that are not the same in a newer version.
	Newer []versioning.NewerSection `json:"newer,omitempty"`
}

// Brief is an answer without the phases that led to it: a few KB.
type Brief struct {
	Query      string                    `json:"query"`
	Final      string                    `json:"final"`
	Citations  []contract.Citation       `json:"citations"`
	Answerable bool                      `json:"answerable"`
	Notes      []string                  `json:"notes,omitempty"` // what a reader should know of the answer
	Newer      []versioning.NewerSection `json:"newer,omitempty"`
	Degraded   []contract.Degraded       `json:"degraded"`
	TimingsMS  map[string]float64        `json:"timings_ms"`
}

// Brief is a result without its phases.
func (svc *Service) Brief(ctx context.Context, res pipeline.Result) Brief {
	return Brief{Query: res.Query, Final: res.Final, Citations: res.Citations, Answerable: isAnswerable(res),
		Newer: svc.versioning.NewerThan(ctx, res), Degraded: res.Degraded, TimingsMS: res.TimingsMS,
		Notes: res.Notes()}
}

// isAnswerable reports whether a run found something that looks like an answer.
func isAnswerable(res pipeline.Result) bool {
	return res.FoundPage() && (res.Phases.Rerank == nil || !res.Phases.Rerank.Unanswered)
}

// Traced adds to a result of a request the candidates, and the related parts of its
// answer.
func (svc *Service) Traced(ctx context.Context, req pipeline.Request, res pipeline.Result) Traced {
	out := Traced{Result: res, Answerable: isAnswerable(res), Beside: svc.BesideAnswer(ctx, res), Newer: svc.versioning.NewerThan(ctx, res)}
	explained(req, res)
	if res.Phases.Rerank != nil {
		svc.versioning.MarkReplaced(ctx, res.Phases.Rerank.Results)
	}
	if res.Phases.Search != nil {
		set := rerank.Candidates(res.Query, *res.Phases.Search, svc.Pipelines.Ask.PolicyOf(req))
		out.Candidates = &set
	}
	return out
}

// explained adds to the explanations of a run, if it has any, why headings were found.
func explained(req pipeline.Request, res pipeline.Result) {
	if !req.Explain {
		return
	}
	if res.Phases.Search != nil {
		sayWhy(res.Phases.Search.Results)
	}
	if res.Phases.Rerank != nil {
		sayWhy(res.Phases.Rerank.Results)
		sayWhy(res.Phases.Rerank.Near)
	}
}

// sayWhy adds to the explanations why each heading was found.
func sayWhy(results []contract.Result) {
	for _, r := range results {
		for i := range r.Headings {
			if e := r.Headings[i].Explain; e != nil {
				e.Why = why.Sentence(r, r.Headings[i])
			}
		}
	}
}

// A cursor is opaque: an offset and a fingerprint of the query it belongs to.
func writeCursor(offset int, query string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(offset) + "." + fingerprint(query)))
}

func fingerprint(query string) string {
	sum := sha256.Sum256([]byte(query))
	return hex.EncodeToString(sum[:4])
}

func readCursor(cursor, query string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	n, print, ok := strings.Cut(string(raw), ".")
	offset, aerr := strconv.Atoi(n)
	if err != nil || !ok || aerr != nil || offset < 0 || print != fingerprint(query) {
		return 0, contract.Invalid("cursor", "the cursor is not one of this query's; give next_cursor of an answer to the same query")
	}
	return offset, nil
}

// mostSuggestions bounds the headings that are offered while a question is typed.
const mostSuggestions = 40

// Suggest finds headings for a question that is being typed. No model is asked.
func (svc *Service) Suggest(ctx context.Context, question string, docSets []string) ([]pipeline.Place, error) {
	p := svc.Pipelines.Typing
	o, _, err := p.Optimizer.Optimize(ctx, contract.OptimizeInput{Query: question, DocSets: docSets})
	if err != nil {
		return nil, err
	}
	in := contract.SearchInput{Query: []string{question}, DocSets: strings.Join(o.Context.DocSets, ","), Context: o.Context}
	out, _, err := p.Searcher.Search(ctx, in, contract.SearchOptions{Prefix: true})
	if err != nil {
		return nil, err
	}
	var list []pipeline.Place
	for _, pl := range search.FlatPlaces(out.Results) {
		for _, r := range out.Results {
			if r.DocSet == pl.DocSet && r.FilePath == pl.FilePath {
				list = append(list, pipeline.Place{DocSet: pl.DocSet, FilePath: pl.FilePath, Title: r.PageTitle,
					Path: []string{strings.TrimLeft(pl.Heading, "# ")}, Anchor: pl.Anchor})
			}
		}
	}
	return list[:min(len(list), mostSuggestions)], nil
}

// BesideAnswer is Beside for what an answer cites.
func (svc *Service) BesideAnswer(ctx context.Context, res pipeline.Result) graph.Beside {
	var places []graph.Place
	for _, c := range res.Citations {
		places = append(places, graph.Place{DocSet: c.DocSet, FilePath: c.FilePath, Lines: c.Lines})
	}
	return svc.graph.Beside(ctx, places)
}
