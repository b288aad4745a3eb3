package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"docent/cmd/internal/apitoken"
	"docent/cmd/internal/sessions"
	"docent/pipeline/contract"
	"docent/pipeline/service/care"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/clustered"
	"docent/pipeline/service/home"
	"docent/pipeline/text/plural"
)

// keepers look, for doctor, at what the doors keep in the home in dir.
func keepers(dir string, h *home.Home) []func(context.Context) *finding.Finding {
	return []func(context.Context) *finding.Finding{
		func(ctx context.Context) *finding.Finding { return clustered.Examine(ctx, h.Indexes) },
		func(ctx context.Context) *finding.Finding { return clustered.ExamineDatabase(ctx, h.Stores) },
		func(ctx context.Context) *finding.Finding {
			return examineTokens(ctx, apitoken.InHome(dir, clustered.Secrets(h.Stores)))
		},
		func(ctx context.Context) *finding.Finding {
			return examineSessions(ctx, sessions.Keeper{Home: dir, Dir: dir, Now: time.Now})
		},
	}
}

// serversOf gives figures of the servers that have a home's stores; nil where its folder has them.
func serversOf(h *home.Home) func(context.Context) (figures []care.Total, alive bool) {
	if g := clustered.GaugesOf(h); g != nil {
		return g.Read
	}
	return nil
}

// examineTokens looks at the tokens of scripts; nil without tokens.
func examineTokens(ctx context.Context, s apitoken.Store) *finding.Finding {
	all, err := s.List(ctx)
	var damaged []string
	for _, t := range all {
		if t.Damaged {
			damaged = append(damaged, t.Name)
		}
	}
	f := finding.NoFault(finding.Tokens, "", plural.Count(len(all), "token", "tokens")+", each as it was made")
	switch {
	case err != nil:
		f = f.Failed(err, "", nil)
	case len(damaged) > 0:
		f = f.Failed(fmt.Errorf("damaged, and refused by the server: %s", strings.Join(damaged, ", ")),
			"remove them and make new ones", contract.RunDocent("serve", "token", "rm", damaged[0]))
	case len(all) == 0:
		return nil
	}
	return &f
}

// examineSessions looks at the saved sessions; nil without any.
func examineSessions(ctx context.Context, k sessions.Keeper) *finding.Finding {
	damaged, all, err := k.Damaged(ctx)
	f := finding.NoFault(finding.Sessions, "", plural.Count(all, "session", "sessions")+", each as it was saved")
	switch {
	case err != nil && !errors.Is(err, context.Canceled):
		f = f.Failed(err, "", nil)
	case len(damaged) > 0:
		f = f.Failed(fmt.Errorf("damaged: %s", strings.Join(damaged, ", ")), "ask the question again, and remove what is damaged",
			contract.RunDocent("sessions", "rm", damaged[0]))
	case all == 0:
		return nil
	}
	return &f
}
