package saving

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/sessions"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
)

func sessionKeeper(c *invocation.Call) sessions.Keeper {
	return sessions.Keeper{Home: c.Options().HomeDir(), Dir: ".", Now: time.Now}
}

// sessionsCmd lists what the app saved, and gives it out.
func sessionsCmd(c *invocation.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sessions [list|export NAME|rm NAME]",
		Short: "the sessions that the app saved",
		Long: `List the sessions that the app saved (ctrl+s), print one as Markdown, or remove one.

docent --session NAME opens one; NAME may also be a file.`,
		Example: `  docent ask --save session.json "what is a pod" > answer.md
  docent sessions export session.json`,
		ValidArgsFunction: completeSessionArgs(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			switch {
			case len(args) == 0, len(args) == 1 && args[0] == "list":
				return listSessions(ctx, c)
			case len(args) == 2 && args[0] == "export":
				s, err := LoadSession(ctx, c, args[1])
				if err != nil {
					return err
				}
				if c.JSON {
					return c.PrintJSON(s)
				}
				fmt.Fprint(c.IO.Out, c.ForTerminal(s.Markdown()))
				return nil
			case len(args) == 2 && args[0] == "rm":
				return removeSession(ctx, c, args[1])
			}
			return failure.UsageError("docent sessions takes list, export NAME or rm NAME; %s --help has an example", arguments.Called(cmd))
		},
	}
	return cmd
}

func listSessions(ctx context.Context, c *invocation.Call) error {
	if err := c.Options().CheckHome(); err != nil {
		return err
	}
	list, err := sessionKeeper(c).Sessions(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
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
		return c.PrintJSON(struct {
			Sessions []row `json:"sessions"`
		}{rows})
	}
	for _, s := range list {
		text := s.Question
		if s.Broken != "" {
			text = "(broken: " + s.Broken + "; docent sessions rm " + s.ID + ")"
		}
		fmt.Fprintf(c.IO.Out, "%s\t%s\t%s\n", console.OneLine(s.ID), console.OneLine(s.When), console.OneLine(text))
	}
	if len(list) == 0 {
		c.Note("no session was saved yet: ctrl+s in the app saves one, and docent ask --save FILE")
	}
	return nil
}

// LoadSession opens a session by its file, or by its name in the home.
func LoadSession(ctx context.Context, c *invocation.Call, name string) (pipeline.Saved, error) {
	path := name
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		id, err := sessionNamed(ctx, c, name)
		if err != nil {
			return pipeline.Saved{}, err
		}
		path = filepath.Join(c.Options().HomeDir(), "sessions", id)
	}
	s, err := sessions.LoadSession(path)
	if err != nil {
		return s, contract.Invalid("session", "the session cannot be opened: %v", err)
	}
	return s, nil
}

func removeSession(ctx context.Context, c *invocation.Call, name string) error {
	id, err := sessionNamed(ctx, c, name)
	if err != nil {
		return err
	}
	if err := sessionKeeper(c).RemoveSession(ctx, id); err != nil {
		return contract.Invalid("name", "the session was not removed: %v", err)
	}
	return nil
}

// maxSessions is how many sessions an error names.
const maxSessions = 3

// sessionNamed finds a saved session by anything that docent sessions prints of it:
// its name, with or without the ending, the beginning of the name, or the question.
func sessionNamed(ctx context.Context, c *invocation.Call, name string) (id string, err error) {
	if err := c.Options().CheckHome(); err != nil {
		return "", err
	}
	list, err := sessionKeeper(c).Sessions(ctx)
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
func completeSession(c *invocation.Call) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if c.Options().CheckHome() != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		list, err := sessionKeeper(c).Sessions(completing.ContextOf(cmd))
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
}

// completeSessionArgs completes the arguments of docent sessions.
func completeSessionArgs(c *invocation.Call) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		switch {
		case len(args) == 0:
			return completing.Words("list\tthe saved sessions", "export\tprint one as Markdown", "rm\tremove one")(cmd, args, typed)
		case len(args) == 1 && args[0] == "export":
			return completeSession(c)(cmd, args, typed)
		case len(args) == 1 && args[0] == "rm":
			names, _ := completeSession(c)(cmd, args, typed)
			return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// SaveSession writes a session where a person said, also over an earlier one: the
// file was named on purpose.
func SaveSession(c *invocation.Call, path string, s pipeline.Saved) error {
	b, err := s.Encode()
	if err != nil {
		return err
	}
	if err := sessions.Replace(path, b); err != nil {
		if fault, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, fs.ErrNotExist) {
			// The path of the fault is that of a temporary file.
			return failure.UsageError("the session was not saved: there is no folder %s (%v)", filepath.Dir(path), fault.Err)
		}
		return failure.Unwritten("the session was not saved", err)
	}
	c.Note("the session is saved; docent --session %s opens it", path)
	return nil
}

// AddSessionFlag makes the flag that opens the app on a session.
func AddSessionFlag(c *invocation.Call, root *cobra.Command, session *string) {
	root.Flags().StringVar(session, "session", "", "open the app on a saved session: a `FILE`, or a name of docent sessions")
	completing.Flag(root, "session", completeSession(c))
}
