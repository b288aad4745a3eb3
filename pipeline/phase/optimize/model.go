package optimize

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docent/llm/prompt"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/question"
	"docent/pipeline/text/spacing"
)

// Model is phase 0a with a model. The language, the translations and the named doc
// sets are Builtin's; the model writes the queries, nouns and verbs. The first query,
// which counts most, stays the question itself if it is English: the question is
// searched for, whatever the model writes.
type Model struct {
	Builtin *Builtin
	Source  model.Source
	// Hypothetical has the model also invent an answer, whose vector is searched for:
	// Gao et al., Precise Zero-Shot Dense Retrieval without Relevance Labels (2023).
	Hypothetical bool
}

// The most tokens of answers.
const (
	answerTokens       = 700
	hypotheticalTokens = 220
	maxModelQuery      = 200 // characters; the schema says 120
	maxModelWord       = 80
	maxHypothetical    = 2000
	maxAskedOfModel    = 4000 // bytes of the question
)

// answer is the model's answer: the fields of contract.Optimized without ranks.
type answer struct {
	DocSet           []string      `json:"doc_set"`
	DomainNouns      []string      `json:"domain_nouns"`
	PredicateVerbs   []string      `json:"predicate_verbs"`
	OptimizedQueries []answerQuery `json:"optimized_queries"`

	asked string   // the question
	sets  []string // the doc sets there are
}

type answerQuery struct {
	Query    string `json:"query"`
	Strategy string `json:"strategy"`
	Reason   string `json:"reason"`
}

// Check is model.Answer's.
func (a *answer) Check() error {
	if n := len(a.OptimizedQueries); n < contract.MinQueries || n > contract.MaxQueries {
		return fmt.Errorf("it has %d queries, not %d to %d", n, contract.MinQueries, contract.MaxQueries)
	}
	var sets []string
	for _, s := range a.DocSet {
		if !slices.Contains(a.sets, s) {
			return fmt.Errorf("it names a doc set that is not there: %.80q", s)
		}
		if !slices.Contains(sets, s) {
			sets = append(sets, s)
		}
	}
	a.DocSet = sets
	var all strings.Builder
	var err error
	for i := range a.OptimizedQueries {
		q := &a.OptimizedQueries[i]
		if q.Query, err = model.TrimLine("a query", q.Query, maxModelQuery); err != nil {
			return err
		}
		if q.Query == "" {
			return fmt.Errorf("query %d is empty", i+1)
		}
		if !slices.Contains(contract.Strategies(), q.Strategy) {
			return fmt.Errorf("the strategy %.40q is none of %s", q.Strategy, strings.Join(contract.Strategies(), ", "))
		}
		if q.Reason, err = model.TrimLine("a reason", q.Reason, maxModelQuery); err != nil {
			return err
		}
		all.WriteString(q.Query + "\n")
	}
	for _, words := range []*[]string{&a.DomainNouns, &a.PredicateVerbs} {
		if len(*words) > maxNouns {
			return fmt.Errorf("it has %d nouns or verbs, not at most %d", len(*words), maxNouns)
		}
		var kept []string
		for _, w := range *words {
			if w, err = model.TrimLine("a noun or verb", w, maxModelWord); err != nil {
				return err
			}
			if w != "" && !slices.Contains(kept, w) {
				kept = append(kept, w)
			}
		}
		*words = kept
	}
	for _, t := range question.Tokens(a.asked) {
		if t.Kind == question.Code && len(t.Text) > 1 && !strings.Contains(all.String(), t.Text) {
			return fmt.Errorf("its queries leave out %.80q", t.Text)
		}
	}
	return nil
}

// Optimize is phase 0a.
func (m *Model) Optimize(ctx context.Context, in contract.OptimizeInput) (contract.Optimized, contract.Trace, error) {
	out, trace, err := m.Builtin.Optimize(ctx, in)
	if err != nil {
		return out, trace, err
	}
	asked := question.Shorten(question.WithoutPreference(out.Context.Question), maxAskedOfModel)
	if asked == "" {
		return out, trace, nil // only a preference: "summarize that"
	}
	sets, err := m.setNames(ctx)
	if err != nil {
		return out, trace, err
	}
	a := answer{asked: asked, sets: sets}
	tried, ok, err := m.Source.TryModel(ctx, contract.PhaseOptimize, func(ctx context.Context, model model.Model) error {
		return model.AskJSON(ctx, prompt.Optimize, map[string]any{"Question": asked, "DocSets": sets,
			"Min": contract.MinQueries, "Max": contract.MaxQueries, "Strategies": contract.Strategies()}, answerTokens, &a)
	})
	if err != nil {
		return out, trace, err
	}
	tried.Degraded = append(trace.Degraded, tried.Degraded...)
	if !ok {
		return out, tried, nil
	}
	m.takeAnswer(&out, a)
	if m.Hypothetical {
		degraded, err := m.imagineAnswer(ctx, asked, out.Context)
		if err != nil {
			return out, tried, err
		}
		tried.Degraded = append(tried.Degraded, degraded...)
	}
	return out, tried, nil
}

// takeAnswer replaces the built-in answer by the model's.
func (m *Model) takeAnswer(out *contract.Optimized, a answer) {
	l := &list{must: out.OptimizedQueries[0].Query}
	builtin := out.OptimizedQueries
	if out.QueryAnalysis.Language == "en" {
		l.queries = append(l.queries, builtin[0])
	}
	for _, q := range a.OptimizedQueries {
		l.addQuery(q.Strategy, q.Query, q.Reason)
	}
	for _, q := range builtin {
		if out.QueryAnalysis.Language != "en" && q.Strategy == contract.StrategyOriginal {
			l.addQuery(q.Strategy, q.Query, q.Reason)
			l.must = q.Query // the original words are required, in any language
		}
	}
	for _, q := range builtin {
		if !l.isFull() {
			l.addQuery(q.Strategy, q.Query, q.Reason)
		}
	}
	out.OptimizedQueries = l.rankedQueries()
	if len(a.DomainNouns) > 0 {
		out.QueryAnalysis.DomainNouns = a.DomainNouns
	}
	if len(a.PredicateVerbs) > 0 {
		out.QueryAnalysis.PredicateVerbs = a.PredicateVerbs
	}
	out.Context.Queries = nil
	for _, q := range out.OptimizedQueries {
		out.Context.Queries = append(out.Context.Queries, q.Query)
	}
	// Doc sets that a person named are kept. A search in guessed ones may be widened
	// if it finds nothing.
	if len(a.DocSet) > 0 && !out.Context.DocSetsExplicit {
		out.QueryAnalysis.DocSet = a.DocSet
		out.Context.DocSets = slices.Clone(a.DocSet)
	}
}

// imagineAnswer has the model invent an answer.
func (m *Model) imagineAnswer(ctx context.Context, asked string, c *contract.Context) ([]contract.Degraded, error) {
	trace, ok, err := m.Source.TryModel(ctx, contract.PhaseOptimize, func(ctx context.Context, model model.Model) error {
		text, err := model.AskProse(ctx, prompt.Hypothetical, map[string]any{"Question": asked}, hypotheticalTokens)
		if err != nil {
			return fmt.Errorf("no hypothetical passage: %w", err)
		}
		c.Hypothetical = question.Shorten(spacing.Single(prompt.PlainText(text)), maxHypothetical)
		return nil
	})
	if ok {
		return nil, err
	}
	for i := range trace.Degraded {
		trace.Degraded[i].Used = "no hypothetical passage"
	}
	return trace.Degraded, err
}

// setNames are the names of the doc sets that the model may choose from; nil if they are
// too many for a prompt.
func (m *Model) setNames(ctx context.Context) ([]string, error) {
	const most = 40
	if m.Builtin.sets == nil {
		return nil, nil
	}
	infos, err := m.Builtin.sets.Sets(ctx)
	if err != nil || len(infos) > most {
		return nil, err
	}
	var out []string
	for _, i := range infos {
		out = append(out, i.Ref.String())
	}
	slices.Sort(out)
	return out, nil
}
