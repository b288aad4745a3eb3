// Package keeping looks after the home of a program that runs on, between its answers:
// derived data, changed files, files that are handed in.
//
// It refuses to end the program: an error is logged, and the work is tried again later.
package keeping

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/console"
	"docent/pipeline/contract"
	"docent/pipeline/service"
	"docent/pipeline/service/care"
	"docent/pipeline/service/home"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
)

// Keeper looks after the home of a program that runs on, between its answers.
type Keeper struct {
	Shared *app.Shared
	Log    *slog.Logger
}

// keepEvery is how often the keeper looks for missing and damaged data.
const keepEvery = 5 * time.Minute

// KeepUpToDate makes learned vectors that are missing, trains those again that are due, and
// has models do the work that is left to them, until ctx ends.
func (k Keeper) KeepUpToDate(ctx context.Context) {
	for first := true; ctx.Err() == nil; first = false {
		k.runLogged(ctx, "keep", func(a *app.App) error {
			return a.Care.Keep(ctx, care.KeepRequest{Thorough: first, Turn: keepTurn})
		})
		waitFor(ctx, keepEvery)
	}
}

// MendBehind repairs the doc sets that the home was opened without, until ctx ends. A home that
// is opened again may be opened without some too.
func (k Keeper) MendBehind(ctx context.Context) {
	for ctx.Err() == nil {
		k.runLogged(ctx, "mend", func(a *app.App) error {
			behind := a.Home.Behind.Names()
			if len(behind) == 0 {
				return nil
			}
			k.Log.Warn("mend", "text", "not searched until they are made again: "+strings.Join(behind, ", "))
			switch err := a.Home.Behind.Mend(ctx, nil); {
			case home.LockedByAnother(err):
				return nil // which repairs them
			case err != nil:
				return err
			}
			k.Log.Info("mend", "text", "searched too by now: "+strings.Join(behind, ", "))
			return nil
		})
		waitFor(ctx, followAgain)
	}
}

// keepTurn is how long a task is worked on before what else is due has its turn.
const keepTurn = 4 * time.Minute

// followAgain is the pause after following failed.
const followAgain = 10 * time.Second

// Follow updates doc sets as their files change, until ctx ends.
func (k Keeper) Follow(ctx context.Context) {
	note := func(format string, args ...any) {
		k.Log.Info("watch", "text", console.Clean(fmt.Sprintf(format, args...)))
	}
	for ctx.Err() == nil {
		k.runLogged(ctx, "watch", func(a *app.App) error {
			return a.Library.Follow(ctx, library.FollowRequest{Followed: func(f library.Followed) error {
				k.Log.Info("updated", "doc_set", f.Set, "text", library.Summary(f.Report), "index_lag_ms", f.Lag)
				return nil
			}}, home.Watch{Note: note})
		})
		waitFor(ctx, followAgain)
	}
}

// replacedAgain is the pause until a home whose catalog was made again is open again.
const replacedAgain = 500 * time.Millisecond

// WorkOnFiles reads files that were handed in, until ctx ends.
func (k Keeper) WorkOnFiles(ctx context.Context, workers int) {
	for ctx.Err() == nil {
		pause := followAgain
		k.runLogged(ctx, "worker", func(a *app.App) error {
			err := a.Intake.WorkOnJobs(ctx, intake.WorkRequest{Workers: workers, Grace: intake.DefaultGrace,
				Told: func(d contract.Document) {
					k.Log.Info("document", "id", d.ID, "status", d.Status, "reason", console.Clean(d.FailReason))
				}})
			if errors.Is(err, home.ErrReplaced) { // Use opens the home again, in the background
				pause = replacedAgain
				k.Log.Debug("worker", "text", err.Error())
				return nil
			}
			return err
		})
		waitFor(ctx, pause)
	}
}

// runLogged does something to the home; an error is logged, and the work is tried again later.
func (k Keeper) runLogged(ctx context.Context, what string, work func(*app.App) error) {
	a, release, err := k.Shared.Use()
	if err != nil {
		return // it is being closed
	}
	defer release()
	if err := work(a); err != nil && ctx.Err() == nil {
		k.Log.Warn(what, "error", err.Error())
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

// ServicesOf gives the service of a home that several requests share.
func ServicesOf(shared *app.Shared) func() (*service.Services, func(), error) {
	return func() (*service.Services, func(), error) {
		a, release, err := shared.Use()
		if err != nil {
			return nil, nil, err
		}
		return a.Services, release, nil
	}
}
