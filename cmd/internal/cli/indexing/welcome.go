package indexing

import (
	"context"
	"fmt"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/library"
	"docent/pipeline/text/plural"
)

// mostWelcome bounds the doc sets that the welcome names.
const mostWelcome = 12

// Welcome says what there is and how to ask: docent alone, where there is no terminal for
// the app. It reads no question from standard input: a pipe that a job or an ssh connection has there
// may stay open and empty for ever.
func Welcome(ctx context.Context, c *invocation.Call) error {
	return c.WithHome(ctx, func(a *app.App) error {
		answer, err := a.Library.Sets(ctx, c.Sets)
		if err != nil {
			return err
		}
		if c.JSON {
			return c.PrintJSON(answer)
		}
		writeWelcome(c, answer.Sets)
		return nil
	})
}

func writeWelcome(c *invocation.Call, sets []library.SetInfo) {
	say := func(format string, args ...any) { fmt.Fprintf(c.IO.Out, format+"\n", console.CleanArgs(args)...) }
	if c.IO.Waiting != nil && c.IO.Waiting() {
		say("The question in the pipe was not read: ask it by  docent -")
		say("")
	}
	say("docent answers questions from %s:", plural.Count(len(sets), "doc set", "doc sets"))
	for _, s := range sets[:min(len(sets), mostWelcome)] {
		say("  %s, %s", s.Set, plural.Count(s.Pages, "page", "pages"))
	}
	if more := len(sets) - mostWelcome; more > 0 {
		say("  and %d more: docent sets", more)
	}
	say("")
	say("  docent ask \"how do I add a doc set\"     the sections that answer, cited")
	say("  echo QUESTION | docent -                a question from a pipe")
	say("  docent search QUERY                     pages and headings")
	say("  docent add PATH                         more documentation")
	say("  docent help                             every command, and the manual")
	say("")
	say("The app opens in a terminal.")
}
