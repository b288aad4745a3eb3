// Package opening is a home that is opened while the app is on the screen, and closed when
// what writes it is done.
//
// It refuses work on a home that is not open yet or is being closed.
package opening

import (
	"context"
	"errors"
	"sync"

	"docent/cmd/internal/app"
	"docent/pipeline"
	"docent/pipeline/ingest"
	"docent/pipeline/service"
)

// Home is a home that is opened after the first frame of the app.
type Home struct {
	Opt app.Options

	mu      sync.Mutex
	a       *app.App
	closing bool
	work    sync.WaitGroup // what writes the home
}

// Current is the opened home; nil: it is not open yet.
func (b *Home) Current() *app.App {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.a
}

// Close closes the home. What writes it was cancelled with the app's context
// and is waited for: it takes back what it had begun.
func (b *Home) Close() error {
	b.mu.Lock()
	b.closing = true
	b.mu.Unlock()
	b.work.Wait()
	if a := b.Current(); a != nil {
		return a.Close()
	}
	return nil
}

// Ready opens the home. It indexes missing doc sets, unless others can be searched at once: then
// it gives the names of those that are to be mended.
func (b *Home) Ready(ctx context.Context, progress func(done, total int, text string)) (behind []string, err error) {
	if b.Current() != nil {
		return nil, nil
	}
	opt := b.Opt
	opt.Say, opt.ShowsFaults, opt.MendsLater = nil, true, true // the screen is the app's
	opt.Progress = func(e pipeline.Event) {
		if e.Phase == ingest.PhaseIngest && progress != nil {
			progress(e.Done, e.Total, e.Text)
		}
	}
	a, err := app.Open(ctx, opt)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.a = a
	b.mu.Unlock()
	a.Models.Preload() // the first question does not wait for a cold model
	return a.Home.Behind.Names(), nil
}

// ErrUnopened means that the home is not open yet, or could not be opened.
var ErrUnopened = errors.New("the doc sets are not open yet")

// Begin counts a piece of work that the home must not be closed under.
func (b *Home) Begin() (*app.App, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.a == nil:
		return nil, ErrUnopened
	case b.closing:
		return nil, context.Canceled
	}
	b.work.Add(1)
	return b.a, nil
}

// Asks makes a function that asks the opened home about something.
func (b *Home) Asks(ask func(context.Context, *service.Services, string) ([]string, error)) func(context.Context, string) ([]string,
	error) {
	return func(ctx context.Context, about string) ([]string, error) {
		a, err := b.Begin()
		if err != nil {
			return nil, err
		}
		defer b.End()
		return ask(ctx, a.Services, about)
	}
}

// End is called when a piece of work is done.
func (b *Home) End() { b.work.Done() }
