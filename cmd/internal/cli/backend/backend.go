// Package backend gives the terminal app what it reads from a home.
//
// It is opened after the first frame; it prints nothing, since the screen is the app's.
package backend

import (
	"context"
	"fmt"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/backend/opening"
	"docent/cmd/internal/cli/backend/working"
	"docent/cmd/internal/cli/wording"
	"docent/pipeline"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/service/library"
	"docent/pipeline/service/pages"
	"docent/pipeline/service/versioning"
	"docent/store/doc"
	"docent/tui"
)

// New is the app's backend over a home.
func New(opt app.Options) *Backend {
	later := &opening.Home{Opt: opt}
	return &Backend{Home: later, Work: working.New(later)}
}

// Backend gives the app what it reads from a home, and with working.Work changes it.
type Backend struct {
	*opening.Home
	working.Work
}

// NewSession begins a session. An unknown doc set is an error of its run, where
// the app shows it.
func (b *Backend) NewSession(req pipeline.Request) *pipeline.Session {
	a := b.Current()
	if s, err := a.Answers.Session(context.Background(), req); err == nil {
		return s
	}
	return a.Answers.Pipelines.Ask.NewSession(req)
}

// Suggest searches for a question that is being typed.
func (b *Backend) Suggest(ctx context.Context, question string, docSets []string) ([]tui.Suggestion, error) {
	return b.Current().Answers.Suggest(ctx, question, docSets)
}

// Titles are the names of all pages and headings.
func (b *Backend) Titles(ctx context.Context) ([]tui.TitledPage, error) {
	a := b.Current()
	if a == nil {
		return nil, opening.ErrUnopened
	}
	return a.Pages.Titles(ctx)
}

// Page is one page for the preview.
func (b *Backend) Page(ctx context.Context, docSet, filePath string) (tui.Page, error) {
	p, err := b.Current().Pages.ReadShown(ctx, docSet, filePath)
	if err != nil {
		return tui.Page{}, err
	}
	out := tui.Page{Doc: &p.Doc, Source: p.Doc.Text, Passages: make([]doc.Span, len(p.Chunks)),
		Summary: b.Current().Pages.Summaries(ctx, p)}
	for i, c := range p.Chunks {
		out.Passages[i] = c.Span
	}
	return out, nil
}

// Pages are the pages of a doc set by their paths.
func (b *Backend) Pages(ctx context.Context, docSet string) ([]tui.PageRef, error) {
	list, err := b.Current().Pages.Pages(ctx, docSet)
	if err != nil {
		return nil, err
	}
	out := make([]tui.PageRef, len(list.Pages))
	for i, p := range list.Pages {
		out[i] = tui.PageRef{Path: p.Path, Title: p.Title, URL: p.URL}
	}
	return out, nil
}

// Quote is a section that is read as a cited block, and its citation.
func (b *Backend) Quote(ctx context.Context, p tui.Passage) (block, citation string, err error) {
	q, err := b.Current().Pages.Quote(ctx, pages.QuoteRequest{DocSet: p.DocSet, FilePath: p.FilePath, Section: p.Section, Text: p.Text})
	return q.Block, q.Citation.OneLine(), err
}

// Beside is what the cited parts of an answer require and warn of, and the differences in
// a newer version.
func (b *Backend) Beside(ctx context.Context, res pipeline.Result) []tui.Aside {
	found := b.Current().Answers.BesideAnswer(ctx, res)
	var out []tui.Aside
	for i, all := range [][]references.Relation{found.Prerequisites, found.Warnings} {
		for _, x := range all {
			a := tui.Aside{Warns: i == 1, Text: x.Target, Where: x.In.DocSet + "/" + x.In.Path}
			if x.Other != nil {
				a.Text = relationText(*x.Other)
			}
			out = append(out, a)
		}
	}
	for _, n := range b.Current().Versioning.NewerThan(ctx, res) {
		out = append(out, newerAside(n))
	}
	return out
}

// newerAside is a section that a newer version has otherwise.
func newerAside(n versioning.NewerSection) tui.Aside {
	a := tui.Aside{Newer: true, Where: n.Newer + "/" + n.Before.Path}
	name := n.Before.Heading
	if name == "" {
		name = n.Before.Page
	}
	switch {
	case n.After != nil:
		a.Text, a.Where = name+": changed", fmt.Sprintf("%s/%s, lines %d–%d", n.Newer, n.After.Path, n.After.Lines[0], n.After.Lines[1])
	case n.Before.Section == "":
		a.Text = n.Before.Page + ": no such page"
	default:
		a.Text = name + ": not on this page any more"
	}
	return a
}

// References are what leads to a section of a page and from there.
func (b *Backend) References(ctx context.Context, docSet, filePath string, section int) ([]tui.Reference, error) {
	r, err := b.Current().Graph.SectionReferences(ctx, docSet, filePath, section)
	if err != nil {
		return nil, err
	}
	var out []tui.Reference
	for way, all := range [][]references.Relation{r.From, r.To} {
		for _, x := range all {
			ref := tui.Reference{Here: way == 1, Says: wording.Said[x.Type][way], Text: x.Target, URL: x.Target}
			if n := x.Other; n != nil {
				ref.URL, ref.Text, ref.Line = "", relationText(*n), n.Line
				ref.Target = tui.Target{DocSet: n.DocSet, FilePath: n.Path, Title: r.Titles[n.Path]}
			}
			out = append(out, ref)
		}
	}
	return out, nil
}

// relationText is what a list of relations calls a node.
func relationText(n references.Node) string {
	switch n.Kind {
	case references.Warning:
		return n.Severity + ": " + n.Message
	case references.Parameter:
		return n.Name
	}
	return n.Title
}

// Sets are the doc sets with their freshness.
func (b *Backend) Sets(ctx context.Context) ([]library.ListedSet, error) {
	a := b.Current()
	if a == nil {
		return nil, opening.ErrUnopened
	}
	return a.Library.SetList(ctx)
}

// Library lists the doc sets with their freshness.
func (b *Backend) Library(ctx context.Context) ([]library.ListedSet, error) { return b.Sets(ctx) }

// PagesOf are the pages of a doc set, each compared with its file by size and time.
func (b *Backend) PagesOf(ctx context.Context, docSet string) ([]library.PageState, error) {
	a := b.Current()
	if a == nil {
		return nil, opening.ErrUnopened
	}
	return a.Library.PageStates(ctx, docSet)
}
