// Package route is phase 0b: it classifies a question, so that the later phases can
// rank and cut for its kind.
//
// The built-in way adds up weighted cues: words and patterns that are frequent in one
// kind of question, in English and Chinese. The result names the cues that decided,
// and the doc sets that the question names. The package refuses to write queries
// (phase 0a) and to search.
//
// Terms. A scene is one of spec 1's four kinds of question, an intent one of spec 5's
// five. Both are decided by the same cues with separate weights.
package route

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/kind"
	"docent/pipeline/question/reading"
)

// Options configure a Builtin.
type Options struct {
	// Threshold is the reranker_threshold of the output, in [0,1]; nil:
	// contract.DefaultThreshold.
	Threshold *float64
	// NoRerank sets reranker_enabled of the output to false.
	NoRerank bool
}

// Builtin is phase 0b by weighted cues.
type Builtin struct {
	sets      question.Sets
	threshold float64
	enabled   bool
}

// New makes a Builtin that finds the names of the doc sets of sets; nil: none.
func New(sets question.Sets, o Options) *Builtin {
	threshold := contract.DefaultThreshold
	if o.Threshold != nil {
		threshold = *o.Threshold
	}
	return &Builtin{sets: sets, threshold: threshold, enabled: !o.NoRerank}
}

// Route classifies a question. It fails with SEARCH_QUERY_EMPTY if the question is
// empty, with INVALID_REQUEST if the threshold of the options is not in [0,1], and if
// the doc sets cannot be listed.
func (b *Builtin) Route(ctx context.Context, in contract.OptimizeInput) (contract.Routed, contract.Trace, error) {
	trace := contract.Trace{Engine: contract.EngineBuiltin}
	text, cut := question.CleanQuestion(in.Query)
	if text == "" {
		return contract.Routed{}, trace, contract.EmptyQuery()
	}
	if math.IsNaN(b.threshold) || b.threshold < 0 || b.threshold > 1 {
		return contract.Routed{}, trace, contract.Invalid("reranker_threshold",
			"the reranker threshold %v is not between 0 and 1; set it to a number like %v", b.threshold, contract.DefaultThreshold)
	}
	if err := ctx.Err(); err != nil {
		return contract.Routed{}, trace, err
	}
	if cut {
		trace.Degraded = append(trace.Degraded, contract.Degraded{Phase: contract.PhaseRoute, Wanted: "the whole question",
			Used: "its first 65536 bytes", Reason: "the question is longer than that"})
	}
	// The first lines tell what kind of question it is. A pasted log after them
	// would have cues of its own.
	const read = 2000
	head := question.Shorten(question.WithoutPreference(text), read)
	target, err := question.FindAim(ctx, b.sets, in.DocSets, head)
	if err != nil {
		return contract.Routed{}, trace, err
	}
	subject := target.Naming.Without(head)
	if subject == "" {
		subject = head
	}
	r := in.Reading
	if r == nil {
		r = readNamed(text, head, target)
	}
	v := weighCues(newSubject(subject, r))
	out := contract.Routed{RerankerThreshold: b.threshold, RerankerEnabled: b.enabled, Scene: v.scene, Intent: v.intent,
		Confidence: v.confidence, Evidence: v.evidence}
	threshold, enabled := out.RerankerThreshold, out.RerankerEnabled
	out.Context = &contract.Context{Question: target.WithoutVersions(text), Scene: out.Scene, Intent: out.Intent,
		Confidence:        out.Confidence,
		RerankerThreshold: &threshold, RerankerEnabled: &enabled, Language: question.Language(head)}
	target.ApplyTo(out.Context)
	return out, trace, nil
}

// readNamed reads a question that phase 0a did not read: without the names of doc sets,
// unless nothing is asked without them. head is its beginning without the words that ask
// for the full or the compressed text, in which the target was looked for.
func readNamed(text, head string, target question.Target) *contract.Reading {
	named := target.WithoutVersions(head)
	if short := target.Naming.Without(head); len(target.Naming.Mentions) > 0 && asksMore(short) {
		named = short
	}
	return reading.New(&contract.Context{Question: text}, kind.ReadKind(named))
}

// asksMore reports whether a question has more words than those that every question has.
func asksMore(text string) bool {
	language := question.Language(text)
	return slices.ContainsFunc(question.Tokens(text), func(t question.Token) bool {
		return strings.ContainsFunc(t.Text, unicode.IsLetter) && !question.FunctionWord(strings.ToLower(t.Text), language)
	})
}

// verdict is the result of the cues.
type verdict struct {
	scene, intent string
	confidence    float64 // 0 to 1, in hundredths
	evidence      []string
}

// weighCues adds up the cues of a question.
func weighCues(s subject) verdict {
	scenes, intents := map[string]float64{}, map[string]float64{}
	type found struct {
		cue  cue
		said string
	}
	var all []found
	for _, c := range cues() {
		said := s.firstCueWord(c)
		if said == "" {
			continue
		}
		scenes[c.scene] += c.weight
		if c.intent != "" {
			intents[c.intent] += cmp.Or(c.intentWeight, c.weight)
		}
		all = append(all, found{c, said})
	}
	// A question without cues looks something up: a name, a term, a title.
	scenes[contract.SceneFactLookup] += 0.5
	intents[contract.IntentGeneral] += 0.5

	scene, first, second := bestName(scenes, contract.Scenes())
	intent, _, _ := bestName(intents, contract.Intents())
	v := verdict{scene: scene, intent: intent}
	// Without cues the scene is a guess: 0.3. With cues the confidence grows from
	// there with the lead over the second scene, towards 0.95.
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
		said := fmt.Sprintf("%s: %s", f.said, why)
		if len(v.evidence) < most && !slices.ContainsFunc(v.evidence,
			func(e string) bool { return e == said || strings.HasPrefix(e, f.said+": ") }) {
			v.evidence = append(v.evidence, said)
		}
	}
	return v
}

// bestName is the name with the highest sum, the first one of equal sums, and the two
// highest sums.
func bestName(sums map[string]float64, names []string) (name string, first, second float64) {
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

// subject is a question in the forms that cues are matched against.
type subject struct {
	line   string // lower case, words parted by single spaces, a space at both ends
	han    string // lower case, no spaces
	tokens []question.Token
	words  int
	kind   *contract.Reading
}

// newSubject takes a question without the names of doc sets, and how it was read.
func newSubject(text string, r *contract.Reading) subject {
	s := subject{tokens: question.Tokens(text), kind: r}
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

// firstCueWord is the first of a cue's words that is in the question, or "".
func (s subject) firstCueWord(c cue) string {
	if c.shape != nil {
		return c.shape(s)
	}
	for _, w := range c.words.Phrases() {
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
