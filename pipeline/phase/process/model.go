package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docent/llm/prompt"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/question"
	"docent/store/doc"
)

// Model is phases 2.5 and 3 with a model. The model reads the sections with the best
// built-in scores and selects those that the question needs; Builtin then keeps whole
// blocks within the budget. With Preferences.Summarize the model also writes
// summaries of sections; see summarize.go for the checks on them.
type Model struct {
	Builtin *Builtin
	Source  model.Source
}

const (
	maxSections   = 30   // that a model selects from
	maxSection    = 1200 // bytes of each that it reads
	minSection    = 60
	selectTokens  = 200
	maxAsked      = 2000 // bytes of the question
	chosenAtLeast = 2    // a selected section scores at least 1/chosenAtLeast of the best
	otherAtMost   = 5    // another one at most 1/otherAtMost of it, less than 1/weakPart
)

// Check is phase 2.5, which needs no model.
func (m *Model) Check(ex contract.Extraction, w contract.Preferences) (contract.Check, error) {
	return m.Builtin.Check(ex, w)
}

// Process is phase 3.
func (m *Model) Process(ctx context.Context, ck contract.Check) (contract.Processed, contract.Trace, error) {
	return m.Builtin.processPages(ctx, ck, helpers{choose: m.chooseSections, write: m.writeSummaries})
}

// place is a section of a page.
type place struct{ page, section int }

// selection is the model's answer: numbers of sections, from 1, the most important
// first.
type selection struct {
	Keep []int `json:"keep"`

	n int
}

// Check is model.Answer's.
func (s *selection) Check() error {
	if len(s.Keep) == 0 {
		return errors.New("it keeps nothing")
	}
	for _, k := range s.Keep {
		if k < 1 || k > s.n {
			return fmt.Errorf("it keeps section %d of %d", k, s.n)
		}
	}
	if len(s.Keep) > s.n {
		return fmt.Errorf("it keeps %d sections of %d", len(s.Keep), s.n)
	}
	return nil
}

// chooseSections ranks the sections that the model selects above all others. Their scores run
// from the best score down to half of it, in the model's order; the scores of the
// others are limited to a fifth of the best.
func (m *Model) chooseSections(ctx context.Context, c *contract.Context, pages []*page) (contract.Trace, error) {
	if c == nil || strings.TrimSpace(c.Question) == "" {
		return contract.Trace{}, nil
	}
	places := candidates(pages)
	if len(places) < 2 {
		return contract.Trace{}, nil // there is nothing to choose
	}
	var sel selection
	trace, ok, err := m.Source.TryModel(ctx, contract.PhaseProcess, func(ctx context.Context, model model.Model) error {
		asked := question.Shorten(c.Question, maxAsked)
		type section struct {
			Lines int
			Text  string
		}
		sel.n = len(places)
		return model.FitPrompt(model.PromptRoom(selectTokens)-len(asked), func(room int) error {
			var sections []section
			for _, at := range places {
				p := pages[at.page]
				s := p.sections[at.section]
				first, last := p.units[s.first].first, p.units[s.end-1].last
				text := p.headingInPrompt(at.section) + "\n" + p.linesText(first, last)
				sections = append(sections, section{last - first + 1,
					question.Shorten(text, min(maxSection, max(minSection, room/len(places))))})
			}
			return model.AskJSON(ctx, prompt.Select, map[string]any{"Question": asked, "Sections": sections}, selectTokens, &sel)
		})
	})
	if err != nil || !ok {
		return trace, err
	}
	best := 1
	for _, p := range pages {
		for _, s := range p.sections {
			best = max(best, s.score)
		}
	}
	best = max(best, otherAtMost*len(places))
	for _, p := range pages {
		for k := range p.sections {
			p.sections[k].score = min(p.sections[k].score, best/otherAtMost)
		}
	}
	kept := 0
	for _, k := range sel.Keep {
		at := places[k-1]
		s := &pages[at.page].sections[at.section]
		score := best - (best-best/chosenAtLeast)*kept/len(sel.Keep)
		if s.score < score {
			s.score = score
		}
		kept++
	}
	for _, p := range pages {
		var sections best3
		for _, s := range p.sections {
			sections.takeValue(s.score)
		}
		p.relevance = sections.sumOfBest()
	}
	return trace, nil
}

// headingInPrompt is a section's path in the prompt: the document and the headings above.
func (p *page) headingInPrompt(k int) string {
	path := []string{p.key}
	var up []string
	for at := p.sections[k].parent; at >= 0; at = p.sections[at].parent {
		up = append(up, strings.TrimSpace(strings.TrimLeft(p.sections[at].text, "# ")))
	}
	slices.Reverse(up)
	return strings.Join(append(path, up...), " › ")
}

// candidates are the sections with the best scores, in the order of the pages.
// Sections of a heading alone are left out, and so is a page's top: it is kept
// anyway, and a model that selected nothing else would keep nothing.
func candidates(pages []*page) []place {
	var all []place
	for i, p := range pages {
		for k, s := range p.sections {
			if slices.ContainsFunc(p.units[s.first:s.end], func(u unit) bool { return u.kind != doc.HeadingRow && !u.top }) {
				all = append(all, place{i, k})
			}
		}
	}
	score := func(at place) int { return pages[at.page].sections[at.section].score }
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(score(b), score(a)) })
	all = all[:min(maxSections, len(all))]
	slices.SortFunc(all, func(a, b place) int { return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(a.section, b.section)) })
	return all
}
