package questionset

import (
	"context"
	"fmt"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/phase/process"
)

// Unit is a unit of a page that a block of sections may have, judged.
type Unit struct {
	Features []float64
	Answers  bool // a nugget of the question stands in it
}

// Units gives what phase 3 chooses from for each answerable question of a doc set, judged by
// the nuggets of the question.
func (l *Library) Units(ctx context.Context, s Set, questions []Question) ([][]Unit, error) {
	chooser, ok := l.Measure.Pipelines.Ask.Processor.(*process.Model)
	if !ok {
		return nil, fmt.Errorf("phase 3 is a %T, and its units are not known", l.Measure.Pipelines.Ask.Processor)
	}
	var out [][]Unit
	for _, q := range questions {
		if !q.Answerable() {
			continue
		}
		req := pipeline.Request{Question: q.Query, DocSets: []string{s.Name + "@" + version},
			Preferences: contract.Preferences{Extent: contract.ExtentSections}}
		res, err := l.Measure.Pipelines.Ask.NewSession(req).RunTo(ctx, contract.PhaseCheck, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.ID, err)
		}
		if res.Phases.Check == nil {
			continue // nothing was found
		}
		units, err := chooser.Builtin.Units(ctx, *res.Phases.Check)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.ID, err)
		}
		var judged []Unit
		for _, u := range units {
			lines := strings.Split(res.Phases.Check.Extraction.Contents[u.Document], "\n")
			text := lines[u.Lines[0]-1 : min(u.Lines[1], len(lines))]
			judged = append(judged, Unit{u.Features, hasNugget(text, q.Nuggets)})
		}
		out = append(out, judged)
	}
	return out, nil
}

// hasNugget reports whether any nugget stands in the lines.
func hasNugget(lines []string, nuggets [][]string) bool {
	for _, n := range nuggets {
		if lastLine(lines, [][]string{n}) > 0 {
			return true
		}
	}
	return false
}
