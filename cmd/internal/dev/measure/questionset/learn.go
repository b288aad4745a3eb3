package questionset

import (
	"context"
	"fmt"

	"docent/pipeline/contract"
	"docent/pipeline/phase/rerank"
	"docent/pipeline/service/measure"
)

// Judged is a question with what phase 1.5 would rank for it, judged.
type Judged struct {
	Question
	Candidates []rerank.Candidate
	Answers    []bool // of each candidate: its section answers
	Pages      []bool // of each candidate: its page has a section that answers
}

// Judge finds the candidates for each question of a doc set and judges them by the places
// and the nuggets of the question.
func (l *Library) Judge(ctx context.Context, s Set, questions []Question) ([]Judged, error) {
	a, err := l.Asker(ctx, s, false)
	if err != nil {
		return nil, err
	}
	return a.JudgeAmong(ctx, []Set{s}, questions)
}

// JudgeAmong is as Judge where several doc sets are searched.
func (a *Asker) JudgeAmong(ctx context.Context, searched []Set, questions []Question) ([]Judged, error) {
	names := make([]string, len(searched))
	for i, s := range searched {
		names[i] = s.Name + "@" + version
	}
	answers, err := a.l.Measure.EvaluateAnswers(ctx, names)
	if err != nil {
		return nil, err
	}
	var out []Judged
	for _, q := range questions {
		j, err := a.judgeCandidates(ctx, answers, q)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.ID, err)
		}
		out = append(out, j)
	}
	return out, nil
}

func (a *Asker) judgeCandidates(ctx context.Context, answers *measure.Answers, q Question) (Judged, error) {
	j := Judged{Question: q}
	var err error
	if j.Candidates, err = answers.Candidates(ctx, q.Query, contract.DefaultRerankPolicy().CandidateLimit); err != nil {
		return j, err
	}
	for _, c := range j.Candidates {
		answered, page := false, false
		if q.Answerable() {
			one, known := a.found[sectionKey(c.DocSet, c.FilePath, c.Anchor)]
			for _, p := range q.places() {
				if c.DocSet == a.set.Name+"@"+version {
					page = page || a.set.pageKey(p.Doc) == a.set.pageKey(c.FilePath)
					answered = answered || known && a.same(one, p)
				}
			}
			answered = answered || known && lastLine([]string{one.text}, q.Nuggets) > 0
		}
		j.Answers, j.Pages = append(j.Answers, answered), append(j.Pages, page || answered)
	}
	return j, nil
}
