package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/sanitize"
	"docent/tui/pane/optimize"
	"docent/tui/pane/route"
)

// setQueries searches by other queries; none means phase 0a's.
func (m *Model) setQueries(msg optimize.Changed) tea.Cmd {
	if m.running && m.res.Query != m.req.Question {
		return nil // they are another question's
	}
	m.req.Queries = slices.Clone(msg.Queries)
	return m.again(sanitize.Line(msg.What))
}

func (m *Model) editQuery() tea.Cmd {
	q, i, ok := m.optimize.Selected()
	if !ok {
		m.say("there is no query under the cursor")
		return nil
	}
	m.promptFor(fmt.Sprintf("query %d", i+1), q.Query, func(text string) tea.Cmd { return m.optimize.Edit(i, text) })
	return nil
}

func (m *Model) addQuery() tea.Cmd {
	if o := m.res.Phases.Optimize; o != nil && len(o.OptimizedQueries) >= contract.MaxQueries {
		m.say(fmt.Sprintf("there are %d queries, and more are not searched: x drops one", contract.MaxQueries))
		return nil
	}
	m.promptFor("another query", "", func(text string) tea.Cmd { return m.optimize.Add(text) })
	return nil
}

// setRoute gives what is under the cursor its next value.
func (m *Model) setRoute(msg route.Changed) tea.Cmd {
	switch msg.What {
	case route.Scene:
		return m.nextScene()
	case route.Intent:
		return m.nextIntent()
	case route.Reranking:
		return m.reranking()
	}
	m.say("+ and - change the " + msg.What)
	return nil
}

// nextIntent goes through the intents, and back to the router's own choice.
func (m *Model) nextIntent() tea.Cmd {
	own := ""
	if r := m.res.Phases.Route; r != nil {
		own = r.Intent
	}
	return m.nextOf("intent", contract.Intents(), &m.req.Intent, own)
}

// confidence is how sure the router is said to be, moved by d.
func (m *Model) confidence(d float64) tea.Cmd {
	own := 0.0
	if r := m.res.Phases.Route; r != nil {
		own = r.Confidence
	}
	return m.nudge("confidence", &m.req.Confidence, own, d)
}

// nudge moves a number in [0,1] by d: what a person set, or the router's own.
func (m *Model) nudge(name string, set **float64, own, d float64) tea.Cmd {
	if *set != nil {
		own = **set
	}
	next := min(1, max(0, math.Round((own+d)*100)/100))
	if next == own {
		m.say(fmt.Sprintf("the %s is %.2f already; it lies between 0 and 1", name, own))
		return nil
	}
	*set = &next
	return m.again(fmt.Sprintf("%s: %.2f", name, next))
}

// floorPast moves the threshold past the next heading of the rerank pane.
func (m *Model) floorPast(d int) tea.Cmd {
	to, ok := m.rerank.Floor(d)
	if !ok {
		if d > 0 && m.rerank.NeedsAll() {
			m.say("the scores under the threshold are still being computed")
		} else {
			m.say("there is no heading there that the threshold could be moved past")
		}
		return nil
	}
	m.req.Threshold = &to
	m.rerank.FollowLine()
	return m.again(fmt.Sprintf("threshold: %.2f", to))
}

// explainedMsg is every heading's score, without a threshold, and with why.
type explainedMsg struct {
	run int
	why bool
	res *contract.RerankOutput
	err error
}

// explain computes what the rerank pane shows beyond a run's result: first the
// scores of what was dropped, which takes as long as a search, then the reasons,
// which take longer. It is asked for when the pane is looked at.
func (m *Model) explain() tea.Cmd {
	if m.steps.Selected() != contract.PhaseRerank || m.running || !m.rerank.NeedsAll() || m.explaining == m.run {
		return nil
	}
	m.explaining = m.run
	return m.explainRun(false)
}

func (m *Model) explainRun(why bool) tea.Cmd {
	req, run, ctx, backend := m.req.Clone(), m.run, m.ctx, m.opt.Backend
	zero := 0.0
	req.Threshold, req.Explain = &zero, why
	return func() tea.Msg {
		res, err := backend.NewSession(req).RunTo(contract.WithRecall(ctx), contract.PhaseRerank, nil)
		return explainedMsg{run, why, res.Phases.Rerank, err}
	}
}

func (m *Model) explained(msg explainedMsg) tea.Cmd {
	if msg.run != m.run || m.running || msg.err != nil || msg.res == nil {
		return nil // what fails here fails, and is said, when the question is asked
	}
	m.rerank.SetAll(msg.res.Results, msg.why)
	if !msg.why {
		return m.explainRun(true)
	}
	return nil
}

// command is the docent command that gives the result on the screen.
func command(req pipeline.Request) string {
	args := []string{"docent", "ask"}
	for _, s := range req.DocSets {
		args = append(args, "--set", s)
	}
	if req.Scene != "" {
		args = append(args, "--scene", req.Scene)
	}
	if req.Threshold != nil {
		args = append(args, "--threshold", fmt.Sprintf("%g", *req.Threshold))
	}
	if req.Reranker != nil && !*req.Reranker {
		args = append(args, "--no-rerank")
	}
	if req.Top > 0 {
		args = append(args, "--top", fmt.Sprint(req.Top))
	}
	if req.MaxDocs > 0 {
		args = append(args, "--max-docs", fmt.Sprint(req.MaxDocs))
	}
	if req.Preferences.Full {
		args = append(args, "--full")
	}
	switch {
	case req.Preferences.Summarize:
		args = append(args, "--summarize")
	case req.Preferences.Compress:
		args = append(args, "--compress")
	}
	for i := range args[2:] {
		args[2+i] = quoteArg(args[2+i])
	}
	return strings.Join(append(args, "--", quoteArg(req.Question)), " ")
}

// beyond says what of a request no flag of docent ask can say.
func beyond(req pipeline.Request) []string {
	var out []string
	if len(req.Queries) > 0 {
		out = append(out, "your queries")
	}
	if len(req.Exclude) > 0 {
		out = append(out, "what you left out")
	}
	if req.Intent != "" {
		out = append(out, "the intent")
	}
	if req.Confidence != nil {
		out = append(out, "the confidence")
	}
	return out
}

// quoteArg quotes a word for a POSIX shell.
func quoteArg(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./@:,=+", r))
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
