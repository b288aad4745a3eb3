package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"docent/store/tracing"
)

// tracer makes a span of each statement, called like its first word: a statement's text is the
// program's, but its length is of no use in a name.
type tracer struct{}

type doneKey struct{}

// TraceQueryStart is pgx.QueryTracer's.
func (tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	ctx, done := tracing.Ask(ctx, firstWord(data.SQL), "postgresql")
	return context.WithValue(ctx, doneKey{}, done)
}

// TraceQueryEnd is pgx.QueryTracer's.
func (tracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	if done, ok := ctx.Value(doneKey{}).(func(error)); ok {
		done(data.Err)
	}
}

// firstWord is the first word of a statement, in capital letters.
func firstWord(statement string) string {
	words := strings.Fields(statement)
	if len(words) == 0 {
		return "statement"
	}
	return strings.ToUpper(strings.TrimRight(words[0], ";"))
}
