package app

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"docent/cmd/internal/config"
	"docent/llm"
	"docent/llm/ollama"
	"docent/llm/openai"
	"docent/pipeline/contract"
)

// Need is a model that the configuration asks for, or that would be of use.
type Need struct {
	// For is "chat", "embedding", or the name of an embedding profile.
	For  string         `json:"for"`
	What llm.Capability `json:"-"`
	// Model is the name that is configured, or "" where any will do.
	Model     string        `json:"model"`
	Origin    config.Origin `json:"origin"`
	Dimension int           `json:"dimension,omitempty"` // that it must have; 0: any
}

// ModelServer is a server that the configuration and the environment name, with
// what is asked of it.
type ModelServer struct {
	Client *llm.Client
	Needs  []Need
}

// ModelServers are the servers of [models] first, and then those of embedding
// profiles that are elsewhere. Nothing is sent yet. The environment says where
// the configuration does not (OLLAMA_HOST, OPENAI_BASE_URL), and alone holds the
// key (OPENAI_API_KEY). Profiles that fail to name a server are
// INVALID_REQUEST.
func ModelServers(cfg config.Config, env func(string) string) ([]*ModelServer, error) {
	var out []*ModelServer
	byPlace := map[[2]string]*ModelServer{}
	at := func(provider, base string, timeout int) (*ModelServer, error) {
		s, err := openServer(cfg.Models, provider, base, env)
		if err != nil {
			return nil, err
		}
		place := [2]string{provider, s.Address()}
		if known := byPlace[place]; known != nil {
			return known, nil
		}
		t := time.Duration(timeout) * time.Second
		m := &ModelServer{Client: llm.New(s, llm.Options{Timeouts: llm.Timeouts{First: t, Embed: t, Preload: t}})}
		byPlace[place] = m
		out = append(out, m)
		return m, nil
	}
	origin := func(model string) config.Origin {
		if model == "" {
			return config.Default
		}
		return config.File
	}
	main, err := at(cfg.Models.Provider, cfg.Models.APIBase, cfg.Models.Timeout)
	if err != nil {
		return nil, err
	}
	main.Needs = append(main.Needs, Need{For: "chat", What: llm.CanChat, Model: cfg.Models.ChatModel, Origin: origin(cfg.Models.ChatModel)},
		Need{For: "embedding", What: llm.CanEmbed, Model: cfg.Models.EmbeddingModel, Origin: origin(cfg.Models.EmbeddingModel)})
	for _, l := range cfg.Chain {
		if !l.Enabled {
			continue
		}
		base, timeout := l.URL, cmp.Or(l.Timeout, cfg.Models.Timeout)
		if base == "" && l.Provider == cfg.Models.Provider {
			base = cfg.Models.APIBase
		}
		m, err := at(l.Provider, base, timeout)
		if err != nil {
			return nil, err
		}
		m.Needs = append(m.Needs, Need{For: l.Name, What: llm.CanChat, Model: l.Model, Origin: config.File})
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Profiles)) {
		p := cfg.Profiles[name]
		base, timeout := p.APIBase, p.Timeout
		if base == "" && p.Provider == cfg.Models.Provider {
			base = cfg.Models.APIBase
		}
		if timeout == 0 {
			timeout = cfg.Models.Timeout
		}
		m, err := at(p.Provider, base, timeout)
		if err != nil {
			return nil, err
		}
		m.Needs = append(m.Needs, Need{For: name, What: llm.CanEmbed, Model: p.Model, Origin: config.File, Dimension: p.Dimension})
	}
	return out, nil
}

// openServer makes a server of a kind.
func openServer(m config.Models, provider, base string, env func(string) string) (llm.Server, error) {
	name, from := "models.api_base", base
	keep, err := time.ParseDuration(m.KeepAlive)
	if err != nil {
		return nil, contract.Invalid("models.keep_alive", "%v", err)
	}
	var s llm.Server
	if provider == openai.Engine {
		if from == "" {
			name, from = "OPENAI_BASE_URL", env("OPENAI_BASE_URL")
		}
		s, err = openai.New(openai.Options{Address: from, Key: env("OPENAI_API_KEY"), Proxy: http.ProxyFromEnvironment})
	} else {
		if from == "" {
			name, from = "OLLAMA_HOST", env("OLLAMA_HOST")
		}
		s, err = ollama.New(ollama.Options{Address: from, NumCtx: m.NumCtx, NumThread: m.NumThread, KeepAlive: keep, Proxy: http.ProxyFromEnvironment})
	}
	if err != nil {
		return nil, contract.Invalid(name, "%s: %v", name, err)
	}
	return s, nil
}

// Find gives the model that answers a need, among those that a server has.
func (n Need) Find(models []llm.Model) (llm.Model, bool) {
	if n.Model != "" {
		return llm.Find(models, n.Model)
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

// Speed is how fast a model answered.
type Speed struct {
	// First is until the first word, or until the vectors were there.
	First time.Duration
	// Tokens is how many a second followed; 0: too few to tell.
	Tokens    float64
	Dimension int // of a vector
}

// speedTokens is how long the answer is that measures a model.
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
