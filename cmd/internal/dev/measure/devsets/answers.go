package devsets

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"docent/pipeline/eval"
	"docent/pipeline/service/measure"
	"docent/store/doc"
)

// ManualAnswers is the name of the set of questions with nuggets over the manual.
const ManualAnswers = "manual-answers"

// Answers is a set of questions that a final block is to answer.
type Answers struct {
	Name string
	// Definitions says that only the first heading counts: the questions ask for
	// terms, and their nuggets are the terms.
	Definitions bool
	ref         doc.Ref // of the folder; zero: its own names
	// dir is the folder of documentation, in the folder of the data.
	dir   string
	files []string // in the folder "queries"
}

// AllAnswers lists the sets with questions for blocks.
func AllAnswers() []Answers {
	kubernetes := doc.Ref{Name: "Kubernetes", Version: "1.31"}
	return []Answers{
		{Name: ManualAnswers},
		{Name: "k8s-answers", ref: kubernetes, dir: "corpora/k8s-docs-v1.31", files: []string{"answers-dev-k8s", "unanswerable-dev-k8s"}},
		{Name: "k8s-definitions", ref: kubernetes, dir: "corpora/k8s-docs-v1.31", Definitions: true},
		{Name: "docsets-answers", dir: "docsets", files: []string{"answers-dev-docsets", "unanswerable-dev-docsets"}},
	}
}

// OpenedAnswers is the documentation of a set, indexed in a temporary home.
type OpenedAnswers struct {
	*measure.Answers
	Questions []eval.Question
	close     func() error
}

// Close removes the temporary home.
func (o *OpenedAnswers) Close() error { return o.close() }

// OpenAnswers reads the questions of a set and indexes its documentation.
func (d Data) OpenAnswers(ctx context.Context, set Answers) (*OpenedAnswers, error) {
	dir, files := filepath.Join(d.Dir, filepath.FromSlash(set.dir)), set.files
	var questions []eval.Question
	var err error
	switch {
	case set.Name == ManualAnswers:
		dir = d.Manual
		questions, err = readQuestions(d.Nuggets)
	case set.Definitions:
		questions, err = glossaryQuestions(dir)
	}
	for _, f := range files {
		if err != nil {
			break
		}
		var more []eval.Question
		more, err = readQuestions(filepath.Join(d.Dir, "queries", f+".jsonl"))
		questions = append(questions, more...)
	}
	if err != nil {
		return nil, err
	}
	var manual fs.FS
	if set.Name != ManualAnswers { // as a person's home has it
		manual = os.DirFS(d.Manual)
	}
	a, _, closeHome, err := d.index(ctx, dir, set.ref, manual)
	if err != nil {
		return nil, err
	}
	var names []string
	if set.ref != (doc.Ref{}) {
		names = append(names, set.ref.String())
	}
	answers, err := a.Measure.EvaluateAnswers(ctx, names)
	if err != nil {
		return nil, errors.Join(err, closeHome())
	}
	return &OpenedAnswers{Answers: answers, Questions: questions, close: closeHome}, nil
}

func readQuestions(path string) ([]eval.Question, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	questions, err := eval.ReadQuestions(f, path)
	return questions, errors.Join(err, f.Close())
}

// frontMatter is the front matter of a page.
var frontMatter = regexp.MustCompile(`(?s)\A---\r?\n(.*?)\n---`)

// glossaryQuestions asks for the definition of every term of a glossary whose
// entries name the page that explains it in front matter (title, full_link). Both
// the entry and that page answer it.
func glossaryQuestions(dir string) ([]eval.Question, error) {
	entries, err := filepath.Glob(filepath.Join(dir, "reference", "glossary", "*.md"))
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, fs.ErrNotExist
	}
	var out []eval.Question
	for _, path := range entries {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		m := frontMatter.FindSubmatch(raw)
		if m == nil {
			continue
		}
		field := func(name string) string {
			for line := range strings.SplitSeq(string(m[1]), "\n") {
				if value, ok := strings.CutPrefix(line, name+":"); ok {
					return strings.Trim(strings.TrimSpace(value), `"'`)
				}
			}
			return ""
		}
		link := strings.Trim(strings.TrimPrefix(field("full_link"), "/docs/"), "/")
		page := ""
		for _, ending := range []string{".md", "/_index.md"} {
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(link)+ending)); link != "" && err == nil {
				page = link + ending
			}
		}
		if page == "" {
			continue
		}
		entry, err := filepath.Rel(dir, path)
		if err != nil {
			return nil, err
		}
		out = append(out, eval.Question{ID: strconv.Itoa(len(out) + 1), Text: "what is " + article(field("title")), Kind: "definition",
			Language: "en",
			Docs:     []string{filepath.ToSlash(entry), page}, Nuggets: [][]string{{field("title")}}})
	}
	return out, nil
}

// article puts "a" or "an" before a term.
func article(term string) string {
	if term != "" && strings.ContainsRune("aeiouAEIOU", rune(term[0])) {
		return "an " + term
	}
	return "a " + term
}
