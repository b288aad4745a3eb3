package cli

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/service/care"
	"docent/pipeline/service/home"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
)

// keeper looks after the home of a program that runs on, between its answers.
type keeper struct {
	shared *app.Shared
	log    *slog.Logger
}

// keepEvery is how often the keeper looks for missing and damaged data.
const keepEvery = 5 * time.Minute

// keepUpToDate makes learned vectors that are missing, trains those again that are due, and
// has models make the vectors and enrich the sections that are missing, until ctx ends.
func (k keeper) keepUpToDate(ctx context.Context) {
	for first := true; ctx.Err() == nil; first = false {
		k.runLogged(ctx, "keep", func(a *app.App) error {
			return a.Care.Keep(ctx, care.KeepRequest{Thorough: first, Turn: keepTurn})
		})
		waitFor(ctx, keepEvery)
	}
}

// keepTurn is how long a task is worked on before what else is due has its turn.
const keepTurn = 4 * time.Minute

// followAgain is the pause after following failed.
const followAgain = 10 * time.Second

// follow updates doc sets as their files change, until ctx ends.
func (k keeper) follow(ctx context.Context) {
	note := func(format string, args ...any) {
		k.log.Info("watch", "text", cleanForTerminal(fmt.Sprintf(format, args...)))
	}
	for ctx.Err() == nil {
		k.runLogged(ctx, "watch", func(a *app.App) error {
			return a.Library.Follow(ctx, library.FollowRequest{Followed: func(f library.Followed) error {
				k.log.Info("updated", "doc_set", f.Set, "text", library.Summary(f.Report), "index_lag_ms", f.Lag)
				return nil
			}}, home.Watch{Note: note})
		})
		waitFor(ctx, followAgain)
	}
}

// workOnFiles reads files that were handed in, until ctx ends.
func (k keeper) workOnFiles(ctx context.Context, workers int) {
	for ctx.Err() == nil {
		k.runLogged(ctx, "worker", func(a *app.App) error {
			return a.Intake.Work(ctx, intake.WorkRequest{Workers: workers, Grace: intake.DefaultGrace, Told: func(d contract.Document) {
				k.log.Info("document", "id", d.ID, "status", d.Status, "reason", cleanForTerminal(d.FailReason))
			}})
		})
		waitFor(ctx, followAgain)
	}
}

// runLogged does something to the home; an error is logged, and the work is tried again later.
func (k keeper) runLogged(ctx context.Context, what string, work func(*app.App) error) {
	a, release, err := k.shared.Use()
	if err != nil {
		return // it is being closed
	}
	defer release()
	if err := work(a); err != nil && ctx.Err() == nil {
		k.log.Warn(what, "error", err.Error())
	}
}

func waitFor(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
