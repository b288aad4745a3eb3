package main

import (
	"context"
	"strings"

	"docent/pipeline"
	"docent/tui/keymap"
	"docent/tui/pane/launcher"
	"docent/tui/pane/start"
	"docent/tui/pane/versions"
	"docent/tui/style"
	"docent/tui/titles"
	"docent/tui/tuitest"
)

// browsingStories are those of the start screen and of the launcher.
func browsingStories() []story {
	wick := pipeline.Place{DocSet: tuitest.Set, FilePath: "guides/wicks.md", Title: "Wicks", Path: []string{"Wicks", "Trim a wick"}}
	nasty := pipeline.Place{DocSet: tuitest.Hostile, FilePath: strings.Repeat("深い/", 60) + "a.md", Title: strings.Repeat("long ", 60),
		Path: []string{tuitest.Hostile}}
	var all []story
	for _, s := range []struct {
		name   string
		groups []start.Group
	}{
		{"nothing yet", nil},
		{"somebody comes back", []start.Group{
			{Name: "Read last", Rows: []start.Row{{Name: "Wicks › Trim a wick", Detail: tuitest.Set, Right: "5 min ago",
				Chosen: start.Chosen{Place: wick}}}},
			{Name: "Asked last", Rows: []start.Row{{Name: question, Chosen: start.Chosen{Question: question}}}},
			{Name: "Doc sets", Rows: []start.Row{{Name: "harbour@0.9", Detail: "112 pages", Right: "~ 2 new, 1 changed", Warn: true,
				Chosen: start.Chosen{DocSet: "harbour@0.9"}}}}}},
		{"nasty data", []start.Group{{Name: "Read last", Rows: []start.Row{{Name: strings.Repeat("灯芯", 90), Detail: "हिन्दी👩‍🔧",
			Right: strings.Repeat("long ", 30)}, {}}}}},
	} {
		all = append(all, story{pane: "start", name: s.name, make: func(st *style.Styles, w, h int) (view, error) {
			p := start.New(st)
			p.SetGroups("Type a question and press enter.\nf1 lists the keys.", s.groups)
			p.SetSize(w, h)
			return p, nil
		}})
	}
	for _, s := range []struct {
		name, typed string
		items       []launcher.Item
	}{
		{"nothing found", "zzz", nil},
		{"found", "wick", []launcher.Item{{Kind: titles.DocSet, Place: pipeline.Place{DocSet: "wicks@1"}},
			{Kind: titles.PageKind, Place: wick},
			{Kind: titles.HeadingKind, Place: wick}}},
		{"nasty data", "灯芯", []launcher.Item{{Kind: titles.PageKind, Place: nasty}, {Kind: titles.HeadingKind, Place: nasty,
			Note: strings.Repeat("note ", 30)}, {}}},
	} {
		all = append(all, story{pane: "launcher", name: s.name, make: func(st *style.Styles, w, h int) (view, error) {
			p := launcher.New(st)
			p.SetSize(w, h)
			if typed, ok := tuitest.Intent(p.Paste(s.typed)).(launcher.Typed); ok {
				p.SetItems(typed.Seq, typed.Text, s.items, len(s.items))
			}
			return p, nil
		}})
	}
	return append(all, versionStories()...)
}

// versionStories are those of the comparison of two versions.
func versionStories() []story {
	var all []story
	for _, s := range []struct {
		name   string
		unfold bool
		err    error
	}{{"pages that differ", false, nil}, {"a page unfolded", true, nil}, {"an error", false, errBroken}} {
		all = append(all, story{pane: "versions", name: s.name, make: func(st *style.Styles, w, h int) (view, error) {
			b, ctx := &tuitest.Backend{}, context.Background()
			p := versions.New(st)
			p.SetSize(w, h)
			p.Begin()
			c, err := b.Compare(ctx, tuitest.Set, 0)
			if p.Set(c, "", s.err); s.unfold && err == nil {
				if want, ok := tuitest.Intent(p.Update(keymap.Open)).(versions.LinesWanted); ok {
					sections, err := b.CompareLines(ctx, want.Comparison, want.Page)
					p.SetSections(want.Page, sections, err)
					p.Update(keymap.Down)
					p.Update(keymap.Open)
				}
			}
			return p, err
		}})
	}
	return all
}
