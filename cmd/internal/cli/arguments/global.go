package arguments

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/config"
)

// AddGlobalFlags makes the flags that all commands have.
func AddGlobalFlags(c *invocation.Call, root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&c.Home, "home", "", "folder that holds everything the program writes (or DOCENT_HOME)")
	f.StringVar(&c.Config, "config", "", "configuration file (default: docent.toml in the home)")
	f.StringArrayVar(&c.Sets, "set", nil, "narrow to the doc set `NAME[@VERSION]`; repeatable")
	f.BoolVar(&c.AllSets, "all-sets", false, "in a project's folder: ask all doc sets, not only the project's")
	f.BoolVar(&c.JSON, "json", false, "print JSON")
	f.BoolVarP(&c.Quiet, "quiet", "q", false, "print results only")
	// A count of pflag's would show its type in the help.
	f.BoolFuncP("verbose", "v", "say more on standard error", func(string) error {
		c.Verbose++
		return nil
	})
	f.StringVar(&c.Engine, "engine", "", "`WHO` answers: auto, builtin, ollama or openai (and --chat-model, --embed-model NAME)")
	f.StringVar(&c.ChatModel, "chat-model", "", "the model for text, by its `NAME` on the server")
	f.StringVar(&c.EmbedModel, "embed-model", "", "the model for vectors, by its `NAME` on the server")
	for _, name := range []string{"chat-model", "embed-model"} {
		if err := f.MarkHidden(name); err != nil {
			panic(err) // the flag is defined above
		}
	}
	f.BoolVar(&c.NoColor, "no-color", false, "no colours (or NO_COLOR)")
	completing.Flag(root, "set", completing.Sets(c))
	completing.Flag(root, "engine", completing.Words(config.Engines()...))
	completing.Flag(root, "home", completing.Folders)
	completing.Flag(root, "config", cobra.FixedCompletions([]string{"toml"}, cobra.ShellCompDirectiveFilterFileExt))
}
