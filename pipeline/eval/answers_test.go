package eval

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestReadQuestions(t *testing.T) {
	t.Parallel()
	in := `{"query": "what is a wick", "kind": "definition", "lang": "en", "docs": ["wicks.md", "Lamp@1/oil.md"], "nuggets": [["woven cotton", "of cotton"], ["an inch"]]}

{"id": "oil", "query": "which oil", "doc": "oil.md", "nuggets": [["paraffin"]]}
{"query": "who won the cup", "kind": "far"}
{"query": "is there a wick of steel", "kind": "near", "nuggets": []}`
	queries, got, err := Read(strings.NewReader(in), "q.jsonl")
	if err != nil || queries != nil {
		t.Fatal(queries, err)
	}
	want := []Question{
		{ID: "1", Text: "what is a wick", Kind: "definition", Language: "en", Docs: []string{"wicks.md", "Lamp@1/oil.md"},
			Nuggets: [][]string{{"woven cotton", "of cotton"}, {"an inch"}}},
		{ID: "oil", Text: "which oil", Docs: []string{"oil.md"}, Nuggets: [][]string{{"paraffin"}}},
		{ID: "4", Text: "who won the cup", Kind: KindFar},
		{ID: "5", Text: "is there a wick of steel", Kind: KindNear, Nuggets: [][]string{}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}

	queries, got, err = Read(strings.NewReader(`{"query": "trim", "doc": "wicks.md", "kind": "far"}`), "q.jsonl")
	if err != nil || len(queries) != 1 || got != nil {
		t.Errorf("a file of known items gives %v, %v, %v", queries, got, err)
	}
}

// A nugget that no block can have, or that every block has, would be measured as a
// failure or a success of the program.
func TestReadQuestionsRefuses(t *testing.T) {
	t.Parallel()
	const good = `{"query": "a", "nuggets": [["b"]]}` + "\n"
	for in, want := range map[string]string{
		good + `{"query": "q", "doc": "a.md"}`:                 `line 2: there are no "nuggets", and other lines have some`,
		`{"query": "q", "nuggets": []}`:                        `line 1: there are no "nuggets"`,
		`{"query": "q", "nuggets": [["a"], []]}`:               `"nuggets" has an empty list at place 2`,
		`{"query": "q", "nuggets": [["a", " "]]}`:              `"nuggets" has an empty text at place 1`,
		`{"query": "q", "nuggets": [["a\nb"]]}`:                `the nugget "a\nb" has a line break`,
		`{"query": "q", "nuggets": ["a"]}`:                     `line 1: json: `,
		`{"query": " ", "nuggets": [["a"]]}`:                   `"query" is needed`,
		`{"query": "q", "docs": {"a": 1}, "nuggets": [["a"]]}`: `"docs" must be a page or a list of pages`,
		" \n": "there are no queries",
	} {
		_, _, err := Read(strings.NewReader(in), "q.jsonl")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "q.jsonl") {
			t.Errorf("%s\n gives %v, want %q", in, err, want)
		}
	}
}

// library is an Answerer with fixed attempts over a few pages of text.
type library struct {
	pages    map[string]string
	attempts map[string]Attempt
	fail     error
}

func (l library) Answer(_ context.Context, q string, _ []Arm) (Attempt, error) {
	return l.attempts[q], l.fail
}

func (l library) Standing(_ context.Context, texts []string) (map[string][]Place, error) {
	out := map[string][]Place{}
	for _, text := range texts {
		for id, page := range l.pages {
			for i, line := range strings.Split(page, "\n") {
				if strings.Contains(line, text) {
					out[text] = append(out[text], Place{id, [2]int{i + 1, i + 1}})
				}
			}
		}
	}
	return out, nil
}

func (l library) Page(name string) string {
	if _, ok := l.pages["L@1/"+name]; ok {
		return "L@1/" + name
	}
	return ""
}

// lantern is a library of four pages, and its attempts have two arms: whole
// documents, and a block of a single line.
func lantern() (library, []Question, []Arm) {
	lines := func(id, text string) (out []Line) {
		for i, l := range strings.Split(text, "\n") {
			out = append(out, Line{id, i + 1, l})
		}
		return out
	}
	pages := map[string]string{
		"L@1/wicks.md": "# Wicks\nA wick is of cotton.\n## Trim\nTrim it weekly.",
		"L@1/oil.md":   "# Oil\nUse paraffin.",
		"L@1/fog.md":   "# Fog\nSound the horn. Trim it weekly.",
		"L@1/log.md":   "# Log\nWrite in cotton gloves.",
	}
	wicks := []Place{{"L@1/wicks.md", [2]int{1, 2}}, {"L@1/wicks.md", [2]int{3, 4}}}
	whole := Block{Lines: lines("L@1/wicks.md", pages["L@1/wicks.md"]), Cited: []Place{{"L@1/wicks.md", [2]int{1, 4}}}, Tokens: 40}
	short := Block{Lines: []Line{{"L@1/wicks.md", 0, "[… lines 1–1 omitted …]"}, {"L@1/wicks.md", 2, "A wick is of cotton."}},
		Cited: []Place{{"L@1/wicks.md", [2]int{2, 2}}, {"L@1/wicks.md", [2]int{4, 4}}}, Tokens: 10}
	at := Attempt{Found: append(wicks, Place{"L@1/oil.md", [2]int{1, 2}}), Kept: wicks[:1], Extracted: []string{"L@1/wicks.md"},
		Blocks: []Block{whole, short}, Took: 5 * time.Millisecond}
	kept := at
	kept.Kept = at.Found
	nothing := Attempt{Missing: true, Blocks: []Block{{}, {Err: "the budget is too small"}}}
	l := library{pages: pages, attempts: map[string]Attempt{
		"wick": at, "wick and trim": at, "oil": at, "oil kept": kept, "horn": at, "steel": nothing, "gas": nothing,
	}}
	return l, []Question{
		{ID: "1", Text: "wick", Kind: "what", Docs: []string{"wicks.md"}, Nuggets: [][]string{{"of steel", "of cotton"}}},
		{ID: "2", Text: "wick and trim", Kind: "how", Docs: []string{"wicks.md"}, Nuggets: [][]string{{"of cotton"}, {"weekly"}}},
		{ID: "3", Text: "oil", Kind: "what", Docs: []string{"oil.md"}, Nuggets: [][]string{{"paraffin"}}},
		{ID: "4", Text: "oil kept", Kind: "what", Docs: []string{"oil.md"}, Nuggets: [][]string{{"paraffin"}}},
		{ID: "5", Text: "horn", Kind: "what", Docs: []string{"fog.md"}, Nuggets: [][]string{{"horn"}}},
		{ID: "6", Text: "steel", Kind: "what", Docs: []string{"gone.md"}, Nuggets: [][]string{{"stainless"}}},
		{ID: "7", Text: "gas", Kind: KindNear},
	}, []Arm{{}, {Extent: "sections", MaxTokens: 10}}
}

func TestRunAnswers(t *testing.T) {
	t.Parallel()
	l, questions, arms := lantern()
	rep, err := RunAnswers(context.Background(), questions, arms, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Counted by hand over the six answerable questions.
	want := AnswerMetrics{Questions: 6, Answered: 0.3333, Answered60: 0.3333, Answered100: 0.3333, Answered300: 0.3333,
		Recall: 0.3333, GoldFirst: 0.3333, GoldCited: 0.3333, Useful: 0.4, Cited: 0.8333, FalseAlarms: 0.1667,
		Lines: 4, LinesP90: 4, Tokens: 40, TokensP90: 40, Lost: Losses{Search: 1, Rerank: 1, Extract: 1, Nowhere: 1}}
	if got := rep.Arms[0].AnswerMetrics; got != want {
		t.Errorf("whole documents:\n got %+v\nwant %+v", got, want)
	}
	want = AnswerMetrics{Questions: 6, Answered: 0.1667, Answered60: 0.1667, Answered100: 0.1667, Answered300: 0.1667,
		Recall: 0.25, GoldFirst: 0.3333, GoldCited: 0.3333, Useful: 0.2, Cited: 1.6667, FalseAlarms: 0.1667,
		Lines: 2, LinesP90: 2, Tokens: 10, TokensP90: 10, Failed: 1, Lost: Losses{Search: 1, Rerank: 1, Extract: 1, Process: 1, Nowhere: 1}}
	if got := rep.Arms[1].AnswerMetrics; got != want {
		t.Errorf("a short block:\n got %+v\nwant %+v", got, want)
	}
	if got := rep.Arms[0].Unanswerable[KindNear]; got != (MissingMetrics{Questions: 1, Said: 1}) {
		t.Errorf("unanswerable: %+v", got)
	}
	// Trimming stands in the fog's page too, but the question is about the wicks'.
	if got := rep.Arms[1].Outcomes[1].Lost; !reflect.DeepEqual(got, []Loss{{"weekly", LostProcess, SectionDropped}}) {
		t.Errorf("what was lost of two nuggets: %+v", got)
	}
	if got := rep.Arms[0].Outcomes[1].Last; got != 4 {
		t.Errorf("the whole answer stands by line %d, want 4", got)
	}
	if len(rep.Nowhere) != 1 || rep.Nowhere[0].ID != "6" || !reflect.DeepEqual(rep.Unknown, []string{"gone.md"}) {
		t.Errorf("nowhere %+v, unknown %v", rep.Nowhere, rep.Unknown)
	}
	// Scores .9 and .2 against .2 and none: three and a half of four pairs.
	high, low := 0.9, 0.2
	scored := []AnswerOutcome{{Score: &high, question: questions[0]}, {Score: &low, question: questions[1]},
		{Score: &low, question: questions[6]}, {question: questions[6]}}
	if got := separation(scored); got == nil || *got != 0.875 {
		t.Errorf("the scores separate the questions with %v", got)
	}
	if got := separation(scored[:2]); got != nil {
		t.Errorf("answerable questions alone are separated with %v", *got)
	}
	if got := rep.Arms[0].ByKind["what"].Questions; got != 5 {
		t.Errorf("%d questions of one kind", got)
	}
}

func TestRunAnswersRefuses(t *testing.T) {
	t.Parallel()
	l, questions, arms := lantern()
	ctx := context.Background()
	if _, err := RunAnswers(ctx, nil, arms, l, nil); !errors.Is(err, ErrEmpty) {
		t.Errorf("no questions: %v", err)
	}
	if _, err := RunAnswers(ctx, questions[5:6], arms, l, nil); !errors.Is(err, ErrUnknown) {
		t.Errorf("no page is there: %v", err)
	}
	stranger := []Question{{ID: "1", Text: "wick", Nuggets: [][]string{{"stainless"}}}}
	if _, err := RunAnswers(ctx, stranger, arms, l, nil); !errors.Is(err, ErrNoNugget) {
		t.Errorf("no nugget is there: %v", err)
	}
	if rep, err := RunAnswers(ctx, questions[6:], arms, l, nil); err != nil || rep.Arms[0].Questions != 0 {
		t.Errorf("unanswerable questions alone: %v", err)
	}
	l.fail = errors.New("the disk is gone")
	if _, err := RunAnswers(ctx, questions, arms, l, nil); err == nil || !strings.Contains(err.Error(), `question 1 ("wick"): the disk is gone`) {
		t.Errorf("an error of the answerer: %v", err)
	}
}

// 200 nuggets are a list like any other.
func TestManyNuggets(t *testing.T) {
	t.Parallel()
	l, _, arms := lantern()
	q := Question{ID: "1", Text: "wick"}
	for i := range 200 {
		q.Nuggets = append(q.Nuggets, []string{fmt.Sprint("nothing ", i)})
	}
	q.Nuggets[7] = []string{"of cotton"}
	rep, err := RunAnswers(context.Background(), []Question{q}, arms, l, nil)
	if err != nil || len(rep.Nowhere) != 199 || rep.Arms[0].Recall != 0.005 {
		t.Errorf("%d nowhere, recall %v, %v", len(rep.Nowhere), rep.Arms[0].Recall, err)
	}
}

func TestCompareArms(t *testing.T) {
	t.Parallel()
	l, questions, arms := lantern()
	after, err := RunAnswers(context.Background(), questions, arms, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := AnswerReport{Arms: []ArmReport{{Arm: arms[0], Outcomes: []AnswerOutcome{
		{ID: "9", Text: "wick"}, {ID: "3", Text: "oil", Answered: true}, {ID: "7", Text: "gas"}, {ID: "8", Text: "other"},
	}}}}
	got := CompareArms(before, after)
	if len(got) != 1 || got[0].Common != 2 || !reflect.DeepEqual(got[0].Gained, []string{"wick"}) || !reflect.DeepEqual(got[0].Lost, []string{"oil"}) {
		t.Errorf("%+v", got)
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	lines := func(o AnswerOutcome) int { return o.Lines }
	of := func(n ...int) (out []AnswerOutcome) {
		for _, x := range n {
			out = append(out, AnswerOutcome{Lines: x})
		}
		return out
	}
	if got := medianOutcome(of(9, 1, 4), lines); got != 4 {
		t.Error(got)
	}
	if got := medianOutcome(of(9, 1, 4, 5), lines); got != 4 {
		t.Error(got)
	}
	if got := ninetieth(of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), lines); got != 10 {
		t.Error(got)
	}
}
