package care

import (
	"context"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
)

// KeepRequest says how the home is looked after in the background.
type KeepRequest struct {
	Thorough bool          // all data is compared with its checksums
	Turn     time.Duration // of a task, before what else is due has its turn; 0: until it is done
	// Progress receives the progress of tasks, with their labels; nil: it is dropped.
	Progress func(label string, e contract.Event)
}

// Keep looks after the home of a program that runs on: it repairs data that is missing or
// damaged, learns vectors again that are due, and goes on with the tasks.
func (svc *Service) Keep(ctx context.Context, req KeepRequest) error {
	if err := svc.MendData(ctx, req.Thorough, home.Watch{}); err != nil {
		return err
	}
	if err := svc.library.SettleDue(ctx, home.Watch{}); err != nil {
		return err
	}
	for _, t := range svc.added.Tasks {
		watch := home.Watch{}
		if req.Progress != nil {
			watch.Events = func(e contract.Event) {
				if e.Phase == t.Phase && e.Kind == contract.PhaseProgress && e.Total > 0 {
					req.Progress(t.Label, e)
				}
			}
		}
		if err := t.Work(ctx, req.Turn, watch); err != nil {
			return err
		}
	}
	return nil
}

// Servers are figures of the servers that have the stores, and whether that of the catalog answers. There
// are none where the home's folder has them.
func (svc *Service) Servers(ctx context.Context) (figures []Total, alive bool) {
	if svc.added.Servers == nil {
		return nil, true
	}
	return svc.added.Servers(ctx)
}

// Totals are the figures of features that only rise, since the home was opened.
func (svc *Service) Totals() []Total {
	var out []Total
	for _, totals := range svc.added.Totals {
		out = append(out, totals()...)
	}
	return out
}
