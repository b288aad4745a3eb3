package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/eval"
)

// goldenFile contains graded questions about the manual. Every change of the ranking
// is evaluated with them.
var goldenFile = filepath.Join(root, "testdata", "eval", "manual.jsonl")

// headings returns the headings of a manual page. Lines in code blocks are ignored.
func headings(t *testing.T, name string) []string {
	t.Helper()
	var out []string
	code := false
	for line := range strings.Lines(manualPage(t, name)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		text := strings.TrimLeft(line, "#")
		if !code && text != line && strings.HasPrefix(text, " ") {
			out = append(out, strings.TrimSpace(text))
		}
	}
	if len(out) == 0 || code {
		t.Fatalf("%s: %d headings, in code at the end: %v", name, len(out), code)
	}
	return out
}

// The golden set refers to existing sections of the manual. Otherwise a renamed
// heading would count as a failure of the ranking.
func TestGoldenSetIsAboutTheManual(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	queries, err := eval.ReadQueries(bytes.NewReader(raw), goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(queries) < 60 {
		t.Errorf("there are %d questions", len(queries))
	}
	entries, err := fs.ReadDir(manual, "manual")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string][]string{}
	for _, e := range entries {
		pages[e.Name()] = headings(t, e.Name())
	}
	kinds := map[string]int{}
	asked := map[string]bool{}
	for _, q := range queries {
		kinds[q.Kind]++
		if len(q.Sections) < 1 || len(q.Sections) > 4 {
			t.Errorf("%q has %d answers", q.Text, len(q.Sections))
		}
		if !slices.ContainsFunc(q.Sections, func(s eval.Section) bool { return s.Grade == 3 }) {
			t.Errorf("%q has no section that answers it", q.Text)
		}
		for _, s := range q.Sections {
			asked[s.Doc] = true
			if s.Grade != 1 && s.Grade != 3 {
				t.Errorf("%q: the grade of %s is %d, neither 1 nor 3", q.Text, s.Doc, s.Grade)
			}
			if pages[s.Doc] == nil {
				t.Errorf("%q: the manual has no page %s", q.Text, s.Doc)
				continue
			}
			n := 0
			for _, h := range pages[s.Doc] {
				if h == s.Heading {
					n++
				}
			}
			if n != 1 {
				t.Errorf("%q: %s has %d sections %q; it has %q", q.Text, s.Doc, n, s.Heading, pages[s.Doc])
			}
		}
	}
	if want := []string{"concept", "how-to", "keyword", "parameter", "paraphrase", "troubleshooting", "what-is", "zh"}; !slices.Equal(slices.Sorted(maps.Keys(kinds)), want) {
		t.Errorf("the kinds are %v", kinds)
	}
	if len(asked) < len(pages)/2 {
		t.Errorf("only %d of the manual's %d pages are asked for", len(asked), len(pages))
	}
}

// answersFile contains questions whose answers are lines of the manual, and some that
// it does not answer.
var answersFile = filepath.Join(root, "testdata", "eval", "manual-answers.jsonl")

// Every nugget stands in a line of a page that the question names. A reworded line
// would otherwise count as an unanswered question.
func TestAnswersStandInTheManual(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(answersFile)
	if err != nil {
		t.Fatal(err)
	}
	questions, err := eval.ReadQuestions(bytes.NewReader(raw), answersFile)
	if err != nil {
		t.Fatal(err)
	}
	answerable, other := 0, map[string]int{}
	for _, q := range questions {
		if !q.Answerable() {
			other[q.Kind]++
			continue
		}
		answerable++
		if len(q.Docs) == 0 {
			t.Errorf("%q names no page", q.Text)
		}
		var lines []string
		for _, d := range q.Docs {
			lines = append(lines, strings.Split(manualPage(t, d), "\n")...)
		}
		for _, group := range q.Nuggets {
			for _, text := range group {
				if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, text) }) {
					t.Errorf("%q: no line of %v has %q", q.Text, q.Docs, text)
				}
			}
		}
	}
	if answerable < 30 || other[eval.KindFar] < 5 || other[eval.KindNear] < 5 {
		t.Errorf("%d questions with an answer, without one %v", answerable, other)
	}
}
