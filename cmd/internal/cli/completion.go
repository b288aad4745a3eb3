package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (c *command) completionCmd() *cobra.Command {
	return &cobra.Command{
		Use:               "completion SHELL",
		Short:             "completions for bash, zsh, fish or powershell",
		Example:           `  docent completion bash > ~/.local/share/bash-completion/completions/docent`,
		Args:              exactArgs(1, "a shell's name"),
		ValidArgsFunction: words("bash", "zsh", "fish", "powershell"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				if err := root.GenBashCompletionV2(c.io.Out, true); err != nil {
					return err
				}
				// Bash ends a word at @, so that Lantern@2.1/ would be completed as
				// three of them.
				_, err := fmt.Fprintln(c.io.Out, "\nCOMP_WORDBREAKS=${COMP_WORDBREAKS//@/}")
				return err
			case "zsh":
				return root.GenZshCompletion(c.io.Out)
			case "fish":
				return root.GenFishCompletion(c.io.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(c.io.Out)
			}
			return usage("there are completions for bash, zsh, fish and powershell, not for %q", args[0])
		},
	}
}
