package console

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"docent/cmd/internal/cli/failure"
)

// Ending hears the signals that end the program, ctrl+c and SIGTERM. The first one ends
// the command's context, so that the command stops in good order and can report its
// results. The second one ends the process at once.
type Ending struct {
	mu     sync.Mutex
	by     os.Signal // that came; nil: none
	paging bool      // a pager runs: ctrl+c is its own
	held   bool      // the terminal must be restored: the second signal is ignored too
}

// Listen gives the context that the first signal ends. stop waits until nothing
// listens any more.
func (e *Ending) Listen() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var wg sync.WaitGroup
	wg.Go(func() {
		for s := range signals {
			if !e.takesSignal(s) {
				continue
			}
			if !e.holdsOutput() {
				signal.Stop(signals)
			}
			cancel()
		}
	})
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		wg.Wait()
		cancel()
	}
}

// takesSignal notes a signal, unless it is for the pager.
func (e *Ending) takesSignal(s os.Signal) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.paging && s == os.Interrupt {
		return false
	}
	if e.by == nil {
		e.by = s
	}
	return true
}

func (e *Ending) holdsOutput() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.held
}

// During runs do while signals are treated otherwise: paging and held are as in
// ending.
func (e *Ending) During(paging, held bool, do func() error) error {
	set := func(paging, held bool) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.paging, e.held = paging, held
	}
	set(paging, held)
	defer set(false, false)
	return do()
}

// SignalCode is the exit code of the received signal, and its effect; 0 without a signal.
func (e *Ending) SignalCode() (code int, did string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch e.by {
	case nil:
		return 0, ""
	case syscall.SIGTERM:
		return failure.CodeTerminated, "terminated"
	}
	return failure.CodeInterrupted, "interrupted"
}

// ReadUntil reads from in until ctx ends.
func ReadUntil(ctx context.Context, in io.Reader) io.Reader { return interruptible{ctx: ctx, in: in} }

// interruptible reads until its context ends. A read that waits for somebody to type
// cannot be taken back: its goroutine ends with the process, which is about to end.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

// Read reads as in does; the error is the context's when that ends first.
func (r interruptible) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	own := make([]byte, len(p)) // p is the caller's again after the return
	done := make(chan result, 1)
	go func() {
		n, err := r.in.Read(own)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(p, own[:got.n]), got.err
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
}
