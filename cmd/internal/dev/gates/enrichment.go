package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/knowledge/enrich"
)

// answer is an answer of a model, and the expected result.
type answer struct {
	name, text string
	reason     enrich.Reason // "": it counts
	truncated  bool
}

// answerCases are answers that a model may give: valid, over-long, with unknown keys, of
// wrong types, with huge lists, with scripts.
func answerCases() []answer {
	items := strings.TrimSuffix(strings.Repeat(`"item",`, 2000), ",")
	var some []string
	for i := range 30 {
		some = append(some, fmt.Sprintf(`"item %d"`, i))
	}
	return []answer{
		{name: "valid", text: `{"summary": "It trims wicks.", "key_concepts": ["wick"], "parameters": [{"name": "--length", "type": "int", "description": "in mm"}], "code_examples": true, "prerequisites": [], "warnings": [], "related_topics": [], "audience": "admin"}`},
		{name: "a summary of too many characters", text: `{"summary": "` + strings.Repeat("long", 100) + `"}`, truncated: true},
		{name: "a summary of too many words", text: `{"summary": "` + strings.Repeat("a ", 70) + `"}`, truncated: true},
		{name: "a long list", text: `{"summary": "a", "warnings": [` + strings.Join(some, ",") + `]}`, truncated: true},
		{name: "a huge list", text: `{"summary": "a", "warnings": [` + items + `]}`, reason: enrich.TooLarge},
		{name: "an answer of megabytes", text: `{"summary": "` + strings.Repeat("a", 10<<20) + `"}`, reason: enrich.TooLarge},
		{name: "an unknown key", text: `{"summary": "a", "score": 1}`, reason: enrich.UnknownKey},
		{name: "an unknown key of a parameter", text: `{"summary": "a", "parameters": [{"name": "a", "description": "b", "run": "c"}]}`,
			reason: enrich.UnknownKey},
		{name: "an id of its own", text: `{"summary": "a", "span_id": "0123456789abcdef"}`, reason: enrich.UnknownKey},
		{name: "truncated", text: `{"summary": "a", "truncated": false}`, reason: enrich.UnknownKey},
		{name: "a key twice", text: `{"summary": "a", "summary": "b"}`, reason: enrich.Repeated},
		{name: "a list for a text", text: `{"summary": ["a"]}`, reason: enrich.WrongType},
		{name: "a text for a list", text: `{"summary": "a", "key_concepts": "b"}`, reason: enrich.WrongType},
		{name: "another audience", text: `{"summary": "a", "audience": "root"}`, reason: enrich.Value},
		{name: "no summary", text: `{}`, reason: enrich.Missing},
		{name: "prose", text: `Here is the JSON:`, reason: enrich.NotJSON},
		{name: "a script", text: `{"summary": "Trim <script>alert(1)</script> it."}`},
	}
}

// enrichmentSchema enriches the samples, and reads answers that models may give.
func enrichmentSchema(ctx context.Context, bin, data, dir string) (string, error) {
	if _, err := docent(ctx, bin, dir, "add", filepath.Join(data, "docs"), "--name", "Samples"); err != nil {
		return "", err
	}
	if _, err := docent(ctx, bin, dir, "enrich", "Samples"); err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(dir, "enrichment", "*.jsonl"))
	if err != nil || len(files) != 1 {
		return "", errors.Join(err, fmt.Errorf("%d files of enrichments for one doc set", len(files)))
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		return "", err
	}
	records, damaged := enrich.OpenFile(raw).AllRecords()
	if len(records) == 0 || damaged > 0 {
		return "", fmt.Errorf("%s has %d records and %d damaged lines", files[0], len(records), damaged)
	}
	refused, err := judgeAnswers(answerCases())
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d sections of the samples are valid, %d of %d answers were refused as they must be", len(records), refused,
		len(answerCases())), nil
}

// judgeAnswers reads answers and says how many were refused. The error is the first that
// became another thing than it must.
func judgeAnswers(cases []answer) (refused int, err error) {
	for _, c := range cases {
		e, err := enrich.ParseAnswer([]byte(c.text))
		r, rejected := errors.AsType[*enrich.Rejected](err)
		switch {
		case c.reason != "" && !rejected:
			return refused, fmt.Errorf("%s: it counts", c.name)
		case rejected && r.Reason != c.reason:
			return refused, fmt.Errorf("%s: it is refused as %s, not %s: %w", c.name, r.Reason, c.reason, err)
		case rejected:
			refused++
			continue
		}
		e.SpanID = "0123456789abcdef"
		out, err := json.Marshal(e)
		if err == nil {
			err = e.Check()
		}
		if err != nil {
			return refused, fmt.Errorf("%s: %w", c.name, err)
		}
		if e.Truncated != c.truncated || strings.Contains(string(out), `\u003cscript`) || strings.Contains(string(out), "alert(") {
			return refused, fmt.Errorf("%s: it became %s", c.name, out)
		}
	}
	return refused, nil
}
