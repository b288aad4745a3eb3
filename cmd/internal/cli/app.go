package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"docent/cmd/internal/app"
	"docent/cmd/internal/clipboard"
	"docent/cmd/internal/config"
	"docent/cmd/internal/external"
	"docent/cmd/internal/sessions"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/embed"
	"docent/pipeline/home"
	"docent/pipeline/ingest"
	"docent/pipeline/search"
	"docent/tui"
)

// tui opens the terminal app, on a question or on a session that was saved.
func (c *command) tui(ctx context.Context, question string, saved *pipeline.Saved) error {
	b := &backend{opt: c.options()}
	// A configuration that cannot be used is told of when the home is opened.
	cfg, faults, err := app.LoadConfig(c.options())
	notice := ""
	switch {
	case err != nil:
		cfg = config.Config{Mouse: true}
	case len(faults) > 0:
		notice = fmt.Sprintf("%v; as by default instead (docent config lint)", faults[0])
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	opt := tui.Options{
		Notice: notice, Keys: cfg.Keymap(), Theme: cfg.Theme, MouseOff: !cfg.Mouse, Saved: saved,
		Keeper:  sessions.Keeper{Home: c.options().HomeDir(), Dir: dir, Now: time.Now},
		Backend: b, Question: question, Request: pipeline.Request{DocSets: c.sets}, Version: home.Version, NoColor: c.noColor,
		InTmux: c.io.Env("TMUX") != "", InScreen: c.io.Env("STY") != "" && c.io.Env("TMUX") == "", SSH: c.io.Env("SSH_CONNECTION") != "" || c.io.Env("SSH_TTY") != "",
		CopyNative: clipboard.Native, TmuxLoad: clipboard.Tmux,
	}
	opt.Background = b.background
	if e, ok := external.NewEditor(c.io.Env); ok {
		opt.Edit = func(ctx context.Context, docSet, filePath string, line int) (*exec.Cmd, error) {
			path, err := b.app().Library.File(ctx, docSet, filePath)
			if err != nil {
				return nil, err
			}
			at, err := b.app().Library.Location(ctx, docSet, filePath, line)
			if err != nil {
				return nil, err
			}
			return e.Command(path, max(1, at.Line))
		}
	}
	if w, ok := external.NewBrowser(runtime.GOOS, c.io.Env); ok {
		opt.Browse = w.Open
	}
	err = tui.Run(ctx, opt)
	return errors.Join(err, b.close())
}

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

func (b *backend) app() *app.App {
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
	if a := b.app(); a != nil {
		return a.Close()
	}
	return nil
}

// Ready opens the home, which indexes what is missing.
func (b *backend) Ready(ctx context.Context, progress func(done, total int, text string)) error {
	if b.app() != nil {
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

// background has a model make the vectors that are missing.
func (b *backend) background(ctx context.Context, progress func(text string)) error {
	a, err := b.begin()
	if err != nil {
		return nil // it is being closed
	}
	defer b.work.Done()
	return a.KeepEmbedded(ctx, home.Watch{Events: func(e pipeline.Event) {
		if e.Phase == embed.Phase && e.Kind == pipeline.PhaseProgress && e.Total > 0 {
			text := fmt.Sprintf("vectors %d%%", 100*e.Done/e.Total)
			if _, left, ok := strings.Cut(e.Text, " a second, "); ok {
				text += ", " + left
			}
			progress(text)
		}
	}})
}

// NewSession begins a session. An unknown doc set is an error of its run, where
// the app shows it.
func (b *backend) NewSession(req pipeline.Request) *pipeline.Session {
	a := b.app()
	if s, err := a.Session(context.Background(), a.Pipelines.Ask, req); err == nil {
		return s
	}
	return a.Pipelines.Ask.NewSession(req)
}

// Suggest searches for a question that is being typed.
func (b *backend) Suggest(ctx context.Context, question string, docSets []string) ([]tui.Suggestion, error) {
	p := b.app().Pipelines.Typing
	o, _, err := p.Optimizer.Optimize(ctx, contract.OptimizeInput{Query: question, DocSets: docSets})
	if err != nil {
		return nil, err
	}
	in := contract.SearchInput{Query: []string{question}, DocSets: strings.Join(o.QueryAnalysis.DocSet, ","), Context: o.Context}
	out, _, err := p.Searcher.Search(ctx, in, contract.SearchOptions{Prefix: true})
	if err != nil {
		return nil, err
	}
	var list []tui.Suggestion
	for _, pl := range search.Flat(out.Results) {
		for _, r := range out.Results {
			if r.DocSet == pl.DocSet && r.FilePath == pl.FilePath {
				list = append(list, tui.Suggestion{DocSet: pl.DocSet, Page: r.PageTitle, Heading: strings.TrimLeft(pl.Heading, "# ")})
			}
		}
	}
	return list[:min(len(list), 40)], nil
}

// Page is one page for the preview.
func (b *backend) Page(ctx context.Context, docSet, filePath string) (tui.Page, error) {
	lib := b.app().Library
	sets, err := lib.Resolve(ctx, []string{docSet})
	if err != nil {
		return tui.Page{}, err
	}
	p, err := lib.Shown(ctx, sets[0], filePath)
	if err != nil {
		return tui.Page{}, err
	}
	return tui.Page{Doc: &p.Doc, Source: p.Doc.Text}, nil
}

// Pages are the pages of a doc set by their paths.
func (b *backend) Pages(ctx context.Context, docSet string) ([]tui.PageRef, error) {
	lib := b.app().Library
	sets, err := lib.Resolve(ctx, []string{docSet})
	if err != nil {
		return nil, err
	}
	docs, err := lib.Catalog.Documents(ctx, sets[0].ID)
	if err != nil {
		return nil, err
	}
	out := make([]tui.PageRef, len(docs))
	for i, d := range docs {
		out[i] = tui.PageRef{Path: d.Path, Title: d.Title, URL: d.URL}
	}
	return out, nil
}

// Sets are the doc sets by name.
func (b *backend) Sets(ctx context.Context) ([]tui.SetInfo, error) {
	a := b.app()
	sets, err := a.Library.Sets(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]tui.SetInfo, len(sets))
	for i, s := range sets {
		fresh, _, err := freshness(ctx, a, s)
		if err != nil {
			return nil, err
		}
		out[i] = tui.SetInfo{Name: s.Ref.String(), Pages: s.Documents, Fresh: fresh == "fresh"}
	}
	return out, nil
}
