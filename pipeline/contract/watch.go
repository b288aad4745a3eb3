package contract

import "context"

// Progress is a report of a running phase: how far it is, or a piece of a model's
// answer.
type Progress struct {
	Text        string // one line for a person
	Done, Total int    // of whatever the phase counts; Total 0: not known
	Piece       string // of a model's answer, unchanged; or ""
	Engine      string // the running engine
}

type watchKey struct{}

// WithWatch has phases report their progress to watch, in the goroutine that runs
// the phase. watch is in the context, as a trace of net/http/httptrace is: it only
// observes and changes no result, and phases without progress need no parameter for
// it.
func WithWatch(ctx context.Context, watch func(Progress)) context.Context {
	if watch == nil {
		return ctx
	}
	return context.WithValue(ctx, watchKey{}, watch)
}

// ReportProgress reports progress to the function of WithWatch, if there is one.
func ReportProgress(ctx context.Context, p Progress) {
	if watch, ok := ctx.Value(watchKey{}).(func(Progress)); ok {
		watch(p)
	}
}
