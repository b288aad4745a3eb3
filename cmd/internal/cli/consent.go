package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"docent/pipeline/service/home"
	"docent/pipeline/service/vectors"
)

// documentsText reports whether questions and pages are sent to a server that is not configured;
// "" for a configured one.
func documentsText(documents string) string {
	switch documents {
	case string(vectors.Allowed):
		return "it is asked about questions and makes vectors of pages, as you allowed; to end that: docent models refuse"
	case string(vectors.Refused):
		return "nothing is sent to it, as you said; to have it asked: docent models allow"
	case "unasked":
		return "no question and no page is sent to it, since nobody named it; to have it asked: docent models allow"
	}
	return ""
}

// consent keeps what a person says of the servers that were found and not named.
func (c *command) consent(said vectors.Consent) error {
	if err := c.options().CheckHome(); err != nil {
		return err
	}
	_, servers, err := c.modelServers()
	if err != nil {
		return err
	}
	answer := vectors.AllowFound
	if said == vectors.Refused {
		answer = vectors.RefuseFound
	}
	about, err := answer(c.options().HomeDir(), servers)
	if err == nil && len(about) == 0 {
		return usageError("the model servers are named, by the configuration, the command line or the environment: they are asked " +
			"unless models.phases or --engine builtin says otherwise")
	}
	for _, address := range about {
		if !c.quiet {
			fmt.Fprintf(c.io.Out, "%s: %s\n", oneLine(address), documentsText(string(said)))
		}
	}
	return err
}

// allows asks a person at a terminal whether a server that was found may be asked;
// nil without a terminal.
func (c *command) allows() func(context.Context, *home.UnnamedError) (yes, answered bool) {
	if !c.io.InTTY || !c.io.ErrTTY || c.quiet || c.json {
		return nil
	}
	return func(ctx context.Context, e *home.UnnamedError) (yes, answered bool) {
		fmt.Fprintf(c.io.Err, "docent: %s was found. It could help with questions and make vectors of your pages: these would be sent to it. May "+
			"they? [y/N] ", oneLine(e.Server))
		line, err := bufio.NewReader(c.standardInput(ctx)).ReadString('\n')
		if err != nil {
			fmt.Fprintln(c.io.Err)
			return false, false
		}
		line = strings.ToLower(strings.TrimSpace(line))
		return line == "y" || line == "yes", true
	}
}
