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
// runs it. It stands in the context, as net/http/httptrace does it: phases that
// have nothing to say need not know.
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

type recallKey struct{}

// WithRecall has models answer only what they were asked before: for looking at a
// result more closely, which must not cost a second wait.
func WithRecall(ctx context.Context) context.Context {
	return context.WithValue(ctx, recallKey{}, true)
}

// Recall says whether WithRecall was said.
func Recall(ctx context.Context) bool { return ctx.Value(recallKey{}) != nil }
