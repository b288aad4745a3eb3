package modelling

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/progress"
	"docent/cmd/internal/config"
	"docent/llm"
	"docent/pipeline/service/vectors"
	"docent/pipeline/text/plural"
)

func modelsCmd(c *invocation.Call) *cobra.Command {
	return &cobra.Command{
		Use:   "models [pull NAME|allow|refuse]",
		Short: "the model servers: what is there and what is missing",
		Long: `Without arguments: the models of the server that the configuration names, and
those that are asked for and missing. pull fetches one to an Ollama server. A
server that was found, and that nobody named, gets no question and no page before
allow; after refuse it gets no request at all. No model is needed for anything.`,
		Example: `  docent models || echo "no model server is running"`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			switch len(args) {
			case 0:
				return []string{"pull", "allow\task a server that was found", "refuse\tsend it nothing"},
					cobra.ShellCompDirectiveNoFileComp
			case 1:
				return append(llm.ChatModels(), llm.EmbedModels()...), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			switch {
			case len(args) == 0:
				return listModels(ctx, c)
			case args[0] == "pull" && len(args) == 2:
				return pullModel(ctx, c, args[1])
			case len(args) == 1 && args[0] == "allow":
				return consent(c, vectors.Allowed)
			case len(args) == 1 && args[0] == "refuse":
				return consent(c, vectors.Refused)
			case args[0] == "pull":
				return failure.UsageError("docent models pull takes a model's name, such as %s", llm.EmbedModels()[0])
			}
			return failure.UsageError("docent models takes nothing, pull NAME, allow or refuse, not %q", strings.Join(args, " "))
		},
	}
}

// modelServers opens the servers of the configuration.
func modelServers(c *invocation.Call) (config.Config, []*vectors.ModelServer, error) {
	cfg, faults, err := app.LoadConfig(c.Options())
	if err != nil {
		return cfg, nil, err
	}
	if len(faults) > 0 {
		return cfg, nil, failure.UsageError("%s: %v; docent config lint lists all faults", cfg.Place(faults[0]), faults[0])
	}
	servers, err := app.ModelServers(cfg, c.IO.Env)
	return cfg, servers, err
}

func listModels(ctx context.Context, c *invocation.Call) error {
	cfg, servers, err := modelServers(c)
	if err != nil {
		return err
	}
	answer, err := vectors.LookAtServers(ctx, servers, c.Options().HomeDir())
	if err != nil {
		return err
	}
	states := answer.Servers
	// With one server, its absence is the whole answer.
	if len(states) == 1 && states[0].Err != nil {
		return states[0].Err
	}
	if c.JSON {
		if err := c.PrintJSON(answer); err != nil {
			return err
		}
	} else {
		for i, s := range states {
			if i > 0 {
				fmt.Fprintln(c.IO.Out)
			}
			printServer(c, s)
		}
		fmt.Fprintf(c.IO.Out, "%-12s %s\n", "asked", askedFor(cfg.Models))
		for _, s := range states {
			if text := documentsText(s.Documents); text != "" && cfg.Models.Engine != config.EngineBuiltin {
				fmt.Fprintf(c.IO.Out, "%-12s %s\n", "server", text)
			}
		}
	}
	for _, s := range states {
		switch {
		case s.Err != nil && c.JSON:
			return failure.ExitCode(failure.CodeUnavailable) // the object says why
		case s.Err != nil:
			return s.Err
		}
	}
	return nil
}

// askedFor says for what models are asked.
func askedFor(m config.Models) string {
	if m.Engine == config.EngineBuiltin {
		return "never (the engine is builtin)"
	}
	var phases []string
	vectors := ""
	for _, p := range m.Phases {
		if p == config.PhaseVectors {
			vectors = "vectors"
		} else {
			phases = append(phases, p)
		}
	}
	what := []string{}
	if len(phases) > 0 {
		what = append(what, "phases "+strings.Join(phases, ", ")+" (chat)")
	}
	if vectors != "" {
		what = append(what, "vectors of passages and questions (embedding)")
	}
	if len(what) == 0 {
		return "never (models.phases is empty)"
	}
	return "for " + strings.Join(what, "; ")
}

func printServer(c *invocation.Call, s vectors.ServerState) {
	title := s.Provider
	if s.Version != "" {
		title += " " + s.Version
	}
	fmt.Fprintf(c.IO.Out, "%s at %s\n", console.OneLine(title), console.OneLine(s.Address))
	if s.Err != nil {
		fmt.Fprintf(c.IO.Out, "  %s\n", console.OneLine(s.Error))
		return
	}
	if s.Documents == string(vectors.Refused) {
		return // it was not looked at
	}
	if len(s.Models) == 0 {
		fmt.Fprintln(c.IO.Out, "  no models")
	}
	for _, m := range s.Models {
		var can []string
		for _, x := range m.Capabilities {
			can = append(can, string(x))
		}
		about := []string{strings.Join(can, ", ")}
		for _, part := range []string{m.Parameters, m.Quantization} {
			if part != "" && part != "unknown" {
				about = append(about, part)
			}
		}
		if m.Context > 0 {
			about = append(about, fmt.Sprintf("%d tokens", m.Context))
		}
		if m.Dimension > 0 {
			about = append(about, plural.Count(m.Dimension, "dimension", "dimensions"))
		}
		if m.Size > 0 {
			about = append(about, console.Bytes(m.Size))
		}
		about = slices.DeleteFunc(about, func(s string) bool { return s == "" })
		fmt.Fprintf(c.IO.Out, "  %-28s %s\n", console.OneLine(m.Name), console.OneLine(strings.Join(about, " · ")))
	}
	for _, n := range s.Needs {
		switch {
		case n.Chosen != "" && n.Origin == vectors.OriginDefault:
			fmt.Fprintf(c.IO.Out, "%-12s %s (the best that is there)\n", console.OneLine(n.For), console.OneLine(n.Chosen))
		case n.Chosen != "":
			fmt.Fprintf(c.IO.Out, "%-12s %s\n", console.OneLine(n.For), console.OneLine(n.Chosen))
		case n.Origin == vectors.OriginDefault:
			fmt.Fprintf(c.IO.Out, "%-12s none; to get one: docent models pull %s\n", console.OneLine(n.For), console.OneLine(n.Missing))
		default:
			fmt.Fprintf(c.IO.Out, "%-12s %s is missing: docent models pull %s\n", console.OneLine(n.For), console.OneLine(n.Model),
				console.OneLine(n.Missing))
		}
	}
}

// pullModel fetches a model.
func pullModel(ctx context.Context, c *invocation.Call, name string) error {
	if err := vectors.CheckModelName(name); err != nil {
		return err
	}
	_, servers, err := modelServers(c)
	if err != nil {
		return err
	}
	bar := pullBar{c: c, name: name}
	address, err := vectors.PullModel(ctx, servers, c.Options().HomeDir(), name, bar.drawProgress)
	bar.clearLine()
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(struct {
			Pulled string `json:"pulled"`
			Server string `json:"server"`
		}{name, address})
	}
	fmt.Fprintf(c.IO.Out, "%s is at %s\n", console.OneLine(name), console.OneLine(address))
	return nil
}

// pullBar draws how far a pull is, on a terminal's standard error.
type pullBar struct {
	c       *invocation.Call
	name    string
	last    string
	percent int64
}

func (b *pullBar) drawProgress(p llm.Progress) {
	if b.c.Quiet || !b.c.IO.ErrTTY {
		return
	}
	if p.Total <= 0 {
		if p.Status != b.last {
			fmt.Fprintf(b.c.IO.Err, "\r\x1b[K%s %s", console.OneLine(b.name), console.OneLine(p.Status))
		}
		b.last = p.Status
		return
	}
	done := min(max(p.Done, 0), p.Total)
	percent := done * 100 / p.Total
	if p.Status == b.last && percent == b.percent {
		return
	}
	b.last, b.percent = p.Status, percent
	full := int(done * progress.BarWidth / p.Total)
	fmt.Fprintf(b.c.IO.Err, "\r\x1b[Kpulling %s %s%s %3d%% %s/%s", console.OneLine(b.name),
		strings.Repeat("█", full), strings.Repeat("░", progress.BarWidth-full), percent, console.Bytes(done), console.Bytes(p.Total))
}

func (b *pullBar) clearLine() {
	if b.last != "" {
		fmt.Fprint(b.c.IO.Err, "\r\x1b[K")
	}
}
