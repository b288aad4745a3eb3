package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/config"
	"docent/llm"
)

func (c *command) modelsCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "models [pull NAME]",
		Short: "the model servers: what is there and what is missing",
		Long: `Without arguments: the models of the server that the configuration names, and
those that are asked for and missing. pull fetches one to an Ollama server. No
model is needed for anything.`,
		Example: `  docent models || echo "no model server is running"`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			switch len(args) {
			case 0:
				return []string{"pull"}, cobra.ShellCompDirectiveNoFileComp
			case 1:
				return append(llm.ChatModels(), llm.EmbedModels()...), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			switch {
			case len(args) == 0:
				return c.listModels(ctx)
			case args[0] == "pull" && len(args) == 2:
				return c.pullModel(ctx, args[1])
			case args[0] == "pull":
				return usage("docent models pull takes a model's name, such as %s", llm.EmbedModels()[0])
			}
			return usage("docent models takes nothing, or pull NAME, not %q", strings.Join(args, " "))
		},
	}
}

// modelServers opens the servers of the configuration.
func (c *command) modelServers() (config.Config, []*app.ModelServer, error) {
	cfg, faults, err := app.LoadConfig(c.options())
	if err != nil {
		return cfg, nil, err
	}
	if len(faults) > 0 {
		return cfg, nil, usage("%s: %v; docent config lint lists all faults", cfg.Path, faults[0])
	}
	servers, err := app.ModelServers(cfg, c.io.Env)
	return cfg, servers, err
}

// serverState is a server as docent models tells of it.
type serverState struct {
	Provider  string      `json:"provider"`
	Address   string      `json:"address"`
	Reachable bool        `json:"reachable"`
	Version   string      `json:"version,omitempty"`
	Error     string      `json:"error,omitempty"`
	Models    []llm.Model `json:"models"`
	Needs     []needState `json:"needs"`

	server *app.ModelServer
	err    error
}

// needState is a need and what answers it.
type needState struct {
	app.Need
	// Chosen is the model that answers it, "" if none is there.
	Chosen string `json:"chosen"`
	// Missing is the model to pull, if none is there.
	Missing string `json:"missing,omitempty"`
}

// look asks a server what it has.
func look(ctx context.Context, s *app.ModelServer) serverState {
	out := serverState{Provider: s.Client.Engine(), Address: s.Client.Address(), Models: []llm.Model{}, server: s}
	models, err := s.Client.Models(ctx)
	if err == nil {
		out.Reachable, out.Models = true, slices.Clip(append(out.Models, models...))
		out.Version, _ = s.Client.Version(ctx) // it is there, whatever it says of itself
	} else {
		out.err, out.Error = err, err.Error()
	}
	for _, n := range s.Needs {
		state := needState{Need: n}
		if m, ok := n.Find(models); ok {
			state.Chosen = m.Name
		} else {
			state.Missing = n.Preferred()[0]
		}
		out.Needs = append(out.Needs, state)
	}
	return out
}

func (c *command) listModels(ctx context.Context) error {
	cfg, servers, err := c.modelServers()
	if err != nil {
		return err
	}
	var states []serverState
	for _, s := range servers {
		state := look(ctx, s)
		if ctx.Err() != nil {
			return state.err
		}
		states = append(states, state)
	}
	// With one server, its absence is the whole answer.
	if len(states) == 1 && states[0].err != nil {
		return states[0].err
	}
	if c.json {
		if err := c.printJSON(map[string]any{"servers": states}); err != nil {
			return err
		}
	}
	for i, s := range states {
		if c.json {
			continue
		}
		if i > 0 {
			fmt.Fprintln(c.io.Out)
		}
		c.printServer(s)
	}
	if !c.json {
		fmt.Fprintf(c.io.Out, "%-12s %s\n", "asked", askedFor(cfg.Models))
	}
	for _, s := range states {
		switch {
		case s.err != nil && c.json:
			return exitCode(codeUnavailable) // the object says why
		case s.err != nil:
			return s.err
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

func (c *command) printServer(s serverState) {
	title := s.Provider
	if s.Version != "" {
		title += " " + s.Version
	}
	fmt.Fprintf(c.io.Out, "%s at %s\n", clean(title), clean(s.Address))
	if s.err != nil {
		fmt.Fprintf(c.io.Out, "  %s\n", clean(s.Error))
		return
	}
	if len(s.Models) == 0 {
		fmt.Fprintln(c.io.Out, "  no models")
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
			about = append(about, plural(m.Dimension, "dimension", "dimensions"))
		}
		if m.Size > 0 {
			about = append(about, bytesText(m.Size))
		}
		about = slices.DeleteFunc(about, func(s string) bool { return s == "" })
		fmt.Fprintf(c.io.Out, "  %-28s %s\n", clean(m.Name), clean(strings.Join(about, " · ")))
	}
	for _, n := range s.Needs {
		switch {
		case n.Chosen != "" && n.Origin == config.Default:
			fmt.Fprintf(c.io.Out, "%-12s %s (the best that is there)\n", clean(n.For), clean(n.Chosen))
		case n.Chosen != "":
			fmt.Fprintf(c.io.Out, "%-12s %s\n", clean(n.For), clean(n.Chosen))
		case n.Origin == config.Default:
			fmt.Fprintf(c.io.Out, "%-12s none; to get one: docent models pull %s\n", clean(n.For), clean(n.Missing))
		default:
			fmt.Fprintf(c.io.Out, "%-12s %s is missing: docent models pull %s\n", clean(n.For), clean(n.Model), clean(n.Missing))
		}
	}
}

// pullModel fetches a model to the server that asks for it, or else the first.
func (c *command) pullModel(ctx context.Context, name string) error {
	if strings.TrimSpace(name) == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return usage("%q is no model's name", name)
	}
	_, servers, err := c.modelServers()
	if err != nil {
		return err
	}
	to := servers[0]
	for _, s := range servers {
		if slices.ContainsFunc(s.Needs, func(n app.Need) bool { return n.Model != "" && llm.SameName(n.Model, name) }) {
			to = s
			break
		}
	}
	bar := pullBar{c: c, name: name}
	err = to.Client.Pull(ctx, name, bar.draw)
	bar.clear()
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(map[string]string{"pulled": name, "server": to.Client.Address()})
	}
	fmt.Fprintf(c.io.Out, "%s is at %s\n", clean(name), clean(to.Client.Address()))
	return nil
}

// pullBar draws how far a pull is, on a terminal's standard error.
type pullBar struct {
	c       *command
	name    string
	last    string
	percent int64
}

func (b *pullBar) draw(p llm.Progress) {
	if b.c.quiet || !b.c.io.ErrTTY {
		return
	}
	if p.Total <= 0 {
		if p.Status != b.last {
			fmt.Fprintf(b.c.io.Err, "\r\x1b[K%s %s", clean(b.name), clean(p.Status))
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
	full := int(done * barWidth / p.Total)
	fmt.Fprintf(b.c.io.Err, "\r\x1b[Kpulling %s %s%s %3d%% %s/%s", clean(b.name),
		strings.Repeat("█", full), strings.Repeat("░", barWidth-full), percent, bytesText(done), bytesText(p.Total))
}

func (b *pullBar) clear() {
	if b.last != "" {
		fmt.Fprint(b.c.io.Err, "\r\x1b[K")
	}
}

// speedTime is how long doctor waits for a model: a cold one on a slow disk may
// take longer, and is then told of as that.
const speedTime = 30 * time.Second

// examineModels is doctor's look at the model servers. A server that is not
// there is no fault, since no model is needed; what is configured and cannot be
// is one.
func (c *command) examineModels(ctx context.Context, cfg config.Config) ([]finding, error) {
	servers, err := app.ModelServers(cfg, c.io.Env)
	if err != nil {
		return []finding{{Check: "model server", Text: err.Error(), Mend: "give an address such as http://127.0.0.1:11434"}}, nil
	}
	var out []finding
	for _, s := range servers {
		state := look(ctx, s)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if state.err != nil {
			out = append(out, finding{Check: "model server", OK: true, Text: "none: " + state.Error + "; none is needed"})
			continue
		}
		out = append(out, finding{Check: "model server", OK: true,
			Text: strings.TrimSpace(fmt.Sprintf("%s %s", state.Provider, state.Version)) + " at " + state.Address + ", " + plural(len(state.Models), "model", "models")})
		for _, n := range state.Needs {
			f, err := examineModel(ctx, s, n)
			if err != nil {
				return out, err
			}
			out = append(out, f)
		}
	}
	return out, nil
}

func examineModel(ctx context.Context, s *app.ModelServer, n needState) (finding, error) {
	f := finding{Check: "model for " + n.For}
	if n.Chosen == "" {
		f.OK, f.Text, f.Mend = n.Origin == config.Default, "none is there; docent models pull "+n.Missing+" fetches one", ""
		if !f.OK {
			f.Text, f.Mend = n.Model+" is not there", "docent models pull "+n.Missing
		}
		return f, nil
	}
	limited, cancel := context.WithTimeout(ctx, speedTime)
	defer cancel()
	speed, err := s.Measure(limited, n.Need, n.Chosen)
	switch {
	case ctx.Err() != nil:
		return f, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		f.OK, f.Text = true, fmt.Sprintf("%s does not answer within %v; it may have to be loaded", n.Chosen, speedTime)
	case err != nil:
		f.Text, f.Mend = err.Error(), "choose another in docent.toml; docent models lists them"
	case n.Dimension > 0 && speed.Dimension != n.Dimension:
		f.Text = fmt.Sprintf("%s gives vectors of %s, the profile says %d", n.Chosen, plural(speed.Dimension, "dimension", "dimensions"), n.Dimension)
		f.Mend = fmt.Sprintf("set dimension = %d in [embeddings.profiles.%s]", speed.Dimension, n.For)
	case n.What == llm.CanEmbed:
		f.OK, f.Text = true, fmt.Sprintf("%s, %s, two texts in %v", n.Chosen, plural(speed.Dimension, "dimension", "dimensions"), speed.First.Round(time.Millisecond))
	default:
		f.OK, f.Text = true, fmt.Sprintf("%s, the first word after %v, then %.0f tokens a second", n.Chosen, speed.First.Round(time.Millisecond), speed.Tokens)
	}
	return f, nil
}

// codeModels is the error code of model servers, of the family that ends with
// exit code 3.
const codeModels = "MODELS_UNAVAILABLE"
