package modelling

import (
	"fmt"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
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
func consent(c *invocation.Call, said vectors.Consent) error {
	if err := c.Options().CheckHome(); err != nil {
		return err
	}
	_, servers, err := modelServers(c)
	if err != nil {
		return err
	}
	answer := vectors.AllowFound
	if said == vectors.Refused {
		answer = vectors.RefuseFound
	}
	about, err := answer(c.Options().HomeDir(), servers)
	if err == nil && len(about) == 0 {
		return failure.UsageError("the model servers are named, by the configuration, the command line or the environment: they are " +
			"asked unless models.phases or --engine builtin says otherwise")
	}
	for _, address := range about {
		if !c.Quiet {
			fmt.Fprintf(c.IO.Out, "%s: %s\n", console.OneLine(address), documentsText(string(said)))
		}
	}
	return err
}
