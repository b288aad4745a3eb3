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
	"docent/pipeline/service/home"
	"docent/pipeline/text/sanitize"
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
		ValidArgsFunction: c.completeSessionArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			switch {
			case len(args) == 0, len(args) == 1 && args[0] == "list":
				return c.listSessions(ctx)
			case len(args) == 2 && args[0] == "export":
				s, err := c.loadSession(ctx, args[1])
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(s)
				}
				fmt.Fprint(c.io.Out, c.forTerminal(s.Markdown()))
				return nil
			case len(args) == 2 && args[0] == "rm":
				return c.removeSession(ctx, args[1])
			}
			return usageError("docent sessions takes list, export NAME or rm NAME; %s --help has an example", called(cmd))
		},
	}
	return cmd
}

func (c *command) listSessions(ctx context.Context) error {
	if err := c.options().CheckHome(); err != nil {
		return err
	}
	list, err := c.keeper().Sessions(ctx)
	if err != nil {
		return err
	}
	if c.json {
		type row struct {
			Name     string `json:"name"`
			Question string `json:"question"`
			Saved    string `json:"saved"`
			Broken   string `json:"broken,omitempty"`
		}
		rows := make([]row, len(list))
		for i, s := range list {
			rows[i] = row{s.ID, s.Question, s.When, s.Broken}
		}
		return c.printJSON(struct {
			Sessions []row `json:"sessions"`
		}{rows})
	}
	for _, s := range list {
		text := s.Question
		if s.Broken != "" {
			text = "(broken: " + s.Broken + "; docent sessions rm " + s.ID + ")"
		}
		fmt.Fprintf(c.io.Out, "%s\t%s\t%s\n", oneLine(s.ID), oneLine(s.When), oneLine(text))
	}
	if len(list) == 0 {
		c.note("no session was saved yet: ctrl+s in the app saves one, and docent ask --save FILE")
	}
	return nil
}

// loadSession opens a session by its file, or by its name in the home.
func (c *command) loadSession(ctx context.Context, name string) (pipeline.Saved, error) {
	path := name
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		id, err := c.sessionNamed(ctx, name)
		if err != nil {
			return pipeline.Saved{}, err
		}
		path = filepath.Join(c.options().HomeDir(), "sessions", id)
	}
	s, err := sessions.LoadSession(path)
	if err != nil {
		return s, contract.Invalid("session", "the session cannot be opened: %v", err)
	}
	return s, nil
}

func (c *command) removeSession(ctx context.Context, name string) error {
	id, err := c.sessionNamed(ctx, name)
	if err != nil {
		return err
	}
	if err := c.keeper().RemoveSession(ctx, id); err != nil {
		return contract.Invalid("name", "the session was not removed: %v", err)
	}
	return nil
}

// maxSessions is how many sessions an error names.
const maxSessions = 3

// sessionNamed finds a saved session by anything that docent sessions prints of it:
// its name, with or without the ending, the beginning of the name, or the question.
func (c *command) sessionNamed(ctx context.Context, name string) (id string, err error) {
	if err := c.options().CheckHome(); err != nil {
		return "", err
	}
	list, err := c.keeper().Sessions(ctx)
	if err != nil {
		return "", err
	}
	stem := func(s string) string { return strings.TrimSuffix(s, ".json") }
	fits := []func(s pipeline.SavedInfo) bool{
		func(s pipeline.SavedInfo) bool { return stem(s.ID) == stem(name) },
		func(s pipeline.SavedInfo) bool { return strings.EqualFold(s.Question, strings.TrimSpace(name)) },
		func(s pipeline.SavedInfo) bool { return name != "" && strings.HasPrefix(s.ID, name) },
	}
	for _, fit := range fits {
		var found []string
		for _, s := range list {
			if fit(s) {
				found = append(found, s.ID)
			}
		}
		switch n := len(found); {
		case n == 1:
			return found[0], nil
		case n > maxSessions:
			found = append(found[:maxSessions], fmt.Sprintf("%d more", n-maxSessions))
			fallthrough
		case n > 1:
			return "", contract.Invalid("session", "%d sessions fit %q: %s; give one of these names", n, name, strings.Join(found, ", "))
		}
	}
	return "", contract.Invalid("session", "there is no session %q, neither as a file nor among docent sessions", name)
}

// completeSession completes with the names of saved sessions.
func (c *command) completeSession(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if c.options().CheckHome() != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	list, err := c.keeper().Sessions(contextOf(cmd))
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, s := range list {
		if strings.HasPrefix(s.ID, typed) {
			names = append(names, cobra.CompletionWithDesc(s.ID, sanitize.Line(s.Question)))
		}
	}
	// A session may be a file, so the shell offers files where no name fits.
	return names, cobra.ShellCompDirectiveDefault | cobra.ShellCompDirectiveKeepOrder
}

// completeSessionArgs completes the arguments of docent sessions.
func (c *command) completeSessionArgs(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	switch {
	case len(args) == 0:
		return completeWords("list\tthe saved sessions", "export\tprint one as Markdown", "rm\tremove one")(cmd, args, typed)
	case len(args) == 1 && args[0] == "export":
		return c.completeSession(cmd, args, typed)
	case len(args) == 1 && args[0] == "rm":
		names, _ := c.completeSession(cmd, args, typed)
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
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
	return usageError("%s: %v", what, err)
}
