package answers

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/analysis"
	"docent/store/doc"
)

// QueryRequest is specification 4's: passages of the documents that were handed in.
type QueryRequest struct {
	Query string
	TopK  int // 1 to MaxTopK
}

// MaxTopK is specification 4's bound.
const MaxTopK = 100

// Query finds the passages nearest to a question. A score is the cosine of two vectors,
// in 0..1: by a model where one made vectors, else by those learned from the documents,
// and where there are too few documents to learn from, of the weighted words.
func (svc *Service) Query(ctx context.Context, req QueryRequest) (contract.QueryResponse, error) {
	out := contract.QueryResponse{Results: []contract.QueryResult{}}
	if req.TopK < 1 || req.TopK > MaxTopK {
		return out, contract.Invalid("topK", "topK is %d, it can be 1 to %d", req.TopK, MaxTopK)
	}
	ids, err := svc.uploadIDs(ctx)
	if err != nil || len(ids) == 0 {
		return out, err
	}
	uploads := home.UploadsRef().String()
	if _, err := svc.home.Canonical(ctx, []string{uploads}); err != nil {
		return out, nil // none of them is a page yet
	}
	off, all := false, 0.0
	res, err := svc.runTo(ctx, svc.Pipelines.Search,
		pipeline.Request{Question: req.Query, DocSets: []string{uploads}, Reranker: &off, Threshold: &all, Top: req.TopK},
		contract.PhaseRerank, nil)
	if err != nil {
		return out, err
	}
	sets, err := svc.home.Corpus.Resolve(ctx, []string{uploads})
	if err != nil {
		return out, err
	}
	passages, err := svc.passages(ctx, sets[0], res.Phases.Rerank.Results, ids)
	if err != nil {
		return out, err
	}
	if !slices.ContainsFunc(passages, func(r contract.QueryResult) bool { return r.Score > 0 }) {
		if err := svc.scoreByWords(ctx, uploads, req.Query, passages); err != nil {
			return out, err
		}
	}
	if len(passages) < req.TopK {
		more, err := svc.otherPassages(ctx, sets[0], req, passages, ids)
		if err != nil {
			return out, err
		}
		passages = append(passages, more...)
	}
	slices.SortStableFunc(passages, func(a, b contract.QueryResult) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.DocumentID, b.DocumentID),
			cmp.Compare(a.Metadata.CharStart, b.Metadata.CharStart))
	})
	out.Results = passages[:min(len(passages), req.TopK)]
	return out, nil
}

// uploadIDs are the documents by their pages' paths.
func (svc *Service) uploadIDs(ctx context.Context) (map[string]string, error) {
	s, release, err := svc.inbox.OpenForReading(ctx)
	if err != nil || s == nil {
		return nil, err
	}
	defer func() { _ = release() }() // it was open for reading
	list, _, err := s.ListUploads(ctx, store.UploadFilter{Status: store.UploadCompleted})
	if err != nil {
		return nil, svc.home.NoteDamage(err)
	}
	out := make(map[string]string, len(list))
	for _, u := range list {
		out[u.Path] = u.ID
	}
	return out, nil
}

// passages are the found passages with the text of their documents.
func (svc *Service) passages(ctx context.Context, set store.Set, results []contract.Result, ids map[string]string) ([]contract.QueryResult,
	error) {
	out := []contract.QueryResult{}
	for _, r := range results {
		id, ok := ids[r.FilePath]
		if !ok {
			continue // deleted by another process
		}
		p, err := svc.home.Corpus.Page(ctx, set, r.FilePath)
		if errors.Is(err, corpus.ErrPageGone) || errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		seen := map[int]bool{}
		for _, head := range r.Headings {
			if head.ChunkIndex >= len(p.Chunks) || seen[head.ChunkIndex] {
				continue // the page is another one by now
			}
			seen[head.ChunkIndex] = true
			out = append(out, passage(p, p.Chunks[head.ChunkIndex], id, min(1, max(0, cmp.Or(head.Signals.Model, head.Signals.Semantic)))))
		}
	}
	return out, nil
}

// otherPassages are passages that the search did not give: of a section it gives the best
// passage alone. They are as many as are missing to TopK, those of the found documents
// first, and none of them has a higher score than a found one.
func (svc *Service) otherPassages(ctx context.Context, set store.Set, req QueryRequest, found []contract.QueryResult,
	ids map[string]string) ([]contract.QueryResult, error) {
	taken := map[contract.QueryResult]bool{}
	paths := make([]string, 0, len(ids))
	rank := map[string]int{}
	highest := 1.0
	for i, f := range found {
		if _, ok := rank[f.DocumentID]; !ok {
			rank[f.DocumentID] = i - len(found)
		}
		taken[placeOf(f)] = true
		highest = min(highest, f.Score)
	}
	for path := range ids {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank[ids[a]], rank[ids[b]]), strings.Compare(a, b))
	})
	var out []contract.QueryResult
	for _, path := range paths {
		if len(found)+len(out) >= req.TopK {
			break
		}
		p, err := svc.home.Corpus.Page(ctx, set, path)
		if errors.Is(err, corpus.ErrPageGone) || errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, c := range p.Chunks {
			if r := passage(p, c, ids[path], 0); !taken[placeOf(r)] {
				out = append(out, r)
			}
		}
	}
	if err := svc.scoreByWords(ctx, set.Ref.String(), req.Query, out); err != nil {
		return nil, err
	}
	for i := range out {
		out[i].Score = min(out[i].Score, highest)
	}
	return out, nil
}

// placeOf is a passage without its text and score.
func placeOf(r contract.QueryResult) contract.QueryResult {
	r.Content, r.Score = "", 0
	return r
}

func passage(p *corpus.Page, c doc.Chunk, id string, score float64) contract.QueryResult {
	text := p.Doc.Text
	start, end := c.Span.Start, c.Span.End
	content := strings.ToValidUTF8(string(text[start:end]), "\uFFFD")
	from := utf8.RuneCount(text[:start])
	m := contract.ChunkMetadata{Page: p.Doc.Location(c.Span.StartLine).Page, CharStart: from,
		CharEnd: from + utf8.RuneCount(text[start:end])}
	if c.Section < len(p.Doc.Sections) {
		m.Heading = p.Doc.Sections[c.Section].Text
	}
	return contract.QueryResult{Content: content, Score: score, DocumentID: id, Metadata: m}
}

// scoreByWords scores passages by the cosine of their words with the question's, each
// word weighted by its frequency and its rarity.
func (svc *Service) scoreByWords(ctx context.Context, docSet, query string, passages []contract.QueryResult) error {
	a := analysis.New()
	counts := make([]map[string]float64, len(passages))
	vocabulary := map[string]int{}
	var terms []string
	count := func(text string) map[string]float64 {
		out := map[string]float64{}
		for _, t := range a.Terms(text) {
			out[t]++
			if _, ok := vocabulary[t]; !ok {
				vocabulary[t] = len(terms)
				terms = append(terms, t)
			}
		}
		return out
	}
	question := count(query)
	for i, p := range passages {
		counts[i] = count(p.Content)
	}
	idf, err := svc.home.Corpus.IDF(ctx, []string{docSet}, terms)
	if err != nil {
		return err
	}
	weigh := func(counts map[string]float64) (weights map[string]float64, length float64) {
		weights = make(map[string]float64, len(counts))
		for _, t := range terms { // in an order, for the sum
			if n := counts[t]; n > 0 {
				w := (1 + math.Log(n)) * max(idf[vocabulary[t]], 0.01)
				weights[t], length = w, length+w*w
			}
		}
		return weights, math.Sqrt(length)
	}
	asked, askedLength := weigh(question)
	for i := range passages {
		own, length := weigh(counts[i])
		dot := 0.0
		for _, t := range terms {
			dot += asked[t] * own[t]
		}
		if length > 0 && askedLength > 0 {
			passages[i].Score = min(1, max(0, dot/(length*askedLength)))
		}
	}
	return nil
}
