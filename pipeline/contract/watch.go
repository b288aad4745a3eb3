package contract

import "context"

// Progress is what a phase says while it runs: where it is, or a piece of what a
// model answers.
type Progress struct {
	Text        string // one line for a person
	Done, Total int    // of whatever the phase counts; Total 0: not known
	Piece       string // of a model's answer, as it came; "": none
	Engine      string // who is at work
}

type watchKey struct{}

// WithWatch lets watch see what a phase says while it runs, in the goroutine that
// runs it. It stands in the context, as a trace of net/http/httptrace does: it
// only observes and changes no result, and phases that report nothing need not
// hand it on.
func WithWatch(ctx context.Context, watch func(Progress)) context.Context {
	if watch == nil {
		return ctx
	}
	return context.WithValue(ctx, watchKey{}, watch)
}

// Watch tells whoever watches; nobody may.
func Watch(ctx context.Context, p Progress) {
	if watch, ok := ctx.Value(watchKey{}).(func(Progress)); ok {
		watch(p)
	}
}
