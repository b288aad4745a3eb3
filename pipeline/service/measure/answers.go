package measure

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/eval"
	"docent/pipeline/phase/cite"
	"docent/pipeline/phase/process"
	"docent/pipeline/phase/rerank"
	"docent/store"
	"docent/store/doc"
)

// Answers asks questions for eval through all phases as they are configured.
type Answers struct {
	svc   *Service
	names []string // of the doc sets to search; none: all
	sets  []store.Set
	pages map[string]string // every name of a page → Name@version/path
}

// EvaluateAnswers prepares to ask questions of these doc sets, of all where none is
// named.
func (svc *Service) EvaluateAnswers(ctx context.Context, names []string) (*Answers, error) {
	if err := svc.models.Ready(ctx); err != nil {
		return nil, err
	}
	sets, err := svc.home.Corpus.Resolve(ctx, names)
	if err != nil {
		return nil, err
	}
	a := &Answers{svc: svc, pages: map[string]string{}}
	for _, s := range sets {
		a.names = append(a.names, s.Ref.String())
	}
	if len(sets) == 0 {
		if sets, err = svc.home.Corpus.Sets(ctx); err != nil {
			return nil, err
		}
	}
	a.sets = sets
	for _, s := range sets {
		files, err := svc.home.Catalog.Files(ctx, s.ID)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			a.addPage(s, f.Path)
		}
	}
	return a, nil
}

// addPage makes a page known under its path and, in the layout of titled folders,
// its title, each also after the name of its doc set. Of equal names in several doc
// sets the first counts.
func (a *Answers) addPage(s store.Set, file string) {
	set := s.Ref.String() + "/"
	names := []string{file}
	if s.Layout == doc.LayoutTitled && path.Base(file) == doc.ContentFile {
		names = append(names, path.Dir(file))
	}
	for _, n := range names {
		a.pages[set+n] = set + file
		if _, taken := a.pages[n]; !taken {
			a.pages[n] = set + file
		}
	}
}

// Page is eval.Answerer's.
func (a *Answers) Page(name string) string { return a.pages[name] }

// Run asks the questions under each arm. Questions about pages that are not there,
// none at all, and nuggets of which none stands in the doc sets are INVALID_REQUEST.
func (a *Answers) Run(ctx context.Context, questions []eval.Question, arms []eval.Arm, progress func(done, total int)) (eval.AnswerReport,
	error) {
	for _, arm := range arms {
		if arm.Extent != "" && !slices.Contains(contract.Extents(), arm.Extent) {
			return eval.AnswerReport{}, contract.Invalid("extent", "the extent %q is none of %s", arm.Extent,
				strings.Join(contract.Extents(), ", ")).
				WithRemedy(contract.Change("extent", contract.Extents()...))
		}
	}
	rep, err := eval.RunAnswers(ctx, questions, arms, a, progress)
	if errors.Is(err, eval.ErrUnknown) || errors.Is(err, eval.ErrEmpty) || errors.Is(err, eval.ErrNoNugget) {
		return rep, contract.Invalid("", "%v", err)
	}
	return rep, err
}

// Candidates gives what phase 1.5 would rank for a question, with its features.
func (a *Answers) Candidates(ctx context.Context, question string, limit int) ([]rerank.Candidate, error) {
	return a.svc.candidates(ctx, pipeline.Request{Question: question, DocSets: a.names}, limit)
}

// Answer is eval.Answerer's.
func (a *Answers) Answer(ctx context.Context, question string, arms []eval.Arm) (eval.Attempt, error) {
	var out eval.Attempt
	req := pipeline.Request{Question: question, DocSets: a.names}
	if err := a.svc.answers.CheckQuestion(&req); err != nil {
		return out, err
	}
	s := a.svc.Pipelines.Ask.NewSession(req)
	for i, arm := range arms {
		s.Change(func(r *pipeline.Request) {
			r.Preferences = contract.Preferences{Extent: arm.Extent, MaxTokens: arm.MaxTokens}
		})
		start := time.Now()
		res, err := s.Run(ctx, nil)
		if i == 0 {
			out.Took = time.Since(start)
		}
		e, refused := errors.AsType[*contract.Error](err)
		switch {
		case err == nil:
			out.Blocks = append(out.Blocks, finalBlock(res))
		case refused && e.Code == contract.CodeInvalidRequest: // such as a budget that is too small
			out.Blocks = append(out.Blocks, eval.Block{Err: e.Message})
		default:
			return out, err
		}
		if i == 0 || len(out.Extracted) == 0 {
			reached(&out, res.Phases)
		}
	}
	return out, nil
}

// reached notes how far pages came.
func reached(out *eval.Attempt, p pipeline.PhaseResults) {
	places := func(results []contract.Result, kept bool) []eval.Place {
		var list []eval.Place
		for _, r := range results {
			if kept && r.BelowThreshold && len(list) > 0 {
				continue
			}
			for _, h := range r.Headings {
				list = append(list, eval.Place{Doc: pageID(r.DocSet, r.FilePath), Lines: h.Section})
			}
		}
		return list
	}
	if p.Search != nil {
		out.Found = places(p.Search.Results, false)
	}
	if p.Rerank != nil {
		out.Kept = places(p.Rerank.Results, true)
		out.Missing = p.Rerank.Unanswered
		out.Score = p.Rerank.RerankStats.Answerable
	}
	if p.Extract != nil {
		out.Extracted = nil
		for _, d := range p.Extract.Documents {
			out.Extracted = append(out.Extracted, pageID(d.DocSet, d.FilePath))
		}
		out.Missing = out.Missing || len(p.Extract.Documents) == 0
	}
}

func pageID(docSet, file string) string { return docSet + "/" + file }

// finalBlock is a run's final block for eval.
func finalBlock(res pipeline.Result) eval.Block {
	b := eval.Block{Tokens: process.Tokens(res.Final)}
	cited := map[string]bool{}
	for _, c := range res.Citations {
		id := pageID(c.DocSet, c.FilePath)
		cited[id] = true
		b.Cited = append(b.Cited, eval.Place{Doc: id, Lines: c.Lines})
	}
	if res.Phases.Extract == nil {
		return b
	}
	contents, docs := res.Phases.Extract.Contents, res.Phases.Extract.Documents
	if p := res.Phases.Process; p != nil {
		contents, docs = p.Contents, p.Documents
	}
	for _, d := range docs {
		id := pageID(d.DocSet, d.FilePath)
		if !cited[id] {
			continue
		}
		for n, text := range cite.PageLines(contents[d.ContentKey()]) {
			b.Lines = append(b.Lines, eval.Line{Doc: id, Number: n, Text: text})
		}
	}
	return b
}

// Standing is eval.Answerer's. It reads every page of the doc sets. A page that
// cannot be read has no lines.
func (a *Answers) Standing(ctx context.Context, texts []string) (map[string][]eval.Place, error) {
	out := map[string][]eval.Place{}
	for _, s := range a.sets {
		files, err := a.svc.home.Catalog.Files(ctx, s.ID)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			p, err := a.svc.home.Corpus.Source(ctx, s, f.Path)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				continue
			}
			standing(out, pageID(s.Ref.String(), f.Path), p, texts)
		}
	}
	return out, nil
}

// standing adds the lines of one page that contain the texts.
func standing(out map[string][]eval.Place, id string, p *corpus.Page, texts []string) {
	page := string(p.Doc.Text)
	for _, text := range texts {
		line, from := 1, 0
		for {
			at := strings.Index(page[from:], text)
			if at < 0 {
				break
			}
			line += strings.Count(page[from:from+at], "\n")
			out[text] = append(out[text], eval.Place{Doc: id, Lines: [2]int{line, line}})
			next := strings.IndexByte(page[from+at:], '\n')
			if next < 0 {
				break
			}
			from += at + next + 1
			line++
		}
	}
}
