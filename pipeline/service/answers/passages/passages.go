// Package passages makes passages of pages with scores of 0 to 1, as specification 4 has
// them: those that a search found, and others of the same doc set.
//
// It refuses to search.
package passages

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/store"
	"docent/store/analysis"
)

// Reader reads passages of a home.
type Reader struct{ Corpus *corpus.Corpus }

// Wanted is a question, and how many passages are wanted for it.
type Wanted struct {
	Query string
	Most  int
}

// OfResults are the found passages with the text of their documents.
func (r Reader) OfResults(ctx context.Context, set store.Set, results []contract.Result,
	uploads map[string]store.Upload) ([]contract.QueryResult, error) {
	out := []contract.QueryResult{}
	for _, found := range results {
		u, ok := uploads[found.FilePath]
		if !ok {
			continue // deleted by another process
		}
		p, err := r.Corpus.Page(ctx, set, found.FilePath)
		if errors.Is(err, corpus.ErrPageGone) || errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		seen := map[int]bool{}
		for _, head := range found.Headings {
			if head.ChunkIndex >= len(p.Chunks) || seen[head.ChunkIndex] {
				continue // the page is another one by now
			}
			seen[head.ChunkIndex] = true
			cosine := cmp.Or(head.Signals.Model, head.Signals.Semantic)
			out = append(out, newPassage(p, head.ChunkIndex, u, min(1, max(0, cosine))))
		}
	}
	return out, nil
}

// Others are passages that the search did not give: of a section it gives the best
// passage alone. They are as many as are missing to the wanted number, those of the found documents
// first, and none of them has a higher score than a found one.
func (r Reader) Others(ctx context.Context, set store.Set, want Wanted, found []contract.QueryResult,
	uploads map[string]store.Upload) ([]contract.QueryResult, error) {
	taken := map[contract.QueryResult]bool{}
	paths := make([]string, 0, len(uploads))
	rank := map[string]int{}
	highest := 1.0
	for i, f := range found {
		if _, ok := rank[f.DocumentID]; !ok {
			rank[f.DocumentID] = i - len(found)
		}
		taken[placeOf(f)] = true
		highest = min(highest, f.Score)
	}
	for path := range uploads {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank[uploads[a].ID], rank[uploads[b].ID]), strings.Compare(a, b))
	})
	var out []contract.QueryResult
	for _, path := range paths {
		if len(found)+len(out) >= want.Most {
			break
		}
		p, err := r.Corpus.Page(ctx, set, path)
		if errors.Is(err, corpus.ErrPageGone) || errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for i := range p.Chunks {
			if one := newPassage(p, i, uploads[path], 0); !taken[placeOf(one)] {
				out = append(out, one)
			}
		}
	}
	if err := r.ScoreByWords(ctx, set.Ref.String(), want.Query, out); err != nil {
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

// newPassage is the chunk of a page at a place.
func newPassage(p *corpus.Page, at int, of store.Upload, score float64) contract.QueryResult {
	text, c := p.Doc.Text, p.Chunks[at]
	start, end := c.Span.Start, c.Span.End
	content := strings.ToValidUTF8(string(text[start:end]), "\uFFFD")
	from := utf8.RuneCount(text[:start])
	m := contract.ChunkMetadata{Page: p.Doc.Location(c.Span.StartLine).Page, CharStart: from,
		CharEnd: from + utf8.RuneCount(text[start:end])}
	if c.Section < len(p.Doc.Sections) {
		m.Heading = p.Doc.Sections[c.Section].Text
	}
	return contract.QueryResult{Content: content, Score: score, DocumentID: of.ID, Metadata: m,
		ID: chunkID(of.ID, at), ChunkIndex: at, CreatedAt: of.Updated}
}

// chunkID is a UUID of version 5 (RFC 9562): of the chunk's index, in the name space of its
// document.
func chunkID(document string, index int) string {
	space, _ := hex.DecodeString(strings.ReplaceAll(document, "-", "")) // it is a UUID
	sum := sha1.Sum(append(space, strconv.Itoa(index)...))
	b := sum[:16]
	b[6], b[8] = b[6]&0x0f|0x50, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// ScoreByWords scores passages by the cosine of their words with the question's, each
// word weighted by its frequency and its rarity.
func (r Reader) ScoreByWords(ctx context.Context, docSet, query string, passages []contract.QueryResult) error {
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
	idf, err := r.Corpus.IDF(ctx, []string{docSet}, terms)
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
