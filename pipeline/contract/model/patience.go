package model

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"docent/llm"
)

// patience is the time that the models of one question have together. It is safe for
// concurrent use.
type patience struct {
	mu     sync.Mutex
	asking int           // calls that are under way
	since  time.Time     // when the first of them began
	spent  time.Duration // before that; calls at the same time count once
	over   error         // why no model is asked any more: one of them was silent
}

type patienceKey struct{}

// WithPatience makes the context of one question: its phases share one budget of time,
// and after a model that did not answer in time no other one is asked. Without it each
// phase has a budget of its own.
func WithPatience(ctx context.Context) context.Context {
	return context.WithValue(ctx, patienceKey{}, &patience{})
}

// LimitBudget begins a request to a model, which may take the rest of a budget; 0: no limit.
// The error is the reason why a model is not asked. done must be called with the outcome.
func LimitBudget(ctx context.Context, budget time.Duration) (limited context.Context, done func(error), err error) {
	p, _ := ctx.Value(patienceKey{}).(*patience)
	left := budget
	if p != nil {
		if left, err = p.beginAsking(budget); err != nil {
			return nil, nil, err
		}
	}
	limited, cancel := ctx, func() {}
	if budget > 0 {
		limited, cancel = context.WithTimeout(ctx, left)
	}
	return limited, func(outcome error) {
		cancel()
		if p != nil {
			p.endAsking(ctx, outcome)
		}
	}, nil
}

// beginAsking returns the rest of a budget.
func (p *patience) beginAsking(budget time.Duration) (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	spent := p.spent
	if p.asking > 0 {
		spent += now.Sub(p.since)
	}
	switch {
	case p.over != nil:
		return 0, p.over
	case budget > 0 && spent >= budget:
		return 0, fmt.Errorf("the %v that the models have for a question were over", budget)
	}
	if p.asking++; p.asking == 1 {
		p.since = now
	}
	return budget - spent, nil
}

func (p *patience) endAsking(ctx context.Context, outcome error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asking--; p.asking == 0 {
		p.spent += time.Since(p.since)
	}
	late := errors.Is(outcome, context.DeadlineExceeded) || llm.KindOf(outcome) == llm.TimedOut || errors.As(outcome, new(lateError))
	if late && ctx.Err() == nil && p.over == nil {
		p.over = outcome
	}
}

// lateError is the error of a model that exceeded its budget.
type lateError struct {
	name   string
	budget time.Duration
}

func (e lateError) Error() string { return fmt.Sprintf("%s was not done within %v", e.name, e.budget) }
