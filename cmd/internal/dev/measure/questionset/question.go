package questionset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Place is a section of a page.
type Place struct {
	Doc     string `json:"doc"`               // path inside the doc set
	Section string `json:"section,omitempty"` // text of the heading; "": the text before the first
	Anchor  string `json:"anchor,omitempty"`
}

// Question is a line of a file of questions.
type Question struct {
	ID    string `json:"id"`
	Query string `json:"query"`
	Lang  string `json:"lang"`
	Kind  string `json:"kind"`
	Place        // the section that it was asked of; empty where the documentation has no answer
	// Nuggets are the facts of the answer: lists of alternatives.
	Nuggets [][]string `json:"nuggets,omitempty"`
	// Also are other sections that answer.
	Also []Place `json:"also,omitempty"`
	// ReadBySecond says what the second reader found: "" means that none has read it.
	ReadBySecond string `json:"read_by_second,omitempty"`
}

// The kinds of questions that the documentation does not answer.
const (
	KindFar  = "far"  // about something else
	KindNear = "near" // about its subject
)

// Kinds lists the kinds of questions that the documentation answers.
func Kinds() []string {
	return []string{"short", "error", "howto", "lookup", "why", "compare", "parts", "cani"}
}

// languages are those of questions, and all but the first are not English.
var languages = []string{"en", "de", "fr", "es", "ru", "zh", "ja", "ko", "pt", "it"}

// Answerable reports whether the documentation answers the question.
func (q Question) Answerable() bool { return q.Kind != KindFar && q.Kind != KindNear }

// places are the sections that answer the question, the drawn one first.
func (q Question) places() []Place { return append([]Place{q.Place}, q.Also...) }

// The limits of a nugget, in runes.
const (
	shortestNugget = 2
	longestNugget  = 60
)

// ReadQuestions reads the questions of a doc set from NAME.jsonl in a folder. It checks
// their form; CheckQuestions checks them against the documentation.
func ReadQuestions(dir, name string) ([]Question, error) {
	file := filepath.Join(dir, name+".jsonl")
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []Question
	seen := map[string]bool{}
	for n, line := range bytes.Split(raw, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var q Question
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		err := d.Decode(&q)
		if err == nil {
			err = q.checkForm()
		}
		if err == nil && (seen[q.ID] || seen[strings.ToLower(q.Query)]) {
			err = errors.New("the id or the question is there twice")
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, n+1, err)
		}
		seen[q.ID], seen[strings.ToLower(q.Query)] = true, true
		out = append(out, q)
	}
	return out, nil
}

func (q Question) checkForm() error {
	switch {
	case q.ID == "" || strings.TrimSpace(q.Query) == "":
		return errors.New(`"id" and "query" are needed`)
	case !slices.Contains(languages, q.Lang):
		return fmt.Errorf(`"lang" is %q, it must be one of %s`, q.Lang, strings.Join(languages, ", "))
	case !q.Answerable() && (len(q.Nuggets) > 0 || q.Doc != ""):
		return fmt.Errorf(`the kind %q has no "doc" and no "nuggets"`, q.Kind)
	case !q.Answerable():
		return nil
	case !slices.Contains(Kinds(), q.Kind):
		return fmt.Errorf(`"kind" is %q, it must be one of %s, far, near`, q.Kind, strings.Join(Kinds(), ", "))
	case q.Doc == "" || len(q.Nuggets) == 0:
		return errors.New(`"doc" and "nuggets" are needed`)
	}
	for _, group := range q.Nuggets {
		if len(group) == 0 {
			return errors.New(`"nuggets" has an empty list`)
		}
		for _, text := range group {
			if n := len([]rune(text)); n < shortestNugget || n > longestNugget || strings.ContainsAny(text, "\r\n\t") {
				return fmt.Errorf("the nugget %q must be one line of %d to %d letters", text, shortestNugget, longestNugget)
			}
		}
	}
	return nil
}

// writeQuestions writes a file of questions.
func writeQuestions(file string, questions []Question) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, q := range questions {
		if err := e.Encode(q); err != nil {
			return err
		}
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// link is a link in Markdown.
var link = regexp.MustCompile(`\[([^\[\]]*)\]\([^()\s]+\)`)

// foldText is a text as nuggets are looked for in it: in lower case, without marks of
// emphasis and code and targets of links, and with one space for each run of white space.
func foldText(text string) string {
	text = link.ReplaceAllString(strings.ToLower(text), "$1")
	text = strings.NewReplacer("`", "", "*", "", `\`, "", "\u00a0", " ", "’", "'", "\u2010", "-", "\u2011", "-").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}
