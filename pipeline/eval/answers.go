package eval

import (
	"context"
	"docent/pipeline/text/shorten"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Arm is a way to ask for an answer.
type Arm struct {
	Extent    string `json:"extent,omitempty"`     // "": the configured one
	MaxTokens int    `json:"max_tokens,omitempty"` // 0: no budget
}

// String names the arm.
func (a Arm) String() string {
	name := a.Extent
	if name == "" {
		name = "as configured"
	}
	if a.MaxTokens > 0 {
		name += fmt.Sprintf(", %d tokens", a.MaxTokens)
	}
	return name
}

// Place is a section that a phase found, or lines that a block cites.
type Place struct {
	Doc   string // Name@version/path
	Lines [2]int // of the page, from 1, both included
}

// Line is a content line of a block.
type Line struct {
	Doc    string
	Number int // in the page, from 1; 0: not the page's (an omission line, a summary)
	Text   string
}

// Block is a final block.
type Block struct {
	Lines  []Line
	Cited  []Place
	Tokens int
	Err    string // why there is no block for this arm; "": there is one
}

// Attempt is the result of all phases for one question. Best places come first.
type Attempt struct {
	Found     []Place // by phase 1
	Kept      []Place // by phase 1.5
	Extracted []string
	// Missing says that the program told the person that the documentation has
	// probably no answer.
	Missing bool
	// Score is the probability of an answer, by phase 1.5; nil: not known.
	Score  *float64
	Blocks []Block // one for each arm
	Took   time.Duration
}

// Answerer answers questions.
type Answerer interface {
	// Answer runs a question through all phases, under each arm.
	Answer(ctx context.Context, question string, arms []Arm) (Attempt, error)
	// Standing returns for each text the lines of the documentation that contain
	// it, as places of one line.
	Standing(ctx context.Context, texts []string) (map[string][]Place, error)
	// Page returns the Name@version/path of a page of a Question, "" if it is
	// unknown.
	Page(name string) string
}

// The phases that can lose an answer.
const (
	LostSearch  = "1"       // no page with the answer was found
	LostRerank  = "1.5"     // it was found and dropped
	LostExtract = "2"       // it was kept and not extracted
	LostProcess = "3"       // it was extracted and is not in the block
	LostNowhere = "nowhere" // the documentation does not have it
)

// How far the section with an answer came, where phase 3 lost it.
const (
	SectionKept    = "kept"    // phase 1.5 kept it
	SectionDropped = "dropped" // phase 1 found it, 1.5 did not keep it
	SectionUnfound = "unfound" // phase 1 did not find it
)

// Loss is a nugget that is not in a block, and the phase that lost it.
type Loss struct {
	Nugget  string `json:"nugget"` // its first alternative
	Phase   string `json:"phase"`
	Section string `json:"section,omitempty"` // of LostProcess
}

// ErrNoNugget means that the documentation has none of the nuggets.
var ErrNoNugget = errors.New("no nugget of any question stands in the documentation; are these the right doc sets?")

// AnswerOutcome is the result of one question under one arm.
type AnswerOutcome struct {
	ID       string `json:"id"`
	Text     string `json:"query"`
	Kind     string `json:"kind,omitempty"`
	Language string `json:"lang,omitempty"`
	Answered bool   `json:"answered"`
	// Last is the content line by which the whole answer stands in the block; 0: it
	// does not.
	Last   int      `json:"last_line"`
	Recall float64  `json:"nugget_recall"`
	Lines  int      `json:"lines"`
	Tokens int      `json:"tokens"`
	Said   bool     `json:"said_missing"` // that the documentation has probably no answer
	Score  *float64 `json:"answerable,omitempty"`
	// GoldFirst says that the first heading of phase 1.5 is on a page that answers
	// the question; GoldCited, that the block cites one.
	GoldFirst bool   `json:"gold_first"`
	GoldCited bool   `json:"gold_cited"`
	Lost      []Loss `json:"lost,omitempty"`
	Err       string `json:"error,omitempty"`

	question           Question
	cited, citedUseful int
}

// ArmReport is the result of an arm.
type ArmReport struct {
	Arm
	AnswerMetrics
	ByKind     map[string]AnswerMetrics `json:"by_kind"`
	ByLanguage map[string]AnswerMetrics `json:"by_lang,omitempty"` // of several
	// Unanswerable has the questions that the documentation does not answer, by
	// kind.
	Unanswerable map[string]MissingMetrics `json:"unanswerable,omitempty"`
	// AUC is the probability that an answerable question has a higher score
	// (answerable) than an unanswerable one; nil: there are not both.
	AUC      *float64        `json:"answerable_auc,omitempty"`
	Outcomes []AnswerOutcome `json:"per_query,omitempty"`
}

// AnswerReport is the result of a run over questions.
type AnswerReport struct {
	Name      string      `json:"name,omitempty"`
	Questions int         `json:"questions"`
	Arms      []ArmReport `json:"arms"`
	Latency   Latency     `json:"latency_ms"` // of the first arm
	// Nowhere are the nuggets that the documentation does not have.
	Nowhere []NowhereNugget `json:"nowhere,omitempty"`
	// Unknown are pages of questions that the documentation does not have.
	Unknown []string `json:"unknown_docs,omitempty"`
}

// NowhereNugget is a nugget of which no alternative stands in the documentation.
type NowhereNugget struct {
	ID      string   `json:"id"`
	Text    string   `json:"query"`
	Nuggets []string `json:"nuggets"`
}

// RunAnswers asks every question under every arm. If the documentation has none of
// the pages that the questions name, or none of their nuggets, that is an error: the
// questions are about something else. Single ones are reported.
func RunAnswers(ctx context.Context, questions []Question, arms []Arm, a Answerer, progress func(done, total int)) (AnswerReport, error) {
	rep := AnswerReport{Questions: len(questions)}
	if len(questions) == 0 {
		return rep, ErrEmpty
	}
	gold, unknown, err := goldPages(questions, a)
	if err != nil {
		return rep, err
	}
	rep.Unknown = unknown
	standing, err := findAllNuggets(ctx, questions, a)
	if err != nil {
		return rep, err
	}
	if rep.Nowhere, err = unfoundNuggets(questions, standing); err != nil {
		return rep, err
	}
	for _, arm := range arms {
		rep.Arms = append(rep.Arms, ArmReport{Arm: arm})
	}
	var latencies []float64
	for i, q := range questions {
		if progress != nil {
			progress(i, len(questions))
		}
		at, err := a.Answer(ctx, q.Text, arms)
		if err != nil {
			return rep, fmt.Errorf("question %s (%q): %w", q.ID, shorten.Runes(q.Text, mostQuoted), err)
		}
		if len(at.Blocks) != len(arms) {
			return rep, fmt.Errorf("question %s: %d blocks for %d arms", q.ID, len(at.Blocks), len(arms))
		}
		latencies = append(latencies, at.Took.Seconds()*1000)
		j := judge{question: q, gold: gold[i], standing: standing, attempt: at}
		for k := range arms {
			rep.Arms[k].Outcomes = append(rep.Arms[k].Outcomes, j.judgedOutcome(at.Blocks[k]))
		}
	}
	if progress != nil {
		progress(len(questions), len(questions))
	}
	for k := range rep.Arms {
		rep.Arms[k].summarize()
	}
	slices.Sort(latencies)
	rep.Latency = Latency{roundToFourPlaces(percentile(latencies, 0.5)), roundToFourPlaces(percentile(latencies, 0.95))}
	return rep, nil
}

// goldPages are the pages that answer each question, and the unknown ones.
func goldPages(questions []Question, a Answerer) (gold [][]string, unknown []string, err error) {
	gold = make([][]string, len(questions))
	known := false
	for i, q := range questions {
		for _, name := range q.Docs {
			id := a.Page(name)
			if id == "" {
				unknown = append(unknown, name)
				continue
			}
			known = true
			gold[i] = append(gold[i], id)
		}
	}
	slices.Sort(unknown)
	unknown = slices.Compact(unknown)
	if !known {
		err = UnknownDocuments(unknown)
	}
	return gold, unknown, err
}

// findAllNuggets finds all nuggets in the documentation.
func findAllNuggets(ctx context.Context, questions []Question, a Answerer) (map[string][]Place, error) {
	var texts []string
	for _, q := range questions {
		for _, group := range q.Nuggets {
			texts = append(texts, group...)
		}
	}
	if len(texts) == 0 {
		return nil, nil
	}
	slices.Sort(texts)
	return a.Standing(ctx, slices.Compact(texts))
}

// unfoundNuggets lists the nuggets that the documentation does not have.
func unfoundNuggets(questions []Question, standing map[string][]Place) ([]NowhereNugget, error) {
	var out []NowhereNugget
	nuggets := 0
	for _, q := range questions {
		for _, group := range q.Nuggets {
			nuggets++
			if !slices.ContainsFunc(group, func(text string) bool { return len(standing[text]) > 0 }) {
				out = append(out, NowhereNugget{ID: q.ID, Text: q.Text, Nuggets: group})
			}
		}
	}
	if nuggets > 0 && len(out) == nuggets {
		return out, ErrNoNugget
	}
	return out, nil
}

// judge compares a question's blocks with its nuggets.
type judge struct {
	question Question
	gold     []string
	standing map[string][]Place
	attempt  Attempt
}

func (j judge) judgedOutcome(b Block) AnswerOutcome {
	q := j.question
	o := AnswerOutcome{ID: q.ID, Text: q.Text, Kind: q.Kind, Language: q.Language, Lines: len(b.Lines), Tokens: b.Tokens,
		Said: j.attempt.Missing, Score: j.attempt.Score, Err: b.Err, question: q, cited: len(b.Cited)}
	o.GoldFirst = len(j.attempt.Kept) > 0 && slices.Contains(j.gold, j.attempt.Kept[0].Doc)
	o.GoldCited = slices.ContainsFunc(b.Cited, func(p Place) bool { return slices.Contains(j.gold, p.Doc) })
	found := 0
	for _, group := range q.Nuggets {
		line := firstLine(b.Lines, group)
		if line == 0 {
			o.Lost = append(o.Lost, j.losingPhase(group))
			continue
		}
		found++
		o.Last = max(o.Last, line)
	}
	if q.Answerable() {
		o.Recall = roundToFourPlaces(float64(found) / float64(len(q.Nuggets)))
		o.Answered = found == len(q.Nuggets)
	}
	if !o.Answered {
		o.Last = 0
	}
	for _, p := range b.Cited {
		if slices.ContainsFunc(b.Lines, func(l Line) bool { return p.holdsLine(l.Doc, l.Number) && q.hasNugget(l.Text) }) {
			o.citedUseful++
		}
	}
	return o
}

func (p Place) holdsLine(doc string, line int) bool {
	return p.Doc == doc && line > 0 && p.Lines[0] <= line && line <= p.Lines[1]
}

func (q Question) hasNugget(line string) bool {
	return slices.ContainsFunc(q.Nuggets, func(group []string) bool { return holdsAny(line, group) })
}

func holdsAny(line string, texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(line, text) })
}

// firstLine is the number, from 1, of the first line with one of the texts; 0: none.
func firstLine(lines []Line, texts []string) int {
	return slices.IndexFunc(lines, func(l Line) bool { return holdsAny(l.Text, texts) }) + 1
}

// losingPhase finds the phase that lost a nugget: the last one that still had a page with
// it. Only the pages that answer the question count, if the nugget stands in any of
// them: a short one may stand elsewhere by chance.
func (j judge) losingPhase(group []string) Loss {
	l := Loss{Nugget: group[0], Phase: LostNowhere}
	var all, gold []Place
	for _, text := range group {
		for _, p := range j.standing[text] {
			all = append(all, p)
			if slices.Contains(j.gold, p.Doc) {
				gold = append(gold, p)
			}
		}
	}
	if len(gold) > 0 {
		all = gold
	}
	reached := func(in func(doc string) bool) bool {
		return slices.ContainsFunc(all, func(p Place) bool { return in(p.Doc) })
	}
	among := func(places []Place) func(string) bool {
		return func(doc string) bool {
			return slices.ContainsFunc(places, func(p Place) bool { return p.Doc == doc })
		}
	}
	extracted := func(doc string) bool { return slices.Contains(j.attempt.Extracted, doc) }
	switch {
	case len(all) == 0:
	case reached(extracted):
		all = slices.DeleteFunc(slices.Clone(all), func(p Place) bool { return !extracted(p.Doc) })
		l.Phase, l.Section = LostProcess, j.judgeSection(all)
	case reached(among(j.attempt.Kept)):
		l.Phase = LostExtract
	case reached(among(j.attempt.Found)):
		l.Phase = LostRerank
	default:
		l.Phase = LostSearch
	}
	return l
}

// judgeSection says how far the sections with these lines came.
func (j judge) judgeSection(lines []Place) string {
	within := func(sections []Place) bool {
		return slices.ContainsFunc(lines, func(p Place) bool {
			return slices.ContainsFunc(sections, func(s Place) bool { return s.holdsLine(p.Doc, p.Lines[0]) })
		})
	}
	switch {
	case within(j.attempt.Kept):
		return SectionKept
	case within(j.attempt.Found):
		return SectionDropped
	}
	return SectionUnfound
}
