package running

import (
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/contract"
	"docent/pipeline/text/plural"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/pane/phase"
)

// editor changes the request: each change is one that can be undone.
type editor struct{ c *Controller }

func (c *Controller) asEditor() editor { return editor{c} }

// ChangeRequest does an action that changes the request; ok is false for other actions.
// focused reports whether the selected phase's pane has the keyboard.
func (c *Controller) ChangeRequest(a keymap.Action, focused bool) (cmd tea.Cmd, ok bool) {
	switch a {
	case keymap.Scene:
		return c.asEditor().nextScene(), true
	case keymap.RaiseThreshold:
		return c.asEditor().moveThreshold(0.05, focused), true
	case keymap.LowerThreshold:
		return c.asEditor().moveThreshold(-0.05, focused), true
	case keymap.Rerank:
		return c.asEditor().toggleReranking(), true
	case keymap.Extent:
		return c.asEditor().switchExtent(), true
	case keymap.Full:
		w := &c.req.Preferences
		w.Full, w.Compress, w.Summarize = !w.Full, false, false
		return c.asRuns().runStalePhases(onOrOff("whole pages, however long", w.Full)), true
	case keymap.Compress:
		w := &c.req.Preferences
		w.Compress, w.Full, w.Summarize = !w.Compress, false, false
		return c.asRuns().runStalePhases(onOrOff("shortened, for this question", w.Compress)), true
	case keymap.Summarize:
		w := &c.req.Preferences
		w.Summarize, w.Full, w.Compress = !w.Summarize, false, false
		return c.asRuns().runStalePhases(onOrOff("summed up by a model", w.Summarize)), true
	case keymap.Rerun:
		return c.runAgain(), true
	case keymap.Undo:
		return c.asEditor().undoChange(), true
	case keymap.Redo:
		return c.asEditor().redoChange(), true
	case keymap.EditQuery:
		c.asEditor().editQuery()
	case keymap.AddQuery:
		c.asEditor().addQuery()
	case keymap.ThresholdAbove:
		return c.asEditor().thresholdPast(-1), true
	case keymap.ThresholdBelow:
		return c.asEditor().thresholdPast(1), true
	default:
		return nil, false
	}
	return nil, true
}

// setQueries searches by other queries; none means phase 0a's.
func (e editor) setQueries(msg phase.QueriesChanged) tea.Cmd {
	c := e.c
	if c.active && c.res.Query != c.req.Question {
		return nil // the queries are another question's
	}
	c.req.Queries = slices.Clone(msg.Queries)
	return c.asRuns().runStalePhases(sanitize.Line(msg.What))
}

func (e editor) editQuery() {
	c := e.c
	q, i, ok := c.optimize.Selected()
	if !ok {
		c.status.Say("there is no query under the cursor")
		return
	}
	c.host.Prompt(fmt.Sprintf("query %d", i+1), q.Query, func(text string) tea.Cmd { return c.optimize.EditQuery(i, text) })
}

func (e editor) addQuery() {
	c := e.c
	if o := c.res.Phases.Optimize; o != nil && len(o.OptimizedQueries) >= contract.MaxQueries {
		c.status.Say(fmt.Sprintf("there are %d queries already, and more are not searched for: x drops one", contract.MaxQueries))
		return
	}
	c.host.Prompt("another query", "", c.optimize.Add)
}

// setRoute gives the setting under the cursor its next value.
func (e editor) setRoute(msg phase.SettingChanged) tea.Cmd {
	c := e.c
	switch msg.What {
	case phase.Scene:
		return c.asEditor().nextScene()
	case phase.Intent:
		own := ""
		if r := c.res.Phases.Route; r != nil {
			own = r.Intent
		}
		return c.asEditor().nextValue("asked about", contract.Intents(), &c.req.Intent, own, contract.IntentName)
	case phase.Reranking:
		return c.asEditor().toggleReranking()
	}
	c.status.Say("+ and - change the " + msg.What)
	return nil
}

// nextScene goes through the kinds of questions, and back to the one that was found.
func (e editor) nextScene() tea.Cmd {
	c := e.c
	own := ""
	if r := c.res.Phases.Route; r != nil {
		own = r.Scene
	}
	return c.asEditor().nextValue("kind of question", contract.Scenes(), &c.req.Scene, own, contract.SceneName)
}

// nextValue sets the next of several values. After the last value it sets none, so
// that the router's own choice, own, holds again.
func (e editor) nextValue(name string, values []string, set *string, own string, words func(string) string) tea.Cmd {
	c := e.c
	at := slices.Index(values, *set)
	if *set == "" && values[0] == own {
		at = 0 // setting what the router chose changes nothing
	}
	if at+1 == len(values) {
		*set = ""
		return c.asRuns().runStalePhases(name + ": docent's choice")
	}
	*set = values[at+1]
	return c.asRuns().runStalePhases(name + ": " + words(*set))
}

// moveThreshold moves the reranker's threshold by d, or the router's confidence
// where the cursor of the focused pane is on it.
func (e editor) moveThreshold(d float64, focused bool) tea.Cmd {
	c := e.c
	r := c.res.Phases.Route
	if what, _ := c.route.Picked(); focused && c.Mode() == keymap.InRoute && what == phase.Confidence {
		own := 0.0
		if r != nil {
			own = r.Confidence
		}
		return c.asEditor().moveNumber("confidence", &c.req.Confidence, own, d)
	}
	own := 0.5
	if r != nil {
		own = r.RerankerThreshold
	}
	return c.asEditor().moveNumber("threshold", &c.req.Threshold, own, d)
}

// moveNumber moves a number between 0 and 1 by d, from a person's value or else from
// the router's own.
func (e editor) moveNumber(name string, set **float64, own, d float64) tea.Cmd {
	c := e.c
	if *set != nil {
		own = **set
	}
	next := min(1, max(0, math.Round((own+d)*100)/100))
	if next == own {
		c.status.Say(fmt.Sprintf("the %s is %.2f already; it lies between 0 and 1", name, own))
		return nil
	}
	*set = &next
	return c.asRuns().runStalePhases(fmt.Sprintf("%s: %.2f", name, next))
}

// thresholdPast moves the threshold past the next heading of the rerank pane:
// below it for a d above 0.
func (e editor) thresholdPast(d int) tea.Cmd {
	c := e.c
	to, ok := c.rerank.Threshold(d)
	if !ok {
		if d > 0 && c.rerank.NeedsAll() {
			c.status.Say("the matches under the threshold are still being looked up")
		} else {
			c.status.Say("there is no section there that the threshold could move past")
		}
		return nil
	}
	c.req.Threshold = &to
	c.rerank.FollowLine()
	return c.asRuns().runStalePhases(fmt.Sprintf("threshold: %.2f", to))
}

func (e editor) toggleReranking() tea.Cmd {
	c := e.c
	on := true
	if r := c.res.Phases.Route; r != nil {
		on = r.RerankerEnabled
	}
	if c.req.Reranker != nil {
		on = *c.req.Reranker
	}
	on = !on
	c.req.Reranker = &on
	return c.asRuns().runStalePhases(onOrOff("ranking", on))
}

func onOrOff(what string, on bool) string {
	if on {
		return what + ": on"
	}
	return what + ": off"
}

// SetDocSets sets the doc sets that the next run searches; none means all.
func (c *Controller) SetDocSets(names []string) { c.req.DocSets = names }

// NarrowTo searches in other doc sets; none means all. It runs the question again
// where one was run.
func (c *Controller) NarrowTo(names []string) tea.Cmd {
	if slices.Equal(names, c.req.DocSets) {
		return nil
	}
	c.req.DocSets = names
	what := "all doc sets are searched"
	if len(names) > 3 {
		what = "narrowed to " + plural.Count(len(names), "doc set", "doc sets")
	} else if len(names) > 0 {
		what = "narrowed to " + sanitize.Line(strings.Join(names, ", "))
	}
	if !c.ran {
		c.status.Say(what)
		return nil
	}
	return c.asRuns().runStalePhases(what)
}

// Forget takes a doc set that is not there any more out of the request.
func (c *Controller) Forget(docSet string) {
	c.req.DocSets = slices.DeleteFunc(slices.Clone(c.req.DocSets), func(n string) bool { return n == docSet })
}
