package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"docent/cmd/internal/app"
	"docent/pipeline"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/service/care"
	"docent/pipeline/service/library"
	"docent/pipeline/service/pages"
	"docent/pipeline/service/vectors"
	"docent/pipeline/service/versioning"
	"docent/store/doc"
	"docent/tui"
	"docent/tui/titles"
)

// NewBackend is the app's backend over a home, for programs that test or
// measure the app itself. close ends it.
func NewBackend(opt app.Options) (b tui.Backend, close func() error) {
	back := &backend{opt: opt}
	return back, back.close
}

// backend is the opened home as the app needs it. It is opened after the first
// frame.
type backend struct {
	opt app.Options

	mu      sync.Mutex
	a       *app.App
	closing bool
	work    sync.WaitGroup // what writes the home
}

func (b *backend) currentApp() *app.App {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.a
}

// close closes the home. What writes it was cancelled with the app's context
// and is waited for: it takes back what it had begun.
func (b *backend) close() error {
	b.mu.Lock()
	b.closing = true
	b.mu.Unlock()
	b.work.Wait()
	if a := b.currentApp(); a != nil {
		return a.Close()
	}
	return nil
}

// Ready opens the home, which indexes missing doc sets.
func (b *backend) Ready(ctx context.Context, progress func(done, total int, text string)) error {
	if b.currentApp() != nil {
		return nil
	}
	opt := b.opt
	opt.Say = nil // the screen is the app's
	opt.Progress = func(e pipeline.Event) {
		if e.Phase == ingest.PhaseIngest && progress != nil {
			progress(e.Done, e.Total, e.Text)
		}
	}
	a, err := app.Open(ctx, opt)
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.a = a
	b.mu.Unlock()
	a.Models.Preload() // the first question does not wait for a cold model
	return nil
}

// background makes learned vectors that are missing, trains those again that are due, and has models make
// the vectors and enrich the sections that are missing.
func (b *backend) background(ctx context.Context, progress func(text string)) error {
	a, err := b.beginWork()
	if err != nil {
		return nil // it is being closed
	}
	defer b.work.Done()
	return a.Care.Keep(ctx, care.KeepRequest{Thorough: true, Progress: func(label string, e pipeline.Event) {
		text := fmt.Sprintf("%s %d%%", label, 100*e.Done/e.Total)
		if e.Left > 0 {
			text += ", " + embed.TimeText(e.Left) + " left"
		}
		progress(text)
	}})
}

// allowServer allows the model servers that were found and not named, and says which.
func (b *backend) allowServer(context.Context) (string, error) {
	a, err := b.beginWork()
	if err != nil {
		return "", err
	}
	defer b.work.Done()
	servers, err := a.Models.Servers()
	if err != nil {
		return "", err
	}
	about, err := vectors.AllowFound(a.Home.Dir, servers)
	if err != nil || len(about) == 0 {
		return "", err
	}
	a.Models.Preload()
	return strings.Join(about, ", ") + " is asked from now on; docent models refuse ends it", nil
}

// errUnopened means that the home is not open yet, or could not be opened.
var errUnopened = errors.New("the doc sets are not open yet")

// beginWork counts a piece of work that the home must not be closed under.
func (b *backend) beginWork() (*app.App, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.a == nil:
		return nil, errUnopened
	case b.closing:
		return nil, context.Canceled
	}
	b.work.Add(1)
	return b.a, nil
}

// NewSession begins a session. An unknown doc set is an error of its run, where
// the app shows it.
func (b *backend) NewSession(req pipeline.Request) *pipeline.Session {
	a := b.currentApp()
	if s, err := a.Answers.Session(context.Background(), req); err == nil {
		return s
	}
	return a.Answers.Pipelines.Ask.NewSession(req)
}

// Suggest searches for a question that is being typed.
func (b *backend) Suggest(ctx context.Context, question string, docSets []string) ([]tui.Suggestion, error) {
	found, err := b.currentApp().Answers.Suggest(ctx, question, docSets)
	if err != nil {
		return nil, err
	}
	out := make([]tui.Suggestion, len(found))
	for i, s := range found {
		out[i] = tui.Suggestion{DocSet: s.DocSet, FilePath: s.FilePath, Title: s.Page, Path: []string{s.Heading}, Anchor: s.Anchor}
	}
	return out, nil
}

// Titles are the names of all pages and headings.
func (b *backend) Titles(ctx context.Context) ([]tui.TitledPage, error) {
	a := b.currentApp()
	if a == nil {
		return nil, errUnopened
	}
	pages, err := a.Pages.Titles(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]tui.TitledPage, len(pages))
	for i, p := range pages {
		out[i] = tui.TitledPage{DocSet: p.DocSet, Path: p.Path, Title: p.Title, Headings: make([]titles.Heading, len(p.Sections))}
		for k, s := range p.Sections {
			out[i].Headings[k] = titles.Heading{Path: s.Path, Anchor: s.Anchor, Line: s.Span.StartLine}
		}
	}
	return out, nil
}

// Page is one page for the preview.
func (b *backend) Page(ctx context.Context, docSet, filePath string) (tui.Page, error) {
	p, err := b.currentApp().Pages.ReadShown(ctx, docSet, filePath)
	if err != nil {
		return tui.Page{}, err
	}
	out := tui.Page{Doc: &p.Doc, Source: p.Doc.Text, Passages: make([]doc.Span, len(p.Chunks)),
		Summary: b.currentApp().Pages.Summaries(ctx, p)}
	for i, c := range p.Chunks {
		out.Passages[i] = c.Span
	}
	return out, nil
}

// Pages are the pages of a doc set by their paths.
func (b *backend) Pages(ctx context.Context, docSet string) ([]tui.PageRef, error) {
	list, err := b.currentApp().Pages.Pages(ctx, docSet)
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
func (b *backend) Quote(ctx context.Context, p tui.Passage) (block, citation string, err error) {
	q, err := b.currentApp().Pages.Quote(ctx, pages.QuoteRequest{DocSet: p.DocSet, FilePath: p.FilePath, Section: p.Section, Text: p.Text})
	return q.Block, q.Citation.OneLine(), err
}

// Beside is what the cited parts of an answer require and warn of, and the differences in
// a newer version.
func (b *backend) Beside(ctx context.Context, res pipeline.Result) []tui.Aside {
	found := b.currentApp().Answers.BesideAnswer(ctx, res)
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
	for _, n := range b.currentApp().Versioning.NewerThan(ctx, res) {
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
func (b *backend) References(ctx context.Context, docSet, filePath string, section int) ([]tui.Reference, error) {
	r, err := b.currentApp().Graph.SectionReferences(ctx, docSet, filePath, section)
	if err != nil {
		return nil, err
	}
	var out []tui.Reference
	for way, all := range [][]references.Relation{r.From, r.To} {
		for _, x := range all {
			ref := tui.Reference{Here: way == 1, Says: said[x.Type][way], Text: x.Target, URL: x.Target}
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
func (b *backend) Sets(ctx context.Context) ([]library.ListedSet, error) {
	a := b.currentApp()
	if a == nil {
		return nil, errUnopened
	}
	return a.Library.SetList(ctx)
}

// Library lists the doc sets with their freshness.
func (b *backend) Library(ctx context.Context) ([]library.ListedSet, error) { return b.Sets(ctx) }

// PagesOf are the pages of a doc set, each compared with its file by size and time.
func (b *backend) PagesOf(ctx context.Context, docSet string) ([]library.PageState, error) {
	a := b.currentApp()
	if a == nil {
		return nil, errUnopened
	}
	return a.Library.PageStates(ctx, docSet)
}
