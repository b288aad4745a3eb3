package helping

import (
	"cmp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/cli/invocation"
)

// commandJSON is the help on a command. The program's own has the commands and the pages too.
type commandJSON struct {
	Command  string        `json:"command"`
	Text     string        `json:"text"`
	Usage    string        `json:"usage"`
	Flags    []flagJSON    `json:"flags"`
	Example  string        `json:"example"`
	Commands []commandLine `json:"commands,omitempty"`
	Pages    []pageLine    `json:"pages,omitempty"`
}

type flagJSON struct {
	Name  string `json:"name"`
	Short string `json:"short,omitempty"`
	Value string `json:"value,omitempty"` // what follows the flag; none of a switch
	Text  string `json:"text"`
}

type commandLine struct {
	Name   string `json:"name"`
	Text   string `json:"text"`
	Seldom bool   `json:"seldom,omitempty"`
}

type pageLine struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// pageJSON is a page of the manual, as Markdown.
type pageJSON struct {
	Page  string `json:"page"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// SetHelp makes the help of all commands JSON where --json is given.
func SetHelp(c *invocation.Call, root *cobra.Command) {
	text := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !c.JSON {
			text(cmd, args)
			return
		}
		_ = c.PrintJSON(describeCommand(c, cmd)) // the outlet keeps the error of writing, and the program ends with it
	})
}

func describeCommand(c *invocation.Call, cmd *cobra.Command) commandJSON {
	help := commandJSON{Command: cmd.CommandPath(), Text: cmp.Or(cmd.Long, cmd.Short), Usage: cmd.UseLine(), Flags: []flagJSON{},
		Example: cmd.Example}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, about := pflag.UnquoteUsage(f)
		help.Flags = append(help.Flags, flagJSON{f.Name, f.Shorthand, value, about})
	})
	if cmd != cmd.Root() {
		return help
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			help.Commands = append(help.Commands, commandLine{sub.Name(), sub.Short, sub.GroupID != ""})
		}
	}
	for _, p := range manualPages(c) {
		help.Pages = append(help.Pages, pageLine{p.name, p.title})
	}
	return help
}
