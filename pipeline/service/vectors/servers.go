package vectors

import (
	"context"
	"slices"
	"strings"
	"time"

	"docent/llm"
	"docent/pipeline/contract"
)

// The origins of a model's name.
const (
	OriginDefault = "default" // no server is configured
	OriginFile    = "file"    // the configuration names it
)

// Need is a model that the configuration asks for, or that would be of use.
type Need struct {
	// For is "chat", "embedding", or the name of an embedding profile.
	For  string         `json:"for"`
	What llm.Capability `json:"-"`
	// Model is the configured name, or "" where any model will do.
	Model     string `json:"model"`
	Origin    string `json:"origin"`
	Dimension int    `json:"dimension,omitempty"` // required; 0: any
}

// Embeds reports whether the model is to make vectors.
func (n Need) Embeds() bool { return n.What == llm.CanEmbed }

// ModelServer is a server that the configuration and the environment name, with
// the models that it should have.
type ModelServer struct {
	Client *llm.Client
	Needs  []Need
	// Named says that the configuration, the command line or the environment names the
	// server. One that is not named is one that listens where such servers do.
	Named bool
}

// FindModel gives the model that answers a need, among those that a server has.
func (n Need) FindModel(models []llm.Model) (llm.Model, bool) {
	if n.Model != "" {
		return llm.FindModel(models, n.Model)
	}
	return llm.Choose(models, n.Preferred(), n.What)
}

// Preferred are the models that fit, the best first.
func (n Need) Preferred() []string {
	switch {
	case n.Model != "":
		return []string{n.Model}
	case n.What == llm.CanEmbed:
		return llm.EmbedModels()
	}
	return llm.ChatModels()
}

// ServersAnswer is the answer to LookAtServers.
type ServersAnswer struct {
	Servers []ServerState `json:"servers"`
}

// ServerState is a model server as it is now.
type ServerState struct {
	Provider  string      `json:"provider"`
	Address   string      `json:"address"`
	Reachable bool        `json:"reachable"`
	Version   string      `json:"version,omitempty"`
	Error     string      `json:"error,omitempty"`
	Models    []llm.Model `json:"models"`
	Needs     []NeedState `json:"needs"`
	// Documents reports whether questions and texts of pages are sent to it: "named", or a
	// person's answer (see Consent), or "unasked". One that is refused is not looked at.
	Documents string `json:"documents"`
	// Err is why the server cannot be reached; nil: it can.
	Err error `json:"-"`
}

// NeedState is a need and the model that answers it.
type NeedState struct {
	Need
	// Chosen is the model that answers it, "" if none is there.
	Chosen string `json:"chosen"`
	// Missing is the model to pull, if none is there.
	Missing string `json:"missing,omitempty"`
}

// LookAtServers asks model servers what they have, for the home in dir, which need not be
// opened. The error is the context's.
func LookAtServers(ctx context.Context, servers []*ModelServer, dir string) (ServersAnswer, error) {
	var out ServersAnswer
	for _, s := range servers {
		state := s.LookAtServer(ctx, dir)
		if ctx.Err() != nil {
			return out, state.Err
		}
		out.Servers = append(out.Servers, state)
	}
	return out, nil
}

// LookAtServer asks a server what it has, unless a person refused it in the home in dir.
func (s *ModelServer) LookAtServer(ctx context.Context, dir string) ServerState {
	out := ServerState{Provider: s.Client.Engine(), Address: s.Client.Address(), Models: []llm.Model{}, Documents: "unasked"}
	switch c := consentTo(dir, out.Address); {
	case s.Named:
		out.Documents = "named"
	case c == Refused:
		out.Documents, out.Needs = string(c), []NeedState{}
		return out
	case c == Allowed:
		out.Documents = string(c)
	}
	models, err := s.Client.Models(ctx)
	if err == nil {
		out.Reachable, out.Models = true, slices.Clip(append(out.Models, models...))
		out.Version, _ = s.Client.Version(ctx) // a server without a version works
	} else {
		out.Err, out.Error = err, err.Error()
	}
	for _, n := range s.Needs {
		state := NeedState{Need: n}
		if m, ok := n.FindModel(models); ok {
			state.Chosen = m.Name
		} else {
			state.Missing = n.Preferred()[0]
		}
		out.Needs = append(out.Needs, state)
	}
	return out
}

// CheckModelName reports whether a model may have this name.
func CheckModelName(name string) error {
	if strings.TrimSpace(name) == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return contract.Invalid("", "%q is no model's name", name)
	}
	return nil
}

// PullModel fetches a model to the server that asks for it, or else to the first, and
// gives that server's address. One that a person refused in the home in dir gets no request.
func PullModel(ctx context.Context, servers []*ModelServer, dir, name string, progress func(llm.Progress)) (string, error) {
	if err := CheckModelName(name); err != nil {
		return "", err
	}
	to := servers[0]
	for _, s := range servers {
		if slices.ContainsFunc(s.Needs, func(n Need) bool { return n.Model != "" && llm.SameName(n.Model, name) }) {
			to = s
			break
		}
	}
	if to.IsRefused(dir) {
		return "", contract.Invalid("", "%s is refused", to.Client.Address()).WithRemedy(
			contract.RunDocent("models", "allow").To("has it asked again"))
	}
	return to.Client.Address(), to.Client.Pull(ctx, name, progress)
}

// Speed is how fast a model answers.
type Speed struct {
	// first is the time until the first word, or until the vectors were there.
	First time.Duration
	// tokens is how many a second followed; 0: too few to tell.
	Tokens    float64
	Dimension int // of a vector
}

// speedTokens is the length of the answer that measures a model.
const speedTokens = 24

// Measure asks a model for a short answer, or for two vectors.
func (s *ModelServer) Measure(ctx context.Context, n Need, model string) (Speed, error) {
	start := time.Now()
	if n.What == llm.CanEmbed {
		v, err := s.Client.Embed(ctx, llm.EmbedRequest{Model: model, Texts: []string{"configure a liveness probe", "a second text"}})
		if err != nil {
			return Speed{}, err
		}
		return Speed{First: time.Since(start), Dimension: len(v[0])}, nil
	}
	var out Speed
	var first time.Time
	a, err := s.Client.Chat(ctx, llm.ChatRequest{Model: model, MaxTokens: speedTokens,
		Messages: []llm.Message{{Role: llm.User, Text: "Count from one to twenty in words."}},
		OnPiece: func(string) error {
			if first.IsZero() {
				first = time.Now()
				out.First = first.Sub(start)
			}
			return nil
		}})
	if err != nil && llm.KindOf(err) != llm.CutOff {
		return out, err
	}
	if took := time.Since(first); a.Tokens > 1 && took > 0 && !first.IsZero() {
		out.Tokens = float64(a.Tokens-1) / took.Seconds()
	}
	return out, nil
}
