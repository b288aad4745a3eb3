package eval

import (
	"bytes"
	"docent/pipeline/text/shorten"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Question is a question that the final block is to answer.
type Question struct {
	ID, Text, Kind, Language string
	// Docs are the pages that answer it: a path in the doc set, or Name@version
	// and a page.
	Docs []string
	// Nuggets are the facts of the answer. Each is a list of alternatives, of which
	// one must stand within a line of the block. It is empty if the documentation
	// does not answer the question.
	Nuggets [][]string
}

// Answerable reports whether the documentation answers the question.
func (q Question) Answerable() bool { return len(q.Nuggets) > 0 }

// The kinds of questions that documentation does not answer.
const (
	KindFar  = "far"  // about something else
	KindNear = "near" // about its subject
)

// nuggetLine is a line of a file of questions.
type nuggetLine struct {
	ID      string          `json:"id"`
	Query   string          `json:"query"`
	Kind    string          `json:"kind"`
	Lang    string          `json:"lang"`
	Doc     string          `json:"doc"`
	Docs    json.RawMessage `json:"docs"`
	Nuggets *[][]string     `json:"nuggets"`
}

// Read reads a file of known items or of questions with nuggets; one of the results
// is empty. A file is of questions if a line has "nuggets", or the kind "far" or
// "near" without a page.
func Read(r io.Reader, name string) ([]Query, []Question, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if !hasNuggets(raw, name) {
		queries, err := ReadQueries(bytes.NewReader(raw), name)
		return queries, nil, err
	}
	questions, err := ReadQuestions(bytes.NewReader(raw), name)
	return nil, questions, err
}

func hasNuggets(raw []byte, name string) bool {
	found := false
	_ = eachFilledLine(bytes.NewReader(raw), name, func(_ int, line []byte) error {
		var k struct {
			Kind, Doc string
			Nuggets   json.RawMessage
		}
		if json.Unmarshal(line, &k) == nil && (k.Nuggets != nil || isUnanswerable(k.Kind) && k.Doc == "") {
			found = true
		}
		return nil // ReadQueries and ReadQuestions report the fault
	})
	return found
}

func isUnanswerable(kind string) bool { return kind == KindFar || kind == KindNear }

// ReadQuestions reads a file of questions. Each line is a JSON object: {"query",
// "nuggets", "docs"?, "kind"?, "lang"?, "id"?}. A line without nuggets has the kind
// "far" or "near".
func ReadQuestions(r io.Reader, name string) ([]Question, error) {
	var out []Question
	err := eachFilledLine(r, name, func(n int, line []byte) error {
		var k nuggetLine
		if err := json.Unmarshal(line, &k); err != nil {
			return err
		}
		if strings.TrimSpace(k.Query) == "" {
			return errors.New(`"query" is needed`)
		}
		docs, err := oneOrMany("docs", k.Docs)
		if err != nil {
			return err
		}
		if k.Doc != "" {
			docs = append(docs, k.Doc)
		}
		q := Question{ID: k.ID, Text: k.Query, Kind: k.Kind, Language: k.Lang, Docs: docs}
		if q.ID == "" {
			q.ID = strconv.Itoa(n)
		}
		if k.Nuggets != nil {
			q.Nuggets = *k.Nuggets
		}
		if err := q.checkNuggets(); err != nil {
			return err
		}
		out = append(out, q)
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: %w", name, ErrEmpty)
	}
	return out, err
}

// checkNuggets finds nuggets that no block could have.
func (q Question) checkNuggets() error {
	if !q.Answerable() && !isUnanswerable(q.Kind) {
		return errors.New(`there are no "nuggets", and other lines have some: measure rankings and answers in ` +
			`files of their own; a question without an answer in the documentation has the "kind" "far" or "near"`)
	}
	for i, group := range q.Nuggets {
		if len(group) == 0 {
			return fmt.Errorf(`"nuggets" has an empty list at place %d; each is a list of alternative texts`, i+1)
		}
		for _, text := range group {
			switch {
			case strings.TrimSpace(text) == "":
				return fmt.Errorf(`"nuggets" has an empty text at place %d, which stands everywhere`, i+1)
			case strings.ContainsAny(text, "\r\n"):
				return fmt.Errorf(`the nugget %q has a line break; a nugget stands within one line`, shorten.Runes(text, mostQuoted))
			}
		}
	}
	return nil
}
