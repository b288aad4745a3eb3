package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docent/cmd/internal/sessions"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/home"
)

func (c *command) keeper() sessions.Keeper {
	return sessions.Keeper{Home: c.options().HomeDir(), Dir: ".", Now: time.Now}
}

// sessionsCmd lists what the app saved, and gives it out.
func (c *command) sessionsCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sessions [list|export NAME|rm NAME]",
		Short: "the sessions that the app saved",
		Long: `List the sessions that the app saved (ctrl+s), print one as Markdown, or remove one.

docent --session NAME opens one; NAME may also be a file.`,
		Example: `  docent ask --save session.json "what is a pod" > answer.md
  docent sessions export session.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			switch {
			case len(args) == 0, len(args) == 1 && args[0] == "list":
				return c.listSessions(ctx)
			case len(args) == 2 && args[0] == "export":
				s, err := c.loadSession(args[1])
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(s)
				}
				fmt.Fprint(c.io.Out, c.forTerminal(s.Markdown()))
				return nil
			case len(args) == 2 && args[0] == "rm":
				if err := c.keeper().RemoveSession(ctx, args[1]); err != nil {
					return contract.Invalid("name", "there is no session to remove: %v; docent sessions lists them", err)
				}
				return nil
			}
			return usage("docent sessions takes list, export NAME or rm NAME; %s --help has an example", cmd.CommandPath())
		},
	}
	return cmd
}

func (c *command) listSessions(ctx context.Context) error {
	list, err := c.keeper().Sessions(ctx)
	if err != nil {
		return err
	}
	if c.json {
		type row struct {
			Name     string `json:"name"`
			Question string `json:"question"`
			Saved    string `json:"saved"`
		}
		rows := make([]row, len(list))
		for i, s := range list {
			rows[i] = row{s.ID, s.Question, s.When}
		}
		return c.printJSON(struct {
			Sessions []row `json:"sessions"`
		}{rows})
	}
	for _, s := range list {
		fmt.Fprintf(c.io.Out, "%s\t%s\t%s\n", clean(s.ID), clean(s.When), clean(s.Question))
	}
	if len(list) == 0 {
		c.note("no session was saved yet: ctrl+s in the app saves one, and docent ask --save FILE")
	}
	return nil
}

// loadSession opens a session by its file, or by its name in the home.
func (c *command) loadSession(name string) (pipeline.Saved, error) {
	path := name
	if _, err := os.Stat(path); err != nil && !strings.ContainsAny(name, `/\`) {
		path = filepath.Join(c.options().HomeDir(), "sessions", name)
		if !strings.HasSuffix(path, ".json") {
			path += ".json"
		}
		if _, err := os.Stat(path); err != nil {
			return pipeline.Saved{}, contract.Invalid("session", "there is no session %q, neither as a file nor among docent sessions", name)
		}
	}
	s, err := sessions.Load(path)
	if err != nil {
		return s, contract.Invalid("session", "the session cannot be opened: %v", err)
	}
	return s, nil
}

// saveSession writes a session where a person said, also over an earlier one: the
// file was named on purpose.
func (c *command) saveSession(path string, s pipeline.Saved) error {
	b, err := s.Encode()
	if err != nil {
		return err
	}
	if err := sessions.Replace(path, b); err != nil {
		return unwritten("the session was not saved", err)
	}
	c.note("the session is saved; docent --session %s opens it", path)
	return nil
}

// unwritten is the error of a file that a person named and that was not written: it
// is unavailable where the disk is full or read-only, else the name is wrong.
func unwritten(what string, err error) error {
	if home.DiskFull(err) {
		return &home.UnavailableError{What: what, Err: err}
	}
	return usage("%s: %v", what, err)
}
