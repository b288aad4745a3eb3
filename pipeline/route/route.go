// Package route is phase 0b: it says what kind of question was asked, so that
// the later phases can rank and threshold for it.
//
// The built-in way weighs cues, words and shapes that stand in questions of one
// kind more than in others, in English and Chinese; it answers with the cues
// that decided. It refuses to write queries (phase 0a) and to search; the doc
// sets it hands on are those that the question names, or all.
//
// Terms. A scene is one of spec 1's four kinds of question, an intent one of
// spec 5's five; both are decided by the same cues with separate weights.
package route

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question"
)

// Options steer the router.
type Options struct {
	// Threshold is the reranker_threshold that is handed on, in [0,1]; nil means
	// contract.DefaultThreshold.
	Threshold *float64
	// NoRerank hands on that hits are not reranked.
	NoRerank bool
}

// Builtin is phase 0b by weighted cues.
type Builtin struct {
	sets      question.Sets
	threshold float64
	enabled   bool
}

// New makes a Builtin that knows the doc sets of sets; nil knows none.
func New(sets question.Sets, o Options) *Builtin {
	threshold := contract.DefaultThreshold
	if o.Threshold != nil {
		threshold = *o.Threshold
	}
	return &Builtin{sets: sets, threshold: threshold, enabled: !o.NoRerank}
}

// Route classifies a question. It fails with SEARCH_QUERY_EMPTY when nothing is
// asked, with INVALID_REQUEST when the threshold of the options is no number in
// [0,1], and when the doc sets cannot be listed.
func (b *Builtin) Route(ctx context.Context, in contract.OptimizeInput) (contract.Routed, contract.Trace, error) {
	trace := contract.Trace{Engine: contract.EngineBuiltin}
	text, cut := question.Clean(in.Query)
	if text == "" {
		return contract.Routed{}, trace, contract.EmptyQuery()
	}
	if math.IsNaN(b.threshold) || b.threshold < 0 || b.threshold > 1 {
		return contract.Routed{}, trace, contract.Invalid("reranker_threshold", "the reranker threshold %v is not between 0 and 1; set it to a number like %v", b.threshold, contract.DefaultThreshold)
	}
	if err := ctx.Err(); err != nil {
		return contract.Routed{}, trace, err
	}
	if cut {
		trace.Degraded = append(trace.Degraded, contract.Degraded{Phase: contract.PhaseRoute, Wanted: "the whole question",
			Used: "its first 65536 bytes", Reason: "the question is longer than that"})
	}
	// What kind of question it is stands in its first lines; a pasted log
	// after them would drown the cues.
	const read = 2000
	head := question.Shorten(text, read)
	target, err := question.Aim(ctx, b.sets, in.DocSets, head, nil)
	if err != nil {
		return contract.Routed{}, trace, err
	}
	subject := target.Naming.Without(head)
	if subject == "" {
		subject = head
	}
	v := weigh(subject)
	out := contract.Routed{RerankerThreshold: b.threshold, RerankerEnabled: b.enabled, Scene: v.scene, Intent: v.intent,
		Confidence: v.confidence, Evidence: v.evidence}
	threshold, enabled := out.RerankerThreshold, out.RerankerEnabled
	out.Context = &contract.Context{Question: text, Scene: out.Scene, Intent: out.Intent, Confidence: out.Confidence,
		RerankerThreshold: &threshold, RerankerEnabled: &enabled, Language: question.Language(head)}
	target.ApplyTo(out.Context)
	return out, trace, nil
}

// verdict is what the cues say.
type verdict struct {
	scene, intent string
	confidence    float64 // 0 to 1, in hundredths
	evidence      []string
}

// weigh adds up the cues of a question.
func weigh(text string) verdict {
	scenes, intents := map[string]float64{}, map[string]float64{}
	type found struct {
		cue  cue
		said string
	}
	var all []found
	s := newSubject(text)
	for _, c := range cues() {
		said := s.has(c)
		if said == "" {
			continue
		}
		scenes[c.scene] += c.weight
		if c.intent != "" {
			intents[c.intent] += max(c.weight, c.intentWeight)
		}
		all = append(all, found{c, said})
	}
	// With nothing said a question looks something up: a name, a term, a title.
	scenes[contract.SceneFactLookup] += 0.5
	intents[contract.IntentGeneral] += 0.5

	scene, first, second := best(scenes, contract.Scenes())
	intent, _, _ := best(intents, contract.Intents())
	v := verdict{scene: scene, intent: intent}
	// A guess without cues, or the lead over the second scene against one
	// imagined cue for it: never 1, and half of the way at a lead of one cue.
	v.confidence = 0.3
	if len(all) > 0 {
		lead := first - second
		v.confidence = math.Round((0.3+0.65*lead/(lead+1))*100) / 100
	}
	slices.SortStableFunc(all, func(a, b found) int {
		switch {
		case a.cue.weight > b.cue.weight:
			return -1
		case a.cue.weight < b.cue.weight:
			return 1
		}
		return 0
	})
	const most = 6
	for _, f := range all {
		why := f.cue.scene
		if f.cue.intent == intent {
			why = f.cue.intent
		}
		if f.cue.scene == scene {
			why = scene
			if f.cue.intent == intent {
				why += ", " + intent
			}
		} else if f.cue.intent != intent {
			continue // it spoke for neither
		}
		if len(v.evidence) < most {
			v.evidence = append(v.evidence, fmt.Sprintf("%s: %s", f.said, why))
		}
	}
	return v
}

// best is the name with the highest sum, the earlier one among equals, and the
// two highest sums.
func best(sums map[string]float64, names []string) (name string, first, second float64) {
	first, second = -1, 0
	for _, n := range names {
		switch s := sums[n]; {
		case s > first:
			name, first, second = n, s, max(first, 0)
		case s > second:
			second = s
		}
	}
	return name, first, second
}

// subject is a question as the cues look at it.
type subject struct {
	line   string // lower case, words parted by single spaces, a space at both ends
	han    string // lower case, no spaces
	tokens []question.Token
	words  int
}

func newSubject(text string) subject {
	s := subject{tokens: question.Tokens(text)}
	var words []string
	for _, t := range s.tokens {
		if t.Kind == question.Word || t.Kind == question.Code {
			words = append(words, strings.ToLower(strings.ReplaceAll(t.Text, "’", "'")))
		}
	}
	s.words = len(words)
	s.line = " " + strings.Join(words, " ") + " "
	s.han = strings.ToLower(strings.Join(strings.Fields(text), ""))
	return s
}

// has says which of a cue's words stand in the question, "" for none.
func (s subject) has(c cue) string {
	if c.shape != nil {
		return c.shape(s)
	}
	for _, w := range c.words {
		switch {
		case w[0] >= 0x80:
			if strings.Contains(s.han, w) {
				return w
			}
		case w[0] == '^':
			if strings.HasPrefix(s.line, " "+w[1:]+" ") {
				return w[1:]
			}
		case strings.Contains(s.line, " "+w+" "):
			return w
		}
	}
	return ""
}
