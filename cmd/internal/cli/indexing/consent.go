package indexing

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/home"
)

// allows asks a person at a terminal whether a server that was found may be asked;
// nil without a terminal.
func allows(c *invocation.Call) func(context.Context, *home.UnnamedError) (yes, answered bool) {
	if !c.IO.InTTY || !c.IO.ErrTTY || c.Quiet || c.JSON {
		return nil
	}
	return func(ctx context.Context, e *home.UnnamedError) (yes, answered bool) {
		fmt.Fprintf(c.IO.Err, "docent: %s was found. It could help with questions and make vectors of your pages: these would be "+
			"sent to it. May they? [y/N] ", console.OneLine(e.Server))
		line, err := bufio.NewReader(c.StandardInput(ctx)).ReadString('\n')
		if err != nil {
			fmt.Fprintln(c.IO.Err)
			return false, false
		}
		line = strings.ToLower(strings.TrimSpace(line))
		return line == "y" || line == "yes", true
	}
}
