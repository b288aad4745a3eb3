package process

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"docent/llm/prompt"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/phase/process/faithful"
	"docent/pipeline/question"
	"docent/store/doc"
)

// A model may replace the text of a section, below its heading, by a summary between
// two lines that mark it (contract.SummaryLines). docent verify reports it as
// unverified. A summary is used only if it is faithful (see the package faithful) and
// shorter. Otherwise the section's own text is used.

const (
	minSummarized = 8  // lines of a section that is summarized
	maxSummaries  = 8  // sections of an answer
	summaryBudget = 6  // times the time limit of a phase
	summaryPart   = 3  // a summary has at most a third of the section's words
	minWords      = 40 // the limit on a summary's words is at least this
	maxWords      = 220
	tokensPerWord = 3
)

// writeSummaries has the model summarize the best sections that are kept whole.
func (m *Model) writeSummaries(ctx context.Context, c *contract.Context, pages []*page) (contract.Trace, error) {
	var all []place
	for i, p := range pages {
		for k := range p.sections {
			if first, last := p.bodyUnits(k); first >= 0 && p.units[last].last-p.units[first].first+1 >= minSummarized {
				all = append(all, place{i, k})
			}
		}
	}
	score := func(at place) int { return pages[at.page].sections[at.section].score }
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(score(b), score(a)) })
	all = all[:min(maxSummaries, len(all))]
	if len(all) == 0 {
		return contract.Trace{}, nil
	}
	asked := ""
	if c != nil {
		asked = question.Shorten(c.Question, maxAsked)
	}
	var failed []contract.Degraded
	asking := false
	trace, _, err := m.Source.MultiplyBudget(summaryBudget).TryModel(ctx, contract.PhaseProcess,
		func(ctx context.Context, writer model.Model) error {
			asking = true
			written := 0
			for i, at := range all {
				p := pages[at.page]
				first, last := p.bodyUnits(at.section)
				from, to := p.units[first].first, p.units[last].last
				contract.ReportProgress(ctx, contract.Progress{Text: fmt.Sprintf("summarizing lines %d–%d of %s", from, to, p.key), Done: i,
					Total: len(all), Engine: writer.Engine})
				text, err := summarize(ctx, writer, asked, p.linesText(from, to))
				if err != nil && ctx.Err() != nil {
					err = writer.LateError()
				}
				if err != nil {
					failed = append(failed, contract.Degraded{Phase: contract.PhaseProcess, Wanted: writer.Engine,
						Used: fmt.Sprintf("the source's own text for lines %d–%d of %s", from, to, p.key), Reason: err.Error()})
					if ctx.Err() != nil {
						break
					}
					continue
				}
				begin, end := contract.SummaryLines(from, to)
				s := summary{last: last, from: from, to: to, text: begin + "\n" + text + "\n" + end + p.lineEnding(to)}
				whole := p.linesText(from, to)
				if doc.CountLines([]byte(s.text)) > to-from+1 || tokenQuarters(s.text) > tokenQuarters(whole) {
					failed = append(failed, contract.Degraded{Phase: contract.PhaseProcess, Wanted: writer.Engine,
						Used:   fmt.Sprintf("the source's own text for lines %d–%d of %s", from, to, p.key),
						Reason: "the summary is no shorter"})
					continue
				}
				if p.summaries == nil {
					p.summaries = map[int]summary{}
				}
				p.summaries[first] = s
				written++
			}
			if written == 0 {
				return model.ErrNone // failed says why
			}
			return nil
		})
	trace.Degraded = append(trace.Degraded, failed...)
	if !asking && len(trace.Degraded) == 0 && err == nil {
		trace.Degraded = append(trace.Degraded, contract.Degraded{Phase: contract.PhaseProcess, Wanted: "a summary by a model",
			Used: "the source's own text", Reason: "there is no model for text",
			Remedy: contract.RunDocent("models").To("says what is there")})
	}
	return trace, err
}

// bodyUnits are the first and last unit of a section below its heading; -1 if the section
// is not kept whole or is only a heading.
func (p *page) bodyUnits(k int) (first, last int) {
	s := p.sections[k]
	first, last = s.first, s.end-1
	if s.heading == first {
		first++
	}
	if first > last {
		return -1, -1
	}
	for i := first; i <= last; i++ {
		if !p.isKept(i) || p.units[i].top {
			return -1, -1
		}
	}
	return first, last
}

// summarize asks for a summary of a section and checks it.
func summarize(ctx context.Context, m model.Model, asked, section string) (string, error) {
	if len(section) > m.PromptRoom(maxWords*tokensPerWord) {
		return "", fmt.Errorf("the section is too long for %s", m.Name)
	}
	words := min(maxWords, max(minWords, len(strings.Fields(section))/summaryPart))
	text, err := m.AskProse(ctx, prompt.Summarize, map[string]any{"Question": asked, "Text": section, "Words": words},
		words*tokensPerWord+len(section)/3) // its code may be copied whole
	if err != nil {
		return "", err
	}
	text = faithful.WithoutFence(strings.Trim(text, "\n"))
	if err := faithful.Check(text, section); err != nil {
		return "", fmt.Errorf("the summary of %s is not used: %w", m.Name, err)
	}
	return text, nil
}
