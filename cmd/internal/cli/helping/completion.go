package helping

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
)

func completionCmd(c *invocation.Call) *cobra.Command {
	return &cobra.Command{
		Use:               "completion SHELL",
		Short:             "completions for bash, zsh, fish or powershell",
		Example:           `  docent completion bash > ~/.local/share/bash-completion/completions/docent`,
		Args:              arguments.ExactArgs(1, "a shell's name"),
		ValidArgsFunction: completing.Words("bash", "zsh", "fish", "powershell"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return bashCompletion(c, root)
			case "zsh":
				return root.GenZshCompletion(c.IO.Out)
			case "fish":
				return root.GenFishCompletion(c.IO.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(c.IO.Out)
			}
			return failure.UsageError("there are completions for bash, zsh, fish and powershell, not for %q", args[0])
		},
	}
}

// withoutPackage is what cobra's script takes from the package bash-completion, for
// shells that do not have it: the words of the line up to the cursor, joined again at =
// and :, at which bash takes them apart, and the names of folders. Bash ends a word at @
// too, so that Lantern@2.1/ would be completed as three of them.
const withoutPackage = `
__docent_init_completion()
{
    COMPREPLY=()
    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local rest=${COMP_LINE:0:COMP_POINT} i word tail joint='^[=:]+$'
    words=()
    cword=-1
    for ((i = 0; i <= COMP_CWORD; i++)); do
        tail=${rest#"${rest%%[![:space:]]*}"}
        word=${COMP_WORDS[i]}
        if ((i == COMP_CWORD)); then
            word=$tail
        fi
        if ((i > 0)) && [[ -n $word && $tail == "$rest" && ( $word =~ $joint || ${COMP_WORDS[i-1]} =~ $joint ) ]]; then
            words[cword]+=$word
        else
            words[++cword]=$word
        fi
        rest=${tail#"$word"}
    done
    cur=${words[cword]}
    prev=
    if ((cword > 0)); then
        prev=${words[cword-1]}
    fi
}

__docent_folders()
{
    if declare -F _filedir >/dev/null 2>&1; then
        _filedir -d
        return
    fi
    local IFS=$'\n'
    COMPREPLY=($(compgen -d -- "$cur"))
    if [[ $(type -t compopt) == builtin ]]; then
        compopt -o filenames
    fi
}

COMP_WORDBREAKS=${COMP_WORDBREAKS//@/}
`

// bashCompletion prints cobra's script, and what makes it work without the package
// bash-completion.
func bashCompletion(c *invocation.Call, root *cobra.Command) error {
	var script bytes.Buffer
	if err := root.GenBashCompletionV2(&script, true); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.IO.Out, "%s%s", bytes.ReplaceAll(script.Bytes(), []byte("_filedir -d"), []byte("__docent_folders")),
		withoutPackage)
	return err
}
