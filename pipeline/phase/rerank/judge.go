package rerank

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"docent/llm"
	"docent/llm/prompt"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/question"
)

// Judge is phase 1.5 by a model over the built-in order. The best TopK candidates are
// judged, and rerank_sim becomes the logistic function of a mean of two logits: the
// built-in one, and the model's. Other candidates keep the built-in one, so that all are
// on one scale, and a bad judgement moves a candidate only halfway.
//
// A model that was made to judge is asked for each passage whether it answers,
// and the probability of "yes" against "no" counts (Nogueira et al., Document
// Ranking with a Pretrained Sequence-to-Sequence Model, 2020). Any other is given
// several passages at once and grades each from 0 to 3 (the scale of Upadhyay et
// al., UMBRELA, 2024).
//
// It is asked only about questions of Intents that the router is sure of. Judgements made
// before the time budget is used up count.
type Judge struct {
	Builtin  *Builtin
	Source   model.Source
	Intents  []string
	TopK     int // 0: ModelTopK
	Counters *Counters
}

// Counters are specification 5's, since the program began.
type Counters struct {
	invocations, microseconds atomic.Int64
}

// Totals are reranker_invocations_total and the sum of reranker_latency_ms.
func (c *Counters) Totals() (invocations int64, latencyMS float64) {
	return c.invocations.Load(), float64(c.microseconds.Load()) / 1000
}

// ModelTopK is how many candidates a model judges: specification 5's.
const ModelTopK = 20

const (
	sureEnough   = 0.5 // of the router's confidence: below it the intent is uncertain
	perCall      = 10  // passages that are graded at once
	gradeTokens  = 10  // of a passage's grade in the answer
	mostPassage  = 1600
	leastPassage = 60
	modelWeight  = 0.5 // of a model's logit, relative to the built-in one
	judgeWeight  = 0.7 // of that of a model that was made to judge
	alternatives = 20
	surest       = 0.98 // what a model is believed at most
)

// gradeValue is what a grade is worth as a probability.
func gradeValue() [4]float64 { return [4]float64{0.03, 0.25, 0.75, 0.95} }

// Rerank is phase 1.5.
func (j *Judge) Rerank(ctx context.Context, in contract.RerankInput, policy contract.RerankPolicy) (contract.RerankOutput, contract.Trace,
	error) {
	return j.Builtin.rerankCandidates(ctx, in, policy, j.lookAtResults)
}

// reasonNotToAsk says why a question is not for the model, "" where it is.
func (j *Judge) reasonNotToAsk(c *contract.Context) string {
	switch {
	case c.Intent == "" && len(j.Intents) > 0:
		return fmt.Sprintf("a model reranks questions of the intent %s; the intent of this one is not known",
			strings.Join(j.Intents, " or "))
	case !slices.Contains(j.Intents, c.Intent):
		return fmt.Sprintf("a model reranks questions of the intent %s, not %s", strings.Join(j.Intents, " or "), c.Intent)
	case c.Confidence < sureEnough:
		return fmt.Sprintf("the intent is not sure enough (confidence %.2f, %.2f is asked)", c.Confidence, sureEnough)
	}
	return ""
}

func (j *Judge) lookAtResults(ctx context.Context, c *contract.Context, results []contract.Result, cands []candidate,
	out *contract.RerankOutput) (contract.Trace, error) {
	n := j.TopK
	if n <= 0 {
		n = ModelTopK
	}
	cands = cands[:min(n, len(cands))]
	if j.Source == nil {
		return contract.Trace{}, nil
	}
	// Before anything is sent: most questions are not for the model.
	if out.RerankStats.Gate = j.reasonNotToAsk(c); out.RerankStats.Gate != "" {
		return contract.Trace{}, nil
	}
	var partly []contract.Degraded
	trace, _, err := j.Source.TryModel(ctx, contract.PhaseRerank, func(ctx context.Context, m model.Model) error {
		texts, err := j.candidateTexts(ctx, results, cands)
		if err != nil {
			return err
		}
		start := j.Builtin.currentTime()
		values, calls, err := j.judgeTexts(ctx, m, c, texts)
		took := j.Builtin.currentTime().Sub(start)
		if j.Counters != nil {
			j.Counters.invocations.Add(int64(calls))
			j.Counters.microseconds.Add(took.Microseconds())
		}
		st := &out.RerankStats
		st.Invocations, st.LatencyMS = calls, took.Seconds()*1000
		if err != nil && ctx.Err() != nil {
			err = m.LateError()
		}
		weight := modelWeight
		if m.Judges {
			weight = judgeWeight
		}
		best := 0.0
		for i, v := range values {
			if v < 0 {
				continue
			}
			st.Judged++
			best = max(best, v)
			blendScore(&results[cands[i].page].Headings[cands[i].heading], v, weight)
		}
		if st.Judged == 0 {
			return err
		}
		if best > gradeValue()[2] {
			out.Unanswered = false // the model has read it
		}
		if err != nil {
			partly = append(partly, contract.Degraded{Phase: contract.PhaseRerank, Wanted: m.Engine,
				Used: fmt.Sprintf("%s for %d of %d headings", m.Engine, st.Judged, len(cands)), Reason: err.Error()})
		}
		return nil
	})
	trace.Degraded = append(trace.Degraded, partly...)
	return trace, err
}

// candidateTexts are the candidates' passages under their headings, as a model reads them.
func (j *Judge) candidateTexts(ctx context.Context, results []contract.Result, cands []candidate) ([]string, error) {
	byPage := map[int][]int{}
	for i, c := range cands {
		byPage[c.page] = append(byPage[c.page], i)
	}
	out := make([]string, len(cands))
	for page, mine := range byPage {
		r := &results[page]
		own := make([]candidate, len(mine))
		for k, i := range mine {
			own[k] = cands[i]
		}
		texts, err := j.Builtin.passagesOfPage(ctx, r, own)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for k, i := range mine {
			h := r.Headings[cands[i].heading]
			path := append([]string{r.PageTitle}, h.Path...)
			if len(h.Path) == 0 {
				path = append(path, strings.TrimLeft(h.Text, "# "))
			}
			out[i] = strings.Join(slices.Compact(path), " › ") + "\n" + texts[k] // without its text where it cannot be read
		}
	}
	return out, nil
}

// judgeTexts gives each text's probability of answering, -1 for those that were not judged,
// and how many calls that took. A non-nil error with values is the reason why not all
// were judged.
func (j *Judge) judgeTexts(ctx context.Context, m model.Model, c *contract.Context, texts []string) (values []float64, calls int,
	err error) {
	values = slices.Repeat([]float64{-1}, len(texts))
	asked := question.Shorten(c.Question, mostPassage)
	if m.Judges {
		for i, t := range texts {
			calls++
			contract.ReportProgress(ctx, contract.Progress{Text: "judging", Done: i, Total: len(texts), Engine: m.Engine})
			if values[i], err = probabilityOfYes(ctx, m, asked, question.Shorten(t, mostPassage)); err != nil {
				values[i] = -1
				return values, calls, err
			}
		}
		return values, calls, nil
	}
	room := m.PromptRoom(perCall*gradeTokens) - len(asked)
	for first := 0; first < len(texts); first += perCall {
		part := texts[first:min(first+perCall, len(texts))]
		contract.ReportProgress(ctx, contract.Progress{Text: "grading", Done: first, Total: len(texts), Engine: m.Engine})
		a := grades{n: len(part)}
		err = m.FitPrompt(room, func(fits int) error {
			room = fits // of the calls that follow too
			short := make([]string, len(part))
			for i, t := range part {
				short[i] = question.Shorten(t, min(mostPassage, max(leastPassage, room/perCall)))
			}
			calls++
			return m.AskJSON(ctx, prompt.Grade, map[string]any{"Question": asked, "Passages": short}, 40+len(part)*gradeTokens, &a)
		})
		if err != nil {
			return values, calls, err
		}
		for i := range part {
			values[first+i] = gradeValue()[*a.values[strconv.Itoa(i+1)]]
		}
	}
	return values, calls, nil
}

// grades is what a model writes of several passages: a grade by each number.
type grades struct {
	values map[string]*int // nil: null, which is no grade
	n      int
}

// UnmarshalJSON reads the grades.
func (g *grades) UnmarshalJSON(raw []byte) error { return json.Unmarshal(raw, &g.values) }

// Check is model.Answer's.
func (g *grades) Check() error {
	for i := range g.n {
		switch v := g.values[strconv.Itoa(i+1)]; {
		case v == nil:
			return fmt.Errorf("passage %d has no grade", i+1)
		case *v < 0 || *v > 3:
			return fmt.Errorf("passage %d has the grade %d, not 0 to 3", i+1, *v)
		}
	}
	if len(g.values) != g.n {
		return fmt.Errorf("it has %d grades of %d passages", len(g.values), g.n)
	}
	return nil
}

// probabilityOfYes is the probability that a model says yes, against no.
func probabilityOfYes(ctx context.Context, m model.Model, asked, passage string) (float64, error) {
	p, err := prompt.Render(prompt.Judge, map[string]any{"Question": asked, "Passage": passage})
	if err != nil {
		return 0, err
	}
	r := llm.ChatRequest{Model: m.Name, Messages: p.Messages(), MaxTokens: 1, TopLogProbs: alternatives}
	if strings.Contains(strings.ToLower(m.Name), "qwen") {
		// The form that Qwen3-Reranker was trained with, by its model card; the
		// templates under which it is given away differ.
		r.Raw = true
		r.Messages = []llm.Message{{Role: llm.User, Text: "<|im_start|>system\n" + p.System + "<|im_end|>\n<|im_start|>user\n" + p.User +
			"<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"}}
	}
	a, err := m.Chat.Chat(ctx, r)
	if err != nil {
		return 0, err
	}
	var pro, con float64
	for _, t := range a.FirstTokens {
		switch strings.ToLower(strings.TrimSpace(t.Text)) {
		case "yes":
			pro += math.Exp(t.LogProb)
		case "no":
			con += math.Exp(t.LogProb)
		}
	}
	if len(a.FirstTokens) == 0 {
		return 0, fmt.Errorf("%s does not say how likely its words are", m.Name)
	}
	if p := pro / (pro + con); pro+con > 0 && p >= 0 && p <= 1 {
		return p, nil
	}
	return 0, errors.New("neither yes nor no is among the likeliest answers of " + m.Name)
}

// blendScore joins a model's probability with a heading's rerank_sim.
func blendScore(h *contract.Heading, v, weight float64) {
	v = min(surest, max(1-surest, v))
	model := math.Log(v / (1 - v))
	old := *h.RerankSim
	logit := float64((1-weight)*math.Log(old/max(1e-6, 1-old))) + float64(weight*model)
	s := min(1, max(1e-6, math.Round(1e6/(1+math.Exp(-logit)))/1e6))
	h.RerankSim = &s
	if h.Explain == nil {
		return
	}
	e := *h.Explain
	e.Rerank = slices.Clone(e.Rerank)
	for i := range e.Rerank {
		e.Rerank[i].Weight *= 1 - weight
		e.Rerank[i].Value *= 1 - weight
	}
	e.Rerank = append(e.Rerank, contract.ExplainPart{Name: "model", Weight: weight, Input: model, Value: weight * model})
	h.Explain = &e
}
