package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service/library"
	"docent/store/doc"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/help"
	"docent/tui/pane/hits"
	"docent/tui/pane/phase"
	"docent/tui/pane/picker"
	"docent/tui/pane/preview"
	"docent/tui/pane/reader"
	"docent/tui/pane/rerank"
	"docent/tui/pane/sets"
	"docent/tui/pane/shelf"
	"docent/tui/pane/stepper"
	"docent/tui/pane/tour"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// view is what a story needs of a pane.
type view interface {
	SetSize(w, h int)
	View() string
}

// story is a pane with data in it.
type story struct {
	pane string // its package in tui/pane
	name string
	// make gives the pane at its size; what it needs to render is done.
	make func(st *style.Styles, w, h int) (view, error)
	// sizes are those that the root gives the pane, in place of the usual ones.
	sizes [][2]int
}

// phasePane is a pane of tui/pane/phase.
type phasePane interface {
	view
	SetSize(w, h int)
	SetResult(res pipeline.Result, req pipeline.Request)
}

// namedPhasePane makes the pane of a phase.
type namedPhasePane struct {
	name string
	make func(st *style.Styles) phasePane
}

// phasePanes lists the panes of tui/pane/phase.
func phasePanes() []namedPhasePane {
	return []namedPhasePane{
		{"optimize", func(st *style.Styles) phasePane { return phase.NewOptimize(st) }},
		{"route", func(st *style.Styles) phasePane { return phase.NewRoute(st) }},
		{"merge", func(st *style.Styles) phasePane { return phase.NewMerge(st) }},
		{"extract", func(st *style.Styles) phasePane { return phase.NewExtract(st) }},
		{"check", func(st *style.Styles) phasePane { return phase.NewCheck(st) }},
		{"final", func(st *style.Styles) phasePane { return phase.NewFinal(st) }},
	}
}

// stories are all of them; a test says which pane has none.
func stories() []story {
	var all []story
	add := func(pane, name string, make func(st *style.Styles, w, h int) (view, error)) {
		all = append(all, story{pane: pane, name: name, make: make})
	}
	// Panes that show a run's result.
	results := []struct {
		name string
		get  func() (pipeline.Result, pipeline.Request, error)
	}{
		{"nothing run yet", func() (pipeline.Result, pipeline.Request, error) { return pipeline.Result{}, pipeline.Request{}, nil }},
		{"a run", func() (pipeline.Result, pipeline.Request, error) { return run(&tuitest.Backend{}, pipeline.Request{}) }},
		{"compressed, not reranked, one doc set", func() (pipeline.Result, pipeline.Request, error) {
			no := false
			return run(&tuitest.Backend{}, pipeline.Request{Preferences: contract.Preferences{Compress: true}, Reranker: &no,
				DocSets: []string{tuitest.Set}})
		}},
		{"sections, one left out, probably no answer", func() (pipeline.Result, pipeline.Request, error) {
			return run(&tuitest.Backend{Unanswered: true},
				pipeline.Request{Preferences: contract.Preferences{Extent: contract.ExtentSections},
					Exclude: []pipeline.Hit{{DocSet: tuitest.Set, FilePath: "guides/wicks.md",
						Section: contract.PathName([]string{"Wicks", "Replace a wick"})}}})
		}},
		{"nothing found", func() (pipeline.Result, pipeline.Request, error) {
			return run(&tuitest.Backend{Nothing: true}, pipeline.Request{})
		}},
		{"degraded", func() (pipeline.Result, pipeline.Request, error) {
			return run(&tuitest.Backend{Degraded: true}, pipeline.Request{})
		}},
		{"an error in the search", func() (pipeline.Result, pipeline.Request, error) {
			res, req, err := run(&tuitest.Backend{SearchErr: errBroken}, pipeline.Request{})
			if !errors.Is(err, errBroken) {
				return res, req, fmt.Errorf("the search did not fail: %w", err)
			}
			return res, req, nil
		}},
		{"nasty data", nasty},
	}
	for _, r := range results {
		shows := func(pane string, make func(*style.Styles, pipeline.Result, pipeline.Request) view) {
			add(pane, r.name, func(st *style.Styles, w, h int) (view, error) {
				res, req, err := r.get()
				if err != nil {
					return nil, err
				}
				p := make(st, res, req)
				p.SetSize(w, h)
				return p, nil
			})
		}
		for _, p := range phasePanes() {
			add("phase", p.name+": "+r.name, func(st *style.Styles, w, h int) (view, error) {
				res, req, err := r.get()
				if err != nil {
					return nil, err
				}
				pane := p.make(st)
				pane.SetResult(res, req)
				pane.SetSize(w, h)
				return pane, nil
			})
		}
		shows("hits", func(st *style.Styles, res pipeline.Result, req pipeline.Request) view {
			p := hits.New(st)
			p.SetFocused(true)
			p.SetHint("Type a question and press enter.")
			p.SetResult(res, append(req.Exclude, pipeline.Hit{DocSet: "灯笼@latest", FilePath: "指南/灯芯.md"}), false)
			return p
		})
		shows("rerank", func(st *style.Styles, res pipeline.Result, req pipeline.Request) view {
			p := rerank.New(st)
			p.SetResult(res, req.Exclude)
			return p
		})
	}
	for _, s := range stepperStories() {
		events := s.events
		add("stepper", s.name, func(st *style.Styles, w, h int) (view, error) {
			p := stepper.New(st)
			for _, ev := range events {
				p.ApplyEvent(ev)
			}
			p.SelectPhase(contract.PhaseSearch)
			p.SetSize(w, h)
			return p, nil
		})
		// The strip on small screens, the strip across, the column.
		all[len(all)-1].sizes = [][2]int{{40, 1}, {40, 2}, {80, 2}, {120, 2}, {34, 10}, {34, 34}}
	}
	add("preview", "nothing under the cursor", func(st *style.Styles, w, h int) (view, error) {
		p := preview.New(st)
		p.SetSize(w, h)
		return p, nil
	})
	add("preview", "reading", func(st *style.Styles, w, h int) (view, error) {
		p := preview.New(st)
		p.SetSize(w, h)
		p.SetTarget(page.Target{DocSet: tuitest.Set, FilePath: "guides/wicks.md", Title: "Wicks"})
		return p, nil
	})
	add("preview", "the page is gone", func(st *style.Styles, w, h int) (view, error) {
		p := preview.New(st)
		p.SetSize(w, h)
		t := page.Target{DocSet: tuitest.Set, FilePath: "guides/wicks.md", Title: "Wicks"}
		p.SetTarget(t)
		p.SetError(t.ID(), errBroken)
		return p, nil
	})
	for _, pg := range [][2]string{{tuitest.Set, "guides/wicks.md"}, {"灯笼@latest", "指南/灯芯.md"}, {tuitest.Set, "faq.md"},
		{"harbour@0.9", "ops/signal.md"}} {
		add("preview", "the page "+pg[1], func(st *style.Styles, w, h int) (view, error) { return previewed(st, pg[0], pg[1], w, h) })
	}
	for _, s := range []struct {
		name string
		list []library.ListedSet
	}{
		{"none", nil},
		{"some", []library.ListedSet{{Ref: doc.Ref{Name: "lantern", Version: "2.1"}, Pages: 5},
			{Ref: doc.Ref{Name: "灯笼", Version: "latest"}, Pages: 1},
			{Ref: doc.Ref{Name: "harbour", Version: "0.9"}, Pages: 112, Fresh: library.Stale}}},
		{"nasty data", []library.ListedSet{{Ref: doc.Ref{Name: strings.Repeat("a-very-long-name-", 20), Version: "1"}, Pages: 1 << 40}, {},
			{Ref: doc.Ref{Name: tuitest.Hostile}, Pages: -1, Fresh: library.Missing}, {Ref: doc.Ref{Name: "हिन्दी👩‍🔧e\u0301\u0301",
				Version: "\t\n1"}}}},
	} {
		list := s.list
		add("sets", s.name, func(st *style.Styles, w, h int) (view, error) {
			p := sets.New(st)
			p.SetSets(list)
			p.SetSize(w, h)
			if len(list) > 0 {
				p.Update(keymap.Pick)
			}
			return p, nil
		})
	}
	for _, s := range []struct {
		name string
		have keymap.Need
	}{{"nothing is there", 0}, {"after a run", ^keymap.Need(0)}} {
		have := s.have
		add("help", s.name, func(st *style.Styles, w, h int) (view, error) {
			p := help.New(st)
			p.SetSize(w, h)
			p.ShowKeys(keymap.DefaultMap(), have, keymap.InPane|keymap.InHits, "the hits")
			return p, nil
		})
	}
	for _, s := range []struct {
		name string
		keys []keymap.Action
	}{{"a page", nil}, {"its outline", []keymap.Action{keymap.Outline}}, {"its links", []keymap.Action{keymap.Links}},
		{"to the right", []keymap.Action{keymap.Bottom, keymap.Rightward, keymap.Rightward}},
		{"a search line", []keymap.Action{keymap.Search}}} {
		for _, pg := range [][2]string{{tuitest.Set, "guides/wicks.md"}, {"灯笼@latest", "指南/灯芯.md"}, {tuitest.Set, "faq.md"}} {
			add("reader", s.name+": "+pg[1], func(st *style.Styles, w, h int) (view, error) {
				return read(st, pg[0], pg[1], w, h, s.keys...)
			})
		}
	}
	for _, s := range []struct {
		name  string
		items []picker.Item
		typed string
	}{
		{"nothing in it", nil, ""},
		{"actions", []picker.Item{{ID: "a", Text: "copy the answer, with its sources", Key: "y"},
			{ID: "b", Text: "undo the last change", Key: "u", Disabled: "nothing was changed"}}, ""},
		{"narrowed", []picker.Item{{ID: "a", Text: "如何修剪灯芯", Detail: "2026-01-02"}, {ID: "b", Text: "wick"}}, "灯芯"},
		{"nasty data", []picker.Item{{Text: strings.Repeat("long ", 90), Detail: strings.Repeat("detail ", 40), Key: "ctrl+alt+shift+f12"},
			{Text: "हिन्दी👩‍🔧e\u0301\u0301", Key: "灯"}, {}}, ""},
	} {
		add("picker", s.name, func(st *style.Styles, w, h int) (view, error) {
			p := picker.New(st)
			p.SetSize(w, h)
			p.ShowItems("story", "A list", "there is nothing here yet", s.items)
			p.Paste(s.typed)
			return p, nil
		})
	}
	b := &tuitest.Backend{}
	docSets, listErr := b.Library(context.Background())
	add("shelf", "nothing yet", func(st *style.Styles, w, h int) (view, error) {
		p := shelf.New(st)
		p.SetSize(w, h)
		return p, nil
	})
	for _, s := range []struct {
		name string
		keys []keymap.Action
	}{{"doc sets", nil}, {"a folder to add", []keymap.Action{keymap.AddSet}}, {"forget one", []keymap.Action{keymap.RemoveSet}}} {
		add("shelf", s.name, func(st *style.Styles, w, h int) (view, error) {
			p := shelf.New(st)
			p.SetSize(w, h)
			p.SetSets(docSets)
			for _, k := range s.keys {
				p.Update(k)
			}
			return p, listErr
		})
	}
	for _, s := range []struct {
		name    string
		folders []firstrun.Folder
	}{{"no folder found", nil}, {"folders", []firstrun.Folder{{Path: "./docs", Pages: 118},
		{Path: strings.Repeat("深い/", 60) + "docs", Pages: 1}}}} {
		add("firstrun", s.name, func(st *style.Styles, w, h int) (view, error) {
			p := firstrun.New(st, "how do I add a doc set")
			p.SetManual(true)
			p.SetFolders(s.folders)
			p.SetSize(w, h)
			return p, nil
		})
	}
	all = append(all, browsingStories()...)
	add("tour", "its first step", func(st *style.Styles, w, h int) (view, error) {
		p := tour.New(st)
		p.Begin([]tour.Step{{Title: "Ask", Text: "Type a question and press enter. " + strings.Repeat("灯芯 ", 30)},
			{Title: "Look", Text: "Go on."}})
		p.SetSize(w, h)
		return p, nil
	})
	return all
}

var errBroken = errors.New("the index cannot be read \x1b[31m(" + strings.Repeat("a long reason, ", 12) +
	"\nof two lines); run docent update --rebuild")

const question = "how do I trim a wick"

func run(b *tuitest.Backend, req pipeline.Request) (pipeline.Result, pipeline.Request, error) {
	req.Question = question
	res, err := b.NewSession(req).Run(context.Background(), nil)
	return res, req, err
}

// nasty is a result whose every text is hard to show.
func nasty() (pipeline.Result, pipeline.Request, error) {
	res, req, err := run(&tuitest.Backend{}, pipeline.Request{Preferences: contract.Preferences{Compress: true}})
	if err != nil {
		return res, req, err
	}
	texts := []string{strings.Repeat("nospacesatall", 40), "", tuitest.Hostile, strings.Repeat("灯芯的修剪与更换", 30),
		"e\u0301\u0301\u0301 हिन्दी 👩‍👩‍👧‍👦 🏳️‍🌈 ﷽",
		"tabs\tand\nlines\r\nand \x00 \xff\xfe", strings.Repeat("long title of words ", 40), "\u200b\u200d\ufeff"}
	n := 0
	next := func() string { n++; return texts[n%len(texts)] }
	req.Question = next()
	if o := res.Phases.Optimize; o != nil {
		for i := range o.OptimizedQueries {
			o.OptimizedQueries[i].Query, o.OptimizedQueries[i].Reason = next(), next()
		}
		o.QueryAnalysis.DomainNouns, o.QueryAnalysis.PredicateVerbs, o.QueryAnalysis.DocSet = texts, texts, texts
	}
	if r := res.Phases.Route; r != nil {
		r.Evidence, r.Scene, r.Intent = texts, next(), next()
	}
	var long []contract.Result
	for i := range 50 {
		r := contract.Result{DocSet: next(), FilePath: next(), PageTitle: next(), Level: "3.1", Changed: i%3 == 0, BelowThreshold: i%5 == 0}
		for k := range 3 {
			sim := float64(k*i) / 75
			r.Headings = append(r.Headings, contract.Heading{Level: 2, Text: "## " + next(), Path: texts[:1+k], Score: float64(i) - 20,
				RerankSim: &sim,
				Lines:     [2]int{k, 1 << 40}, Section: [2]int{k, k - 1},
				Explain: &contract.Explain{Rerank: []contract.ExplainPart{{Name: next(),
					Value: -1e9}}}})
		}
		long = append(long, r)
	}
	if s := res.Phases.Search; s != nil {
		s.Results = long
	}
	if r := res.Phases.Rerank; r != nil {
		r.Results = long
	}
	if e := res.Phases.Extract; e != nil {
		e.Summary = next()
		for i := range e.Documents {
			d := &e.Documents[i]
			d.Title, d.DocSet, d.FilePath, d.URL, d.Version = next(), next(), next(), next(), next()
		}
	}
	if c := res.Phases.Check; c != nil {
		c.Reason = next()
	}
	res.Final = strings.Join(texts, "\n") + res.Final
	for i := range res.Citations {
		c := &res.Citations[i]
		c.PageTitle, c.DocSet, c.FilePath, c.URL = next(), next(), next(), next()
	}
	return res, req, nil
}

// stepperStory is the events before a story of the phases.
type stepperStory struct {
	name   string
	events []pipeline.Event
}

func stepperStories() []stepperStory {
	var done, half []pipeline.Event
	for i, ph := range contract.Phases() {
		done = append(done, pipeline.Event{Phase: ph, Kind: pipeline.PhaseStarted},
			pipeline.Event{Phase: ph, Kind: pipeline.PhaseDone, Text: "9 hits, level 1", Engine: "builtin", ElapsedMS: float64(i) * 1.7})
		if ph == contract.PhaseSearch {
			half = append(append(half, done[:2*i]...), pipeline.Event{Phase: ph, Kind: pipeline.PhaseStarted},
				pipeline.Event{Phase: ph, Kind: pipeline.PhaseProgress, Done: 3, Total: 10, Text: "searching"})
		}
	}
	failed := append(append([]pipeline.Event{}, half...), pipeline.Event{Phase: contract.PhaseSearch, Kind: pipeline.PhaseFailed,
		Text: errBroken.Error(), ElapsedMS: 1e7})
	stale := append(append([]pipeline.Event{}, done...), pipeline.Event{Phase: contract.PhaseRoute, Kind: pipeline.PhaseStarted})
	return []stepperStory{{"waiting", nil}, {"in the search", half}, {"done", done}, {"failed, nasty data", failed}, {"stale", stale}}
}

// previewed is one of the canned pages, with its visible part rendered.
func previewed(st *style.Styles, set, path string, w, h int) (view, error) {
	t, pg, err := prepared(set, path)
	if err != nil {
		return nil, err
	}
	p := preview.New(st)
	p.SetSize(w, h)
	p.SetTarget(t)
	p.SetPage(t.ID(), pg)
	for cmd := p.Render(); cmd != nil; {
		cmd = p.Update(cmd())
	}
	return p, nil
}

// prepared is a canned page and its last section.
func prepared(set, path string) (page.Target, *page.Prepared, error) {
	b := tuitest.Backend{}
	pg, err := b.Page(context.Background(), set, path)
	if err != nil {
		return page.Target{}, nil, err
	}
	last := pg.Doc.Sections[len(pg.Doc.Sections)-1]
	return page.Target{DocSet: set, FilePath: path, Title: path, Heading: contract.Heading{Text: last.Heading()}}, page.PreparePage(pg), nil
}

// read is a page in the reader, after some keys.
func read(st *style.Styles, set, path string, w, h int, keys ...keymap.Action) (view, error) {
	t, pg, err := prepared(set, path)
	if err != nil {
		return nil, err
	}
	p := reader.New(st)
	p.SetSize(w, h)
	do := func(cmd tea.Cmd) {
		for n := 0; cmd != nil && n < 1000; n++ {
			msg := cmd()
			if _, ok := msg.(tea.BatchMsg); ok {
				return
			}
			cmd = p.Update(msg)
		}
	}
	p.Open(t)
	do(p.SetPage(t.ID(), pg))
	for _, k := range keys {
		do(p.Update(k))
	}
	return p, nil
}
